"""Many bettors in their order: what each is expected to lose in a session, and what it lost in the sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bacclab.dashboard import theme
from bacclab.dashboard.charts.parts import TOGETHER, floats, interval, ranked, sketch, wrapped
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bacclab.dashboard.language import Language
    from bacclab.dashboard.run_frames import RunFrames

    Row = Mapping[str, Any]
    Trace = dict[str, Any]

__all__ = ["ranking"]

#: Bettors shown from either end of the order.
ENDS = 15


@Drawing
def ranking(run: RunFrames | Lookup, *, cell: int | None = None) -> Sketch | None:
    """The bettors that are expected to lose least and most in a session, with the sampled result and its 95 % interval.

    They are ranked by the exact expectation of their bets, so that luck has no part in the order. None for a dozen
    bettors or fewer, which stand side by side on other charts.
    """
    look = Lookup.of(run)
    say, cell = look.language, look.cell(cell)
    names = ranked(look, cell)
    if len(names) <= TOGETHER:
        return None
    shown = names if len(names) <= 2 * ENDS else [*names[:ENDS], *names[-ENDS:]]
    rows = [look.slice(cell=cell, bettor=name).summary for name in shown]
    label = f" ({look.cells[cell]})" if look.cells[cell] else ""
    words = {"n": say.count(len(shown)), "all": say.count(len(names))}
    told = [
        say(
            "ranking.alt_one",
            bettor=row["bettor"],
            expected=_money(row, "expected", look),
            net=_money(row, "net", look),
        )
        for row in (rows[0], rows[-1])
    ]
    axis = [wrapped(row["bettor"], 30) for row in rows]
    drawn = sketch(
        say("ranking.title") + label,
        note=say("ranking.note", **words),
        alt=" ".join([say("ranking.alt", **words), *told]),
        x=say("axis.result"),
        y="",
        height=110 + (32 if any("<br>" in name for name in axis) else 22) * len(shown),
    )
    drawn.add(_sampled(rows, axis, say))
    if all(row.get("expected") is not None for row in rows):
        drawn.add(_exact(rows, axis, say))
    drawn.change(
        hovermode="closest",
        xaxis={"showgrid": True, "gridcolor": theme.GRID[0]},
        yaxis={"autorange": "reversed", "type": "category", "showgrid": False, "tickfont": {"size": 11}, "dtick": 1},
    )
    return drawn


def _sampled(rows: Sequence[Row], axis: list[str], say: Language) -> Trace:
    """The sampled results with their intervals."""
    colour = theme.PALETTE[0][0]
    spread = {"type": "data", "array": floats([interval(row) for row in rows]), "color": colour}
    return {
        **_points(rows, axis, "net"),
        "name": say("ranking.sampled"),
        "marker": {"color": colour, "size": 6},
        "error_x": {**spread, "thickness": 1.5, "width": 3},
        "hovertemplate": "%{y}: %{x:,.2f} ± %{error_x.array:,.2f}<extra></extra>",
    }


def _exact(rows: Sequence[Row], axis: list[str], say: Language) -> Trace:
    """The exact expectations."""
    edge = {"color": theme.INK[0], "width": 1.5}
    return {
        **_points(rows, axis, "expected"),
        "name": say("chart.expected"),
        "marker": {"symbol": "diamond", "size": 8, "color": theme.BACKGROUND[0], "line": edge},
        "hovertemplate": "%{y}: %{x:,.2f}<extra></extra>",
    }


def _points(rows: Sequence[Row], axis: list[str], key: str) -> Trace:
    """A point a bettor: a figure of its rows, a session."""
    means = [row[key] / row["sessions"] for row in rows]
    return {"type": "scatter", "mode": "markers", "orientation": "h", "y": axis, "x": floats(means)}


def _money(row: Any, key: str, look: Lookup) -> str:
    value = row.get(key)
    return "–" if value is None else look.language.money(round(value / row["sessions"], 2))
