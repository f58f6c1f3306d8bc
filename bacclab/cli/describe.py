"""Registered things in words: what `bacclab bets`, `bacclab tables` and the like print or give as JSON."""

from __future__ import annotations

import dataclasses
import enum
import inspect
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bacclab.bettors.params import Parameter
    from bacclab.game.bets import Bet, Odds
    from bacclab.game.tables import Table
    from bacclab.plugins.metric import Metric
    from bacclab.plugins.registry import Entry, Kind

Facts = dict[str, Any]
"""Facts about one thing, in the order in which they are told; plain values, ready for JSON."""


def describe(kind: Kind, entry: Entry) -> Facts:
    """All that there is to say about one registered thing.

    >>> from bacclab.game.bets import BUILT_IN_BETS
    >>> from bacclab.plugins.registry import Entry
    >>> facts = describe("bets", Entry("tie", BUILT_IN_BETS["tie"], "bacclab.game", "built in"))
    >>> facts["title"], facts["odds"]
    ('Tie', {'win': '8:1'})
    """
    if kind == "bets":
        facts = _bet(entry.item)
    elif kind == "tables":
        facts = _table(entry.item)
    elif kind in ("bettors", "selections", "progressions"):
        facts = _system(kind, entry)
    elif kind == "charts":
        facts = _chart(entry)
    elif kind == "sections":
        facts = {"title": entry.item.title, "after": entry.item.after}
    elif kind == "metrics":
        facts = _metric(entry.item)
    else:
        facts = {"title": _summary(entry.item), "text": _text(entry.item)}
        if kind == "sources":
            facts["example"] = getattr(entry.item, "example", f'[source]\nuse = "{entry.id}"')
    return {"id": entry.id, **facts, "plugin": entry.plugin, "origin": entry.origin}


def _chart(entry: Entry) -> Facts:
    chart = entry.item
    each = {"cell": "all bettors of a cell", "bettor": "each bettor", "run": "the whole run"}
    return {
        "title": chart.title,
        "shows": chart.text,
        "drawn_for": each[chart.scope],
        "example": f"run.charts.{entry.id.replace('-', '_')}()",
    }


def _bet(bet: Bet) -> Facts:
    return {
        "title": bet.title,
        "kind": bet.kind,
        "rule": bet.rule,
        "odds": _odds(bet.odds),
        "pay_tables": {name: {**_odds(offer.odds), "source": offer.source} for name, offer in bet.pay_tables.items()},
        "pays_commission": bet.commission,
        "source": bet.source,
        "written": (
            f'on = "{bet.id}" for a bettor that can bet on it; odds.{bet.id} = "…" (odds or a pay table) under [table]'
        ),
        "example": bet.example,
    }


def _metric(metric: Metric) -> Facts:
    return {
        "title": metric.label,
        "unit": metric.unit,
        "text": metric.text,
        "worked_out_from": ", ".join(metric.columns),
        "in_exact_runs": metric.exact is not None,
        "source": metric.source,
        "example": f"bacclab show runs/classics --metric {metric.id}",
    }


def _odds(odds: Mapping[str, Odds]) -> Facts:
    return {line: str(paid) for line, paid in odds.items()}


def _table(table: Table) -> Facts:
    facts: Facts = {"title": table.title, "source": table.source}
    for field in dataclasses.fields(table):
        value = getattr(table, field.name)
        if field.name not in ("name", "title", "source", "bets", "shoe", "limits", "limits_by"):
            facts[field.name] = _money(value) if field.name == "commission_coin" else _plain(value)
    facts["commission"] = _percent(table.commission)
    facts["shoe"] = _plain(table.shoe)
    facts["limits"] = {"all bets": _limits(table.limits)} | {
        key: _limits(limits) for key, limits in table.limits_by.items()
    }
    facts["bets"] = {
        bet.id: ", ".join(f"{line} {odds}" for line, odds in bet.odds.items()) for bet in table.bets.values()
    }
    facts["example"] = f'[table]\nrules = "{table.name}"\nminimum = 10\nmaximum = 500'
    return facts


def _limits(limits: Any) -> Facts:
    return {field.name: _money(getattr(limits, field.name)) for field in dataclasses.fields(limits)}


def _money(amount: Any) -> Any:
    from bacclab.money import from_amount

    return from_amount(amount) if isinstance(amount, int) else amount


def _percent(share: Fraction) -> str:
    return f"{float(share * 100):g}%"


def _system(kind: Kind, entry: Entry) -> Facts:
    from bacclab.bettors.params import parameters_of

    parameters = parameters_of(entry.item)
    return {
        "title": _summary(entry.item),
        "text": _text(entry.item),
        "parameters": [_parameter(parameter) for parameter in parameters],
        "vectorised": entry.item.vectorised,
        "source": _source(entry.item),
        "example": _example(kind, entry.id, parameters),
    }


def _parameter(parameter: Parameter) -> Facts:
    return {
        "name": parameter.name,
        "type": parameter.type_name,
        "default": parameter.default_text or None,
        "limits": parameter.param.limits(),
        "text": parameter.param.text,
    }


def _example(kind: Kind, id_: str, parameters: tuple[Parameter, ...]) -> str:
    """How the thing is written in an experiment file."""
    values = {
        parameter.name: parameter.default_text or "…" for parameter in parameters if parameter.default_text != "none"
    }
    if kind == "bettors":
        lines = [f"{name} = {value}" for name, value in values.items()]
        return "\n".join(("[[bettor]]", 'name = "My bettor"', f'use = "{id_}"', *lines))
    inline = ", ".join((f'use = "{id_}"', *(f"{name} = {value}" for name, value in values.items())))
    written = f"{{ {inline} }}" if values else f'"{id_}"'
    if kind == "selections":
        return f'[[bettor]]\nname = "My bettor"\nselect = {written}\nstake = {{ use = "flat", unit = 10 }}'
    return f'[[bettor]]\nname = "My bettor"\nselect = {{ use = "always", on = "banker" }}\nstake = {written}'


def _text(item: Any) -> str:
    """The docstring for readers of a terminal: without its doctests, its source and its marks of code."""
    return "\n\n".join(text for text in _paragraphs(item) if not text.startswith((">>>", "Source:")))


def _paragraphs(item: Any) -> list[str]:
    # Its own docstring only: that of its base class says nothing of it.
    return inspect.cleandoc(item.__doc__ or "").replace("``", "`").split("\n\n")


def _source(item: Any) -> str:
    """What the docstring says after "Source:"."""
    found = [text.removeprefix("Source:").strip() for text in _paragraphs(item) if text.startswith("Source:")]
    return " ".join(found[0].split()) if found else ""


def _summary(item: Any) -> str:
    return _text(item).partition("\n\n")[0].replace("\n", " ")


def _plain(value: Any) -> Any:
    """A value that JSON can hold."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    if isinstance(value, Fraction):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list | frozenset):
        return [_plain(inner) for inner in value]
    return str(value)
