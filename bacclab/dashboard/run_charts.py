"""`run.charts`: every chart that is registered for a run, as a method."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from bacclab.dashboard.builtin import BuiltIn
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.run_frames import RunFrames
from bacclab.errors import PluginError, nearest

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from bacclab.plugins.panels import Chart
    from bacclab.plugins.registry import Registry

__all__ = ["Charts"]


class Charts:
    """The charts of one run, built-in ones and those of plugins; the frames are taken apart once for all of them.

    `run.charts.fan("Flat on Banker")` gives a plotly figure; without a name the first bettor of the experiment is
    meant, and the title of the figure says which. `cell` chooses the setting of a sweep. `bacclab charts` lists them.
    """

    def __init__(self, run: RunFrames, *, registry: Registry | None = None) -> None:
        self._look = Lookup.of(run)
        self._registry = registry

    def __getattr__(self, name: str) -> Callable[..., go.Figure | None]:
        if name.startswith("_"):
            raise AttributeError(name)
        found = self._charts().get(name)
        if found is None:
            close = nearest(name, self._charts())
            raise AttributeError(f"no chart {name!r}" + (f" (did you mean {close}?)" if close else ""))
        return _Drawn(found, self._look)

    def __getitem__(self, name: str) -> Callable[..., go.Figure | None]:
        """A chart by its id."""
        try:
            found: Callable[..., go.Figure | None] = getattr(self, name.replace("-", "_"))
        except AttributeError as error:
            raise PluginError(str(error)) from None
        return found

    def __iter__(self) -> Iterator[str]:
        """The ids of all charts."""
        return (chart.id for chart in self._charts().values())

    def __dir__(self) -> list[str]:
        return sorted([*super().__dir__(), *self._charts()])

    def _repr_html_(self) -> str:
        from bacclab.dashboard.notebook import charts_html

        return charts_html(self._charts().values())

    def _charts(self) -> dict[str, Chart]:
        if self._registry is None:
            from bacclab.dashboard.lookup import registry_of

            self._registry = registry_of(self._look.run)
        return {id_.replace("-", "_"): entry.item for id_, entry in self._registry.of("charts").items()}


class _Drawn:
    """A chart of a run that draws when it is called."""

    def __init__(self, chart: Chart, look: Lookup) -> None:
        self._chart = chart
        self._look = look
        self.__doc__ = chart.text

    def __repr__(self) -> str:
        return f"<chart {self._chart.id}: {self._chart.title}>"

    def __call__(self, bettor: str | None = None, *, cell: int | None = None, **more: Any) -> go.Figure | None:
        """The figure, for one bettor (by default the first) where the chart is of one, and one cell."""
        if isinstance(self._chart.draw, BuiltIn):
            return self._chart.draw(self._look, cell=cell, bettor=bettor, **more)
        scope, look = self._chart.scope, self._look
        found = self._chart.draw(
            look.run,
            cell=None if scope == "run" else look.cell(cell),
            bettor=look.slice(cell=cell, bettor=bettor).bettor if scope == "bettor" else None,
            **more,
        )
        if found is None or hasattr(found, "to_json"):
            return found
        import plotly.graph_objects as go

        return go.Figure(found)
