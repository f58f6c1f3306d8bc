"""What a person looks at: charts of a run, and the page that holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bacclab.dashboard.pages.report import write_page as write_page
    from bacclab.dashboard.run_charts import Charts as Charts

__all__ = ["Charts", "write_page"]


def __getattr__(name: str) -> Any:
    # Charts and pages load numpy and polars; a command that draws nothing must not wait for them.
    if name == "write_page":
        from bacclab.dashboard.pages.report import write_page

        return write_page
    if name == "Charts":
        from bacclab.dashboard.run_charts import Charts

        return Charts
    raise AttributeError(f"module 'bacclab.dashboard' has no attribute {name!r}")
