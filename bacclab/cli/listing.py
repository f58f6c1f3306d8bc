"""The commands that list what is registered, one for each kind: `tables`, `bets`, `bettors` and so on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bacclab.cli.call import call_of
from bacclab.cli.describe import Facts, describe
from bacclab.cli.options import AsJson
from bacclab.cli.output import Column, emit, emit_json, emit_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from bacclab.plugins.registry import Kind

_COMMANDS: tuple[tuple[Kind, str, str], ...] = (
    ("tables", "List tables: rules, commission, odds and limits.", "no-commission"),
    ("bets", "List bets: what each pays, its rule and source.", "player_pair"),
    ("bettors", "List whole bettors and their parameters.", "pair-hunter"),
    ("selections", "List selections: which side to bet on.", "follow-last"),
    ("progressions", "List progressions: how much to stake.", "martingale"),
    ("sources", "List sources of rounds.", "simulated"),
    ("metrics", "List metrics: what each figure of a summary says.", "ruin_ever"),
    ("charts", "List charts of a run's page.", "fan"),
    ("sections", "List sections of a run's page.", "tried"),
)


def add_to(app: typer.Typer) -> None:
    """Add one command for each kind."""
    for kind, text, example in _COMMANDS:
        app.command(kind, help=text, epilog=f"Example: bacclab {kind} {example}")(_command(kind))


def _command(kind: Kind) -> Callable[..., None]:
    def command(
        context: typer.Context,
        name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Show one of them in full.")] = None,
        as_json: AsJson = False,
    ) -> None:
        registry = call_of(context).load().registry
        if name is not None:
            facts = describe(kind, registry.get(kind, name))
            if as_json:
                emit_json(facts)
            else:
                _show(facts)
            return
        listed = [describe(kind, entry) for _, entry in sorted(registry.of(kind).items())]
        if as_json:
            emit_json(listed)
        else:
            columns = [Column(title, optional=title in ("plugin", "parameters")) for title in _TITLES[kind]]
            emit_table(columns, [_ROWS[kind](facts) for facts in listed])

    return command


def _bet_row(facts: Facts) -> tuple[str, ...]:
    odds = ", ".join(f"{line} {odds}" for line, odds in facts["odds"].items() if odds != "push")
    return facts["id"], facts["title"], facts["kind"], odds, facts["plugin"]


def _table_row(facts: Facts) -> tuple[str, ...]:
    limits = facts["limits"]["all bets"]
    range_ = f"{limits['minimum']:g} to {limits['maximum']:g}" if limits["maximum"] else f"from {limits['minimum']:g}"
    return facts["id"], facts["title"], str(facts["shoe"]["decks"]), facts["commission"], range_, facts["plugin"]


def _system_row(facts: Facts) -> tuple[str, ...]:
    parameters = ", ".join(
        f"{parameter['name']} = {parameter['default']}" if parameter["default"] else parameter["name"]
        for parameter in facts["parameters"]
    )
    return facts["id"], facts["title"], parameters, facts["plugin"]


def _source_row(facts: Facts) -> tuple[str, ...]:
    return facts["id"], facts["title"], facts["plugin"]


def _chart_row(facts: Facts) -> tuple[str, ...]:
    return facts["id"], facts["title"], facts["drawn_for"], facts["plugin"]


def _section_row(facts: Facts) -> tuple[str, ...]:
    return facts["id"], facts["title"], facts["after"], facts["plugin"]


def _metric_row(facts: Facts) -> tuple[str, ...]:
    return facts["id"], facts["title"], facts["unit"], facts["text"], facts["plugin"]


_SYSTEM_TITLES = ("id", "what it does", "parameters", "plugin")
_TITLES: dict[Kind, tuple[str, ...]] = {
    "tables": ("id", "title", "decks", "commission", "limits", "plugin"),
    "bets": ("id", "title", "kind", "pays", "plugin"),
    "bettors": _SYSTEM_TITLES,
    "selections": _SYSTEM_TITLES,
    "progressions": _SYSTEM_TITLES,
    "sources": ("id", "what it is", "plugin"),
    "charts": ("id", "what it shows", "drawn for", "plugin"),
    "sections": ("id", "title", "after", "plugin"),
    "metrics": ("id", "label", "unit", "what it says", "plugin"),
}
_ROWS: dict[Kind, Callable[[Facts], tuple[str, ...]]] = {
    "tables": _table_row,
    "bets": _bet_row,
    "bettors": _system_row,
    "selections": _system_row,
    "progressions": _system_row,
    "sources": _source_row,
    "charts": _chart_row,
    "sections": _section_row,
    "metrics": _metric_row,
}


def _show(facts: Facts) -> None:
    """Print everything about one thing."""
    emit(f"{facts['id']}: {facts['title']}")
    whole = facts.get("text", "")
    # The first paragraph of a docstring is the title.
    text = whole if "unit" in facts else whole.partition("\n\n")[2].strip()
    if text:
        emit()
        emit(text)
    for key, value in facts.items():
        if key not in ("id", "title", "text", "parameters", "example", "plugin", "origin") and value not in ("", {}):
            _show_fact(key, value)
    if "parameters" in facts:
        emit()
        _show_parameters(facts["parameters"])
    emit()
    emit(f"from plugin {facts['plugin']} ({facts['origin']})")
    if facts.get("example"):
        emit()
        emit("example:")
        for line in facts["example"].splitlines():
            emit(f"  {line}")


def _show_fact(key: str, value: Any, *, indent: str = "") -> None:
    label = key.replace("_", " ") if not indent else key
    if isinstance(value, dict):
        if any(isinstance(inner, dict) for inner in value.values()) or len(value) > 4:
            emit(f"{indent}{label}:")
            for name, inner in value.items():
                _show_fact(name, inner, indent=indent + "  ")
        else:
            emit(f"{indent}{label}: {', '.join(f'{name} {_word(inner)}' for name, inner in value.items())}")
    else:
        emit(f"{indent}{label}: {_word(value)}")


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, list):
        return " to ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _show_parameters(parameters: list[Facts]) -> None:
    if not parameters:
        emit("no parameters")
        return
    columns = (Column("parameter"), Column("type"), Column("default"), Column("limits"), Column("meaning"))
    emit_table(
        columns,
        [(p["name"], p["type"], p["default"] or "must be given", p["limits"], p["text"]) for p in parameters],
    )
