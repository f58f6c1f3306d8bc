"""From an address to what is shown, and from a choice to an address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bacclab.dashboard.app.figures import chosen
from bacclab.dashboard.app.state import TAB_WORDS, TABS, State, address, fitted, parsed
from bacclab.errors import BacclabError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bacclab.dashboard.app.context import Context
    from bacclab.dashboard.app.frames import Scanned

__all__ = ["CONTROLS", "Place", "navigate"]

#: The controls of a run and of a comparison of runs, in the order of the callback's arguments.
CONTROLS = ("tab", "cell", "bettors", "bettor", "horizon", "middles", "session", "shoe", "scale", "compare-runs")

#: The value of the menu of rounds that stands for the last one.
WHOLE = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where the browser is: the state to show, the address (None: as it is), values and options of the controls."""

    state: dict[str, Any]
    search: str | None
    values: dict[str, Any]
    options: dict[str, list[dict[str, Any]]]
    classes: str = "controls"


_CHANGES: dict[str, Callable[[State, Any], State]] = {
    "tab": lambda state, value: replace(state, tab=value or state.tab),
    "cell": lambda state, value: replace(state, cell=int(value or 0)),
    "bettors": lambda state, value: replace(state, bettors=tuple(value or ())),
    "bettor": lambda state, value: replace(state, bettor=value, session=None, shoe=None),
    "horizon": lambda state, value: replace(state, horizon=int(value) if value else None),
    "middles": lambda state, value: replace(state, middles=tuple(sorted(int(found) for found in value or ()))),
    "session": lambda state, value: replace(state, session=None if value is None else int(value), shoe=None),
    "shoe": lambda state, value: replace(state, shoe=None if value is None else int(value)),
    "scale": lambda state, value: replace(state, log=value == "log"),
    "compare-runs": lambda state, value: replace(state, runs=tuple(value or ())),
}


def navigate(context: Context, path: str | None, search: str | None, *, control: str | None, value: Any) -> Place:
    """What to show at an address after a control was set to a value; without a control, what the address says.

    The address is given anew only when a control has changed it, so that going back goes back.
    """
    before = parsed(path, search)
    state = _CHANGES[control](before, value) if control is not None else before
    if state.view == "compare":
        return _comparing(context, state, changed=control is not None)
    if state.view != "run":
        return Place({"view": state.view}, None, {}, {})
    status = context.status(state.run)
    words = status.words
    if status.state == "complete":
        try:
            return _run(context, context.runs.open(state.run), state, changed=control is not None)
        except BacclabError as error:
            status, words = replace(status, state="unreadable"), str(error)
    return Place({**state.values(), "status": status.state, "words": words}, None, {}, {})


def _comparing(context: Context, state: State, *, changed: bool) -> Place:
    entries = [entry for entry in context.folder.entries() if entry.state == "complete"]
    known = {entry.id for entry in entries}
    state = replace(state, runs=tuple(run for run in state.runs if run in known))
    options = [{"value": entry.id, "label": _labelled(entry.name, entry.id)} for entry in entries]
    values = {"compare-runs": list(state.runs)}
    return Place(state.values(), address(state) if changed else None, values, {"compare-runs": options})


def _labelled(title: str, run: str) -> str:
    return title if title == run else f"{title} ({run})"


def _run(context: Context, look: Scanned, state: State, *, changed: bool) -> Place:
    say, state = look.language, fitted(state, look)
    names = look.bettors(state.cell)
    bettor = state.bettor or names[0]
    checkpoints = look.checkpoints(state.cell)
    sampled = _sampled(look, state, bettor) if state.tab == "sessions" else {}
    if state.tab == "sessions":
        state = replace(state, session=state.session if state.session in sampled else None)
    sessions = list(sampled)
    session = state.session if state.session is not None else next(iter(sessions), None)
    shoes = sampled.get(session, []) if session is not None else []
    if state.tab == "sessions":
        state = replace(state, shoe=state.shoe if state.shoe in shoes else None)
    options: dict[str, list[dict[str, Any]]] = {
        "cell": [{"value": cell, "label": label or "–"} for cell, label in look.cells.items()],
        "bettors": [{"value": name, "label": name} for name in names],
        "bettor": [{"value": name, "label": name} for name in names],
        "horizon": [
            {"value": WHOLE, "label": say("app.all_rounds", n=say.count(checkpoints[-1]))},
            *({"value": found, "label": say.count(found)} for found in reversed(checkpoints[1:-1])),
        ],
        "tab": [{"value": tab, "label": say(TAB_WORDS[tab])} for tab in _tabs(context, look)],
        "session": [{"value": number, "label": say.count(number)} for number in sessions],
        "shoe": [{"value": number, "label": say.count(number)} for number in shoes],
    }
    values = {
        "tab": state.tab,
        "cell": state.cell,
        "bettors": chosen(look, state),
        "bettor": bettor,
        "horizon": state.horizon or WHOLE,
        "middles": list(state.middles),
        "session": session,
        "shoe": state.shoe if state.shoe is not None else next(iter(shoes), None),
        "scale": "log" if state.log else "linear",
    }
    classes = f"controls tab-{state.tab}" + ("" if len(look.cells) > 1 else " one-cell")
    told = {**state.values(), "status": "complete", "version": look.run.manifest.get("finished")}
    return Place(told, address(state) if changed else None, values, options, classes)


def _tabs(context: Context, look: Scanned) -> list[str]:
    """The parts that a run has: pairs need two bettors, a sweep two settings and a chart of them."""
    charts = any(panel.tab == "sweep" for panel in context.panels)
    lacking = {"comparison": len(look.positions) < 2, "sweep": len(look.cells) < 2 or not charts}
    return [tab for tab in TABS if not lacking.get(tab)]


def _sampled(look: Scanned, state: State, bettor: str) -> dict[int, list[int]]:
    """The sessions that were kept round by round, and the shoes of each."""
    paths = look.slice(cell=state.cell, bettor=bettor).paths
    if not paths.height:
        return {}
    shoes = paths.select("session", "shoe").unique().sort("session", "shoe")
    return {int(key[0]): rows["shoe"].to_list() for key, rows in shoes.partition_by("session", as_dict=True).items()}
