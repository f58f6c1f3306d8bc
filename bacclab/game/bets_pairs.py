"""Bets on pairs: the first two cards of a side are of one rank.

A *suited* pair is two equal cards of different decks. The bets that tell coloured from mixed pairs (58 Pa. Code 629b.1)
need the colours of the suits, which a round code does not hold, and are not here.

Of a full shoe, the removal of one card changes no bet on one pair: linear counts are worth nothing there.
"""

from __future__ import annotations

from typing import Final

from bacclab.game.codes import Pair, Round
from bacclab.game.pay import Bet, Odds, Offer

_PAIR_PAGE: Final = "published rules of no-commission mini-baccarat with the Pair Wager"
_LIVE: Final = "live tables on the internet"


def player_pair_lines(round_: Round) -> tuple[str, ...] | None:
    """Lines of Player Pair: suited, win."""
    return _pair_lines(round_.player_pair)


def banker_pair_lines(round_: Round) -> tuple[str, ...] | None:
    """Lines of Banker Pair: suited, win."""
    return _pair_lines(round_.banker_pair)


def _pair_lines(pair: Pair) -> tuple[str, ...] | None:
    if pair is Pair.NONE:
        return None
    return ("suited", "win") if pair is Pair.SUITED else ("win",)


def either_pair_lines(round_: Round) -> tuple[str, ...] | None:
    """Lines of Either Pair: both_same_rank, both, win.

    >>> either_pair_lines(Round(8, 2, 2, 2, Pair.PAIR, Pair.SUITED))
    ('both', 'win')
    """
    if not round_.player_pair and not round_.banker_pair:
        return None
    if not (round_.player_pair and round_.banker_pair):
        return ("win",)
    return ("both_same_rank", "both", "win") if round_.same_rank else ("both", "win")


def perfect_pair_lines(round_: Round) -> tuple[str, ...] | None:
    """Lines of Perfect Pair: both, win; a suited pair on one side or on both.

    >>> perfect_pair_lines(Round(8, 2, 2, 2, Pair.PAIR, Pair.SUITED))
    ('win',)
    """
    suited = (round_.player_pair is Pair.SUITED) + (round_.banker_pair is Pair.SUITED)
    return (None, ("win",), ("both", "win"))[suited]


_PAIR_OFFERS: Final = {
    "11:1": Offer({"win": Odds(11)}, _PAIR_PAGE),
    "12:1": Offer({"win": Odds(12)}, "some houses, edge 2.89 %"),
}

PAIR_BETS: Final = (
    Bet(
        id="player_pair",
        title="Player Pair",
        kind="side",
        lines=player_pair_lines,
        odds={"win": Odds(11)},
        rule="Wins when Player's first two cards are of one rank (king and king; not king and queen).",
        source=_PAIR_PAGE,
        example="Player starts with 4 of clubs and 4 of hearts: 10.00 wins 110.00.",
        pay_tables=_PAIR_OFFERS,
    ),
    Bet(
        id="banker_pair",
        title="Banker Pair",
        kind="side",
        lines=banker_pair_lines,
        odds={"win": Odds(11)},
        rule="Wins when Banker's first two cards are of one rank.",
        source=_PAIR_PAGE,
        example="Banker starts with two queens: 10.00 wins 110.00.",
        pay_tables=_PAIR_OFFERS,
    ),
    Bet(
        id="either_pair",
        title="Either Pair",
        kind="side",
        lines=either_pair_lines,
        odds={"win": Odds(5)},
        rule="Wins when the first two cards of a side, or of both, are of one rank.",
        source="usual pay table of eight-deck tables",
        example="Player K K, Banker 4 9: 10.00 wins 50.00.",
    ),
    Bet(
        id="perfect_pair",
        title="Perfect Pair",
        kind="side",
        lines=perfect_pair_lines,
        odds={"both": Odds(200), "win": Odds(25)},
        rule="Wins when the first two cards of a side are equal in rank and suit; both sides may pay more.",
        source="usual pay table of eight-deck tables",
        example="Player with two kings of spades, Banker 4 9: 10.00 wins 250.00.",
        pay_tables={
            "25-200": Offer({"both": Odds(200), "win": Odds(25)}, "usual pay table of eight-deck tables"),
            "25-250": Offer({"both": Odds(250), "win": Odds(25)}, f"{_LIVE}: edge 6.62 % with eight decks"),
            "25": Offer({"win": Odds(25)}, f"{_LIVE}: edge 13.03 % with eight decks, 17.07 % with six"),
            "26": Offer({"win": Odds(26)}, f"{_LIVE}: edge 9.68 % with eight decks, 13.88 % with six"),
        },
    ),
    Bet(
        id="tiger_pair",
        title="Tiger Pair",
        kind="side",
        lines=either_pair_lines,
        odds={"both_same_rank": Odds(100), "both": Odds(20), "win": Odds(4)},
        rule="Wins when a side starts with a pair by rank; pairs on both sides pay more, most if all are of one rank.",
        source="rules of Tiger Baccarat (Singapore)",
        example="Player 8 8, Banker Q Q: 10.00 wins 200.00.",
    ),
)
"""The bets on pairs."""
