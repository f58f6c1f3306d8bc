"""A real browser without a network, and pages of real runs to look at."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import bacclab as bl

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def program(*names: str) -> str:
    """The path of the first of these programs; without it the tests are skipped, or fail where one is required."""
    for name in names:
        if found := shutil.which(name):
            return found
    missing = (
        f"no {names[0]} on this machine: the browser tests need Chromium and its driver "
        "(Debian: apt-get install chromium chromium-driver)"
    )
    if os.environ.get("BACCLAB_BROWSER") == "required":
        pytest.fail(missing)
    pytest.skip(missing)


@dataclass
class Browser:
    """One window of Chromium; `script` runs in the page and waits for what it returns."""

    driver: Any

    def size(self, width: int, height: int = 900, *, phone: bool = False) -> None:
        """The size of the window; as a phone also with a touch screen."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": phone})

    def scheme(self, name: str) -> None:
        """What the system prefers: light or dark."""
        feature = {"name": "prefers-color-scheme", "value": name}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def open(self, path: Path) -> None:
        """Load a page from the disk, with nothing left of the one before."""
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.driver.get(path.as_uri())

    def script(self, text: str, *arguments: Any) -> Any:
        """Run JavaScript in the page."""
        return self.driver.execute_script(text, *arguments)

    def until(self, text: str, *arguments: Any, seconds: float = 60) -> Any:
        """Wait until a script returns something true, and return it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := self.script(text, *arguments):
                return found
            time.sleep(0.05)
        pytest.fail(f"not within {seconds} s: {text}; {self.driver.get_log('browser')}")

    def show(self, chart: str) -> None:
        """Scroll to a chart and wait until it is drawn for what is chosen."""
        self.script("document.getElementById(arguments[0]).scrollIntoView({behavior: 'instant'})", chart)
        self.until("return document.querySelector(`#${arguments[0]} .main-svg`)", chart)
        self.until("return document.getElementById(arguments[0]).dataset.drawn", chart)

    def errors(self) -> list[str]:
        """What the page wrote to the console."""
        return [line["message"] for line in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Addresses that the page asked for, but for the page itself and data that it holds."""
        events = [json.loads(line["message"])["message"] for line in self.driver.get_log("performance")]
        asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
        return [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = program("chromium", "chromium-browser", "google-chrome")
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(program("chromedriver")))
    driver.execute_cdp_cmd("Network.enable", {})
    offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    yield Browser(driver)
    with contextlib.suppress(Exception):
        driver.quit()


@pytest.fixture
def browser(chromium: Browser) -> Browser:
    """The browser at desktop size, in light colours."""
    chromium.size(1400)
    chromium.scheme("light")
    return chromium


@pytest.fixture(scope="session")
def make(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., bl.Run]:
    """Play an experiment; returns the run, with its page."""

    def play(**experiment: Any) -> bl.Run:
        settings = {"bankroll": 200, "sessions": 400, "rounds": 120, "seed": 7} | experiment
        return bl.run(settings, out=tmp_path_factory.mktemp("run") / "run", report=True, workers=1)

    return play


BETTORS = [
    {"name": "Flat on Banker", "use": "flat", "on": "banker", "unit": 10},
    {"name": "Martingale <i>five</i> & more", "use": "martingale", "on": "player", "unit": 10, "steps": 5},
    {"name": "Goal of 60", "use": "paroli", "on": "banker", "unit": 10, "stop": {"win": 60}},
    {"name": "Flat on Tie", "use": "flat", "on": "tie", "unit": 20},
]


@pytest.fixture(scope="session")
def classic(make: Callable[..., bl.Run]) -> bl.Run:
    return make(title="Four systems, <b>one</b> table", bettor=BETTORS)


@pytest.fixture(scope="session")
def sweep(make: Callable[..., bl.Run]) -> bl.Run:
    return make(title="A sweep", bettor=BETTORS[:2], sessions=100, sweep={"table.maximum": [50, 500]})


@pytest.fixture(scope="session")
def grid(make: Callable[..., bl.Run]) -> bl.Run:
    """A sweep over two keys: a chart of it has a menu of the systems."""
    keys = {"table.maximum": [50, 500], "table.minimum": [5, 10]}
    return make(title="Two keys", bettor=BETTORS[:2], sessions=40, rounds=40, sweep=keys)


@pytest.fixture(scope="session")
def crowd(make: Callable[..., bl.Run]) -> bl.Run:
    bettors = [{"name": f"Flat {unit}", "use": "flat", "on": "player", "unit": unit} for unit in range(1, 201)]
    return make(title="A crowd", bettor=bettors, sessions=20, rounds=40, bankroll=5000)
