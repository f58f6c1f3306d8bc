"""What cannot be played on a record, because it does not tell what that needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.shoes.recorded.replay_codes import cards_are_known, known_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["not_playable"]


def not_playable(frame: pl.DataFrame) -> tuple[str, ...]:
    """The bets and systems that rows of a record do not decide, in words; of a record with all its cards none.

    >>> from bacclab.shoes.recorded.draft import Reading
    >>> from bacclab.shoes.recorded.importer import record_of
    >>> for text in not_playable(record_of(b"BPPT", Reading(), name="night.txt").frame):
    ...     print(text)
    Banker where a win with a certain total pays less or is a push (the winner's total is not known)
    bets on totals and third cards, such as Dragon 7 and Panda 8 (the number of cards is not known)
    pair bets, and systems that hunt pairs (pairs are not known)
    systems that count cards (the cards are not known)
    """
    known = known_of(frame)
    told = []
    if "winning_total" not in known:
        told.append("Banker where a win with a certain total pays less or is a push (the winner's total is not known)")
    if not {"winning_total", "cards"} <= known:
        missing = "the number of cards is" if "cards" not in known else "totals are"
        told.append(f"bets on totals and third cards, such as Dragon 7 and Panda 8 ({missing} not known)")
    if "pairs" not in known:
        told.append("pair bets, and systems that hunt pairs (pairs are not known)")
    elif "suits" not in known:
        told.append("bets on suited pairs (suits are not known)")
    if not cards_are_known(frame):
        told.append("systems that count cards (the cards are not known)")
    return tuple(told)
