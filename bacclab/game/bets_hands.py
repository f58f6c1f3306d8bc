"""Bets on the margin of the win, on the number of cards, and on both hands together."""

from __future__ import annotations

from typing import Final

from bacclab.game.bets_main import WORDS
from bacclab.game.codes import Outcome, Round
from bacclab.game.pay import Bet, Odds, Offer

_DRAGON: Final = "wizardofodds.com, Dragon Bonus: edge 2.65 % on Player, 9.37 % on Banker"
_CARDS: Final = "wizardofodds.com, 4-5-6"
_LIVE: Final = "live tables on the internet"
_JACOBSON: Final = "advancedadvantageplay.com, Baccarat Side Bets (Jacobson)"


def _bonus_lines(round_: Round, side: Outcome, *, natural: bool) -> str | None:
    outcome = round_.outcome
    if outcome is Outcome.TIE:
        return "natural_tie" if round_.natural else None
    if outcome is not side:
        return None
    if natural:
        return "natural"
    return f"by_{WORDS[round_.margin]}"


def dragon_bonus_player_lines(round_: Round) -> str | None:
    """Line of Dragon Bonus on Player: natural, natural_tie, or by_nine ... by_one.

    >>> dragon_bonus_player_lines(Round(9, 2, 2, 2)), dragon_bonus_player_lines(Round(9, 2, 3, 2))
    ('natural', 'by_seven')
    """
    return _bonus_lines(round_, Outcome.PLAYER, natural=round_.player_natural)


def dragon_bonus_banker_lines(round_: Round) -> str | None:
    """Line of Dragon Bonus on Banker, named like those on Player."""
    return _bonus_lines(round_, Outcome.BANKER, natural=round_.banker_natural)


def cards_lines(round_: Round) -> str:
    """Line of the bets on the number of cards: four, five or six.

    >>> cards_lines(Round(9, 2, 3, 2))
    'five'
    """
    return WORDS[round_.cards]


def three_giving_8_lines(round_: Round) -> str | None:
    """Line of 3 Giving 8: the third card of Player was an 8, because Banker stood on a 3."""
    stood_on_three = round_.banker_total == 3 and round_.banker_cards == 2
    return "win" if stood_on_three and round_.player_cards == 3 else None


def eights_and_nines_lines(round_: Round) -> str | None:
    """Line of 88-89-98-99."""
    return "win" if round_.player_total >= 8 and round_.banker_total >= 8 else None


def nine_over_seven_lines(round_: Round) -> str | None:
    """Line of 9 over 7."""
    totals = {round_.player_total, round_.banker_total}
    return "win" if totals == {7, 9} and round_.cards == 4 else None


def bad_beat_lines(round_: Round) -> str | None:
    """Line of Bad Beat."""
    totals = {round_.player_total, round_.banker_total}
    return "win" if totals == {8, 9} and round_.cards == 4 else None


def _margins(*pays: int) -> dict[str, Odds]:
    """Odds of Dragon Bonus for wins by nine, eight, ... four."""
    by = {f"by_{WORDS[margin]}": Odds(odds) for margin, odds in zip(range(9, 3, -1), pays, strict=True)}
    return {**by, "natural": Odds(1), "natural_tie": Odds(0)}


_DRAGON_OFFERS: Final = {
    "table-1": Offer(_margins(30, 10, 6, 4, 2, 1), _DRAGON),
    "table-2": Offer(_margins(30, 10, 4, 4, 2, 2), "cypressbayou.com, mini-baccarat"),
}


def _dragon_bonus(side: str) -> Bet:
    other = "Banker" if side == "player" else "Player"
    return Bet(
        id=f"dragon_bonus_{side}",
        title=f"Dragon Bonus on {side.title()}",
        kind="side",
        lines=dragon_bonus_player_lines if side == "player" else dragon_bonus_banker_lines,
        odds=_DRAGON_OFFERS["table-1"].odds,
        rule=f"Wins when {side.title()} wins with a natural, or without one by four points or more; "
        "naturals that tie are a push.",
        source=_DRAGON,
        example=f"{side.title()} 9 with three cards, {other} 1: 10.00 wins 100.00.",
        pay_tables=_DRAGON_OFFERS,
    )


def _number_of_cards(cards: int, odds: Odds) -> Bet:
    word = WORDS[cards]
    return Bet(
        id=f"{word}_cards",
        title=f"{word.title()} Cards",
        kind="side",
        lines=cards_lines,
        odds={word: odds},
        rule=f"Wins when the round takes {word} cards.",
        source=_CARDS,
        example=f"A round of {word} cards: 10.00 wins {float(odds.payout) * 10:.2f}.",
    )


HAND_BETS: Final = (
    _dragon_bonus("player"),
    _dragon_bonus("banker"),
    _number_of_cards(4, Odds(3, 2)),
    _number_of_cards(5, Odds(2)),
    _number_of_cards(6, Odds(2)),
    Bet(
        id="big",
        title="Big",
        kind="side",
        lines=cards_lines,
        odds={"five": Odds(27, 50), "six": Odds(27, 50)},
        rule="Wins when the round takes five or six cards.",
        source=f"{_LIVE}: edge 4.35 %",
        example="A round of five cards: 10.00 wins 5.40.",
        pay_tables={
            "0.54:1": Offer({"five": Odds(27, 50), "six": Odds(27, 50)}, f"{_LIVE}: edge 4.35 %"),
            "0.53:1": Offer({"five": Odds(53, 100), "six": Odds(53, 100)}, _LIVE),
        },
    ),
    Bet(
        id="small",
        title="Small",
        kind="side",
        lines=cards_lines,
        odds={"four": Odds(3, 2)},
        rule="Wins when the round takes four cards.",
        source=f"{_LIVE}: edge 5.28 % with eight decks; the 5.27 % in print is that of six decks",
        example="A round of four cards: 10.00 wins 15.00.",
        pay_tables={
            "1.5:1": Offer({"four": Odds(3, 2)}, f"{_LIVE}: edge 5.28 % with eight decks, 5.27 % with six"),
            "1.45:1": Offer({"four": Odds(29, 20)}, _LIVE),
        },
    ),
    Bet(
        id="three_giving_8",
        title="3 Giving 8",
        kind="side",
        lines=three_giving_8_lines,
        odds={"win": Odds(200)},
        rule="Wins when Banker has 3 with two cards and the third card of Player is an 8.",
        source=f"{_JACOBSON}: edge 8.68 %",
        example="Banker K 3, Player draws an 8: 10.00 wins 2,000.00.",
    ),
    Bet(
        id="eights_and_nines",
        title="88-89-98-99",
        kind="side",
        lines=eights_and_nines_lines,
        odds={"win": Odds(20)},
        rule="Wins when both sides end with 8 or 9, with any number of cards.",
        source=f"{_JACOBSON}: edge 7.37 %",
        example="Player 8, Banker 9: 10.00 wins 200.00.",
    ),
    Bet(
        id="nine_over_seven",
        title="9 over 7",
        kind="side",
        lines=nine_over_seven_lines,
        odds={"win": Odds(50)},
        rule="Wins when a natural 9 of either side meets a 7.",
        source=f"{_JACOBSON}: edge 8.10 %",
        example="Player 9 with two cards, Banker 7: 10.00 wins 500.00.",
    ),
    Bet(
        id="bad_beat",
        title="Bad Beat",
        kind="side",
        lines=bad_beat_lines,
        odds={"win": Odds(50)},
        rule="Wins when a natural 9 of either side beats a natural 8.",
        source=f"{_JACOBSON}: edge 8.46 %",
        example="Banker 9, Player 8, both with two cards: 10.00 wins 500.00.",
    ),
)
"""The bets on margins, numbers of cards and both hands."""
