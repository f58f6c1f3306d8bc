"""The values that a table is made of: how the shoe is handled, and what may be staked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from bacclab.errors import TableError
from bacclab.money import CENT, MAX_AMOUNT, UNITS, show

Burn = Literal["none", "one", "turned"]
FirstOut = Literal["last", "counts"]
DealOrder = Literal["in-turn", "two-by-two"]

BURNS: Final[tuple[Burn, ...]] = ("none", "one", "turned")
FIRST_OUTS: Final[tuple[FirstOut, ...]] = ("last", "counts")
DEAL_ORDERS: Final[tuple[DealOrder, ...]] = ("in-turn", "two-by-two")

DECK: Final = 52
MAX_DECKS: Final = 16
ROUND_CARDS: Final = 6
"""Cards that a round may need: none starts with fewer."""

MOST_BURNED: Final = {"none": 0, "one": 1, "turned": 11}
"""The most cards that go at the start of a shoe: a turned ten takes ten more with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeRules:
    """How the house handles a shoe; together with the seed it decides what cards come.

    - `burn`: no card, "one" unseen card, or the first card "turned" (seen) and as many more burned unseen as its value
      says, ten for a ten or a face.
    - `cut_card`: how many cards from the end it is put, or (lowest, highest) for a place drawn evenly for each shoe;
      0 for none. The round in which it comes out is finished, then `rounds_after_cut` more rounds are dealt (0 or 1).
    - `cut_card_first_out`: if it would be the first card of a round, that round is the "last" one, or it "counts" as if
      it had come out in that round.
    - A round never starts with fewer than six cards in the shoe.

    >>> ShoeRules().cards, ShoeRules(decks=6, cut_card=(60, 75)).cut_cards
    (416, (60, 75))
    >>> ShoeRules(decks=1, cut_card=40)
    Traceback (most recent call last):
    bacclab.errors.TableError: cut_card of 40 leaves no round in a shoe of 52 cards (the most is 35 here)
    """

    decks: int = 8
    burn: Burn = "turned"
    cut_card: int | tuple[int, int] = 14
    rounds_after_cut: int = 1
    cut_card_first_out: FirstOut = "last"
    deal_order: DealOrder = "in-turn"

    def __post_init__(self) -> None:
        if not 1 <= self.decks <= MAX_DECKS:
            raise TableError(f"decks must be 1 to {MAX_DECKS}, not {self.decks}")
        if self.rounds_after_cut not in (0, 1):
            raise TableError(f"rounds_after_cut must be 0 or 1, not {self.rounds_after_cut}")
        for key, value, options in (
            ("burn", self.burn, BURNS),
            ("cut_card_first_out", self.cut_card_first_out, FIRST_OUTS),
            ("deal_order", self.deal_order, DEAL_ORDERS),
        ):
            if value not in options:
                raise TableError(f"{key} cannot be {value!r}", hint=f"one of: {', '.join(options)}")
        lowest, highest = self.cut_cards
        if not 0 <= lowest <= highest:
            raise TableError(f"cut_card of {self.cut_card} makes no sense", hint="write 14, or [low, high]")
        most = self.cards - MOST_BURNED[self.burn] - ROUND_CARDS
        if highest > most:
            raise TableError(
                f"cut_card of {highest} leaves no round in a shoe of {self.cards} cards",
                hint=f"the most is {most} here",
            )

    @property
    def cards(self) -> int:
        """Cards in a full shoe."""
        return self.decks * DECK

    @property
    def cut_cards(self) -> tuple[int, int]:
        """Lowest and highest place of the cut card, counted from the end."""
        return self.cut_card if isinstance(self.cut_card, tuple) else (self.cut_card, self.cut_card)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What may be staked on one bet: amounts; `maximum` None means no limit of the table's own.

    >>> str(Limits(minimum=100_000, maximum=5_000_000, increment=50_000))
    '10.00 to 500.00 in steps of 5.00'
    >>> Limits(minimum=250_000, maximum=100_000)
    Traceback (most recent call last):
    bacclab.errors.TableError: the minimum of 25.00 is above the maximum of 10.00
    """

    minimum: int = UNITS
    maximum: int | None = None
    increment: int = CENT

    def __post_init__(self) -> None:
        if self.increment < CENT or self.increment % CENT:
            raise TableError(f"an increment must be a whole number of cents, not {show(self.increment)}")
        if self.minimum <= 0:
            raise TableError(f"a minimum must be above 0, not {show(self.minimum)}")
        if self.minimum % self.increment:
            raise TableError(
                f"the minimum of {show(self.minimum)} is no multiple of the increment of {show(self.increment)}"
            )
        if self.maximum is not None and self.minimum > self.maximum:
            raise TableError(f"the minimum of {show(self.minimum)} is above the maximum of {show(self.maximum)}")
        if max(self.minimum, self.increment, self.maximum or 0) > MAX_AMOUNT:
            raise TableError(f"a limit is above {show(MAX_AMOUNT)}, the largest amount")

    @property
    def ceiling(self) -> int:
        """The maximum as a number."""
        return MAX_AMOUNT if self.maximum is None else self.maximum

    def __str__(self) -> str:
        to = "no maximum" if self.maximum is None else show(self.maximum)
        return f"{show(self.minimum)} to {to} in steps of {show(self.increment)}"
