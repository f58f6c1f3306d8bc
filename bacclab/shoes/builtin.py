"""The sources that come with bacclab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bacclab.hooks import hookimpl
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.recorded.source import RecordedSource
from bacclab.shoes.scripted import ScriptedSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from bacclab.shoes.source import SourceFactory

BUILT_IN_SOURCES: tuple[type[SourceFactory], ...] = (SimulatedSource, ScriptedSource, RecordedSource)


@hookimpl
def register_sources(register: Callable[[Any], None]) -> None:
    """Hand in the built-in sources."""
    for source in BUILT_IN_SOURCES:
        register(source)
