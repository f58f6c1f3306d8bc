"""`bacclab schema`: the JSON Schema of the experiment file, for editors."""

from __future__ import annotations

from typing import Annotated

import typer

from bacclab.cli.output import emit_json


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab schema > experiment.schema.json")(schema)


def schema(
    as_json: Annotated[bool, typer.Option("--json", help="Accepted; JSON is printed anyway.")] = False,  # noqa: ARG001
) -> None:
    """Print the JSON Schema of experiment files.

    With it, an editor completes and checks what is typed.
    """
    from bacclab.tournament.experiment.schema import schema as experiment_schema

    emit_json(experiment_schema())
