"""Exact money: whole numbers of ten-thousandths of the currency unit, and the ways in and out of them.

Three words are kept apart: an *amount* is an int in ten-thousandths (what the engine and its arrays hold), a `Money`
is an amount as a value with arithmetic (what authors of bettors write), and *currency units* are the numbers and
strings of experiment files and frames.
"""

from __future__ import annotations

import functools
import numbers
import re
from decimal import Decimal
from typing import Final, NoReturn, overload

from bacclab.errors import MoneyError, shorten, shown

UNITS: Final = 10_000
"""Amount of one currency unit."""

CENT: Final = 100
"""Amount of one cent; every stake is a whole number of cents."""

MAX_AMOUNT: Final = 2**51
"""The largest amount allowed anywhere: up to it a Float64 of currency units names one amount and no other.

Below 2^38 units a float is right to 2^-16 of one, which is 0.16 of an amount; the product with `UNITS`, below 2^52, is
right to a quarter. So `round` gives the amount back. Sums above 2^39 units share their floats.
"""

_PLACES: Final = 4
_MOST_DIGITS: Final = 300
"""A sum with more digits is refused; fewer can be shown and turned into a float."""
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?", re.ASCII)


@functools.total_ordering
class Money:
    """An exact sum of money, made from currency units; it cannot be changed, and it cannot overflow.

    >>> unit = Money(10)
    >>> unit * 2**3, Money("0.355") + Money(0.1), Money(10) - 12.5
    (Money('80.00'), Money('0.455'), Money('-2.50'))
    >>> Money(100) // 3, Money(100) // Money(30)
    (Money('33.3333'), 3)
    >>> Money(10.00001)
    Traceback (most recent call last):
    bacclab.errors.MoneyError: 10.00001 has more than 4 decimals (money is kept in ten-thousandths)
    """

    __slots__ = ("amount",)

    amount: int

    def __init__(self, value: Money | float | str | Decimal) -> None:
        object.__setattr__(self, "amount", to_amount(value))

    @classmethod
    def of(cls, amount: int) -> Money:
        """The money of an amount in ten-thousandths.

        >>> Money.of(3_550)
        Money('0.355')
        """
        money = cls.__new__(cls)
        object.__setattr__(money, "amount", int(amount))
        return money

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Money cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"Money cannot be changed: {name}")

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return Money.of, (self.amount,)

    def __add__(self, other: Money | float) -> Money:
        amount = _operand(other)
        return NotImplemented if amount is None else Money.of(self.amount + amount)

    __radd__ = __add__

    def __sub__(self, other: Money | float) -> Money:
        amount = _operand(other)
        return NotImplemented if amount is None else Money.of(self.amount - amount)

    def __rsub__(self, other: Money | float) -> Money:
        amount = _operand(other)
        return NotImplemented if amount is None else Money.of(amount - self.amount)

    def __mul__(self, times: int) -> Money:
        number = _whole(times)
        return NotImplemented if number is None else Money.of(self.amount * number)

    __rmul__ = __mul__

    @overload
    def __floordiv__(self, other: int) -> Money: ...
    @overload
    def __floordiv__(self, other: Money) -> int: ...
    def __floordiv__(self, other: object) -> Money | int:
        if isinstance(other, Money):
            return self.amount // other.amount
        number = _whole(other)
        return NotImplemented if number is None else Money.of(self.amount // number)

    def __truediv__(self, other: object) -> NoReturn:
        raise MoneyError(
            f"{self} / {other} may be no exact sum",
            hint="divide with //, and round down to a chip with down_to: (money // 3).down_to(5)",
        )

    def down_to(self, step: Money | float | str | Decimal) -> Money:
        """The largest whole number of chips of `step` that is no more than this; MoneyError if `step` is not above 0.

        A share of a bankroll is seldom a sum that can be laid; this makes it one.

        >>> share = Money(1234) // 100
        >>> share, share.down_to(5), share.down_to("0.01")
        (Money('12.34'), Money('10.00'), Money('12.34'))
        """
        chip = to_amount(step)
        if chip <= 0:
            raise MoneyError(f"a sum cannot be rounded down to steps of {show(chip)}", hint="the step must be above 0")
        return Money.of(self.amount - self.amount % chip)

    def __mod__(self, other: object) -> Money:
        return Money.of(self.amount % other.amount) if isinstance(other, Money) else NotImplemented

    def __neg__(self) -> Money:
        return Money.of(-self.amount)

    def __pos__(self) -> Money:
        return self

    def __abs__(self) -> Money:
        return Money.of(abs(self.amount))

    def __bool__(self) -> bool:
        return self.amount != 0

    def __float__(self) -> float:
        return from_amount(self.amount)

    def __eq__(self, other: object) -> bool:
        try:
            amount = _operand(other)
        except MoneyError:  # a float that is no exact amount equals none
            return False
        return NotImplemented if amount is None else self.amount == amount

    def __lt__(self, other: Money | float) -> bool:
        amount = _operand(other)
        return NotImplemented if amount is None else self.amount < amount

    def __hash__(self) -> int:
        # Equal numbers have equal hashes: Money(10) == 10.
        return hash(Decimal(self.amount) / UNITS)

    def __str__(self) -> str:
        return show(self.amount).replace(",", "")

    def __repr__(self) -> str:
        return f"Money('{self}')"


def to_amount(value: Money | float | str | Decimal) -> int:
    """The exact amount of a sum in currency units; what is not exact is refused, never rounded.

    A float counts as the shortest decimal number that names it (as it was typed), so 0.1 is ten cents.

    >>> to_amount("1000.00"), to_amount(0.1), to_amount(-2), to_amount(Money("0.355"))
    (10000000, 1000, -20000, 3550)
    >>> to_amount(True)
    Traceback (most recent call last):
    bacclab.errors.MoneyError: true is not a sum of money (write a number such as 10 or "10.00")
    """
    if isinstance(value, Money):
        return value.amount
    whole = _whole(value)
    if whole is not None and abs(whole) < 10**_MOST_DIGITS:
        return whole * UNITS
    number = _decimal(value)
    if not number.is_finite():
        raise MoneyError(f"{value!r} is not a sum of money", hint="it must be a finite number")
    if number.adjusted() > _MOST_DIGITS:  # before any conversion: 1e99999999 has a hundred million digits
        raise MoneyError(f"{shorten(str(number), 40)} is too large a sum of money")
    too_fine = number != 0 and number.adjusted() < -_PLACES
    numerator, denominator = (0, 1) if too_fine or not number else number.as_integer_ratio()
    amount, rest = divmod(numerator * UNITS, denominator)
    if rest or too_fine:
        raise MoneyError(
            f"{shorten(str(value), 40)} has more than {_PLACES} decimals", hint="money is kept in ten-thousandths"
        )
    return amount


def from_amount(amount: int) -> float:
    """Currency units of an amount, as a float (exact to its last digit up to `MAX_AMOUNT`).

    >>> from_amount(3_550)
    0.355
    """
    return int(amount) / UNITS


def show(amount: int) -> str:
    """An amount for people: thousands apart, two decimals, more only where they are needed.

    >>> show(12_345_000), show(3_550), show(-500)
    ('1,234.50', '0.355', '-0.05')
    """
    whole, rest = divmod(abs(int(amount)), UNITS)
    decimals = f"{rest:04d}"
    decimals = decimals[:2] + decimals[2:].rstrip("0")
    return f"{'-' if amount < 0 else ''}{whole:,}.{decimals}"


def within_range(amount: int, *, what: str) -> int:
    """The amount itself, if the engine can hold it exactly; else a `MoneyError` that names `what`.

    >>> within_range(5, what="bankroll")
    5
    >>> within_range(2**51 + 1, what="bankroll")
    Traceback (most recent call last):
    bacclab.errors.MoneyError: bankroll of 225,179,981,368.5249 is too large (the limit is 225,179,981,368.5248)
    """
    if abs(amount) > MAX_AMOUNT:
        size = show(amount) if abs(amount) < 10**40 else shown(amount // UNITS)
        raise MoneyError(f"{what} of {size} is too large", hint=f"the limit is {show(MAX_AMOUNT)}")
    return amount


def _whole(value: object) -> int | None:
    """The value as an int if it is a whole number of any type (numpy's too), but not a truth value."""
    if type(value) is int:  # asking for the abstract number costs most of a multiplication
        return value
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        return None
    return int(value)


def _operand(value: object) -> int | None:
    """The amount of the other side of an operation, None if it is nothing that can be added to money."""
    if isinstance(value, Money):
        return value.amount
    if isinstance(value, (float, Decimal)):
        return to_amount(value)
    number = _whole(value)
    return None if number is None else number * UNITS


def _decimal(value: object) -> Decimal:
    number = _whole(value)
    if number is not None:
        return Decimal(number)
    if isinstance(value, float):
        return Decimal(float.__repr__(value))
    if isinstance(value, Decimal):
        return value
    if isinstance(value, str):
        text = value.strip()
        if _NUMBER.fullmatch(text):
            return Decimal(text)
        raise MoneyError(f"{shorten(repr(value), 100)} is not a sum of money", hint=_spelling_hint(text))
    raise MoneyError(f"{shown(value)} is not a sum of money", hint='write a number such as 10 or "10.00"')


def _spelling_hint(text: str) -> str:
    """What is likely to be wrong with a text that is not a plain decimal number."""
    if "," in text:
        return "write it with a decimal point and without commas, such as 1000.50"
    if "\N{MINUS SIGN}" in text or text.endswith("-") or text.startswith("("):
        return "write a minus as a plain - in front"
    if re.fullmatch(r"[+-]?[0-9.]+[eE][+-]?[0-9]+", text):
        return "write all digits, without an exponent"
    return 'write a number such as "10.00"'
