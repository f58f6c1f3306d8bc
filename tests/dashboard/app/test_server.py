"""The app over HTTP: what is refused, what can be taken away, and that every callback answers."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bacclab as bl
from bacclab.dashboard.app.folder import RunsFolder
from bacclab.errors import StoreError

dash = pytest.importorskip("dash", reason="the extra dashboard is not installed")
server = pytest.importorskip("bacclab.dashboard.app.server", reason="the extra dashboard is not installed")

HOST = {"Host": "127.0.0.1:8050"}
OWN = {**HOST, "Origin": "http://127.0.0.1:8050"}


@pytest.fixture
def client(client_of: Any, context: Any) -> Any:
    return client_of(context)


def ask(client: Any, output: str, headers: dict[str, str] = OWN, **given: Any) -> Any:
    """Ask the callback with this output, as a browser does; values by ``id__property``."""
    known = client.get("/_dash-dependencies", headers=HOST).json
    found = next(one for one in known if output in one["output"])

    def filled(parts: list[dict[str, str]]) -> list[dict[str, Any]]:
        return [part | {"value": given.get(f"{part['id']}__{part['property']}")} for part in parts]

    outputs = []
    for text in found["output"].strip(".").split("..."):
        name, _, prop = text.partition("@")[0].rpartition(".")
        outputs.append({"id": name, "property": prop})
    body = {
        "output": found["output"],
        "outputs": outputs if found["output"].startswith("..") else outputs[0],
        "inputs": filled(found["inputs"]),
        "state": filled(found["state"]),
        "changedPropIds": [key.replace("__", ".") for key in given],
    }
    return client.post("/_dash-update-component", json=body, headers=headers)


def state_of(context: Any, run: str, **more: Any) -> dict[str, Any]:
    return {"view": "run", "run": run, "status": "complete", **more}


class TestRefusals:
    def test_a_stranger_by_name(self, client: Any) -> None:
        for path in ("/", "/_dash-layout", "/download?run=plain&frame=summary"):
            assert client.get(path, headers={"Host": "evil.example:8050"}).status_code == 403

    def test_a_page_of_a_stranger(self, client: Any) -> None:
        state = {"state__data": {"view": "runs"}}
        assert ask(client, "runs-table.children", **state).status_code == 200
        for headers in (HOST, {**HOST, "Origin": "http://evil.example"}, {**OWN, "Sec-Fetch-Site": "cross-site"}):
            assert ask(client, "runs-table.children", headers, **state).status_code == 403

    @pytest.mark.parametrize("path", ["/assets/../server.py", "/assets/%2e%2e/server.py", "/assets/..%2f..%2fpage.py"])
    def test_no_file_but_the_assets(self, client: Any, path: str) -> None:
        answer = client.get(path, headers=HOST)
        assert b"import" not in answer.data

    def test_headers(self, client: Any) -> None:
        answer = client.get("/", headers=HOST)
        assert answer.status_code == 200
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"

    def test_nothing_from_elsewhere(self, client: Any) -> None:
        page = client.get("/", headers=HOST).text
        assert "https://" not in page
        assert "http://" not in page

    def test_without_developers_tools(self, client: Any) -> None:
        config = client.get("/", headers=HOST).text
        assert '"ui":false' in config
        assert "hot_reload" not in config

    def test_nothing_is_started_where_one_may_only_look(self, client: Any) -> None:
        known = [one["output"] for one in client.get("/_dash-dependencies", headers=HOST).json]
        assert not any("new-problem" in output or "cancel" in output for output in known)


class TestDownloads:
    def test_parquet_is_the_file(self, client: Any, played: Path) -> None:
        answer = client.get("/download?run=plain&frame=sessions&to=parquet", headers=HOST)
        assert answer.data == (played / "plain" / "sessions.parquet").read_bytes()
        assert "plain-sessions.parquet" in answer.headers["Content-Disposition"]
        answer.close()

    def test_csv_holds_the_same(self, client: Any, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("bacclab.dashboard.app.downloads.PIECE", 100)
        answer = client.get("/download?run=plain&frame=sessions&to=csv", headers=HOST)
        wanted = bl.load_run(played / "plain").sessions
        found = pl.read_csv(io.BytesIO(answer.data), schema=wanted.schema)
        assert found.equals(wanted)

    @pytest.mark.parametrize(
        "query",
        ["run=plain&frame=manifest", "run=../runs/plain&frame=summary", "run=plain&frame=../sweep/summary", "run=plain",
         "frame=summary", "run=plain&frame=summary&to=xlsx", "run=plain&frame=%00", ""],
    )  # fmt: skip
    def test_nothing_else(self, client: Any, query: str) -> None:
        assert client.get(f"/download?{query}", headers=HOST).status_code == 404


class TestCallbacks:
    def test_the_list(self, client: Any) -> None:
        found = ask(
            client, "runs-table.children", **{"state__data": {"view": "runs"}, "runs-search__value": "sweep"}
        ).json
        text = json.dumps(found["response"]["runs-table"])
        assert "A sweep" in text
        assert "Three" not in text
        assert "1 of 2 runs" in json.dumps(found["response"]["runs-count"])

    @pytest.mark.parametrize("tab", ["answer", "all", "one", "sessions", "comparison", "sweep", "details"])
    def test_every_callback_answers_on_every_tab(self, client: Any, context: Any, tab: str) -> None:
        state = state_of(context, "sweep", tab=tab, cell=1)
        for one in client.get("/_dash-dependencies", headers=HOST).json:
            inputs = {f"{part['id']}__{part['property']}" for part in one["inputs"]}
            if "state__data" not in inputs:
                continue
            answer = ask(client, one["output"], state__data=state, scheme__data="dark")
            assert answer.status_code in (200, 204), (one["output"], answer.text[:300])

    def test_names_are_text(self, client: Any, context: Any) -> None:
        found = ask(client, "summary-table.children", state__data=state_of(context, "plain", tab="answer")).json
        assert "Doubler <b>5</b>" in json.dumps(
            found["response"]["summary-table"]
        )  # a string: React makes no markup of it

    def test_sorted_by_a_column(self, client: Any, context: Any) -> None:
        given = {"state__data": state_of(context, "plain", tab="answer"), "summary-sort__data": ["bettor", False]}
        table = ask(client, "summary-table.children", **given).json["response"]["summary-table"]["children"]
        body = table["props"]["children"][1]["props"]["children"]
        names = [row["props"]["children"][0]["props"]["children"]["props"]["children"] for row in body]
        assert names == ["Doubler <b>5</b>", "Flat on Banker", "Goal of 60"]

    def test_runs_side_by_side(self, client: Any, context: Any) -> None:
        given = {"state__data": {"view": "compare", "runs": ["plain", "sweep"]}}
        found = ask(client, "compare-table.children", **given).json["response"]
        body = found["compare-table"]["children"]["props"]["children"][1]["props"]["children"]
        assert len(body) == 3 + 2 * 3
        assert "did not play the same rounds" in found["compare-notes"]["children"]
        names = [trace["name"] for trace in found["compared-graph"]["figure"]["data"]]
        assert "Flat on Banker (sweep,<br>table.maximum = 50)" in names

    def test_nonsense_is_answered(self, client: Any) -> None:
        for state in (None, {}, [], {"view": 7}, {"view": "run", "status": "complete", "run": 5, "cell": "x"}):
            for output in ("runs-table.children", "view-runs.hidden"):
                assert ask(client, output, state__data=state).status_code in (200, 204, 500)


def test_nothing_in_a_run_folder_is_executed(root: Path, client_of: Any) -> None:
    from bacclab.dashboard.app.context import Context

    manifest = root / "plain" / "manifest.json"
    values = json.loads(manifest.read_text())
    plugin = root / "plain" / "evil.py"
    mark = root / "ran"
    plugin.write_text(f"open({str(mark)!r}, 'w').close()\n")
    values["experiment"]["plugins"] = {"files": [str(plugin)]}
    values["plugins"].append({"name": "evil", "origin": str(plugin), "state": "contributed", "items": ["x"]})
    manifest.write_text(json.dumps(values))
    context = Context(RunsFolder(root))
    client = client_of(context)
    for tab in ("answer", "all", "one", "sessions", "comparison", "details"):
        state = state_of(context, "plain", tab=tab)
        for one in client.get("/_dash-dependencies", headers=HOST).json:
            if any(part["id"] == "state" for part in one["inputs"]):
                assert ask(client, one["output"], state__data=state).status_code in (200, 204)
    assert not mark.exists()


def test_a_damaged_frame_is_told(root: Path, client_of: Any) -> None:
    from bacclab.dashboard.app.context import Context

    (root / "plain" / "summary.parquet").write_bytes(b"PAR1")
    context = Context(RunsFolder(root))
    answer = ask(client_of(context), "summary-table.children", state__data=state_of(context, "plain", tab="answer"))
    assert answer.status_code == 200
    assert "damaged" in answer.json["sideUpdate"]["problem"]["children"]


def test_a_port_that_there_is_not_is_refused() -> None:
    for port in (-1, 65_536, 99_999_999):
        with pytest.raises(StoreError, match="there is no port"):
            server.listening(dash.Dash(), host="127.0.0.1", port=port)
