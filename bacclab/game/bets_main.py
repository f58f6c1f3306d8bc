"""Banker, Player and Tie."""

from __future__ import annotations

from typing import Final

from bacclab.game.codes import Outcome, Round
from bacclab.game.pay import Bet, Odds, Offer

WORDS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
"""Names of pay lines that are a number."""

RULES_PAGE: Final = "published rules of mini-baccarat with a 5 % commission"


def _won_with(total: int, cards: int) -> tuple[str, ...]:
    """The lines of a won main bet: total with the number of cards, total, win."""
    how = f"natural_{WORDS[total]}" if cards == 2 and total >= 8 else f"{WORDS[total]}_{WORDS[cards]}_cards"
    return how, WORDS[total], "win"


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
    return (WORDS[round_.player_total], "win") if round_.outcome is Outcome.TIE else None


MAIN_BETS: Final = (
    Bet(
        id="banker",
        title="Banker",
        kind="main",
        lines=banker_lines,
        odds={"win": Odds(1), "tie": Odds(0)},
        commission=True,
        rule="Wins when Banker's total is the higher one; a tie is a push. The house takes its commission on winnings.",
        source=RULES_PAGE,
        example="Banker 7, Player 6: 10.00 wins 9.50 at a commission of 5 %.",
    ),
    Bet(
        id="player",
        title="Player",
        kind="main",
        lines=player_lines,
        odds={"win": Odds(1), "tie": Odds(0)},
        rule="Wins when Player's total is the higher one; a tie is a push.",
        source=RULES_PAGE,
        example="Player 9, Banker 3: 10.00 wins 10.00.",
    ),
    Bet(
        id="tie",
        title="Tie",
        kind="tie",
        lines=tie_lines,
        odds={"win": Odds(8)},
        rule="Wins when both totals are equal.",
        source=RULES_PAGE,
        example="Both 6: 10.00 wins 80.00.",
        pay_tables={
            "8:1": Offer({"win": Odds(8)}, RULES_PAGE + "; the same as 9 for 1"),
            "9:1": Offer({"win": Odds(9)}, "some houses, edge 4.84 %"),
        },
    ),
)
"""The main bets and Tie."""
