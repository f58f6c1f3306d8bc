"""Experiments that can be started from the browser: files of a folder, or a text that was typed or pasted.

An experiment names files (plugins, recorded shoes). One that is started from a browser may name only those in the
folder of the runs or in that of the experiments, so nobody reads or runs another file of the machine through the app.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bacclab.dashboard.app.folder import inside
from bacclab.errors import BacclabError, ConfigError, did_you_mean, shorten
from bacclab.tournament.experiment.config import Experiment, load_config

__all__ = ["Experiments"]

#: A longer text is no experiment.
MOST_BYTES = 200_000
#: Keys whose text is shown and never opened.
WORDS = ("title", "name")
#: What a text is called in what is wrong with it.
_LABEL = "experiment"


class Experiments:
    """The experiment files that a browser may choose, and what it may type."""

    def __init__(self, root: Path, folder: Path | None = None) -> None:
        near = (root / "experiments", root.parent / "experiments")
        found = folder if folder is not None else next((path for path in near if path.is_dir()), root)
        if not found.is_dir():
            raise ConfigError(f"there is no folder {str(found)!r} with experiments")
        self.root = root
        self.folder = found.resolve()

    def files(self) -> list[str]:
        """The names of the experiment files, in the order of the alphabet."""
        listed = (path.name for path in self.folder.iterdir() if path.suffix == ".toml")
        return sorted(name for name in listed if self._file(name) is not None)

    def text(self, name: str | None) -> str:
        """The text of one of the files; ConfigError if there is none of that name."""
        return self.path(name).read_text(encoding="utf-8", errors="replace")

    def path(self, name: str | None) -> Path:
        """Where one of the files is."""
        names = self.files()
        if name is None or name not in names:
            raise ConfigError(f"there is no experiment file {name!r}", hint=did_you_mean(name or "", names))
        return self.folder / names[names.index(name)]

    def checked(self, text: str) -> Experiment:
        """The experiment of a text; BacclabError with the line of a mistake, and for a file that it may not name."""
        if len(text.encode("utf-8")) > MOST_BYTES:
            raise ConfigError(f"{_LABEL}: the text is longer than {MOST_BYTES:,} bytes")
        if not text.strip():
            raise ConfigError(f"{_LABEL}: the text is empty", hint="choose a file or paste an experiment")
        with tempfile.TemporaryDirectory(prefix="bacclab-") as place:
            path = Path(place) / "experiment.toml"
            path.write_text(text, encoding="utf-8")
            try:
                experiment = load_config(path)
            except BacclabError as error:
                hint = None if error.hint is None else error.hint.replace(str(path), _LABEL)
                raise type(error)(error.message.replace(str(path), _LABEL), hint=hint) from None
        self._confine(experiment)
        return experiment

    def _confine(self, experiment: Experiment) -> None:
        """Refuse an experiment that names a file elsewhere; relative names start at the folder of experiments."""
        for key, text in _texts(experiment.raw):
            if not _names_a_path(text, self.folder):
                continue
            path = self.folder / os.path.expanduser(text)  # noqa: PTH111 - a name of an unknown user stays as it is
            if all(inside(root, path) is None for root in (self.root, self.folder)):
                raise ConfigError(
                    f"{_LABEL}: {key} = {shorten(text, 80)!r} lies outside the folders of runs and experiments",
                    hint="start it with bacclab run",
                )

    def _file(self, name: str) -> Path | None:
        path = inside(self.folder, self.folder / name)
        return path if path is not None and path.is_file() else None


def _texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of an experiment, names of keys too, with the key under which it stands."""
    if isinstance(value, Mapping):
        for name, child in value.items():
            if name not in WORDS:
                yield from _texts(child, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list | tuple):
        for child in value:
            yield from _texts(child, key)
    elif isinstance(value, str):
        yield key, value


def _names_a_path(text: str, base: Path) -> bool:
    """Whether a text may be taken for the name of a file: it leads somewhere, or there is such a file.

    >>> _names_a_path("/etc/passwd", Path()), _names_a_path("../x.csv", Path()), _names_a_path("banker", Path("/no"))
    (True, True, False)
    """
    try:
        wide = Path(text).is_absolute() or text.startswith("~") or ".." in Path(text).parts or "\\" in text
        return wide or (base / text).exists()
    except (OSError, ValueError):
        return True
