"""Rounds written as lists without names, `["B", 3, 7]`: what a place holds is told, or follows from what is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bacclab.shoes.recorded.draft import BANKER, PLAYER
from bacclab.shoes.recorded.lines import are_marks
from bacclab.shoes.recorded.marks import LETTERS, word_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["are_rows", "names_of"]

_DIGITS: Final = range(10)


def are_rows(items: Sequence[Any]) -> bool:
    """Whether every item is a list of one length with single values in it.

    >>> are_rows([["B", 3, 7], ["P", 8, 4]]), are_rows([["B"], ["P", "B"]]), are_rows([[["8S", "0D"], ["5H", "KC"]]])
    (True, False, False)
    """
    lists = [one for one in items if isinstance(one, list)]
    lengths = {len(one) for one in lists}
    return (
        bool(lists)
        and len(lists) == len(items)
        and len(lengths) == 1
        and min(lengths) > 1
        and not any(isinstance(value, list | dict) for one in lists for value in one)
    )


def names_of(rows: Sequence[Sequence[Any]], columns: Sequence[str] = ()) -> list[str] | None:
    """What each place of such rows holds: the names told, or the winner and totals that agree with it, `-` for others.

    None where that does not follow: no place, or more than one, holds winners, or the totals could be either way round.

    >>> names_of([["B", 3, 7, 0], ["P", 8, 4, 1]]), names_of([[7, 3, "Banker"], [4, 8, "Player"]])
    (['winner', 'player_total', 'banker_total', '-'], ['banker_total', 'player_total', 'winner'])
    >>> names_of([["T", 6, 6], ["T", 1, 1]]) is None
    True
    """
    width = len(rows[0])
    if columns:
        return list(columns) if len(columns) == width else None
    winners = [place for place in range(width) if all(_is_winner(row[place]) for row in rows)]
    if len(winners) != 1:
        return None
    sides = [_side(row[winners[0]]) for row in rows]
    places = [place for place in range(width) if all(_is_total(row[place]) for row in rows)]
    fitting = [
        (player, banker)
        for player in places
        for banker in places
        if player != banker
        and all(_agree(side, row[player], row[banker]) for side, row in zip(sides, rows, strict=True))
    ]
    if len(fitting) > 1 or (not fitting and width > 2):
        return None
    names = ["-"] * width
    names[winners[0]] = "winner"
    for player, banker in fitting:
        names[player], names[banker] = "player_total", "banker_total"
    return names


def _is_winner(value: Any) -> bool:
    return isinstance(value, str) and bool(value) and not value.isdecimal() and are_marks([value])


def _is_total(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in _DIGITS


def _side(value: str) -> int | None:
    """Player or Banker; None for a tie and for letters that are colours elsewhere."""
    found = word_of(value)
    return found[0] if found is not None else LETTERS["english"].get(value.upper())


def _agree(side: int | None, player: int, banker: int) -> bool:
    return player > banker if side == PLAYER else banker > player if side == BANKER else player == banker
