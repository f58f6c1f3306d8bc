"""What a bet is: a readable rule that names pay lines, and the odds of each line.

A bet's rule looks at a round and names the lines that the round hits, most specific first; the first of them that
stands in the bet's odds is paid. So one rule serves many tables: a table that pays less for a Banker six only adds the
line `six` to the odds of Banker.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from bacclab.errors import BetError, did_you_mean, shorten, shown
from bacclab.game.codes import CODES, Round, decode, possible_codes

if TYPE_CHECKING:
    from numpy.typing import NDArray

Kind = Literal["main", "tie", "side"]
Lines = Callable[[Round], str | tuple[str, ...] | None]
"""A rule: the names of the pay lines that a round hits, most specific first; None when the bet is lost."""

KINDS: Final[tuple[Kind, ...]] = ("main", "tie", "side")
LOST: Final = "lost"
PUSH: Final = "push"
MAX_ODDS: Final = 1000
"""Largest numerator and denominator: with stakes up to 2**51 the winnings still fit into 64 bits."""

_LONGEST: Final = 60
"""Odds of more characters are refused unread."""

_RATIO: Final = re.compile(r"([0-9.]+)\s*(?::|/|to|for)\s*([0-9.]+)|([0-9.]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Odds:
    """Winnings per stake as a ratio in lowest terms; 0:1 is a push.

    The denominator divides 100, so that a stake in whole cents is paid exactly.

    >>> Odds(40, 1), Odds(2, 4), Odds.parse("0.95:1").payout
    (Odds(numerator=40, denominator=1), Odds(numerator=1, denominator=2), Fraction(19, 20))
    >>> Odds(1, 3)
    Traceback (most recent call last):
    bacclab.errors.BetError: odds of 1:3 cannot be paid exactly (the second number must divide 100, as in 1:2 or 19:20)
    """

    numerator: int
    denominator: int = 1

    def __post_init__(self) -> None:
        if self.denominator < 1 or self.numerator < 0:
            raise BetError(f"odds of {self.numerator}:{self.denominator} make no sense", hint="write 8:1, 1:2 or push")
        shared = math.gcd(self.numerator, self.denominator)
        object.__setattr__(self, "numerator", self.numerator // shared)
        object.__setattr__(self, "denominator", self.denominator // shared)
        if self.numerator > MAX_ODDS:
            raise BetError(f"odds of {self} are too long", hint=f"the limit is {MAX_ODDS}:1")
        if 100 % self.denominator:
            raise BetError(
                f"odds of {self.numerator}:{self.denominator} cannot be paid exactly",
                hint="the second number must divide 100, as in 1:2 or 19:20",
            )

    @classmethod
    def parse(cls, text: Odds | str | float) -> Odds:
        """Odds as people write them: "11:1", "1:2", "0.95:1", "8 to 1", "9 for 1" (which is 8:1), "push", 8, 0.5.

        >>> [str(Odds.parse(text)) for text in ("11:1", "8 to 1", "9 for 1", "0.95:1", "push", 8, 0.5)]
        ['11:1', '8:1', '8:1', '19:20', 'push', '8:1', '1:2']
        """
        if isinstance(text, Odds):
            return text
        said = repr(shorten(text, 60)) if isinstance(text, str) else shown(text)
        wrong = BetError(f"{said} are no odds", hint='write "11:1", "1:2", "push" or a number such as 8')
        if isinstance(text, bool) or not isinstance(text, (str, int, float)):
            raise wrong
        if (isinstance(text, str) and len(text) > _LONGEST) or (isinstance(text, int) and text > 10**_LONGEST):
            raise wrong
        written = str(text) if isinstance(text, int) else float.__repr__(text) if isinstance(text, float) else text
        if written.strip().lower() == PUSH:
            return cls(0, 1)
        found = _RATIO.fullmatch(written.strip().lower())
        if found is None:
            raise wrong
        try:
            first, second = Fraction(found[1] or found[3]), Fraction(found[2] or 1)
            payout = first / second - ("for" in written.lower())
        except (ValueError, ZeroDivisionError):
            raise wrong from None
        if payout < 0:
            raise wrong
        return cls(payout.numerator, payout.denominator)

    @property
    def payout(self) -> Fraction:
        """Winnings per unit staked."""
        return Fraction(self.numerator, self.denominator)

    def __str__(self) -> str:
        return f"{self.numerator}:{self.denominator}" if self.numerator else PUSH

    def __float__(self) -> float:
        return float(Decimal(self.numerator) / self.denominator)


@dataclass(frozen=True, slots=True)
class Offer:
    """Odds at which some houses offer a bet, and where they are written down: one of a bet's pay tables.

    >>> dict(Offer({"win": "15:1"}, source="some houses").odds)
    {'win': Odds(numerator=15, denominator=1)}
    """

    odds: Mapping[str, Odds]
    source: str

    def __post_init__(self) -> None:
        parsed = {line: Odds.parse(odds) for line, odds in self.odds.items()}
        object.__setattr__(self, "odds", MappingProxyType(parsed))

    def __reduce__(self) -> tuple[object, ...]:
        return Offer, (dict(self.odds), self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet:
    """A bet that a table may offer; `odds` maps the pay lines of its rule to what they pay.

    `commission` says that the house takes its commission on the winnings. `rule`, `source` and `example` are for
    people: the rule in words, where it is written down, and a round with its result. `pay_tables` are other sets of
    odds in use, by name; a table takes one of them whole: `odds.lucky_6 = "las-vegas"` in an experiment, or
    `with_pay_table`.

    >>> big = Bet(id="big", title="Big", kind="side", lines=lambda r: "win" if r.cards > 4 else None,
    ...           odds={"win": "0.54:1"}, rule="wins with five or six cards")
    >>> str(big.odds["win"])
    '27:50'
    >>> replace(big, odds={"wins": 1})
    Traceback (most recent call last):
    bacclab.errors.BetError: big has no pay line wins (did you mean win?)
    """

    id: str
    title: str
    kind: Kind
    lines: Lines
    odds: Mapping[str, Odds]
    commission: bool = False
    rule: str = ""
    source: str = ""
    example: str = ""
    pay_tables: Mapping[str, Offer] = field(default_factory=dict)
    line_names: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """All pay lines that the rule can name, in the odds or not."""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", self.id):
            raise BetError(f"{self.id!r} is no name for a bet", hint="use small letters, digits and _, as in dragon_7")
        if self.kind not in KINDS:
            raise BetError(f"{self.id} is of no known kind: {self.kind!r}", hint=did_you_mean(str(self.kind), KINDS))
        names = tuple(sorted({name for hit in _hits(self.lines, self.id) for name in hit}))
        object.__setattr__(self, "line_names", names)
        object.__setattr__(self, "pay_tables", MappingProxyType(dict(self.pay_tables)))
        for odds in (self.odds, *(offer.odds for offer in self.pay_tables.values())):
            for line in odds:
                if line not in names:
                    raise BetError(f"{self.id} has no pay line {line}", hint=did_you_mean(line, names))
        parsed = {line: self._parse(line, odds) for line, odds in self.odds.items()}
        if not any(odds.numerator for odds in parsed.values()):
            raise BetError(f"{self.id} can never win", hint="give odds to at least one of its pay lines")
        object.__setattr__(self, "odds", MappingProxyType(parsed))

    def _parse(self, line: str, odds: Odds | str | float) -> Odds:
        try:
            return Odds.parse(odds)
        except BetError as error:
            raise BetError(f"{self.id}, line {line}: {error.message}", hint=error.hint) from None

    def with_pay_table(self, name: str) -> Bet:
        """The same bet at the odds of one of its pay tables."""
        if name not in self.pay_tables:
            hint = did_you_mean(name, tuple(self.pay_tables)) if self.pay_tables else "it has only its usual odds"
            raise BetError(f"{self.id} has no pay table {name}", hint=hint)
        return replace(self, odds=self.pay_tables[name].odds)

    def __reduce__(self) -> tuple[object, ...]:
        # The read-only mappings do not pickle; the names of the pay lines are found again.
        values = {item.name: getattr(self, item.name) for item in fields(self) if item.init}
        return partial(Bet, **{**values, "odds": dict(self.odds), "pay_tables": dict(self.pay_tables)}), ()


@dataclass(frozen=True, slots=True)
class PayTable:
    """A bet over all round codes: `line[code]` is an index into `names`, `numerators` and `denominators`.

    Line 0 is "lost" (-1:1). A code that cannot occur is judged by the rule too (records may hold anything), and is
    lost if the rule has no answer.
    """

    names: tuple[str, ...]
    line: NDArray[np.uint8]
    numerators: NDArray[np.int64]
    denominators: NDArray[np.int64]


def pay_table(bet: Bet) -> PayTable:
    """The pay table of a bet.

    >>> tie = Bet(id="tie", title="Tie", kind="tie", lines=lambda r: None if r.margin else "win",
    ...           odds={"win": Odds(8)})
    >>> table = pay_table(tie)
    >>> table.names, table.numerators.tolist(), table.line[Round(6, 6, 2, 2).code], table.line[Round(7, 6, 2, 2).code]
    (('lost', 'win'), [-1, 8], np.uint8(1), np.uint8(0))
    """
    names = (LOST, *bet.odds)
    index = {name: place for place, name in enumerate(names)}
    hits = _all_hits(bet.lines, bet.id)
    places = {hit: next((index[name] for name in hit if name in bet.odds), 0) for hit in set(hits)}
    return PayTable(
        names=names,
        line=np.fromiter(map(places.__getitem__, hits), np.uint8, CODES),
        numerators=np.array([-1, *(odds.numerator for odds in bet.odds.values())], np.int64),
        denominators=np.array([1, *(odds.denominator for odds in bet.odds.values())], np.int64),
    )


def _hits(lines: Lines, name: str) -> tuple[tuple[str, ...], ...]:
    """The pay lines named for every code that can occur; a rule that fails is told with the bet's name."""
    try:
        return _possible_hits(lines)
    except BetError as error:
        raise BetError(
            error.message.replace("the rule", f"the rule of {name}", 1), hint=error.hint
        ) from error.__cause__


def _all_hits(lines: Lines, name: str) -> tuple[tuple[str, ...], ...]:
    """The pay lines named for every code, those that cannot occur included."""
    return _every_hit(lines, _hits(lines, name))


# Bets that share a rule share its answers.
@lru_cache(maxsize=512)
def _possible_hits(lines: Lines) -> tuple[tuple[str, ...], ...]:
    return tuple(_named(lines, decode(code)) for code in np.flatnonzero(possible_codes()).tolist())


@lru_cache(maxsize=512)
def _every_hit(lines: Lines, possible_hits: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    answers = iter(possible_hits)
    hits: list[tuple[str, ...]] = []
    for code, possible in enumerate(possible_codes().tolist()):
        hit: tuple[str, ...] = ()
        if possible:
            hit = next(answers)
        else:
            with contextlib.suppress(BetError):
                hit = _named(lines, decode(code))
        hits.append(hit)
    return tuple(hits)


def _named(lines: Lines, round_: Round) -> tuple[str, ...]:
    try:
        hit: object = lines(round_)
    except Exception as error:
        raise BetError(f"the rule fails: {type(error).__name__}: {error}", hint=f"on {round_}") from error
    named = () if hit is None else (hit,) if isinstance(hit, str) else hit
    if not isinstance(named, tuple) or not all(isinstance(line, str) for line in named) or LOST in named:
        raise BetError(
            f"the rule answers {hit!r} on {round_}",
            hint="it must name pay lines (a word or several) or return None when the bet is lost",
        )
    return named
