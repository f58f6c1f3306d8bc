"""`bacclab check FILE.csv --bettor NAME`: rounds with the bets that are expected, compared with what a bettor lays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bacclab.cli.output import emit, emit_json
from bacclab.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bacclab.cli.call import Call


def check_rounds(
    file: str,
    call: Call,
    *,
    bettor: str,
    experiment: str | None,
    values: Mapping[str, Any],
    table: str | None,
    bankroll: str,
    as_json: bool,
) -> bool:
    """Compare a table of rounds with a bettor and print where they part; returns whether they agree.

    `bettor` is a bettor's name in an experiment file, whose table, bankroll and stops hold; or, without one, a
    registered id with `values` for its parameters.
    """
    from bacclab.tournament.expected import compare_expected, read_expected_file
    from bacclab.tournament.job import make_job
    from bacclab.tournament.make import make_bettor
    from bacclab.tournament.plan import plan_cell

    rows = read_expected_file(Path(file))
    config: str | dict[str, Any] = experiment or _alone(bettor, call, values=values, table=table, bankroll=bankroll)
    job = make_job(config, None, None, (), call.request)
    cell = plan_cell(job.experiment, 0, job.loaded.registry)
    names = [spec.name for spec in cell.bettors]
    if bettor not in names:
        raise ConfigError(f"{experiment} has no bettor {bettor!r}", hint=did_you_mean(bettor, names))
    spec = cell.bettors[names.index(bettor)]
    system = make_bettor(spec, job.loaded.registry, others=cell.bettors)
    from bacclab.money import Money

    parted = compare_expected(
        rows,
        system,
        cell.table,
        bankroll=Money.of(cell.bankroll),
        policy=spec.when_refused,
        stop=spec.stop,
        seed=cell.seed,
    )
    if as_json:
        emit_json(
            {
                "file": file,
                "bettor": bettor,
                "rounds": len(rows),
                "ok": not parted,
                "parted": [
                    {"row": one.row, "round": one.round, "field": one.field, "expected": one.expected, "got": one.got}
                    for one in parted
                ],
            }
        )
    elif parted:
        for one in parted:
            emit(str(one))
    else:
        emit(f"{file}: {bettor} plays all {len(rows)} rounds as expected")
    return not parted


def _alone(bettor: str, call: Call, *, values: Mapping[str, Any], table: str | None, bankroll: str) -> dict[str, Any]:
    """An experiment with this one bettor; a selection comes with a flat stake."""
    registry = call.load().registry
    known = [*registry.bettors, *registry.selections, *registry.progressions]
    if bettor not in known:
        raise ConfigError(f"there is no system {bettor!r}", hint=did_you_mean(bettor, known))
    system: dict[str, Any] = {"name": bettor, "use": bettor, **values}
    if bettor in registry.selections and bettor not in {**registry.bettors, **registry.progressions}:
        system = {"name": bettor, "select": {"use": bettor, **values}, "stake": {"use": "flat", "unit": 10}}
    rules = {"table": {"rules": table}} if table is not None else {}
    return {"bankroll": bankroll, "sessions": 1, "rounds": 1, "seed": 0, "bettor": [system], **rules}
