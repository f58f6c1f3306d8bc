"""What a user typed, read into values: shares, sums, numbers of rounds, tables and bets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bacclab.cli.call import call_of
from bacclab.errors import BacclabError, BetError, MoneyError

if TYPE_CHECKING:
    import typer

    from bacclab.exact.flat.bet import FlatBet
    from bacclab.game.tables import Table


def share(text: str, option: str, *, most: float = 1.0) -> float:
    """A share as people write it.

    >>> share("5%", "--risk"), share("0.05", "--risk")
    (0.05, 0.05)
    >>> share("5", "--risk")
    Traceback (most recent call last):
    bacclab.errors.BetError: --risk 5 is no share (write 5% or 0.05)
    """
    number = text.strip()
    is_percent = number.endswith("%")
    try:
        value = float(number.removesuffix("%")) / (100 if is_percent else 1)
    except ValueError:
        raise BetError(f"{option} {text} is no share", hint="write 5% or 0.05") from None
    if not 0 <= value <= most:
        hint = f"write {number}% or {value / 100:g}" if not is_percent and 1 < value <= 100 else "write 5% or 0.05"
        raise BetError(f"{option} {text} is no share", hint=hint)
    return value


def amount(text: str, option: str) -> int:
    """A sum of money as an amount.

    >>> amount("12.50", "--unit")
    125000
    >>> amount("ten", "--unit")
    Traceback (most recent call last):
    bacclab.errors.MoneyError: --unit: 'ten' is not a sum of money (write a number such as "10.00")
    """
    from bacclab.money import to_amount

    try:
        return to_amount(text)
    except MoneyError as error:
        raise MoneyError(f"{option}: {error.message}", hint=error.hint) from None


def tables_asked(context: typer.Context, names: list[str], sets: list[str] | None) -> list[Table]:
    """Registered tables, with the rules changed that ``--set`` names."""
    registry = call_of(context).load().registry
    settings = _settings(sets or ())
    found: list[Table] = []
    for name in names:
        table: Table = registry.get("tables", name).item
        bets = {entry.id: entry.item for entry in registry.of("bets").values()}
        found.append(table.override(settings, bets=bets) if settings else table)
    return found


def _settings(sets: Any) -> dict[str, Any]:
    from bacclab.tournament.experiment.origin import parse_set

    settings: dict[str, Any] = {}
    for text in sets:
        assignment = parse_set(text)
        path = assignment.key[1:] if assignment.key[0] == "table" else assignment.key
        inner = settings
        for part in path[:-1]:
            inner = inner.setdefault(str(part), {})
            if not isinstance(inner, dict):
                raise BetError(f"--set {text}: {part} is already set to a plain value")
        inner[str(path[-1])] = assignment.value
    return settings


def stakes(words: str, unit: int) -> dict[str, int]:
    """Bets laid together with their stakes; those without a stake of their own get `unit`.

    >>> stakes("banker+tie=5", 250_000)
    {'banker': 250000, 'tie': 50000}
    """
    found: dict[str, int] = {}
    for word in words.split("+"):
        name, equals, own = word.strip().partition("=")
        found[name] = amount(own, f"--bet {name}") if equals else unit
    return found


def flat_bet(table: Table, words: str, unit: int) -> FlatBet:
    """The flat bet that was asked for."""
    from bacclab.exact.flat.bet import FlatBet

    return FlatBet.at(table, stakes(words, unit))


def whole(values: list[int] | None, option: str) -> list[int]:
    """Numbers of rounds, each at least 1."""
    for value in values or ():
        if value < 1:
            raise BacclabError(f"{option} must be at least 1, not {value}")
    return values or []
