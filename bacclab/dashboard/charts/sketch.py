"""A chart before it is a plotly figure: traces and layout as plain values.

A plotly figure checks every attribute, which takes twenty milliseconds; a page with a thousand bettors has five
thousand charts. So each chart function makes a `Sketch`; called plainly it gives the figure, and its ``sketch`` the
plain values.
"""

from __future__ import annotations

import base64
import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

import numpy as np

from bacclab.dashboard import theme

if TYPE_CHECKING:
    from collections.abc import Callable

    import plotly.graph_objects as go

__all__ = ["Drawing", "Sketch", "merged", "plain_values"]

P = ParamSpec("P")
S = TypeVar("S", bound="Sketch | None")


@dataclass(slots=True)
class Sketch:
    """Traces and layout, as plotly names them.

    >>> sketch = Sketch({"xaxis": {"title": {"text": "Round"}}})
    >>> sketch.change(xaxis={"range": [0, 5]}, hovermode="closest")
    >>> sketch.layout
    {'xaxis': {'title': {'text': 'Round'}, 'range': [0, 5]}, 'hovermode': 'closest'}
    """

    layout: dict[str, Any]
    traces: list[dict[str, Any]] = field(default_factory=list)
    narrow: dict[str, Any] = field(default_factory=dict)
    """What a page changes on a telephone: ``data`` in place of the traces, ``layout`` put over the layout."""

    def add(self, *traces: dict[str, Any]) -> None:
        """Put traces on top of those that are there."""
        self.traces += traces

    def change(self, **layout: Any) -> None:
        """Change parts of the layout; what is not named stays."""
        self.layout = merged(self.layout, layout)

    def figure(self) -> go.Figure:
        """The plotly figure, in light colours."""
        import plotly.graph_objects as go

        return go.Figure(data=self.traces, layout={"template": theme.template(), **self.layout})

    def values(self) -> dict[str, Any]:
        """What a page needs of it, as JSON values: the page gives title, margins and template itself."""
        layout = {key: value for key, value in self.layout.items() if key not in ("title", "margin")}
        narrow = {"narrow": self.narrow} if self.narrow else {}
        values: dict[str, Any] = plain_values({"data": self.traces, "layout": layout, **narrow})
        return values


class Drawing(Generic[P, S]):
    """A chart function: called, it gives a plotly figure; `sketch` gives the same before plotly has seen it.

    One that has nothing to draw gives None.
    """

    def __init__(self, sketch: Callable[P, S]) -> None:
        self.sketch = sketch
        functools.update_wrapper(self, sketch)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> go.Figure:
        found = self.sketch(*args, **kwargs)
        return None if found is None else found.figure()


def plain_values(item: Any) -> Any:
    """The same with every array as plotly.js reads it: little-endian bytes in base64.

    >>> plain_values({"x": np.array([1, 2], dtype=np.float32)})
    {'x': {'dtype': 'f4', 'bdata': 'AACAPwAAAEA='}}
    """
    if isinstance(item, np.ndarray):
        little = np.ascontiguousarray(item, dtype=item.dtype.newbyteorder("<"))
        spec = {
            "dtype": f"{item.dtype.kind}{item.dtype.itemsize}",
            "bdata": base64.b64encode(little.tobytes()).decode(),
        }
        return spec if item.ndim == 1 else {**spec, "shape": ", ".join(map(str, item.shape))}
    if isinstance(item, dict):
        return {key: plain_values(value) for key, value in item.items()}
    if isinstance(item, list | tuple):
        return [plain_values(value) for value in item]
    return item


def merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """One layout with another put over it; sections that both have are merged in turn.

    >>> merged({"x": {"a": 1, "b": 2}, "y": 3}, {"x": {"b": 4}})
    {'x': {'a': 1, 'b': 4}, 'y': 3}
    """
    result = dict(one)
    for key, value in other.items():
        old = result.get(key)
        result[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return result
