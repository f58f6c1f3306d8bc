"""`bacclab cost`: what flat play costs by the hour, and what comps, bonuses and rebates give back of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bacclab.cli import last_round
from bacclab.cli.asked import amount, flat_bet, share, tables_asked, whole
from bacclab.cli.figures import about, heading, money, number, percent, units
from bacclab.cli.options import AsJson, BetWords, RuleSets, TableName
from bacclab.cli.output import Column, emit, emit_json, emit_table
from bacclab.errors import BetError, MoneyError

if TYPE_CHECKING:
    from bacclab.exact.flat.bet import FlatBet
    from bacclab.game.tables import Table

Row = dict[str, Any]

Stake = Annotated[str, typer.Option("--stake", metavar="SUM", help="The stake of every round.")]
Pace = Annotated[float, typer.Option("--pace", metavar="N", help="Rounds an hour.")]
Hours = Annotated[float, typer.Option("--hours", metavar="N", help="Hours of the trip.")]

_SUMS = (
    *("action", "loss", "deviation", "low", "high", "rated_loss", "comps", "cost", "back", "value", "stake"),
    *("formula", "gain", "leftover", "win"),
)
"""Figures that are amounts."""

_HORIZONS = [100, 500, 1000]
_SERIES = (1, 2, 5)
_MOST_STAKES = 6


def add_to(app: typer.Typer) -> None:
    """Add the group of commands."""
    group = typer.Typer(no_args_is_help=True, rich_markup_mode=None, add_completion=False)
    group.command(epilog="Example: bacclab cost hour --table ez --stake 25 --pace 72 --hours 4")(hour)
    group.command(epilog="Example: bacclab cost comps --stake 25 --hours 4 --return 30%")(comps)
    group.command(epilog="Example: bacclab cost bonus --bonus 100 --requirement 3000")(bonus)
    group.command(epilog="Example: bacclab cost rebate --rebate 20% --rounds 500")(rebate)
    last_round.add_to(group)
    app.add_typer(
        group,
        name="cost",
        help="Say what play costs: an hour, comps, a bonus, a rebate, the last round of a tournament.\n\n"
        "All exact, for any bet and table; each command prints JSON with --json.",
        short_help="Say what play costs: an hour, comps, a bonus, a rebate.",
        epilog="Example: bacclab cost hour --stake 25",
    )


def hour(
    context: typer.Context,
    tables: Annotated[
        list[str] | None, typer.Option("--table", metavar="NAME", help="A table; several are set side by side.")
    ] = None,
    bets: Annotated[
        list[str] | None,
        typer.Option("--bet", metavar="BET", help="A bet; several are set side by side. banker+tie=5: laid together."),
    ] = None,
    stake: Stake = "25",
    pace: Pace = 72,
    hours: Hours = 4,
    sets: RuleSets = None,
    as_json: AsJson = False,
) -> None:
    """Expected loss of an hour and of a trip, and how far the result spreads."""
    from bacclab.analysis.costs.play import rounds_of, span

    spans = {"hour": rounds_of(pace=pace, hours=1), "trip": rounds_of(pace=pace, hours=hours)}
    unit = amount(stake, "--stake")
    found = []
    for table in tables_asked(context, tables or ["commission"], sets):
        for words in bets or ["banker"]:
            flat = flat_bet(table, words, unit)
            figures = {name: _plain(asdict(span(flat, rounds))) for name, rounds in spans.items()}
            found.append(about(table, flat) | figures)
    if as_json:
        emit_json({"pace": pace, "hours": hours, "bets": found})
        return
    columns = [Column("table"), Column("bet"), Column("house edge", number=True), Column("action", number=True)]
    columns += [Column("mean loss", number=True), Column("SD", number=True), Column("5 % to 95 %", number=True)]
    columns += [Column("ahead", number=True), Column("even", number=True, optional=True)]
    titles = {"hour": f"An hour of {spans['hour']:,} rounds", "trip": f"{hours:g} hours, {spans['trip']:,} rounds"}
    for name, title in titles.items():
        if name == "trip" and spans["trip"] == spans["hour"]:
            continue
        emit_table(columns, [_span_line(facts, facts[name]) for facts in found], title=title)
        emit()
    emit("Results are exact, for a bankroll that lasts; each loss is a mean, and SD says how far one result strays.")


def _plain(figures: Row) -> Row:
    """Figures with their amounts in currency units."""
    return {key: units(value) if key in _SUMS and value is not None else value for key, value in figures.items()}


def _span_line(facts: Row, figures: Row) -> list[str]:
    return [
        facts["table"],
        facts["bet"],
        percent(facts["edge"], 4),
        money(figures["action"]),
        money(figures["loss"]),
        money(figures["deviation"]),
        f"{money(figures['low'], signed=True)} to {money(figures['high'], signed=True)}",
        percent(figures["ahead"]),
        percent(figures["even"]),
    ]


def comps(
    context: typer.Context,
    table: TableName = "commission",
    bet: BetWords = "banker",
    stake: Stake = "25",
    pace: Pace = 72,
    hours: Hours = 4,
    returned: Annotated[
        str, typer.Option("--return", metavar="SHARE", help="Share of the loss that the house gives back.")
    ] = "30%",
    rated_edge: Annotated[
        str | None, typer.Option("--rated-edge", metavar="SHARE", help="The edge that the house reckons with.")
    ] = None,
    rated_pace: Annotated[
        float | None, typer.Option("--rated-pace", metavar="N", help="Rounds an hour that the house reckons with.")
    ] = None,
    sets: RuleSets = None,
    as_json: AsJson = False,
) -> None:
    """Set comps against the expected loss.

    The house rates average bet x hours x rounds an hour x edge, and gives a share of that back. What it reckons with
    may differ from the real pace and edge.
    """
    from bacclab.analysis.costs.play import comps as worth
    from bacclab.analysis.costs.play import rounds_of, span

    (rules,) = tables_asked(context, [table], sets)
    flat = flat_bet(rules, bet, amount(stake, "--stake"))
    rounds = rounds_of(pace=pace, hours=hours)
    rated = rounds_of(pace=pace if rated_pace is None else rated_pace, hours=hours)
    edge = None if rated_edge is None else share(rated_edge, "--rated-edge")
    found = worth(flat, rounds=rounds, rate=share(returned, "--return"), rated_rounds=rated, rated_edge=edge)
    facts = about(rules, flat) | _plain(asdict(found)) | {"deviation_of_result": units(span(flat, rounds).deviation)}
    if as_json:
        emit_json(facts)
        return
    emit(heading(facts))
    emit()
    emit(f"{hours:g} hours at {pace:g} rounds an hour: {rounds:,} rounds")
    lines = [
        ("mean loss", money(facts["loss"])),
        ("standard deviation of the result", money(facts["deviation_of_result"])),
        ("loss as the house rates it", money(facts["rated_loss"])),
        (f"comps ({percent(share(returned, '--return'), 0)} of the rated loss)", money(facts["comps"])),
        ("mean loss less comps", money(facts["cost"])),
        ("comps against the mean loss", percent(facts["returned"], 1)),
    ]
    emit_table([Column("figure"), Column("", number=True)], lines)


def bonus(
    context: typer.Context,
    bonus: Annotated[str, typer.Option("--bonus", metavar="SUM", help="The bonus.")],
    requirement: Annotated[
        str, typer.Option("--requirement", metavar="SUM", help="What must be staked: 3000, or 30x the bonus.")
    ],
    table: TableName = "commission",
    bet: Annotated[str, typer.Option("--bet", metavar="BET", help="The bet.")] = "banker",
    deposit: Annotated[
        str | None, typer.Option("--deposit", metavar="SUM", help="What is paid in; as much as the bonus if left out.")
    ] = None,
    stakes: Annotated[
        list[str] | None, typer.Option("--stake", metavar="SUM", help="Stake of every round; may be repeated.")
    ] = None,
    counts: Annotated[
        str, typer.Option("--counts", metavar="SHARE", help="Share of a stake that counts for the requirement.")
    ] = "100%",
    sets: RuleSets = None,
    as_json: AsJson = False,
) -> None:
    """What a cashable bonus with a wagering requirement is worth.

    By the formula bonus - requirement x edge, and exactly for flat stakes: who goes bust on the way stakes less, so
    larger stakes lose less on average.
    """
    from bacclab.analysis.costs.bonus import bonus_play
    from bacclab.money import UNITS

    (rules,) = tables_asked(context, [table], sets)
    given = amount(bonus, "--bonus")
    times = requirement.strip().lower().removesuffix("x")
    required = amount(times, "--requirement")
    if times != requirement.strip().lower():
        required = required * given // UNITS
    paid = given if deposit is None else amount(deposit, "--deposit")
    weight = share(counts, "--counts")
    if min(given, required, paid) < 0:
        raise MoneyError("a bonus, its requirement and a deposit cannot be below 0")
    if paid + given == 0:
        raise MoneyError("without a bonus and a deposit there is nothing to play with", hint="give --deposit")
    listed = [amount(text, "--stake") for text in stakes or ()] or _stakes(rules, bet, paid + given)
    flats = [flat_bet(rules, bet, stake) for stake in listed]
    plays = [
        _plain(asdict(bonus_play(flat, bonus=given, requirement=required, deposit=paid, weight=weight)))
        for flat in flats
    ]
    terms = {"bonus": units(given), "requirement": units(required), "deposit": units(paid), "counts": weight}
    facts = about(rules, flats[0])
    if as_json:
        emit_json({**facts, **terms, "plays": plays})
    else:
        _show_bonus(facts, terms, plays)


def _show_bonus(facts: Row, terms: Row, plays: list[Row]) -> None:
    emit(heading(facts).replace(f", {facts['stake']:,.2f} a round", ""))
    emit(
        f"deposit {money(terms['deposit'])}, bonus {money(terms['bonus'])}, to stake {money(terms['requirement'])}: "
        f"by the formula bonus - requirement x edge worth {money(plays[0]['formula'], signed=True)}"
    )
    emit()
    columns = [Column("stake", number=True), Column("rounds", number=True), Column("mean gain", number=True)]
    columns += [Column("left at bust", number=True), Column("bust", number=True), Column("ahead", number=True)]
    columns += [Column("rounds played", number=True, optional=True)]
    printed = [
        [
            money(play["stake"]),
            f"{play['rounds']:,}",
            money(play["gain"], signed=True),
            money(play["leftover"]),
            percent(play["bust"], 1),
            percent(play["ahead"], 1),
            number(play["played"]),
        ]
        for play in plays
    ]
    emit_table(columns, printed, title="Exactly, with flat stakes (mean gain over the deposit)")
    emit(
        "What is left when it does not cover a stake counts as lost; who plays on with it gains at most that much more."
    )


def _stakes(table: Table, words: str, balance: int) -> list[int]:
    """Round stakes from the balance down, as the table takes them."""
    if "+" in words or "=" in words:
        raise BetError(f"--bet {words}: several bets need their stakes", hint="give --stake")
    limits = table.limits_of(words)
    series = [step * 10**power * 100 for power in range(12) for step in _SERIES]
    fitting = [stake for stake in series if limits.minimum <= stake <= min(balance, limits.ceiling)]
    fitting = [stake for stake in fitting if stake % limits.increment == 0]
    if not fitting:
        raise MoneyError(f"table {table.name} takes {limits} on {words}; no round stake fits", hint="give --stake")
    return fitting[-_MOST_STAKES:]


def rebate(
    context: typer.Context,
    table: TableName = "commission",
    bet: BetWords = "banker",
    stake: Stake = "25",
    rebate: Annotated[
        str, typer.Option("--rebate", metavar="SHARE", help="Share of a loss that is given back.")
    ] = "10%",
    rounds: Annotated[
        list[int] | None, typer.Option("--rounds", metavar="N", help="Rounds until it is reckoned; may be repeated.")
    ] = None,
    sets: RuleSets = None,
    as_json: AsJson = False,
) -> None:
    """What a rebate on losses is worth, and where to stop.

    After a fixed number of rounds: the mean result, and the rebate that would break even. Without a minimum of play:
    the loss and the win at which it is best to stop.
    """
    from bacclab.analysis.costs.rebates import best_stops, least_rebate, rebate_after

    (rules,) = tables_asked(context, [table], sets)
    flat = flat_bet(rules, bet, amount(stake, "--stake"))
    part = share(rebate, "--rebate")
    fixed = [_plain(asdict(rebate_after(flat, n, rebate=part))) for n in whole(rounds, "--rounds") or _HORIZONS]
    stops = best_stops(flat, rebate=part) if flat.mean < 0 and part < 1 else None
    facts = about(rules, flat) | {
        "rebate": part,
        "fixed": fixed,
        "stops": None if stops is None else _plain(asdict(stops)),
        "least_rebate": least_rebate(flat),
    }
    if as_json:
        emit_json(facts)
    else:
        _show_rebate(facts, flat)


def _show_rebate(facts: Row, flat: FlatBet) -> None:
    emit(heading(facts))
    emit()
    columns = [Column("rounds", number=True), Column("mean loss", number=True), Column("given back", number=True)]
    columns += [Column("mean result", number=True), Column("break-even rebate", number=True)]
    printed = [
        [
            f"{row['rounds']:,}",
            money(row["loss"]),
            money(row["back"]),
            money(row["value"], signed=True),
            percent(row["break_even"], 1),
        ]
        for row in facts["fixed"]
    ]
    emit_table(columns, printed, title=f"A rebate of {percent(facts['rebate'], 1)} after a fixed number of rounds")
    emit()
    emit(_stopping(facts, flat))


def _stopping(facts: Row, flat: FlatBet) -> str:
    """The best stopping points in a sentence."""
    if flat.mean >= 0:
        return "Without a minimum of play: the bet has no edge for the house, so there is no point at which to stop."
    least = percent(facts["least_rebate"])
    if facts["rebate"] >= 1:
        return "Without a minimum of play: when all losses are given back, play on until ahead."
    if facts["stops"] is None:
        return f"Without a minimum of play: not worth a single round; a rebate must be above {least}."
    stops = facts["stops"]
    return (
        f"Without a minimum of play: stop with {money(stops['loss'])} or more lost, or {money(stops['win'])} or more "
        f"won. Worth {money(stops['value'], signed=True)} on average, in {number(stops['rounds'])} rounds; "
        f"{percent(stops['winning'], 1)} of the times ahead. A rebate above {least} is worth something."
    )
