"""The API that every betting system is written against.

A bettor is written once, in plain Python. Most systems are a *selection* (which side) times a *progression* (how
much): the two are written apart and any selection can be played with any progression through `Combined`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

from bacclab.bettors.params import Configurable, Param
from bacclab.bettors.view import Bets, Result, View
from bacclab.money import Money

if TYPE_CHECKING:
    from bacclab.game.tables import Table

__all__ = ["Bettor", "Combined", "Progression", "Selection", "bettor", "progression", "selection"]

C = TypeVar("C", bound=type[Configurable])


class Bettor(Configurable):
    """A whole betting system: it says what to lay on each round.

    Override `bet`, and `start` and `settle` if the system has a memory. All memory lives in attributes that `start`
    sets; a session begins with `start`, then `shoe`, and everything learned from a round is learned in `settle`.
    """

    vectorised: ClassVar[bool] = False

    def start(self, table: Table) -> None:
        """A session begins: set the state to its first value."""

    def shoe(self) -> None:
        """A new shoe begins; called before the first round of each shoe, the first one included."""

    def bet(self, view: View) -> Bets | None:
        """The bets for the next round; None to sit it out."""
        raise NotImplementedError(f"{type(self).__name__} does not say what to bet: define bet(self, view)")

    def settle(self, result: Result) -> None:
        """A round is over; called after every round, also when nothing was laid (``result.laid`` is False)."""

    def reset(self, table: Table) -> None:
        """Begin the progression again after a refused bet (``when_refused = "reset"``); by default start afresh."""
        self.start(table)


class Selection(Configurable):
    """Which side: looks at the rounds of a shoe and names the bet for the next one."""

    vectorised: ClassVar[bool] = False

    def start(self, table: Table) -> None:
        """A session begins."""

    def shoe(self) -> None:
        """A new shoe begins: forget the old one."""

    def side(self, view: View) -> str | None:
        """The id of the bet for the next round, or None to sit it out."""
        raise NotImplementedError(f"{type(self).__name__} does not choose a side: define side(self, view)")

    def edge(self, view: View) -> float | None:
        """What the chosen bet is reckoned to win on average, per unit staked; None without a reckoning of its own.

        A counting selection may answer it; progressions that stake by the edge (``kelly``) are told. Asked after
        `side`.
        """
        return None

    def see(self, result: Result) -> None:
        """A round is over; called after every round, laid or not."""


class Progression(Configurable):
    """How much: turns wins and losses into the next stake.

    `settle` is called only after a round on which its stake was laid. A push must leave the state as it is unless the
    system says otherwise.
    """

    vectorised: ClassVar[bool] = False
    unit: Annotated[Money, Param(gt=0, text="one unit")] = Money(10)

    def start(self, table: Table) -> None:
        """A session begins, or the progression begins again after a refusal."""

    def stake(self, view: View) -> Money:
        """The stake for the next round."""
        raise NotImplementedError(f"{type(self).__name__} does not name a stake: define stake(self, view)")

    def stake_on(self, bet: str, view: View, *, edge: float | None = None) -> Money:
        """The stake on a bet, by its id; override it where the stake depends on the bet or on the selection's edge."""
        return self.stake(view)

    def settle(self, result: Result) -> None:
        """A round on which the stake was laid is over."""


class Combined(Bettor):
    """A selection with a progression: the side of the one, the stake of the other.

    A new shoe reaches only the selection, a reset only the progression: histories are per shoe, money is per session.
    """

    def __init__(self, selection: Selection, progression: Progression) -> None:
        super().__init__()
        self.selection = selection
        self.progression = progression

    @property
    def parameters(self) -> dict[str, Any]:
        """The selection and the progression, by those names."""
        return {"selection": self.selection, "progression": self.progression}

    def __repr__(self) -> str:
        return f"Combined({self.selection!r}, {self.progression!r})"

    def start(self, table: Table) -> None:
        self.selection.start(table)
        self.progression.start(table)

    def shoe(self) -> None:
        self.selection.shoe()

    def bet(self, view: View) -> Bets | None:
        side = self.selection.side(view)
        if side is None:
            return None
        return view.on(side, self.progression.stake_on(side, view, edge=self.selection.edge(view)))

    def settle(self, result: Result) -> None:
        self.selection.see(result)
        if result.laid:
            self.progression.settle(result)

    def reset(self, table: Table) -> None:
        self.progression.start(table)


def _marker(kind: type[Configurable], name: str) -> Callable[[C], C]:
    def mark(cls: C) -> C:
        if not issubclass(cls, kind):
            raise TypeError(f"{cls!r} must be a subclass of {kind.__name__} to be registered as {name!r}")
        cls.id = name
        return cls

    return mark


def bettor(name: str) -> Callable[[C], C]:
    """Mark a `Bettor` class with the id under which experiments use it.

    >>> @bettor("one-round")
    ... class OneRound(Bettor):
    ...     "Bets once, then stops."
    >>> OneRound.id
    'one-round'
    """
    return _marker(Bettor, name)


def selection(name: str) -> Callable[[C], C]:
    """Mark a `Selection` class with the id under which experiments use it (``select = "…"``).

    >>> @selection("against-player")
    ... class AgainstPlayer(Selection):
    ...     "Banker after Player, and sits out all other rounds."
    ...     def side(self, view):
    ...         return "banker" if view.history[-1:] == ("player",) else None
    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(AgainstPlayer(), "P P B T P")
    '- B B - -'
    """
    return _marker(Selection, name)


def progression(name: str) -> Callable[[C], C]:
    """Mark a `Progression` class with the id under which experiments use it (``stake = "…"``).

    >>> @progression("up-by-one")
    ... class UpByOne(Progression):
    ...     "One unit more after a loss, one unit again after a win."
    ...     def start(self, table):
    ...         self.units = 1
    ...     def stake(self, view):
    ...         return self.unit * self.units
    ...     def settle(self, result):
    ...         self.units = result.pick(won=1, push=self.units, lost=self.units + 1)
    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(UpByOne(unit=5), "L L W L T L")
    '5 10 15 5 10 10'
    """
    return _marker(Progression, name)
