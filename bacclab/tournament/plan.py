"""The plan of a run: cells (combinations of a sweep) times blocks (consecutive sessions).

A block is the unit of work, of parallelism, of saving and of resuming. Its size follows from the number of sessions and
of rounds alone, so the same experiment has the same blocks on every machine; results do not depend on it.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.bettors.params import Configurable
from bacclab.errors import BacclabError, ConfigError, counted, shown
from bacclab.money import CENT, Money
from bacclab.shoes.source import most_sessions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from bacclab.game.tables import Table
    from bacclab.plugins.registry import Kind, Registry
    from bacclab.shoes.source import Horizon, Source
    from bacclab.tournament.experiment.config import Experiment
    from bacclab.tournament.experiment.locate import Key
    from bacclab.tournament.experiment.specs import BettorSpec

BLOCK_ROUNDS = 2_000_000
BLOCK_SESSIONS = 4_096
LEAST_BLOCKS = 8
LEAST_SESSIONS = 128

MOST_CELLS = 10_000
MOST_BETTORS = 2_000
MOST_BETTOR_ROUNDS = 10**13
MOST_TRACED_ROUNDS = 50_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One combination of a sweep, ready to be played. Money is in ten-thousandths.

    ``checkpoints`` are the rounds at which bankrolls are kept, 0 first and the last round last; the first
    ``trajectories`` sessions are kept round by round; ``max_rounds`` is the most that a session can have,
    ``pace`` the rounds of an hour, ``confirm`` whether the best of many is to play again on fresh rounds.
    """

    index: int
    label: str
    settings: Mapping[str, Any]
    table: Table
    source: Source
    horizon: Horizon
    max_rounds: int
    bankroll: int
    sessions: int
    seed: int
    bettors: tuple[BettorSpec, ...]
    checkpoints: NDArray[np.int64] = field(repr=False)
    trajectories: int
    pace: int
    confirm: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The bettors' names in the order of the frames: sorted."""
        return tuple(sorted(spec.name for spec in self.bettors))


@dataclass(frozen=True, slots=True, order=True)
class Block:
    """Sessions ``first`` to ``first + count - 1`` of a cell; with a ``bettor`` it plays them alone."""

    cell: int
    index: int
    first: int
    count: int
    bettor: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """All cells, and how many sessions a block of each has."""

    cells: tuple[Cell, ...]
    block_sizes: tuple[int, ...]

    def blocks(self) -> Iterator[Block]:
        """All blocks, cell by cell."""
        for cell in self.cells:
            yield from self.blocks_of(cell)

    def blocks_of(self, cell: Cell) -> Iterator[Block]:
        """The blocks of one cell in the order of their sessions."""
        size = self.block_sizes[cell.index]
        for index, first in enumerate(range(0, cell.sessions, size)):
            yield Block(cell.index, index, first, min(size, cell.sessions - first))

    def again(self, cell: int, bettor: str) -> list[Block]:
        """Blocks in which a bettor plays as many sessions of a cell again: those that follow the cell's own."""
        own, size = list(self.blocks_of(self.cells[cell])), self.block_sizes[cell]
        begins = range(0, self.cells[cell].sessions, size)
        return [
            Block(cell, len(own) + block.index, self.cells[cell].sessions + first, block.count, bettor)
            for block, first in zip(own, begins, strict=True)
        ]

    @property
    def block_count(self) -> int:
        """How many blocks there are."""
        return sum(-(-cell.sessions // self.block_sizes[cell.index]) for cell in self.cells)


def plan(experiment: Experiment, registry: Registry, *, block: int | None = None) -> Plan:
    """Look up tables, sources and bettors of every cell and cut the sessions into blocks.

    ``block`` sets the sessions of a block. Raises ConfigError, with file and line, for what cannot be played or is
    absurdly large.
    """
    if experiment.cell_count > MOST_CELLS:
        raise experiment.origin.fault(("sweep",), f"has {experiment.cell_count:,} cells; at most {MOST_CELLS:,}")
    if block is not None and block < 1:
        raise ConfigError(f"a block needs at least 1 session, not {block}")
    cells = tuple(plan_cell(experiment, index, registry) for index in range(experiment.cell_count))
    _refuse_absurd(experiment, cells)
    return Plan(cells, tuple(block or block_size(cell.sessions, cell.max_rounds) for cell in cells))


def block_size(sessions: int, rounds: int) -> int:
    """Sessions in a block: about two million rounds, at most 4,096 sessions, and if possible at least eight blocks.

    >>> block_size(10_000, 500), block_size(1_000_000, 500), block_size(1_000, 500), block_size(10, 10_000_000)
    (1250, 4000, 128, 1)
    """
    shared = max(-(-sessions // LEAST_BLOCKS), LEAST_SESSIONS)
    return max(1, min(BLOCK_ROUNDS // rounds, BLOCK_SESSIONS, shared))


def checkpoints(rounds: int, count: int) -> NDArray[np.int64]:
    """Rounds at which bankrolls are kept: 0, then at most ``count`` spread evenly, the last round always.

    >>> checkpoints(500, 4).tolist(), checkpoints(3, 100).tolist()
    ([0, 125, 250, 375, 500], [0, 1, 2, 3])
    """
    count = min(count, rounds)
    return np.arange(count + 1, dtype=np.int64) * rounds // count


def plan_cell(
    experiment: Experiment, index: int, registry: Registry, *, moved: Mapping[str, str] | None = None
) -> Cell:
    """One cell of an experiment, everything looked up and checked.

    ``moved``: where files that the source reads lie on this machine, by their own paths.
    """
    settings, own = experiment.cell(index)
    table = _table(own, registry)
    source = _source(own, table, registry, moved or {})
    for spec in own.bettors:
        _check_bettor(spec, own, registry)
    rounds = source.max_rounds(own.horizon)
    _refuse_too_many(own, source)
    return Cell(
        index=index,
        label=", ".join(f"{key} = {_labelled(value, experiment, key)}" for key, value in settings.items()),
        settings=settings,
        table=table,
        source=source,
        horizon=own.horizon,
        max_rounds=rounds,
        bankroll=own.bankroll,
        sessions=own.sessions,
        seed=own.seed,
        bettors=own.bettors,
        checkpoints=checkpoints(rounds, own.record.checkpoints),
        trajectories=min(own.record.trajectories, own.sessions),
        pace=own.record.pace,
        confirm=own.record.confirm,
    )


def _labelled(value: Any, experiment: Experiment, key: str) -> str:
    """A value of a sweep in the label of its cell: a table with ``use`` by that name, if it names it alone."""
    axis = next(axis for axis in experiment.sweep if axis.label == key)
    if isinstance(value, Mapping) and "use" in value:
        used = [other.get("use") for other in axis.values if isinstance(other, Mapping)]
        if used.count(value["use"]) == 1:
            return str(value["use"])
    return shown(value) if isinstance(value, Mapping) else _shown(value)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)


def _table(experiment: Experiment, registry: Registry) -> Table:
    settings = {name: value for name, value in experiment.table.items() if name != "rules"}
    table: Table = _look_up(experiment, registry, "tables", experiment.table["rules"], ("table", "rules"))
    if not settings:
        return table
    try:
        return table.override(settings, bets={name: entry.item for name, entry in registry.bets.items()})
    except BacclabError as error:
        raise _under(error, experiment, ("table",), settings, "[table]") from None


def files_of_source(experiment: Experiment) -> dict[str, Path]:
    """The files that settings of the source name, by setting: any text that is the path of a file, of any source."""
    texts = {name: value for name, value in experiment.source.items() if isinstance(value, str) and name != "use"}
    found = {}
    for name, text in texts.items():
        with contextlib.suppress(OSError, ValueError):  # a text that can be no path
            path = (experiment.base_folder / text).absolute()
            if path.is_file():
                found[name] = path
    return found


def _source(experiment: Experiment, table: Table, registry: Registry, moved: Mapping[str, str]) -> Source:
    settings = {name: value for name, value in experiment.source.items() if name != "use"}
    for name, value in settings.items() if moved else ():
        if isinstance(value, str):
            settings[name] = moved.get(str((experiment.base_folder / value).absolute()), value)
    factory = _look_up(experiment, registry, "sources", experiment.source["use"], ("source", "use"))
    try:
        source: Source = factory.from_config(
            settings, rules=table.shoe, seed=experiment.seed, folder=experiment.base_folder
        )
    except BacclabError as error:
        raise _under(error, experiment, ("source",), settings, "[source]") from None
    return source


def _refuse_too_many(experiment: Experiment, source: Source) -> None:
    most = most_sessions(source, experiment.horizon)
    if most is not None and experiment.sessions > most:
        raise experiment.origin.fault(
            ("sessions",),
            f"= {experiment.sessions:,}, and the source has rounds for {counted(most, 'session')}",
            hint=f'write sessions = {most}, or draw shoes again and again with replay = "resampled" under [source]',
        )


def _look_up(experiment: Experiment, registry: Registry, kind: Kind, name: str, key: Key) -> Any:
    try:
        return registry.get(kind, name).item
    except BacclabError as error:
        message = f"{experiment.origin.where(key)}: {error.message}"
        raise ConfigError(message, hint=error.hint) from None


def _under(
    error: BacclabError, experiment: Experiment, key: Key, settings: Mapping[str, Any], what: str
) -> BacclabError:
    """The same error, with the place in the file before it."""
    origin, dotted = experiment.origin, _dotted(error.message, settings)
    place = origin.where((*key, *dotted)) if dotted else origin.blame({key: settings}, error.message)
    place = place or origin.where(key)
    return type(error)(f"{place}: {what}: {error.message}", hint=error.hint)


def _dotted(message: str, settings: Mapping[str, Any]) -> Key:
    """The setting in a section that a message names with dots, such as odds.tie; empty if it names none.

    >>> _dotted("odds.tie: 'x' are no odds", {"decks": 8, "odds": {"tie": "x"}})
    ('odds', 'tie')
    """
    for found in re.finditer(r"\w+(?:\.\w+)+", message):
        node: Any = settings
        path: list[str | int] = []
        for part in found[0].split("."):
            if not isinstance(node, Mapping) or part not in node:
                break
            path.append(part)
            node = node[part]
        if path:
            return tuple(path)
    return ()


def _check_bettor(spec: BettorSpec, experiment: Experiment, registry: Registry) -> None:
    """Make the bettor once, so that a wrong name or parameter is told with its line before anything is played."""
    from bacclab.tournament.make import make_bettor

    try:
        bettor = make_bettor(spec, registry, others=experiment.bettors)
    except BacclabError as error:
        raise placed(error, (spec,), experiment) from None
    for name, value in _sums(bettor.parameters):
        if value.amount % CENT:
            raise placed(ConfigError(f"{name} = {value} is not in whole cents"), (spec,), experiment)


def _sums(value: Any, name: str = "") -> Iterator[tuple[str, Money]]:
    """The sums of money in the parameters of a bettor and of its parts, each with its name (``main.unit``)."""
    if isinstance(value, Money):
        yield name, value
    elif isinstance(value, Configurable):
        yield from _sums(value.parameters)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _sums(inner, f"{name}.{key}" if name else str(key))
    elif is_dataclass(value):
        yield from _sums({part.name: getattr(value, part.name) for part in fields(value)}, name)
    elif isinstance(value, tuple | list):
        for place, inner in enumerate(value):
            yield from _sums(inner, f"{name}[{place}]")


def placed(error: BacclabError, specs: Sequence[BettorSpec], experiment: Experiment) -> BacclabError:
    """The same error with the file and line of the bettor, and of the parameter, that it speaks of before it."""
    named = [spec for spec in specs if f"bettor {spec.name!r}" in error.message]
    if not named and len(specs) > 1:
        return error
    spec = (named or specs)[0]
    settings: dict[Key, Mapping[str, Any]] = {
        (*spec.key, part): choice.params
        for part, choice in (("select", spec.select), ("stake", spec.stake))
        if choice is not None
    }
    settings[spec.key] = spec.params
    place = _blamed(error.message, spec, settings, experiment)
    who = "" if named else f"bettor {spec.name!r}: "
    return type(error)(f"{place}: {who}{error.message}", hint=error.hint)


def _blamed(message: str, spec: BettorSpec, settings: Mapping[Key, Mapping[str, Any]], experiment: Experiment) -> str:
    """The place of the name or the parameter that a message speaks of."""
    origin = experiment.origin
    for kind, part in (("selection", "select"), ("progression", "stake"), ("bettor", "use")):
        if f"there is no {kind} " in message:
            return origin.where((*spec.key, part))
    said = message.replace(repr(spec.name), "")
    # A part of a parameter (main.unit = …) stands on the parameter's line.
    said = re.sub(r"\b(\w+)[.[][\w.\[\]]* =", r"\1 =", said)
    return origin.blame(settings, said) or origin.where(spec.key)


def _refuse_absurd(experiment: Experiment, cells: tuple[Cell, ...]) -> None:
    fault = experiment.origin.fault
    most = max(len(cell.bettors) for cell in cells)
    if most > MOST_BETTORS:
        raise fault(("bettor",), f"has {most:,} bettors; at most {MOST_BETTORS:,} play in one experiment")
    rounds = sum(cell.sessions * cell.max_rounds * len(cell.bettors) for cell in cells)
    if rounds > MOST_BETTOR_ROUNDS:
        raise fault(
            ("sessions",),
            f"asks for {rounds:,} rounds over all bettors and cells; at most {MOST_BETTOR_ROUNDS:,}",
            hint="take fewer sessions, rounds, bettors or cells",
        )
    traced = sum(cell.trajectories * cell.max_rounds * len(cell.bettors) for cell in cells)
    if traced > MOST_TRACED_ROUNDS:
        raise fault(
            ("record", "trajectories"),
            f"would keep {traced:,} rounds one by one; at most {MOST_TRACED_ROUNDS:,}",
            hint="keep fewer sessions: their bankrolls at the checkpoints are kept anyway",
        )
