"""The five roads of a shoe as a player knows them, with the bets of a session marked.

The board is drawn in cells: the Big Road on top, under it the bead plate with the ask, and beside that the derived
roads in half cells. All is drawn in strokes, so that a figure of any size shows the same picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.dashboard.charts.parts import sketch
from bacclab.dashboard.charts.roads_board import Board, Plan, RoundMark
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.language import ENGLISH, language
from bacclab.game.roads import Roads, draw_roads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.dashboard.language import Language

__all__ = ["board", "roads_figure"]


@Drawing
def roads_figure(
    outcomes: Sequence[str],
    *,
    bets: Sequence[RoundMark] | None = None,
    pairs: Sequence[tuple[bool, bool]] | None = None,
    totals: Sequence[tuple[int, int]] | None = None,
    narrow: bool = False,
) -> Sketch:
    """The roads of one shoe; with ``bets``, one a round, each round with a bet is framed and signed.

    ``outcomes`` are letters (B, P, T) or words, ``pairs`` and ``totals`` (Player, Banker) are shown where given.
    ``narrow`` stacks the roads for a telephone. The cells stay square at whatever size.
    """
    return board(draw_roads(outcomes, pairs=pairs, totals=totals), bets=bets, narrow=narrow)


def board(
    roads: Roads,
    *,
    title: str = "",
    bets: Sequence[RoundMark] | None = None,
    narrow: bool = False,
    say: Language | None = None,
) -> Sketch:
    """The sketch of roads that are worked out already; a wide one has the narrow one in it, for a page on a telephone.

    Raises ValueError where there are not as many bets as rounds.
    """
    if bets is not None and len(bets) != len(roads.beads):
        raise ValueError(f"{len(bets)} bets for {len(roads.beads)} rounds")
    say = say or language(ENGLISH)
    plan = Plan.of(roads, narrow=narrow)
    drawn = Board(roads, bets, plan, ask=say("roads.ask"))
    counts = ", ".join(f"{name} {number}" for name, number in drawn.counts.items())
    made = sketch(
        title or "The roads of the shoe",
        note=say("roads.note") if bets is None else f"{say('roads.note')} {say('roads.bets')}",
        alt=say(
            "roads.alt",
            rounds=say.some("sentence.rounds", len(roads.beads)),
            counts=counts,
            lengths=", ".join(map(str, roads.columns)) or "–",
        ),
        x="",
        y="",
        height=round(70 + 340 * plan.height / plan.width) if narrow else 620,
    )
    made.add(*drawn.traces())
    axis = {"visible": False, "showgrid": False, "fixedrange": True}
    made.change(
        xaxis={**axis, "range": [-0.3, plan.width + 0.3], "constrain": "domain"},
        yaxis={
            **axis,
            "range": [plan.height + 0.3, -0.3],
            "scaleanchor": "x",
            "constrain": "domain",
            "constraintoward": "top",
        },
        hovermode="closest",
        showlegend=False,
        annotations=drawn.titles,
        margin={"l": 12, "r": 12, "b": 12},
    )
    if not narrow:
        stacked = board(roads, title=title, bets=bets, narrow=True, say=say)
        shape = {key: stacked.layout[key] for key in ("xaxis", "yaxis", "annotations", "height")}
        made.narrow = {"data": stacked.traces, "layout": shape}
    return made
