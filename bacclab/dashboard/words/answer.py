"""The page's answer in plain words: what the experiment shows, and what it does not.

Every sentence is computed from the summary; none says more than its figures do.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from bacclab.analysis.statistics.student import quantile, two_sided
from bacclab.dashboard.words.cautions import refusal, warnings
from bacclab.dashboard.words.rows import Row, Rows, alarming, counts, gains, rate, ruin
from bacclab.dashboard.words.source import rounds_told

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bacclab.dashboard.lookup import Lookup

__all__ = ["answer", "refusal", "setting", "warnings"]

#: Fewer sessions than this share still playing is a difference in time at the table worth a sentence.
SHORTER = 0.9


def answer(look: Lookup) -> list[str]:
    """What the experiment shows: first the answer in one paragraph, then what it costs and how sure it is."""
    rows = Rows(look)
    played = [row for row in rows.all if row["staked"]]
    if not played:
        return [look.language("answer.nothing")]
    exact = [row for row in played if row.get("expected_return") is not None]
    first = [*_edge(exact, rows), *_skill(exact, rows), *_law(exact, rows), *_spread(played, rows)]
    first += [*_ruined(played, rows), *_time(played, rows)]
    second = [*_cost(exact, rows), *_ahead(played, rows)]
    third = [*_sample(exact, rows), *_pairs(look)]
    told = rounds_told(look.run.manifest, say=look.language)
    return [" ".join(texts) for texts in (first, second, third, [told] if told else []) if texts]


def _edge(exact: Sequence[Row], rows: Rows) -> list[str]:
    losing = [row for row in exact if row["expected_return"] < 0]
    if not losing:
        return []
    low, high = max(losing, key=rate), min(losing, key=rate)
    doubtful = any(alarming(row) for row in exact)
    gaining = [row for row in exact if gains(row)]
    apart = "_apart" if gaining else ""
    words: dict[str, str] = {"gaining": rows.listed(gaining, exact)} if gaining else {}
    if len(losing) == 1:
        text = rows.say(f"answer.edge_one{apart}", who=rows.name(low), edge=_edge_text(low, rows), **words)
    elif abs(low["expected_return"] - high["expected_return"]) < 5e-5:
        text = rows.say(f"answer.edge_same{apart}", edge=_edge_text(low, rows), **words)
    else:
        words |= {"low": _edge_text(low, rows), "high": _edge_text(high, rows)}
        text = rows.say(
            f"answer.edge_range{apart}", cheap=_like(low, losing, rows), dear=_like(high, losing, rows), **words
        )
    unbeaten = len(losing) == len(exact) > 1 and not doubtful
    return [rows.say("answer.no_system"), text] if unbeaten else [text]


def _skill(exact: Sequence[Row], rows: Rows) -> list[str]:
    """What the bets of bettors are worth that see the cards and gain by it."""
    texts = []
    for some in Rows.by_bettor([row for row in exact if counts(row) and gains(row)]):
        won = [rows.say.money(round(value, 2)) for value in sorted(row["expected"] / row["sessions"] for row in some)]
        money = won[0] if won[0] == won[-1] else rows.say("sentence.range", low=won[0], high=won[-1])
        texts.append(rows.say("answer.skill", who=rows.listed(some, exact), range=rows.returns(some), money=money))
    return texts


def _law(exact: Sequence[Row], rows: Rows) -> list[str]:
    """What a system cannot change; not said where a result is too far from its expectation for chance."""
    if not exact or any(alarming(row) or row["expected_return"] >= 0 for row in exact):
        return []
    return [rows.say("answer.law")]


def _like(row: Row, losing: Sequence[Row], rows: Rows) -> str:
    """The bettor and those whose edge reads the same, in the order of the experiment."""
    same = [other for other in losing if _edge_text(other, rows) == _edge_text(row, rows)]
    return rows.listed(same, losing, most=3)


def _edge_text(row: Row, rows: Rows) -> str:
    return rows.say.signed(row["expected_return"]).lstrip("−")


def _spread(played: Sequence[Row], rows: Rows) -> list[str]:
    """How far apart sessions end: the narrowest and the widest."""
    some = [row for row in played if row["q05"] is not None and row["q95"] is not None]
    if len(some) < 2:
        return []
    narrow, wide = (pick(some, key=lambda row: row["q95"] - row["q05"]) for pick in (min, max))
    if wide["q95"] - wide["q05"] < 1.05 * (narrow["q95"] - narrow["q05"]):
        return []
    ends = {
        f"{which}_{end}": rows.say.money(round(row[key]))
        for which, row in (("narrow", narrow), ("wide", wide))
        for end, key in (("low", "q05"), ("high", "q95"))
    }
    return [rows.say("answer.spread", narrow=rows.name(narrow), wide=rows.name(wide), **ends)]


def _ruined(played: Sequence[Row], rows: Rows) -> list[str]:
    worst = max(played, key=ruin)
    share = rows.say.percent(ruin(worst))
    if not ruin(worst):
        return [rows.say("answer.no_bust")]
    if len(played) > 1:
        return [rows.say("answer.ruined", who=rows.name(worst), share=share)]
    return [rows.say("answer.ruined_one", share=share)]


def _time(played: Sequence[Row], rows: Rows) -> list[str]:
    """How long sessions last, where that differs: rounds seen in the mean."""
    lasting = [(row["rounds"] / row["sessions"], row) for row in played if row.get("rounds") and row["sessions"]]
    if len(lasting) < 2:
        return []
    (short, soon), (long, late) = (pick(lasting, key=lambda item: item[0]) for pick in (min, max))
    if short > SHORTER * long:
        return []
    figures = {"short": rows.say.some("sentence.rounds", round(short)), "long": rows.say.count(long)}
    return [rows.say("answer.time", soon=rows.name(soon), late=rows.name(late), **figures)]


def _cost(exact: Sequence[Row], rows: Rows) -> list[str]:
    costs = sorted(
        ((-row["expected"] / row["sessions"], row) for row in exact if (row.get("expected") or 0) < 0),
        key=lambda item: item[0],
    )
    if not costs:
        return []
    (low, cheap), (high, dear) = costs[0], costs[-1]
    say = rows.say
    if cheap is dear:
        staked = say.money(round(cheap["staked"] / cheap["sessions"], 2))
        return [say("answer.price_one", price=say.money(round(low, 2)), staked=staked)]
    return [
        say(
            "answer.price_range",
            low=say.money(round(low, 2)),
            high=say.money(round(high, 2)),
            cheap=rows.name(cheap),
            dear=rows.name(dear),
            low_staked=say.money(round(cheap["staked"] / cheap["sessions"])),
            high_staked=say.money(round(dear["staked"] / dear["sessions"])),
        )
    ]


def _ahead(played: Sequence[Row], rows: Rows) -> list[str]:
    if len(played) < 2:
        return []
    best = max(played, key=lambda row: row["ahead"])
    price = best["expected"] / best["sessions"] if best.get("expected") is not None else None
    words = {"who": rows.name(best), "share": rows.say.percent(best["ahead"])}
    if price is not None and price < 0 and _mostly(best):
        return [rows.say("answer.ahead_yet", price=rows.say.money(round(-price, 2)), **words)]
    return [rows.say("answer.ahead", **words)]


def _mostly(row: Row) -> bool:
    """Whether more than half of all sessions end ahead in the long run, as far as three standard errors can tell."""
    error = 0.0 if row.get("played_by") == "exact" else 0.5 / math.sqrt(row["sessions"])
    return float(row["ahead"]) > 0.5 + 3 * error


def _sample(exact: Sequence[Row], rows: Rows) -> list[str]:
    ahead = [row for row in exact if row["net"] > 0]
    lucky = [row for row in ahead if row["expected_return"] <= 0]
    if not lucky:
        return _near(exact, rows, ahead=bool(ahead))
    texts = [_profit(row, len(exact), rows) for row in sorted(lucky, key=lambda item: -item["net"])[:3]]
    if len(lucky) > 3:
        texts.append(rows.say("answer.profit_more", n=rows.say.count(len(lucky) - 3)))
    return texts


def _near(exact: Sequence[Row], rows: Rows, *, ahead: bool) -> list[str]:
    """How near the results lie to their expectation, where none is a profit by luck."""
    worst = max((abs(row["z"]) for row in exact if row.get("z") is not None), default=None)
    if worst is None or any(map(alarming, exact)):
        return []
    if ahead:
        return [rows.say("answer.within", z=rows.say.figures(_at_most(worst)))]
    if len(exact) > 1:
        return [rows.say("answer.all_lost", z=rows.say.figures(_at_most(worst)))]
    return [rows.say("answer.one_lost", z=rows.say.figures(f"{worst:.1f}"))]


def _profit(row: Row, tried: int, rows: Rows) -> str:
    """A sampled profit of bets that lose in the long run, and how much of it is chance."""
    z = row.get("z")
    words = {"who": rows.name(row), "rate": rows.say.signed(row["net"] / row["staked"])}
    if z is None:
        return rows.say("answer.profit_plain", **words)
    if alarming(row):
        return rows.say("answer.profit_warned", **words)
    words["z"] = rows.say.figures(f"{z:.1f}")
    if z < quantile(row["sessions"] - 1):
        return rows.say("answer.profit_noise", **words)
    times = rows.say.count(2 / two_sided(z, row["sessions"] - 1))
    return rows.say("answer.profit_chance", times=times, n=rows.say.count(tried), **words)


def _at_most(distance: float) -> str:
    """A bound that holds what it bounds: rounded up, never down.

    >>> _at_most(0.927), _at_most(1.3), _at_most(0.0)
    ('1.0', '1.3', '0.1')
    """
    return f"{max(math.ceil(round(distance * 10, 6)) / 10, 0.1):.1f}"


def _pairs(look: Lookup) -> list[str]:
    comparisons, say = look.run.comparisons, look.language
    if not comparisons.height:
        return []
    from bacclab.analysis.compare import LEVEL

    if comparisons["verdict"].str.starts_with("the same rounds").all():
        return []
    told, pairs = int((comparisons["p_adjusted"].drop_nulls() < LEVEL).sum()), comparisons.height
    if pairs == 1:
        return [say("answer.pair_told" if told else "answer.pair_same")]
    return [say("answer.pairs_told" if told else "answer.pairs_same", pairs=say.count(pairs), told=say.count(told))]


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
