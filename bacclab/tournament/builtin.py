"""The formats to export to and the places to work that come with bacclab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.hooks import hookimpl
from bacclab.tournament.folder.exporters import EXPORTERS
from bacclab.tournament.workers.places import PLACES

if TYPE_CHECKING:
    from bacclab.plugins.extensions import Exporter, Workers
    from bacclab.plugins.hookspecs import Register


@hookimpl
def register_exporters(register: Register[Exporter]) -> None:
    """Hand in the built-in formats."""
    for exporter in EXPORTERS:
        register(exporter)


@hookimpl
def register_executors(register: Register[Workers]) -> None:
    """Hand in the built-in places to work."""
    for place in PLACES:
        register(place)
