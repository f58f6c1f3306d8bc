"""What a goal costs: the exact chance of flat bets to win it before the bankroll is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.dashboard import theme
from bacclab.dashboard.charts.own_table import table_of
from bacclab.dashboard.charts.parts import floats, sketch
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup

if TYPE_CHECKING:
    from bacclab.dashboard.run_frames import RunFrames
    from bacclab.game.tables import Table

__all__ = ["goals", "squares"]

#: Goals and bankrolls, in bets.
STEPS = (1, 2, 5, 10, 20, 50, 100, 200)


@Drawing
def goals(run: RunFrames | Lookup, *, cell: int | None = None, bet: str | None = None) -> Sketch | None:
    """The chance to win a goal with a bankroll, for flat bets on one of the table's main bets (Banker if not named).

    Exact for rounds drawn afresh from a full shoe and no limit of time. None where the table cannot be told from the
    run.
    """
    look = Lookup.of(run)
    say, cell = look.language, look.cell(cell)
    table = table_of(look, cell)
    bet = bet or next((name for name in ("banker", "player") if table is not None and name in table.bets), None)
    if table is None or bet is None:
        return None
    chances = _chances(table, bet)
    title = table.bets[bet].title
    label = f" ({look.cells[cell]})" if look.cells[cell] else ""
    steps = [say.count(step) for step in STEPS]
    told = [
        say("goals.alt_one", goal=steps[g], bankroll=steps[b], chance=say.percent(float(chances[b, g])))
        for b, g in ((3, 3), (4, 4), (6, 3))
    ]
    drawn = sketch(
        say("goals.title", bet=title) + label,
        note=say("goals.note"),
        alt=" ".join([say("goals.alt", bet=title), *told]),
        x=say("axis.goal"),
        y=say("axis.bets_held"),
        height=400,
    )
    drawn.add(squares(steps, steps, chances, hover=f"{say('axis.goal')} %{{x}}<br>{say('axis.bets_held')} %{{y}}"))
    drawn.change(hovermode="closest", xaxis={"type": "category"}, yaxis={"type": "category", "showgrid": False})
    return drawn


def squares(across: list[str], up: list[str], shares: Any, *, hover: str) -> dict[str, Any]:
    """Shares (0 to 1) as squares with their figures, in shades from none to all."""
    return {
        "type": "heatmap",
        "x": across,
        "y": up,
        "z": floats(shares),
        "zmin": 0,
        "zmax": 1,
        "xgap": 2,
        "ygap": 2,
        "colorscale": [[place, light] for place, (light, _) in theme.SHADES],
        "showscale": False,
        "texttemplate": "%{z:.1%}",
        "textfont": {"color": theme.INK[0]},
        "hovertemplate": f"{hover}<br>%{{z:.2%}}<extra></extra>",
    }


def _chances(table: Table, bet: str) -> Any:
    from bacclab.exact.flat.bet import FlatBet
    from bacclab.exact.flat.ruin import goal_chances
    from bacclab.money import to_amount

    unit = to_amount(100)
    steps = [unit * step for step in STEPS]
    return np.clip(goal_chances(FlatBet.at(table, {bet: unit}), bankrolls=steps, goals=steps), 0.0, 1.0)
