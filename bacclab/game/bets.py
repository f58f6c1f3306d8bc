"""The bets that come with bacclab: rules as short functions, odds as usually offered.

A table may pay other odds (see `bacclab.game.tables`). The usual odds and the figures in the sources were compared
with exact enumeration; where houses differ, the commonest table for eight decks stands here.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from bacclab.game.codes import Outcome, Pair, Round
from bacclab.game.pay import Bet, Kind, Odds, PayTable, pay_table

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["BUILT_IN_BETS", "Bet", "Kind", "Odds", "PayTable", "pay_table"]

_WORDS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _won_with(total: int, cards: int) -> tuple[str, ...]:
    """The lines of a won main bet: total with the number of cards, total, win."""
    how = f"natural_{_WORDS[total]}" if cards == 2 and total >= 8 else f"{_WORDS[total]}_{_WORDS[cards]}_cards"
    return how, _WORDS[total], "win"


def banker_lines(round_: Round) -> str | tuple[str, ...] | None:
    """Lines of Banker: six_three_cards, six, win; tie.

    >>> banker_lines(Round(5, 6, 2, 3)), banker_lines(Round(6, 6, 2, 2)), banker_lines(Round(7, 6, 2, 3))
    (('six_three_cards', 'six', 'win'), 'tie', None)
    """
    if round_.outcome is Outcome.TIE:
        return "tie"
    return _won_with(round_.banker_total, round_.banker_cards) if round_.outcome is Outcome.BANKER else None


def player_lines(round_: Round) -> str | tuple[str, ...] | None:
    """Lines of Player, named like those of Banker.

    >>> player_lines(Round(9, 6, 2, 2))
    ('natural_nine', 'nine', 'win')
    """
    if round_.outcome is Outcome.TIE:
        return "tie"
    return _won_with(round_.player_total, round_.player_cards) if round_.outcome is Outcome.PLAYER else None


def tie_lines(round_: Round) -> tuple[str, ...] | None:
    """Lines of Tie: the total in words, win.

    >>> tie_lines(Round(6, 6, 2, 2)), tie_lines(Round(6, 7, 2, 2))
    (('six', 'win'), None)
    """
    return (_WORDS[round_.player_total], "win") if round_.outcome is Outcome.TIE else None


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


def dragon_7_lines(round_: Round) -> str | None:
    """Line of Dragon 7: Banker wins with a three-card 7."""
    three_card_seven = round_.banker_total == 7 and round_.banker_cards == 3
    return "win" if round_.outcome is Outcome.BANKER and three_card_seven else None


def panda_8_lines(round_: Round) -> str | None:
    """Line of Panda 8: Player wins with a three-card 8."""
    three_card_eight = round_.player_total == 8 and round_.player_cards == 3
    return "win" if round_.outcome is Outcome.PLAYER and three_card_eight else None


_RULES_PAGE: Final = "published rules of mini-baccarat with a 5 % commission"
_PAIR_PAGE: Final = "published rules of no-commission mini-baccarat with the Pair Wager"
_NEVADA: Final = "Nevada rules of play of EZ Baccarat"

_BETS: Final = (
    Bet(
        id="banker",
        title="Banker",
        kind="main",
        lines=banker_lines,
        odds={"win": Odds(1), "tie": Odds(0)},
        commission=True,
        rule="Wins when Banker's total is the higher one; a tie is a push. The house takes its commission on winnings.",
        source=_RULES_PAGE,
        example="Banker 7, Player 6: 10.00 wins 9.50 at a commission of 5 %.",
    ),
    Bet(
        id="player",
        title="Player",
        kind="main",
        lines=player_lines,
        odds={"win": Odds(1), "tie": Odds(0)},
        rule="Wins when Player's total is the higher one; a tie is a push.",
        source=_RULES_PAGE,
        example="Player 9, Banker 3: 10.00 wins 10.00.",
    ),
    Bet(
        id="tie",
        title="Tie",
        kind="tie",
        lines=tie_lines,
        odds={"win": Odds(8)},
        rule="Wins when both totals are equal.",
        source=_RULES_PAGE,
        example="Both 6: 10.00 wins 80.00.",
    ),
    Bet(
        id="player_pair",
        title="Player Pair",
        kind="side",
        lines=player_pair_lines,
        odds={"win": Odds(11)},
        rule="Wins when Player's first two cards are of one rank (king and king; not king and queen).",
        source=_PAIR_PAGE,
        example="Player starts with 4 of clubs and 4 of hearts: 10.00 wins 110.00.",
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
        rule="Wins when the first two cards of a side are equal in rank and suit; both sides pay more.",
        source="usual pay table of eight-deck tables",
        example="Player with two kings of spades, Banker 4 9: 10.00 wins 250.00.",
    ),
    Bet(
        id="dragon_7",
        title="Dragon 7",
        kind="side",
        lines=dragon_7_lines,
        odds={"win": Odds(40)},
        rule="Wins when Banker wins with a 7 of three cards.",
        source=_NEVADA,
        example="Player 5, Banker 7 with three cards: 10.00 wins 400.00.",
    ),
    Bet(
        id="panda_8",
        title="Panda 8",
        kind="side",
        lines=panda_8_lines,
        odds={"win": Odds(25)},
        rule="Wins when Player wins with an 8 of three cards.",
        source=_NEVADA,
        example="Player 8 with three cards, Banker 6: 10.00 wins 250.00.",
    ),
)

BUILT_IN_BETS: Final[Mapping[str, Bet]] = MappingProxyType({bet.id: bet for bet in _BETS})
"""The bets by their ids."""
