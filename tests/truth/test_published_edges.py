"""Every built-in bet against published figures, and against an enumeration with rules and pay tables of its own.

Sources: wizardofodds.com (tables of combinations by event), advancedadvantageplay.com (Jacobson: edges and variances),
and the exact figures of the reference tables. Where a house's figure has fewer digits, so has the comparison.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

import numpy as np
import pytest

import bacclab as bl
from bacclab.exact.odds import code_counts, sequences
from bacclab.game.bets import BUILT_IN_BETS
from bacclab.game.codes import outcomes

EIGHT_DECKS = 4_998_398_275_503_360

# Sequences of six cards out of eight decks, to the last one, by bet and pay line.
COMBINATIONS = {
    "dragon_bonus_player": {
        "by_nine": 18_409_431_764_992, "by_eight": 34_097_645_543_424, "by_seven": 89_590_261_473_280,
        "by_six": 141_238_897_317_888, "by_five": 166_169_165_987_840, "by_four": 186_780_352_174_080,
        "natural": 812_685_054_124_032, "natural_tie": 89_325_908_267_520,
    },
    "dragon_bonus_banker": {
        "by_nine": 15_390_342_909_952, "by_eight": 28_305_092_784_128, "by_seven": 79_517_099_278_336,
        "by_six": 119_200_072_366_080, "by_five": 157_275_882_332_160, "by_four": 201_147_167_287_296,
        "natural": 812_685_054_124_032, "natural_tie": 89_325_908_267_520,
    },
    "egalite_0": {"zero": 28_979_901_420_544}, "egalite_1": {"one": 20_499_217_668_352},
    "egalite_2": {"two": 20_006_606_104_576}, "egalite_3": {"three": 22_250_510_129_408},
    "egalite_4": {"four": 36_294_133_463_040}, "egalite_5": {"five": 39_684_046_743_808},
    "egalite_6": {"six": 96_170_001_308_416}, "egalite_7": {"seven": 101_717_538_899_968},
    "egalite_8": {"eight": 54_879_416_675_072}, "egalite_9": {"nine": 55_146_054_060_032},
    "player_natural_8": {"eight": 472_508_456_071_680}, "banker_natural_8": {"eight": 472_508_456_071_680},
    "player_natural_9": {"nine": 474_361_430_409_216}, "banker_natural_9": {"nine": 474_361_430_409_216},
    "lucky_6": {"six_two_cards": 186_173_936_904_192, "six_three_cards": 83_058_367_551_488},
    "dragon_7": {"win": 112_633_011_329_024}, "panda_8": {"win": 172_660_763_262_976},
    "bad_beat": {"win": 89_717_848_178_688},
}  # fmt: skip

# House edge in per cent as printed: bet (":" pay table), edge with eight decks.
EDGES = {
    "dragon_bonus_player": 2.6517, "dragon_bonus_banker": 9.3731,
    "egalite_9": 10.6348, "egalite_8": 11.0669, "egalite_7": 6.3899, "egalite_6": 11.4952, "egalite_5": 11.8732,
    "egalite_4": 12.1401, "egalite_3": 10.5243, "egalite_2": 9.5412, "egalite_1": 11.4150, "egalite_0": 12.4527,
    "egalite_0:160:1": 6.6548, "egalite_1_to_3": 10.8574, "egalite_4_5": 7.2769, "egalite_6_7": 8.9426,
    "egalite_8_9": 9.7502,
    "player_natural_8": 5.4680, "player_natural_9": 5.0973, "banker_natural_8:8:1": 14.9212,
    "banker_natural_9:8:1": 14.588,
    "lucky_6:las-vegas": 11.6985, "lucky_6:macau": 16.6836, "tiger": 16.6836, "small_tiger": 14.33,
    "big_tiger": 15.2533,
    "super_6": 29.98, "perfect_pair:25": 13.0294, "perfect_pair:26": 9.6844, "perfect_pair:25-250": 6.6235,
    "four_cards": 5.283, "five_cards": 8.967, "six_cards": 4.694, "big": 4.35,
    "three_giving_8": 8.682, "eights_and_nines": 7.372, "nine_over_seven": 8.103, "bad_beat": 8.459,
    "dragon_7": 7.611334, "panda_8": 10.187632, "either_pair": 13.709877,
    "player_pair:12:1": 2.891566, "banker_pair:11:1": 10.361446, "tie:9:1": 4.844032, "tie:8:1": 14.359629,
}  # fmt: skip

SIX_DECKS = {
    "four_cards": 5.269, "five_cards": 8.938, "six_cards": 4.739, "perfect_pair:25": 17.07, "perfect_pair:26": 13.88,
    "dragon_bonus_player": 2.67, "dragon_bonus_banker": 9.39, "small": 5.27,
}  # fmt: skip

# Chances of four, five and six cards. (The returns printed beside them were worked out from these rounded chances, and
# so differ from the exact ones by one in the sixth decimal: -0.046939 for six cards instead of -0.046938.)
NUMBERS_OF_CARDS = {8: (0.378868, 0.303444, 0.317687), 6: (0.378925, 0.303540, 0.317535)}

VARIANCES = {"three_giving_8": 182.715, "eights_and_nines": 18.594, "big_tiger": 42.503}
DEVIATIONS = {
    "dragon_7": 6.084882, "panda_8": 4.748114, "player_pair": 3.154856, "banker_pair:12:1": 3.417761,
    "player_natural_8": 2.925674, "player_natural_9": 2.930805, "tie": 2.640872, "tie:9:1": 2.934302,
    "big_tiger": 6.519,
}  # fmt: skip


def last_place(number):
    """Half a unit of the last printed digit, and a little for those who cut off."""
    return 0.6 * 10.0 ** -len(str(number).partition(".")[2])


def figures_of(bet, decks=8):
    return bl.odds("commission", decks=decks, bets=[bet]).figures[bet.partition(":")[0]]


@pytest.mark.parametrize("bet", COMBINATIONS)
def test_combinations_to_the_last_one(bet):
    lines = {row["line"]: row["sequences"] for row in bl.odds(bets=[bet]).result_rows()}
    lost = lines.pop("lost")
    assert lines == COMBINATIONS[bet]
    assert lost == EIGHT_DECKS - sum(COMBINATIONS[bet].values())


@pytest.mark.parametrize("bet", EDGES)
def test_edges_with_eight_decks(bet):
    assert 100 * figures_of(bet).edge == pytest.approx(EDGES[bet], abs=last_place(EDGES[bet]))


@pytest.mark.parametrize("bet", SIX_DECKS)
def test_edges_with_six_decks(bet):
    assert 100 * figures_of(bet, 6).edge == pytest.approx(SIX_DECKS[bet], abs=last_place(SIX_DECKS[bet]))


@pytest.mark.parametrize("decks", NUMBERS_OF_CARDS)
def test_numbers_of_cards(decks):
    wins = [figures_of(f"{word}_cards", decks).win for word in ("four", "five", "six")]
    assert np.allclose(wins, NUMBERS_OF_CARDS[decks], rtol=0, atol=6e-7)


def test_figures_that_are_printed_for_the_wrong_number_of_decks():
    assert f"{100 * figures_of('small', 8).edge:.2f} {100 * figures_of('small', 6).edge:.2f}" == "5.28 5.27"
    assert f"{100 * figures_of('perfect_pair:26', 8).edge:.2f}" == "9.68"
    ez = [bl.odds("ez", decks=decks).figures["banker"].edge for decks in (8, 6)]
    assert f"{100 * ez[0]:.3f}" == "1.018"
    assert f"{100 * ez[1]:.3f}" != "1.018"


def test_dragon_bonus_with_four_decks():
    assert [f"{100 * figures_of(f'dragon_bonus_{side}', 4).edge:.2f}" for side in ("player", "banker")] == [
        "2.70",
        "9.42",
    ]


def test_half_on_a_six_read_literally():
    """Paying half means +0.5; losing half of the stake instead would be 6.8 %."""
    half = bl.odds("no-commission").figures["banker"]
    six = next(result for result in half.results if result.line == "six")
    assert f"{100 * half.edge:.2f} {100 * (half.edge + float(six.chance)):.1f}" == "1.46 6.8"


def test_variances_and_deviations():
    for bet, variance in VARIANCES.items():
        assert figures_of(bet).variance == pytest.approx(variance, abs=last_place(variance))
    for bet, deviation in DEVIATIONS.items():
        assert figures_of(bet).sd == pytest.approx(deviation, abs=last_place(deviation))


N0 = {
    "commission": {"banker": 7684, "player": 5931, "tie": 338},
    "ez": {"banker": 8508},
    "no-commission": {"banker": 4065},
}


@pytest.mark.parametrize("table", N0)
def test_rounds_until_the_edge_is_one_deviation(table):
    rows = {row["bet"]: row for row in bl.odds(table).bets.to_dicts()}
    assert {bet: round(rows[bet]["n0"]) for bet in N0[table]} == N0[table]


def test_deviation_of_a_hundred_rounds():
    banker = figures_of("banker").sd
    assert f"{10 * banker:.4f} {72**0.5 * banker:.3f}" == "9.2737 7.869"


# By Player's total with two cards: chances of Player, Banker, Tie.
AFTER_TWO_CARDS = (
    (0.278792, 0.654627, 0.066581), (0.282833, 0.647252, 0.069915), (0.290303, 0.634207, 0.07549),
    (0.303386, 0.615539, 0.081075), (0.322084, 0.579983, 0.097933), (0.358488, 0.537849, 0.103663),
    (0.430362, 0.427801, 0.141838), (0.572657, 0.285046, 0.142297), (0.810911, 0.094938, 0.094151),
    (0.905475, 0.0, 0.094525),
)  # fmt: skip


@pytest.mark.parametrize("total", range(10))
def test_chances_given_the_first_two_cards_of_player(total):
    counts = code_counts(8, player_two=total)
    chances = [counts[outcomes() == place].sum() / counts.sum() for place in range(3)]
    assert np.allclose(chances, AFTER_TWO_CARDS[total], rtol=0, atol=6e-7)


def test_given_totals_add_up():
    assert sum(int(code_counts(8, player_two=total).sum()) for total in range(10)) == sequences(8)
    both = [code_counts(8, player_two=p, banker_two=b) for p in range(10) for b in range(10)]
    assert (sum(both) == code_counts(8)).all()


# ---- an enumeration of its own


@functools.cache
def rounds(decks):
    """[(Player, Banker, cards of Player, cards of Banker, pairs), ...] with the number of sequences of each.

    All ranks of the first four cards, then values of the next two. Pairs are told by rank: 0 none, 1 one side, 2 both,
    3 both of one rank.
    """
    held = 4 * decks
    a, b, c, d = (rank.ravel() for rank in np.indices((13,) * 4))  # a, c Player's; b, d Banker's
    ways = held * (held - (b == a)) * (held - (c == a).astype(int) - (c == b))
    ways = ways * (held - (d == a).astype(int) - (d == b) - (d == c))
    worth = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0])
    left = np.tile(np.array([4 * held, *[held] * 9]), (a.size, 1))
    for rank in (a, b, c, d):
        left[np.arange(a.size), worth[rank]] -= 1
    player, banker = (worth[a] + worth[c]) % 10, (worth[b] + worth[d]) % 10
    pairs = (a == c).astype(int) + (b == d) + ((a == c) & (b == d) & (a == b))
    draws = np.zeros((8, 10), bool)  # Banker's total, Player's third card
    draws[:3] = True
    draws[3, [0, 1, 2, 3, 4, 5, 6, 7, 9]] = draws[4, 2:8] = draws[5, 4:8] = draws[6, 6:8] = True
    total = np.zeros((10, 10, 2, 2, 4), np.int64)
    open_ = (player < 8) & (banker < 8)
    for x in range(10):
        for y in range(10):
            number = ways * left[:, x] * (left[:, y] - (x == y))
            hit = open_ & (player < 6)
            third = np.where(hit, draws[np.minimum(banker, 7), x], open_ & (banker < 6))
            p = np.where(hit, player + x, player) % 10
            q = np.where(third, banker + np.where(hit, y, x), banker) % 10
            np.add.at(total, (p, q, hit.astype(int), third.astype(int), pairs), number)
    assert int(total.sum()) == math.perm(52 * decks, 6)
    return [((p, q, u + 2, v + 2, pair), int(n)) for (p, q, u, v, pair), n in np.ndenumerate(total) if n]


@pytest.mark.parametrize("decks", [8, 6, 4, 2, 1])
def test_counts_of_outcomes(decks):
    own = [0, 0, 0]
    for (p, q, *_), number in rounds(decks):
        own[0 if p > q else 1 if q > p else 2] += number
    assert [int(code_counts(decks)[outcomes() == place].sum()) for place in range(3)] == own
    if decks == 8:
        assert own == [2_230_518_282_592_256, 2_292_252_566_437_888, 475_627_426_473_216]
    for published, chances in ((6, (0.446278569839, 0.458652718825, 0.095068711336)),
                               (1, (0.446760430304, 0.459624155172, 0.093615414524))):  # fmt: skip
        if decks == published:
            assert np.allclose([n / math.perm(52 * decks, 6) for n in own], chances, rtol=0, atol=6e-13)


def margin(side):
    pays = {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1}

    def rule(p, q, u, v, _pairs):
        mine, other, cards = (p, q, u) if side == "player" else (q, p, v)
        if p == q:
            return 0 if p > 7 and u == v == 2 else -1
        if mine < other:
            return -1
        return 1 if mine > 7 and cards == 2 else pays.get(mine - other, -1)

    return rule


def when(test, pays):
    return lambda *round_: pays if test(*round_) else -1


OWN_RULES = {
    "banker": lambda p, q, *_: Fraction(19, 20) if q > p else -1 if p > q else 0,
    "player": lambda p, q, *_: 1 if p > q else -1 if q > p else 0,
    "tie": when(lambda p, q, *_: p == q, 8),
    "either_pair": when(lambda p, q, u, v, pairs: pairs > 0, 5),
    "tiger_pair": lambda p, q, u, v, pairs: (-1, 4, 20, 100)[pairs],
    "dragon_7": when(lambda p, q, u, v, _: q == 7 > p and v == 3, 40),
    "panda_8": when(lambda p, q, u, v, _: p == 8 > q and u == 3, 25),
    "super_6": when(lambda p, q, *_: q == 6 > p, 12),
    "lucky_6": lambda p, q, u, v, _: {2: 12, 3: 20}[v] if q == 6 > p else -1,
    "tiger": lambda p, q, u, v, _: {2: 12, 3: 20}[v] if q == 6 > p else -1,
    "small_tiger": when(lambda p, q, u, v, _: q == 6 > p and v == 2, 22),
    "big_tiger": when(lambda p, q, u, v, _: q == 6 > p and v == 3, 50),
    "tiger_tie": when(lambda p, q, *_: p == q == 6, 35),
    "player_natural": when(lambda p, q, u, v, _: p > 7 and u == 2, 4),
    "banker_natural": when(lambda p, q, u, v, _: q > 7 and v == 2, 4),
    "player_natural_8": when(lambda p, q, u, v, _: p == 8 and u == 2, 9),
    "player_natural_9": when(lambda p, q, u, v, _: p == 9 and u == 2, 9),
    "banker_natural_8": when(lambda p, q, u, v, _: q == 8 and v == 2, 9),
    "banker_natural_9": when(lambda p, q, u, v, _: q == 9 and v == 2, 9),
    **{
        f"egalite_{total}": when(lambda p, q, *_, total=total: p == q == total, pays)
        for total, pays in enumerate((150, 215, 225, 200, 120, 110, 45, 45, 80, 80))
    },
    "egalite_1_to_3": when(lambda p, q, *_: p == q and 1 <= p <= 3, 70),
    "egalite_4_5": when(lambda p, q, *_: p == q and p in (4, 5), 60),
    "egalite_6_7": when(lambda p, q, *_: p == q and p in (6, 7), 22),
    "egalite_8_9": when(lambda p, q, *_: p == q and p > 7, 40),
    "dragon_bonus_player": margin("player"),
    "dragon_bonus_banker": margin("banker"),
    "four_cards": when(lambda p, q, u, v, _: u + v == 4, Fraction(3, 2)),
    "five_cards": when(lambda p, q, u, v, _: u + v == 5, 2),
    "six_cards": when(lambda p, q, u, v, _: u + v == 6, 2),
    "big": when(lambda p, q, u, v, _: u + v > 4, Fraction(54, 100)),
    "small": when(lambda p, q, u, v, _: u + v == 4, Fraction(3, 2)),
    "three_giving_8": when(lambda p, q, u, v, _: q == 3 and u == 3 and v == 2, 200),
    "eights_and_nines": when(lambda p, q, *_: p > 7 and q > 7, 20),
    "nine_over_seven": when(lambda p, q, u, v, _: {p, q} == {9, 7} and u + v == 4, 50),
    "bad_beat": when(lambda p, q, u, v, _: {p, q} == {9, 8} and u + v == 4, 50),
}  # fmt: skip

BY_HAND = {"player_pair", "banker_pair", "perfect_pair"}


def test_every_bet_is_enumerated():
    assert set(OWN_RULES) | BY_HAND == set(BUILT_IN_BETS)


@pytest.mark.parametrize("decks", [8, 6, 1])
def test_every_bet_against_its_own_enumeration(decks):
    """Expectation and mean square of every bet, as exact fractions."""
    figures = bl.odds("commission-all-bets", decks=decks).figures
    total = math.perm(52 * decks, 6)
    for bet, rule in OWN_RULES.items():
        nets = [(Fraction(rule(*round_)), number) for round_, number in rounds(decks)]
        assert figures[bet].expected == sum(net * number for net, number in nets) / total, bet
        square = float(sum(net**2 * number for net, number in nets) / total)
        assert figures[bet].variance == pytest.approx(square - float(figures[bet].expected) ** 2, rel=1e-12), bet


@pytest.mark.parametrize("decks", [8, 6, 1])
def test_pairs_by_counting(decks):
    """One pair by rank: the second card is one of 4d-1 of 52d-1. Suited: one of d-1; both sides by cases."""
    figures = bl.odds("commission-all-bets", decks=decks).figures
    cards, d = 52 * decks, decks
    pair = Fraction(4 * d - 1, cards - 1)
    assert figures["player_pair"].expected == figures["banker_pair"].expected == 12 * pair - 1
    one = Fraction(d - 1, cards - 1)
    both = Fraction(
        52 * d * (d - 1) * (51 * d * (d - 1) + (d - 2) * (d - 3)),
        cards * (cards - 1) * (cards - 2) * (cards - 3),
    )
    assert figures["perfect_pair"].expected == 26 * (2 * one - 2 * both) + 201 * both - 1
    if d == 8:
        assert both == Fraction(2_101_008, 7_379_583_120)
