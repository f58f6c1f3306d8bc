"""What a bettor is shown before a round (`View`), what it lays (`Bets`) and what it is told afterwards (`Result`).

A view is read-only and holds only the past: there is nothing in it from which the next round could be read. What a
bettor reads decides how it can be played: a bettor that reads nothing but its own state can be walked into a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from bacclab.errors import BettorError
from bacclab.game.bets import how_to_offer
from bacclab.game.codes import CODE_MASK, Outcome, Pair, Round, decode
from bacclab.game.roads_now import Follower
from bacclab.money import Money, to_amount

if TYPE_CHECKING:
    from bacclab.game.roads_now import RoadsNow
    from bacclab.game.tables import Table

__all__ = ["Bets", "Result", "UnseenNeeded", "View"]

Stake = Money | int | float | str
T = TypeVar("T")


class UnseenNeeded(BettorError):
    """A bettor looked at the cards left in rounds that came without them."""

    def __init__(
        self,
        message: str = "it looks at the cards left (view.unseen), which the source of these rounds does not know",
        *,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, hint=hint)


class Bets:
    """The bets of one round: pairs of a bet's id and its amount in ten-thousandths.

    >>> Bets((("banker", 100_000),)) + Bets((("player_pair", 50_000),))
    Bets(banker 10.00 + player_pair 5.00)
    """

    __slots__ = ("ends_session", "items")

    def __init__(self, items: tuple[tuple[str, int], ...], *, ends_session: bool = False) -> None:
        self.items = items
        self.ends_session = ends_session

    def __add__(self, other: Bets) -> Bets:
        return Bets(self.items + other.items, ends_session=self.ends_session or other.ends_session)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bets) and (self.items, self.ends_session) == (other.items, other.ends_session)

    def __hash__(self) -> int:
        return hash((self.items, self.ends_session))

    def __repr__(self) -> str:
        if self.ends_session:
            return "Bets(stop)"
        return f"Bets({' + '.join(f'{bet} {Money.of(amount)}' for bet, amount in self.items)})"


STOP = Bets((), ends_session=True)


class View:
    """The table as a bettor sees it before one round of one session.

    Build the bets of the round with `banker`, `player`, `tie` and `on`, add them with ``+``, and return them from
    `Bettor.bet`; return None to sit the round out, `stop()` to end the session.
    """

    __slots__ = ("_bankroll", "_drawn", "_past", "_random", "_roads", "_round", "_shoe", "_table", "_unseen")

    def __init__(self, table: Table) -> None:
        self._table = table
        self._bankroll = 0
        self._round = 0
        self._shoe = 0
        self._past: list[int] = []
        self._roads = Follower()
        self._unseen: Sequence[int] | None = None
        self._random: Callable[[int, int], float] | None = None
        self._drawn = (0, 0)

    @property
    def table(self) -> Table:
        """The table's rules: shoe, bets, limits, commission."""
        return self._table

    @property
    def bankroll(self) -> Money:
        """The bankroll before this round.

        A share of it can be laid once it is rounded down to a chip: ``(view.bankroll // 100).down_to(5)``.
        """
        return Money.of(self._bankroll)

    @property
    def round(self) -> int:
        """The number of this round in the session, from 1."""
        return self._round

    @property
    def shoe(self) -> int:
        """The number of this shoe in the session, from 1."""
        return self._shoe

    @property
    def shoe_round(self) -> int:
        """The number of this round in the shoe, from 1."""
        return len(self._past) + 1

    @property
    def history(self) -> tuple[Outcome, ...]:
        """The outcomes of this shoe so far, the oldest first, ties among them."""
        return tuple(decode(code & CODE_MASK).outcome for code in self._past)

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds of this shoe so far, the oldest first, with totals, pairs and numbers of cards."""
        return tuple(decode(code & CODE_MASK) for code in self._past)

    @property
    def roads(self) -> RoadsNow:
        """The roads of this shoe so far: the current run, the last columns, the marks and the ask of the derived roads.

        Only what is new is added each round. A bettor that reads it has no table of states; the same roads for many
        sessions at once are `bacclab.game.roads_lanes.LaneRoads`.

        >>> from bacclab.bettors.base import Selection
        >>> from bacclab.bettors.rehearsal import sides
        >>> class SmallRoadRepeats(Selection):
        ...     "Banker where it would draw a red mark on the Small Road, in a run of two or more."
        ...     def side(self, view):
        ...         red = view.roads.ask("small-road", "banker") == "red"
        ...         return "banker" if red and view.roads.length > 1 else None
        >>> sides(SmallRoadRepeats(), "P B P B B P B B")
        '- - - - - B - -'
        """
        return self._roads.of(self._past)

    @property
    def unseen(self) -> Sequence[int]:
        """How many cards of each rank (A, 2, … 10, J, Q, K) have not been seen in this shoe: 13 counts.

        Burned cards and those behind the cut card count as unseen. Raises UnseenNeeded where the source has no cards.
        """
        if self._unseen is None:
            raise UnseenNeeded
        return self._unseen

    def random(self) -> float:
        """A random number in [0, 1) of the bettor's own.

        The first number of a round is the same for a seed, bettor, session and round, and so is the second.
        """
        if self._random is None:
            raise BettorError("this view has no random numbers (view.random)")
        draw, self._drawn = next_draw(self._round, self._drawn)
        return self._random(self._round, draw)

    def banker(self, stake: Stake) -> Bets:
        """A stake on Banker, in currency units."""
        return Bets((("banker", stake.amount if isinstance(stake, Money) else to_amount(stake)),))

    def player(self, stake: Stake) -> Bets:
        """A stake on Player, in currency units."""
        return Bets((("player", stake.amount if isinstance(stake, Money) else to_amount(stake)),))

    def tie(self, stake: Stake) -> Bets:
        """A stake on Tie, in currency units."""
        return Bets((("tie", stake.amount if isinstance(stake, Money) else to_amount(stake)),))

    def on(self, bet: str, stake: Stake) -> Bets:
        """A stake on any bet of the table, by its id. Raises BettorError for a bet that the table does not offer."""
        if bet not in self._table.bets:
            raise no_such_bet(bet, self._table.bets)
        return Bets(((bet, stake.amount if isinstance(stake, Money) else to_amount(stake)),))

    def stop(self) -> Bets:
        """No bet, and the end of this bettor's session."""
        return STOP


def next_draw(round_number: int, drawn: tuple[int, int]) -> tuple[int, tuple[int, int]]:
    """Which draw of the round this is, from 0, and what to remember of it: (round, draws so far).

    >>> next_draw(7, (7, 2)), next_draw(8, (7, 2))
    ((2, (7, 3)), (0, (8, 1)))
    """
    draw = drawn[1] if drawn[0] == round_number else 0
    return draw, (round_number, draw + 1)


def no_such_bet(bet: str, offered: Iterable[str]) -> BettorError:
    """The error for a bet that a table does not offer.

    >>> no_such_bet("bankr", ["banker", "player"])
    BettorError("the table offers no bet 'bankr'")
    """
    return BettorError(f"the table offers no bet {bet!r}", hint=how_to_offer(bet, tuple(offered)))


class Result:
    """What a round was and what it did to the bets laid on it.

    ``won``, ``push`` and ``lost`` speak of the sum of all bets of the round; all three are False when nothing was laid.
    """

    __slots__ = ("_code", "_net", "_staked")

    def __init__(self, code: int, *, staked: int, net: int) -> None:
        self._code = code
        self._staked = staked
        self._net = net

    @property
    def round(self) -> Round:
        """The whole round: totals, number of cards, pairs."""
        return decode(self._code)

    @property
    def outcome(self) -> Outcome:
        """Who won: ``player``, ``banker`` or ``tie``."""
        return decode(self._code).outcome

    @property
    def player_total(self) -> int:
        """Player's total, 0 to 9."""
        return decode(self._code).player_total

    @property
    def banker_total(self) -> int:
        """Banker's total, 0 to 9."""
        return decode(self._code).banker_total

    @property
    def player_pair(self) -> Pair:
        """Whether Player's first two cards are of one rank (and of one suit)."""
        return decode(self._code).player_pair

    @property
    def banker_pair(self) -> Pair:
        """Whether Banker's first two cards are of one rank (and of one suit)."""
        return decode(self._code).banker_pair

    @property
    def natural(self) -> bool:
        """True when either side had 8 or 9 with two cards."""
        return decode(self._code).natural

    @property
    def staked(self) -> Money:
        """What was laid on the round, all bets together."""
        return Money.of(self._staked)

    @property
    def net(self) -> Money:
        """What the round won (or, below zero, lost), commission taken off."""
        return Money.of(self._net)

    @property
    def laid(self) -> bool:
        """True when something was laid."""
        return self._staked > 0

    @property
    def won(self) -> bool:
        """True when the bets of the round won together."""
        return self._net > 0

    @property
    def push(self) -> bool:
        """True when something was laid and nothing was won or lost."""
        return self._net == 0 and self._staked > 0

    @property
    def lost(self) -> bool:
        """True when the bets of the round lost together."""
        return self._net < 0

    def note_bet(self, index: int) -> None:
        """A bet, by its index in the layout, is about to be settled on this round: of use to a walk over states."""

    def pick(self, *, won: T, push: T, lost: T, idle: T | None = None) -> T:
        """One of three values, by how the round ended for the bets laid; ``idle`` (default: ``push``) without a bet.

        >>> Result(0, staked=100_000, net=-100_000).pick(won=1, push=2, lost=4)
        4
        """
        if self._net > 0:
            return won
        if self._net < 0:
            return lost
        if self._staked == 0 and idle is not None:
            return idle
        return push
