"""`bacclab cost last-round`: the best bet in the last round of a casino tournament."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bacclab.cli.asked import amount, tables_asked
from bacclab.cli.figures import money, percent, units
from bacclab.cli.options import AsJson, RuleSets, TableName
from bacclab.cli.output import Column, emit, emit_json, emit_table
from bacclab.errors import BetError

if TYPE_CHECKING:
    from bacclab.analysis.costs.last_round import Choice, Laid, Seat

Row = dict[str, Any]

_SAME = 1e-9


def add_to(group: typer.Typer) -> None:
    """Add the command."""
    group.command(
        "last-round", epilog="Example: bacclab cost last-round --me 900 --after 1000 --minimum 50 --maximum 500"
    )(last_round)


def last_round(
    context: typer.Context,
    me: Annotated[str, typer.Option("--me", metavar="SUM", help="My bankroll.")],
    before: Annotated[
        list[str] | None,
        typer.Option("--before", metavar="SUM:BET=STAKE", help="A player who has bet: 1000:banker=200, or 1000:none."),
    ] = None,
    after: Annotated[
        list[str] | None,
        typer.Option("--after", metavar="SUM", help="A player who bets after me, in this order; or SUM:BET=STAKE."),
    ] = None,
    table: TableName = "commission",
    bets: Annotated[
        list[str] | None,
        typer.Option("--bet", metavar="BET", help="A bet that may be laid; Player, Banker, Tie if left out."),
    ] = None,
    minimum: Annotated[str | None, typer.Option("--minimum", metavar="SUM", help="The table's minimum.")] = None,
    maximum: Annotated[str | None, typer.Option("--maximum", metavar="SUM", help="The table's maximum.")] = None,
    increment: Annotated[
        str | None, typer.Option("--increment", metavar="SUM", help="Step of the stakes; the minimum if left out.")
    ] = None,
    advance: Annotated[int, typer.Option("--advance", metavar="N", help="How many of the first win.")] = 1,
    must_bet: Annotated[bool, typer.Option("--must-bet", help="Everybody must lay a bet.")] = False,
    sets: RuleSets = None,
    as_json: AsJson = False,
) -> None:
    """The bet with the best chance to finish ahead in the last round of a tournament.

    Everybody lays one bet, in order of seats. Those after me see what was laid and answer with the bet that is best for
    themselves.
    """
    from bacclab.analysis.costs.last_round import last_round as choices

    (rules,) = tables_asked(context, [table], sets)
    lowest = units(rules.limits.minimum) if minimum is None else minimum
    limits: Row = {"minimum": lowest, "increment": lowest if increment is None else increment}
    rules = rules.override(limits if maximum is None else limits | {"maximum": maximum})
    earlier = [_seat(text, f"before {place}", "--before") for place, text in enumerate(before or (), 1)]
    later = [_seat(text, f"after {place}", "--after") for place, text in enumerate(after or (), 1)]
    if not earlier and not later:
        raise BetError("a tournament needs other players", hint="name them: --before 1000:banker=200 or --after 1000")
    found = choices(
        rules,
        bankroll=amount(me, "--me"),
        before=earlier,
        after=later,
        bets=bets,
        advance=advance,
        must_bet=must_bet,
    )
    rows = _by_bet(found)
    if as_json:
        emit_json({"table": rules.name, "bankroll": units(amount(me, "--me")), "choices": rows})
    else:
        _show(rows, later, advance=advance)


def _show(rows: list[Row], later: list[Seat], *, advance: int) -> None:
    columns = [Column("bet"), Column("stake", number=True), Column("chance", number=True)]
    columns += [Column(f"answer of the player with {money(units(seat.bankroll))}") for seat in later if not seat.laid]
    free = [place for place, seat in enumerate(later) if not seat.laid]
    printed = [
        [row["bet"] or "no bet", _stakes(row), percent(row["chance"]), *(_words(row["answers"][k]) for k in free)]
        for row in rows
    ]
    first = "first" if advance == 1 else f"among the first {advance}"
    emit_table(columns, printed, title=f"Chance to finish {first} (equal places shared), the best stakes on each bet")
    best = rows[0]
    emit()
    emit(f"Best: {best['bet'] or 'no bet'} {_stakes(best)}".rstrip(" -") + f", {percent(best['chance'])}.")


def _seat(text: str, name: str, option: str) -> Seat:
    """A player as typed: 1000, 1000:banker=200 or 1000:none."""
    from bacclab.analysis.costs.last_round import Laid, Seat

    held, colon, words = text.partition(":")
    bankroll = amount(held, option)
    if not colon:
        return Seat(name, bankroll)
    if words.strip() == "none":
        return Seat(name, bankroll, Laid(None, 0))
    bet, equals, stake = words.partition("=")
    if not equals:
        raise BetError(f"{option} {text}: the stake is missing", hint="write 1000:banker=200, or 1000:none")
    return Seat(name, bankroll, Laid(bet.strip(), amount(stake, option)))


def _by_bet(choices: tuple[Choice, ...]) -> list[Row]:
    """The best stakes on each bet, the best bet first; the answers are those to the smallest of these stakes."""
    rows: list[Row] = []
    for bet in dict.fromkeys(choice.laid.bet for choice in choices):
        mine = [choice for choice in choices if choice.laid.bet == bet]
        top = [choice for choice in mine if choice.chance >= mine[0].chance - _SAME]
        stakes = sorted(choice.laid.stake for choice in top)
        lowest = min(top, key=lambda choice: choice.laid.stake)
        row: Row = {"bet": bet, "stakes": [units(stake) for stake in stakes], "chance": mine[0].chance}
        rows.append(row | {"answers": [_answer(laid) for laid in lowest.answers]})
    return rows


def _answer(laid: Laid) -> Row:
    return {"bet": laid.bet, "stake": units(laid.stake)}


def _words(answer: Row) -> str:
    return f"{answer['bet']} {money(answer['stake'])}" if answer["bet"] else "no bet"


def _stakes(row: Row) -> str:
    stakes = row["stakes"]
    if row["bet"] is None:
        return "-"
    if len(stakes) == 1:
        return money(stakes[0])
    step = stakes[1] - stakes[0]
    even = all(abs(right - left - step) < _SAME for left, right in pairwise(stakes))
    return f"{money(stakes[0])} to {money(stakes[-1])}" if even else f"{money(stakes[0])} and others"
