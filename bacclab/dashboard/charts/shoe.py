"""The roads of one shoe of a sampled session, the first unless another is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.dashboard.charts.session_roads import session_roads
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup

if TYPE_CHECKING:
    from bacclab.dashboard.run_frames import RunFrames

__all__ = ["roads"]

#: What the roads need of a session that was kept round by round.
NEEDED = {"session", "shoe", "outcome", "bets", "staked", "net"}


@Drawing
def roads(
    run: RunFrames | Lookup,
    *,
    bettor: str | None = None,
    cell: int | None = None,
    session: int | None = None,
    shoe: int | None = None,
) -> Sketch | None:
    """The five roads of one shoe of a sampled session of one bettor, its bets marked; None where no session was kept.

    Raises ConfigError for a session or a shoe that is not among those kept.
    """
    look = Lookup.of(run)
    part = look.slice(cell=cell, bettor=bettor)
    if not part.paths.height or not set(part.paths.columns) >= NEEDED:
        return None
    if shoe is None:
        number = part.paths["session"].min() if session is None else session
        shoe = part.paths.filter(session=number)["shoe"].min()  # type: ignore[assignment]
    found: Sketch = session_roads.sketch(look, bettor=part.bettor, cell=part.cell, session=session, shoe=shoe)
    return found
