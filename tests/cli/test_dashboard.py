"""`bacclab dashboard` from the command line: its mistakes, and a server that answers and ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request

import pytest


def test_without_dash_it_says_what_to_install(call, monkeypatch, tmp_path):
    monkeypatch.setattr("bacclab.cli.dashboard.find_spec", lambda name: None)
    called = call("dashboard", str(tmp_path))
    assert called.code == 2
    assert called.err == "bacclab: bacclab dashboard needs Dash\n  pip install 'bacclab[dashboard]'\n"


def test_no_folder(call, tmp_path):
    pytest.importorskip("dash", reason="the extra dashboard is not installed")
    called = call("dashboard", str(tmp_path / "none"))
    assert called.code == 2
    assert "there is no folder" in called.err


@pytest.mark.parametrize("host", ["", "not a host", "a" * 80])
def test_a_host_that_is_none_is_told_and_an_empty_one_opens_nothing(call, tmp_path, host):
    pytest.importorskip("dash", reason="the extra dashboard is not installed")
    called = call("dashboard", str(tmp_path), "--host", host, "--port", "0")
    assert called.code == 2
    assert called.err.splitlines()[-2:] == [
        f"bacclab: there is no host {host!r}",
        "  127.0.0.1 is this machine, 0.0.0.0 all its addresses",
    ]


@pytest.mark.slow
def test_it_answers_on_loopback_until_it_is_told_to_end(tmp_path):
    pytest.importorskip("dash", reason="the extra dashboard is not installed")
    command = [sys.executable, "-m", "bacclab", "dashboard", str(tmp_path), "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = "".join(iter(lambda: process.stdout.readline(), "}\n")) + "}"
        address = json.loads(lines)["address"]
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address) as answer:
            assert b"react-entry-point" in answer.read()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
