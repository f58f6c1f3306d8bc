"""The roads of the shoes of one sampled session, with the bets of one bettor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bacclab.dashboard.charts.roads import board
from bacclab.dashboard.charts.roads_board import RoundMark
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup
from bacclab.errors import ConfigError
from bacclab.game.roads import draw_roads

if TYPE_CHECKING:
    import polars as pl

    from bacclab.dashboard.language import Language
    from bacclab.dashboard.run_frames import RunFrames

__all__ = ["session_roads"]


@Drawing
def session_roads(
    run: RunFrames | Lookup,
    *,
    bettor: str | None = None,
    cell: int | None = None,
    session: int | None = None,
    shoe: int | None = None,
    narrow: bool = False,
) -> Sketch:
    """The roads of a sampled session of one bettor (by default the first), a menu of its shoes, and the bets marked.

    With ``shoe`` the figure has that shoe alone; ``narrow`` stacks the roads for a telephone. Raises ConfigError for a
    session that was not kept round by round, and for a shoe that it does not have.
    """
    look = Lookup.of(run)
    part = look.slice(cell=cell, bettor=bettor)
    rows = _rows_of(part.paths, session, bettor=part.bettor)
    shoes = {int(key[0]): rows for key, rows in rows.partition_by("shoe", as_dict=True, maintain_order=True).items()}
    if shoe is not None and shoe not in shoes:
        raise ConfigError(f"session {rows['session'][0]} has no shoe {shoe}", hint=f"it has {_span(list(shoes))}")
    wanted = list(shoes) if shoe is None else [shoe]
    session = int(rows["session"][0])
    boards = [
        _board(shoes[number], look.language, name=(part.title, session, number), narrow=narrow) for number in wanted
    ]
    return (
        boards[0]
        if len(boards) == 1
        else _with_menu(boards, [f"{look.language('rules.shoe')} {number}" for number in wanted])
    )


def _rows_of(paths: pl.DataFrame, session: int | None, *, bettor: str) -> pl.DataFrame:
    import polars as pl

    kept = paths["session"].unique().sort().to_list()
    if not kept:
        raise ConfigError(
            f"no session of {bettor!r} was kept round by round", hint="set trajectories under [record] and run it again"
        )
    if session is not None and session not in kept:
        raise ConfigError(f"session {session} of {bettor!r} was not kept round by round", hint=f"kept: {_span(kept)}")
    return paths.filter(pl.col("session") == (kept[0] if session is None else session)).sort("round")


def _span(numbers: list[int]) -> str:
    """Numbers in words.

    >>> _span([3, 4, 5]), _span([3, 5]), _span([7])
    ('3 to 5', '3, 5', '7')
    """
    whole = len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1))
    return f"{numbers[0]} to {numbers[-1]}" if whole else ", ".join(map(str, numbers))


def _board(rows: pl.DataFrame, say: Language, *, name: tuple[str, int, int], narrow: bool) -> Sketch:
    laid = rows.select("bets", "staked", "net").iter_rows()
    marks = [RoundMark(bets or "", staked, net) for bets, staked, net in laid]
    title = say("roads.title", bettor=name[0], session=name[1], shoe=name[2])
    return board(draw_roads(rows["outcome"].to_list()), title=title, bets=marks, narrow=narrow, say=say)


def _with_menu(boards: list[Sketch], labels: list[str]) -> Sketch:
    """One sketch with the traces of all boards, of which the menu shows one."""
    first = boards[0]
    sizes = [len(one.traces) for one in boards]
    made = Sketch(dict(first.layout))
    for place, one in enumerate(boards):
        made.add(*(trace if place == 0 else {**trace, "visible": False} for trace in one.traces))
    buttons = []
    for place, (one, label) in enumerate(zip(boards, labels, strict=True)):
        shown = [place == k for k, size in enumerate(sizes) for _ in range(size)]
        changes: dict[str, Any] = {"annotations": one.layout["annotations"], "title.text": one.layout["title"]["text"]}
        changes |= {f"{axis}.range": one.layout[axis]["range"] for axis in ("xaxis", "yaxis")}
        buttons.append({"label": label, "method": "update", "args": [{"visible": shown}, changes]})
    menu = {"buttons": buttons, "x": 1, "xanchor": "right", "y": 1.0, "yanchor": "bottom", "showactive": True}
    made.change(updatemenus=[menu])
    return made
