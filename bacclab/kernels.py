"""Compiled functions, the same way everywhere.

The pattern
-----------
* Compiled functions live in modules named ``*_kernels.py``. Such a module says ``from bacclab.kernels import njit`` and
  decorates plain functions over numbers and numpy arrays; importing it loads numba (0.7 s).
* So it is imported only *inside* the functions that need it, never at the top of an ordinary module: ``import
  bacclab`` and ``bacclab --help`` stay light::

      def play(...):
          from bacclab.tournament.play import table_kernels
          return table_kernels.play(...)

* A kernel calls other kernels by their plain names. Rules that must also run in plain Python (settlement, limits) stay
  plain functions in their own module, and a kernel module compiles them: ``settle_bet = njit(settlement.settle_bet)``.

Machine code is kept between runs beside the source, or in the user's cache folder when the installation is read-only,
or nowhere when no folder can be written; a cache that cannot be read or written is left out, never an error. What is
kept is used only while every kernel module and everything that one of them imports is unchanged, because a compiled
function holds copies of the functions and constants of other files.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, overload

Function = TypeVar("Function", bound=Callable[..., Any])

_IMPORT = re.compile(r"^(?:from|import) (bacclab[\w.]*)(?: import (?:\(([^)]*)\)|([^\n]*)))?", re.MULTILINE)
_NAME = re.compile(r"\w+")


@overload
def njit(function: Function, /, **options: Any) -> Function: ...
@overload
def njit(*, inline: str = ..., **options: Any) -> Callable[[Function], Function]: ...
def njit(function: Function | None = None, /, **options: Any) -> Any:
    """Compile `function` on its first call, without the interpreter lock and without changing what floats mean.

    `options` go to ``numba.njit`` as they are. Indices are not checked and division by zero follows IEEE
    (``error_model="numpy"``). Several threads may call the result at once.

    >>> @njit
    ... def double(x):
    ...     return 2 * x
    >>> double(21)
    42
    """
    if function is None:
        return functools.partial(njit, **options)
    import numba

    settings = {"nogil": True, "boundscheck": False, "error_model": "numpy", **options}
    dispatcher: Any = numba.njit(**settings)(function)
    _keep(dispatcher, function)
    compile_it = dispatcher.compile

    @functools.wraps(compile_it)
    def compile_heeding(signature: Any) -> Any:
        with interrupt_heeded():
            return compile_it(signature)

    dispatcher.compile = compile_heeding
    return dispatcher


@contextlib.contextmanager
def interrupt_heeded() -> Iterator[None]:
    """Let no Ctrl-C be lost while something compiles.

    LLVM calls back into Python, and what is raised in such a call goes no further than a line on stderr. So it is noted
    when Ctrl-C comes, and KeyboardInterrupt is raised again at the end if it never arrived. Only the main thread gets
    Ctrl-C, and only where it means KeyboardInterrupt.
    """
    handler = signal.getsignal(signal.SIGINT)
    if handler is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield
        return
    came = False

    def note(number: int, frame: Any) -> None:
        nonlocal came
        came = True
        signal.default_int_handler(number, frame)

    say = sys.unraisablehook
    signal.signal(signal.SIGINT, note)
    sys.unraisablehook = lambda lost: None if lost.exc_type is KeyboardInterrupt else say(lost)
    try:
        yield
    finally:
        sys.unraisablehook = say
        signal.signal(signal.SIGINT, handler)
    if came:
        raise KeyboardInterrupt


def is_cached(*kernels: Any) -> bool:
    """Whether all of these functions were compiled before, here or in an earlier run (False: a call compiles)."""
    return all(_is_cached(kernel) for kernel in kernels)


def _is_cached(kernel: Any) -> bool:
    if getattr(kernel, "signatures", None):
        return True
    files = getattr(getattr(kernel, "_cache", None), "_cache_file", None)
    if files is None:
        return False
    with contextlib.suppress(Exception):  # an index that cannot be read is no cache
        return bool(files._load_index())
    return False


@functools.cache
def source_stamp() -> str:
    """Digest of the text of all kernel modules and of what they import: what compiled code was made from."""
    package = Path(__file__).parent
    texts: dict[Path, str] = {}
    waiting = list(package.rglob("*_kernels.py"))
    while waiting:
        path = waiting.pop()
        if path not in texts:
            texts[path] = path.read_text(encoding="utf-8")
            waiting += _imported(texts[path], package)
    digest = hashlib.sha256()
    for path in sorted(texts):
        digest.update(f"{path.relative_to(package).as_posix()}\0{len(texts[path])}\0{texts[path]}".encode())
    return digest.hexdigest()


def _imported(text: str, package: Path) -> Iterator[Path]:
    """The files of the package that a module imports at its top."""
    for module, several, names in _IMPORT.findall(text):
        folder = package.joinpath(*module.split(".")[1:])
        candidates = [folder.with_suffix(".py"), *(folder / f"{name}.py" for name in _NAME.findall(several or names))]
        yield from filter(Path.is_file, candidates)


def _keep(dispatcher: Any, function: Callable[..., Any]) -> None:
    """Give the compiled function a cache on disk, if there is a folder for it."""
    try:
        cache = _cache_class()(function)
        cache._cache_file._source_stamp = (cache._cache_file._source_stamp, source_stamp())
        dispatcher._cache = cache
    except (RuntimeError, OSError, AttributeError, ImportError):  # no writable folder, or another numba
        return


@functools.cache
def _cache_class() -> Any:
    from numba.core.caching import FunctionCache

    base: Any = FunctionCache  # numba's classes are not fully typed

    class TolerantCache(base):  # type: ignore[misc]
        """Compiles again where the folder has become unreadable, full or damaged."""

        def load_overload(self, signature: Any, target_context: Any) -> Any:
            with contextlib.suppress(Exception):  # a damaged file may raise anything while it is unpickled
                return super().load_overload(signature, target_context)
            return None

        def save_overload(self, signature: Any, data: Any) -> None:
            with contextlib.suppress(Exception):
                super().save_overload(signature, data)
                return
            with contextlib.suppress(Exception):  # begin a damaged index afresh
                self.flush()
                super().save_overload(signature, data)

    return TolerantCache
