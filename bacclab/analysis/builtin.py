"""The metrics that come with bacclab: the columns of `summary`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bacclab.analysis.metrics.core import CORE
from bacclab.analysis.metrics.further import MORE
from bacclab.analysis.metrics.ruin import RUIN
from bacclab.analysis.metrics.shoe import SHOE
from bacclab.hooks import hookimpl

if TYPE_CHECKING:
    from collections.abc import Callable


@hookimpl
def register_metrics(register: Callable[[Any], None]) -> None:
    """Hand in the built-in metrics."""
    for metric in (*CORE, *RUIN, *MORE, *SHOE):
        register(metric)
