"""`bacclab.odds`: the exact odds of every bet of a table, on a full shoe or any other, as frames.

A shoe is a number of decks, or the cards that are left, or a full shoe without the cards that are gone. If the suits of
the cards are not told, suited pairs get the chance that they have on average, which is exact too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bacclab.display import html_table, shown_as
from bacclab.errors import BetError, TableError, counted, did_you_mean
from bacclab.exact.figures import BetFigures, figures
from bacclab.exact.odds import code_probabilities, composition_of, covariance, sequences
from bacclab.exact.removal import effects_of_removal, parse_cards, without
from bacclab.game.bets import BUILT_IN_BETS
from bacclab.game.codes import RANK_NAMES, RANKS, SUITS, decode, outcomes
from bacclab.game.layout import Layout
from bacclab.game.rules import DECK, MAX_DECKS
from bacclab.game.tables import BUILT_IN_TABLES, Table
from bacclab.money import from_amount, to_amount

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    import polars as pl
    from numpy.typing import ArrayLike

    from bacclab.game.bets import Bet
    from bacclab.money import Money
    from bacclab.plugins.registry import Registry

Rows = list[dict[str, Any]]


@dataclass(frozen=True, eq=False, repr=False)
class TableOdds:
    """The exact odds of some bets of a table on one shoe.

    The frames `bets`, `results`, `effects` and `covariance` have a row for each bet, for each result of a bet, for each
    rank, and for each bet; the `..._rows` are the same as plain dictionaries.

    >>> odds("commission", bets=["tie"], without="9 9")
    <odds at commission: 8 decks, 414 cards; tie>
    >>> odds("commission", bets=["tie"]).bets.select("bet", "edge", "sd").to_dicts()
    [{'bet': 'tie', 'edge': 0.143596287..., 'sd': 2.640872221...}]
    """

    table: Table
    layout: Layout
    composition: int | ArrayLike
    """A number of decks, or the cards left by rank, or by rank and suit."""
    decks: int
    """The number of decks that the shoe was made of."""
    shown: tuple[str, ...]
    """Ids of the bets, in the order in which they are listed."""
    stake: int | None = None
    """The stake (an amount) for the edge with rounded commission, if one was asked for."""

    def __repr__(self) -> str:
        shoe = f"{counted(self.decks, 'deck')}, {counted(self.cards, 'card')}"
        return f"<odds at {self.table.name}: {shoe}; {', '.join(self.shown)}>"

    def _repr_html_(self) -> str:
        rows = self.bet_rows()
        kinds = {"edge": "{:z.4%}", "sd": "{:.4f}"}
        shown = [(row["title"], *(form.format(row[key]) for key, form in kinds.items())) for row in rows]
        heads = ("Bet", "House edge a round", "SD a round")
        return shown_as(f"{self.table.title}: {self.decks} decks, {self.cards} cards", html_table(heads, shown))

    @cached_property
    def figures(self) -> dict[str, BetFigures]:
        """The figures of each bet by its id, commission not rounded."""
        found = figures(self.layout, self.composition, decks=self.decks)
        return {one.bet: one for one in found if one is not None and one.bet in self.shown}

    @cached_property
    def at_stake(self) -> dict[str, BetFigures]:
        """The figures of each bet at the stake asked for; a bet that does not take it is not there."""
        if self.stake is None:
            return {}
        found = figures(self.layout, self.composition, decks=self.decks, stake=self.stake)
        return {one.bet: one for one in found if one is not None and one.bet in self.shown}

    @property
    def ranks(self) -> tuple[int, ...]:
        """The cards in the shoe by rank, A, 2, ... K."""
        if isinstance(self.composition, int):
            return (SUITS * self.composition,) * RANKS
        return tuple(composition_of(self.composition).reshape(RANKS, -1).sum(axis=1).tolist())

    @property
    def cards(self) -> int:
        """The number of cards in the shoe."""
        return sum(self.ranks)

    def outcomes(self) -> dict[str, float]:
        """Chances of Player, Banker and Tie, and the mean number of cards of a round.

        >>> {name: round(value, 6) for name, value in odds("commission").outcomes().items()}
        {'player': 0.446247, 'banker': 0.458597, 'tie': 0.095156, 'cards': 4.938819}
        """
        chances = code_probabilities(self.composition, decks=self.decks)
        by_outcome = [float(chances[outcomes() == place].sum()) for place in range(3)]
        cards = sum(decode(code).cards * chance for code, chance in enumerate(chances.tolist()) if chance)
        return {**dict(zip(("player", "banker", "tie"), by_outcome, strict=True)), "cards": cards}

    def bet_rows(self) -> Rows:
        """One row for each bet: chances, edges, spread."""
        rows = []
        for bet in self.shown:
            one, settled = self.figures[bet], self.at_stake.get(bet)
            row = {
                "bet": bet,
                "title": self.table.bets[bet].title,
                "kind": self.table.bets[bet].kind,
                "win": one.win,
                "push": one.push,
                "lost": one.lost,
                "expected_return": float(one.expected),
                "edge": one.edge,
                "edge_per_decision": one.edge_per_decision,
                "variance": one.variance,
                "sd": one.sd,
                "n0": one.n0,
            }
            if self.stake is not None:
                row |= {
                    "stake": from_amount(self.stake),
                    "edge_at_stake": None if settled is None else settled.edge,
                    "sd_at_stake": None if settled is None else settled.sd,
                }
            rows.append(row)
        return rows

    def result_rows(self) -> Rows:
        """One row for each pay line of each bet, the lost bet included: odds, net per unit, chance, contribution.

        `sequences` is the number of ordered sequences of six cards; None if it is no whole number because the suits of
        the shoe are known on average only.
        """
        total = sequences(self.composition)
        rows = []
        for bet in self.shown:
            paid = self.table.bets[bet].odds
            for result in self.figures[bet].results:
                hits = result.chance * total
                rows.append(
                    {
                        "bet": bet,
                        "line": result.line,
                        "odds": str(paid[result.line]) if result.line in paid else "",
                        "net": float(result.net),
                        "probability": float(result.chance),
                        "sequences": hits.numerator if hits.denominator == 1 else None,
                        "contribution": float(result.chance * result.net),
                    }
                )
        return rows

    def effect_rows(self) -> Rows:
        """One row for each rank: cards of it, and for each bet the effect of removing one; None without such a card."""
        effects = effects_of_removal(self.layout, self.composition, decks=self.decks)
        return [
            {
                "rank": name,
                "cards": held,
                **{bet: None if row is None else float(row[self.layout.index[bet]]) for bet in self.shown},
            }
            for name, held, row in zip(RANK_NAMES, self.ranks, effects, strict=True)
        ]

    def covariance_rows(self) -> Rows:
        """One row for each bet: its covariance with each bet, one unit on both in the same round."""
        matrix = covariance(self.layout, self.composition, decks=self.decks).tolist()
        place = self.layout.index
        return [{"bet": row, **{bet: matrix[place[row]][place[bet]] for bet in self.shown}} for row in self.shown]

    @property
    def bets(self) -> pl.DataFrame:
        """One row for each bet, as `bet_rows`; chances and edges are shares."""
        return _frame(self.bet_rows(), texts=("bet", "title", "kind"))

    @property
    def results(self) -> pl.DataFrame:
        """One row for each result of each bet, as `result_rows`."""
        return _frame(self.result_rows(), texts=("bet", "line", "odds"), whole=("sequences",))

    @property
    def effects(self) -> pl.DataFrame:
        """One row for each rank, a column for each bet, as `effect_rows`.

        >>> odds("commission", bets=["banker"]).effects.row(5)    # a 6 that leaves is bad for Banker
        ('6', 32, -0.000113241...)
        """
        return _frame(self.effect_rows(), texts=("rank",), whole=("cards",))

    @property
    def covariance(self) -> pl.DataFrame:
        """The covariance matrix with the names of the bets, as `covariance_rows`; the diagonal is the variance."""
        return _frame(self.covariance_rows(), texts=("bet",))


def _frame(rows: Rows, *, texts: tuple[str, ...], whole: tuple[str, ...] = ()) -> pl.DataFrame:
    import polars as pl

    types = {name: pl.String if name in texts else pl.Int64 if name in whole else pl.Float64 for name in rows[0]}
    return pl.DataFrame(rows, schema=types, orient="row")


def odds(
    table: str | Table = "commission",
    *,
    decks: int | None = None,
    composition: ArrayLike | None = None,
    without: str = "",
    bets: Sequence[str] = (),
    stake: Money | float | str | Decimal | None = None,
    registry: Registry | None = None,
) -> TableOdds:
    """The exact odds of a table's bets.

    - `table`: a registered table by name, or a `Table`;
    - `decks`: another number of decks than the table's;
    - `composition`: the cards in the shoe, 13 counts (A, 2, ... K) or 13 by 4 (spades, hearts, diamonds, clubs);
    - `without`: cards that are gone, as in "8 8 9 K" or "8s 8h" with suits;
    - `bets`: only these, also such that the table does not offer; "lucky_6:las-vegas" takes one of a bet's pay tables;
    - `stake`: adds the edge at this stake, with the commission rounded as at the table.

    >>> odds("no-commission").bets["edge"].round(6).to_list()
    [0.014581, 0.012351, 0.143596, 0.103614, 0.103614]
    >>> [round(odds(bets=["player_pair"], without=gone).figures["player_pair"].edge, 5) for gone in ("", "8 8 9")]
    [0.10361, 0.10351]
    """
    rules, known = _table(table, registry)
    rules, shown = _with_bets(rules, known, bets)
    made_of = rules.shoe.decks if decks is None else decks
    if not 1 <= made_of <= MAX_DECKS:
        raise TableError(f"decks must be 1 to {MAX_DECKS}, not {made_of}")
    layout = Layout(rules)
    result = TableOdds(
        table=rules,
        layout=layout,
        composition=_shoe(made_of if composition is None else composition, without, made_of),
        decks=made_of,
        shown=shown or layout.ids,
        stake=None if stake is None else to_amount(stake),
    )
    if stake is not None:
        result.at_stake  # noqa: B018 - a stake that no bet takes is refused here
    return result


def _shoe(shoe: int | ArrayLike, gone: str, decks: int) -> int | ArrayLike:
    left = without(shoe, parse_cards(gone)) if gone.strip() else shoe
    if not isinstance(left, int):
        cards = composition_of(left)
        most = decks * (SUITS if cards.ndim == 1 else 1)
        if (cards > most).any():
            what = "rank" if cards.ndim == 1 else "kind"
            raise TableError(
                f"{int(cards.max())} cards of one {what} are more than {decks} decks hold",
                hint=f"{most} at most; more decks: up to {MAX_DECKS} ({MAX_DECKS * DECK} cards)",
            )
        return cards
    return left


def _table(table: str | Table, registry: Registry | None) -> tuple[Table, Mapping[str, Bet]]:
    """The table, and the bets that may be added to it."""
    if registry is None and (isinstance(table, Table) or table in BUILT_IN_TABLES):
        return (table if isinstance(table, Table) else BUILT_IN_TABLES[table]), BUILT_IN_BETS
    if registry is None:
        from bacclab.plugins.loader import load_plugins

        registry = load_plugins().registry
    known = {name: entry.item for name, entry in registry.of("bets").items()}
    return (table if isinstance(table, Table) else registry.get("tables", table).item), known


def _with_bets(table: Table, known: Mapping[str, Bet], asked: Sequence[str]) -> tuple[Table, tuple[str, ...]]:
    """The table with the bets asked for, and their ids."""
    shown = []
    for text in asked:
        name, _, pay_table = text.partition(":")
        if name not in table.bets:
            table = (
                table.override({"extra_bets": [name]}, bets=known) if name in known else _no_such(name, table, known)
            )
        if pay_table:
            bet = table.bets[name].with_pay_table(pay_table)
            table = replace(table, bets={**table.bets, name: bet})
        shown.append(name)
    return table, tuple(dict.fromkeys(shown))


def _no_such(name: str, table: Table, known: Mapping[str, Bet]) -> Table:
    raise BetError(f"there is no bet {name!r}", hint=did_you_mean(name, tuple({**known, **table.bets})))
