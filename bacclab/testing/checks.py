"""The checks of a bettor, selection or progression: each finds one kind of fault and says at which round it shows."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.bettors.freeze import duplicate
from bacclab.bettors.params import build, parameters_of
from bacclab.bettors.table import NotTabular
from bacclab.errors import BacclabError, BettorError
from bacclab.game.codes import CODE_MASK, NEW_SHOE
from bacclab.money import CENT, Money
from bacclab.shoes.scripted import RESULTS
from bacclab.shoes.source import Rounds
from bacclab.testing.exactly import exact_agrees
from bacclab.testing.report import CheckFailed, Skipped, said
from bacclab.testing.subject import HANGS_AFTER, Subject, part
from bacclab.testing.watched import Logbook
from bacclab.tournament.experiment.resolved import plain_value
from bacclab.tournament.play.time_limit import OutOfTime, time_limit
from bacclab.tournament.play.ways import difference

if TYPE_CHECKING:
    from collections.abc import Iterator


__all__ = ["CHECKS", "Check", "scripted"]


@dataclass(frozen=True, slots=True)
class Check:
    """One check: its name, what it looks for in words, and the function that raises CheckFailed or Skipped."""

    name: str
    title: str
    run: Callable[[Subject], None]


def _part_ways(one: Logbook, other: Logbook) -> tuple[str, str, str] | None:
    """The first place where two logbooks differ: session and round, and what was asked for in each."""
    for session, (mine, yours) in enumerate(zip(one.asked, other.asked, strict=False)):
        for (round_number, a), (also, b) in zip(mine, yours, strict=False):
            if (round_number, a) != (also, b):
                return f"session {session}, round {round_number}", a, b
    return None


def plays(subject: Subject) -> None:
    """Sessions are played to their end, what is asked for can be laid at some table."""
    subject.watch()


def legal(subject: Subject) -> None:
    """Every request is one that a table can take: known bets, whole cents, nothing below zero."""
    log = Logbook()
    try:
        log = subject.watch()
    except CheckFailed as error:
        if isinstance(error.__cause__, BacclabError):
            raise
        raise Skipped("it does not play") from None
    for session, asked in enumerate(log.asked):
        for round_number, what in asked:
            for bet in what.split(" + "):
                amount = bet.rpartition(" ")[2]
                if what not in ("nothing", "stop") and Money(amount).amount % CENT:
                    raise CheckFailed(f"session {session}, round {round_number}: {bet} is not in whole cents")


def steady(subject: Subject) -> None:
    """The same seed gives the same bets, whatever was played before."""
    truth = subject.watch()
    for session in reversed(range(subject.sessions)):
        again = subject.watch(part(subject.dealt, session), first=session)
        alone = Logbook(asked=[truth.asked[session]])
        if found := _part_ways(alone, again):
            place = found[0].replace("session 0", f"session {session}")
            raise CheckFailed(
                f"{place}: it asked for {found[1]}, and for {found[2]} when the same session was played again; keep "
                "all memory in attributes set by start(), and draw random numbers with view.random()"
            )


def no_look_ahead(subject: Subject) -> None:
    """Changing the rounds to come never changes a bet."""
    truth, dealt, other = subject.watch(), subject.dealt, subject.deal(subject.seed + 1)
    longest = int(dealt.lengths.max())
    for known in sorted({1, 2, 7, longest // 3, longest // 2, longest - 1} - {0}):
        flags = dealt.codes & np.uint16(NEW_SHOE)
        changed = np.where(
            np.arange(dealt.codes.shape[1]) < known, dealt.codes, (other.codes & np.uint16(CODE_MASK)) | flags
        ).astype(np.uint16)
        _same_past(truth, subject.watch(_with(dealt, codes=changed)), known=known)
        cut = np.minimum(dealt.lengths, known).astype(np.int32)
        _same_past(truth, subject.watch(_with(dealt, lengths=cut)), known=known - 1)


def _with(rounds: Rounds, *, codes: Any = None, lengths: Any = None) -> Rounds:
    return Rounds(
        codes=rounds.codes if codes is None else codes,
        lengths=rounds.lengths if lengths is None else lengths,
        ran_out=rounds.ran_out,
        unseen=rounds.unseen,
    )


def _same_past(truth: Logbook, other: Logbook, *, known: int) -> None:
    """What was asked for up to the first round that differs (the one after the `known` ones) must be the same."""
    pasts = [
        Logbook(asked=[[one for one in asked if one[0] <= known + 1] for asked in log.asked]) for log in (truth, other)
    ]
    if found := _part_ways(*pasts):
        raise CheckFailed(
            f"{found[0]}: it asked for {found[1]}, and for {found[2]} when other rounds were to come after round "
            f"{known}: it knows what it cannot know"
        )


def starts_afresh(subject: Subject) -> None:
    """A session that follows another is played as if it were the first."""
    truth, bettor = subject.watch(), subject.make()
    for session in range(subject.sessions):
        again = subject.watch(part(subject.dealt, session), first=session, bettor=bettor, shared=True)
        if found := _part_ways(Logbook(asked=[truth.asked[session]]), again):
            place = found[0].replace("session 0", f"session {session}")
            raise CheckFailed(
                f"{place}: it asked for {found[1]}, and for {found[2]} when the same object had played another session "
                "before: start() does not set everything back"
            )


def independent(subject: Subject) -> None:
    """Two of one class that play side by side do not know of each other."""
    truth = subject.watch()
    beside = subject.make(subject.variant)
    try:
        again = subject.watch(beside=beside)
    except CheckFailed as error:
        raise CheckFailed(f"with another of its class beside it: {error}") from error
    if found := _part_ways(truth, again):
        raise CheckFailed(
            f"{found[0]}: it asked for {found[1]}, and for {found[2]} with another of its class playing beside it: "
            "keep the state in attributes of self, not of the class or the module"
        )


def copies(subject: Subject) -> None:
    """A copy made in the middle of a session plays on as the original does."""
    bettor = subject.make()
    subject.watch(part(subject.dealt, 0), bettor=bettor, shared=True)
    try:
        duplicate(bettor)
    except Exception as error:
        raise CheckFailed(f"after a session its state cannot be copied: {said(error)}") from error


def answers_all(subject: Subject) -> None:
    """Wins, pushes and losses in any order are answered; a push is not taken for a loss or a win by oversight."""
    told: dict[str, str] = {}
    reads: set[str] = set()
    for length in range(5):
        for letters in itertools.product("PBT", repeat=length):
            script = "".join(letters)
            log = subject.watch(scripted(script + "P", subject))
            reads |= log.reads
            told[script] = " | ".join(what for number, what in log.asked[0] if number == len(script) + 1)
    if "push" in reads or "pick" in reads or not reads & {"won", "lost"}:
        return
    if oversight := _oversight(told):
        before, as_what = oversight
        raise CheckFailed(
            f"round {len(before) + 2}, after {' '.join(before) + ' and then ' if before else ''}a tie: it asked for "
            f"{told[before + 'T']}, as after a {as_what}, and does not look at result.push: a push is neither won nor "
            "lost; use result.pick(won=…, push=…, lost=…)"
        )


def _oversight(told: Mapping[str, str]) -> tuple[str, str] | None:
    """After which results a tie was answered like a loss (or a win), if it was never answered as what it is."""
    first: dict[str, str] = {}
    known_better = set()
    for before, now in told.items():
        after = {letter: told.get(before + letter) for letter in "PBT"}
        side = next((side for side in ("player", "banker") if now.startswith(f"{side} ")), None)
        if None in after.values() or side is None or " + " in now:
            continue
        won, lost = (after["P"], after["B"]) if side == "player" else (after["B"], after["P"])
        for name, like, unlike in (("loss", lost, won), ("win", won, lost)):
            if after["T"] == now != like:
                known_better.add(name)
            elif after["T"] == like != unlike and after["T"] != now:
                first.setdefault(name, before)
    return next(((before, name) for name, before in first.items() if name not in known_better), None)


def scripted(letters: str, subject: Subject) -> Rounds:
    """One session of one shoe with the plainest rounds of these results."""
    codes = np.zeros((1, subject.rounds), dtype=np.uint16)
    codes[0, : len(letters)] = [RESULTS[letter].code for letter in letters]
    codes[0, 0] |= NEW_SHOE
    unseen = None
    if subject.dealt.unseen is not None:
        unseen = np.ascontiguousarray(np.repeat(subject.dealt.unseen[:1, :1], subject.rounds, axis=1))
    return Rounds(
        codes=codes,
        lengths=np.array([len(letters)], dtype=np.int32),
        ran_out=np.zeros(1, dtype=np.bool_),
        unseen=unseen,
    )


def no_mutation(subject: Subject) -> None:
    """What it is shown, and its own parameters, are left as they are."""
    log = subject.watch()
    if log.changes:
        raise CheckFailed(log.changes[0])


def parameters(subject: Subject) -> None:
    """What an experiment file says of it makes the same bettor again."""
    made: Any = subject.cls(**subject.values)
    for parameter in parameters_of(subject.cls):
        if not hasattr(made, parameter.name):
            raise CheckFailed(f"it has no attribute {parameter.name!r} after it was made: does __init__ call super()?")
    values = {name: _written(value) for name, value in made.parameters.items() if value is not None}
    try:
        again = build(subject.cls, json.loads(json.dumps(values)), where="from its own parameters")
    except (BettorError, TypeError, ValueError) as error:
        raise CheckFailed(f"it cannot be made from its own parameters {values}: {said(error)}") from error
    if repr(again.parameters) != repr(made.parameters):
        raise CheckFailed(f"made from its own parameters it is {again!r}, and was {made!r}")
    same = replace(subject, values=again.parameters)
    if found := _part_ways(subject.watch(), same.watch()):
        raise CheckFailed(f"{found[0]}: it asked for {found[1]}, and for {found[2]} when made from its own parameters")


def _written(value: Any) -> Any:
    """A parameter as an experiment file holds it."""
    if isinstance(value, Money):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {
            name: _written(getattr(value, name))
            for name in value.__dataclass_fields__
            if getattr(value, name) is not None
        }
    if isinstance(value, tuple | list):
        return [_written(one) for one in value]
    return plain_value(value)


def ways_agree(subject: Subject) -> None:
    """From a table, in lanes and plainly it comes to the same cent; the exact result is that of all sequences."""
    subject.watch()  # tells in its own words what goes wrong in the plain way
    with time_limit(3 * HANGS_AFTER, what="the kit's patience"):
        truth = subject.player("plain").play(subject.dealt, first=0)
        for way in ("table", "lanes"):
            try:
                found = difference(subject.player(way).play(subject.dealt, first=0), truth)
            except NotTabular:
                continue
            except Exception as error:
                raise CheckFailed(f"{way}: {said(error)}") from error
            if found:
                raise CheckFailed(f"{way} and plain part: {found}")
        if not subject.sees_cards:
            exact_agrees(subject)


def in_time(subject: Subject) -> None:
    """A round takes no longer than the budget."""
    subject.watch()
    spent: list[float] = []
    limit = max(1.0, 5 * subject.budget * subject.rounds / 1000)
    for _ in range(2):
        began = time.perf_counter()
        try:
            with time_limit(limit, what="five times its budget"):
                subject.player("plain").play(part(subject.dealt, 0), first=0)
        except OutOfTime as error:
            raise CheckFailed(f"a session of {subject.rounds} rounds: {error}") from error
        spent.append(time.perf_counter() - began)
    took = 1000 * min(spent) / subject.rounds
    if took > subject.budget:
        raise CheckFailed(f"it takes {took:.2f} ms a round; its budget is {subject.budget:g} ms")


def _all() -> Iterator[Check]:
    from bacclab.testing.worker import in_a_worker

    yield Check("plays", "plays sessions to their end", plays)
    yield Check("legal", "asks for bets that a table can take", legal)
    yield Check("steady", "bets the same when the same session is played again", steady)
    yield Check("no-look-ahead", "does not know the rounds to come", no_look_ahead)
    yield Check("starts-afresh", "start() sets everything back", starts_afresh)
    yield Check("independent", "shares nothing with another of its class", independent)
    yield Check("copies", "can be copied in the middle of a session", copies)
    yield Check("worker", "bets the same in another process", in_a_worker)
    yield Check("answers-all", "answers wins, pushes and losses", answers_all)
    yield Check("no-mutation", "leaves what it is shown as it is", no_mutation)
    yield Check("parameters", "is made again from its own parameters", parameters)
    yield Check("ways-agree", "comes to the same in every way of playing", ways_agree)
    yield Check("in-time", "keeps to its time budget", in_time)


CHECKS: tuple[Check, ...] = tuple(_all())
"""All checks of a bettor, in the order in which they are made."""
