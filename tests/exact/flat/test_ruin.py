"""Bankroll questions against every sequence of rounds, dense linear equations and closed forms."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from bacclab.errors import BetError, MoneyError
from bacclab.exact.flat import walks
from bacclab.exact.flat.bet import FlatBet
from bacclab.exact.flat.kelly import kelly
from bacclab.exact.flat.ruin import endings, ever_reached, goal_chances, ruin, smallest_bankroll
from bacclab.exact.flat.totals import total
from bacclab.game.codes import Round
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.money import to_amount

TABLES = BUILT_IN_TABLES
SMALL = [
    # nets with chances, stake: a coin, half pays with pushes, a long shot, a commission, a bet of another game
    (FlatBet(2, {-2: Fraction(1, 2), 2: Fraction(1, 2)}), 7),
    (FlatBet(2, {-2: Fraction(45, 100), 0: Fraction(1, 10), 1: Fraction(1, 10), 2: Fraction(35, 100)}), 6),
    (FlatBet(3, {-3: Fraction(9, 10), 24: Fraction(1, 10)}), 9),
    (FlatBet(20, {-20: Fraction(46, 100), 0: Fraction(9, 100), 19: Fraction(45, 100)}), 6),
    (FlatBet(2, {-2: Fraction(18, 37), -1: Fraction(1, 37), 2: Fraction(18, 37)}), 6),
    (FlatBet(3, {-3: Fraction(2, 10), -1: Fraction(3, 10), 2: Fraction(5, 10)}), 6),
]


def every_sequence(bet, *, bankroll, rounds, goal):
    """The classes of endings, mean rounds and mean net, from every sequence of nets."""
    found = dict.fromkeys(("goal", "bust", "ahead", "even", "behind", "rounds", "net"), Fraction(0))
    for sequence in itertools.product(bet.nets.items(), repeat=rounds):
        chance = math.prod(chance for _, chance in sequence)
        held, played, ended = bankroll, 0, None
        for net, _ in sequence:
            held, played = held + net, played + 1
            if goal is not None and held >= bankroll + goal:
                ended = "goal"
            elif held < bet.stake:
                ended = "bust"
            if ended:
                break
        ended = ended or ("ahead" if held > bankroll else "even" if held == bankroll else "behind")
        found[ended] += chance
        found["rounds"] += chance * played
        found["net"] += chance * (held - bankroll)
    return found


@pytest.mark.parametrize(("bet", "rounds"), SMALL)
@pytest.mark.parametrize("bets", [1, 2, 4])
@pytest.mark.parametrize("goal", [None, 1, 3])
def test_against_every_sequence(bet, rounds, bets, goal):
    bankroll = bets * bet.stake + 1
    sum_to_win = None if goal is None else goal * bet.stake - 1
    found = endings(bet, bankroll=bankroll, rounds=rounds, goal=sum_to_win)
    for key, value in every_sequence(bet, bankroll=bankroll, rounds=rounds, goal=sum_to_win).items():
        assert getattr(found, key) == pytest.approx(float(value), rel=1e-14, abs=1e-15), key
    assert ruin(bet, bankroll=bankroll, rounds=rounds, goal=sum_to_win) == pytest.approx(found.bust, rel=1e-14)


@pytest.mark.parametrize(("bet", "rounds"), SMALL)
def test_totals_against_every_sequence(bet, rounds):
    expected = {}
    for sequence in itertools.product(bet.nets.items(), repeat=rounds):
        net = sum(net for net, _ in sequence)
        expected[net] = expected.get(net, 0) + math.prod(chance for _, chance in sequence)
    found = total(bet, rounds)
    assert found.nets.tolist() == sorted(expected)
    assert found.chances.tolist() == pytest.approx([float(expected[net]) for net in sorted(expected)], rel=1e-13)
    assert found.mean_loss() == pytest.approx(float(-sum(n * c for n, c in expected.items() if n < 0)), rel=1e-13)


def dense(bet, room, top):
    """Chance to reach the top, and mean rounds, by a dense system of equations on the lattice."""
    walk = bet.walk
    size = room + top
    matrix = np.eye(size)
    goal, one = np.zeros(size), np.ones(size)
    for place in range(size):
        for step, chance in zip(walk.steps, walk.chances, strict=True):
            if 0 <= place + step < size:
                matrix[place, place + step] -= chance
            elif place + step >= size:
                goal[place] += chance
    return np.linalg.solve(matrix, goal)[room], np.linalg.solve(matrix, one)[room]


@pytest.mark.parametrize(
    ("table", "bet"),
    [
        ("commission", "banker"),
        ("commission", "player"),
        ("commission", "tie"),
        ("no-commission", "banker"),
        ("ez", "dragon_7"),
        ("commission", "player_pair"),
    ],
)
@pytest.mark.parametrize(("bankroll", "goal"), [(1, 1), (8, 5), (12, 20)])
def test_unlimited_play_against_equations(table, bet, bankroll, goal):
    flat = FlatBet.at(TABLES[table], {bet: to_amount(1)})
    found = endings(flat, bankroll=to_amount(bankroll), goal=to_amount(goal))
    unit = flat.walk.unit
    reached, rounds = dense(flat, to_amount(bankroll - 1) // unit, to_amount(goal) // unit)
    assert found.goal == pytest.approx(reached, rel=1e-11)
    assert found.rounds == pytest.approx(rounds, rel=1e-11)
    assert found.goal + found.bust == pytest.approx(1, abs=1e-14)


def test_gamblers_ruin_keeps_its_digits():
    """Player: (1 - r^K) / (1 - r^(K+G)) with r = q / p, also where it is smaller than 1e-16."""
    player = FlatBet.at(TABLES["commission"], {"player": to_amount(1)})
    ratio = player.nets[-to_amount(1)] / player.nets[to_amount(1)]
    for bankroll, goal in ((20, 20), (1, 300), (100, 1500)):
        found = endings(player, bankroll=to_amount(bankroll), goal=to_amount(goal))
        exact = float((1 - ratio**bankroll) / (1 - ratio ** (bankroll + goal)))
        assert found.goal == pytest.approx(exact, rel=1e-12)
    assert found.goal < 1e-16


def test_a_long_horizon_becomes_unlimited_play():
    banker = FlatBet.at(TABLES["commission"], {"banker": to_amount(1)})
    for terms in ({"goal": to_amount(8)}, {}):
        late = endings(banker, bankroll=to_amount(5), rounds=60_000 if not terms else 6_000, **terms)
        last = endings(banker, bankroll=to_amount(5), **terms)
        assert late.goal == pytest.approx(last.goal, abs=1e-6)
        assert late.bust == pytest.approx(last.bust, abs=1e-3)
        assert late.rounds == pytest.approx(last.rounds, rel=2e-3)


def test_an_edge_for_the_player():
    """Banker without commission: r^K by the closed form; a bankroll that is enough exists."""
    table = TABLES["commission"].override({"commission": 0})
    banker = FlatBet.at(table, {"banker": to_amount(1)})
    ratio = float(banker.nets[-to_amount(1)] / banker.nets[to_amount(1)])
    for bets in (1, 10, 50):
        assert ruin(banker, bankroll=to_amount(bets)) == pytest.approx(ratio**bets, rel=1e-12)
    found = smallest_bankroll(banker, risk=0.05)
    assert found.bets == math.ceil(math.log(0.05) / math.log(ratio))
    assert found.ruin <= 0.05 < ruin(banker, bankroll=found.amount - banker.stake)
    assert endings(banker, bankroll=to_amount(10)).rounds is None


def test_an_edge_with_uneven_steps():
    """A favourable bet that loses 20 steps at once: within Lundberg's bounds, and as a long horizon says."""
    bet = FlatBet(20, {-20: Fraction(44, 100), 19: Fraction(56, 100)})
    rate = walks.lundberg(bet.walk)
    assert float(np.expm1(-rate * bet.walk.steps) @ bet.walk.chances) == pytest.approx(0, abs=1e-14)
    for bets in (1, 5, 20):
        chance = ruin(bet, bankroll=20 * bets)
        room = 20 * (bets - 1)
        assert math.exp(-rate * (room + 20)) <= chance <= math.exp(-rate * (room + 1))
        assert chance == pytest.approx(ruin(bet, bankroll=20 * bets, rounds=8_000), rel=1e-9)


def test_a_fair_bet_is_ruined_in_the_end():
    coin = FlatBet(1, {-1: Fraction(1, 2), 1: Fraction(1, 2)})
    assert ruin(coin, bankroll=1_000) == 1
    assert smallest_bankroll(coin, risk=0.5) is None
    assert endings(coin, bankroll=30, goal=10).goal == pytest.approx(0.75, rel=1e-13)
    assert endings(coin, bankroll=30, goal=10).rounds == pytest.approx(300, rel=1e-12)
    assert ever_reached(coin, 10) == 1


@pytest.mark.parametrize("rounds", [50, 300, None])
@pytest.mark.parametrize("goal", [None, 10])
@pytest.mark.parametrize("bet", ["banker", "tie"])
def test_the_smallest_bankroll_is_the_smallest(bet, rounds, goal):
    flat = FlatBet.at(TABLES["commission"], {bet: to_amount(25)})
    sum_to_win = None if goal is None else goal * flat.stake
    for risk in (0.01, 0.3, 0.7):
        found = smallest_bankroll(flat, risk=risk, rounds=rounds, goal=sum_to_win)
        if found is None:
            assert rounds is None
            assert goal is None or 1 - ever_reached(flat, sum_to_win) >= risk
            continue
        assert found.amount == found.bets * flat.stake
        assert found.ruin == pytest.approx(ruin(flat, bankroll=found.amount, rounds=rounds, goal=sum_to_win), rel=1e-12)
        assert found.ruin <= risk
        if found.bets > 1:
            assert ruin(flat, bankroll=found.amount - flat.stake, rounds=rounds, goal=sum_to_win) > risk


def test_two_way_table():
    player = FlatBet.at(TABLES["commission"], {"player": to_amount(1)})
    sums = [to_amount(1), to_amount(4)]
    for rounds in (None, 30):
        found = goal_chances(player, bankrolls=sums, goals=sums, rounds=rounds)
        for row, column in itertools.product(range(2), repeat=2):
            expected = endings(player, bankroll=sums[row], goal=sums[column], rounds=rounds).goal
            assert found[row, column] == expected


def test_a_bankroll_that_is_no_whole_number_of_bets():
    """What is over a whole bet helps only if the steps of the bet can use it."""
    player = FlatBet.at(TABLES["commission"], {"player": to_amount(10)})
    banker = FlatBet.at(TABLES["commission"], {"banker": to_amount(10)})
    whole, more = to_amount(20), to_amount("29.99")
    assert ruin(player, bankroll=more, rounds=50) == ruin(player, bankroll=whole, rounds=50)
    assert ruin(banker, bankroll=more, rounds=50) < ruin(banker, bankroll=whole, rounds=50)


def test_stakes_do_not_matter():
    small = FlatBet.at(TABLES["no-commission"], {"banker": to_amount(1)})
    large = FlatBet.at(TABLES["no-commission"], {"banker": to_amount(250)})
    assert ruin(small, bankroll=to_amount(20), rounds=200) == ruin(large, bankroll=to_amount(5_000), rounds=200)


def test_nets_of_several_bets_against_every_code():
    """Banker and Tie and Player Pair together, round code by round code."""
    from bacclab.exact.odds import code_counts, sequences
    from bacclab.game.codes import CODES, Outcome, decode

    flat = FlatBet.at(TABLES["commission"], {"banker": to_amount(10), "tie": to_amount(2), "player_pair": to_amount(1)})
    counts = code_counts(8)
    expected = {}
    for code in range(CODES):
        if not counts[code]:
            continue
        round_: Round = decode(code)
        net = {Outcome.BANKER: 9.5 - 2, Outcome.PLAYER: -12, Outcome.TIE: 16}[round_.outcome]
        net += 11 if round_.player_pair else -1
        expected[to_amount(net)] = expected.get(to_amount(net), 0) + Fraction(int(counts[code]), sequences(8))
    assert flat.nets == expected
    assert flat.stake == to_amount(13)


def test_commission_is_rounded_as_at_the_table():
    flat = FlatBet.at(TABLES["commission-quarters"], {"banker": to_amount(7)})
    assert sorted(flat.nets) == [to_amount(-7), 0, to_amount("6.50")]


def test_what_cannot_be_asked():
    table = TABLES["no-commission"].override({"minimum": 10, "maximum": 500, "increment": 5})
    for stakes, said in (
        ({"player_pair": to_amount(10)}, "only beside a main bet"),
        ({"banker": to_amount(5)}, "takes 10.00 to 500.00"),
        ({"banker": to_amount(505)}, "not 505.00"),
        ({"banker": to_amount(12)}, "in steps of 5.00"),
        ({"bankr": to_amount(10)}, "did you mean banker"),
        ({}, "no bet was named"),
    ):
        with pytest.raises(BetError, match=said):
            FlatBet.at(table, stakes)
    flat = FlatBet.at(table, {"banker": to_amount(10), "player_pair": to_amount(10)})
    for terms, said in (
        ({"bankroll": to_amount(19)}, "does not cover one bet of 20.00"),
        ({"bankroll": to_amount(100), "goal": 0}, "a goal must be above 0"),
        ({"bankroll": 2**54}, "too large"),
    ):
        with pytest.raises(MoneyError, match=said):
            endings(flat, **terms)
    with pytest.raises(BetError, match="at least 1 round"):
        endings(flat, bankroll=to_amount(100), rounds=0)
    with pytest.raises(BetError, match="between 0 and 1"):
        smallest_bankroll(flat, risk=1.5)
    with pytest.raises(BetError, match="rounds can be done"):
        ruin(flat, bankroll=to_amount(100), rounds=10**8)
    with pytest.raises(BetError, match="do not add up to 1"):
        FlatBet(1, {1: Fraction(1, 2), -1: Fraction(1, 3)})
    with pytest.raises(BetError, match="neither wins nor loses"):
        FlatBet(1, {0: Fraction(1)})


def test_kelly_maximises_growth():
    """Against a search over fractions, for bets with several pay lines and pushes."""
    table = TABLES["commission"].override({"odds": {"tie": "12:1"}})
    for stakes in ({"tie": 10_000}, {"tie": 10_000, "banker": 10_000}):
        flat = FlatBet.at(table, stakes)
        nets = np.array([net / flat.stake for net in flat.nets])
        chances = np.array([float(chance) for chance in flat.nets.values()])
        fractions = np.linspace(0, 0.2, 200_001)
        growth = np.log1p(np.outer(fractions, nets)) @ chances
        assert kelly(flat).fraction == pytest.approx(fractions[growth.argmax()], abs=2e-6)
        assert kelly(flat).fraction > 0


def test_kelly_at_the_ends():
    assert kelly(FlatBet(1, {1: Fraction(1)})).fraction == 1
    assert kelly(FlatBet(1, {-1: Fraction(1)})) == kelly(FlatBet(5, {-5: Fraction(1)}))
    assert kelly(FlatBet(1, {-1: Fraction(1)})).raw is None
    assert kelly(FlatBet(2, {-1: Fraction(1, 100), 4: Fraction(99, 100)})).fraction == 1
