"""A result of a round that is told through two methods: for those who note what a bettor reads or settle other bets."""

from __future__ import annotations

from typing import Any

from bacclab.bettors.view import Result
from bacclab.game.codes import decode
from bacclab.money import Money

__all__ = ["FIELDS", "RoutedResult"]

FIELDS = ("round", "outcome", "player_total", "banker_total", "player_pair", "banker_pair", "natural")
"""What a result says of the round itself, whatever was laid on it."""


class RoutedResult(Result):
    """Every field of the round comes from `_field`, and every word on how the bets did from `_won`.

    >>> class Loud(RoutedResult):
    ...     def _field(self, name):
    ...         print("reads", name)
    ...         return super()._field(name)
    >>> from bacclab.game.codes import Round
    >>> Loud(Round(7, 6, 2, 2).code, staked=0, net=0).player_total
    reads player_total
    7
    """

    __slots__ = ()

    def _field(self, name: str) -> Any:
        """One of `FIELDS`."""
        played = decode(self._code)
        return played if name == "round" else getattr(played, name)

    def _won(self) -> int:
        """What the bets of the round won together, an amount; below zero what they lost."""
        return self._net

    @property
    def net(self) -> Money:
        return Money.of(self._won())

    @property
    def won(self) -> bool:
        return self._won() > 0

    @property
    def push(self) -> bool:
        return self._won() == 0 and self._staked > 0

    @property
    def lost(self) -> bool:
        return self._won() < 0

    def pick(self, **values: Any) -> Any:
        return Result(self._code, staked=self._staked, net=self._won()).pick(**values)


def _routed(name: str) -> property:
    return property(lambda self: self._field(name))


for _name in FIELDS:
    setattr(RoutedResult, _name, _routed(_name))
