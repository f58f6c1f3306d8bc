"""Marks of one round: letters and words of several languages, colours, numbers, letters that carry pairs.

The marks of a file are looked at together, because some are ambiguous by themselves: `B` is Banker in letters and blue,
that is Player, in colours; `e` is a tie in French and Spanish and a Banker win with a Player pair elsewhere. What stays
ambiguous is refused with the question to answer.
"""

from __future__ import annotations

import re
import string
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from bacclab.errors import SourceError, did_you_mean, shorten
from bacclab.shoes.recorded.draft import BANKER, PLAYER, TIE, Draft

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from bacclab.shoes.recorded.draft import Reading


class Mark(NamedTuple):
    """What one mark says of a round; None where it says nothing."""

    winner: int | None
    winning_total: int | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None

    def draft(self, line: int, *, shoe: Hashable, table: str | None = None) -> Draft:
        """The round that the mark on a line tells of."""
        return Draft(
            line,
            self.winner,
            winning_total=self.winning_total,
            player_pair=self.player_pair,
            banker_pair=self.banker_pair,
            shoe=shoe,
            table=table,
        )


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The meaning of every mark of a file, the form and language that were taken, and what to tell of it."""

    marks: Mapping[str, Mark]
    form: str
    language: str
    notes: tuple[str, ...] = ()


LETTERS: Final = {
    "english": {"B": BANKER, "P": PLAYER, "T": TIE},
    "french": {"B": BANKER, "J": PLAYER, "E": TIE},
    "spanish": {"B": BANKER, "P": PLAYER, "E": TIE},
    "italian": {"B": BANKER, "P": PLAYER, "E": TIE},
    "colours": {"R": BANKER, "B": PLAYER, "G": TIE},
}
"""Single letters by language."""

SIGNS: Final = {"庄": BANKER, "莊": BANKER, "闲": PLAYER, "閒": PLAYER, "閑": PLAYER, "和": TIE,
                "🔴": BANKER, "🔵": PLAYER, "🟢": TIE}  # fmt: skip
"""Signs that mean one thing in every file."""

WORDS: Final = {
    "english": {"banker": BANKER, "player": PLAYER, "tie": TIE},
    "french": {"banquier": BANKER, "banque": BANKER, "joueur": PLAYER, "egalite": TIE},
    "spanish": {"banca": BANKER, "jugador": PLAYER, "empate": TIE},
    "italian": {"banco": BANKER, "giocatore": PLAYER, "pareggio": TIE},
    "chinese": {"庄家": BANKER, "莊家": BANKER, "闲家": PLAYER, "閒家": PLAYER, "閑家": PLAYER, "和局": TIE,
                "庄赢": BANKER, "莊贏": BANKER, "闲赢": PLAYER, "閒贏": PLAYER, "閑贏": PLAYER},
    "thai": {"เจ้ามือ": BANKER, "ผู้เล่น": PLAYER, "เสมอ": TIE, "แดง": BANKER, "น้ำเงิน": PLAYER, "เขียว": TIE},
    "colours": {"red": BANKER, "blue": PLAYER, "green": TIE},
}  # fmt: skip

LANGUAGES: Final = tuple(dict.fromkeys([*LETTERS, *WORDS]))
_ALL_WORDS: Final = {word: (winner, language) for language, words in WORDS.items() for word, winner in words.items()}
_BESIDE: Final = frozenset(["win", "wins", "won", "winner", "the", "its", "it", "s", "a", "hand", "side", "game"])

PAIR_LETTERS: Final = {
    "b": (BANKER, 0, 0), "p": (PLAYER, 0, 0), "t": (TIE, 0, 0),
    "q": (BANKER, 0, 1), "w": (BANKER, 1, 1), "e": (BANKER, 1, 0),
    "f": (PLAYER, 0, 1), "g": (PLAYER, 1, 1), "h": (PLAYER, 1, 0),
    "i": (TIE, 0, 1), "j": (TIE, 1, 1), "k": (TIE, 1, 0),
    "l": (BANKER, None, None), "m": (BANKER, None, None), "n": (BANKER, None, None), "o": (BANKER, None, None),
}  # fmt: skip
"""One letter for winner, Player pair and Banker pair; l, m, n, o are Banker with a further mark."""

COLOUR_TOTAL: Final = re.compile(r"^([RBG])([0-9])([nrba])$")
BBIN: Final = re.compile(r"^(\d{1,3})-(\d)$")
NUMBERS: Final = {"codes": {1: BANKER, 2: PLAYER, 3: TIE}, "codes-01": {0: PLAYER, 1: BANKER}}
FLAGS: Final = (1, 2, 4)
"""Bits of Banker, Player, Tie; 8 and 16 are the Banker and the Player pair."""

MARK_FORMATS: Final = ("letters", "pair-letters", "colour-total-pair", "bbin-map", "codes", "codes-01", "flags")
_PURE_PAIR_LETTERS: Final = frozenset("qwfghiklmno")


def word_of(text: str) -> tuple[int, str] | None:
    """The winner that a word or a short phrase names, with its language.

    >>> word_of("It's a tie!"), word_of("banker_win"), word_of("莊家"), word_of("Égalité"), word_of("banana")
    ((2, 'english'), (1, 'english'), (1, 'chinese'), (2, 'french'), None)
    """
    plain = text.strip().lower()
    if plain in SIGNS:
        return SIGNS[plain], "chinese" if plain.isalpha() else "colours"
    if plain in _ALL_WORDS:
        return _ALL_WORDS[plain]
    bare = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    parts = re.findall(r"[^\W\d_]+", bare)
    named = {_ALL_WORDS[part] for part in parts if part in _ALL_WORDS}
    others = [part for part in parts if part not in _ALL_WORDS and part not in _BESIDE]
    return named.pop() if len(named) == 1 and not others else None


def is_single(token: str) -> bool:
    """Whether a token is one letter or one sign."""
    return len(token) == 1 and (token in string.ascii_letters or token in SIGNS)


def run_together(token: str) -> bool:
    """Whether a token is many marks of one character each.

    >>> [run_together(token) for token in ("BPPTB", "庄闲和", "Banker", "1231", "winner")]
    [True, True, False, True, False]
    """
    if len(token) < 2 or word_of(token) is not None:
        return False
    if all(character in SIGNS for character in token):
        return True
    if token.isdecimal() and token.isascii():
        return len(token) > 2 and set(token) <= set("0123")
    letters = set(token)
    return (
        letters <= set(PAIR_LETTERS)
        or letters <= set("BPTJERG")
        or any({c.upper() for c in letters} <= set(marks) for marks in LETTERS.values())
    )


def vocabulary(tokens: Mapping[str, int], reading: Reading, *, joined: bool = False) -> Vocabulary:
    """The meaning of the marks of a file: each with the line where it is first seen.

    `joined`: the marks stood run together, so that both cases of a letter are not just two ways of writing.
    Raises SourceError for marks that are unknown, and for marks that can be read in two ways.

    >>> from bacclab.shoes.recorded.draft import Reading
    >>> vocabulary({"B": 1, "P": 1, "莊": 2}, Reading()).marks["莊"].winner == BANKER
    True
    >>> vocabulary({"B": 1}, Reading())
    Traceback (most recent call last):
    bacclab.errors.SourceError: line 1: every mark is B, which is Banker in letters and blue, that is Player, in colours
    (say which: --language english or --colours)
    """
    if reading.language is not None and reading.language not in LANGUAGES:
        raise SourceError(f"there is no language {reading.language!r}", hint=did_you_mean(reading.language, LANGUAGES))
    form = reading.format
    if form in NUMBERS:
        return _numbered(tokens, {str(number): Mark(winner) for number, winner in NUMBERS[form].items()}, form)
    if form == "flags":
        return _flagged(tokens)
    if form == "bbin-map" or (form is None and all(BBIN.match(token) for token in tokens)):
        return _bbin(tokens)
    if form == "colour-total-pair" or (form is None and all(COLOUR_TOTAL.match(token) for token in tokens)):
        return _colour_total(tokens, reading)
    if form == "pair-letters":
        return _pair_letters(tokens)
    if form is None and all(token.isdecimal() and token.isascii() for token in tokens):
        return _numbers(tokens)
    return _letters_and_words(tokens, reading, joined=joined)


def _unknown(token: str, line: int, *, hint: str | None = None) -> SourceError:
    return SourceError(f"line {line}: {shorten(token, 60)!r} is no result of a round", hint=hint)


def _numbers(tokens: Mapping[str, int]) -> Vocabulary:
    seen = {int(token) if len(token) < 10 else -1 for token in tokens}
    if seen <= {0, 1}:
        raise SourceError(
            f"line {min(tokens.values())}: 0 and 1 are Player and Banker in some records and the reverse in others",
            hint="say --format codes-01 for 0 Player and 1 Banker, or write letters",
        )
    if seen <= {1, 2, 3}:
        return _numbered(tokens, {str(number): Mark(winner) for number, winner in NUMBERS["codes"].items()}, "codes")
    return _flagged(tokens)


def _numbered(tokens: Mapping[str, int], marks: dict[str, Mark], form: str) -> Vocabulary:
    for token, line in tokens.items():
        if token not in marks:
            raise _unknown(token, line, hint=f"--format {form} has {', '.join(marks)}")
    told = ", ".join(f"{token} {('Player', 'Banker', 'Tie')[mark.winner or 0]}" for token, mark in marks.items())
    ties = ("ties are not written in this form",) if form == "codes-01" else ()
    return Vocabulary({token: marks[token] for token in tokens}, form, told, ties)


def _flagged(tokens: Mapping[str, int]) -> Vocabulary:
    marks = {}
    for token, line in tokens.items():
        number = int(token) if token.isdecimal() and len(token) < 4 else -1
        if number & 7 not in FLAGS or not 0 < number < 32:
            raise _unknown(token, line, hint="flags are 1 Banker, 2 Player, 4 Tie, and 8 and 16 for the pairs")
        winner = {1: BANKER, 2: PLAYER, 4: TIE}[number & 7]
        marks[token] = Mark(winner, None, bool(number & 16), bool(number & 8))
    return Vocabulary(marks, "flags", "1 Banker, 2 Player, 4 Tie, 8 Banker pair, 16 Player pair")


def bbin_mark(code: int, total: int) -> Mark:
    """A round of the BBIN shoe map: code - 1 holds the pairs (by 4) and the winner; 96 is added for a perfect pair.

    >>> bbin_mark(27, 7), bbin_mark(77, 4), bbin_mark(73, 8)
    (Mark(winner=1, winning_total=7, player_pair=True, banker_pair=False),
     Mark(winner=0, winning_total=4, player_pair=False, banker_pair=False),
     Mark(winner=1, winning_total=8, player_pair=False, banker_pair=False))
    """
    base = (code - 96 if code > 96 else code) - 1
    pairs = base % 4
    return Mark((BANKER, PLAYER, TIE)[base // 4 % 3], total, pairs in (2, 3), pairs in (1, 3))


def _bbin(tokens: Mapping[str, int]) -> Vocabulary:
    marks = {}
    for token, line in tokens.items():
        found = BBIN.match(token)
        if found is None or not 1 <= int(found[1]) <= 192:
            raise _unknown(token, line, hint="a BBIN shoe map has marks such as 27-7")
        marks[token] = bbin_mark(int(found[1]), int(found[2]))
    return Vocabulary(marks, "bbin-map", "code-total", ("only the winner's total is known",))


def _colour_total(tokens: Mapping[str, int], reading: Reading) -> Vocabulary:
    marks = {}
    for token, line in tokens.items():
        found = COLOUR_TOTAL.match(token)
        if found is None:
            raise _unknown(token, line, hint="this form has marks such as R5n: colour, total, pair")
        winner = LETTERS["colours"][found[1]]
        marks[token] = Mark(winner, int(found[2]), found[3] in "ba", found[3] in "ra")
    if not any(token[0] in "RG" for token in tokens) and reading.language != "colours":
        raise _blue_or_banker(min(tokens.values()))
    notes = ("R is red (Banker), B blue (Player), G green (Tie); the digit is taken as the winner's total",)
    return Vocabulary(marks, "colour-total-pair", "colours", notes)


def _pair_letters(tokens: Mapping[str, int]) -> Vocabulary:
    marks = {}
    for token, line in tokens.items():
        if token not in PAIR_LETTERS:
            raise _unknown(token, line, hint=f"--format pair-letters has {' '.join(PAIR_LETTERS)}")
        winner, player, banker = PAIR_LETTERS[token]
        marks[token] = Mark(winner, None, None if player is None else bool(player),
                            None if banker is None else bool(banker))  # fmt: skip
    odd = sorted(set(tokens) & set("lmno"))
    notes = (f"{', '.join(odd)}: Banker with a further mark; its pairs are taken as not known",) if odd else ()
    return Vocabulary(marks, "pair-letters", "one letter for winner and pairs", notes)


def _letters_and_words(tokens: Mapping[str, int], reading: Reading, *, joined: bool) -> Vocabulary:
    marks: dict[str, Mark] = {}
    languages: set[str] = set()
    letters: dict[str, int] = {}
    for token, line in tokens.items():
        if len(token) == 1 and token in string.ascii_letters:
            letters[token] = line
            continue
        found = word_of(token)
        if found is None:
            raise _unknown(token, line, hint=_nearest_word(token))
        marks[token] = Mark(found[0])
        languages.add(found[1])
    notes: list[str] = []
    if letters:
        if reading.format is None and _are_pair_letters(letters):
            if marks:
                raise _unknown(next(iter(marks)), tokens[next(iter(marks))], hint="the other marks are single letters")
            return _pair_letters(tokens)
        _refuse_two_cases(letters, reading, words=bool(marks), joined=joined, notes=notes)
        language = _language(letters, reading, languages)
        for token, line in letters.items():
            if token.upper() not in LETTERS[language]:
                raise _unknown(token, line, hint=f"letters of {language}: {', '.join(LETTERS[language])}")
            marks[token] = Mark(LETTERS[language][token.upper()])
        languages.add(language)
    elif reading.language and languages - {reading.language} and reading.language in WORDS:
        line = min(tokens.values())
        raise SourceError(f"line {line}: the words are {', '.join(sorted(languages))}, not {reading.language}")
    return Vocabulary(marks, "letters" if letters else "words", " and ".join(sorted(languages)), tuple(notes))


def _nearest_word(token: str) -> str | None:
    if run_together(token) and not token.isdecimal():
        return "marks that are run together stand alone on their line"
    return did_you_mean(token.lower(), ["banker", "player", "tie"]) if token.isascii() and token.isalpha() else None


def _are_pair_letters(letters: Mapping[str, int]) -> bool:
    """Letters that carry pairs, among them the plain ones, without which any word could be taken for a shoe."""
    return {"b", "p"} <= set(letters) <= set(PAIR_LETTERS) and bool(set(letters) & _PURE_PAIR_LETTERS)


def _refuse_two_cases(
    letters: Mapping[str, int], reading: Reading, *, words: bool, joined: bool, notes: list[str]
) -> None:
    both = sorted({letter.upper() for letter in letters if letter.upper() in letters and letter.lower() in letters})
    cased = {letter.isupper() for letter in letters}
    if len(cased) < 2:
        return
    if reading.fold_case or (words and not joined):
        notes.append("capital and small letters are taken for the same")
        return
    shown = " and ".join(f"{letter} and {letter.lower()}" for letter in both) or ", ".join(sorted(letters))
    raise SourceError(
        f"line {max(letters.values())}: {shown} both stand there, and the case may carry a mark (a pair, a natural)",
        hint="if it carries none, say --fold-case",
    )


def _blue_or_banker(line: int) -> SourceError:
    return SourceError(
        f"line {line}: every mark is B, which is Banker in letters and blue, that is Player, in colours",
        hint="say which: --language english or --colours",
    )


def _language(letters: Mapping[str, int], reading: Reading, languages: set[str]) -> str:
    """The language of single letters: told, or the only one that has them all."""
    if reading.language is not None:
        if reading.language not in LETTERS:
            raise SourceError(f"line {min(letters.values())}: single letters are not {reading.language}")
        return reading.language
    upper = {letter.upper() for letter in letters}
    if upper == {"B"}:
        known = languages - {"chinese", "thai"}
        if len(known) == 1 and (only := known.pop()) in LETTERS:
            return only
        raise _blue_or_banker(min(letters.values()))
    if upper == {"B", "P", "E"} and all(letter.islower() for letter in letters) and reading.format is None:
        raise SourceError(
            (
                f"line {letters['e']}: e is a tie in Spanish and Italian, and Banker with a Player pair in letters "
                "that carry pairs"
            ),
            hint="say --language spanish or --format pair-letters",
        )
    fitting = [language for language, marks in LETTERS.items() if upper <= set(marks)]
    if not fitting:
        return _likeliest(upper)
    return fitting[0]


def _likeliest(upper: set[str]) -> str:
    """The language that lacks the fewest of the letters, for a message that names the odd one."""
    return min(LETTERS, key=lambda language: len(upper - set(LETTERS[language])))
