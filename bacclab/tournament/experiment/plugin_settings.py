"""The settings of plugins in an experiment file: ``[plugins.NAME]``, one table for each plugin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bacclab.tournament.experiment.models import PluginsPart, near_key

if TYPE_CHECKING:
    from bacclab.tournament.experiment.origin import Origin


def plugin_settings(part: PluginsPart, origin: Origin) -> dict[str, Mapping[str, Any]]:
    """The tables under ``[plugins]``, by the name of the plugin; ConfigError for a key that is none of either."""
    found = part.model_extra or {}
    for name, values in found.items():
        if not isinstance(values, Mapping):
            key = ("plugins", name)
            hint = f"{near_key(key)}; the settings of a plugin are a table, [plugins.NAME]"
            raise origin.fault(key, "is not a key of an experiment", hint=hint.replace("?;", "?"))
    return {name: dict(values) for name, values in found.items()}
