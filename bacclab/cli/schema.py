"""`bacclab schema`: the JSON Schema of the experiment file, for editors."""

from __future__ import annotations

import typer

from bacclab.cli.output import emit_json


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab schema > experiment.schema.json")(schema)


def schema(
    as_json: bool = typer.Option(True, "--json", help="JSON is what it prints, with or without this."),  # noqa: ARG001
) -> None:
    """Print the JSON Schema of the experiment file, which lets an editor complete and check it."""
    from bacclab.tournament.config import schema as experiment_schema

    emit_json(experiment_schema())
