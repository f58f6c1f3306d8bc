"""Reading the values of an experiment's [table] section: what is not meant literally is explained, never guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TypeVar

from bacclab.errors import MoneyError, TableError, did_you_mean, shown
from bacclab.money import to_amount

Choice = TypeVar("Choice", bound=str)

_MOST_EXPONENT = 50

RATE_STEPS = 10_000
"""A commission is a whole number of hundredths of a per cent."""


def whole(value: object, *, key: str, lowest: int, highest: int) -> int:
    """A whole number in a range.

    >>> whole(6, key="decks", lowest=1, highest=16)
    6
    >>> whole(8.0, key="decks", lowest=1, highest=16)
    Traceback (most recent call last):
    bacclab.errors.TableError: decks must be a whole number, not 8.0 (write 8)
    """
    if isinstance(value, bool):
        raise TableError(f"{key} must be a number, not {shown(value)}", hint=f"{lowest} to {highest}")
    if isinstance(value, (float, str)):
        raise TableError(
            f"{key} must be a whole number, not {shown(value)}", hint=_plain_number(value, lowest, highest)
        )
    if not isinstance(value, int):
        raise TableError(f"{key} must be a whole number, not {shown(value)}", hint=f"{lowest} to {highest}")
    if not lowest <= value <= highest:
        raise TableError(f"{key} must be {lowest} to {highest}, not {shown(value)}")
    return value


def choice(value: object, *, key: str, options: Sequence[Choice]) -> Choice:
    """One of several words.

    >>> choice("turnd", key="burn", options=("none", "one", "turned"))
    Traceback (most recent call last):
    bacclab.errors.TableError: burn cannot be "turnd" (did you mean turned?)
    """
    for option in options:
        if value == option:
            return option
    if isinstance(value, str):
        raise TableError(f'{key} cannot be "{value}"', hint=did_you_mean(value, options))
    raise TableError(f"{key} must be a word, not {shown(value)}", hint=f"one of: {', '.join(options)}")


def yes_or_no(value: object, *, key: str) -> bool:
    """A truth value; 1, "yes" and the like are refused."""
    if isinstance(value, bool):
        return value
    raise TableError(f"{key} must be true or false, not {shown(value)}", hint="without quotes")


def share(value: object, *, key: str) -> Fraction:
    """A commission: "5%" or 0.05, exactly; 5 is refused, since it would be 500 %.

    >>> share("5%", key="commission"), share(0.04, key="commission"), share("4.5 %", key="commission")
    (Fraction(1, 20), Fraction(1, 25), Fraction(9, 200))
    >>> share(5, key="commission")
    Traceback (most recent call last):
    bacclab.errors.TableError: commission = 5 would be 500 % (for 5 % write "5%" or 0.05)
    """
    usage = 'write it as "5%" or 0.05'
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Decimal)):
        raise TableError(f"{key} must be a share, not {shown(value)}", hint=usage)
    text = float.__repr__(value) if isinstance(value, float) else str(_readable(value)).strip()
    percent = text.endswith("%")
    try:
        number = Decimal(text.removesuffix("%").strip())
    except InvalidOperation:
        raise TableError(f"{key} must be a share, not {shown(value)}", hint=usage) from None
    if not number.is_finite() or number < 0:
        raise TableError(f"{key} must be 0 or more, not {shown(value)}", hint=usage)
    if number and abs(number.adjusted()) > _MOST_EXPONENT:  # the exact fraction could fill the memory
        raise TableError(f"{key} = {shown(value)} is no share", hint=usage)
    rate = Fraction(number) / (100 if percent else 1)
    if rate >= 1:
        hint = f'for {number} % write "{number}%" or {number / 100}' if not percent and number < 100 else usage
        raise TableError(f"{key} = {value} would be {float(rate * 100):g} %", hint=hint)
    if RATE_STEPS % rate.denominator:
        raise TableError(f"{key} = {shown(value)} is too fine", hint="hundredths of a per cent are the limit")
    return rate


def amount(value: object, *, key: str) -> int:
    """A sum of money in currency units, as an amount.

    >>> amount(10, key="minimum"), amount("0.50", key="increment")
    (100000, 5000)
    """
    try:
        return to_amount(value)  # type: ignore[arg-type]  # it refuses everything else
    except MoneyError as error:
        raise TableError(f"{key}: {error.message}", hint=error.hint) from None


def section(value: object, *, key: str) -> Mapping[str, object]:
    """A part with keys of its own."""
    if not isinstance(value, Mapping):
        raise TableError(f"{key} must be a section, not {shown(value)}", hint=f"write {key}.NAME = ...")
    return value


def known(name: str, options: Sequence[str], *, key: str) -> str:
    """A key that exists."""
    if name in options:
        return name
    raise TableError(f"unknown key {key}", hint=did_you_mean(name, options))


def _readable(value: float | str | Decimal) -> float | str | Decimal:
    return Decimal(value) if isinstance(value, int) else value  # an int of thousands of digits has no text


def _plain_number(value: float | str, lowest: int, highest: int) -> str:
    text = str(value).strip()
    number = text.removesuffix(".0")
    return (
        f"write {number}"
        if number.isdecimal() and len(number) < 10 and lowest <= int(number) <= highest
        else f"{lowest} to {highest}"
    )
