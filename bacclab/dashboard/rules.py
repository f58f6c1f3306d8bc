"""The rules card: table, shoe, money and numbers of an experiment in words, from its manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.dashboard.lookup import Lookup

__all__ = ["brief_facts", "config_of", "experiment_facts", "sentence", "table_facts"]

Facts = list[tuple[str, str]]

BURNS = {"none": "none", "one": "one card, unseen", "turned": "first card turned, and as many burned as it says"}
ORDERS = {"in-turn": "to Player and Banker in turn", "two-by-two": "two to Player, then two to Banker"}
STOPS = {"win": "ahead", "loss": "behind"}
SMALL = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")
#: Settings whose values are listed one by one in the box of facts.
SHOWN = 5
ROUNDINGS = {"exact": "exact", "up": "up", "down": "down", "nearest": "to the nearest", "half-up": "half up"}


def config_of(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    """The experiment as it was played, as plain values; empty when the manifest does not hold it."""
    found = manifest.get("experiment")
    return found if isinstance(found, Mapping) else {}


def sentence(look: Lookup) -> str:
    """The experiment in one sentence."""
    summary = look.run.summary
    bettors, cells = len(look.positions), len(look.cells)
    config = config_of(look.run.manifest)
    part = look.slice()
    sessions = part.summary.get("sessions") or 0
    who = f"{SMALL[bettors]} systems" if 1 < bettors < len(SMALL) else f"{bettors:,} systems"
    who = "One system" if bettors == 1 else who
    same = "" if bettors == 1 else "the same "
    length = f"{config['shoes']:,} shoes" if "shoes" in config else f"{part.rounds:,} rounds"
    count = f"{sessions:,} session{'' if sessions == 1 else 's'}" if summary.height else "no sessions"
    sweep = f", in each of {cells:,} settings" if cells > 1 else ""
    titles = {table_title(look.run.manifest, cell) for cell in look.cells}
    where = f" at the table “{titles.pop()}”" if len(titles) == 1 and titles != {""} else ""
    if part.is_exact:
        return f"{who}{where}, worked out exactly over {length}, starting with {_starts(look)}{sweep}."
    each = "starting" if sessions == 1 else "each starting"
    return f"{who} played {same}{count} of {length}{where}, {each} with {_starts(look)}{sweep}."


def table_title(manifest: Mapping[str, Any], cell: int) -> str:
    """The title of a cell's table, or else the name by which the experiment calls it."""
    name = (config_of(manifest).get("table") or {}).get("rules", "")
    return str(table_settings(manifest, cell).get("title") or name)


def _starts(look: Lookup) -> str:
    """The bankroll at the start of a session; from the least to the largest where settings differ in it."""
    starts = [look.slice(cell=cell).start for cell in look.cells]
    low, high = (_plain(f"{value:,.2f}") for value in (min(starts), max(starts)))
    return low if low == high else f"{low} to {high}"


def _by_setting(values: Sequence[str]) -> str:
    """What all settings have in common, or else what each of them has; of many the first and the last.

    >>> _by_setting(["5 to 40", "5 to 40"]), _by_setting(["5 to 40", "", "5 to 80"])
    ('5 to 40', 'by setting: 5 to 40; none; 5 to 80')
    """
    found = list(dict.fromkeys(value or "none" for value in values))
    if len(found) == 1:
        return values[0]
    shown = found if len(found) <= SHOWN else [*found[: SHOWN - 2], "…", found[-1]]
    return f"by setting: {'; '.join(shown)}"


def table_settings(manifest: Mapping[str, Any], cell: int) -> Mapping[str, Any]:
    """All rules of a cell's table by their keys, as recorded; else those that the experiment gives."""
    recorded = manifest.get("tables")
    if isinstance(recorded, list | tuple) and cell < len(recorded) and isinstance(recorded[cell], Mapping):
        found: Mapping[str, Any] = recorded[cell]
        return found
    return config_of(manifest).get("table") or {}


def table_facts(settings: Mapping[str, Any]) -> Facts:
    """The rules of a table in words.

    >>> dict(table_facts({"decks": 8, "cut_card": 14, "commission": "5%", "commission_rounding": "exact"}))["Cut card"]
    'before the last 14 cards'
    """
    found: Facts = []
    if "decks" in settings:
        found.append(("Shoe", f"{settings['decks']} deck{'' if settings['decks'] == 1 else 's'}"))
    if "burn" in settings:
        found.append(("Burn", BURNS.get(str(settings["burn"]), str(settings["burn"]))))
    if "cut_card" in settings:
        found.append(("Cut card", _cut(settings)))
    if "deal_order" in settings:
        found.append(("Cards dealt", ORDERS.get(str(settings["deal_order"]), str(settings["deal_order"]))))
    if "commission" in settings:
        found.append(("Commission", _commission(settings)))
    if isinstance(settings.get("odds"), Mapping):
        found += [(_named(bet), _odds(lines)) for bet, lines in settings["odds"].items() if isinstance(lines, Mapping)]
    if "minimum" in settings:
        found.append(("Limits", _limits(settings)))
    if isinstance(settings.get("limits"), Mapping):
        found += [
            (f"Limits, {_named(key).lower()}", _limits(own))
            for key, own in settings["limits"].items()
            if isinstance(own, Mapping)
        ]
    if settings.get("side_bets_need_main_bet"):
        found.append(("Side bets", "only beside a main bet"))
    if settings.get("source"):
        found.append(("Rules from", str(settings["source"])))
    return found


def _cut(settings: Mapping[str, Any]) -> str:
    card = settings["cut_card"]
    if card == 0:
        return "none: dealt to the end"
    where = f"{card[0]} to {card[1]}" if isinstance(card, list | tuple) else str(card)
    after = settings.get("rounds_after_cut")
    more = (
        {0: "; its round is the last", 1: "; its round and one more are dealt"}.get(after, "")
        if after is not None
        else ""
    )
    return f"before the last {where} cards{more}"


def _commission(settings: Mapping[str, Any]) -> str:
    rate = str(settings["commission"])
    if rate in ("0%", "0", "0.0"):
        return "none"
    rounding = str(settings.get("commission_rounding", "exact"))
    coin = settings.get("commission_coin")
    detail = ROUNDINGS.get(rounding, rounding) + (f" to {coin}" if coin and rounding != "exact" else "")
    bets = [_named(str(bet)) for bet in settings.get("commission_on", ())]
    where = f" on {' and '.join([', '.join(bets[:-1]), bets[-1]] if len(bets) > 1 else bets)}" if bets else ""
    exact = "to the exact sum" if rounding == "exact" else f"rounded {detail}"
    return f"{rate.replace('%', ' %')} of winnings{where}, {exact}"


def _odds(written: Mapping[str, Any]) -> str:
    lines = {name: odds for name, odds in written.items() if odds != "none"}  # lines that this table does not pay
    if set(lines) == {"win", "tie"} and lines["tie"] == "push":
        return f"pays {lines['win']}, a tie pushes"
    if set(lines) == {"win"}:
        return f"pays {lines['win']}"
    return ", ".join(f"{_named(str(name)).lower()} {odds}" for name, odds in lines.items())


def _limits(settings: Mapping[str, Any]) -> str:
    most, step = (str(settings.get(key, "")) for key in ("maximum", "increment"))
    high = f" to {_plain(most)}" if most and most.replace(".", "").isdigit() else ", no maximum"
    return f"{_plain(str(settings.get('minimum', '0')))}{high}" + (f", in steps of {_plain(step)}" if step else "")


def _plain(amount: str) -> str:
    """An amount without cents where there are none."""
    return amount.removesuffix(".00")


def _named(name: str) -> str:
    return name.replace("_", " ").capitalize()


def brief_facts(look: Lookup) -> Facts:
    """The experiment at a glance: table, shoe, money, numbers, seed."""
    manifest = look.run.manifest
    found = [dict(table_facts(table_settings(manifest, cell))) for cell in look.cells]
    sample = dict(experiment_facts(look))
    wanted = ("Bankroll", "Sessions", "Worked out exactly", "A session stops", "Seed")
    return [
        ("Table", _by_setting([table_title(manifest, cell) for cell in look.cells])),
        *((name, _by_setting([table.get(name, "") for table in found])) for name in ("Shoe", "Commission", "Limits")),
        *((name, sample.get(name, "")) for name in wanted),
    ]


def experiment_facts(look: Lookup) -> Facts:
    """Numbers and provenance: sessions, stops, where the rounds came from, when and with what it was made."""
    manifest = look.run.manifest
    config = config_of(manifest)
    part = look.slice()
    stop = config.get("stop")
    timing = manifest.get("timing")
    versions = manifest.get("versions")
    found: Facts = [
        ("Bankroll", f"{_starts(look)} at the start of a session"),
        ("Sessions", f"{part.summary.get('sessions') or 0:,} of {_length(config, part.rounds)}")
        if not part.is_exact
        else ("Worked out exactly", f"a session of {_length(config, part.rounds)}: {manifest['exact']['model']}"),
    ]
    if isinstance(stop, Mapping):
        found.append(
            ("A session stops", " or ".join(f"{amount} {STOPS.get(name, name)}" for name, amount in stop.items()))
        )
    found += [
        ("Seed", "" if part.is_exact else str(manifest.get("seed", config.get("seed", "")))),
        *([] if part.is_exact else _source(manifest.get("source"))),
        ("Digest of the dealt rounds", str(manifest.get("digest") or "")),
        (
            "Made",
            str(manifest.get("finished") or manifest.get("begun") or "").replace("T", " ").replace("+00:00", " UTC"),
        ),
        ("Time", f"{timing['seconds']:,.1f} s" if isinstance(timing, Mapping) and "seconds" in timing else ""),
        ("Versions", ", ".join(f"{k} {v}" for k, v in versions.items()) if isinstance(versions, Mapping) else ""),
        *_plugins(manifest.get("plugins")),
    ]
    return found


def _source(source: Any) -> Facts:
    """What the rounds are; the rules of the shoe are told with the table."""
    if not isinstance(source, Mapping):
        return []
    told = {"seed", "decks", "burn", "cut_card", "rounds_after_cut", "cut_card_first_out", "deal_order"}
    named = {"kind": "Rounds", "generator": "Generator", "sha256": "Digest of the file"}
    return [
        (named.get(key, _named(key)), str(value))
        for key, value in source.items()
        if key not in told and isinstance(value, str | int)
    ]


def _plugins(plugins: Any) -> Facts:
    """Plugins that are not built in, with the digest of their text."""
    if not isinstance(plugins, list | tuple):
        return []
    return [
        (
            f"Plugin {row.get('name')}",
            f"{row.get('origin')}, {row.get('sha256') or row.get('version') or row.get('state')}",
        )
        for row in plugins
        if isinstance(row, Mapping) and row.get("items") is not None
    ]


def _length(config: Mapping[str, Any], rounds: int) -> str:
    return f"{config['shoes']:,} shoes" if "shoes" in config else f"{rounds:,} rounds"
