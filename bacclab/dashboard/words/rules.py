"""The rules card: table, shoe, money and numbers of an experiment in words, from its manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bacclab.dashboard.language import ENGLISH, language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.dashboard.language import Language
    from bacclab.dashboard.lookup import Lookup

__all__ = ["brief_facts", "config_of", "experiment_facts", "sentence", "table_facts"]

Facts = list[tuple[str, str]]

#: Settings whose values are listed one by one in the box of facts.
SHOWN = 5


def config_of(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    """The experiment as it was played, as plain values; empty when the manifest does not hold it."""
    found = manifest.get("experiment")
    return found if isinstance(found, Mapping) else {}


def sentence(look: Lookup) -> str:
    """The experiment in one sentence."""
    say, bettors, cells = look.language, len(look.positions), len(look.cells)
    config = config_of(look.run.manifest)
    part = look.slice()
    sessions = part.summary.get("sessions") or 0
    titles = {table_title(look.run.manifest, cell) for cell in look.cells}
    at_one = len(titles) == 1 and titles != {""}
    small = say.list("sentence.small")
    many = f"{small[bettors]} {_noun(say.some('sentence.systems', bettors))}" if bettors < len(small) else ""
    words = {
        "who": say("sentence.one_system") if bettors == 1 else many or say.some("sentence.systems", bettors),
        "sessions": say.some("sentence.sessions", sessions),
        "length": _length(config, part.rounds, say),
        "where": say("sentence.where", table=titles.pop()) if at_one else "",
        "money": _starts(look),
        "sweep": say("sentence.sweep", settings=say.some("sentence.settings", cells)) if cells > 1 else "",
    }
    if part.is_exact:
        return say("sentence.exact", **words)
    if bettors == 1:
        return say("sentence.sampled_once" if sessions == 1 else "sentence.sampled_alone", **words)
    return say("sentence.sampled_together" if sessions == 1 else "sentence.sampled", **words)


def _noun(text: str) -> str:
    """What is counted, without its number."""
    return text.partition(" ")[2]


def table_title(manifest: Mapping[str, Any], cell: int) -> str:
    """The title of a cell's table, or else the name by which the experiment calls it."""
    name = (config_of(manifest).get("table") or {}).get("rules", "")
    return str(table_settings(manifest, cell).get("title") or name)


def _starts(look: Lookup) -> str:
    """The bankroll at the start of a session; from the least to the largest where settings differ in it."""
    starts = [look.slice(cell=cell).start for cell in look.cells]
    low, high = (look.language.money(value) for value in (min(starts), max(starts)))
    return low if low == high else look.language("sentence.range", low=low, high=high)


def _by_setting(values: Sequence[str], say: Language) -> str:
    """What all settings have in common, or else what each of them has; of many the first and the last.

    What all of them end with, after a comma, is said once.

    >>> english = language("en")
    >>> _by_setting(["5 to 40", "5 to 40"], english), _by_setting(["5 to 40", "", "5 to 80"], english)
    ('5 to 40', 'by setting: 5 to 40; none; 5 to 80')
    >>> _by_setting(["5 to 40, in steps of 5", "5 to 80, in steps of 5"], english)
    'by setting: 5 to 40; 5 to 80, in steps of 5'
    """
    found = list(dict.fromkeys(value or say("rules.none") for value in values))
    if len(found) == 1:
        return values[0]
    ends = {value.partition(", ")[2] for value in found}
    end = f", {ends.pop()}" if len(ends) == 1 and "" not in ends else ""
    found = [value.removesuffix(end) for value in found]
    shown = found if len(found) <= SHOWN else [*found[: SHOWN - 2], "…", found[-1]]
    return say("rules.by_setting", values="; ".join(shown)) + end


def table_settings(manifest: Mapping[str, Any], cell: int) -> Mapping[str, Any]:
    """All rules of a cell's table by their keys, as recorded; else those that the experiment gives."""
    recorded = manifest.get("tables")
    if isinstance(recorded, list | tuple) and cell < len(recorded) and isinstance(recorded[cell], Mapping):
        found: Mapping[str, Any] = recorded[cell]
        return found
    return config_of(manifest).get("table") or {}


def table_facts(settings: Mapping[str, Any], *, say: Language | None = None) -> Facts:
    """The rules of a table in words; in English unless a language is given.

    >>> dict(table_facts({"decks": 8, "cut_card": 14, "commission": "5%", "commission_rounding": "exact"}))["Cut card"]
    'before the last 14 cards'
    """
    say = say or language(ENGLISH)
    found: Facts = []
    if "decks" in settings:
        found.append((say("rules.shoe"), say.some("rules.decks", settings["decks"])))
    if "burn" in settings:
        found.append((say("rules.burn"), _choice("rules.burn", settings["burn"], say)))
    if "cut_card" in settings:
        found.append((say("rules.cut_card"), _cut(settings, say)))
    if "deal_order" in settings:
        found.append((say("rules.dealt"), _choice("rules", settings["deal_order"], say)))
    if "commission" in settings:
        found.append((say("rules.commission"), _commission(settings, say)))
    if isinstance(settings.get("odds"), Mapping):
        odds = settings["odds"].items()
        found += [(_named(bet), _odds(lines, say)) for bet, lines in odds if isinstance(lines, Mapping)]
    if "minimum" in settings:
        found.append((say("rules.limits"), _limits(settings, say)))
    if isinstance(settings.get("limits"), Mapping):
        found += [
            (say("rules.limits_of", bet=_named(key).lower()), _limits(own, say))
            for key, own in settings["limits"].items()
            if isinstance(own, Mapping)
        ]
    if settings.get("side_bets_need_main_bet"):
        found.append((say("rules.side_bets"), say("rules.need_main")))
    if settings.get("source"):
        found.append((say("rules.source"), str(settings["source"])))
    return found


def _choice(table: str, value: Any, say: Language) -> str:
    """A setting of a few values, in words; one that the catalogue does not know as it is written."""
    joint = "." if table == "rules" else "_"
    key = f"{table}{joint}{str(value).replace('-', '_')}"
    return say(key) if key in say.texts else str(value)


def _cut(settings: Mapping[str, Any], say: Language) -> str:
    card = settings["cut_card"]
    if card == 0:
        return say("rules.cut_none")
    several = isinstance(card, list | tuple)
    where = say("sentence.range", low=card[0], high=card[1]) if several else str(card)
    key = {0: "rules.cut_last", 1: "rules.cut_one_more"}.get(settings.get("rounds_after_cut", -1), "rules.cut")
    return say(key, cards=where)


def _commission(settings: Mapping[str, Any], say: Language) -> str:
    rate = str(settings["commission"])
    if rate in ("0%", "0", "0.0"):
        return say("rules.none")
    rounding, coin = str(settings.get("commission_rounding", "exact")), settings.get("commission_coin")
    bets = [_named(str(bet)) for bet in settings.get("commission_on", ())]
    words = {
        "rate": say.figures(rate.replace("%", " %")),
        "where": say("rules.commission_on", bets=say.listed(bets, most=9)) if bets else "",
    }
    if rounding == "exact":
        return say("rules.commission_exact", **words)
    how = _choice("rules.round", rounding, say)
    how = say("rules.round_to", how=how, coin=say.figures(str(coin))) if coin else how
    return say("rules.commission_rounded", how=how, **words)


def _odds(written: Mapping[str, Any], say: Language) -> str:
    lines = {name: odds for name, odds in written.items() if odds != "none"}  # lines that this table does not pay
    if set(lines) == {"win", "tie"} and lines["tie"] == "push":
        return say("rules.pays_push", odds=lines["win"])
    if set(lines) == {"win"}:
        return say("rules.pays", odds=lines["win"])
    return ", ".join(f"{_named(str(name)).lower()} {odds}" for name, odds in lines.items())


def _limits(settings: Mapping[str, Any], say: Language) -> str:
    most, step = (str(settings.get(key, "")) for key in ("maximum", "increment"))
    low = say.figures(_plain(str(settings.get("minimum", "0"))))
    high = most and most.replace(".", "").isdigit()
    words = {"low": low, "high": say.figures(_plain(most))}
    limits = say("rules.range" if high else "rules.no_maximum", **words)
    return say("rules.steps", limits=limits, step=say.figures(_plain(step))) if step else limits


def _plain(amount: str) -> str:
    """An amount without cents where there are none, and its thousands grouped.

    >>> _plain("2560.00"), _plain("2.50"), _plain("1000000")
    ('2,560', '2.50', '1,000,000')
    """
    whole, point, cents = amount.removesuffix(".00").partition(".")
    return (f"{int(whole):,}" if whole.isdigit() else whole) + point + cents


def _named(name: str) -> str:
    return name.replace("_", " ").capitalize()


def brief_facts(look: Lookup) -> Facts:
    """The experiment at a glance: table, shoe, money, numbers, seed."""
    manifest, say = look.run.manifest, look.language
    found = [dict(table_facts(table_settings(manifest, cell), say=say)) for cell in look.cells]
    sample = dict(experiment_facts(look))
    tables = [say(f"rules.{key}") for key in ("shoe", "commission", "limits")]
    wanted = [say(f"rules.{key}") for key in ("bankroll", "sessions", "exactly", "stops", "seed")]
    return [
        (say("rules.table"), _by_setting([table_title(manifest, cell) for cell in look.cells], say)),
        *((name, _by_setting([table.get(name, "") for table in found], say)) for name in tables),
        *((name, sample.get(name, "")) for name in wanted),
    ]


def experiment_facts(look: Lookup) -> Facts:
    """Numbers and provenance: sessions, stops, where the rounds came from, when and with what it was made."""
    manifest, say = look.run.manifest, look.language
    config = config_of(manifest)
    part = look.slice()
    stop, timing, versions = config.get("stop"), manifest.get("timing"), manifest.get("versions")
    length = _length(config, part.rounds, say)
    sessions = say.count(part.summary.get("sessions") or 0)
    found: Facts = [
        (say("rules.bankroll"), say("rules.at_start", money=_starts(look))),
        (say("rules.sessions"), say("rules.sessions_of", sessions=sessions, length=length))
        if not part.is_exact
        else (say("rules.exactly"), say("rules.session_of", length=length, model=manifest["exact"]["model"])),
    ]
    if isinstance(stop, Mapping):
        told = [
            say(f"rules.stop_{name}", money=say.figures(str(amount)))
            if f"rules.stop_{name}" in say.texts
            else f"{amount} {name}"
            for name, amount in stop.items()
        ]
        found.append((say("rules.stops"), say("form.or").join(told)))
    made = say.date(str(manifest.get("finished") or manifest.get("begun") or ""))
    seconds = timing.get("seconds") if isinstance(timing, Mapping) else None
    found += [
        (say("rules.seed"), "" if part.is_exact else str(manifest.get("seed", config.get("seed", "")))),
        *([] if part.is_exact else _source(manifest.get("source"), say)),
        (say("rules.digest"), str(manifest.get("digest") or "")),
        (say("rules.made"), made),
        (say("rules.time"), "" if seconds is None else say("rules.seconds", n=say.figures(f"{seconds:,.1f}"))),
        (
            say("rules.versions"),
            ", ".join(f"{k} {v}" for k, v in versions.items()) if isinstance(versions, Mapping) else "",
        ),
        *_plugins(manifest.get("plugins"), say),
    ]
    return found


def _source(source: Any, say: Language) -> Facts:
    """What the rounds are; the rules of the shoe are told with the table."""
    if not isinstance(source, Mapping):
        return []
    told = {"seed", "decks", "burn", "cut_card", "rounds_after_cut", "cut_card_first_out", "deal_order"}
    named = {"kind": "rules.rounds_are", "generator": "rules.generator", "sha256": "rules.file_digest"}
    return [
        (say(named[key]) if key in named else _named(key), str(value))
        for key, value in source.items()
        if key not in told and isinstance(value, str | int)
    ]


def _plugins(plugins: Any, say: Language) -> Facts:
    """Plugins that are not built in, with the digest of their text."""
    if not isinstance(plugins, list | tuple):
        return []
    return [
        (
            say("rules.plugin", name=row.get("name")),
            f"{row.get('origin')}, {row.get('sha256') or row.get('version') or row.get('state')}",
        )
        for row in plugins
        if isinstance(row, Mapping) and row.get("items") is not None
    ]


def _length(config: Mapping[str, Any], rounds: int, say: Language) -> str:
    if "shoes" in config:
        return say.some("sentence.shoes", config["shoes"])
    return say.some("sentence.rounds", rounds)
