"""Bets on the total with which a side wins, on ties by total (Egalité), and on naturals.

The bets on a winning total are those of the rules of Banker, Player and Tie with odds on other pay lines.
"""

from __future__ import annotations

from typing import Final

from bacclab.game.bets_main import WORDS, banker_lines, tie_lines
from bacclab.game.codes import Outcome, Round
from bacclab.game.pay import Bet, Odds, Offer

_NEVADA: Final = "Nevada rules of play of EZ Baccarat"
_TIGER: Final = "rules of Tiger Baccarat (Singapore)"
_LUCKY_6: Final = "wizardofodds.com, Lucky 6"
_EGALITE: Final = "wizardofodds.com, Egalite bets, as in English casinos"
_THORP: Final = "Nevada, about 1963 (Thorp and Walden); wizardofodds.com, Banker Natural 8 and 9"


def dragon_7_lines(round_: Round) -> str | None:
    """Line of Dragon 7: Banker wins with a three-card 7."""
    three_card_seven = round_.banker_total == 7 and round_.banker_cards == 3
    return "win" if three_card_seven and round_.outcome is Outcome.BANKER else None


def panda_8_lines(round_: Round) -> str | None:
    """Line of Panda 8: Player wins with a three-card 8."""
    three_card_eight = round_.player_total == 8 and round_.player_cards == 3
    return "win" if three_card_eight and round_.outcome is Outcome.PLAYER else None


def player_natural_lines(round_: Round) -> tuple[str, ...] | None:
    """Lines of the bets on a natural of Player: eight or nine, win; whatever Banker has.

    >>> player_natural_lines(Round(8, 9, 2, 2)), player_natural_lines(Round(8, 6, 3, 2))
    (('eight', 'win'), None)
    """
    return (WORDS[round_.player_total], "win") if round_.player_natural else None


def banker_natural_lines(round_: Round) -> tuple[str, ...] | None:
    """Lines of the bets on a natural of Banker."""
    return (WORDS[round_.banker_total], "win") if round_.banker_natural else None


def _natural_bets(side: str) -> tuple[Bet, ...]:
    title, lines = side.title(), player_natural_lines if side == "player" else banker_natural_lines
    one = tuple(
        Bet(
            id=f"{side}_natural_{total}",
            title=f"{title} Natural {total}",
            kind="side",
            lines=lines,
            odds={WORDS[total]: Odds(9)},
            rule=f"Wins when {title} has {total} with the first two cards, whatever the other side has.",
            source=_THORP,
            example=f"{title} {total} with two cards: 10.00 wins 90.00.",
            pay_tables={
                "9:1": Offer({WORDS[total]: Odds(9)}, _THORP),
                "8:1": Offer({WORDS[total]: Odds(8)}, "wizardofodds.com, Natural Hand Side Bets"),
            },
        )
        for total in (8, 9)
    )
    return (
        Bet(
            id=f"{side}_natural",
            title=f"{title} Natural",
            kind="side",
            lines=lines,
            odds={"win": Odds(4)},
            rule=f"Wins when {title} has 8 or 9 with the first two cards, whatever the other side has.",
            source="live tables on the internet",
            example=f"{title} 9 with two cards: 10.00 wins 40.00.",
        ),
        *one,
    )


def _egalite(name: str, totals: tuple[int, ...], pays: int, *others: int) -> Bet:
    """A bet on ties of some totals; `others` are further odds that houses pay."""
    words = " or ".join(map(str, totals)) if len(totals) < 3 else f"{totals[0]} to {totals[-1]}"
    return Bet(
        id=name,
        title=f"Egalité {words}",
        kind="side",
        lines=tie_lines,
        odds={WORDS[total]: Odds(pays) for total in totals},
        rule=f"Wins when both totals are {words}.",
        source=_EGALITE,
        example=f"Both {totals[0]}: 10.00 wins {pays}0.00.",
        pay_tables={
            f"{odds}:1": Offer({WORDS[total]: Odds(odds) for total in totals}, _EGALITE)
            for odds in (pays, *others)
            if others
        },
    )


_EGALITE_PAYS: Final = (150, 215, 225, 200, 120, 110, 45, 45, 80, 80)

TOTAL_BETS: Final = (
    Bet(
        id="dragon_7",
        title="Dragon 7",
        kind="side",
        lines=dragon_7_lines,
        odds={"win": Odds(40)},
        rule="Wins when Banker wins with a 7 of three cards (also called Fortune 7).",
        source=_NEVADA,
        example="Player 5, Banker 7 with three cards: 10.00 wins 400.00.",
    ),
    Bet(
        id="panda_8",
        title="Panda 8",
        kind="side",
        lines=panda_8_lines,
        odds={"win": Odds(25)},
        rule="Wins when Player wins with an 8 of three cards (also called Golden 8).",
        source=_NEVADA,
        example="Player 8 with three cards, Banker 6: 10.00 wins 250.00.",
    ),
    Bet(
        id="super_6",
        title="Super 6",
        kind="side",
        lines=banker_lines,
        odds={"six": Odds(12)},
        rule="Wins when Banker wins with 6.",
        source="rules of Punto 2000 (no-commission tables): edge 29.98 %",
        example="Banker 6, Player 4: 10.00 wins 120.00.",
        pay_tables={
            "12:1": Offer({"six": Odds(12)}, "rules of Punto 2000 (no-commission tables): edge 29.98 %"),
            "15:1": Offer({"six": Odds(15)}, "some houses"),
        },
    ),
    Bet(
        id="lucky_6",
        title="Lucky 6",
        kind="side",
        lines=banker_lines,
        odds={"six_two_cards": Odds(12), "six_three_cards": Odds(20)},
        rule="Wins when Banker wins with 6; a 6 of three cards pays more (also called Tiger).",
        source=f"{_LUCKY_6}, pay table of Macau",
        example="Banker 6 with three cards, Player 4: 10.00 wins 200.00.",
        pay_tables={
            "macau": Offer({"six_two_cards": Odds(12), "six_three_cards": Odds(20)}, f"{_LUCKY_6}: edge 16.68 %"),
            "las-vegas": Offer({"six_two_cards": Odds(12), "six_three_cards": Odds(23)}, f"{_LUCKY_6}: edge 11.70 %"),
        },
    ),
    Bet(
        id="tiger",
        title="Tiger",
        kind="side",
        lines=banker_lines,
        odds={"six_two_cards": Odds(12), "six_three_cards": Odds(20)},
        rule="Wins when Banker wins with 6; a 6 of three cards pays more.",
        source=_TIGER,
        example="Banker 6 with two cards, Player 4: 10.00 wins 120.00.",
    ),
    Bet(
        id="small_tiger",
        title="Small Tiger",
        kind="side",
        lines=banker_lines,
        odds={"six_two_cards": Odds(22)},
        rule="Wins when Banker wins with a 6 of two cards (also called Small 6).",
        source=_TIGER,
        example="Banker 6 with two cards, Player 4: 10.00 wins 220.00.",
    ),
    Bet(
        id="big_tiger",
        title="Big Tiger",
        kind="side",
        lines=banker_lines,
        odds={"six_three_cards": Odds(50)},
        rule="Wins when Banker wins with a 6 of three cards (also called Big 6).",
        source=_TIGER,
        example="Banker 6 with three cards, Player 4: 10.00 wins 500.00.",
    ),
    Bet(
        id="tiger_tie",
        title="Tiger Tie",
        kind="side",
        lines=tie_lines,
        odds={"six": Odds(35)},
        rule="Wins when both totals are 6.",
        source=_TIGER,
        example="Both 6: 10.00 wins 350.00.",
    ),
    *_natural_bets("player"),
    *_natural_bets("banker"),
    *(
        _egalite(f"egalite_{total}", (total,), pays, *((160,) if total == 0 else ()))
        for total, pays in enumerate(_EGALITE_PAYS)
    ),
    _egalite("egalite_1_to_3", (1, 2, 3), 70),
    _egalite("egalite_4_5", (4, 5), 60),
    _egalite("egalite_6_7", (6, 7), 22),
    _egalite("egalite_8_9", (8, 9), 40),
)
"""The bets on totals."""
