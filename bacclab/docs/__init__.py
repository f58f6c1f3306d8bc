"""The guide for authors of systems and plugins, page by page: `bacclab docs` shows it.

>>> title("testing"), pages()[0]
('Testing', 'without-programming')
"""

from __future__ import annotations

from importlib import resources
from typing import Final

from bacclab.errors import BacclabError, did_you_mean

__all__ = ["pages", "text", "title"]

_PAGES: Final = (
    "without-programming", "first-bettor", "selection-and-progression", "vectorised-bettor", "side-bet", "table",
    "source", "metric", "chart", "run-folder", "testing", "publishing", "built-in", "reproducing", "clusters",
    "calibration", "hooks",
)  # fmt: skip


def pages() -> tuple[str, ...]:
    """The names of the pages, in the order in which they are best read."""
    return _PAGES


def text(page: str) -> str:
    """The text of a page, as Markdown; BacclabError names the nearest one where there is none."""
    if page not in _PAGES:
        raise BacclabError(f"there is no page {page!r}", hint=did_you_mean(page, _PAGES))
    return resources.files("bacclab.docs").joinpath(f"{page}.md").read_text(encoding="utf-8")


def title(page: str) -> str:
    """The heading of a page."""
    return text(page).partition("\n")[0].removeprefix("# ")
