"""Changing single rules of a table: the [table] section of an experiment, key by key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bacclab.errors import BetError, TableError, did_you_mean
from bacclab.game import fields
from bacclab.game.pay import KINDS, Bet, Odds
from bacclab.game.rules import BURNS, DEAL_ORDERS, FIRST_OUTS, MAX_DECKS, Limits, ShoeRules
from bacclab.game.settlement import ROUNDINGS

if TYPE_CHECKING:
    from bacclab.game.tables import Table

SHOE_KEYS: Final = ("decks", "burn", "cut_card", "rounds_after_cut", "cut_card_first_out", "deal_order")
MONEY_KEYS: Final = ("commission", "commission_rounding", "commission_coin")
LIMIT_KEYS: Final = ("minimum", "maximum", "increment")
KEYS: Final = (*SHOE_KEYS, *MONEY_KEYS, "odds", "extra_bets", "side_bets_need_main_bet", *LIMIT_KEYS, "limits")
"""Every key that `changed_fields` takes."""

NO_MAXIMUM: Final = "none"
NO_ODDS: Final = "none"
"""Written for a pay line that a table does not pay."""


def changed_fields(table: Table, settings: Mapping[str, object], bets: Mapping[str, Bet]) -> dict[str, Any]:
    """The fields of `table` that `settings` change, for `dataclasses.replace`; `bets` are those that may be added.

    Raises `TableError` for a key that does not exist and for a value that cannot be meant.
    """
    for key in settings:
        fields.known(key, KEYS, key=key)
    offered = _bets(table, settings, bets)
    return {
        "shoe": _shoe(table.shoe, settings),
        "bets": offered,
        **_money(settings),
        **_limits(table, settings, offered),
    }


def _shoe(shoe: ShoeRules, settings: Mapping[str, object]) -> ShoeRules:
    changes: dict[str, Any] = {}
    for key in SHOE_KEYS:
        if key not in settings:
            continue
        value = settings[key]
        if key == "decks":
            changes[key] = fields.whole(value, key=key, lowest=1, highest=MAX_DECKS)
        elif key == "rounds_after_cut":
            changes[key] = fields.whole(value, key=key, lowest=0, highest=1)
        elif key == "cut_card":
            changes[key] = _cut_card(value, shoe)
        else:
            options = {"burn": BURNS, "cut_card_first_out": FIRST_OUTS, "deal_order": DEAL_ORDERS}[key]
            changes[key] = fields.choice(value, key=key, options=options)
    return replace(shoe, **changes)


def _cut_card(value: object, shoe: ShoeRules) -> int | tuple[int, int]:
    most = MAX_DECKS * shoe.cards // shoe.decks
    if isinstance(value, (list, tuple)):
        if len(value) != 2:
            raise TableError(f"cut_card must be a number or two, not {list(value)}", hint="write 14, or [low, high]")
        low, high = (fields.whole(end, key="cut_card", lowest=0, highest=most) for end in value)
        return low, high
    return fields.whole(value, key="cut_card", lowest=0, highest=most)


def _money(settings: Mapping[str, object]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if "commission" in settings:
        changes["commission"] = fields.share(settings["commission"], key="commission")
    if "commission_rounding" in settings:
        key = "commission_rounding"
        changes[key] = fields.choice(settings[key], key=key, options=ROUNDINGS)
    if "commission_coin" in settings:
        changes["commission_coin"] = fields.amount(settings["commission_coin"], key="commission_coin")
    if "side_bets_need_main_bet" in settings:
        key = "side_bets_need_main_bet"
        changes[key] = fields.yes_or_no(settings[key], key=key)
    return changes


def _bets(table: Table, settings: Mapping[str, object], known: Mapping[str, Bet]) -> dict[str, Bet]:
    offered = dict(table.bets)
    extra = settings.get("extra_bets", ())
    if not isinstance(extra, (list, tuple)) or not all(isinstance(name, str) for name in extra):
        raise TableError("extra_bets must be a list of bets", hint='write ["dragon_7", "panda_8"]')
    for name in extra:
        if name not in known and name not in offered:
            raise TableError(f"extra_bets: there is no bet {name!r}", hint=did_you_mean(name, tuple(known)))
        offered.setdefault(name, known[name] if name in known else offered[name])
    for name, odds in fields.section(settings.get("odds", {}), key="odds").items():
        if name not in offered:
            raise TableError(
                f"odds.{name}: {table.name} has no bet {name}",
                hint="put it on the table with extra_bets" if name in known else did_you_mean(name, tuple(offered)),
            )
        offered[name] = _with_odds(offered[name], odds)
    return offered


def _with_odds(bet: Bet, odds: object) -> Bet:
    """A bet at other odds.

    `odds` is the name of one of the bet's pay tables, or a value for the line that wins (all lines that win, if they
    pay alike; else the line `win`), or a section with lines, in which "none" takes the odds of a line away.
    """
    key = f"odds.{bet.id}"
    if isinstance(odds, str) and odds in bet.pay_tables:
        return bet.with_pay_table(odds)
    lines: dict[str, Any] = dict(odds) if isinstance(odds, Mapping) else dict.fromkeys(_winning_lines(bet, key), odds)
    for line in lines:
        if line not in bet.line_names:
            raise TableError(f"unknown pay line {key}.{line}", hint=did_you_mean(str(line), bet.line_names))
    kept = {line: paid for line, paid in bet.odds.items() if lines.get(line) != NO_ODDS}
    try:
        changed = {line: Odds.parse(value) for line, value in lines.items() if value != NO_ODDS}
        return replace(bet, odds={**kept, **changed})
    except BetError as error:
        hint = f"pay tables: {', '.join(bet.pay_tables)}" if isinstance(odds, str) and bet.pay_tables else error.hint
        raise TableError(f"{key}: {error.message}", hint=hint) from None


def _winning_lines(bet: Bet, key: str) -> tuple[str, ...]:
    paying = {line: paid for line, paid in bet.odds.items() if paid.numerator}
    if len(set(paying.values())) == 1:
        return tuple(paying)
    if "win" in bet.odds:
        return ("win",)
    tables = f"; or a pay table: {', '.join(bet.pay_tables)}" if bet.pay_tables else ""
    raise TableError(f"{key}: say which line", hint=f"one of: {', '.join(paying)}{tables}")


def _limits(table: Table, settings: Mapping[str, object], offered: Mapping[str, Bet]) -> dict[str, Any]:
    general = _changed_limits(table.limits, {key: settings[key] for key in LIMIT_KEYS if key in settings}, prefix="")
    limits_by = dict(table.limits_by)
    given = fields.section(settings.get("limits", {}), key="limits")
    # A kind before a bet of that kind, so that the bet starts from the new limits of its kind.
    for name in sorted(given, key=lambda name: name not in KINDS):
        if name not in KINDS and name not in offered:
            raise TableError(f"unknown key limits.{name}", hint=did_you_mean(name, (*KINDS, *offered)))
        kind = offered[name].kind if name in offered and name not in KINDS else name
        start = limits_by.get(name, limits_by.get(kind, general))
        part = fields.section(given[name], key=f"limits.{name}")
        limits_by[name] = _changed_limits(start, part, prefix=f"limits.{name}.")
    return {"limits": general, "limits_by": limits_by}


def _changed_limits(limits: Limits, settings: Mapping[str, object], *, prefix: str) -> Limits:
    changes: dict[str, int | None] = {}
    for key, value in settings.items():
        fields.known(key, LIMIT_KEYS, key=f"{prefix}{key}")
        no_maximum = key == "maximum" and value in (None, NO_MAXIMUM)
        changes[key] = None if no_maximum else fields.amount(value, key=f"{prefix}{key}")
    try:
        return replace(limits, **changes)  # type: ignore[arg-type]  # only the maximum can be None
    except TableError as error:
        raise TableError(f"{prefix.removesuffix('.') or 'limits'}: {error.message}", hint=error.hint) from None
