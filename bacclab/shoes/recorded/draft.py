"""A round as a form of file gives it, before anything is checked; and how the reading can be steered."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, get_args

from bacclab.errors import SourceError, did_you_mean

PLAYER: Final = 0
BANKER: Final = 1
TIE: Final = 2
"""Winners, as places in `bacclab.game.codes.Outcome`."""

Order = Literal["oldest-first", "newest-first"]
CardOrder = Literal["player-first", "in-turn"]
ShoesIn = Literal["lines", "columns", "file"]


class Draft(NamedTuple):
    """One recorded round; None where the record says nothing.

    `shoe` and `table` are what the record calls them (None: it does not say); `cards` are numbers of
    `bacclab.shoes.recorded.cards`; `problem` is a kind and words of a fault that the form itself found.
    """

    line: int
    winner: int | None = None
    player_total: int | None = None
    banker_total: int | None = None
    winning_total: int | None = None
    natural: bool | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None
    cards: tuple[int, ...] | None = None
    shoe: Hashable = None
    table: str | None = None
    number: int | None = None
    time: str | None = None
    problem: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How to read a file where it does not say so itself. None: it is found out, or refused with a question.

    - `format`: a form of `bacclab.shoes.recorded.importer.FORMATS`.
    - `language`: english, french, spanish, italian, chinese, thai, or colours (red Banker, blue Player, green Tie).
    - `order`: oldest-first or newest-first.
    - `shoe_column`, `table_column`: columns that tell shoes and tables apart.
    - `shoes_in`: a shoe is a line, a column, or the whole file.
    - `columns`: names of the columns of a file without a header.
    - `card_order`: whether cards without a mark are Player's first or dealt in turn.
    - `points`: card columns hold points (0 is a ten or a face).
    - `fold_case`: letters in both cases mean the same.
    """

    format: str | None = None
    language: str | None = None
    order: Order | None = None
    shoe_column: str | None = None
    table_column: str | None = None
    shoes_in: ShoesIn | None = None
    columns: tuple[str, ...] = ()
    card_order: CardOrder | None = None
    points: bool = False
    encoding: str | None = None
    fold_case: bool = False

    def __post_init__(self) -> None:
        for name, value, options in (
            ("order", self.order, get_args(Order)),
            ("card order", self.card_order, get_args(CardOrder)),
            ("place of shoes", self.shoes_in, get_args(ShoesIn)),
        ):
            if value is not None and value not in options:
                raise SourceError(f"there is no {name} {value!r}", hint=did_you_mean(str(value), options))


@dataclass(slots=True)
class Drafts:
    """What a form gives: its rounds in the order of the file, and what it took the file for."""

    rounds: list[Draft]
    form: str
    language: str = ""
    taken: dict[str, Any] = field(default_factory=dict)
    """What was found out, by name, in words: separators, the order of cards, and so on."""
    notes: list[str] = field(default_factory=list)
    blank: list[int] = field(default_factory=list)
    """Lines of empty rows."""
    empty_shoes: list[int] = field(default_factory=list)
    """Lines where a shoe without rounds stands."""
    unreadable: list[int] = field(default_factory=list)
    """Lines that hold no value though they begin as one: they break off, or are damaged."""
