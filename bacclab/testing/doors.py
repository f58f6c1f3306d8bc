"""Three doors into the same checks: a function, parameters for pytest, and a class to inherit from."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from bacclab.errors import BacclabError, BettorError, did_you_mean
from bacclab.testing.checks import CHECKS, Check
from bacclab.testing.report import CheckFailed, Finding, Report, Skipped, said
from bacclab.testing.subject import Subject, subject_of

if TYPE_CHECKING:
    from bacclab.bettors.params import Configurable

__all__ = ["BettorContract", "bettor_checks", "check_bettor"]

_BY_NAME = {check.name: check for check in CHECKS}


def check_bettor(
    thing: type[Configurable] | Configurable,
    *,
    only: Iterable[str] | None = None,
    leave_out: Iterable[str] = (),
    **settings: Any,
) -> Report:
    """Check a `Bettor`, `Selection` or `Progression`: a class, or an instance with its parameters.

    `only` and `leave_out` name checks. `settings` are fields of `Subject`: `values` (parameters), `variant` (others for
    a second one of the class), `table`, `bankroll` (in ten-thousandths), `seed`, `sessions`, `rounds`, and `budget`
    (milliseconds a round).

    >>> from bacclab.bettors.whole.flat import FlatBettor
    >>> check_bettor(FlatBettor(unit=25), only=["plays", "no-look-ahead"]).ok
    True
    """
    subject = subject_of(thing, **settings)
    left_out = set(_known(leave_out))
    names = _BY_NAME if only is None else _known(only)
    found: list[Finding] = []
    for name in names:
        if name in left_out:
            continue
        check = _BY_NAME[name]
        if any(one.check == "plays" and one.state == "failed" for one in found):
            found.append(Finding(name, check.title, "skipped", "it does not play to the end"))
        else:
            found.append(_find(check, subject))
    return Report(subject.title, tuple(found))


def bettor_checks(
    thing: type[Configurable] | Configurable,
    *,
    expected_failures: Mapping[str, str] | None = None,
    **settings: Any,
) -> list[Any]:
    """One parameter of pytest for each check.

    They go with ``@pytest.mark.parametrize("check", bettor_checks(MyBettor))`` and a test that calls ``check()``. Each
    is a function without arguments. `expected_failures` gives, by the name of a check, the reason why it is known to
    fail; such a check that passes is a failure.
    """
    import pytest

    expected = dict(expected_failures or {})
    _known(expected)
    subject = subject_of(thing, **settings)
    return [
        pytest.param(
            functools.partial(_in_pytest, check, subject),
            id=f"{subject.cls.id or subject.cls.__name__}-{check.name}",
            marks=[pytest.mark.xfail(reason=expected[check.name], raises=CheckFailed, strict=True)]
            if check.name in expected
            else [],
        )
        for check in CHECKS
    ]


class BettorContract:
    """A base class for tests: set `bettor`, and every check is a test of its own.

    >>> from bacclab.bettors.whole.flat import FlatBettor
    >>> class TestFlat(BettorContract):
    ...     bettor = FlatBettor
    >>> TestFlat().test_plays()
    """

    bettor: ClassVar[Any] = None
    """The class, or an instance with its parameters."""
    settings: ClassVar[Mapping[str, Any]] = {}
    """Fields of `Subject`, as `check_bettor` takes them."""
    expected_failures: ClassVar[Mapping[str, str]] = {}
    """Reasons for checks that are known to fail, by the name of the check."""

    def _run(self, check: Check) -> None:
        if self.bettor is None:
            raise BettorError(f"{type(self).__name__} has no bettor", hint="write bettor = MyBettor in the class")
        subject = subject_of(self.bettor, **self.settings)
        _known(self.expected_failures)
        reason = self.expected_failures.get(check.name)
        if reason is None:
            _in_pytest(check, subject)
            return
        import pytest

        try:
            check.run(subject)
        except CheckFailed:
            pytest.xfail(reason)
        pytest.fail(f"{check.name} was expected to fail ({reason}) and passed")


def _test(check: Check) -> Callable[[BettorContract], None]:
    def test(self: BettorContract) -> None:
        self._run(check)

    test.__doc__ = f"It {check.title}."
    return test


for _check in CHECKS:
    setattr(BettorContract, f"test_{_check.name.replace('-', '_')}", _test(_check))


def _known(names: Iterable[str]) -> list[str]:
    listed = list(names)
    for name in listed:
        if name not in _BY_NAME:
            raise BettorError(f"there is no check {name!r}", hint=did_you_mean(name, _BY_NAME))
    return listed


def _find(check: Check, subject: Subject) -> Finding:
    try:
        check.run(subject)
    except CheckFailed as error:
        return Finding(check.name, check.title, "failed", str(error))
    except Skipped as error:
        return Finding(check.name, check.title, "skipped", str(error))
    except BacclabError as error:
        return Finding(check.name, check.title, "failed", said(error))
    return Finding(check.name, check.title, "passed")


def _in_pytest(check: Check, subject: Subject) -> None:
    import pytest

    try:
        check.run(subject)
    except Skipped as error:
        pytest.skip(str(error))
    except BacclabError as error:
        raise CheckFailed(said(error)) from error
