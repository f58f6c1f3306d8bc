"""Tables: a set of rules as data, with the presets that come with bacclab.

Each preset is a published set of rules or a common variant of one. Where the pages are silent (burn, cut card, limits)
the usual procedure stands: the first card is turned and that many are burned, the cut card lies before the last 14
cards, the round in which it comes out is finished and one more is dealt.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

from bacclab.errors import BetError, TableError, did_you_mean
from bacclab.game.bets import BUILT_IN_BETS, how_to_offer
from bacclab.game.fields import RATE_STEPS
from bacclab.game.override import NO_MAXIMUM, NO_ODDS, changed_fields
from bacclab.game.pay import KINDS, Bet
from bacclab.game.rules import Limits, ShoeRules
from bacclab.game.settlement import ROUNDINGS
from bacclab.money import UNITS, Money, show

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["BUILT_IN_TABLES", "Limits", "Rounding", "ShoeRules", "Table", "table"]

Rounding = Literal["exact", "up", "down", "nearest", "half-up"]

MAX_COIN: Final = 1000 * UNITS
"""The largest coin that a commission is rounded to: with it settlement stays within 64 bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The rules of a table: shoe, bets with their odds, commission, limits.

    `limits_by` holds limits of a kind of bet ("main", "tie", "side") or of one bet, before the general `limits`.

    >>> table = BUILT_IN_TABLES["no-commission"]
    >>> str(table.bet("banker").odds["six"]), table.commission, table.shoe.decks
    ('1:2', Fraction(0, 1), 8)
    >>> changed = table.override({"minimum": 10, "odds": {"tie": "9:1"}, "limits": {"side": {"minimum": 5}}})
    >>> str(changed.bet("tie").odds["win"]), str(changed.limits_of("player_pair")), changed.lowest_minimum
    ('9:1', '5.00 to no maximum in steps of 0.01', 100000)
    >>> table.override({"comission": "5%"})
    Traceback (most recent call last):
    bacclab.errors.TableError: unknown key comission (did you mean commission?)
    """

    name: str
    title: str
    source: str = ""
    shoe: ShoeRules = field(default_factory=ShoeRules)
    bets: Mapping[str, Bet]
    commission: Fraction = Fraction(0)
    commission_rounding: Rounding = "exact"
    commission_coin: int = UNITS // 100
    limits: Limits = field(default_factory=Limits)
    limits_by: Mapping[str, Limits] = field(default_factory=dict)
    side_bets_need_main_bet: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "bets", MappingProxyType(dict(self.bets)))
        object.__setattr__(self, "limits_by", MappingProxyType(dict(self.limits_by)))
        if not self.bets:
            raise TableError(f"table {self.name} offers no bets")
        if self.commission_rounding not in ROUNDINGS:
            hint = did_you_mean(str(self.commission_rounding), ROUNDINGS)
            raise TableError(f"commission_rounding cannot be {self.commission_rounding!r}", hint=hint)
        if not 0 <= self.commission < 1:
            raise TableError(f"commission must be from 0 to below 1, not {self.commission}")
        if RATE_STEPS % self.commission.denominator:
            raise TableError(
                f"a commission of {self.commission} is too fine", hint="hundredths of a per cent are the limit"
            )
        if not 0 < self.commission_coin <= MAX_COIN:
            raise TableError(f"commission_coin must be above 0 and at most 1000, not {show(self.commission_coin)}")
        for key in self.limits_by:
            if key not in KINDS and key not in self.bets:
                raise TableError(f"limits for an unknown bet {key}", hint=did_you_mean(key, (*KINDS, *self.bets)))
        if self.commission_rounding == "exact":
            self._refuse_inexact_commission()

    def _refuse_inexact_commission(self) -> None:
        for bet in self.bets.values():
            for odds in bet.odds.values() if bet.commission else ():
                smallest = self.limits_of(bet.id).increment * odds.payout * self.commission
                if smallest.denominator != 1:
                    raise TableError(
                        f"a commission of {float(self.commission * 100):g} % on {bet.id} at {odds} is no exact sum on "
                        f"every stake in steps of {show(self.limits_of(bet.id).increment)}",
                        hint=f"set a larger increment, or commission_rounding to one of: {', '.join(ROUNDINGS[1:])}",
                    )

    def bet(self, bet_id: str) -> Bet:
        """A bet of this table, with this table's odds; `BetError` with the nearest name if it is not offered."""
        try:
            return self.bets[bet_id]
        except KeyError:
            hint = how_to_offer(bet_id, tuple(self.bets))
            raise BetError(f"table {self.name} does not offer {bet_id!r}", hint=hint) from None

    def limits_of(self, bet_id: str) -> Limits:
        """The limits of a bet: its own, or those of its kind, or the general ones."""
        return self.limits_by.get(bet_id) or self.limits_by.get(self.bet(bet_id).kind) or self.limits

    @property
    def lowest_minimum(self) -> int:
        """The smallest stake that can start a round, an amount: with less than that a session is bust."""
        alone = [bet.id for bet in self.bets.values() if bet.kind != "side" or not self.side_bets_need_main_bet]
        return min(self.limits_of(bet_id).minimum for bet_id in alone or self.bets)

    def override(self, settings: Mapping[str, object], *, bets: Mapping[str, Bet] = BUILT_IN_BETS) -> Table:
        """This table with single rules changed, by the keys of an experiment's [table] section.

        Keys: decks, burn, cut_card, rounds_after_cut, cut_card_first_out, deal_order, commission, commission_rounding,
        commission_coin, odds, extra_bets (names from `bets` put on the table), side_bets_need_main_bet, minimum,
        maximum, increment, limits. `odds` has for each bet a value ("9:1"), a section of pay lines, or the name of one
        of the bet's pay tables ("las-vegas"). Raises `TableError`.
        """
        return replace(self, **changed_fields(self, settings, bets))

    def variant(
        self, name: str, *, title: str, source: str = "", extra_bets: Iterable[Bet | str] = (), **settings: Any
    ) -> Table:
        """A table of another name with single rules changed, by the keys of `override` (money in currency units).

        `extra_bets` are bets to put on the table: a `Bet` of your own, or the name of one that bacclab knows.

        >>> mine = BUILT_IN_TABLES["commission"].variant(
        ...     "mine", title="My table", minimum=10, extra_bets=["dragon_7"], odds={"tie": "9:1"}
        ... )
        >>> mine.name, str(mine.bet("tie").odds["win"]), "dragon_7" in mine.bets, str(mine.limits)
        ('mine', '9:1', True, '10.00 to no maximum in steps of 0.01')
        """
        extra = tuple(extra_bets)
        own = {bet.id: bet for bet in extra if isinstance(bet, Bet)}
        for bet_id in own.keys() & self.bets.keys():
            raise TableError(f"{name}: {self.name} has a bet {bet_id} already", hint=f"change its odds: odds.{bet_id}")
        names = [bet.id if isinstance(bet, Bet) else bet for bet in extra]
        changed = self.override({**settings, "extra_bets": names}, bets={**BUILT_IN_BETS, **own})
        return replace(changed, name=name, title=title, source=source or f"common variant of {self.name}")

    def settings(self) -> dict[str, object]:
        """All rules by the keys of `override`, in plain values that an experiment file can hold.

        >>> settings = BUILT_IN_TABLES["ez"].settings()
        >>> settings["commission"], settings["cut_card"], settings["odds"]["dragon_7"]
        ('0%', 14, {'win': '40:1'})
        >>> settings["odds"]["banker"]["seven_three_cards"], settings["odds"]["banker"]["six"]
        ('push', 'none')
        >>> BUILT_IN_TABLES["ez"].override(settings) == BUILT_IN_TABLES["ez"]
        True
        """
        shoe: dict[str, object] = {item.name: getattr(self.shoe, item.name) for item in fields(self.shoe)}
        if isinstance(self.shoe.cut_card, tuple):
            shoe["cut_card"] = list(self.shoe.cut_card)
        return {
            **shoe,
            "commission": f"{float(self.commission * 100):g}%",
            "commission_rounding": self.commission_rounding,
            "commission_coin": _digits(self.commission_coin),
            "extra_bets": list(self.bets),
            "odds": {bet.id: _all_odds(bet) for bet in self.bets.values()},
            "side_bets_need_main_bet": self.side_bets_need_main_bet,
            **_plain(self.limits),
            "limits": {key: _plain(limits) for key, limits in self.limits_by.items()},
        }

    def __reduce__(self) -> tuple[object, ...]:
        # The read-only mappings do not pickle.
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return partial(Table, **{**values, "bets": dict(self.bets), "limits_by": dict(self.limits_by)}), ()


def _plain(limits: Limits) -> dict[str, str]:
    maximum = NO_MAXIMUM if limits.maximum is None else _digits(limits.maximum)
    return {"minimum": _digits(limits.minimum), "maximum": maximum, "increment": _digits(limits.increment)}


def _all_odds(bet: Bet) -> dict[str, str]:
    """The odds of all lines; a line that is not paid is written too, since the preset may pay it."""
    unpaid = (line for line in bet.line_names if line not in bet.odds)
    return {**{line: str(odds) for line, odds in bet.odds.items()}, **dict.fromkeys(unpaid, NO_ODDS)}


def _digits(amount: int) -> str:
    """An amount as an experiment file holds it."""
    return str(Money.of(amount))


_MAIN: Final = ("banker", "player", "tie")
_PAIRS: Final = ("player_pair", "banker_pair")


def _offer(names: Iterable[str]) -> dict[str, Bet]:
    return {name: BUILT_IN_BETS[name] for name in names}


_COMMISSION: Final = Table(
    name="commission",
    title="Five per cent commission on Banker",
    source="published rules of mini-baccarat with eight decks, cards dealt to Player and Banker in turn",
    bets=_offer((*_MAIN, *_PAIRS)),
    commission=Fraction(1, 20),
)
_NO_COMMISSION: Final = Table(
    name="no-commission",
    title="No commission, Banker wins with 6 pay half",
    source="published rules of mini-baccarat with the Pair Wager",
    bets=_offer((*_MAIN, *_PAIRS)),
    side_bets_need_main_bet=True,
).override({"odds": {"banker": {"six": "1:2"}}})
_EZ: Final = Table(
    name="ez",
    title="EZ: no commission, Banker wins with a three-card 7 push",
    source="Nevada rules of play of EZ Baccarat",
    bets=_offer((*_MAIN, "dragon_7", "panda_8")),
).override({"odds": {"banker": {"seven_three_cards": "push"}}})

_VARIANTS: Final[tuple[tuple[Table, str, str, Mapping[str, Any]], ...]] = (
    (_COMMISSION, "commission-two-by-two", "As commission, dealt two by two", {"deal_order": "two-by-two"}),
    (_COMMISSION, "commission-4", "Four per cent commission on Banker", {"commission": "4%"}),
    (
        _COMMISSION,
        "commission-quarters",
        "Five per cent commission, rounded up to the quarter",
        {"commission_rounding": "up", "commission_coin": "0.25"},
    ),
    (_COMMISSION, "commission-tie-9", "Five per cent commission, Tie 9:1", {"odds": {"tie": "9:1"}}),
    (_COMMISSION, "commission-6-decks", "Five per cent commission, six decks", {"decks": 6}),
    (_COMMISSION, "commission-cut-16", "Five per cent commission, cut card before 16", {"cut_card": 16}),
    (
        _COMMISSION,
        "commission-side-bets",
        "Five per cent commission, the usual side bets on the table",
        {"extra_bets": ["either_pair", "perfect_pair", "dragon_7", "panda_8"]},
    ),
    (
        _COMMISSION,
        "commission-all-bets",
        "Five per cent commission, every bet that bacclab knows",
        {"extra_bets": list(BUILT_IN_BETS)},
    ),
    (_NO_COMMISSION, "no-commission-tie-9", "No commission, Tie 9:1", {"odds": {"tie": "9:1"}}),
    (_NO_COMMISSION, "no-commission-6-decks", "No commission, six decks", {"decks": 6}),
    (
        _NO_COMMISSION,
        "no-commission-five",
        "No commission, Banker wins with 5 pay half",
        {"odds": {"banker": {"six": "1:1", "five": "1:2"}}},
    ),
    (
        _NO_COMMISSION,
        "tiger",
        "Tiger: no commission, Banker wins with 6 pay half, Tiger bets",
        {"extra_bets": ["tiger", "small_tiger", "big_tiger", "tiger_tie", "tiger_pair"]},
    ),
    (_EZ, "ez-6-decks", "EZ, six decks", {"decks": 6}),
)
_SOURCES: Final = {
    "commission-two-by-two": "published rules of mini-baccarat, two cards to Player, then two to Banker",
    "commission-quarters": "Vegas Aces, How to Deal Mini-Baccarat: 25 cents for every 5 or part of it",
    "tiger": "rules of Tiger Baccarat (Singapore)",
    "no-commission-five": "paulvanderlaken.com, simulation of punto banco",
}


BUILT_IN_TABLES: Final[Mapping[str, Table]] = MappingProxyType(
    {
        table.name: table
        for table in (
            *(_COMMISSION, _NO_COMMISSION, _EZ),
            *(
                base.variant(name, title=title, source=_SOURCES.get(name, ""), **settings)
                for base, name, title, settings in _VARIANTS
            ),
        )
    }
)
"""The presets by name."""


def table(name: str) -> Table:
    """One of the presets, to start a table of one's own from; TableError with the nearest name if there is none.

    >>> table("ez").variant("ez-9", title="EZ, Tie 9:1", odds={"tie": "9:1"}).shoe.decks
    8
    """
    if name not in BUILT_IN_TABLES:
        raise TableError(f"there is no preset {name!r}", hint=did_you_mean(name, BUILT_IN_TABLES))
    return BUILT_IN_TABLES[name]
