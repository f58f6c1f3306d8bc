"""The options that say how a record is to be read, shared by the commands that read one."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bacclab.errors import SourceError
from bacclab.shoes.recorded.draft import Reading

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Reading", "reads_a_record"]

Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="F",
        help="The form, where it is not found out: lines, table, json, letters, pair-letters, colour-total-pair, "
        "bbin-map, codes (1 Banker, 2 Player, 3 Tie), codes-01 (0 Player, 1 Banker), flags, channel-posts, "
        "bead-cells, bbin-log.",
    ),
]
Language = Annotated[
    str | None,
    typer.Option("--language", metavar="L", help="english, french, spanish, italian, chinese, thai or colours."),
]
Colours = Annotated[
    bool, typer.Option("--colours", help="R is red (Banker), B is blue (Player), G is green (Tie): --language colours.")
]
Order = Annotated[
    str | None,
    typer.Option("--order", metavar="O", help="oldest-first or newest-first, where the record does not say."),
]
ShoeColumn = Annotated[
    str | None, typer.Option("--shoe-column", metavar="NAME", help="The column that tells shoes apart.")
]
TableColumn = Annotated[
    str | None, typer.Option("--table-column", metavar="NAME", help="The column that tells tables apart.")
]
ShoesIn = Annotated[
    str | None, typer.Option("--shoes-in", metavar="W", help="What a shoe is: lines, columns, or the whole file.")
]
Columns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="NAMES",
        help="Names of the columns of a table without a header, with - for others: winner,player_total,banker_total,-.",
    ),
]
CardOrder = Annotated[
    str | None,
    typer.Option(
        "--card-order", metavar="O", help="player-first, or in-turn (P1 B1 P2 B2 P3 B3), where cards have no mark."
    ),
]
Points = Annotated[bool, typer.Option("--points", help="Cards are written as points: 0 is a ten or a face.")]
Encoding = Annotated[str | None, typer.Option("--encoding", metavar="E", help="Such as utf-8, utf-16, gb18030, big5.")]
FoldCase = Annotated[bool, typer.Option("--fold-case", help="Capital and small letters mean the same.")]


def reads_a_record(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the options of this module in the place of its argument ``reading``."""
    options = inspect.signature(_reading_of, eval_str=True).parameters
    shown: list[inspect.Parameter] = []
    for own in inspect.signature(command, eval_str=True).parameters.values():
        shown += options.values() if own.name == "reading" else [own.replace(kind=inspect.Parameter.KEYWORD_ONLY)]

    @functools.wraps(command)
    def called(**given: Any) -> None:
        asked = {name: given.pop(name) for name in options}
        command(**given, reading=_reading_of(**asked))

    # What typer reads the options of a command from.
    called.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in shown}
    return called


def _reading_of(
    *,
    form: Format = None,
    language: Language = None,
    colours: Colours = False,
    order: Order = None,
    shoe_column: ShoeColumn = None,
    table_column: TableColumn = None,
    shoes_in: ShoesIn = None,
    columns: Columns = None,
    card_order: CardOrder = None,
    points: Points = False,
    encoding: Encoding = None,
    fold_case: FoldCase = False,
) -> Reading:
    """The reading that the options ask for."""
    if colours and language not in (None, "colours"):
        raise SourceError(f"--colours and --language {language} contradict each other", hint="give one of them")
    return Reading(
        format=form,
        language="colours" if colours else language,
        order=order,  # type: ignore[arg-type]  # it refuses everything else
        shoe_column=shoe_column,
        table_column=table_column,
        shoes_in=shoes_in,  # type: ignore[arg-type]
        columns=tuple(name.strip() for name in columns.split(",")) if columns else (),
        card_order=card_order,  # type: ignore[arg-type]
        points=points,
        encoding=encoding,
        fold_case=fold_case,
    )
