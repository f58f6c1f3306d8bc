"""Experiment files: what is refused, and that each message says where and what was meant."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bacclab.errors import BacclabError, ConfigError
from bacclab.money import Money
from bacclab.plugins.loader import load_plugins
from bacclab.runs import run
from bacclab.tournament.experiment.config import Experiment, load_config
from bacclab.tournament.experiment.resolved import resolved
from bacclab.tournament.experiment.schema import schema
from bacclab.tournament.experiment.specs import Stop
from bacclab.tournament.experiment.toml_text import toml_text
from bacclab.tournament.plan import plan

if TYPE_CHECKING:
    from pathlib import Path

    from bacclab.plugins.registry import Registry

BASE = """\
title = "Two"
seed = 1
bankroll = 1000
sessions = 10
rounds = 50
[table]
rules = "commission"
minimum = 10
[[bettor]]
name = "A"
use = "flat"
on = "banker"
unit = 10
[[bettor]]
name = "B, 2"
select = "follow-last"
stake = { use = "martingale", unit = 10, steps = 7 }
when_refused = "reset"
"""


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_plugins(allow=()).registry


@pytest.fixture
def refused(tmp_path: Path, registry: Registry):
    """The message for an experiment file that differs from BASE."""

    def say(
        old: str = "", new: str = "", *, more: str = "", sets: tuple[str, ...] = (), data: bytes | None = None
    ) -> str:
        assert old in BASE
        path = tmp_path / "e.toml"
        path.write_bytes(
            data if data is not None else (BASE.replace(old, new) if old else BASE).encode() + more.encode()
        )
        with pytest.raises(BacclabError) as caught:
            plan(load_config(path, sets=sets), registry)
        return str(caught.value).replace(str(tmp_path) + "/", "")

    return say


def load(tmp_path: Path, text: str = BASE, *sets: str) -> Experiment:
    path = tmp_path / "e.toml"
    path.write_text(text, encoding="utf-8")
    return load_config(path, sets=sets)


def test_a_good_file_is_read_as_written(tmp_path: Path) -> None:
    experiment = load(tmp_path)
    assert (experiment.title, experiment.seed, experiment.sessions) == ("Two", 1, 10)
    assert experiment.bankroll == 1000 * 10_000
    assert experiment.horizon.rounds == 50
    flat, follow = experiment.bettors
    assert (flat.name, flat.use, dict(flat.params), flat.when_refused) == (
        "A",
        "flat",
        {"on": "banker", "unit": 10},
        "stop",
    )
    assert follow.select is not None
    assert follow.stake is not None
    assert (follow.select.id, follow.stake.id, follow.stake.params["steps"]) == ("follow-last", "martingale", 7)
    assert follow.when_refused == "reset"
    assert experiment.record.checkpoints == 100
    assert experiment.base_folder == tmp_path.resolve()
    assert experiment.text == BASE


KEYS = [
    ("minimum = 10", "comission = 0.04", "e.toml, line 8: ", "comission", "did you mean commission?"),
    ("sessions = 10", "comission = 0.04", "e.toml, line 4: ", "comission", "did you mean commission, under [table]?"),
    ("bankroll = 1000", "bankrol = 1000", "e.toml, line 3: ", "bankrol", "did you mean bankroll?"),
    ("[table]", "[tabel]", "e.toml, line 6: ", "tabel", "did you mean table?"),
    ("steps = 7", "stebs = 7", "e.toml, line 17: ", "stebs", "did you mean steps?"),
    ("unit = 10\n", "unti = 10\n", "e.toml, line 13: ", "unti", "did you mean unit?"),
    ('"martingale"', '"martingail"', "e.toml, line 17: ", "martingail", "did you mean martingale?"),
    ('"follow-last"', '"folow-last"', "e.toml, line 16: ", "folow-last", "did you mean follow-last?"),
    ('"flat"', '"flatt"', "e.toml, line 11: ", "flatt", "did you mean flat?"),
    ('rules = "commission"', 'rules = "comission"', "e.toml, line 7: ", "comission", "did you mean commission?"),
    ('"reset"', '"rest"', "e.toml, line 18: ", "bettor.1.when_refused", 'did you mean "reset"?'),
    ("when_refused", "when_refuse", "e.toml, line 18: ", "bettor.1.when_refuse", "did you mean when_refused?"),
]


@pytest.mark.parametrize(("old", "new", "place", "key", "hint"), KEYS)
def test_unknown_names_are_told_with_line_and_nearest_name(refused, old, new, place, key, hint) -> None:
    message = refused(old, new)
    assert message.startswith(place)
    assert key in message
    assert hint in message


VALUES = [
    ("sessions = 10", "sessions = true", "line 4", "sessions must be a whole number, not true"),
    ("sessions = 10", "sessions = 8.0", "line 4", "write 8"),
    ("sessions = 10", 'sessions = "10"', "line 4", "write 10 without quotes"),
    ("sessions = 10", "sessions = 1e400", "line 4", "must be a whole number"),
    ("sessions = 10", "sessions = 0", "line 4", "at least 1"),
    ("sessions = 10", "sessions = 100000000000000000000", "line 4", "at most 1,000,000,000"),
    ("seed = 1", "seed = -1", "line 2", "seed must be at least 0"),
    ("bankroll = 1000", "bankroll = true", "line 3", "bankroll = true is not an amount of money"),
    ("bankroll = 1000", 'bankroll = "1e3"', "line 3", "without an exponent"),
    ("bankroll = 1000", 'bankroll = "1,000.00"', "line 3", "without commas"),
    ("bankroll = 1000", "bankroll = 1000.005", "line 3", "whole cents"),
    ("bankroll = 1000", "bankroll = 1e30", "line 3", "too large"),
    ("bankroll = 1000", "bankroll = 99999999999999999999999999", "line 3", "too large"),
    ("bankroll = 1000", "bankroll = nan", "line 3", "finite"),
    ("bankroll = 1000", "bankroll = inf", "line 3", "finite"),
    ("bankroll = 1000", "bankroll = -5", "line 3", "below zero"),
    ("bankroll = 1000", "bankroll = 0", "line 3", "more than 0"),
    ("bankroll = 1000", "bankroll = 1000.0000000000000001", "line 3", "decimals"),
    ("minimum = 10", "commission = 5", "line 8", '"5%"'),
    ("minimum = 10", "decks = 8.0", "line 8", "decks must be a whole number"),
    ("minimum = 10", "decks = 0", "line 8", "decks"),
    ("minimum = 10", "decks = true", "line 8", "decks"),
    ("minimum = 10", "minimum = true", "line 8", "minimum"),
    ("minimum = 10", 'minimum = "1e3"', "line 8", "minimum"),
    ("unit = 10\n", "unit = true\n", "line 13", "unit"),
    ("unit = 10\n", 'unit = "1e3"\n', "line 13", "without an exponent"),
    ("unit = 10\n", "unit = 10.005\n", "line 13", "whole cents"),
    ("unit = 10,", "unit = 10.005,", "line 17", "whole cents"),
    ('name = "B, 2"', 'name = "A"', "line 15", "the name of two bettors"),
    ('name = "A"', 'name = "B,  2"', "line 15", "looks the same as 'B,  2'"),
    ('name = "B, 2"', 'name = " "', "line 15", "is blank"),
    ('name = "B, 2"', 'name = "B "', "line 15", "ends with a space"),
    ('name = "B, 2"', 'name = "B\u202e2"', "line 15", "control character"),
    ("rounds = 50", "rounds = 50\nshoes = 5", "line 6", "shoes and rounds cannot both be given"),
    ("rounds = 50\n", "", "e.toml: ", "rounds is missing (write rounds = 500, or shoes = 6)"),
    ("bankroll = 1000\n", "", "e.toml: ", "bankroll is missing"),
    ('use = "flat"\n', "", "line 9", "does not say what it plays"),
    ('select = "follow-last"\n', 'use = "flat"\nselect = "follow-last"\n', "line 14", "both use and select"),
    ('select = "follow-last"\n', "", "line 14", "does not say what it plays"),
    ('stake = { use = "martingale", unit = 10, steps = 7 }', "", "line 14", "has a selection but no stake"),
]


@pytest.mark.parametrize(("old", "new", "place", "words"), VALUES)
def test_impossible_values_are_told_with_line_and_reason(refused, old, new, place, words) -> None:
    message = refused(old, new)
    assert place in message
    assert words in message
    assert "\n" not in message


PARTS = [
    ("[stop]\nwon = 500\n", "line 20: stop.won", "did you mean win?"),
    ("[stop]\nwin = 0\n", "line 20: stop.win", "more than 0"),
    ("[record]\ncheckpoints = 0\n", "line 20: record.checkpoints", "at least 1"),
    ("[record]\ncheckpoint = 5\n", "line 20: record.checkpoint", "did you mean checkpoints?"),
    ('[plugins]\nfiles = "x.py"\n', "line 20: plugins.files", "must be a list"),
    ('[source]\nuse = "simulatd"\n', "line 20: ", "did you mean simulated?"),
    ('[source]\nuse = "scripted"\nround = "PB"\n', "line 21: ", "rounds"),
    ("[record]\nsessions = 5\n", "line 20: record.sessions", "it belongs above the first line in square brackets"),
    ('[sweep]\n"table.maximun" = [200]\n', "line 20, sweep of table.maximun", "did you mean maximum?"),
    ('[sweep]\n"bettor.5.unit" = [20]\n', "line 20, sweep of bettor.5.unit", "the last one is 1"),
    ('[sweep]\n"bettor.a.unit" = [20]\n', "line 20, sweep of bettor.a.unit", "did you mean 'A'?"),
    ('[sweep]\n"table.maximum" = 200\n', "line 20: ", "needs a list of values"),
    ('[sweep]\n"table.maximum" = []\n', "line 20: ", "empty"),
    ('[sweep]\n"table.maximum" = [200, 500, 200]\n', "line 20: ", "lists 200 twice"),
    ('[sweep]\n"table.maximum" = [200, true]\n', "line 20, sweep of table.maximum", "maximum"),
    ('[sweep]\n"bettor.1.stake.steps" = [3, 0]\n', "line 20, sweep of bettor.1.stake.steps", "at least 1"),
    ('[sweep]\n"bettor.B, 2.unit" = [3, 0]\n', "line 20: ", "not a key path"),
    ('[sweep]\n"plugins.files" = [["x.py"]]\n', "line 20: ", "cannot be swept"),
]


@pytest.mark.parametrize(("more", "place", "words"), PARTS)
def test_faults_in_parts_are_told_with_line(refused, more, place, words) -> None:
    message = refused(more=more)
    assert place in message
    assert words in message


SETS = [
    ("table.maximun=500", "did you mean maximum?"),
    ("sessions", "an equals sign is missing"),
    ("sessions=x", 'must be a whole number, not "x"'),
    ("=5", "is not a key"),
    ("bettor.0.unit=abc", "not a sum of money"),
    ("bettor.C.unit=5", "no bettor named 'C'"),
    ("bankroll.x=5", "holds no keys of its own"),
    ("bankroll=5%", "bankroll"),
]


@pytest.mark.parametrize(("text", "words"), SETS)
def test_faults_of_set_are_told_as_typed(refused, text, words) -> None:
    message = refused(sets=(text,))
    assert message.startswith(f"--set {text}: ")
    assert words in message


class TestFilesAsEditorsSaveThem:
    def test_byte_order_mark_is_accepted(self, tmp_path: Path) -> None:
        path = tmp_path / "bom.toml"
        path.write_bytes(b"\xef\xbb\xbf" + BASE.encode())
        assert load_config(path).seed == 1

    def test_windows_line_ends_are_accepted(self, tmp_path: Path) -> None:
        path = tmp_path / "crlf.toml"
        path.write_bytes(BASE.replace("\n", "\r\n").encode())
        assert load_config(path).bettors[1].name == "B, 2"

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
    def test_utf_16_is_refused_by_name(self, refused, encoding: str) -> None:
        assert refused(data=BASE.encode(encoding)) == "e.toml is saved as UTF-16 (save it as UTF-8)"

    def test_other_encodings_are_refused_with_line(self, refused) -> None:
        message = refused(data=BASE.replace('"A"', '"Café"').encode("latin-1"))
        assert message == "e.toml, line 10: byte 0xe9 is not UTF-8 (save the file as UTF-8)"

    def test_a_path_that_is_an_error_names_the_backslash(self, refused) -> None:
        message = refused(more='[source]\nuse = "recorded"\npath = "C:\\Users\\me.csv"\n')
        assert "line 21" in message
        assert "backslash" in message
        assert "single quotes" in message

    def test_a_path_swallowed_by_escapes_names_the_backslash(self, refused) -> None:
        message = refused(more='[source]\nuse = "recorded"\npath = "C:\\temp\\night.csv"\n')
        assert "line 21: source.path" in message
        assert r"backslash \t" in message
        assert "forward slashes" in message

    def test_broken_toml_names_line_and_shows_it(self, refused) -> None:
        assert refused("minimum = 10", "minimum = = 10").startswith("e.toml, line 8, column 11: ")
        assert refused("seed = 1", "bankroll = 1").startswith("e.toml, line 3, column ")

    def test_missing_files_name_the_nearest(self, tmp_path: Path) -> None:
        (tmp_path / "classics.toml").write_text(BASE)
        with pytest.raises(ConfigError, match=r"did you mean .*classics\.toml"):
            load_config(tmp_path / "clasics.toml")
        with pytest.raises(ConfigError, match="is a folder"):
            load_config(tmp_path)


class TestMoneyIsExact:
    @pytest.mark.parametrize(
        ("written", "amount"),
        [
            ("1000", 10_000_000),
            ("1000.10", 10_001_000),
            ('"1000.00"', 10_000_000),
            ("0.29", 2_900),
            ("225179981368.52", 2251799813685200),
        ],
    )
    def test_as_written(self, tmp_path: Path, written: str, amount: int) -> None:
        assert load(tmp_path, BASE.replace("bankroll = 1000", f"bankroll = {written}")).bankroll == amount

    def test_from_python(self) -> None:
        flat = {"use": "flat", "unit": Money(10)}
        for bankroll in (100, 100.0, "100.00", Money(100), Decimal("100.00")):
            assert load_config({"bankroll": bankroll, "rounds": 5, "bettor": [flat]}).bankroll == 1_000_000


class TestSets:
    def test_put_over_the_file(self, tmp_path: Path) -> None:
        experiment = load(
            tmp_path,
            BASE,
            "table.maximum=500",
            "bettor.0.unit=20",
            'bettor."B, 2".stake.steps=3',
            "table.rules=ez",
            "bankroll=5.50",
        )
        assert experiment.table == {"rules": "ez", "minimum": 10, "maximum": 500}
        assert experiment.bettors[0].params["unit"] == 20
        assert experiment.bettors[1].stake is not None
        assert experiment.bettors[1].stake.params["steps"] == 3
        assert experiment.bankroll == 55_000

    def test_short_choices_take_parameters(self, tmp_path: Path) -> None:
        text = BASE.replace('stake = { use = "martingale", unit = 10, steps = 7 }', 'stake = "martingale"')
        stake = load(tmp_path, text, "bettor.1.stake.steps=3").bettors[1].stake
        assert stake is not None
        assert (stake.id, dict(stake.params)) == ("martingale", {"steps": 3})

    def test_the_last_one_wins(self, tmp_path: Path) -> None:
        assert load(tmp_path, BASE, "seed=5", "seed=6").seed == 6

    def test_values_with_quotes_and_equals_signs(self, tmp_path: Path) -> None:
        assert load(tmp_path, BASE, 'title="a = b"').title == "a = b"
        assert load(tmp_path, BASE, "bettor.0={use='flat', name='x=y', unit=5}").bettors[0].name == "x=y"


class TestSweeps:
    def test_every_combination_is_a_cell_the_last_key_fastest(self, tmp_path: Path, registry: Registry) -> None:
        more = '[sweep]\n"table.maximum" = [200, 500]\n"bettor.\\"B, 2\\".stake.steps" = [3, 4, 5]\n'
        cells = plan(load(tmp_path, BASE + more), registry).cells
        assert [tuple(cell.settings.values()) for cell in cells] == [
            (200, 3),
            (200, 4),
            (200, 5),
            (500, 3),
            (500, 4),
            (500, 5),
        ]
        assert cells[1].label == 'table.maximum = 200, bettor."B, 2".stake.steps = 4'
        assert [cell.table.limits.maximum for cell in cells[2:4]] == [2_000_000, 5_000_000]
        assert [cell.index for cell in cells] == list(range(6))

    def test_keys_without_quotes_mean_the_same(self, tmp_path: Path, registry: Registry) -> None:
        cells = plan(load(tmp_path, BASE + "[sweep]\ntable.maximum = [200, 500]\n"), registry).cells
        assert [cell.label for cell in cells] == ["table.maximum = 200", "table.maximum = 500"]

    def test_all_cells_have_the_seed_that_was_drawn(self, tmp_path: Path, registry: Registry) -> None:
        experiment = load(tmp_path, BASE.replace("seed = 1\n", "") + '[sweep]\n"table.maximum" = [200, 500]\n')
        assert not experiment.seed_given
        assert {cell.seed for cell in plan(experiment, registry).cells} == {experiment.seed}

    def test_no_sweep_is_one_cell_without_a_label(self, tmp_path: Path, registry: Registry) -> None:
        (cell,) = plan(load(tmp_path), registry).cells
        assert (cell.label, dict(cell.settings)) == ("", {})


class TestStops:
    def test_of_the_experiment_and_of_a_bettor(self, tmp_path: Path) -> None:
        text = BASE + "stop = { win = 50 }\n[stop]\nwin = 500\nloss = 300.50\n"
        first, second = load(tmp_path, text).bettors
        assert first.stop == Stop(win=5_000_000, loss=3_005_000)
        assert second.stop == Stop(win=500_000)

    def test_a_bettor_can_have_none(self, tmp_path: Path) -> None:
        assert load(tmp_path, BASE + "stop = {}\n[stop]\nwin = 500\n").bettors[1].stop == Stop()


class TestPaths:
    def test_are_relative_to_the_experiment_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir("/")
        experiment = load(
            tmp_path, BASE + '[source]\nuse = "recorded"\npath = "shoes/a.jsonl"\n[plugins]\nfiles = ["p.py"]\n'
        )
        assert experiment.source["path"] == str(tmp_path.resolve() / "shoes/a.jsonl")
        assert experiment.plugins == (tmp_path.resolve() / "p.py",)


def test_names_default_to_what_is_played() -> None:
    first, second = load_config(
        {"bankroll": 5, "rounds": 5, "bettor": [{"use": "flat"}, {"select": "chop", "stake": {"use": "paroli"}}]}
    ).bettors
    assert (first.name, second.name) == ("flat", "chop, paroli")


def test_the_resolved_experiment_reads_back_the_same(tmp_path: Path) -> None:
    more = (
        'stop = { loss = 50 }\n[stop]\nwin = 500\n[sweep]\n"table.maximum" = [200, 500]\n[record]\ntrajectories = 3\n'
    )
    once = load(tmp_path, BASE + more, 'bettor.0.name="Zum \\"Gruß\\" \\\\ 八"')
    again = load(tmp_path, toml_text(resolved(once)))
    assert resolved(again) == resolved(once)
    assert again.bettors[0].name == 'Zum "Gruß" \\ 八'
    assert again.bettors == once.bettors


def test_absurd_sizes_are_refused(refused) -> None:
    assert "at most 10,000,000,000,000" in refused(
        "sessions = 10\nrounds = 50", "sessions = 1_000_000_000\nrounds = 10_000_000"
    )
    assert "keep fewer sessions" in refused(
        "sessions = 10\nrounds = 50", "sessions = 100_000\nrounds = 1000", more="[record]\ntrajectories = 100_000\n"
    )
    values = list(range(1, 102))
    assert "10,201 cells" in refused(more=f'[sweep]\n"table.maximum" = {values}\n"bettor.0.unit" = {values}\n')


def test_schema_knows_every_key() -> None:
    found = schema()
    assert {
        "title",
        "seed",
        "bankroll",
        "sessions",
        "rounds",
        "shoes",
        "table",
        "source",
        "stop",
        "bettor",
        "product",
        "sweep",
        "record",
        "plugins",
    } == set(found["properties"])
    assert found["additionalProperties"] is False
    assert {"rules", "decks", "maximum", "odds"} <= set(found["properties"]["table"]["properties"])
    assert set(found["$defs"]["BettorPart"]["properties"]) == {"name", "use", "select", "stake", "when_refused", "stop"}


@pytest.mark.parametrize("value", ["1e-99999999", "1e-9999999999999999999999", "1e99999999"])
@pytest.mark.parametrize("line", ["bankroll = 1000", "minimum = 10", "unit = 10"])
def test_an_absurd_exponent_is_refused_with_its_line(tmp_path: Path, line: str, value: str) -> None:
    path = tmp_path / "e.toml"
    text = BASE.replace(line, f"{line.split()[0]} = {value}", 1)
    path.write_text(text)
    number = text.split("\n").index(f"{line.split()[0]} = {value}") + 1
    with pytest.raises(ConfigError, match=f"line {number}: the exponent of {value} is out of range"):
        load_config(path)


@pytest.mark.parametrize("value", ["9" * 5000, "9" * 4000, "[" * 3000 + "]" * 3000, "[" * 60 + "]" * 60])
def test_a_value_of_absurd_length_is_refused_in_a_short_line(tmp_path: Path, value: str) -> None:
    path = tmp_path / "e.toml"
    path.write_text(BASE.replace("bankroll = 1000", f"bankroll = {value}"))
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert len(str(caught.value)) < 300 + len(str(path))
    with pytest.raises(ConfigError) as caught:
        load_config(path, sets=[f"bankroll={value}"])
    assert len(str(caught.value)) < 700 + len(str(path))


@pytest.mark.parametrize(
    ("table", "sets", "at"),
    [
        ("cut_card = 400", [], "line 9"),
        ("increment = 7", [], "line 9"),
        ("commission = 0.0512345", [], "line 9"),
        ('odds.tie = "x"', [], "line 9"),
        ("minimum = 25\nmaximum = 5", [], "line 9"),
        ("", ["table.odds.tie=true"], "--set table.odds.tie=true: "),
        ("", ["table.cut_card=400"], "--set table.cut_card=400: "),
    ],
)
def test_a_fault_of_the_table_points_at_its_key(
    tmp_path: Path, registry: Registry, table: str, sets: list[str], at: str
) -> None:
    path = tmp_path / "e.toml"
    text = BASE.replace("minimum = 10\n", "\n")
    path.write_text(text.replace('rules = "commission"\n\n', f'rules = "commission"\n\n{table}\n'))
    with pytest.raises(BacclabError) as caught:
        plan(load_config(path, sets=sets), registry)
    assert at in str(caught.value)


def test_dates_and_truth_values_are_shown_as_in_the_file(tmp_path: Path, registry: Registry) -> None:
    path = tmp_path / "e.toml"
    for line, said in (("burn = 2020-01-01", "not 2020-01-01"), ("odds.tie = true", "true are no odds")):
        path.write_text(BASE.replace("minimum = 10", line))
        with pytest.raises(BacclabError, match=said):
            plan(load_config(path), registry)


def test_a_mapping_may_hold_numpy_integers_but_nothing_that_is_used_up() -> None:
    flat = {"name": "A", "use": "flat", "on": "banker", "unit": np.int64(10)}
    experiment = load_config(
        {"seed": np.uint32(1), "bankroll": np.int64(1000), "rounds": np.int16(5), "bettor": [flat]}
    )
    assert (experiment.seed, experiment.bankroll, experiment.horizon.rounds) == (1, 10_000_000, 5)
    with pytest.raises(ConfigError, match="bettor must be a list, not a generator"):
        load_config({"bankroll": 1000, "rounds": 5, "bettor": (flat for _ in range(1))})


@pytest.mark.parametrize("name", ["two\nlines", "a\0", "half \ud800"])
def test_names_that_cannot_be_printed_are_refused_from_a_mapping(name: str) -> None:
    flat = {"name": name, "use": "flat", "on": "banker", "unit": 10}
    with pytest.raises(ConfigError, match=r"control character|half of a character"):
        load_config({"bankroll": 1000, "rounds": 5, "bettor": [flat]})
    with pytest.raises(ConfigError, match="lone surrogate"):
        load_config({"title": "half \ud800", "bankroll": 1000, "rounds": 5, "bettor": [flat | {"name": "A"}]})


def test_an_unknown_bet_of_a_bettor_points_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "e.toml"
    path.write_text(BASE.replace('on = "banker"', 'on = "bankr"'))
    with pytest.raises(BacclabError, match="line 12: bettor 'A': the table offers no bet 'bankr'"):
        run(path, root=tmp_path)


def test_bettors_without_a_name_of_their_own_are_called_by_what_tables_show(tmp_path: Path) -> None:
    text = BASE.replace('name = "A"\n', "").replace('name = "B, 2"\n', "")
    names = [spec.name for spec in load(tmp_path, text).bettors]
    assert names == ["flat", "follow-last, martingale"]
    sets = ["bettor.flat.unit=20", 'bettor."follow-last, martingale".stake.steps=3']
    flat, martingale = load(tmp_path, text, *sets).bettors
    assert flat.params["unit"] == 20
    assert martingale.stake is not None
    assert martingale.stake.params["steps"] == 3
    with pytest.raises(ConfigError, match=r"no bettor named 'flt' .did you mean 'flat'"):
        load(tmp_path, text, "bettor.flt.unit=20")


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ('"bettor.0.unit" = [10, 20]\n"bettor.A.unit" = [30, 40]', "bettor.A.unit and bettor.0.unit are the same key"),
        (
            '"table.maximum" = [50, 90]\ntable = [{ rules = "ez" }]',
            "table takes the place of all that table.maximum sets",
        ),
        ('table = [{ rules = "ez" }]\n"table.rules" = ["commission"]', "table.rules is set by values of table too"),
        (
            'bettor = [[{ use = "flat" }]]\n"bettor.0.use" = ["main-count"]',
            "bettor.0.use is set by values of bettor too",
        ),
    ],
)
def test_cells_are_never_named_after_values_that_do_not_hold(refused, lines, says) -> None:
    message = refused(more=f"[sweep]\n{lines}\n")
    assert "line 21: sweep." in message
    assert says.partition(" ")[2] in message


def test_keys_of_a_sweep_may_go_into_values_of_another(tmp_path: Path) -> None:
    more = '[sweep]\n"bettor.0" = [{ use = "flat" }, { use = "flat", on = "player" }]\n"bettor.0.unit" = [10, 20]\n'
    experiment = load(tmp_path, BASE + more)
    cells = [experiment.cell(index)[1].bettors[0].params for index in range(experiment.cell_count)]
    assert [(cell.get("on"), cell["unit"]) for cell in cells] == [
        (None, 10),
        (None, 20),
        ("player", 10),
        ("player", 20),
    ]


@pytest.mark.parametrize("key", ["table.maximum", "seed", "bettor.0.unit", "bettor.A.unit"])
def test_what_is_set_and_swept_as_well_is_refused(refused, key) -> None:
    message = refused(more=f'[sweep]\n"{key}" = [100, 200]\n', sets=(f"{key}=300",))
    assert message.startswith(f"--set {key}=300: {key} is swept, so this would not hold")


@pytest.mark.parametrize(("key", "name", "inside"), [("table", "ez", "rules"), ("source", "recorded", "use")])
def test_a_name_in_place_of_a_section_is_shown_where_it_belongs(refused, key, name, inside) -> None:
    assert refused(sets=(f"{key}={name}",)).endswith(f'write [{key}] and under it {inside} = "{name}")')


def test_a_number_beyond_all_use_is_not_written_out_in_the_hint(refused) -> None:
    assert refused("rounds = 50", "rounds = 1e300").endswith("rounds must be a whole number, not 1e+300")


def test_a_file_that_is_far_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "shoes.toml"
    with file.open("wb") as stream:
        stream.truncate(2**40)
    with pytest.raises(ConfigError, match="has 1,048,576 MiB; at most 16 are read"):
        load_config(file)
