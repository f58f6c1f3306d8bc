"""The loader of plugins: isolation, names, duplicates, and the ways in which plugins are named and left out."""

from __future__ import annotations

import importlib.metadata
import os
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import bacclab as bl
from bacclab.bettors.base import Combined
from bacclab.bettors.rehearsal import bets
from bacclab.errors import PluginError
from bacclab.game.layout import Layout
from bacclab.plugins import hookspecs
from bacclab.plugins.loader import LoadedPlugins, load_plugins, reload_plugins
from bacclab.plugins.registry import KINDS, Registry

GOOD = """
    import bacclab as bl

    @bl.bettor("sleeper")
    class Sleeper(bl.Bettor):
        "Never bets."
        def bet(self, view):
            return None
"""


@pytest.fixture(autouse=True)
def only_built_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is installed on this machine has no say here."""
    monkeypatch.setenv("BACCLAB_LOAD_PLUGINS", "")
    monkeypatch.delenv("BACCLAB_STRICT_PLUGINS", raising=False)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


def states(loaded: LoadedPlugins) -> dict[str, str]:
    return {report.name: report.state for report in loaded.reports if not report.built_in}


def package(
    folder: Path, distribution: str, entries: dict[str, str], files: dict[str, str], version: str = "1.0"
) -> None:
    """Lay out an installed package by hand."""
    for name, text in files.items():
        write(folder, name, text)
    info = f"{distribution.replace('-', '_')}-{version}.dist-info"
    write(folder, f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
    lines = "\n".join(f"{name} = {value}" for name, value in entries.items())
    write(folder, f"{info}/entry_points.txt", f"[bacclab]\n{lines}\n")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the import path, with installed plugins let in."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delenv("BACCLAB_LOAD_PLUGINS")
    return folder


class TestBuiltIns:
    def test_come_through_the_same_hooks(self) -> None:
        loaded = load_plugins()
        assert [report.name for report in loaded.reports] == [
            "bacclab.game",
            "bacclab.shoes",
            "bacclab.bettors",
            "bacclab.analysis",
            "bacclab.dashboard",
            "bacclab.tournament",
        ]
        assert all(report.state == "contributed" for report in loaded.reports)
        for kind in KINDS:
            assert loaded.registry.of(kind) or kind == "commands", kind  # its own commands are no plugins

    def test_every_hook_belongs_to_a_kind(self) -> None:
        hooks = {name for name in vars(hookspecs) if name.startswith("register_")}
        assert hooks == {f"register_{kind}" for kind in KINDS}

    def test_are_checked_without_the_heavy_libraries(self) -> None:
        program = (
            "import sys\nfrom bacclab.plugins.loader import load_plugins\nload_plugins(allow=())\n"
            "assert not {'pydantic', 'numba', 'polars', 'plotly'} & set(sys.modules)"
        )
        environment = os.environ | {"PYTHONPATH": str(Path(bl.__file__).parents[1])}
        subprocess.run([sys.executable, "-c", program], env=environment, check=True)

    def test_can_be_blocked(self) -> None:
        loaded = load_plugins(blocked=["bacclab.shoes"])
        assert not loaded.registry.sources
        with pytest.raises(PluginError, match="there are none"):
            loaded.registry.get("sources", "simulated")


class TestFiles:
    def test_marked_class_needs_no_hook(self, tmp_path: Path) -> None:
        loaded = load_plugins(files=[write(tmp_path, "sleeper.py", GOOD)])
        entry = loaded.registry.get("bettors", "sleeper")
        assert issubclass(entry.item, bl.Bettor)
        assert entry.plugin == "sleeper"
        assert entry.origin == str(tmp_path / "sleeper.py")

    def test_the_example_loads(self) -> None:
        example = Path(__file__).parents[2] / "plugins" / "opposite_last.py"
        loaded = load_plugins(files=[example], strict=True)
        assert loaded.registry.get("bettors", "opposite-last").item(most=2).most == 2

    def test_the_example_bets_as_it_says(self) -> None:
        """Nothing before a decision; against the last one; a unit more after a loss; a tie changes nothing."""
        example = Path(__file__).parents[2] / "plugins" / "opposite_last.py"
        bettor = load_plugins(files=[example]).registry.get("bettors", "opposite-last").item(unit=5, most=3)
        expected = ["", "", "player 5", "player 10", "player 10", "player 15", "player 15", "banker 5"]
        assert [bet.replace(".00", "") for bet in bets(bettor, "T B B T B B P P")] == expected

    def test_the_example_of_two_halves_bets_as_it_says(self) -> None:
        """The side with more wins in the shoe, nothing while level; a unit more after a win, no more than three."""
        registry = load_plugins(files=[Path(__file__).parents[2] / "plugins" / "majority.py"], strict=True).registry
        halves = (
            registry.get("selections", "majority").item(),
            registry.get("progressions", "climb").item(unit=5, most=3),
        )
        said = [bet.replace(".00", "") for bet in bets(Combined(*halves), "B B B B P T P P B")]
        # After BBBB it is 4 to 0, after the three P 4 to 3; one P in between costs the climb, the tie costs nothing.
        expected = [
            "",
            "banker 5",
            "banker 10",
            "banker 15",
            "banker 15",
            "banker 5",
            "banker 5",
            "banker 5",
            "banker 5",
        ]
        assert said == expected
        assert bets(Combined(*halves), "P B P B") == ["", "player 5.00", "", "player 5.00"]

    def test_a_class_of_the_script_itself(self, tmp_path: Path) -> None:
        """It is found in no registry; the error says where it must stand, also when a known id looks like it."""
        program = """
            import bacclab as bl

            @bl.selection("follow-lost")
            class FollowLost(bl.Selection):
                pass

            bettor = {"select": "follow-lost", "stake": "flat"}
            try:
                bl.run({"bankroll": 200, "rounds": 5, "sessions": 2, "bettor": [bettor]})
            except bl.BacclabError as error:
                print(error)
        """
        script = write(tmp_path, "script.py", program)
        environment = os.environ | {"PYTHONPATH": str(Path(bl.__file__).parents[1])}
        command = [sys.executable, str(script)]
        ran = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
        )
        assert "there is no selection 'follow-lost'" in ran.stdout
        assert "a class must stand in a file of its own, named under [plugins]" in ran.stdout

    def test_hooks_in_a_file(self, tmp_path: Path) -> None:
        text = """
            import bacclab as bl

            def player_nine(round_):
                return "win" if round_.player_total == 9 else None

            NINE = bl.Bet(id="player_nine", title="Player Nine", kind="side", lines=player_nine,
                          odds={"win": bl.Odds(4)}, rule="Wins when Player ends with 9.", source="invented",
                          example="Player 9: 10.00 wins 40.00.")

            @bl.hookimpl
            def register_bets(register):
                register(NINE)
        """
        loaded = load_plugins(files=[write(tmp_path, "nine.py", text)])
        assert loaded.registry.get("bets", "player_nine").item.title == "Player Nine"

    @pytest.mark.parametrize("name", ["random.py", "statistics.py", "enum.py", "polars.py"])
    def test_name_of_a_library_shadows_nothing(self, tmp_path: Path, name: str) -> None:
        program = """
            import sys
            from bacclab.plugins.loader import load_plugins
            loaded = load_plugins(files=[sys.argv[1]])
            assert loaded.registry.get("bettors", "sleeper").plugin, loaded.problems
            import enum, random, statistics, polars
            for module in (enum, random, statistics, polars):
                assert not module.__file__.startswith(sys.argv[2]), module
        """
        path = write(tmp_path, name, GOOD)
        environment = os.environ | {"PYTHONPATH": str(Path(bl.__file__).parents[1])}
        command = [sys.executable, "-c", textwrap.dedent(program), str(path), str(tmp_path)]
        subprocess.run(command, cwd=tmp_path.parent, env=environment, check=True)

    def test_classes_can_be_pickled(self, tmp_path: Path) -> None:
        loaded = load_plugins(files=[write(tmp_path, "sleeper.py", GOOD)])
        item = loaded.registry.get("bettors", "sleeper").item
        assert pickle.loads(pickle.dumps(item)) is item

    def test_same_file_twice_counts_once(self, tmp_path: Path) -> None:
        path = write(tmp_path, "sleeper.py", GOOD)
        link = tmp_path / "lib64"
        link.symlink_to(tmp_path, target_is_directory=True)
        loaded = load_plugins(files=[path, link / "sleeper.py"], directories=[tmp_path])
        assert [report.state for report in loaded.reports if not report.built_in] == ["contributed"] + ["repeated"] * 2

    def test_copy_of_a_file_counts_once(self, tmp_path: Path) -> None:
        files = [write(tmp_path / folder, "sleeper.py", GOOD) for folder in ("one", "two")]
        assert not load_plugins(files=files).problems

    def test_a_changed_file_is_read_again(self, tmp_path: Path) -> None:
        path = write(tmp_path, "sleeper.py", GOOD)
        load_plugins(files=[path])
        write(tmp_path, "sleeper.py", GOOD.replace("sleeper", "dreamer"))
        assert "dreamer" in load_plugins(files=[path]).registry.bettors

    def test_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(PluginError, match="does not exist") as caught:
            load_plugins(files=[tmp_path / "nowhere.py"])
        assert str(tmp_path / "nowhere.py") in str(caught.value)

    def test_not_python(self, tmp_path: Path) -> None:
        with pytest.raises(PluginError, match="not a Python file"):
            load_plugins(files=[write(tmp_path, "notes.txt", "hello")])

    def test_leaves_no_files_behind(self, tmp_path: Path) -> None:
        load_plugins(files=[write(tmp_path, "sleeper.py", GOOD)])
        assert [path.name for path in tmp_path.iterdir()] == ["sleeper.py"]


class TestBetsAndTables:
    """Bets and tables of a single file need no hook."""

    EXAMPLE = Path(__file__).parents[2] / "plugins" / "close_call.py"

    def test_the_example_brings_a_bet_and_a_table(self) -> None:
        loaded = load_plugins(files=[self.EXAMPLE], strict=True)
        (report,) = [report for report in loaded.reports if report.name == "close_call"]
        assert report.items == ("bets/close_call", "tables/close-call")
        table = loaded.registry.get("tables", "close-call").item
        assert table.bet("close_call") is loaded.registry.get("bets", "close_call").item
        assert str(table.limits_of("close_call")) == "5.00 to 100.00 in steps of 0.01"
        assert str(table.limits_of("banker")) == "10.00 to no maximum in steps of 0.01"

    def test_the_example_is_settled(self) -> None:
        layout = Layout(load_plugins(files=[self.EXAMPLE]).registry.get("tables", "close-call").item)
        place = layout.index["close_call"]
        for player, banker, units in ((7, 6, 40), (6, 7, 40), (0, 1, 40), (7, 5, -10), (6, 6, -10), (9, 0, -10)):
            assert layout.settle(place, 100_000, bl.Round(player, banker, 2, 2).code) == (units * 10_000, 0)

    def test_the_example_has_odds_and_a_place_on_the_page(self, tmp_path: Path) -> None:
        system = {"name": "One point", "use": "flat", "on": "close_call", "unit": 10}
        made = {"bankroll": 1000, "sessions": 200, "rounds": 40, "seed": 3, "bettor": [system]}
        made |= {"table": {"rules": "close-call"}, "plugins": {"files": [str(self.EXAMPLE)]}}
        run = bl.run(made, out=tmp_path / "run")
        row = run.summary.row(0, named=True)
        assert row["bettor"] == "One point"
        assert row["bets"] == 200 * 40
        odds = bl.odds("close-call", bets=["close_call"], registry=load_plugins(files=[self.EXAMPLE]).registry).bets
        share = odds.row(0, named=True)["win"]
        assert abs(row["wins"] / row["bets"] - share) < 4 * (share * (1 - share) / row["bets"]) ** 0.5
        assert row["net"] == 50 * row["wins"] - 10 * row["bets"]
        assert "One point" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")

    def test_what_others_brought_and_private_names_are_left_out(self, tmp_path: Path) -> None:
        text = """
            import bacclab as bl
            base = bl.table("commission")
            tie = base.bet("tie")
            _draft = base.variant("draft", title="Draft")
            nines = base.variant("nines", title="Nines", odds={"tie": "9:1"})
            paid_better = nines.bet("tie")
        """
        loaded = load_plugins(
            files=[write(tmp_path, "nines.py", text.replace("            paid_better", "            _better"))]
        )
        assert not loaded.problems
        assert loaded.reports[-1].items == ("tables/nines",)
        assert str(loaded.registry.get("tables", "nines").item.bet("tie").odds["win"]) == "9:1"

    def test_a_bet_with_a_taken_id_is_told(self, tmp_path: Path) -> None:
        text = """
            import bacclab as bl
            PAIR = bl.Bet(id="player_pair", title="Mine", kind="side", odds={"win": 2},
                          lines=lambda coup: "win" if coup.margin == 2 else None)
        """
        (problem,) = load_plugins(files=[write(tmp_path, "mine.py", text)]).problems
        assert "bet 'player_pair' is provided twice: by bacclab.game (built in) and by mine" in problem

    def test_a_table_that_is_no_preset_is_told(self, tmp_path: Path) -> None:
        text = "import bacclab as bl\nMINE = bl.table('comission').variant('mine', title='Mine')\n"
        (problem,) = load_plugins(files=[write(tmp_path, "mine.py", text)]).problems
        assert "line 2: TableError: there is no preset 'comission' (did you mean commission?)" in problem


class TestFolders:
    def test_files_and_packages(self, tmp_path: Path) -> None:
        write(tmp_path, "sleeper.py", GOOD)
        write(tmp_path, "dreamer/__init__.py", "from .inner import Dreamer\n")
        write(tmp_path, "dreamer/inner.py", GOOD.replace("sleeper", "dreamer").replace("Sleeper", "Dreamer"))
        write(tmp_path, "notes.txt", "no plugin")
        write(tmp_path, "test_sleeper.py", "raise AssertionError")
        write(tmp_path, "_private.py", "raise AssertionError")
        write(tmp_path, "helpers.py", "UNIT = 10\n")
        loaded = load_plugins(directories=[tmp_path])
        assert states(loaded) == {"dreamer": "contributed", "helpers": "empty", "sleeper": "contributed"}
        assert {"dreamer", "sleeper"} <= loaded.registry.bettors.keys()

    def test_same_named_helpers_do_not_collide(self, tmp_path: Path) -> None:
        for name in ("one", "two"):
            write(tmp_path, f"{name}/__init__.py", "from .helper import Sleeper\n")
            write(tmp_path, f"{name}/helper.py", GOOD.replace("sleeper", name))
        loaded = load_plugins(directories=[tmp_path])
        assert {"one", "two"} <= loaded.registry.bettors.keys()

    def test_missing(self, tmp_path: Path) -> None:
        with pytest.raises(PluginError, match=r"plugins folder .* does not exist"):
            load_plugins(directories=[tmp_path / "nowhere"])


BROKEN = {
    "import_error": ("import no_such_module_at_all\n", "line 1: ModuleNotFoundError"),
    "syntax_error": ("def broken(:\n", "line 1: SyntaxError"),
    "raises": ("x = 1\nraise RuntimeError('out of luck')\n", "line 2: RuntimeError: out of luck"),
    "exits": ("import sys\nsys.exit(3)\n", "line 2: it called sys.exit(3)"),
    "misspelt_hook": (
        "import bacclab as bl\n@bl.hookimpl\ndef register_betors(register): ...\n",
        "did you mean register_bettors",
    ),
    "wrong_argument": ("import bacclab as bl\n@bl.hookimpl\ndef register_bettors(registry): ...\n", "registry"),
    "unmarked_hook": ("def register_bettors(register): ...\n", "is not marked"),
    "hook_raises": (
        "import bacclab as bl\n@bl.hookimpl\ndef register_bets(register):\n    1 / 0\n",
        "line 4: ZeroDivisionError",
    ),
    "not_a_bet": (
        "import bacclab as bl\n@bl.hookimpl\ndef register_bets(register):\n    register(7)\n",
        "7 is not a bet: a bacclab.Bet is wanted",
    ),
    "no_id": (
        "import bacclab as bl\nclass Odd(bl.Bettor): ...\n@bl.hookimpl\ndef register_bettors(register):\n"
        "    register(Odd)\n",
        "bettor Odd has no id: mark it with @bacclab.bettor('name')",
    ),
    "bad_id": ("import bacclab as bl\n@bl.bettor('My Bettor')\nclass Odd(bl.Bettor): ...\n", "'My Bettor' cannot be"),
    "twice": (
        "import bacclab as bl\n@bl.bettor('odd')\nclass Odd(bl.Bettor):\n    def bet(self, view): ...\n"
        "@bl.bettor('odd')\nclass Even(bl.Bettor):\n    def bet(self, view): ...\n",
        "two bettors with the id 'odd'",
    ),
    "nothing": ("UNIT = 10\n", "registers nothing: mark its classes"),
    "private_bet": (
        "import bacclab as bl\n_TIE = bl.Bet(id='big_tie', title='T', kind='side', odds={'win': 9},\n"
        "    lines=lambda coup: None if coup.margin else 'win')\n",
        "give a bacclab.Bet, Table, Metric, Chart or Section a name at its top level",
    ),
    "source_without_a_maker": (
        "import bacclab as bl\nclass Odd:\n    id = 'odd'\n@bl.hookimpl\ndef register_sources(register):\n"
        "    register(Odd)\n",
        "Odd is not a source: it needs a class method from_config(settings, *, rules, seed, folder)",
    ),
    "source_without_an_id": (
        "import bacclab as bl\nclass Odd:\n    def from_config(self): ...\n@bl.hookimpl\n"
        "def register_sources(register):\n    register(Odd)\n",
        "source Odd has no id: give it an `id`",
    ),
    "bets_nothing": (
        "import bacclab as bl\n@bl.bettor('odd')\nclass Odd(bl.Bettor):\n    def settle(self, result): ...\n",
        "bettor Odd cannot be played: define bet(self, view)",
    ),
    "has_no_side": (
        "import bacclab as bl\n@bl.selection('odd')\nclass Odd(bl.Selection): ...\n",
        "selection Odd cannot be played: define side(self, view)",
    ),
    "has_no_stake": (
        "import bacclab as bl\nfrom bacclab.bettors.lanes.base import LaneProgression\n@bl.progression('odd')\n"
        "class Odd(LaneProgression): ...\n",
        "progression Odd cannot be played: define stake(self, view)",
    ),
    "misspelt_bet": (
        "import bacclab as bl\n@bl.bettor('odd')\nclass Odd(bl.Bettor):\n    def bets(self, view): ...\n",
        "bettor Odd defines bets, which nothing calls (did you mean bet? A method of your own may be called _bets)",
    ),
    "misspelt_settle": (
        "import bacclab as bl\n@bl.progression('odd')\nclass Odd(bl.Progression):\n    def stake(self, view): ...\n"
        "    def settel(self, result): ...\n",
        "progression Odd defines settel, which nothing calls (did you mean settle?",
    ),
    "parameter_named_stop": (
        "import bacclab as bl\n@bl.bettor('odd')\nclass Odd(bl.Bettor):\n    stop: int = 3\n"
        "    def bet(self, view): ...\n",
        "bettor Odd has a parameter 'stop', which is a key of [[bettor]]",
    ),
    "wrong_default": (
        "import bacclab as bl\n@bl.bettor('odd')\nclass Odd(bl.Bettor):\n    unit: bl.Money = 'ten'\n"
        "    def bet(self, view): ...\n",
        "bettor Odd: the defaults of Odd: unit: 'ten' is not a sum of money",
    ),
    "built_in_id": (
        "import bacclab as bl\n@bl.bettor('flat')\nclass Flat(bl.Bettor):\n    def bet(self, view): ...\n",
        "bettor 'flat' is provided twice: by bacclab.bettors (built in) and by built_in_id",
    ),
}


class TestBroken:
    @pytest.mark.parametrize("name", BROKEN)
    def test_is_one_line_and_breaks_nothing(self, tmp_path: Path, name: str) -> None:
        text, said = BROKEN[name]
        files = [write(tmp_path, f"{name}.py", text), write(tmp_path, "sleeper.py", GOOD)]
        before = set(sys.modules)
        loaded = load_plugins(files=files)
        assert states(loaded) == {name: "failed", "sleeper": "contributed"}
        (problem,) = loaded.problems
        assert said in problem
        assert problem.startswith(f"plugin {name} ({tmp_path / name}.py) failed: ")
        assert "\n" not in problem
        assert "sleeper" in loaded.registry.bettors
        assert loaded.registry.get("bettors", "flat").plugin == "bacclab.bettors"
        if name in ("import_error", "syntax_error", "raises", "exits"):
            assert len(set(sys.modules) - before) <= 1, "a half-imported module must not stay"

    @pytest.mark.parametrize("name", BROKEN)
    def test_strict(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        text, said = BROKEN[name]
        path = write(tmp_path, f"{name}.py", text)
        with pytest.raises(PluginError) as caught:
            load_plugins(files=[path], strict=True)
        assert said in str(caught.value)
        monkeypatch.setenv("BACCLAB_STRICT_PLUGINS", "1")
        with pytest.raises(PluginError):
            load_plugins(files=[path])

    def test_what_it_had_registered_is_undone(self, tmp_path: Path) -> None:
        text = """
            import bacclab as bl

            @bl.bettor("early")
            class Early(bl.Bettor):
                def bet(self, view): ...

            @bl.hookimpl
            def register_bettors(register):
                register(Early)

            @bl.hookimpl
            def register_tables(register):
                raise OSError("late")
        """
        loaded = load_plugins(files=[write(tmp_path, "late.py", text)])
        with pytest.raises(
            PluginError, match="Plugin late, which failed to load, may provide it: line 14: OSError: late"
        ):
            loaded.registry.get("bettors", "early")

    def test_keyboard_interrupt_is_not_kept(self, tmp_path: Path) -> None:
        with pytest.raises(KeyboardInterrupt):
            load_plugins(files=[write(tmp_path, "slow.py", "raise KeyboardInterrupt\n")])

    def test_file_beside_it_is_explained(self, tmp_path: Path) -> None:
        write(tmp_path, "my_helpers.py", "UNIT = 1\n")
        loaded = load_plugins(files=[write(tmp_path, "mine.py", "import my_helpers\n")])
        assert "cannot import my_helpers.py beside it: make both a package" in loaded.problems[0]

    def test_what_it_prints_does_not_reach_stdout(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        load_plugins(files=[write(tmp_path, "chatty.py", f"print('hello')\n{textwrap.dedent(GOOD)}")])
        out, err = capsys.readouterr()
        assert out == ""
        assert "hello" in err


class TestTwoProviders:
    def test_same_id_in_two_files(self, tmp_path: Path) -> None:
        files = [write(tmp_path, f"{name}.py", GOOD + f"\n    # {name}\n") for name in ("one", "two")]
        for order in (files, files[::-1]):
            registry = load_plugins(files=order).registry
            with pytest.raises(PluginError, match="bettor 'sleeper' is provided twice: by ") as caught:
                registry.get("bettors", "sleeper")
            assert "one.py" in str(caught.value)
            assert "two.py" in str(caught.value)
        assert load_plugins(files=files, blocked=["one"]).registry.get("bettors", "sleeper").plugin == "two"

    def test_charts_that_python_calls_alike(self, tmp_path: Path) -> None:
        chart = 'import bacclab as bl\n\nONE = bl.Chart(id="{}", title="One", draw=lambda run, *, cell, bettor: None)\n'
        files = [write(tmp_path, f"{name}.py", chart.format(id_)) for name, id_ in (("a", "my-one"), ("b", "my_one"))]
        (problem,) = load_plugins(files=files).problems
        assert "chart 'my-one' is provided twice: by a" in problem

    def test_two_plugins_with_one_name(self, tmp_path: Path) -> None:
        files = [write(tmp_path / name, "mine.py", GOOD.replace("sleeper", name)) for name in ("one", "two")]
        (problem,) = load_plugins(files=files).problems
        assert "two plugins are named 'mine'" in problem
        assert str(files[0]) in problem
        assert str(files[1]) in problem

    def test_three_claim_one_id(self, tmp_path: Path) -> None:
        files = [write(tmp_path, f"{name}.py", GOOD + f"\n    # {name}\n") for name in ("one", "two", "three")]
        loaded = load_plugins(files=files)
        assert len(loaded.problems) == 2
        with pytest.raises(PluginError):
            loaded.registry.get("bettors", "sleeper")


class TestInstalled:
    def test_entry_point(self, site: Path) -> None:
        package(site, "bacclab-sleep", {"sleep": "bacclab_sleep"}, {"bacclab_sleep.py": GOOD})
        loaded = load_plugins()
        (report,) = [report for report in loaded.reports if report.name == "sleep"]
        assert (report.state, report.version) == ("contributed", "1.0")
        assert report.items == ("bettors/sleeper",)
        assert loaded.hashes["sleep"] == report.file_sha256

    def test_broken_one_breaks_nothing(self, site: Path) -> None:
        package(
            site, "bacclab-bad", {"bad": "bacclab_bad_module"}, {"bacclab_bad_module.py": "import nothing_like_it\n"}
        )
        package(site, "bacclab-sleep2", {"sleep": "bacclab_sleep2"}, {"bacclab_sleep2.py": GOOD})
        loaded = load_plugins()
        assert "plugin bad (bacclab-bad 1.0, module bacclab_bad_module) failed" in loaded.problems[0]
        assert "sleeper" in loaded.registry.bettors

    def test_module_that_is_not_there(self, site: Path) -> None:
        package(site, "bacclab-gone", {"gone": "bacclab_gone_module"}, {})
        assert "ModuleNotFoundError" in load_plugins().problems[0]

    def test_package_found_twice_counts_once(self, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        package(site, "bacclab-sleep3", {"sleep": "bacclab_sleep3"}, {"bacclab_sleep3.py": GOOD})
        link = site.parent / "lib64"
        link.symlink_to(site, target_is_directory=True)
        monkeypatch.syspath_prepend(str(link))
        assert [report.state for report in load_plugins().reports if report.name == "sleep"] == ["contributed"]

    def test_installed_and_named_as_a_file(self, site: Path) -> None:
        package(site, "bacclab-sleep4", {"sleep4": "bacclab_sleep4"}, {"bacclab_sleep4.py": GOOD})
        loaded = load_plugins(files=[site / "bacclab_sleep4.py"])
        assert states(loaded) == {"sleep4": "contributed", "bacclab_sleep4": "repeated"}

    def test_two_packages_with_one_name(self, site: Path) -> None:
        for word in ("day", "night"):
            module = f"bacclab_{word}_5"
            package(site, f"bacclab-{word}-5", {"sleep": module}, {f"{module}.py": GOOD.replace("sleeper", word)})
        (problem,) = load_plugins().problems
        assert "bacclab-day-5 1.0" in problem
        assert "bacclab-night-5 1.0" in problem

    def test_order_of_installation_is_of_no_moment(self, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for word in ("day", "night"):
            module = f"bacclab_{word}_6"
            package(site, f"bacclab-{word}-6", {word: module}, {f"{module}.py": GOOD.replace("sleeper", word)})
        one = load_plugins()
        found = importlib.metadata.entry_points
        monkeypatch.setattr(importlib.metadata, "entry_points", lambda **kinds: list(found(**kinds))[::-1])
        two = load_plugins()
        assert [report.name for report in one.reports] == [report.name for report in two.reports]
        assert list(one.registry.entries()) == list(two.registry.entries())

    def test_allow_list(self, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for word in ("day", "night"):
            module = f"bacclab_{word}_7"
            package(site, f"bacclab-{word}-7", {word: module}, {f"{module}.py": GOOD.replace("sleeper", word)})
        monkeypatch.setenv("BACCLAB_LOAD_PLUGINS", "night")
        assert states(load_plugins()) == {"day": "not allowed", "night": "contributed"}
        monkeypatch.setenv("BACCLAB_LOAD_PLUGINS", "")
        assert states(load_plugins()) == {"day": "not allowed", "night": "not allowed"}
        monkeypatch.setenv("BACCLAB_LOAD_PLUGINS", "nihgt")
        with pytest.raises(PluginError, match="did you mean night"):
            load_plugins()

    def test_blocked(self, site: Path) -> None:
        package(site, "bacclab-sleep8", {"sleep": "bacclab_sleep8"}, {"bacclab_sleep8.py": "raise AssertionError"})
        assert states(load_plugins(blocked=["sleep"])) == {"sleep": "blocked"}
        with pytest.raises(PluginError, match="no plugin 'slep' to block"):
            load_plugins(blocked=["slep"])


class TestWorkers:
    def test_same_plugins_from_the_request(self, tmp_path: Path) -> None:
        loaded = load_plugins(files=[write(tmp_path, "sleeper.py", GOOD)])
        request = pickle.loads(pickle.dumps(loaded.request))
        again = reload_plugins(request, expected=loaded.hashes)
        assert again.registry.get("bettors", "sleeper").item is loaded.registry.get("bettors", "sleeper").item

    def test_changed_file_is_refused(self, tmp_path: Path) -> None:
        path = write(tmp_path, "sleeper.py", GOOD)
        loaded = load_plugins(files=[path])
        write(tmp_path, "sleeper.py", GOOD + "\n    # edited\n")
        with pytest.raises(PluginError, match="worker cannot load plugin sleeper: its file has changed"):
            reload_plugins(loaded.request, expected=loaded.hashes)

    def test_relative_names_hold_in_another_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(tmp_path, "sleeper.py", GOOD)
        monkeypatch.chdir(tmp_path)
        loaded = load_plugins(files=["sleeper.py"])
        monkeypatch.chdir("/")
        assert reload_plugins(loaded.request, expected=loaded.hashes).hashes == loaded.hashes


class TestRegistry:
    def test_unknown_kind(self) -> None:
        with pytest.raises(PluginError, match="did you mean tables"):
            Registry().of("table")  # type: ignore[arg-type]

    def test_a_selection_asked_for_as_a_bettor(self) -> None:
        with pytest.raises(PluginError, match=r"no bettor 'follow-last'.*'follow-last' is a selection"):
            load_plugins().registry.get("bettors", "follow-last")
