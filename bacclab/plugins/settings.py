"""The settings of a plugin: what an experiment says under ``[plugins.NAME]``, checked by a class of the plugin's own.

A plugin that takes settings has a class called `Settings` at its top level, with annotated, range-checked fields like
those of a bettor; or a pydantic model of that name. Its hooks ask for the values with an argument `settings`::

    import bacclab as bl

    class Settings(bl.Settings):
        tie: str = "8:1"

    @bl.hookimpl
    def register_tables(register, settings):
        register(bl.table("commission").variant("ours", title="Ours", odds={"tie": settings.tie}))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bacclab.bettors.params import Configurable, build
from bacclab.errors import BettorError, PluginError

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["Settings", "SettingsError", "plain_settings", "settings_of"]


class Settings(Configurable):
    """The base class of a plugin's `Settings`: annotated fields with defaults, as the parameters of a bettor.

    >>> class Mine(Settings):
    ...     pages: int = 3
    >>> Mine(pages=4).parameters
    {'pages': 4}
    """


class SettingsError(PluginError):
    """Settings that a plugin does not take; `plugin` is its name."""

    def __init__(self, message: str, *, hint: str | None = None, plugin: str = "") -> None:
        super().__init__(message, hint=hint)
        self.plugin = plugin


def settings_of(module: ModuleType, values: Mapping[str, Any] | None, *, plugin: str) -> Any:
    """The settings of a plugin, defaults where `values` says nothing; None for a plugin that takes none.

    Raises SettingsError for values that it does not take.
    """
    kind = vars(module).get("Settings")
    if isinstance(kind, type) and issubclass(kind, Settings):
        try:
            return build(kind, values or {}, where=f"plugin {plugin!r}")
        except BettorError as error:
            raise SettingsError(error.message, hint=error.hint, plugin=plugin) from None
    if isinstance(kind, type) and callable(getattr(kind, "model_validate", None)):
        return _of_model(kind, values or {}, plugin=plugin)
    if values is not None:
        raise SettingsError(
            f"plugin {plugin!r} takes no settings", hint="a plugin that does has a class Settings", plugin=plugin
        )
    return None


def _of_model(model: Any, values: Mapping[str, Any], *, plugin: str) -> Any:
    from pydantic import ValidationError

    unknown = [name for name in values if name not in model.model_fields]
    if unknown:
        known = ", ".join(model.model_fields)
        raise SettingsError(
            f"plugin {plugin!r}: there is no setting {unknown[0]!r}", hint=f"one of: {known}", plugin=plugin
        )
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise SettingsError(f"plugin {plugin!r}: {place}: {first['msg'].lower()}", plugin=plugin) from None


def plain_settings(settings: Any) -> Mapping[str, Any] | None:
    """The values of settings, by name; None without any."""
    if settings is None:
        return None
    if isinstance(settings, Settings):
        return settings.parameters
    values: Mapping[str, Any] = settings.model_dump(mode="json")
    return values
