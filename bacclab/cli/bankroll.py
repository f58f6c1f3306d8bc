"""`bacclab bankroll`: the bankroll for a stated risk of ruin, and what becomes of a stated bankroll."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bacclab.cli.asked import amount, flat_bet, share, tables_asked, whole
from bacclab.cli.figures import about, heading, money, number, percent, units
from bacclab.cli.options import AsJson, BetWords, RuleSets, TableName
from bacclab.cli.output import Column, emit, emit_json, emit_table

if TYPE_CHECKING:
    from bacclab.exact.flat.bet import FlatBet

Row = dict[str, Any]

_ROUNDS = [100, 500, 1000]
"""Horizons that are shown if none is asked for."""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab bankroll --bet player --unit 25 --risk 5% --rounds 500")(bankroll)


def bankroll(
    context: typer.Context,
    table: TableName = "commission",
    bet: BetWords = "banker",
    unit: Annotated[str, typer.Option("--unit", metavar="SUM", help="The stake of every round.")] = "1",
    risks: Annotated[
        list[str] | None,
        typer.Option("--risk", metavar="SHARE", help="Chance of ruin to allow, as in 5%; may be repeated."),
    ] = None,
    rounds: Annotated[
        list[int] | None, typer.Option("--rounds", metavar="N", help="How long the play is; may be repeated.")
    ] = None,
    bankrolls: Annotated[
        list[str] | None,
        typer.Option("--bankroll", metavar="SUM", help="What becomes of this bankroll; may be repeated."),
    ] = None,
    goals: Annotated[
        list[str] | None,
        typer.Option("--goal", metavar="SUM", help="Stop when this much is won; may be repeated."),
    ] = None,
    sets: RuleSets = None,
    as_json: AsJson = False,
) -> None:
    """Say how large a bankroll must be for flat bets, exactly.

    Ruin: the bankroll cannot cover the next bet. Without --bankroll: the smallest bankroll for each --risk. With it:
    the chances to go bust, to reach the --goal first, and to end ahead or behind; several of them make a two-way table.
    """
    (rules,) = tables_asked(context, [table], sets)
    flat = flat_bet(rules, bet, amount(unit, "--unit"))
    spans = whole(rounds, "--rounds")
    wins = [amount(text, "--goal") for text in goals or ()]
    held = [amount(text, "--bankroll") for text in bankrolls or ()]
    facts: Row = about(rules, flat) | {"kelly": _kelly(flat)}
    if held and risks:
        facts["bankrolls"] = _bankrolls(flat, risks, spans or _ROUNDS, wins)
    elif not held:
        facts["bankrolls"] = _bankrolls(flat, risks or ["5%"], spans or _ROUNDS, wins)
    if held:
        facts["endings"] = _endings(flat, held, spans, wins)
    if as_json:
        emit_json(facts)
    else:
        _show(facts)


def _kelly(flat: FlatBet) -> Row:
    from bacclab.exact.flat.kelly import kelly

    return asdict(kelly(flat))


def _bankrolls(flat: FlatBet, risks: list[str], spans: list[int], goals: list[int]) -> list[Row]:
    """The smallest bankroll for each risk, horizon and goal."""
    from bacclab.exact.flat.ruin import ever_reached, smallest_bankroll

    rows = []
    for text in risks:
        risk = share(text, "--risk")
        for goal in (None, *goals):
            for span in (*spans, None):
                found = smallest_bankroll(flat, risk=risk, rounds=span, goal=goal)
                row: Row = {"risk": risk, "rounds": span, "goal": None if goal is None else units(goal)}
                row |= {"bets": None, "bankroll": None, "ruin": None}
                if found is not None:
                    row |= {"bets": found.bets, "bankroll": units(found.amount), "ruin": found.ruin}
                else:
                    row["least_ruin"] = 1.0 if goal is None else 1 - ever_reached(flat, goal)
                rows.append(row)
    return rows


def _endings(flat: FlatBet, held: list[int], spans: list[int], goals: list[int]) -> list[Row]:
    """What becomes of each bankroll, for each horizon and goal."""
    from bacclab.exact.flat.ruin import endings

    rows = []
    for span in (*spans, None):
        for goal in (None, *goals):
            for sum_held in held:
                found = asdict(endings(flat, bankroll=sum_held, rounds=span, goal=goal))
                net, played = found.pop("net"), found.pop("rounds")
                row = {"bankroll": units(sum_held), "rounds": span, "goal": None if goal is None else units(goal)}
                chances = {"reached" if key == "goal" else key: value for key, value in found.items()}
                rows.append(row | chances | {"mean_rounds": played, "net": None if net is None else units(net)})
    return rows


def _show(facts: Row) -> None:
    emit(heading(facts))
    if facts["kelly"]["fraction"]:
        emit(f"Kelly fraction: {percent(facts['kelly']['fraction'])} of the bankroll")
    if "bankrolls" in facts:
        emit()
        _show_bankrolls(facts)
    if "endings" in facts:
        emit()
        _show_endings(facts["endings"])


def _show_bankrolls(facts: Row) -> None:
    rows = facts["bankrolls"]
    with_goal = any(row["goal"] is not None for row in rows)
    columns = [Column("risk", number=True), Column("play")]
    columns += [Column("goal", number=True)] if with_goal else []
    columns += [Column("bets", number=True), Column("bankroll", number=True), Column("chance of ruin", number=True)]
    printed = []
    for row in rows:
        line = [percent(row["risk"], 1), _play(row["rounds"])]
        line += [_goal(row["goal"])] if with_goal else []
        bets = "none" if row["bets"] is None else f"{row['bets']:,}"
        printed.append([*line, bets, money(row["bankroll"]), percent(row["ruin"])])
    emit_table(columns, printed, title="Smallest bankroll for a risk of ruin (the next bet cannot be covered)")
    for text in dict.fromkeys(_why_none(row) for row in rows if row["bets"] is None):
        emit(text)


def _why_none(row: Row) -> str:
    if row["goal"] is None:
        return "none: without an edge for the player every bankroll is lost in unlimited play, so none is enough."
    return (
        f"none: with a bankroll without end the goal of {money(row['goal'])} is still missed with a chance of "
        f"{percent(row['least_ruin'])}."
    )


def _show_endings(rows: list[Row]) -> None:
    held = list(dict.fromkeys(row["bankroll"] for row in rows))
    goals = [goal for goal in dict.fromkeys(row["goal"] for row in rows) if goal is not None]
    two_way = len(goals) > 1 or (len(goals) == 1 and len(held) > 1)
    detailed = [row for row in rows if row["goal"] is None or not two_way]
    columns = [Column("bankroll", number=True), Column("play"), Column("goal", number=True)]
    columns += [Column("bust", number=True), Column("reaches goal", number=True), Column("ahead", number=True)]
    columns += [Column("even", number=True), Column("behind", number=True)]
    columns += [Column("mean rounds", number=True), Column("mean result", number=True)]
    if not goals or two_way:
        columns = [column for column in columns if column.title not in ("goal", "reaches goal")]
    printed = []
    for row in detailed:
        goal = [] if not goals or two_way else [_goal(row["goal"])]
        reached = [] if not goals or two_way else [percent(row["reached"] if row["goal"] is not None else None)]
        line = [money(row["bankroll"]), _play(row["rounds"]), *goal, percent(row["bust"]), *reached]
        line += [percent(row[key]) for key in ("ahead", "even", "behind")]
        printed.append([*line, number(row["mean_rounds"]), money(row["net"], signed=True)])
    emit_table(columns, printed, title="How it ends (bust: the next bet cannot be covered)")
    if any(row["rounds"] is None and row["ahead"] for row in detailed):
        emit("In unlimited play `ahead` is the chance to play on for ever.")
    if two_way:
        for span in dict.fromkeys(row["rounds"] for row in rows):
            emit()
            _show_two_way(rows, span, held, goals)


def _show_two_way(rows: list[Row], span: int | None, held: list[float], goals: list[float]) -> None:
    found = {(row["bankroll"], row["goal"]): row["reached"] for row in rows if row["rounds"] == span}
    columns = [Column("bankroll", number=True), *(Column(f"+{money(goal)}", number=True) for goal in goals)]
    printed = [[money(sum_held), *(percent(found[sum_held, goal]) for goal in goals)] for sum_held in held]
    emit_table(columns, printed, title=f"Chance to reach a goal before bust, {_play(span)}")


def _play(span: int | None) -> str:
    return "unlimited" if span is None else f"{span:,} round{'s' * (span != 1)}"


def _goal(goal: float | None) -> str:
    return "none" if goal is None else f"+{money(goal)}"
