"""The accounts of a session, recounted from its rounds by a settlement and a player of the tests' own."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bacclab.bettors.base import Bettor, Combined
from bacclab.bettors.progressions.classic import Martingale
from bacclab.bettors.selections.recent import Always
from bacclab.bettors.whole.flat import FlatBettor
from bacclab.game.codes import CODE_MASK, Pair, Round, decode
from bacclab.game.tables import Table
from bacclab.money import Money
from bacclab.tournament.ledger import ENDINGS

UNITS = 10_000
REASONS = ("over_bankroll", "over_maximum", "under_minimum", "off_increment", "no_main_bet")

# Exact numbers of ordered six-card sequences of eight decks.
WAYS = {"player": 2_230_518_282_592_256, "banker": 2_292_252_566_437_888, "tie": 475_627_426_473_216}


def often(examples: int) -> settings:
    examples = max(5, round(examples * float(os.environ.get("BACCLAB_EXAMPLES", "1"))))
    return settings(max_examples=examples, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


# A settlement of the tests' own, in fractions of the currency unit.


def winnings(bet: str, played: Round, rules: str) -> Fraction | None:
    """What a stake of one wins before commission; None when it is lost."""
    side = "player" if played.player_total > played.banker_total else "banker"
    side = "tie" if played.player_total == played.banker_total else side
    pairs = [played.player_pair != Pair.NONE, played.banker_pair != Pair.NONE]
    suited = [played.player_pair == Pair.SUITED, played.banker_pair == Pair.SUITED]
    if bet in ("banker", "player"):
        if side == "tie":
            return Fraction(0)
        if bet != side:
            return None
        if bet == "banker" and rules == "no-commission" and played.banker_total == 6:
            return Fraction(1, 2)
        if bet == "banker" and rules == "ez" and (played.banker_total, played.banker_cards) == (7, 3):
            return Fraction(0)
        return Fraction(1)
    paid = {
        "tie": 8 if side == "tie" else None,
        "player_pair": 11 if pairs[0] else None,
        "banker_pair": 11 if pairs[1] else None,
        "either_pair": 5 if any(pairs) else None,
        "perfect_pair": {0: None, 1: 25, 2: 200}[sum(suited)],
        "dragon_7": 40 if side == "banker" and (played.banker_total, played.banker_cards) == (7, 3) else None,
        "panda_8": 25 if side == "player" and (played.player_total, played.player_cards) == (8, 3) else None,
    }[bet]
    return None if paid is None else Fraction(paid)


def to_coin(exact: Fraction, rounding: str, coin: Fraction) -> Fraction:
    """Rounded to a multiple of the coin."""
    if rounding == "exact":
        return exact
    coins = exact / coin
    whole = {
        "up": math.ceil(coins),
        "down": math.floor(coins),
        "nearest": round(coins),  # a half of a fraction goes to the even number
        "half-up": math.floor(coins + Fraction(1, 2)),
    }[rounding]
    return whole * coin


def settled(bet: str, stake: Fraction, played: Round, table: Table) -> tuple[Fraction, Fraction]:
    """Net result and commission."""
    rules = "ez" if "ez" in table.name else "no-commission" if table.name.startswith("no-") else "commission"
    won = winnings(bet, played, rules)
    if won is None:
        return -stake, Fraction(0)
    gross = stake * won
    if bet != "banker":
        return gross, Fraction(0)
    commission = min(
        gross, to_coin(gross * table.commission, table.commission_rounding, Fraction(table.commission_coin, UNITS))
    )
    return gross - commission, commission


def in_words(text: str) -> list[tuple[str, Fraction]]:
    """ "banker 10.00 + tie 5.00" as a list."""
    laid = [item.split() for item in text.split(" + ")] if text else []
    return [(bet, Fraction(stake)) for bet, stake in laid]


@dataclass
class Session:
    """The rounds of one session as the trace tells them; money in currency units."""

    bets: list[list[tuple[str, Fraction]]]
    staked: list[Fraction]
    net: list[Fraction]
    commission: list[Fraction]
    bankroll: list[Fraction]
    rounds: list[int]
    shoes: list[int]


def session(trace: Any, number: int) -> Session:
    rows = [place for place, s in enumerate(trace.session.tolist()) if s == number]

    def money(column: str) -> list[Fraction]:
        return [Fraction(int(getattr(trace, column)[row]), UNITS) for row in rows]

    return Session(
        bets=[in_words(trace.bets[row]) for row in rows],
        staked=money("staked"),
        net=money("net"),
        commission=money("commission"),
        bankroll=money("bankroll"),
        rounds=[int(trace.round[row]) for row in rows],
        shoes=[int(trace.shoe[row]) for row in rows],
    )


def runs(net: list[Fraction]) -> tuple[int, int]:
    """The longest row of wins and of losses; pushes are passed over."""
    signs = "".join("W" if n > 0 else "L" for n in net if n != 0)
    return (
        max((len(row) for row in signs.split("L")), default=0),
        max((len(row) for row in signs.split("W")), default=0),
    )


def in_units(amount: Any) -> Fraction:
    return Fraction(int(amount), UNITS)


def check(ledger: Any, trace: Any, game: Any) -> None:
    """Every figure of every session against its rounds."""
    start, terms = in_units(game.terms.bankroll), game.terms
    floor = max(Fraction(0), start - in_units(terms.stop_loss)) if terms.stop_loss is not None else Fraction(0)
    goal = None if terms.stop_win is None else start + in_units(terms.stop_win)
    for s in range(ledger.sessions):
        one = session(trace, game.first + s)
        codes = game.rounds.codes[s]
        money = [start]
        for r, bets in enumerate(one.bets):
            played = decode(int(codes[r]) & CODE_MASK)
            results = [settled(bet, stake, played, game.table) for bet, stake in bets]
            assert one.staked[r] == sum(stake for _, stake in bets)
            assert one.net[r] == sum(net for net, _ in results)
            assert one.commission[r] == sum(paid for _, paid in results)
            assert one.staked[r] <= money[-1] - floor
            assert len({bet for bet, _ in bets}) == len(bets)
            for bet, stake in bets:
                limits = game.table.limits_of(bet)
                assert in_units(limits.minimum) <= stake <= in_units(limits.ceiling)
                assert stake % in_units(limits.increment) == 0
            if game.table.side_bets_need_main_bet and bets:
                assert any(game.table.bets[bet].kind != "side" for bet, _ in bets)
            money.append(money[-1] + one.net[r])
        assert one.bankroll == money[1:]
        assert one.rounds == list(range(1, len(one.bets) + 1))
        begins = [int(code > CODE_MASK) for code in codes[: len(one.bets)].tolist()]
        assert one.shoes == list(accumulate(begins))
        assert ledger.shoes[s] - sum(begins) in (0, 1)  # a session may end at the first bet of a shoe
        assert min(money) >= floor

        laid = [net for net, bets in zip(one.net, one.bets, strict=True) if bets]
        counted = (sum(n > 0 for n in laid), sum(n < 0 for n in laid), sum(n == 0 for n in laid))
        assert (ledger.wins[s], ledger.losses[s], ledger.pushes[s]) == counted
        assert ledger.wins[s] + ledger.losses[s] + ledger.pushes[s] == ledger.bets[s] == len(laid)
        assert in_units(ledger.staked[s]) == sum(one.staked)
        assert in_units(ledger.commission[s]) == sum(one.commission)
        assert in_units(ledger.net[s]) == sum(one.net) == in_units(ledger.final[s]) - start
        assert in_units(ledger.final[s]) == money[-1]
        assert (in_units(ledger.peak[s]), in_units(ledger.trough[s])) == (max(money), min(money))
        falls = [high - now for high, now in zip(accumulate(money, max), money, strict=True)]
        assert in_units(ledger.max_drawdown[s]) == max(falls)
        assert in_units(ledger.largest_stake[s]) == max(one.staked, default=0)
        assert (ledger.longest_winning_run[s], ledger.longest_losing_run[s]) == runs(one.net)
        assert ledger.rounds[s] == ledger.ended_round[s] == len(one.bets)
        for c, checkpoint in enumerate(terms.checkpoints.tolist()):
            assert in_units(ledger.bankrolls[c, s]) == money[min(checkpoint, len(one.bets))]
        check_ending(ledger, s, money, floor=floor, goal=goal, game=game)


def check_ending(
    ledger: Any, s: int, money: list[Fraction], *, floor: Fraction, goal: Fraction | None, game: Any
) -> None:
    """The ending is what it says, and no round was played after it."""
    least, policy = in_units(game.table.lowest_minimum), game.terms.policy
    reached = [goal is not None and m >= goal for m in money]
    spent = [m - floor < least for m in money]
    how, final, there = ENDINGS[ledger.ended_by[s]], money[-1], int(game.rounds.lengths[s])
    assert not any(reached[:-1])
    assert not any(spent[:-1])
    assert (how == "stop_win") == reached[-1]
    if how == "bust":
        assert spent[-1]
        assert final < least or floor == 0
    elif how == "stop_loss":
        assert floor > 0
        assert final >= least
        assert spent[-1] or (ledger.refused[s][0] > 0 and policy != "skip")
    elif how == "cannot_cover":
        assert not spent[-1]
        assert ledger.refused[s][0] > 0
        assert policy != "skip"
    elif how == "limit":
        assert policy in ("stop", "reset")
        assert ledger.refused[s][1:].sum() > 0
    elif how in ("rounds", "source"):
        assert not spent[-1]
        assert ledger.rounds[s] == there
        assert (how == "source") == bool(game.rounds.ran_out[s])
    if how not in ("rounds", "source"):
        assert ledger.rounds[s] < there or reached[-1] or spent[-1]


class TestRecount:
    @pytest.mark.parametrize("way", ["table", "lanes", "plain"])
    @often(100)
    @given(data=st.data())
    def test_built_in(self, drawn: ModuleType, way: str, data: st.DataObject) -> None:
        game = data.draw(drawn.settings_of_play())
        names = ["labouchere", "oscar"] if way == "lanes" else sorted(drawn.REGISTRY.progressions)
        bettor = data.draw(drawn.built_in(game.table, progression=data.draw(st.sampled_from(names))))
        done = drawn.play(bettor, game, way=way)
        assume(isinstance(done, tuple))
        check(done[0], done[1], game)

    @pytest.mark.parametrize("bettor", ["pair-counter", "pair-hunter"])
    @often(60)
    @given(data=st.data())
    def test_several_bets_a_round(self, drawn: ModuleType, bettor: str, data: st.DataObject) -> None:
        game = data.draw(drawn.settings_of_play())
        assume("player_pair" in game.table.bets)
        for done in drawn.ways_of(data.draw(drawn.built_in(game.table, bettor=bettor)), game).values():
            assert isinstance(done, tuple)
            check(done[0], done[1], game)


class TestExpectation:
    @pytest.mark.parametrize("bet", ["banker", "player", "tie"])
    @often(15)
    @given(data=st.data())
    def test_stake_times_the_edge_of_eight_decks(self, drawn: ModuleType, bet: str, data: st.DataObject) -> None:
        game = data.draw(drawn.settings_of_play(rules="commission", decks=8))
        unit = Money.of(game.table.limits_of(bet).minimum)
        total = sum(WAYS.values())
        for done in drawn.ways_of(FlatBettor(on=bet, unit=unit), game).values():
            ledger, _ = done
            mean = Fraction(0)
            for outcome, count in WAYS.items():
                sample = {"player": Round(7, 6, 2, 2), "banker": Round(6, 7, 2, 2), "tie": Round(6, 6, 2, 2)}[outcome]
                mean += Fraction(count, total) * settled(bet, in_units(unit.amount), sample, game.table)[0]
            expected = [float(mean * int(bets)) for bets in ledger.bets]
            assert ledger.expected.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-9)


# One session of one bet, played by hand: the table's answer, the bettor's policy, the purse.


@dataclass
class Hand:
    """What came of a session played by hand."""

    refused: dict[str, int]
    laid: list[Fraction]
    ended: str
    money: Fraction


def by_hand(game: Any, s: int, *, bet: str, unit: Fraction, doubling: bool) -> Hand:
    """Flat stakes, or doubling after a loss, on one bet."""
    terms, table = game.terms, game.table
    limits, policy = table.limits_of(bet), terms.policy
    low, high, step = in_units(limits.minimum), in_units(limits.ceiling), in_units(limits.increment)
    start = in_units(terms.bankroll)
    kept = Fraction(0) if terms.stop_loss is None else max(Fraction(0), start - in_units(terms.stop_loss))
    least = in_units(table.lowest_minimum)
    hand = Hand(dict.fromkeys(REASONS, 0), [], "", start)
    alone = table.side_bets_need_main_bet and table.bets[bet].kind == "side"
    stake = unit

    def over() -> str:
        if terms.stop_win is not None and hand.money >= start + in_units(terms.stop_win):
            return "stop_win"
        if hand.money - kept >= least:
            return ""
        return "stop_loss" if kept > 0 and hand.money >= least else "bust"

    def down_to_chips(sum_: Fraction) -> Fraction:
        chips = sum_ // step * step
        return chips if chips >= low else Fraction(0)

    def table_takes(wanted: Fraction) -> tuple[Fraction, bool]:
        """What the table takes of it, and whether that is all of it; counts why not."""
        takes = down_to_chips(min(wanted, high))
        if takes != wanted:
            why = "over_maximum" if wanted > high else "under_minimum" if wanted < low else "off_increment"
            hand.refused[why] += 1
        if alone and takes:
            hand.refused["no_main_bet"] += 1
            return Fraction(0), False
        return takes, takes == wanted

    def asked(again: bool) -> tuple[Fraction, str]:
        """The stake on the table before anyone looks into the purse, or an ending."""
        nonlocal stake
        takes, whole = table_takes(stake)
        if whole or policy == "cap":
            return takes, ""
        if policy == "skip":
            return Fraction(0), ""
        if policy == "reset" and again:
            stake = unit
            return asked(again=False)
        return Fraction(0), "limit"

    hand.ended = over()
    for code in game.rounds.codes[s, : game.rounds.lengths[s]].tolist():
        if hand.ended:
            return hand
        takes, hand.ended = asked(again=True)
        if hand.ended:
            return hand
        if takes > hand.money - kept:
            hand.refused["over_bankroll"] += 1
            wanted = takes
            if policy == "skip":
                takes = Fraction(0)
            elif policy == "cap":
                takes = down_to_chips(hand.money - kept)
                wanted = low
                hand.ended = "" if takes else "?"
            elif policy == "reset":
                stake = unit
                takes, hand.ended = asked(again=True)
                if not hand.ended and takes > hand.money - kept:
                    hand.refused["over_bankroll"] += 1
                    wanted, hand.ended = takes, "?"
            else:
                hand.ended = "?"
            if hand.ended == "?":
                hand.ended = "stop_loss" if kept > 0 and wanted <= hand.money else "cannot_cover"
            if hand.ended:
                return hand
        net, _ = settled(bet, takes, decode(code & CODE_MASK), table)
        if takes:
            stake = unit if net > 0 or not doubling else stake * 2 if net < 0 else stake
        else:
            net = Fraction(0)
        hand.money += net
        hand.laid.append(takes)
        hand.ended = over()
    hand.ended = hand.ended or ("source" if game.rounds.ran_out[s] else "rounds")
    return hand


class TestByHand:
    @pytest.mark.parametrize("policy", ["cap", "reset", "stop", "skip"])
    @pytest.mark.parametrize("doubling", [False, True], ids=["flat", "doubling"])
    @often(100)
    @given(data=st.data())
    def test_every_session(self, drawn: ModuleType, policy: str, doubling: bool, data: st.DataObject) -> None:
        game = data.draw(drawn.settings_of_play(policy=policy))
        bet = data.draw(st.sampled_from(sorted(game.table.bets)))
        unit = data.draw(drawn.units_at(game.table))
        bettor: Bettor = FlatBettor(on=bet, unit=unit)
        if doubling:
            bettor = Combined(Always(on=bet), Martingale(unit=unit))
        for done in drawn.ways_of(bettor, game).values():
            assume(isinstance(done, tuple))  # else an amount passed the largest that is kept exactly
            ledger, trace = done
            for s in range(ledger.sessions):
                hand = by_hand(game, s, bet=bet, unit=in_units(unit.amount), doubling=doubling)
                assert ENDINGS[ledger.ended_by[s]] == hand.ended
                assert dict(zip(REASONS, ledger.refused[s].tolist(), strict=True)) == hand.refused
                assert ledger.refusals[s] == sum(hand.refused.values())
                assert session(trace, game.first + s).staked == hand.laid
                assert in_units(ledger.final[s]) == hand.money
