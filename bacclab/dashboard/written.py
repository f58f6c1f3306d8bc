"""How one figure is written, in English; `Language.figures` puts it into another language's signs."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, Literal

__all__ = ["Kind", "money", "percent", "written"]

Kind = Literal["text", "count", "money", "units", "total", "share", "return", "z", "number", "p"]
"""What a figure of a table is, and so how it is written."""


def written(value: Any, kind: Kind) -> str:
    """A figure as it is printed; nothing at all is a dash, never a zero, and what is no number is shown as it is.

    >>> written("ruined", "share")
    'ruined'
    >>> written(-0.0105791, "return"), written(1234.5, "money"), written(None, "z"), written(0.12345, "share")
    ('−1.06 %', '1,234.50', '–', '12.3 %')
    >>> written(-0.004, "money"), written(-0.0, "return")
    ('0.00', '+0.00 %')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if kind == "text" or not isinstance(value, Real):
        return str(value)
    text = {
        "count": lambda v: f"{round(v):,}",
        "money": lambda v: f"{v:z,.2f}",
        "total": lambda v: f"{v:z,.2f}",
        "units": lambda v: f"{v:z,.0f}",
        "share": lambda v: f"{v * 100:z.1f} %",
        "return": lambda v: f"{v * 100:+z.2f} %",
        "z": lambda v: f"{v:+z.2f}",
        "number": lambda v: f"{v:z,.1f}".removesuffix(".0"),
        "p": lambda v: f"{v:.4f}" if v >= 0.0001 else "< 0.0001",
    }[kind](value)
    return text.replace("-", "−")


def money(amount: float) -> str:
    """An amount of currency units in words.

    >>> money(1234.5), money(1000.0), money(-3.25)
    ('1,234.50', '1,000', '−3.25')
    """
    text = f"{abs(amount):,.2f}".removesuffix(".00")
    return f"−{text}" if amount < 0 and text != "0" else text


def percent(share: float) -> str:
    """A share of sessions in words; a small one is never rounded to nothing.

    >>> percent(0.3412), percent(0.00012), percent(0.0), percent(1.0), percent(0.99999)
    ('34.1 %', '0.012 %', '0 %', '100 %', '99.999 %')
    """
    small = min(share, 1 - share) * 100
    if small >= 1:
        return f"{share * 100:.1f} %"
    digits = min(math.floor(-math.log10(small)) + 2, 8) if small > 0 else 0
    text = f"{share * 100:.{digits}f}"
    return f"{text.rstrip('0').rstrip('.') if digits else text} %"
