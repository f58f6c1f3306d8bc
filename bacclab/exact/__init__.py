"""Exact odds, bankrolls and costs. The package itself can be called: ``bl.exact(config)`` works an experiment out.

>>> import bacclab as bl
>>> callable(bl.exact), bl.exact.odds.sequences(8)
(True, 4998398275503360)
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import Any


class _Callable(types.ModuleType):
    """A package whose name is also that of its main function."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Work out an experiment exactly; see `bacclab.exact.run.exact`."""
        from bacclab.exact.run import exact

        return exact(*args, **options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        try:
            return importlib.import_module(f"{self.__name__}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{self.__name__}.{name}":
                raise
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}") from None


sys.modules[__name__].__class__ = _Callable
