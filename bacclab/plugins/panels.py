"""Charts and sections: what the page and the app show of a run, as values that a plugin can hand in.

A chart is a function that draws a figure; a section is a function that writes a few blocks of text. The built-in charts
and sections come in through the same hooks, `register_charts` and `register_sections`. A plugin of one file needs no
hook: a `Chart` or a `Section` under a name of its own at the top level is registered. One that raises becomes a line on
the page and never breaks it.

>>> def draw(run, *, cell, bettor):
...     import plotly.graph_objects as go
...     rows = run.sessions.filter(cell=cell, bettor=bettor)
...     return go.Figure(go.Histogram(x=rows["peak"].to_list()))
>>> peaks = Chart(id="peaks", title="Highest bankrolls", text="How high sessions stood at their best.", draw=draw)
>>> peaks.scope
'bettor'
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, get_args

from bacclab.errors import PluginError, did_you_mean

if TYPE_CHECKING:
    import plotly.graph_objects as go
    import polars as pl

__all__ = ["Blocks", "Chart", "Draw", "Figure", "Scope", "Section", "Write"]

Scope = Literal["cell", "bettor", "run"]
"""What one drawing of a chart is of: all bettors of a cell, one bettor in a cell, or the whole run."""

Figure: TypeAlias = "go.Figure | Mapping[str, Any]"
"""A plotly figure, or the same as plain values: ``{"data": [...], "layout": {...}}``."""

Blocks: TypeAlias = "str | pl.DataFrame | Sequence[str | pl.DataFrame]"
"""What a section says: text, frames, or both in turn."""


class Draw(Protocol):
    """Draws a chart of a run; None where there is nothing to draw."""

    def __call__(self, run: Any, /, *, cell: Any, bettor: Any) -> Figure | None:
        """The figure for this cell and bettor; both are None where the scope has none."""


Write: TypeAlias = Callable[[Any], "Blocks | None"]
"""Writes a section about a run; None where there is nothing to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart of a run.

    `draw(run, *, cell, bettor)` gets a `bacclab.Run`, the number of a cell and the name of a bettor: with the scope
    "bettor" both, with "cell" the cell alone, with "run" neither (None). It returns a plotly figure, or its `data` and
    `layout` as plain values, or None for nothing. If it has a parameter `points`, it is told how many points the page
    has room for on each line; what is drawn with more than `MOST_POINTS` is thinned.

    `text` is the sentence under the title, for readers. `section` names the part of the page where the chart stands (by
    default the part of its scope), `wide` whether it takes the whole width.

    PluginError for an unknown scope, or a function that cannot be called so.
    """

    id: str
    title: str
    draw: Draw
    text: str = ""
    scope: Scope = "bettor"
    section: str = ""
    wide: bool = True

    def __post_init__(self) -> None:
        who = f"chart {self.id!r}"
        if self.scope not in get_args(Scope):
            raise PluginError(
                f"{who} has no such scope: {self.scope!r}", hint=did_you_mean(self.scope, get_args(Scope))
            )
        _check_call(who, self.draw, "draw", "draw(run, *, cell, bettor)", None, cell=None, bettor=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of the page of a run.

    `write(run)` gets a `bacclab.Run` and returns text, polars frames, or both in turn; None leaves the section out.
    Text is in paragraphs parted by empty lines; lines that begin with ``- `` are a list, one that begins with ``### ``
    is a heading, words between two stars ``**`` are strong and those between backquotes code. Everything else is shown
    as it is: no text is ever read as HTML. Frames become tables.

    `after` names the part of the page behind which it stands; by default it is the last before the experiment's rules.

    >>> Section(id="peaks", title="Peaks", write=lambda run: f"The highest was {run.sessions['peak'].max()}.").after
    'comparison'
    """

    id: str
    title: str
    write: Write
    after: str = "comparison"

    def __post_init__(self) -> None:
        _check_call(f"section {self.id!r}", self.write, "write", "write(run)", None)


def _check_call(who: str, function: Any, name: str, form: str, *positional: Any, **keyword: Any) -> None:
    if not callable(function):
        raise PluginError(f"{who}: {name} is not a function", hint=f"the form is {form}")
    try:
        inspect.signature(function).bind(*positional, **keyword)
    except TypeError as error:
        raise PluginError(f"{who}: {name} cannot be called as {form}: {error}") from None
    except ValueError:
        return  # a callable that tells nothing of its parameters
