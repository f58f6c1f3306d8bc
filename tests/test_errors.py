from __future__ import annotations

import pickle

import pytest

from bacclab import errors


@pytest.mark.parametrize("name", ["ConfigError", "MoneyError", "TableError", "BetError", "BettorError", "PluginError",
                                  "SourceError", "StoreError"])  # fmt: skip
def test_every_error_travels_between_processes(name):
    kind = getattr(errors, name)
    error = kind("what is wrong", hint="how to mend it")
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, errors.BacclabError)
    assert type(again) is kind
    assert str(again) == "what is wrong (how to mend it)"
    assert (again.message, again.hint) == ("what is wrong", "how to mend it")
    assert again.exit_code == 2


def test_nearest_ignores_case_and_dashes():
    options = ["commission-two-by-two", "no-commission", "ez"]
    assert errors.nearest("No_Commission", options) == "no-commission"
    assert errors.nearest("commision two by two", options) == "commission-two-by-two"
    assert errors.nearest("roulette", options) is None
    assert errors.nearest("x", []) is None
    assert errors.did_you_mean("x", []) == "there are none"
