"""What the checks of a plugin found, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from bacclab.errors import BacclabError

State = Literal["passed", "failed", "skipped"]


class CheckFailed(AssertionError):
    """A check found a fault; its text says which, and at which round it shows."""


class Skipped(Exception):
    """A check does not apply; its text says why."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found: the fault in words where it failed, the reason where it was skipped."""

    check: str
    title: str
    state: State
    text: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """All findings about one thing.

    >>> report = Report("bettor mine", (Finding("plays", "plays sessions to their end", "failed", "round 3: ..."),))
    >>> report.ok, report.failed[0].check
    (False, 'plays')
    >>> report.require()
    Traceback (most recent call last):
    bacclab.testing.report.CheckFailed: bettor mine: plays: round 3: ...
    """

    subject: str
    findings: tuple[Finding, ...]

    @property
    def failed(self) -> tuple[Finding, ...]:
        """The findings of the checks that failed."""
        return tuple(one for one in self.findings if one.state == "failed")

    @property
    def ok(self) -> bool:
        """Whether no check failed."""
        return not self.failed

    def require(self) -> None:
        """Raise CheckFailed with every fault, unless there is none."""
        if not self.ok:
            raise CheckFailed("\n".join(f"{self.subject}: {one.check}: {one.text}" for one in self.failed))

    def lines(self) -> list[str]:
        """The report as text, a line a check."""
        width = max((len(one.check) for one in self.findings), default=0)
        told = [f"{self.subject}: {'passed' if self.ok else f'{len(self.failed)} failed'}"]
        for one in self.findings:
            said = f": {one.text}" if one.text else ""
            told.append(f"  {one.state:7}  {one.check:{width}}  {one.title}{said}")
        return told

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "subject": self.subject,
            "ok": self.ok,
            "checks": [
                {"check": one.check, "title": one.title, "state": one.state, "text": one.text} for one in self.findings
            ],
        }


def said(error: BaseException) -> str:
    """An exception in words.

    >>> said(ZeroDivisionError("division by zero"))
    'ZeroDivisionError: division by zero'
    """
    if isinstance(error, BacclabError):
        return str(error)
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
