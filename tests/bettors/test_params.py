"""Declared parameters: unions, defaults, and what is said of values that do not fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest

from bacclab.bettors.params import Configurable, Param, parameters_of
from bacclab.errors import BettorError
from bacclab.money import Money


@dataclass(frozen=True)
class Leg:
    unit: Annotated[Money, Param(gt=0)] = "10.00"  # type: ignore[assignment]
    on: str = "banker"


class Unions(Configurable):
    after: int | str = 1
    until: str | int | None = None
    share: float | Money | None = None
    side: Annotated[int, Param(ge=1)] | Literal["all"] = "all"


@pytest.mark.parametrize(
    ("name", "given", "held"),
    [
        ("after", 3, 3),
        ("after", "tie", "tie"),
        ("until", 3, 3),
        ("until", "3", "3"),
        ("until", None, None),
        ("share", 2, 2.0),
        ("share", "2.50", Money("2.50")),
        ("share", Money(3), Money(3)),
        ("side", 5, 5),
        ("side", "all", "all"),
    ],
)
def test_every_type_of_a_union_is_tried(name: str, given: object, held: object) -> None:
    value = getattr(Unions(**{name: given}), name)
    assert value == held
    assert type(value) is type(held)


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("after", 2.5, "after = 2.5 must be int or text"),
        ("after", True, "after = true must be int or text"),
        ("share", "much", 'share = "much" must be float or money'),
        ("side", 0, "side = 0 must be int or all"),
    ],
)
def test_what_no_type_of_a_union_takes_is_refused(name: str, given: object, said: str) -> None:
    with pytest.raises(BettorError, match=said):
        Unions(**{name: given})


class Defaults(Configurable):
    unit: Money = "10.00"  # type: ignore[assignment]
    line: tuple[int, ...] = [1, 2]  # type: ignore[assignment]
    leg: Leg = Leg()


def test_defaults_become_the_declared_type() -> None:
    made = Defaults()
    assert made.unit == Money(10)
    assert made.line == (1, 2)
    assert made.leg == Leg(unit=Money(10))
    assert Defaults(leg={"on": "tie"}).leg.unit == Money(10)
    assert [parameter.default_text for parameter in parameters_of(Defaults)] == [
        "10.00",
        "[1, 2]",
        '{ unit = 10.00, on = "banker" }',
    ]


@pytest.mark.parametrize(
    ("annotation", "default", "said"),
    [
        (Money, "ten", "the defaults of Wrong: held: 'ten' is not a sum of money"),
        (Annotated[int, Param(ge=1)], 0, "the defaults of Wrong: held = 0 must be at least 1"),
        (int, "7", 'the defaults of Wrong: held = "7": input should be a valid integer'),
        (int, None, "the defaults of Wrong: held = none: input should be a valid integer"),
        (list[int], [1, 2], r"held = \[1, 2\] would be shared by all that are made .declare a list as tuple"),
        (Leg, Leg(unit=Money(0)), "the defaults of Wrong: held.unit = 0.00 must be more than 0"),
    ],
)
def test_a_default_that_no_experiment_could_give_is_refused(annotation: object, default: object, said: str) -> None:
    wrong = type("Wrong", (Configurable,), {"__annotations__": {"held": annotation}, "held": default})
    with pytest.raises(BettorError, match=said):
        parameters_of(wrong)


def test_limits_hold_inside_a_dataclass_made_in_python() -> None:
    with pytest.raises(BettorError, match=r"leg.unit = -1.00 must be more than 0"):
        Defaults(leg=Leg(unit=Money(-1)))
