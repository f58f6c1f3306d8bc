"""Simulated shoes written down as a record, with every card: what a recorder at the table would have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bacclab.errors import SourceError
from bacclab.game import codes
from bacclab.game.rules import BURNS
from bacclab.shoes.dealer import GENERATOR, SimulatedSource, shuffled_shoe
from bacclab.shoes.recorded.cards import NO_CARD
from bacclab.shoes.recorded.draft import Draft, Drafts, Reading
from bacclab.shoes.source import Horizon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bacclab.game.rules import ShoeRules
    from bacclab.shoes.recorded.record import Record

__all__ = ["FORMATS", "deal_record", "written"]

MOST_SHOES: Final = 100_000
FORMATS: Final = {"parquet": ".parquet", "csv": ".csv", "letters": ".txt"}
"""The forms in which a record is written, each with the ending of its file."""


def deal_record(rules: ShoeRules, *, seed: int, shoes: int, table: str) -> Record:
    """Shoes as a record: shoe j is the one that session j of an experiment with this seed and ``shoes = 1`` is dealt.

    >>> from bacclab.game.rules import ShoeRules
    >>> record = deal_record(ShoeRules(), seed=1, shoes=2, table="commission")
    >>> record.shoe_count, record.findings, record.frame["p1"].null_count()
    (2, (), 0)
    """
    from bacclab.shoes.recorded.importer import record_of_drafts

    if not 1 <= shoes <= MOST_SHOES:
        raise SourceError(f"{shoes:,} shoes cannot be written", hint=f"1 to {MOST_SHOES:,}")
    source = SimulatedSource(rules, seed=seed)
    rounds = [one for shoe in range(shoes) for one in _shoe(source, shoe)]
    drafts = Drafts(rounds, "simulated", taken={"shoes": "as dealt"})
    facts: dict[str, Any] = {
        "file": f"{shoes} simulated shoes, table {table}, seed {seed}",
        "form": "simulated",
        "table": table,
        "generator": GENERATOR,
        "rules": {name: value for name, value in source.describe().items() if name not in ("kind", "generator")},
    }
    return record_of_drafts(drafts, Reading(order="oldest-first"), facts)


def _shoe(source: SimulatedSource, number: int) -> Iterator[Draft]:
    """The rounds of one shoe with their cards."""
    rules = source.rules
    dealt = source.rounds(number, 1, horizon=Horizon(shoes=1))
    cards = shuffled_shoe(rules, seed=source.seed, session=number, shoe=0).tolist()
    place = BURNS.index(rules.burn) if rules.burn != "turned" else 1 + (codes.VALUES[cards[0] // 4] or 10)
    second, first_banker, second_banker = (2, 1, 3) if rules.deal_order == "in-turn" else (1, 2, 3)
    for count, code in enumerate(dealt.codes[0, : dealt.lengths[0]].tolist(), start=1):
        one = codes.decode(code & codes.CODE_MASK)
        third = cards[place + 4] if one.player_cards == 3 else NO_CARD
        banker_third = cards[place + one.cards - 1] if one.banker_cards == 3 else NO_CARD
        hand = (
            cards[place],
            cards[place + second],
            third,
            cards[place + first_banker],
            cards[place + second_banker],
            banker_third,
        )
        winner = tuple(codes.Outcome).index(one.outcome)
        yield Draft(
            len(cards) * number + count,
            winner,
            one.player_total,
            one.banker_total,
            cards=hand,
            shoe=str(number + 1),
            number=count,
        )
        place += one.cards


def written(record: Record, form: str) -> bytes:
    """A record as a file: the own Parquet form, a CSV with the cards, or letters with one shoe a line."""
    if form == "parquet":
        return record.to_bytes()
    if form == "letters":
        return "".join(f"{shoe.letters}\n" for shoe in record.shoes()).encode()
    names = ("shoe", "round", "winner", "player_total", "banker_total", "natural", "player_pair", "banker_pair",
             "p1", "p2", "p3", "b1", "b2", "b3")  # fmt: skip
    return record.frame.select(names).write_csv(quote_style="necessary").encode()
