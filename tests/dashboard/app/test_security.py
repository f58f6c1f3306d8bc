"""Who is let in: hosts, origins, sites."""

from __future__ import annotations

import pytest

from bacclab.dashboard.app.security import Door, is_loopback, policy

DOOR = Door("127.0.0.1")
OWN = {"Host": "127.0.0.1:8050"}


class TestHosts:
    @pytest.mark.parametrize("host", ["127.0.0.1:8050", "127.0.0.1", "[::1]:8050", "LOCALHOST", "127.1.2.3"])
    def test_names_of_this_machine(self, host: str) -> None:
        assert DOOR.refusal("GET", {"Host": host}) is None

    @pytest.mark.parametrize(
        "host",
        [
            "evil.example",
            "evil.example:8050",
            "127.0.0.1.evil.example",
            "",
            "192.168.1.5:8050",
            "[::1",
            "127.0.0.1@evil.example",
        ],
    )
    def test_other_names_are_refused(self, host: str) -> None:
        assert "name" in str(DOOR.refusal("GET", {"Host": host}))

    def test_a_shared_app_answers_addresses_and_its_own_name(self) -> None:
        assert Door("0.0.0.0").refusal("GET", {"Host": "192.168.1.5:8050"}) is None
        assert Door("box.example").refusal("GET", {"Host": "box.example:8050"}) is None
        assert Door("0.0.0.0").refusal("GET", {"Host": "evil.example"}) is not None

    @pytest.mark.parametrize(
        ("host", "wanted"), [("127.0.0.1", True), ("::1", True), ("0.0.0.0", False), ("10.0.0.1", False)]
    )
    def test_loopback(self, host: str, wanted: bool) -> None:
        assert is_loopback(host) is wanted


class TestOrigins:
    def test_a_page_of_the_app_may_change_something(self) -> None:
        assert DOOR.refusal("POST", OWN | {"Origin": "http://127.0.0.1:8050"}) is None

    @pytest.mark.parametrize(
        "origin",
        [
            None,
            "null",
            "http://evil.example",
            "http://127.0.0.1:9000",
            "http://127.0.0.1",
            "file://127.0.0.1:8050",
            "http://[",
        ],
    )
    def test_nobody_else(self, origin: str | None) -> None:
        headers = OWN | ({} if origin is None else {"Origin": origin})
        assert "page of the app" in str(DOOR.refusal("POST", headers))

    def test_another_site_may_not_read(self) -> None:
        cross = OWN | {"Sec-Fetch-Site": "cross-site"}
        assert "another site" in str(DOOR.refusal("GET", cross))
        assert "another site" in str(DOOR.refusal("POST", cross | {"Origin": "http://127.0.0.1:8050"}))

    def test_but_it_may_hold_a_link(self) -> None:
        link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
        assert DOOR.refusal("GET", OWN | link) is None
        assert DOOR.refusal("POST", OWN | link | {"Origin": "http://127.0.0.1:8050"}) is not None


def test_the_policy_lets_nothing_come_from_elsewhere() -> None:
    parts = dict(part.strip().split(" ", 1) for part in policy(["'sha256-x'"]).split(";"))
    assert parts["default-src"] == "'self'"
    assert parts["script-src"] == "'self' 'sha256-x'"
    assert parts["frame-ancestors"] == "'none'"
    assert not any("http" in value or "*" in value for value in parts.values())
