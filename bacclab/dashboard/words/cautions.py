"""What a reader must know before trusting the figures of a run."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bacclab.dashboard.language import ENGLISH, language
from bacclab.dashboard.words.rows import Row, Rows, alarming, counts, gains, hangs_on_few_bets
from bacclab.dashboard.words.source import rounds_told

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bacclab.dashboard.language import Language
    from bacclab.dashboard.lookup import Lookup

__all__ = ["refusal", "warnings"]

#: A larger share of sessions than this that the table ended by refusing a stake is called out.
OFTEN = 0.01
#: More bettors than these with one caution are told in one line.
EACH = 4


def warnings(look: Lookup, *, reason: Callable[[str], str] = str) -> list[str]:
    """What to be careful about; `reason` says what a refusal is called (its name, if not given)."""
    rows = Rows(look)
    say = look.language
    without = [row for row in rows.all if not row["bets"]]
    found = [_all_refused(some, rows) for some in _told_apart([row for row in without if _refusals(row)])]
    idle = [row for row in without if not _refusals(row)]
    if idle:
        names = rows.named(idle)
        found.append(say("warning.idle_one" if len(names) == 1 else "warning.idle_many", who=say.listed(names)))
    stopped = [row for row in rows.all if (row.get("ended_limit") or 0) > OFTEN]
    found += [_stopped(some, rows, reason) for some in _told_apart(stopped)]
    far = [row for row in rows.all if alarming(row)]
    rare = [row for row in far if hangs_on_few_bets(row)]
    found += [_far(some, look) for some in Rows.by_bettor([row for row in far if not hangs_on_few_bets(row)])]
    found += [_far(some, look, key="far_rare") for some in Rows.by_bettor(rare)]
    winning = [row for row in rows.all if row["staked"] and gains(row) and not counts(row)]
    found += [say("warning.gains", who=rows.listed(some), range=rows.returns(some)) for some in _told_apart(winning)]
    return found


def refusal(reason: str, *, say: Language | None = None) -> str:
    """Why a stake was refused, in words; in English unless a language is given.

    >>> refusal("over_maximum"), refusal("no_main_bet")
    ('over the maximum', 'no main bet')
    """
    say, key = say or language(ENGLISH), f"warning.{reason}"
    return say(key) if key in say.texts else reason.replace("_", " ")


def _told_apart(some: list[Row]) -> list[list[Row]]:
    """The rows of each bettor; of many bettors all together, so that a caution is never said a hundred times."""
    found = Rows.by_bettor(some)
    return found if len(found) <= EACH else [some]


def _far(some: Sequence[Row], look: Lookup, *, key: str = "far") -> str:
    """One bettor's results that are too far from their expectation, said once for all settings."""
    say = look.language
    texts = []
    for row in some:
        z = say.figures(f"{abs(row['z']):.1f}")
        text = say("warning.above" if row["z"] > 0 else "warning.below", z=z)
        label = look.cells.get(int(row["cell"]), "")
        texts.append(say("form.named", bettor=text, setting=label) if label else text)
    basis = say("warning.on_cards_left" if counts(some[0]) else "warning.on_full_shoe")
    text = say(f"warning.{key}", who=some[0]["bettor"], texts=say.listed(texts), basis=basis)
    return f"{text} {say('warning.check_record')}" if key == "far" and rounds_told(look.run.manifest) else text


def _refusals(row: Row) -> dict[str, int]:
    """How often a bettor's requests were refused, by reason."""
    found = {key.removeprefix("refused_"): round(row[key] or 0) for key in row if key.startswith("refused_")}
    return {reason: count for reason, count in found.items() if count}


def _all_refused(some: Sequence[Row], rows: Rows) -> str:
    """Bettors that placed no bets because none of their requests was taken."""
    say = rows.say
    total: Counter[str] = Counter()
    for row in some:
        total.update(_refusals(row))
    count = sum(total.values())
    names = {reason: refusal(reason, say=say) for reason in total}
    told = (
        next(iter(names.values()))
        if len(total) == 1
        else ", ".join(f"{names[reason]} {say.count(times)}" for reason, times in total.items())
    )
    key = "warning.refused_one" if count == 1 else "warning.refused_many"
    return say(key, who=rows.listed(some), n=say.count(count), reasons=told)


def _stopped(some: Sequence[Row], rows: Rows, reason: Callable[[str], str]) -> str:
    """Sessions of one bettor, or of many, that ended because the table refused a stake, and what for."""
    say = rows.say
    most = max(some, key=lambda row: float(row["ended_limit"]))
    reasons = {
        key.removeprefix("refused_"): sum(row[key] or 0 for row in some)
        for key in most
        if key.startswith("refused_") and key != "refused_over_bankroll"
    }
    # Of an exact run these are means of one session: how often says nothing.
    told = [
        f"{reason(key)}: {say.count(count)}" if count == int(count) else reason(key)
        for key, count in reasons.items()
        if count
    ]
    return say(
        "warning.stopped" if len(some) == 1 else "warning.stopped_up_to",
        who=rows.listed(some),
        share=say.percent(float(most["ended_limit"])),
        reasons=f" ({', '.join(told)})" if told else "",
    )
