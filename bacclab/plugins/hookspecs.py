"""The hooks: how anything, a built-in as well as a stranger's plugin, comes into bacclab.

A plugin answers a hook with a function of the same name, marked with `@bacclab.hookimpl`. The function gets
`register` and calls it once for each thing that it brings. The hooks run once when the program starts, and again in
each worker process; none is called while rounds are played.

A plugin of one file needs no hook for its bettors, selections and progressions: the marks `@bacclab.bettor("name")`,
`@bacclab.selection("name")` and `@bacclab.progression("name")` are enough. Nor does it need one for values: a `Bet`,
`Table`, `Metric`, `Chart`, `Section`, `Exporter`, `Command` or `Workers` under a name of its own at the top level is
registered, unless the name begins with `_`. Sources, and the values of a package, come through a hook::

    import bacclab as bl

    @bl.hookimpl
    def register_bets(register):
        register(bl.Bet(...))

A hook may also ask for `settings`: what the experiment says under ``[plugins.NAME]``, checked by the plugin's own class
`Settings` (see `bacclab.plugins.settings`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from bacclab.hooks import hookspec

if TYPE_CHECKING:
    from bacclab.bettors.base import Bettor, Progression, Selection
    from bacclab.game.bets import Bet
    from bacclab.game.tables import Table
    from bacclab.plugins.extensions import Command, Exporter, Workers
    from bacclab.plugins.metric import Metric
    from bacclab.plugins.panels import Chart, Section

T_contra = TypeVar("T_contra", contravariant=True)


class Register(Protocol[T_contra]):
    """Takes one thing into the registry; raises `bacclab.errors.PluginError` if it is unfit or its id is taken."""

    def __call__(self, item: T_contra, /) -> None:
        """Hand in one thing."""


@hookspec
def register_bettors(register: Register[type[Bettor]], settings: Any) -> None:
    """Hand in `Bettor` classes, each marked with `@bacclab.bettor("name")`."""


@hookspec
def register_selections(register: Register[type[Selection]], settings: Any) -> None:
    """Hand in `Selection` classes, each marked with `@bacclab.selection("name")`."""


@hookspec
def register_progressions(register: Register[type[Progression]], settings: Any) -> None:
    """Hand in `Progression` classes, each marked with `@bacclab.progression("name")`."""


@hookspec
def register_bets(register: Register[Bet], settings: Any) -> None:
    """Hand in `Bet` values; each is known by its `id`."""


@hookspec
def register_tables(register: Register[Table], settings: Any) -> None:
    """Hand in `Table` values; each is known by its `name`."""


@hookspec
def register_sources(register: Register[Any], settings: Any) -> None:
    """Hand in classes of round sources, each with an `id`; `[source] use = "id"` picks one."""


@hookspec
def register_charts(register: Register[Chart], settings: Any) -> None:
    """Hand in `Chart` values; each is known by its `id` and drawn by the page, the app and `run.charts.<id>()`."""


@hookspec
def register_sections(register: Register[Section], settings: Any) -> None:
    """Hand in `Section` values: blocks of text and tables for the page of a run, each known by its `id`."""


@hookspec
def register_metrics(register: Register[Metric], settings: Any) -> None:
    """Hand in `Metric` values; each is a column of `summary` under its `id`."""


@hookspec
def register_exporters(register: Register[Exporter], settings: Any) -> None:
    """Hand in `Exporter` values: formats for ``bacclab export RUN --to ID``."""


@hookspec
def register_commands(register: Register[Command], settings: Any) -> None:
    """Hand in `Command` values: commands of one's own, ``bacclab ID …``."""


@hookspec
def register_executors(register: Register[Workers], settings: Any) -> None:
    """Hand in `Workers` values: places to play blocks, for ``bacclab run FILE --workers ID:ADDRESS``."""
