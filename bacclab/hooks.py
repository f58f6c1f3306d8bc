"""The two markers that tie a plugin to bacclab.

`hookimpl` marks a function of a plugin, `hookspec` marks the hook that it answers (see `bacclab.plugins.hookspecs`).
They stand alone here so that any module, however low, can offer built-ins through the hooks.

>>> @hookimpl
... def register_bettors(register): ...
>>> hookimpl.project_name
'bacclab'
"""

from __future__ import annotations

import pluggy

PROJECT = "bacclab"
"""Name of the project for pluggy, and of the group of entry points."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
