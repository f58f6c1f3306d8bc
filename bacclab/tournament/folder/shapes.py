"""What a manifest must look like to be believed: a damaged or edited one is told by the first part that is not so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["MANIFEST_SHAPE", "Each", "Has", "Many", "Shape", "misfit"]

Kinds = type | tuple[type, ...]


@dataclass(frozen=True, slots=True)
class Many:
    """A list whose items all have one shape."""

    item: Shape


@dataclass(frozen=True, slots=True)
class Each:
    """A mapping whose values all have one shape, and its names a pattern."""

    value: Shape
    name: str = ""


@dataclass(frozen=True, slots=True)
class Has:
    """A mapping with parts that must be there and parts that may be."""

    must: Mapping[str, Shape] = field(default_factory=dict)
    may: Mapping[str, Shape] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Word:
    """A text that matches a pattern from end to end."""

    pattern: str


Shape = Kinds | Many | Each | Has | Word

NONE = type(None)
_COUNT = 2**63
_TEXTS = Each(str)
_TEXT = (str, NONE)
_WHOLE = (int, NONE)

_CELL = Has(
    {"cell": int, "sessions": _WHOLE, "label": str, "bankroll": (int, float), "source": dict},
    {
        "settings": dict,
        "rounds": _WHOLE,
        "shoes": _WHOLE,
        "table": str,
        "digest": _TEXT,
        **dict.fromkeys(("played_by", "why", "expected_on", "failed"), _TEXTS),
    },
)
_FILE = Has({"rows": int, "bytes": int, "sha256": Word(r"[0-9a-f]{64}")})
_METRIC = Has({"id": str, "label": str, "unit": str, "text": str})
_PLUGIN = Has(
    {"name": str, "state": str},
    {
        "origin": str,
        "items": (list, NONE),
        "settings": (dict, NONE),
        **dict.fromkeys(("version", "sha256", "error"), _TEXT),
    },
)
_BETTOR = Has({}, {"name": str, "select": (str, dict), "stake": (str, dict), "use": str})
_EXPERIMENT = Has({}, {"title": str, "table": dict, "source": dict, "bettor": Many(_BETTOR), "sweep": dict,
                       "record": dict, "stop": dict})  # fmt: skip

#: The parts of a manifest on which something relies. A frame is named so that its file lies in the run folder.
MANIFEST_SHAPE = Has(
    {
        "state": Word("running|interrupted|complete"),
        "cells": Many(_CELL),
        "files": Each(_FILE, r"[a-z][a-z0-9_]*\.parquet"),
        "experiment": _EXPERIMENT,
        "warnings": Many(str),
        "title": str,
        "begun": str,
        "timing": Each((int, float)),
        "fingerprint": str,
        "versions": Has({"bacclab": str}),
        "plugins": Many(_PLUGIN),
    },
    {
        "finished": _TEXT,
        "seed": _WHOLE,
        "seed_given": bool,
        "digest": _TEXT,
        "block": _WHOLE,
        "blocks": _WHOLE,
        "source": dict,
        "generator": _TEXT,
        "command": str,
        "experiment_text": str,
        "experiment_path": _TEXT,
        "tables": Many(dict),
        "metrics": Many(_METRIC),
        "exact": Has({"model": str}),
        "inputs": Many(Each(str)),
    },
)


def misfit(value: Any, shape: Shape, at: str = "") -> str | None:
    """What does not fit, in words that begin with its place; None if all fits.

    >>> misfit({"cells": [{"rows": "5"}]}, Has({"cells": Many(Has({"rows": int}))}))
    "cells[0].rows is '5'"
    >>> misfit({}, Has({"state": str})), misfit({"../x": 1}, Each(int, "[a-z]+")), misfit({"a": 1}, Each(int))
    ("it has no 'state'", "it holds the name '../x'", None)
    """
    if isinstance(shape, Has):
        return _parts_misfit(value, shape, at)
    if isinstance(shape, Each):
        if not isinstance(value, dict):
            return _said(value, at)
        odd = next((name for name in value if shape.name and not re.fullmatch(shape.name, name)), None)
        if odd is not None:
            return f"{at or 'it'} holds the name {odd!r:.80}"
        return _first(misfit(child, shape.value, f"{at}.{name:.40}".lstrip(".")) for name, child in value.items())
    if isinstance(shape, Many):
        if not isinstance(value, list):
            return _said(value, at)
        return _first(misfit(child, shape.item, f"{at}[{place}]") for place, child in enumerate(value))
    if isinstance(shape, Word):
        return None if isinstance(value, str) and re.fullmatch(shape.pattern, value) else _said(value, at)
    kinds = shape if isinstance(shape, tuple) else (shape,)
    fits = isinstance(value, kinds) and (not isinstance(value, bool) or bool in kinds)
    small = not isinstance(value, int) or -_COUNT <= value < _COUNT
    return None if fits and small else _said(value, at)


def _parts_misfit(value: Any, shape: Has, at: str) -> str | None:
    if not isinstance(value, dict):
        return _said(value, at)
    missing = next((name for name in shape.must if name not in value), None)
    if missing is not None:
        return f"{at or 'it'} has no {missing!r}"
    known = {**shape.must, **shape.may}
    return _first(
        misfit(value[name], part, f"{at}.{name}".lstrip(".")) for name, part in known.items() if name in value
    )


def _first(found: Any) -> str | None:
    return next((one for one in found if one is not None), None)


def _said(value: Any, at: str) -> str:
    what = repr(value) if isinstance(value, str | int | float | NONE) else f"a {type(value).__name__}"
    return f"{at or 'it'} is {what if len(what) < 60 else what[:57] + '…'}"
