"""The last round of a tournament against a plain search through everything that anybody may lay."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bacclab.analysis.costs.last_round import Laid, Seat, last_round
from bacclab.errors import BetError, MoneyError
from bacclab.exact.odds import code_counts, sequences
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.money import to_amount

TABLE = BUILT_IN_TABLES["commission"].override({"minimum": 100, "maximum": 300, "increment": 100})


def results(table, bets):
    """The chance of each combination of pay lines, one round code of each as its sample."""
    layout = Layout(table)
    counts = code_counts(table.shoe.decks)
    found = {}
    for code in counts.nonzero()[0].tolist():
        lines = tuple(int(layout.line[layout.index[bet], code]) for bet in bets)
        count, _ = found.get(lines, (0, code))
        found[lines] = count + int(counts[code]), code
    return [(Fraction(count, sequences(table.shoe.decks)), code) for count, code in found.values()]


def search(table, seats, me, bets, advance=1, *, must_bet=False):
    """My chances by bet, everybody after me (seats in order) choosing for themselves; exact fractions."""
    layout = Layout(table)
    chances = results(table, bets)

    def options(bankroll):
        limits = table.limits
        stakes = range(limits.minimum, min(limits.maximum, bankroll) + 1, limits.increment)
        laid = [Laid(bet, stake) for bet in bets for stake in stakes]
        return laid if must_bet and laid else [Laid(None, 0), *laid]

    def shares(laid):
        found = [Fraction(0)] * len(seats)
        for chance, code in chances:
            ends = [
                seat.bankroll + (layout.settle(layout.index[bet.bet], bet.stake, code)[0] if bet.bet else 0)
                for seat, bet in zip(seats, laid, strict=True)
            ]
            for k, end in enumerate(ends):
                above, equal = sum(other > end for other in ends), ends.count(end)
                found[k] += chance * Fraction(min(max(advance - above, 0), equal), equal)
        return found

    def play(laid):
        seat = len(laid)
        if seat == len(seats):
            return shares(laid)
        if seats[seat].laid is not None:
            return play([*laid, seats[seat].laid])
        tried = [play([*laid, option]) for option in options(seats[seat].bankroll)]
        return max(tried, key=lambda found: (found[seat], -found[me]))

    before = [seat.laid for seat in seats[:me]]
    return {option: play([*before, option])[me] for option in options(seats[me].bankroll)}


CASES = [
    # bankrolls in order of seats (a bet where it is laid), my place, how many advance
    ([(1050, None), (1000, None)], 0, 1),
    ([(900, None), (1000, None)], 0, 1),
    ([(1000, None), (1000, None)], 0, 1),
    ([(1000, ("banker", 200)), (850, None)], 1, 1),
    ([(1000, ("player", 300)), (950, None), (1100, None)], 1, 1),
    ([(1000, None), (1000, ("tie", 100)), (700, None)], 0, 1),
    ([(900, None), (1000, None), (1100, None)], 0, 1),
    ([(900, None), (1000, None), (1100, None)], 0, 2),
    ([(1000, (None, 0)), (150, None), (900, None)], 1, 2),
    ([(500, None), (50, None)], 0, 1),
]


@pytest.mark.parametrize(("rows", "me", "advance"), CASES)
def test_against_a_plain_search(rows, me, advance):
    seats = [
        Seat(f"seat {k}", to_amount(held), None if laid is None else Laid(laid[0], to_amount(laid[1])))
        for k, (held, laid) in enumerate(rows)
    ]
    expected = search(TABLE, seats, me, ("banker", "player", "tie"), advance)
    found = last_round(TABLE, bankroll=seats[me].bankroll, before=seats[:me], after=seats[me + 1 :], advance=advance)
    assert {choice.laid for choice in found} == set(expected)
    for choice in found:
        assert choice.chance == pytest.approx(float(expected[choice.laid]), abs=1e-12), choice.laid
    assert found[0].chance == pytest.approx(float(max(expected.values())), abs=1e-12)


def test_side_bets_and_an_obligation_to_bet():
    seats = [Seat("a", to_amount(1000), Laid("banker", to_amount(300))), Seat("b", to_amount(400))]
    bets = ("banker", "player_pair")
    expected = search(TABLE, seats, 1, bets, must_bet=True)
    found = last_round(TABLE, bankroll=seats[1].bankroll, before=seats[:1], bets=bets, must_bet=True)
    assert {choice.laid for choice in found} == set(expected)
    for choice in found:
        assert choice.chance == pytest.approx(float(expected[choice.laid]), abs=1e-12)
    # 11:1 on 100 passes a lead of 600, whatever Banker does, unless 1,000 wins 285.
    assert found[0].laid.bet == "player_pair"


def test_a_bet_that_wins_two_ways():
    """50 behind, the leader has 300 on Banker: 100 on Tie is first after a tie and, as the leader then loses, after a
    Player win."""
    leader = Seat("leader", to_amount(1000), Laid("banker", to_amount(300)))
    found = last_round(TABLE, bankroll=to_amount(950), before=[leader])
    player, tie = 0.446246609344, 0.095155968024
    assert found[0].laid == Laid("tie", to_amount(100))
    assert found[0].chance == pytest.approx(player + tie, abs=1e-12)
    by_laid = {choice.laid: choice.chance for choice in found}
    assert by_laid[Laid(None, 0)] == pytest.approx(player, abs=1e-12)
    assert by_laid[Laid("banker", to_amount(300))] == pytest.approx(0, abs=1e-12)


def test_what_cannot_be():
    seat = Seat("a", to_amount(1000))
    for terms, error, said in (
        ({"before": [seat]}, BetError, "the bet must be given"),
        ({"after": [seat], "bets": ["bankr"]}, BetError, "did you mean banker"),
        ({"after": [seat], "advance": 2}, BetError, "cannot be the first"),
        (
            {"before": [Seat("a", 10, Laid("banker", to_amount(150)))]},
            BetError,
            "in steps of 100.00 on banker, not 150",
        ),
        ({"before": [Seat("a", 10, Laid("banker", to_amount(100)))]}, MoneyError, "a has 0.001 and cannot lay 100.00"),
        ({"before": [Seat("a", 10, Laid("bankr", to_amount(100)))]}, BetError, "did you mean banker"),
    ):
        with pytest.raises(error, match=said):
            last_round(TABLE, bankroll=to_amount(1000), **terms)
    fine = TABLE.override({"maximum": 100_000, "increment": 1})
    rich = [Seat("a", to_amount(100_000)), Seat("b", to_amount(100_000))]
    with pytest.raises(BetError, match="too many to go through"):
        last_round(fine, bankroll=to_amount(100_000), after=rich)
    pairs = BUILT_IN_TABLES["no-commission"]
    with pytest.raises(BetError, match="only beside a main bet"):
        last_round(pairs, bankroll=to_amount(100), after=[seat], bets=["player_pair"])
