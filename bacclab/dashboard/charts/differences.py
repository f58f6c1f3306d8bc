"""One bettor against the others on the same rounds: mean differences with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bacclab.analysis.compare import LEVEL
from bacclab.dashboard import theme
from bacclab.dashboard.charts.parts import floats, said, sketch, wrapped
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.run_frames import Slice

if TYPE_CHECKING:
    from bacclab.dashboard.language import Language
    from bacclab.dashboard.run_frames import RunFrames

__all__ = ["differences"]

#: Others shown at most; the table of pairs has more.
OTHERS = 24


@Drawing
def differences(run: RunFrames | Lookup, *, bettor: str | None = None, cell: int | None = None) -> Sketch | None:
    """How much more or less the others end with than one bettor, in the mean over sessions, with 95 % intervals.

    Pairs that cannot be told apart (after correction for the number of pairs) are grey. None for a run with one bettor.
    """
    look = Lookup.of(run)
    if len(look.positions) == 1:
        return None
    say, part = look.language, look.slice(bettor=bettor, cell=cell)
    rows = _against(look, part)[:OTHERS]
    told = [row["other"] for row in rows if row["told"]]
    drawn = sketch(
        say("differences.title", bettor=part.title),
        note=say("differences.note"),
        alt=" ".join(
            [
                say("differences.alt", bettor=part.title),
                *(
                    say("differences.alt_one", bettor=row["other"], mean=say.money(round(row["mean"], 2)))
                    for row in rows[:12]
                ),
                say("differences.alt_told", told=say.count(len(told)), all=say.count(len(rows))),
            ]
        ),
        x=say("axis.difference"),
        y="",
        height=120 + 30 * max(len(rows), 2),
    )
    for sure, colour, name in (
        (True, theme.PALETTE[0][0], say("differences.told")),
        (False, theme.AXIS[0], say("differences.not_told")),
    ):
        some = [row for row in rows if row["told"] is sure]
        if some:
            drawn.add(_points(some, colour, name, say))
    zero = {"type": "line", "xref": "x", "yref": "paper", "x0": 0, "x1": 0, "y0": 0, "y1": 1, "layer": "between"}
    drawn.change(
        annotations=[] if rows else [said(say("differences.none"))],
        shapes=[{**zero, "line": {"color": theme.QUIET[0], "width": 1.5}}],
        hovermode="closest",
        showlegend=False,
        xaxis={"showgrid": True, "gridcolor": theme.GRID[0]},
        yaxis={
            "type": "category",
            "showgrid": False,
            "categoryorder": "array",
            "categoryarray": [wrapped(row["other"], 26) for row in reversed(rows)],
        },
    )
    return drawn


def _against(look: Lookup, part: Slice) -> list[dict[str, Any]]:
    """Each other bettor in the order of the experiment, with the difference other minus this one."""
    rows = []
    for row in look.pairs(part):
        other, sign = (row["bettor_b"], -1) if row["bettor_a"] == part.bettor else (row["bettor_a"], 1)
        if row["ci_low"] is None:
            continue
        low, high = sorted((sign * row["ci_low"], sign * row["ci_high"]))
        told = row["p_adjusted"] is not None and row["p_adjusted"] < LEVEL
        rows.append({"other": other, "mean": sign * row["mean_difference"], "low": low, "high": high, "told": told})
    return sorted(rows, key=lambda row: look.positions[row["other"]])


def _points(rows: list[dict[str, Any]], colour: str, name: str, say: Language) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "orientation": "h",
        "x": floats([row["mean"] for row in rows]),
        "y": [wrapped(row["other"], 26) for row in rows],
        "name": name,
        "marker": {"color": colour, "size": 8},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": floats([row["high"] - row["mean"] for row in rows]),
            "arrayminus": floats([row["mean"] - row["low"] for row in rows]),
            "color": colour,
            "thickness": 2,
            "width": 4,
        },
        "customdata": floats([[row["low"], row["high"]] for row in rows]),
        "hovertemplate": "%{y}: %{x:+,.2f}<br>95 %: "
        + say("chart.range", low="%{customdata[0]:+,.2f}", high="%{customdata[1]:+,.2f}")
        + "<extra></extra>",
    }
