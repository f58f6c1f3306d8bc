"""The JSON Schema of the experiment file."""

from __future__ import annotations

from typing import Any

__all__ = ["schema"]


def schema() -> dict[str, Any]:
    """JSON Schema of the experiment file, for editors that complete and check as one types."""
    from bacclab.game.override import KEYS
    from bacclab.tournament.experiment.models import ExperimentPart

    found = ExperimentPart.model_json_schema()
    keys: dict[str, Any] = {"rules": {"type": "string"}} | {key: {} for key in KEYS}
    found["properties"]["table"] |= {"properties": keys, "additionalProperties": False}
    found["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    found["title"] = "bacclab experiment"
    return found
