"""What is looked at, and its address: everything that is chosen stands in the URL, so a link opens the same view."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode

from bacclab.dashboard.charts.parts import TOGETHER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bacclab.dashboard.app.frames import Scanned

__all__ = ["MIDDLES", "TABS", "TAB_WORDS", "State", "address", "fitted", "parsed", "path_of"]

#: Views, and their path.
VIEWS = {"runs": "/", "run": "/run", "compare": "/compare", "new": "/new"}
#: Parts of the view of one run, and what they are called in the catalogues.
TAB_WORDS = {
    "answer": "page.nav_answer",
    "sweep": "page.nav_sweep",
    "all": "page.nav_all",
    "one": "page.nav_one",
    "sessions": "page.nav_one_alone",
    "comparison": "page.nav_comparison",
    "details": "app.details",
}
TABS = tuple(TAB_WORDS)
#: Middle shares of sessions, in per cent, that the bands of a fan can hold.
MIDDLES = (50, 80, 90, 98)
USUAL = (50, 90)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What is looked at. `horizon` is a checkpoint, None the last one; empty `bettors` are the first dozen."""

    view: str = "runs"
    run: str | None = None
    runs: tuple[str, ...] = ()
    tab: str = "answer"
    cell: int = 0
    bettor: str | None = None
    bettors: tuple[str, ...] = ()
    horizon: int | None = None
    middles: tuple[int, ...] = USUAL
    log: bool = False
    session: int | None = None
    shoe: int | None = None

    def values(self) -> dict[str, Any]:
        """For a browser."""
        return asdict(self)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> State:
        """Back from a browser; what is not of the right kind is left at its default."""
        found = cls()
        texts, numbers = ("view", "run", "tab", "bettor"), ("cell", "horizon", "session", "shoe")
        given: dict[str, Any] = {name: values[name] for name in texts if isinstance(values.get(name), str)}
        given |= {name: values[name] for name in numbers if _whole(values.get(name))}
        for name in ("runs", "bettors"):
            if isinstance(values.get(name), list | tuple):
                given[name] = tuple(item for item in values[name] if isinstance(item, str))
        if isinstance(values.get("middles"), list | tuple):
            given["middles"] = tuple(middle for middle in MIDDLES if middle in values["middles"])
        if isinstance(values.get("log"), bool):
            given["log"] = values["log"]
        return replace(found, **given)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def path_of(view: str) -> str:
    """The path of a view."""
    return VIEWS.get(view, "/")


def address(state: State) -> str:
    """The part of the address after the path; what is as usual is left out.

    >>> address(State(view="run", run="classics", cell=1, log=True))
    '?id=classics&cell=1&scale=log'
    """
    usual = State()
    pairs: list[tuple[str, Any]] = []
    if state.view == "run":
        pairs += [("id", state.run)] if state.run else []
        pairs += [("tab", state.tab)] if state.tab != usual.tab else []
        pairs += [("cell", state.cell)] if state.cell != usual.cell else []
        pairs += [("bettor", state.bettor)] if state.bettor is not None else []
        pairs += [("with", name) for name in state.bettors]
        pairs += [("round", state.horizon)] if state.horizon is not None else []
        if state.middles != usual.middles:
            pairs.append(("middle", ",".join(map(str, state.middles))))
        pairs += [("scale", "log")] if state.log else []
        pairs += [("session", state.session)] if state.session is not None else []
        pairs += [("shoe", state.shoe)] if state.shoe is not None else []
    elif state.view == "compare":
        pairs += [("id", run) for run in state.runs]
    return f"?{urlencode(pairs)}" if pairs else ""


def parsed(path: str | None, search: str | None) -> State:
    """The state that an address names. What cannot be read is as usual: an address never is an error.

    >>> parsed("/run", "?id=classics&cell=1&with=A&with=B&round=x") == State(
    ...     view="run", run="classics", cell=1, bettors=("A", "B"))
    True
    """
    view = next((name for name, known in VIEWS.items() if known == path), "runs")
    try:
        found = parse_qs((search or "").removeprefix("?"), keep_blank_values=True, max_num_fields=2000)
    except ValueError:
        return State(view=view)
    state = State(view=view)
    if view == "compare":
        return replace(state, runs=tuple(dict.fromkeys(found.get("id", ()))))
    if view != "run":
        return state
    middles = state.middles
    if "middle" in found:
        chosen = found["middle"][0].split(",")
        middles = tuple(middle for middle in MIDDLES if str(middle) in chosen)
    tab = _first(found, "tab") or state.tab
    return replace(
        state,
        run=_first(found, "id"),
        tab=tab if tab in TABS else state.tab,
        cell=_number(found, "cell") or 0,
        bettor=_first(found, "bettor"),
        bettors=tuple(dict.fromkeys(found.get("with", ()))),
        horizon=_number(found, "round"),
        middles=middles,
        log=_first(found, "scale") == "log",
        session=_number(found, "session"),
        shoe=_number(found, "shoe"),
    )


def _first(found: Mapping[str, Sequence[str]], key: str) -> str | None:
    return found[key][0] if key in found else None


def _number(found: Mapping[str, Sequence[str]], key: str) -> int | None:
    text = _first(found, key) or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


def fitted(state: State, look: Scanned) -> State:
    """The state with what the run has not taken out: a cell, bettors, a checkpoint; what is as usual is empty."""
    cell = state.cell if state.cell in look.cells else next(iter(look.cells))
    names = look.bettors(cell)
    bettors = tuple(name for name in names if name in state.bettors)
    if bettors == tuple(names[:TOGETHER]):
        bettors = ()
    bettor = state.bettor if state.bettor in names and state.bettor != names[0] else None
    checkpoints = look.checkpoints(cell)
    horizon = state.horizon
    if horizon is not None:
        later = [found for found in checkpoints if found >= max(horizon, 1)]
        horizon = later[0] if later and later[0] != checkpoints[-1] else None
    return replace(state, cell=cell, bettors=bettors, bettor=bettor, horizon=horizon)
