"""The limit on time: what takes too long is interrupted, whatever it catches; what does not is left alone."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time

import pytest

from bacclab.tournament.play.time_limit import OutOfTime, time_limit


@pytest.fixture(autouse=True)
def no_collection():
    """An interruption that lands in a callback of the garbage collector (hypothesis has one) is told as a warning."""
    gc.disable()
    yield
    gc.enable()


def spin() -> None:
    while True:
        pass


def stubborn() -> None:
    """Swallows the first interruptions."""
    caught = 0
    while True:
        try:
            spin()
        except BaseException:
            caught += 1
            if caught > 2:
                raise


@pytest.mark.parametrize("hanging", [spin, stubborn])
def test_what_hangs_is_interrupted(hanging) -> None:
    with pytest.raises(OutOfTime, match=r"longer than its budget of 0\.05 s"), time_limit(0.05, what="its budget"):
        hanging()


def test_what_is_in_time_is_left_alone() -> None:
    for limit in (None, 60.0):
        with time_limit(limit, what="its budget"):
            found = sum(range(1000))
        assert found == 499_500


def test_an_error_of_its_own_comes_through() -> None:
    with pytest.raises(KeyError, match="mine"), time_limit(60, what="its budget"):
        raise KeyError("mine")


def test_in_a_thread() -> None:
    told: list[BaseException] = []

    def work() -> None:
        try:
            with time_limit(0.05, what="its budget"):
                spin()
        except OutOfTime as error:
            told.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert len(told) == 1


def test_no_interruption_reaches_what_comes_after() -> None:
    for _ in range(20):
        try:
            with time_limit(0.002, what="its budget"):
                end = time.perf_counter() + 0.002
                while time.perf_counter() < end:
                    pass
        except OutOfTime:
            continue
    assert sum(range(1000)) == 499_500


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no interval timer: a sleep is not interrupted")
def test_a_sleep_is_interrupted_in_the_main_thread() -> None:
    program = (
        "import time\n"
        "from bacclab.tournament.play.time_limit import OutOfTime, time_limit\n"
        "try:\n"
        "    with time_limit(0.1, what='its budget'):\n"
        "        time.sleep(100)\n"
        "except OutOfTime as error:\n"
        "    print(error)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout == "it took longer than its budget of 0.1 s\n"
