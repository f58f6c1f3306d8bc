"""A new plugin, written from a template: a file that plays at once, its tests, and an experiment that uses it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from string import Template
from typing import Final, Literal, get_args

from bacclab._version import __version__
from bacclab.errors import PluginError
from bacclab.tournament.files import put_file

__all__ = ["KINDS", "Kind", "Names", "names_of", "scaffold"]

Kind = Literal["bettor", "selection", "progression", "bet", "metric"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

_USED: Final = {
    "bettor": 'use = "{id}"',
    "selection": 'select = "{id}"\nstake = {{ use = "flat", unit = 10 }}',
    "progression": 'select = {{ use = "always", on = "banker" }}\nstake = {{ use = "{id}", unit = 10 }}',
    "bet": 'use = "flat"\non = "{bet}"\nunit = 10',
    "metric": 'use = "flat"\non = "player"\nunit = 20',
}
_ASKED: Final = {
    "bettor": ("banker 10.00", "banker 10.00", "banker 20.00", "banker 40.00", "banker 40.00"),
    "vectorised": ("banker 200.00",) * 3 + ("banker 190.00",) * 2,
    "selection": ("nothing", "nothing", "nothing", "player 10.00", "player 10.00"),
    "progression": ("banker 10.00", "banker 10.00", "banker 20.00", "banker 30.00", "banker 30.00"),
}

_HOOKS: Final = {
    "bet": '''

@bl.hookimpl
def register_bets(register):
    """A package says what it brings; a single file need not."""
    register(BET)


@bl.hookimpl
def register_tables(register):
    """The table that offers the bet."""
    register(TABLE)
''',
    "metric": '''

@bl.hookimpl
def register_metrics(register):
    """A package says what it brings; a single file need not."""
    register(METRIC)
''',
}


@dataclass(frozen=True, slots=True)
class Names:
    """One name in all its forms.

    `title` is for people, `id` for experiment files, `module` and `cls` for Python, `package` for pip.
    """

    title: str
    id: str
    module: str
    cls: str
    package: str

    @property
    def bet(self) -> str:
        """The id of a bet or a metric: these are written with underscores."""
        return self.module


def names_of(name: str) -> Names:
    """A name in all its forms; PluginError where nothing can be made of it.

    >>> names_of("Double up!")
    Names(title='Double up!', id='double-up', module='double_up', cls='DoubleUp', package='bacclab-double-up')
    >>> names_of("3 steps").module
    'plugin_3_steps'
    >>> names_of("Übermaß").id
    'ubermass'
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    words = re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain).casefold())
    if not words:
        raise PluginError(f"{name!r} has no letter or digit to make a name of", hint="such as double-up")
    if len("-".join(words)) > 60:
        raise PluginError(f"{name[:40]!r}… is too long for a name", hint="take at most 60 letters")
    id_ = "-".join(words)
    module = "_".join(words) if words[0][0].isalpha() else "_".join(["plugin", *words])
    cls = "".join(word.capitalize() for word in module.split("_"))
    title = name.strip() if re.search(r"[A-Z\s]", name.strip()) else " ".join(words).capitalize()
    return Names(re.sub(r'["\\\s]+', " ", title), id_, module, cls, f"bacclab-{id_}")


def scaffold(kind: Kind, names: Names, *, folder: Path, package: bool = False, vectorised: bool = False) -> list[Path]:
    """Write a new plugin into a folder and return the files, the plugin first.

    Nothing is overwritten: PluginError names the file that is there already.
    """
    files = _package(kind, names, vectorised=vectorised) if package else _single(kind, names, vectorised=vectorised)
    root = folder / names.package if package else folder
    paths = {root / name: text for name, text in files.items()}
    taken = root if package and root.exists() else next((path for path in paths if path.exists()), None)
    if taken is not None:
        raise PluginError(f"{taken} is there already", hint="choose another name, or another folder with --to")
    begun: list[Path] = []
    try:
        for path, text in paths.items():
            begun.append(path)
            put_file(path, partial(_put, text=text))
    except BaseException:
        for path in begun:  # what was written would be in the way of the next try
            path.unlink(missing_ok=True)
        raise
    return list(paths)


def _put(path: Path, *, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _single(kind: Kind, names: Names, *, vectorised: bool) -> dict[str, str]:
    loaded = f'Path(__file__).with_name("{names.module}.py")'
    if kind == "metric":
        imports = (
            "from pathlib import Path\n\nfrom bacclab.testing import check_metric, load_item, measured\n\n"
            f'METRIC = load_item({loaded}, "{names.bet}")'
        )
    elif kind == "bet":
        imports = (
            "from pathlib import Path\n\nfrom bacclab.testing import check_bet, check_table, house_edge, load_item\n\n"
            f'BET = load_item({loaded}, "{names.bet}")\nTABLE = load_item({loaded}, "{names.id}")'
        )
    else:
        imports = (
            "from pathlib import Path\n\nimport pytest\nfrom bacclab.testing import asked, bettor_checks, load_item\n\n"
            f'{names.cls} = load_item({loaded}, "{names.id}")'
        )
    return {
        f"{names.module}.py": _code(kind, names, vectorised=vectorised),
        f"test_{names.module}.py": _test(kind, names, imports=imports, vectorised=vectorised),
        f"{names.module}.toml": _experiment(
            kind, names, file=f"{names.module}.toml", plugins=f'\n[plugins]\nfiles = ["{names.module}.py"]'
        ),
    }


def _package(kind: Kind, names: Names, *, vectorised: bool) -> dict[str, str]:
    module = f"bacclab_{names.module}"
    if kind == "metric":
        imports = f"from {module} import METRIC\n\nfrom bacclab.testing import check_metric, measured"
    elif kind == "bet":
        imports = f"from {module} import BET, TABLE\n\nfrom bacclab.testing import check_bet, check_table, house_edge"
    else:
        imports = f"import pytest\nfrom {module} import {names.cls}\n\nfrom bacclab.testing import asked, bettor_checks"
    code = _code(kind, names, vectorised=vectorised).replace(f"{names.module}.toml", "experiment.toml")
    code = re.sub(rf"--plugin {names.module}\.py |check {names.module}\.py", _installed(names), code)
    code += _HOOKS.get(kind, "")
    lines = _USED[kind].format(id=names.id, bet=names.bet)
    said = {"package": names.package, "title": names.title, "id": names.id, "module": module, "version": __version__}
    return {
        f"{module}/__init__.py": code,
        f"tests/test_{names.module}.py": _test(kind, names, imports=imports, vectorised=vectorised),
        "pyproject.toml": _filled("pyproject.toml", **said),
        "README.md": _filled("README.md", **said, kind=kind, lines=lines),
        "experiment.toml": _experiment(kind, names, file="experiment.toml", plugins=""),
    }


def _installed(names: Names) -> Callable[[re.Match[str]], str]:
    return lambda found: "" if found[0].startswith("--") else f"check {names.package}"


def _code(kind: Kind, names: Names, *, vectorised: bool) -> str:
    template = f"{kind}_vectorised.py" if vectorised else f"{kind}.py"
    return _filled(template, title=names.title, id=names.id, module=names.module, cls=names.cls, bet=names.bet)


def _test(kind: Kind, names: Names, *, imports: str, vectorised: bool) -> str:
    asked = ", ".join(f'"{what}"' for what in _ASKED.get("vectorised" if vectorised else kind, ()))
    template = f"test_{kind}.py" if kind in ("bet", "metric") else "test_bettor.py"
    return _filled(template, title=names.title, cls=names.cls, bet=names.bet, imports=imports, asked=asked)


def _experiment(kind: Kind, names: Names, *, file: str, plugins: str) -> str:
    lines = _USED[kind].format(id=names.id, bet=names.bet)
    rules = names.id if kind == "bet" else "commission"
    text = _filled("experiment.toml", title=names.title, experiment=file, rules=rules, lines=lines, plugins=plugins)
    return text.rstrip("\n") + "\n"


def _filled(template: str, **values: str) -> str:
    from importlib import resources

    text = resources.files("bacclab.scaffold").joinpath("templates", f"{template}.txt").read_text(encoding="utf-8")
    return Template(text).substitute(values)
