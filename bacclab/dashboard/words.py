"""The page's plain words: what the experiment was, what it shows, and what to be careful about.

Every sentence is computed from the summary; none says more than its figures do.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from bacclab.dashboard.charts.parts import money, percent
from bacclab.dashboard.source_words import rounds_told

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import polars as pl

    from bacclab.dashboard.lookup import Lookup

__all__ = ["ALARM", "answer", "refusal", "signed", "warnings"]

#: A result further than this many standard errors from its exact expectation is called out.
ALARM = 4.0
#: A larger share of sessions than this that the table ended by refusing a stake is called out.
OFTEN = 0.01

#: Reasons for a refusal whose words are more than their name.
REFUSALS = {
    "over_bankroll": "over the bankroll",
    "over_maximum": "over the maximum",
    "under_minimum": "under the minimum",
    "off_increment": "off the increment",
}

Row = dict[str, Any]


def signed(share: float) -> str:
    """A return per unit staked in words.

    >>> signed(-0.0105791), signed(0.004)
    ('−1.06 %', '+0.40 %')
    """
    text = f"{abs(share) * 100:.2f} %"
    return f"{'−' if share < 0 else '+'}{text}"


def answer(look: Lookup) -> list[str]:
    """What the experiment shows, in a few paragraphs of plain words."""
    rows = sorted(look.run.summary.iter_rows(named=True), key=lambda row: (row["cell"], look.positions[row["bettor"]]))
    name = _namer(look)
    played = [row for row in rows if row["staked"]]
    if not played:
        return ["Nobody placed a bet, so there is nothing to conclude."]
    exact = [row for row in played if row.get("expected_return") is not None]
    texts = [*_edge(exact, name), *_cost(exact, name), *_skill(exact, name), *_law(exact)]
    paragraphs = [" ".join(texts)] if texts else []
    paragraphs += [" ".join(_sample(exact, name))] if exact else []
    risk = [*_risk(played, name), *_pairs(look.run.comparisons)]
    if risk:
        paragraphs.append(" ".join(risk))
    paragraphs.append(rounds_told(look.run.manifest))
    return [text for text in paragraphs if text]


def warnings(look: Lookup, *, reason: Callable[[str], str] = str) -> list[str]:
    """What a reader must know before trusting the figures; `reason` says what a refusal is called (its name, if not given)."""
    name = _namer(look)
    found = []
    rows = list(look.run.summary.iter_rows(named=True))
    without = [row for row in rows if not row["bets"]]
    found += [_all_refused(some, rows, name) for some in _by_bettor([row for row in without if _refusals(row)])]
    idle = _named([row for row in without if not _refusals(row)], rows, name)
    if idle:
        found.append(
            f"{_listed(idle)} placed no bets. {'Its' if len(idle) == 1 else 'Their'} bankroll never moves, and rates "
            "per bet are empty."
        )
    stopped = [row for row in rows if (row.get("ended_limit") or 0) > OFTEN]
    found += [_stopped(some, rows, name, reason) for some in _by_bettor(stopped)]
    found += [_far(some, look) for some in _by_bettor([row for row in rows if _alarming(row)])]
    found += [
        f"{_listed(_named(some, rows, name))}: on these rules its bets have an expectation of {_range(some)} of the "
        "stakes, in the player's favour. No real table offers that; check odds and commission."
        for some in _by_bettor([row for row in rows if row["staked"] and _gains(row) and not _counts(row)])
    ]
    return found


def refusal(reason: str) -> str:
    """Why a stake was refused, in words.

    >>> refusal("over_maximum"), refusal("no_main_bet")
    ('over the maximum', 'no main bet')
    """
    return REFUSALS.get(reason, reason.replace("_", " "))


def _by_bettor(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of each bettor, which differ in their settings."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(str(row["bettor"]), []).append(row)
    return list(found.values())


def _far(rows: Sequence[Row], look: Lookup) -> str:
    """One bettor's results that are too far from their expectation, said once for all settings."""
    basis = "on the cards left before each round" if _counts(rows[0]) else "at the top of a full shoe"
    far = [f"{abs(row['z']):.1f} standard errors {'above' if row['z'] > 0 else 'below'}" for row in rows]
    texts = [
        text + (f" ({label})" if (label := look.cells.get(int(row["cell"]), "")) else "")
        for text, row in zip(far, rows, strict=True)
    ]
    return (
        f"{rows[0]['bettor']}: the result lies {_listed(texts)} the exact expectation of its bets (taken {basis}). That "
        "is too far for chance and points to a fault: in the odds of the table, in the rounds, or in this program."
        f"{_record_hint(look)}"
    )


def _record_hint(look: Lookup) -> str:
    return " `bacclab shoes check` looks at the record." if rounds_told(look.run.manifest) else ""


def _refusals(row: Row) -> dict[str, int]:
    """How often a bettor's requests were refused, by reason in words."""
    counts = {key.removeprefix("refused_"): round(row[key] or 0) for key in row if key.startswith("refused_")}
    return {reason.replace("_", " "): count for reason, count in counts.items() if count}


def _all_refused(some: Sequence[Row], rows: Sequence[Row], name: Callable[[Row], str]) -> str:
    """One bettor that placed no bets because none of its requests was taken."""
    total: Counter[str] = Counter()
    for row in some:
        total.update(_refusals(row))
    count = sum(total.values())
    reasons = (
        next(iter(total)) if len(total) == 1 else ", ".join(f"{reason} {times:,}" for reason, times in total.items())
    )
    told = "its only request was" if count == 1 else f"all {count:,} requests were"
    return f"{_listed(_named(some, rows, name))} placed no bets: {told} refused: {reasons}."


def _stopped(some: Sequence[Row], rows: Sequence[Row], name: Callable[[Row], str], reason: Callable[[str], str]) -> str:
    """One bettor's sessions that ended because the table refused a stake, and what for."""
    most = max(some, key=lambda row: float(row["ended_limit"]))
    reasons = {
        key.removeprefix("refused_"): sum(row[key] or 0 for row in some)
        for key in most
        if key.startswith("refused_") and key != "refused_over_bankroll"
    }
    told = [f"{reason(key)}: {round(count):,}" for key, count in reasons.items() if count]
    return (
        f"{_listed(_named(some, rows, name))}: {'' if len(some) == 1 else 'up to '}{percent(float(most['ended_limit']))} of "
        "sessions ended because the table refused a stake"
        + (f" ({', '.join(told)})" if told else "")
        + "; when_refused says what happens then."
    )


def _range(rows: Sequence[Row]) -> str:
    """The exact returns of some rows, as one figure or as a range."""
    low, high = signed(min(map(_rate, rows))), signed(max(map(_rate, rows)))
    return low if low == high else f"{low} to {high}"


def _namer(look: Lookup) -> Callable[[Row], str]:
    def name(row: Row) -> str:
        label = look.cells.get(int(row["cell"]), "")
        return f"{row['bettor']} ({label})" if label else str(row["bettor"])

    return name


def _listed(names: Sequence[str], most: int = 4) -> str:
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _edge(rows: Sequence[Row], name: Callable[[Row], str]) -> list[str]:
    losing = [row for row in rows if row["expected_return"] < 0]
    if not losing:
        return []
    low, high = max(losing, key=_rate), min(losing, key=_rate)
    doubtful = any(_alarming(row) for row in rows)
    first = "No system here beats the table." if len(losing) == len(rows) > 1 and not doubtful else ""
    gaining = _named([row for row in rows if _gains(row)], rows, name)
    apart = f"Apart from {_listed(gaining)}, the" if gaining else "The"
    if len(losing) == 1:
        text = f"{apart} house edge on what {name(low)} stakes is {_edge_text(low)}."
    elif abs(low["expected_return"] - high["expected_return"]) < 5e-5:
        text = f"{apart} house edge on everything staked is {_edge_text(low)}, whoever stakes it."
    else:
        text = (
            f"{apart} house edge on what is staked runs from {_edge_text(low)} ({_like(low, losing, name)}) to "
            f"{_edge_text(high)} ({_like(high, losing, name)})."
        )
    return [first, text] if first else [text]


def _skill(rows: Sequence[Row], name: Callable[[Row], str]) -> list[str]:
    """What the bets of bettors are worth that see the cards and gain by it."""
    texts = []
    for some in _by_bettor([row for row in rows if _counts(row) and _gains(row)]):
        won = [money(round(value, 2)) for value in sorted(row["expected"] / row["sessions"] for row in some)]
        texts.append(
            f"{_listed(_named(some, rows, name))} sees the cards and picks its rounds: on the cards left before each "
            f"round its bets are worth {_range(some)} of what it stakes, "
            f"{won[0] if won[0] == won[-1] else f'{won[0]} to {won[-1]}'} a session."
        )
    return texts


def _law(rows: Sequence[Row]) -> list[str]:
    """What a system cannot change; not said where a result is too far from its expectation for chance."""
    if any(_alarming(row) or row["expected_return"] >= 0 for row in rows):
        return []
    return ["Arranging the stakes changes the swings and never the rate: it is set by the bets alone."]


def _like(row: Row, rows: Sequence[Row], name: Callable[[Row], str]) -> str:
    """The bettor and those whose edge reads the same, in the order of the experiment."""
    return _listed(_named([other for other in rows if _edge_text(other) == _edge_text(row)], rows, name), most=3)


def _named(some: Sequence[Row], rows: Sequence[Row], name: Callable[[Row], str]) -> list[str]:
    """Names of rows; a bettor of which all rows are meant is named once, without its settings."""
    count = Counter(row["bettor"] for row in rows)
    mine = Counter(row["bettor"] for row in some)
    whole = [bettor for bettor in mine if mine[bettor] == count[bettor]]
    return [*whole, *(name(row) for row in some if row["bettor"] not in whole)]


def _edge_text(row: Row) -> str:
    return signed(row["expected_return"]).lstrip("−")


def _cost(rows: Sequence[Row], name: Callable[[Row], str]) -> list[str]:
    costs = sorted(
        ((-row["expected"] / row["sessions"], row) for row in rows if (row.get("expected") or 0) < 0),
        key=lambda item: item[0],
    )
    if not costs:
        return []
    (low, cheap), (high, dear) = costs[0], costs[-1]
    if cheap is dear:
        return [
            f"That is a price of {money(round(low, 2))} a session, for {money(round(cheap['staked'] / cheap['sessions'], 2))} staked."
        ]
    return [
        f"The price of a session is {money(round(low, 2))} on average with {name(cheap)} and {money(round(high, 2))} "
        f"with {name(dear)}, on {money(round(cheap['staked'] / cheap['sessions']))} and "
        f"{money(round(dear['staked'] / dear['sessions']))} staked."
    ]


def _sample(rows: Sequence[Row], name: Callable[[Row], str]) -> list[str]:
    ahead = [row for row in rows if row["net"] > 0]
    lucky = [row for row in ahead if row["expected_return"] <= 0]
    if not lucky:
        worst = max((abs(row["z"]) for row in rows if row.get("z") is not None), default=None)
        if worst is None or worst > ALARM:
            return []
        if ahead:
            return [f"Every sampled result lies within {_at_most(worst)} standard errors of its exact expectation."]
        return [
            "In this sample every system lost money, each within "
            f"{_at_most(worst)} standard errors of its exact expectation."
            if len(rows) > 1
            else f"The sampled result lies {worst:.1f} standard errors from the exact expectation."
        ]
    texts = []
    for row in sorted(lucky, key=lambda item: -item["net"])[:3]:
        z = row.get("z")
        text = f"{name(row)} shows a profit of {signed(row['net'] / row['staked'])} of its stakes in this sample"
        if z is None:
            texts.append(f"{text}.")
        elif abs(z) > ALARM:
            texts.append(f"{text}; see the warning.")
        elif z < 2:
            texts.append(f"{text}. That is within noise: {z:.1f} standard errors over its exact expectation.")
        else:
            times = round(1 / (0.5 * math.erfc(z / math.sqrt(2))))
            texts.append(
                f"{text}: {z:.1f} standard errors over its exact expectation, as chance brings about once in "
                f"{times:,} such samples ({len(rows)} were taken). It is no evidence of a winning system."
            )
    if len(lucky) > 3:
        texts.append(f"{len(lucky) - 3} more show sampled profits too.")
    return texts


def _at_most(distance: float) -> str:
    """A bound that holds what it bounds: rounded up, never down.

    >>> _at_most(0.927), _at_most(1.3), _at_most(0.0)
    ('1.0', '1.3', '0.1')
    """
    return f"{max(math.ceil(round(distance * 10, 6)) / 10, 0.1):.1f}"


def _risk(rows: Sequence[Row], name: Callable[[Row], str]) -> list[str]:
    texts = []
    best = max(rows, key=lambda row: row["ahead"])
    price = best["expected"] / best["sessions"] if best.get("expected") is not None else None
    if len(rows) > 1:
        text = f"Most often ahead at the end is {name(best)}, in {percent(best['ahead'])} of sessions"
        if best["ahead"] > 0.5 and price is not None and price < 0:
            text += (
                f"; yet it is expected to lose {money(round(-price, 2))} a session, because its losses are rarer than "
                "its wins and larger"
            )
        texts.append(text + ".")
    ruined = max(rows, key=_ruin)
    share = f"{percent(_ruin(ruined))} of sessions"
    if not _ruin(ruined):
        texts.append("No session went bust.")
    elif len(rows) > 1:
        texts.append(f"Most often ruined is {name(ruined)}, in {share}: bust, or unable to cover its next bet.")
    else:
        texts.append(f"It is ruined (bust, or unable to cover its next bet) in {share}.")
    return texts


def _alarming(row: Row) -> bool:
    """Whether a result is too far from its expectation for chance."""
    return row.get("z") is not None and abs(row["z"]) > ALARM


def _gains(row: Row) -> bool:
    """Whether the bets have an exact expectation in the player's favour."""
    return (row.get("expected_return") or 0) > 0


def _counts(row: Row) -> bool:
    """Whether the bettor sees the cards, so that its bets are valued on those left before each round."""
    return row.get("expected_on") == "cards left"


def _rate(row: Row) -> float:
    """The exact return per unit staked."""
    return float(row["expected_return"])


def _ruin(row: Row) -> float:
    """Share of sessions that the bankroll ended."""
    return float(row["bust"] + (row.get("ended_cannot_cover") or 0.0))


def _pairs(comparisons: pl.DataFrame) -> list[str]:
    if not comparisons.height:
        return []
    from bacclab.analysis.compare import LEVEL

    adjusted = comparisons["p_adjusted"].drop_nulls()
    if comparisons["verdict"].str.starts_with("the same rounds").all():
        return []
    told, pairs = int((adjusted < LEVEL).sum()), comparisons.height
    if pairs == 1:
        return ["The two can be told apart." if told else "The two cannot be told apart on these sessions."]
    if told == 0:
        return [f"None of the {pairs:,} pairs of systems can be told apart by their results on these sessions."]
    return [f"Of {pairs:,} pairs of systems, {told:,} can be told apart by their results on these sessions."]


def setting(config: Mapping[str, Any]) -> str:
    """One bettor's settings in words, from its table in the experiment.

    >>> setting({"name": "A", "select": {"use": "follow-last"}, "stake": {"use": "flat", "unit": "10"}})
    'follow-last; flat (unit 10)'
    """
    hidden = {"name", "use", "select", "stake", "when_refused", "stop"}
    rest = {key: value for key, value in config.items() if key not in hidden}
    if "use" in config:
        return _choice(str(config["use"]), rest)
    parts = [config.get("select"), config.get("stake")]
    return "; ".join(
        part if isinstance(part, str) else _choice(str(part.get("use")), {k: v for k, v in part.items() if k != "use"})
        for part in parts
        if part
    )


def _choice(name: str, params: Mapping[str, Any]) -> str:
    if not params:
        return name
    told = ", ".join(f"{key.replace('_', ' ')} {_value(value)}" for key, value in params.items())
    return f"{name} ({told})"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} {_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return " ".join(_value(inner) for inner in value)
    return "yes" if value is True else "no" if value is False else str(value)
