"""Which side, by a book of written shoes: find the place that fits what has come, and bet what stands next.

The rules speak of decisions and of sides: a letter that did not come is lost, whatever the bet on it paid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from bacclab.bettors.base import selection
from bacclab.bettors.params import Param
from bacclab.bettors.selections.recent import HistorySelection
from bacclab.errors import BettorError
from bacclab.game.codes import Outcome

if TYPE_CHECKING:
    from bacclab.game.tables import Table

__all__ = ["PatternBook"]

_SIDES = {"P": Outcome.PLAYER, "B": Outcome.BANKER}
_LETTERS = {side: letter for letter, side in _SIDES.items()}


@selection("pattern-book")
class PatternBook(HistorySelection):
    """Bets the next letter of a written sequence that fits the shoe so far.

    ``books`` are rows of P and B, taken in turn. With ``fit = "last"`` a place fits where the last ``results``
    decisions stand, and the letter after it is bet: the first such place of the book in use, or of the next one that
    has any. With ``fit = "first"`` a book fits that begins with the first ``results`` decisions of the shoe, and is
    then followed letter by letter to its end (with ``results = 0`` every book fits). Where nothing fits, the round is
    sat out.

    After ``losses`` letters lost in a row (0: never) the next book is taken up; the one in use goes with the bettor
    from shoe to shoe.

    Source: a betting program of unnamed origin has eight written shoes of about 87 letters, used in turn.

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(PatternBook(books=("PPBBPB",), results=2), "P P T B B P")
    '- - B B B P'
    >>> sides(PatternBook(books=("BBBB", "PBPB"), fit="first", results=1), "P B T B P P")
    '- B P P B -'
    >>> sides(PatternBook(books=("BBBBBB", "PPPPPP"), fit="first", results=0, losses=2), "P P P B B B")
    'B B P P P B'
    """

    books: Annotated[tuple[str, ...], Param(min_length=1, text="the sequences, letters P and B")] = (
        "PPBBPPBB",
        "PBPBPBPB",
        "PPPPPPPP",
        "BBBBBBBB",
    )
    fit: Annotated[
        Literal["last", "first"], Param(text="compared with the last decisions, or the first of the shoe")
    ] = "last"
    results: Annotated[int, Param(ge=0, le=12, text="how many decisions must fit")] = 3
    losses: Annotated[int, Param(ge=0, text="letters lost in a row after which the next book is taken; 0: never")] = 0

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        for book in self.books:
            strange = sorted(set(book) - set(_SIDES))
            if strange or not book:
                said = f"has {strange[0]!r}" if strange else "is empty"
                raise BettorError(f'{self.id}: books: "{book}" {said}; a book is made of the letters P and B')

    def start(self, table: Table) -> None:
        self.book = 0
        super().start(table)

    def shoe(self) -> None:
        self.lost = 0
        super().shoe()

    def forget(self) -> None:
        self.past = ""
        self.place = 0

    def learn(self, outcome: Outcome) -> None:
        letter = self.next_letter()
        if self.losses and letter is not None and not self.sitting_out:
            self.lost = self.lost + 1 if letter != _LETTERS[outcome] else 0
        if self.fit == "last":
            self.past = (self.past + _LETTERS[outcome])[-self.results :] if self.results else ""
        else:
            self.past = (self.past + _LETTERS[outcome])[: self.results]
            self.place = min(self.place + 1, max(map(len, self.books)))
        if self.losses and self.lost >= self.losses:
            self.book, self.lost = (self.book + 1) % len(self.books), 0

    def choose(self) -> Outcome | None:
        letter = self.next_letter()
        return None if letter is None else _SIDES[letter]

    def next_letter(self) -> str | None:
        """The letter that is bet next; None where nothing fits."""
        if len(self.past) < self.results:
            return None
        for book in (*self.books[self.book :], *self.books[: self.book]):
            at = self.place_in(book)
            if at is not None:
                return book[at] if at < len(book) else None
        return None

    def place_in(self, book: str) -> int | None:
        """The place of the next letter in a book that fits; None in one that does not."""
        if self.fit == "first":
            return self.place if book.startswith(self.past) else None
        found = book.find(self.past, 0, -1)  # a letter must follow
        return None if found < 0 else found + self.results
