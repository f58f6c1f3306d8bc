"""A metric: one figure of a bettor in a cell, worked out from its sessions, with a definition for people.

Metrics are columns of the frame `summary`. Their definition goes into the manifest of a run, so that pages and the
dashboard can show them without the plugin that brought them. A plugin of one file needs ten lines::

    import bacclab as bl

    halved = bl.Metric(
        id="halved",
        label="Halved",
        unit="share",
        text="Share of sessions that came down to half of their starting bankroll.",
        expression=lambda trough, start: (trough <= start / 2).mean(),
    )
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from bacclab.errors import PluginError, did_you_mean

if TYPE_CHECKING:
    import polars as pl

    Expression = pl.Expr | Callable[..., pl.Expr]

Unit = Literal["money", "share", "per unit", "count", "rounds", "number"]
"""money: currency units; share: 0 to 1; per unit: of each unit staked; count: a whole number or a mean of such; rounds:
a number of rounds; number: anything else, without a unit."""

UNITS: tuple[Unit, ...] = get_args(Unit)

SESSION = (
    "cell", "bettor", "session", "rounds", "shoes", "bets", "wins", "losses", "pushes", "staked", "commission", "net",
    "expected", "final", "peak", "trough", "max_drawdown", "rounds_under_water", "longest_losing_run",
    "longest_winning_run", "largest_stake", "refusals", "refused_under_minimum", "refused_over_maximum",
    "refused_off_increment", "refused_over_bankroll", "refused_no_main_bet", "ended_by", "ended_round",
)  # fmt: skip
"""The columns of the frame `sessions`."""

CONTEXT = ("start", "horizon", "goal", "floor", "pace", "ruin_ever", "ruin_ever_goal")
"""Columns with one value for all sessions of a bettor in a cell.

Starting bankroll, rounds of a full session (null if it is counted in shoes), what stop.win and stop.loss say (null
without), rounds an hour, and the exact chance of ruin without a limit of rounds, without and with the goal (null where
it is not known)."""

COLUMNS = (*SESSION, *CONTEXT)

_ID = re.compile(r"[a-z][a-z0-9_]{0,59}")
_KEYS = ("run", "cell", "bettor", "expected_on", "played_by", "failed")
"""Columns of summaries, of one run or several, that are no figures."""


class MetricError(PluginError):
    """A metric that cannot be worked out."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Metric:
    """One figure of a bettor in a cell.

    `id` is its column in `summary`; `label` its heading; `unit` one of `UNITS`; `text` says in a sentence or two what
    it is; `source` where the definition is from. `expression` gives the figure from the sessions of the bettor in the
    cell: a polars expression, or a function of columns by name that returns one (`COLUMNS` are there; an argument with
    a default is the function's own). It must come to one number, or null where the figure is undefined. `exact` does
    the same from the one row of the summary of an exact run; without it the figure is null there. Raises `PluginError`
    for what cannot be a metric.

    >>> import polars as pl
    >>> rate = Metric(id="profit_rate", label="Profitable", unit="share", text="Share of sessions that end ahead.",
    ...               expression=lambda net: (net > 0).mean())
    >>> rate.of(pl.DataFrame({"net": [10.0, -10.0, 0.0, 5.0]}))
    0.5
    >>> Metric(id="x", label="X", unit="share", text="X.", expression=lambda nett: nett.mean())
    Traceback (most recent call last):
    bacclab.errors.PluginError: metric x asks for a column 'nett', which sessions do not have (did you mean net?)
    """

    id: str
    label: str
    unit: Unit
    text: str
    expression: Expression
    exact: Expression | None = None
    source: str = ""

    def __post_init__(self) -> None:
        if not _ID.fullmatch(str(self.id)):
            raise PluginError(
                f"{self.id!r} cannot be the id of a metric: use lower-case letters, digits and _, a letter first"
            )
        if self.id in _KEYS:
            raise PluginError(
                f"{self.id!r} cannot be the id of a metric: it is a column of the summary that is no figure"
            )
        for name in ("label", "text"):
            if not isinstance(getattr(self, name), str) or not getattr(self, name).strip():
                raise PluginError(f"metric {self.id} has no {name}")
        if self.unit not in UNITS:
            raise PluginError(f"metric {self.id} has an unknown unit {self.unit!r}", hint=f"one of {', '.join(UNITS)}")
        for column in self.columns:
            if column not in COLUMNS:
                raise PluginError(
                    f"metric {self.id} asks for a column {column!r}, which sessions do not have",
                    hint=did_you_mean(column, COLUMNS),
                )

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of sessions that it is worked out from."""
        return _columns(self.id, self.expression)

    @property
    def facts(self) -> dict[str, str]:
        """What a manifest says of it."""
        return {name: getattr(self, name) for name in ("id", "label", "unit", "text", "source")}

    def expr(self, *, exact: bool = False) -> pl.Expr:
        """The polars expression. MetricError if its function raises or gives something else."""
        import polars as pl

        given = self.exact if exact else self.expression
        if isinstance(given, pl.Expr):
            return given
        assert given is not None
        try:
            found: object = given(*(pl.col(name) for name in _columns(self.id, given)))
        except Exception as error:
            raise MetricError(f"metric {self.id} raises {type(error).__name__}: {_line(error)}") from error
        if not isinstance(found, pl.Expr):
            raise MetricError(f"metric {self.id} gives {found!r}, not a polars expression")
        return found

    def of(self, rows: pl.DataFrame, *, exact: bool = False) -> float | None:
        """The figure of some sessions, or with `exact` of one row of an exact summary; null is None.

        MetricError says what is wrong with a result that is not one finite number.
        """
        import polars as pl

        try:
            found = rows.select(self.expr(exact=exact).alias("figure"))["figure"]
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, TypeError, ValueError) as error:
            raise MetricError(f"metric {self.id} cannot be worked out: {_line(error)}") from error
        return self.one(found)

    def one(self, found: pl.Series) -> float | None:
        """The one number that a column holds; MetricError if it holds something else."""
        if len(found) != 1:
            raise MetricError(
                f"metric {self.id} gives {len(found):,} values, not one", hint="end with .mean() or .sum()"
            )
        value: Any = found[0]
        if value is None:
            return None
        if not (found.dtype.is_numeric() or isinstance(value, bool)):
            raise MetricError(f"metric {self.id} gives {found.dtype}, not a number")
        number = float(value)
        if not math.isfinite(number):
            hint = "null is right where a figure is undefined, such as a rate without a bet"
            raise MetricError(f"metric {self.id} gives {'NaN' if math.isnan(number) else 'infinity'}", hint=hint)
        return number


def _columns(metric: str, expression: Any) -> tuple[str, ...]:
    """The columns that an expression, or a function that returns one, works on."""
    meta = getattr(expression, "meta", None)
    if meta is not None:
        return tuple(dict.fromkeys(meta.root_names()))
    if not callable(expression):
        raise PluginError(
            f"metric {metric} has no expression",
            hint="give a polars expression, or a function of columns such as lambda net: net.mean()",
        )
    parameters = inspect.signature(expression).parameters.values()
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD, p.KEYWORD_ONLY) for p in parameters):
        raise PluginError(f"the function of metric {metric} must name the columns that it takes, as plain arguments")
    return tuple(p.name for p in parameters if p.default is p.empty)


def _line(error: BaseException) -> str:
    """What an error says, in one line."""
    words = " ".join(str(error).split())
    return words if len(words) <= 160 else f"{words[:159]}…"
