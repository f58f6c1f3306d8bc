"""The example notebook: valid for Jupyter, and every cell runs and shows something."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[1] / "experiments" / "classics.ipynb"


@pytest.fixture(scope="module")
def notebook() -> Any:
    return json.loads(NOTEBOOK.read_text(encoding="utf-8"))


def shown(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as Jupyter does; the value of its last line, if that is an expression."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_it_is_a_notebook_of_format_4_5(notebook: Any) -> None:
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in notebook["cells"]:
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", cell["id"])
        assert all(line.endswith("\n") for line in cell["source"][:-1])
        wanted = {"cell_type", "id", "metadata", "source"}
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None
            wanted |= {"outputs", "execution_count"}
        assert set(cell) == wanted


@pytest.mark.slow
def test_every_cell_runs_and_shows_something(notebook: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(NOTEBOOK.parent)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            value = shown("".join(cell["source"]), names)
            assert any(hasattr(value, name) for name in ("_repr_html_", "_repr_mimebundle_")), cell["id"]
    patience = names["patience"].summary
    assert patience["played_by"].to_list() == ["table", "table"]
    assert patience.sort("staked")["bettor"][0] == "patient"
