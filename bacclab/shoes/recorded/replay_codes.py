"""From a record to round codes, shoe by shoe: what is known of every round, and what becomes of faulty ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np

from bacclab.errors import SourceError, counted, did_you_mean
from bacclab.game import codes
from bacclab.shoes.known import fields
from bacclab.shoes.recorded.cards import NO_CARD, UNKNOWN, ranks, show_card
from bacclab.shoes.scripted import RESULTS

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from bacclab.shoes.recorded.record import Record

Policy = Literal["refuse", "skip-shoe", "skip-round", "as-recorded", "by-cards"]
POLICIES: Final = {
    "refuse": "a record with faults is not played",
    "skip-shoe": "shoes with a fault are left out",
    "skip-round": "rounds with a fault are left out of their shoes",
    "as-recorded": "the winner counts as it is written",
    "by-cards": "where the cards contradict the record, the cards count",
}
"""What becomes of rounds with a fault when a record is replayed."""

_PLAIN: Final = {0: RESULTS["P"].code, 1: RESULTS["B"].code, 2: RESULTS["T"].code}


@dataclass(frozen=True, slots=True)
class Replay:
    """Rounds ready to be replayed.

    `codes` are uint16[n] without flags; shoe s has rounds `starts[s]` to `starts[s + 1] - 1`; `used` is uint8[n, 13],
    the cards of each rank that a round took, or None where they are not known; `told` says what was left out; at `gaps`
    places the record says that rounds are missing, and those on both sides come one after the other.
    """

    codes: NDArray[np.uint16]
    starts: NDArray[np.int64]
    known: frozenset[str]
    used: NDArray[np.uint8] | None
    told: str
    gaps: int = 0

    @property
    def shoes(self) -> int:
        """How many shoes there are."""
        return len(self.starts) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The rounds of each shoe."""
        return np.diff(self.starts)


def replay(record: Record, *, faults: str = "refuse") -> Replay:
    """The rounds of a record as codes. Raises SourceError for faults that the policy does not allow."""
    import polars as pl

    if faults not in get_args(Policy):
        raise SourceError(f"there is no faults = {faults!r}", hint=did_you_mean(faults, get_args(Policy)))
    frame, told = record.frame, "none"
    bad = frame["fault"].is_not_null()
    count = int(bad.sum())
    if count:
        frame, told = _settled(record, frame, bad, faults)
    if frame["winner"].null_count():
        line = frame.filter(pl.col("winner").is_null())["line"][0]
        raise SourceError(
            f"line {line} of the record has no winner", hint='leave it out with faults = "skip-round" or "skip-shoe"'
        )
    if not frame.height:
        raise SourceError("no round of the record is without a fault", hint="see `bacclab shoes check`")
    known = known_of(frame)
    found = _codes(frame)
    gaps = sum(one.kind == "gap" for one in record.findings)
    starts = np.flatnonzero(np.diff(frame["shoe"].to_numpy(), prepend=0))
    return Replay(found, np.append(starts, frame.height).astype(np.int64), known, _used(frame), told, gaps)


def _settled(record: Record, frame: pl.DataFrame, bad: pl.Series, faults: str) -> tuple[pl.DataFrame, str]:
    import polars as pl

    count = int(bad.sum())
    if faults == "refuse":
        first = next((one for one in record.findings if one.is_fault), None)
        raise SourceError(
            f"the record has {counted(count, 'round')} with a fault; the first: {first}",
            hint=(
                '`bacclab shoes check` lists them; choose faults = "skip-shoe", "skip-round", "as-recorded" or '
                '"by-cards"'
            ),
        )
    if faults == "skip-shoe":
        shoes = frame.filter(bad)["shoe"].unique()
        kept = frame.filter(~pl.col("shoe").is_in(shoes.implode()))
        return (
            kept,
            f"left out: {counted(len(shoes), 'shoe')} with a fault ({counted(frame.height - kept.height, 'round')})",
        )
    if faults == "skip-round":
        return frame.filter(~bad), f"left out of their shoes: {counted(count, 'round')} with a fault"
    if faults == "by-cards":
        return _by_cards(frame, bad), f"in {counted(count, 'round')} with a fault the cards count"
    contradicted = bad & frame["fault"].str.contains("winner|total|natural|pair|third card|card").fill_null(value=False)
    hidden = [pl.when(contradicted).then(None).otherwise(pl.col(name)).alias(name) for name in _DETAILS]
    return frame.with_columns(hidden), f"as they are written: {counted(count, 'round')} with a fault"


_DETAILS: Final = ("player_total", "banker_total", "natural", "player_pair", "banker_pair", "player_cards",
                   "banker_cards",
                   "p1", "p2", "p3", "b1", "b2", "b3")  # fmt: skip


def _by_cards(frame: pl.DataFrame, bad: pl.Series) -> pl.DataFrame:
    """Faulty rounds as their cards tell them; SourceError where the cards do not."""
    import polars as pl

    from bacclab.shoes.recorded.checks import OPEN, Arrays, check
    from bacclab.shoes.recorded.draft import Draft

    rows = np.flatnonzero(bad.to_numpy())
    hands = _cards(frame)[rows]
    lines = frame["line"].to_numpy()[rows].tolist()
    drafts = [Draft(line, cards=tuple(hand)) for line, hand in zip(lines, hands.tolist(), strict=True)]
    arrays = Arrays.of(drafts)
    broken: list[int] = []
    check(arrays, lambda where, kind, text: broken.extend(np.flatnonzero(where).tolist()))  # noqa: ARG005 - one kind is left
    open_ = sorted({*broken, *np.flatnonzero(arrays.winner == OPEN).tolist()})
    if open_:
        raise SourceError(
            f"the cards do not settle {len(open_)} of the rounds with a fault, such as line {lines[open_[0]]}",
            hint='choose faults = "skip-shoe" or "skip-round"',
        )
    names = [outcome.value for outcome in codes.Outcome]
    fixed: dict[str, list[object]] = {"winner": [names[w] for w in arrays.winner.tolist()]}
    for name in ("player_total", "banker_total", "player_cards", "banker_cards"):
        fixed[name] = getattr(arrays, name).tolist()
    for name in ("natural", "player_pair", "banker_pair"):
        fixed[name] = [None if v == OPEN else bool(v) for v in getattr(arrays, name).tolist()]
    series = [frame[name].scatter(rows, pl.Series(name, values, frame.schema[name])) for name, values in fixed.items()]
    return frame.with_columns(series)


def known_of(frame: pl.DataFrame) -> frozenset[str]:
    """What is known of every round of some rows: see `bacclab.shoes.known.FACTS`."""
    known = {"winner"}
    total = {name: frame[name].is_not_null() for name in ("player_total", "banker_total")}
    won_by = {side: frame["winner"] == side for side in ("player", "banker", "tie")}
    if bool((total["player_total"] & total["banker_total"]).all()):
        known |= {"totals", "winning_total"}
    elif bool((~(won_by["player"] | won_by["tie"]) | total["player_total"]).all()) and bool(
        (~(won_by["banker"] | won_by["tie"]) | total["banker_total"]).all()
    ):
        known.add("winning_total")
    if bool((won_by["tie"] | frame["natural"].is_not_null()).fill_null(value=False).all()):
        known.add("natural")
    if not frame["player_cards"].null_count() and not frame["banker_cards"].null_count():
        known.add("cards")
    if not frame["player_pair"].null_count() and not frame["banker_pair"].null_count():
        known.add("pairs")
        if bool((_suit_states(frame) >= 0).all()):
            known.add("suits")
    return frozenset(known)


def cards_are_known(frame: pl.DataFrame) -> bool:
    """Whether the rank of every card of every row is known, which is what counts of cards need."""
    return _used(frame) is not None


@cache
def _card_numbers() -> dict[str | None, int]:
    return {**{show_card(card): card for card in range(NO_CARD + 1)}, None: UNKNOWN}


def _cards(frame: pl.DataFrame) -> NDArray[np.uint8]:
    """The cards of every row as numbers, uint8[n, 6]."""
    numbers = _card_numbers()
    columns = [
        [numbers.get(text, UNKNOWN) for text in frame[name].to_list()] for name in ("p1", "p2", "p3", "b1", "b2", "b3")
    ]
    return np.array(columns, np.uint8).T.reshape(-1, 6)


def _suit_states(frame: pl.DataFrame) -> NDArray[np.int64]:
    """The pair state of every row (see `bacclab.game.codes`), -1 where the suits that it needs are not known."""
    cards = _cards(frame)
    rank = ranks()[cards].astype(np.int64)
    suited = cards < 52
    pairs = []
    unknown = np.zeros(len(cards), np.bool_)
    for side in (0, 3):
        pair = rank[:, side] == rank[:, side + 1]
        both = suited[:, side] & suited[:, side + 1]
        unknown |= (rank[:, side] < 0) | (rank[:, side + 1] < 0) | (pair & ~both)
        suited_pair = pair & both & (cards[:, side] == cards[:, side + 1])
        pairs.append(pair.astype(np.int64) + suited_pair)
    same = (rank[:, 0] == rank[:, 3]).astype(np.int64)
    states = codes.pair_states()[pairs[0] * 3 + pairs[1] + 9 * same].astype(np.int64)
    return np.where(unknown, -1, states)


def _used(frame: pl.DataFrame) -> NDArray[np.uint8] | None:
    """The cards of each rank that every round took; None where a rank is not known."""
    cards = _cards(frame)
    rank = ranks()[cards]
    if ((rank < 0) & (cards != NO_CARD)).any():
        return None
    used = np.zeros((len(cards), codes.RANKS), np.uint8)
    rows = np.arange(len(cards))
    for place in range(6):
        drawn = rank[:, place] >= 0
        np.add.at(used, (rows[drawn], rank[drawn, place]), 1)
    return used


def _codes(frame: pl.DataFrame) -> NDArray[np.uint16]:
    """A round code for every row that agrees with all that the row tells."""
    different, which = _facts(frame)
    found = np.array([_code(*key) for key in different.tolist()], np.uint16)
    return found[which]


def impossible(frame: pl.DataFrame) -> NDArray[np.bool_]:
    """Which rows tell facts that no round can have together (a two-card nine with a pair); bool[n]."""
    different, which = _facts(frame)
    found = np.array([key[0] >= 0 and not _fitting(*key).any() for key in different.tolist()], np.bool_)
    return found[which]


def _facts(frame: pl.DataFrame) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different combinations of facts, -1 for what is not known, and which of them each row has."""
    columns = [frame["winner"].to_physical()] + [frame[name] for name in _DETAILS[:7]]
    keys = np.stack([column.cast(int).fill_null(-1).to_numpy() for column in columns] + [_suit_states(frame)], axis=1)
    different, which = np.unique(keys, axis=0, return_inverse=True)
    return different, which.reshape(-1)


def _code(winner: int, *facts: int) -> int:
    """The plainest code with these facts, -1 for what is not known; the plainest of the winner if there is none."""
    if all(fact == -1 for fact in facts[:7]):
        return _PLAIN[winner]
    found = np.flatnonzero(_fitting(winner, *facts))
    if not found.size:
        return _PLAIN[winner]
    return int(found[np.argmin(fields()["suits"][found])])


def _fitting(
    winner: int, player_total: int, banker_total: int, natural: int, player_pair: int, banker_pair: int,
    player_cards: int, banker_cards: int, state: int,
) -> NDArray[np.bool_]:  # fmt: skip
    """The possible codes that have these facts, bool[CODES]."""
    table = fields()
    fits: NDArray[np.bool_] = codes.possible_codes() & (table["winner"] == winner)
    cards = table["cards"]
    wanted = (
        (player_total, table["totals"] // 10), (banker_total, table["totals"] % 10),
        (-1 if winner == 2 else natural, table["natural"]),
        (player_pair, table["pairs"] // 2), (banker_pair, table["pairs"] % 2),
        (player_cards, 2 + cards // 2), (banker_cards, 2 + cards % 2), (state, table["suits"]),
    )  # fmt: skip
    for value, column in wanted:
        if value >= 0:
            fits &= column == value
    return fits
