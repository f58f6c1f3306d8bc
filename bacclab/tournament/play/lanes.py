"""The lanes way: a vectorised bettor plays all sessions of a block at once, round by round."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.bettors.freeze import duplicate
from bacclab.bettors.lanes.base import LaneBets, LaneBettor, LaneResult, LaneView
from bacclab.bettors.slip import POLICIES
from bacclab.errors import BettorError, MoneyError
from bacclab.money import MAX_AMOUNT, UNITS
from bacclab.tournament.ledger import BANKROLL, BETTOR, PLAYING, ROUNDS, SOURCE, Ledger, Trace, ending
from bacclab.tournament.play.plain import too_much
from bacclab.tournament.play.tracing import Tracer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.shoes.source import Rounds
    from bacclab.tournament.play.terms import Terms

__all__ = ["LanePlayer"]


class LanePlayer:
    """Plays a vectorised bettor; ``width`` sessions at once (1: one session after the other, the plain way)."""

    def __init__(
        self,
        bettor: LaneBettor,
        terms: Terms,
        *,
        random: Callable[[NDArray[np.int64], int, int], NDArray[np.float64]],
        width: int | None = None,
    ) -> None:
        self.bettor = bettor
        self.terms = terms
        self.random = random
        self.width = width
        self.way = "plain" if width == 1 else "lanes"

    def play(self, rounds: Rounds, *, first: int) -> tuple[Ledger, Trace]:
        """Play the sessions of a block; ``first`` is the number of its first session."""
        terms = self.terms
        sessions = rounds.codes.shape[0]
        ledger = Ledger.blank(sessions, start=terms.bankroll, checkpoints=len(terms.checkpoints))
        tracer = Tracer(terms, first=first, sessions=sessions)
        width = self.width or sessions
        for low in range(0, sessions, width):
            lanes = _Lanes(self, rounds, ledger, tracer, first=first, low=low, high=min(low + width, sessions))
            try:
                lanes.play()
            except BaseException as error:
                error.add_note(f"round {lanes.view.round}")
                raise
        np.divide(ledger.expected, UNITS, out=ledger.expected)
        return ledger, tracer.trace(rounds)


class _Lanes:
    """Some sessions of a block, one a lane."""

    def __init__(
        self, player: LanePlayer, rounds: Rounds, ledger: Ledger, tracer: Tracer, *, first: int, low: int, high: int
    ) -> None:
        from bacclab.tournament.play import lanes_kernels
        from bacclab.tournament.play.tiles_kernels import TILE

        self.kernels, self.tile = lanes_kernels, TILE
        terms = self.terms = player.terms
        self.part = slice(low, high)
        self.low, self.lanes, self.first = low, high - low, first
        self.ledger, self.tracer, self.rounds = ledger, tracer, rounds
        self.codes, self.new_shoe = lanes_kernels.by_round(rounds.codes[self.part])
        self.shoe_begins = self.new_shoe.any(axis=1).tolist()
        self.unseen = None if rounds.unseen is None else rounds.unseen[self.part].view()
        if self.unseen is not None:
            self.unseen.flags.writeable = False  # every bettor of the block is shown these very counts
        self.bettor = duplicate(player.bettor)
        self.bettor.lanes = self.lanes
        self.view = LaneView(terms.table, terms.layout, lanes=self.lanes)
        numbers = np.arange(first + low, first + high, dtype=np.int64)
        self.view._random = lambda round_number, draw: player.random(numbers, round_number, draw)
        self.figures, self.ended = _tiles(ledger.figures[self.part], TILE), ledger.ended_by[self.part]
        self.bankroll = ledger.figures[self.part, BANKROLL].copy()
        self.refused, self.expected = ledger.refused[self.part], ledger.expected[self.part]
        # Where bets are valued on the cards left, what they are worth on a full shoe is put aside.
        self.valued = self.expected if terms.sees_cards else None
        self.expected = np.zeros(self.lanes) if terms.sees_cards else self.expected
        self.ended[:] = ending(terms.bankroll, terms.floor, terms.goal, terms.least)
        self.staked = self.net = np.zeros(self.lanes, dtype=np.int64)
        self.commission = np.zeros(self.lanes, dtype=np.int64)
        self.ends = terms.floor, terms.goal, terms.least
        self.view._bankroll = self.bankroll
        self.stage = np.empty(self.lanes, dtype=np.uint8)
        self.laid = self.scratch = np.zeros((1, self.lanes), dtype=np.int64)
        self.book = terms.book
        self.counted = ledger.rounds[self.part], ledger.shoes[self.part]
        self.limits = (
            terms.floor,
            POLICIES.index(terms.policy),
            (terms.bounds(), terms.layout.side, terms.layout.needs_main),
        )

    def play(self) -> None:
        """Play round by round until every lane has ended."""
        ledger, lengths = self.ledger, self.rounds.lengths[self.part]
        checkpoints = {int(r): c for c, r in enumerate(self.terms.checkpoints)}
        self.bettor.start(self.terms.table)
        kept, shortest, left = 0, int(lengths.min()), int((self.ended == PLAYING).sum())
        for r in range(self.codes.shape[0]):
            if r >= shortest:
                self._end_at_horizon(lengths <= r)
                left = int((self.ended == PLAYING).sum())
            if not left:
                break
            left = self._round(r)
            if r + 1 in checkpoints:
                kept = checkpoints[r + 1]
                ledger.bankrolls[kept, self.part] = self.bankroll
        ledger.bankrolls[kept + 1 :, self.part] = self.bankroll
        ledger.figures[self.part] = _untiled(self.figures, self.tile)[: self.lanes]
        self._end_at_horizon(np.ones(self.lanes, dtype=np.bool_))

    def _end_at_horizon(self, there: NDArray[np.bool_]) -> None:
        over = there & (self.ended == PLAYING)
        self.ended[over] = np.where(self.rounds.ran_out[self.part][over], SOURCE, ROUNDS)

    def _round(self, r: int) -> int:
        """Play one round in every lane; returns how many play on."""
        view, kernels = self.view, self.kernels
        traced = self.low < self.tracer.sessions
        self._open(r)
        bets = self.bettor.bet(view)
        spots, wanted = self._asked(bets)
        if bets is not None and bets.ends is not None:
            self._leave(bets.ends)
        if self.laid.shape != wanted.shape:
            self.laid, self.scratch = np.zeros_like(wanted), np.zeros_like(wanted)
        laid = self.laid
        before = self.ledger.rounds[self.part].copy() if traced else None
        # New arrays every round: the bettor may keep those that it was shown.
        self.staked, self.net = np.empty(self.lanes, dtype=np.int64), np.empty(self.lanes, dtype=np.int64)
        money = (self.figures, self.bankroll, self.ended, self.expected)
        rules, counted = (*money, self.limits, self.ends, self.book), self.counted
        codes, new_shoe, stage = self.codes[r], self.new_shoe[r], self.stage
        stage[:] = kernels.SETTLED
        out = (self.staked, self.net, self.commission, *counted)
        asking, left, too_rich = kernels.lay_lanes(codes, new_shoe, spots, wanted, laid, True, stage, *rules, out)
        if asking and too_rich < 0:
            lanes = stage == kernels.ASKING
            spots, laid = self._refused(spots, wanted)
            stage[lanes] = kernels.ASKING
            late = tuple(np.empty_like(self.staked) for _ in range(3))
            _, left, too_rich = kernels.lay_lanes(
                codes, new_shoe, spots, laid, laid, False, stage, *rules, (*late, *counted)
            )
            for whole, part in zip((self.staked, self.net, self.commission), late, strict=True):
                whole += part
        if too_rich >= 0:
            raise MoneyError(too_much(self.first + self.low + too_rich, r + 1))
        if self.valued is not None:
            self._value(r, spots, laid, self.valued)
        if before is not None:
            self._trace(r, spots, laid, self.ledger.rounds[self.part] > before)
        self.bettor.settle(LaneResult(_shown(codes), staked=_shown(self.staked), net=_shown(self.net)))
        return int(left)

    def _refused(
        self, spots: NDArray[np.int16], wanted: NDArray[np.int64]
    ) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
        """Follow the policy in the lanes where something is refused; returns the bets and what is laid on them."""
        kernels, laid, scratch = self.kernels, self.laid, self.scratch
        # The other lanes are settled already; the bettor is shown the bankrolls of before the round.
        self.view._bankroll = self.bankroll - self.net
        while kernels.judge_lanes(
            spots, wanted, laid, self.stage, self.bankroll, self.ended, self.limits, self.refused, scratch
        ):
            asked_again = self.stage != kernels.SETTLED
            self.bettor.reset_lanes(asked_again)
            self.view._ask_again(asked_again)
            bets = self.bettor.bet(self.view)
            again, wanted = self._asked(bets)
            if bets is not None and bets.ends is not None:
                self._leave(bets.ends & asked_again)
            if len(again) != len(spots):
                rows = max(len(again), len(spots))
                spots, again = _taller(spots, rows, -1), _taller(again, rows, -1)
                wanted, laid, scratch = (_taller(amounts, rows, 0) for amounts in (wanted, laid, scratch))
            spots = np.where(asked_again, again, spots)
        self.view._bankroll = self.bankroll
        return spots, laid

    def _leave(self, where: NDArray[np.bool_]) -> None:
        """End the sessions whose bettor chose to stop."""
        leaving = where & (self.ended == PLAYING)
        self.ended[leaving] = BETTOR
        self.stage[leaving] = self.kernels.SETTLED

    def _value(self, r: int, spots: NDArray[np.int16], laid: NDArray[np.int64], valued: NDArray[np.float64]) -> None:
        """Add the expectation of what was laid on the cards left before the round."""
        if self.unseen is None or not len(lanes := np.flatnonzero(self.staked)):
            return
        valued[lanes] += self.terms.cards_left(spots[:, lanes], laid[:, lanes], self.unseen[lanes, r])

    def _open(self, r: int) -> None:
        """Show the bettor the round: its number, new shoes, and the cards not yet seen."""
        view = self.view
        view._ask(r + 1)
        if self.shoe_begins[r]:
            new_shoe = self.new_shoe[r]
            view._shoe += new_shoe
            np.putmask(view._shoe_start, new_shoe, r)
            self.bettor.shoe_lanes(new_shoe)
        if self.unseen is not None:
            view._unseen = self.unseen[:, r].T

    def _asked(self, bets: LaneBets | None) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
        """The requests as arrays (bets × lanes): index of the bet, amount."""
        if bets is not None and not isinstance(bets, LaneBets):
            raise BettorError(f"{self.bettor!r}: bet() must return bets made by the view, or None, and not {bets!r}")
        items = () if bets is None else bets.items
        if not items:
            return np.full((1, self.lanes), -1, dtype=np.int16), np.zeros((1, self.lanes), dtype=np.int64)
        bets_there = len(self.terms.layout.ids)
        spots = _rows([_indices(spot, self.bettor, bets=bets_there) for spot, _ in items])
        wanted = _rows([_whole(stakes, self.bettor) for _, stakes in items])
        if spots.shape[1:] != (self.lanes,) or wanted.shape != spots.shape:
            raise BettorError(f"{self.bettor!r}: bet() gave arrays of shape {wanted.shape[1:]} for {self.lanes} lanes")
        indexed, covered = self.kernels.sound(spots, wanted, bets_there)
        if not indexed:
            raise _no_index(self.bettor, bets_there)
        if not covered:
            raise BettorError(f"{self.bettor!r}: a stake is below zero")
        if self.terms.undecided:
            self.terms.refuse_undecided(np.unique(spots).tolist())
        _add_up(spots, wanted)
        return spots, wanted

    def _trace(self, r: int, spots: NDArray[Any], laid: NDArray[Any], playing: NDArray[np.bool_]) -> None:
        tracer = self.tracer
        lanes = slice(0, min(self.lanes, tracer.sessions - self.low))
        place = (slice(self.low, self.low + lanes.stop), r)
        tracer.played[place] = playing[lanes]
        tracer.staked[place], tracer.net[place] = self.staked[lanes], self.net[lanes]
        tracer.commission[place], tracer.bankroll[place] = self.commission[lanes], self.bankroll[lanes]
        slips = zip(spots[:, lanes].T.tolist(), laid[:, lanes].T.tolist(), strict=True)
        tracer.slip[place] = [
            tracer.number(tuple((bet, amount) for bet, amount in zip(*slip, strict=True) if amount)) if staked else 0
            for slip, staked in zip(slips, self.staked[lanes].tolist(), strict=True)
        ]


def _indices(spots: NDArray[Any], bettor: LaneBettor, *, bets: int) -> NDArray[np.int16]:
    """Indices of bets in the type that the kernels read; whether a bet has each of them is looked at there."""
    indices = np.asarray(spots)
    if indices.dtype == np.int16:
        return indices
    if indices.dtype.kind not in "iu" or (indices.size and not -1 <= indices.min() <= indices.max() < bets):
        raise _no_index(bettor, bets)
    return indices.astype(np.int16)


def _no_index(bettor: LaneBettor, bets: int) -> BettorError:
    return BettorError(f"{bettor!r}: the index of a bet must be a whole number from -1 (no bet) to {bets - 1}")


def _shown(array: NDArray[Any]) -> NDArray[Any]:
    """The array as a bettor may see it: it cannot write into it."""
    view = array.view()
    view.flags.writeable = False
    return view


def _tiles(figures: NDArray[np.int64], tile: int) -> NDArray[np.int64]:
    """The running figures (lanes × FIGURES) as kernels keep them: a row a tile of lanes, in it figure after figure."""
    lanes, width = figures.shape
    padded = np.pad(figures, ((0, -lanes % tile), (0, 0)))
    return np.ascontiguousarray(padded.reshape(-1, tile, width).transpose(0, 2, 1)).reshape(-1, width * tile)


def _untiled(tiles: NDArray[np.int64], tile: int) -> NDArray[np.int64]:
    """The running figures a lane, from those a tile; rows past the last lane come along."""
    return tiles.reshape(len(tiles), -1, tile).transpose(0, 2, 1).reshape(len(tiles) * tile, -1)


def _rows(arrays: list[NDArray[Any]]) -> NDArray[Any]:
    return np.ascontiguousarray(arrays[0])[np.newaxis] if len(arrays) == 1 else np.stack(arrays)


def _add_up(spots: NDArray[Any], wanted: NDArray[Any]) -> None:
    """Make several stakes on one bet a single one, in the place of the first, so that its limits hold for the sum."""
    for later in range(1, len(spots)):
        for earlier in range(later):
            if (same := spots[later] == spots[earlier]).any():
                same &= wanted[earlier] > 0
                wanted[earlier] = np.minimum(wanted[earlier], MAX_AMOUNT + 1)
                wanted[earlier] += np.where(same, np.minimum(wanted[later], MAX_AMOUNT + 1), 0)
                wanted[later][same] = 0


def _taller(array: NDArray[Any], rows: int, fill: int) -> NDArray[Any]:
    """The array with more rows below it."""
    return np.pad(array, ((0, rows - len(array)), (0, 0)), constant_values=fill)


def _whole(stakes: NDArray[Any], bettor: LaneBettor) -> NDArray[np.int64]:
    amounts = np.asarray(stakes)
    if amounts.dtype.kind not in "iu":
        raise BettorError(f"{bettor!r}: stakes must be whole ten-thousandths (int64), not {amounts.dtype}")
    return amounts.astype(np.int64, copy=False)
