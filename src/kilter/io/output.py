"""Files and folders that a user named, written in this one place: complete or not at all."""

from __future__ import annotations

import fcntl
import io
import os
import re
import secrets
import shutil
import signal
import stat
import sys
import threading
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, TextIO

from kilter.core import interrupt
from kilter.core.errors import InputError, OptionError
from kilter.io.compression import check_compression, compressed
from kilter.io.stream import unopenable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import FrameType

_STANDARD = {"/dev/stdout": 1, "/dev/stderr": 2}
_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")
_ENDINGS = (signal.SIGTERM, signal.SIGHUP)

_unfinished_paths: dict[object, tuple[Path, Path]] = {}  # and what the user calls them


def check_output(
    path: str | Path, inputs: Iterable[str] = (), *, called: str | None = None
) -> None:
    """Raise before anything is computed if a file cannot be written, or would replace an input.

    An `OptionError` names the file as it is `called` where the user gave it.
    """
    name = os.fspath(path)
    check_compression(name)
    with _explained(name):
        if _descriptor(name) is not None:
            return
        status = _checked(name)
    if status is None or not stat.S_ISREG(status.st_mode):
        return
    for given in inputs:
        if unopenable(given):
            continue
        with suppress(OSError):  # whoever reads it says what is wrong
            if os.path.samestat(status, Path(given).stat()):
                raise OptionError(f"{called or name} would replace an input; choose another name")


def is_stream(path: str | Path) -> bool:
    """Return whether a name stands for a device, a pipe or an open descriptor, and not for a file.

    >>> is_stream("/dev/stdout"), is_stream("/dev/null"), is_stream("scores.tsv")
    (True, True, False)
    """
    name = os.fspath(path)
    if name in _STANDARD or _DESCRIPTOR.fullmatch(name):
        return True
    with _explained(name):
        status = _status(name)
    return status is not None and not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode))


@contextmanager
def written(path: str | Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """Yield a stream of bytes into the file of this name.

    A regular file appears, or is replaced, when all is written: it keeps the rights of what was there,
    a new one has those that the umask leaves, a `private` one is its owner's alone. A link is followed.
    Devices, pipes and open descriptors such as `/dev/stdout` are written to as they are.
    """
    name = os.fspath(path)
    with _explained(name):
        descriptor = _descriptor(name)
        if descriptor is not None:
            if sys.stdout is not None:
                sys.stdout.flush()  # what was printed before comes before
            taken = os.dup(descriptor)
        else:
            status = _checked(name)
            if status is None or stat.S_ISREG(status.st_mode):
                with _replacing(name, status, private=private) as stream:
                    yield stream
                return
            taken = os.open(name, os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC)
        with os.fdopen(taken, "wb") as stream:
            yield stream


@contextmanager
def written_text(path: str | Path) -> Iterator[TextIO]:
    """Yield a stream of UTF-8 into a file, compressed as its name says; see `kilter.io.compression`."""
    with (
        written(path) as stream,
        compressed(stream, os.fspath(path)) as raw,
        io.TextIOWrapper(raw, encoding="utf-8", newline="\n") as out,
    ):
        yield out


def write_file(path: str | Path, content: bytes | str, *, private: bool = False) -> None:
    """Write a whole file; text is written in UTF-8, line ends as they are."""
    with written(path, private=private) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


def make_folder(folder: Path) -> None:
    """Make a folder with all folders above it, where there is none."""
    with _explained(str(folder)):
        Path(os.path.realpath(folder)).mkdir(
            parents=True, exist_ok=True
        )  # a link may lead nowhere yet


def check_new_folder(folder: Path) -> None:
    """Raise an `InputError` if a new folder cannot appear there: only an empty one is filled."""
    with _explained(str(folder)):
        status = _status(str(folder))
        if status is None:
            return
        if not stat.S_ISDIR(status.st_mode) or any(folder.iterdir()):
            raise InputError("exists and is not empty; name a new folder", where=str(folder))
        _refuse_read_only(str(folder), status)


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Yield a folder whose content is in the folder of this name when all is written."""
    check_new_folder(folder)
    with _explained(str(folder)):
        target = Path(os.path.realpath(folder))
        target.parent.mkdir(parents=True, exist_ok=True)
        filled = target.is_dir()  # stays what it is: a mount point, or where somebody works
        temporary = _beside(target / "content" if filled else target)
        with _unfinished(temporary, folder):
            temporary.mkdir()
            yield temporary
            if not filled:
                temporary.rename(target)
                return
            for entry in sorted(temporary.iterdir()):
                entry.rename(target / entry.name)


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """Turn what goes wrong while writing into an `InputError`."""
    fault = unopenable(name)
    if fault is not None:
        raise _refused(name, fault)
    try:
        yield
    except OSError as error:
        # Whoever reads standard output may leave: that is no error, and `cli` knows what to do.
        if isinstance(error, BrokenPipeError) and _descriptor(name) == 1:
            raise
        raise _refused(name, error.strerror or str(error)) from error


def _refused(name: str, reason: str) -> InputError:
    """Return the error about a file, which may be in a folder that has its name only later."""
    for temporary, named in tuple(_unfinished_paths.values()):
        if Path(name).is_relative_to(temporary):
            name = str(named / Path(name).relative_to(temporary))
    return InputError(f"cannot be written: {reason}", where=name)


def _descriptor(name: str) -> int | None:
    """Return the open descriptor that a name stands for; a file that is standard output is one, too."""
    if name in _STANDARD:
        return _STANDARD[name]
    if named := _DESCRIPTOR.fullmatch(name):
        return int(named[1])
    status = _status(name)
    for number in _STANDARD.values():
        with suppress(OSError):  # it may be closed
            if status is not None and os.path.samestat(status, os.fstat(number)):
                return number
    return None


def _status(name: str) -> os.stat_result | None:
    try:
        return Path(name).stat()
    except FileNotFoundError:
        return None


def _checked(name: str) -> os.stat_result | None:
    """Return what is there now, if anything; an `InputError` says why it cannot be written."""
    status = _status(name)
    if status is not None and stat.S_ISDIR(status.st_mode):
        raise _refused(name, "it is a directory; name a file in it")
    if status is not None:
        _refuse_read_only(name, status)
    if status is None or stat.S_ISREG(status.st_mode):
        folder = Path(os.path.realpath(name)).parent
        if not folder.is_dir():
            raise _refused(name, "its folder does not exist; make it, or name another one")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise _refused(name, "nothing can be added to its folder; name another one")
    return status


def _refuse_read_only(name: str, status: os.stat_result) -> None:
    """Raise for what may not be written; the administrator could, and would not have meant to."""
    if not status.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(
        name, os.W_OK
    ):
        raise _refused(name, "it is read-only; name another one, or make it writable")


def _beside(target: Path) -> Path:
    """Return a new name in the same folder, however long the name of the target is."""
    return target.with_name(f".kilter-{secrets.token_hex(8)}.part")


def _begun(target: Path, mode: int) -> tuple[Path, int]:
    """Return a new file beside the target, and its descriptor, which is locked as long as somebody writes.

    Its name says whose it is: what a run left that was killed is removed by the next one of the same
    target. Where another run is at the same target now, the name is one that nobody else has.
    """
    own = target.with_name(f".kilter-{sha256(os.fsencode(target.name)).hexdigest()[:16]}.part")
    _remove_left(own)
    for path in (own, _beside(target)):
        with suppress(FileExistsError):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
            if _locked(descriptor) is not False:
                return path, descriptor
            os.close(descriptor)  # somebody takes it for one that was left, and removes it
    raise _refused(str(target), "another program is at it; try again")


def _remove_left(path: Path) -> None:
    """Remove a file that nobody writes any more: its lock went with whoever did."""
    with suppress(OSError):  # nothing there, or not ours
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(path, flags)
        try:
            # It may have become the target meanwhile, and its name that of another one.
            if _locked(descriptor) and os.path.samestat(os.fstat(descriptor), path.lstat()):
                path.unlink()
        finally:
            os.close(descriptor)


def _locked(descriptor: int) -> bool | None:
    """Return whether a file is ours alone now; None where the file system knows no locks."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return os.fstat(descriptor).st_nlink > 0


@contextmanager
def _replacing(name: str, status: os.stat_result | None, *, private: bool) -> Iterator[IO[bytes]]:
    target = Path(os.path.realpath(name))
    mode = 0o600 if private or status is not None else 0o666
    with ExitStack() as ending:
        with interrupt.deferred():  # until somebody knows that the file has to be removed
            temporary, descriptor = _begun(target, mode)
            finished = ending.enter_context(_unfinished(temporary, Path(name)))
        try:
            with os.fdopen(os.dup(descriptor), "wb") as stream:
                yield stream
            if status is not None:
                with suppress(PermissionError):  # others may not give files away
                    os.fchown(descriptor, status.st_uid, status.st_gid)
                os.fchmod(descriptor, status.st_mode & 0o777)
            os.fsync(descriptor)
            interrupt.raise_if_pending()
            temporary.replace(target)  # while the lock keeps others from removing it
            finished()
        finally:
            os.close(descriptor)


@contextmanager
def _unfinished(path: Path, named: Path) -> Iterator[Callable[[], None]]:
    """Remove a path at the end, also if the process is asked to end, unless it is called finished before.

    Another thread may have a path of that name then, which has become the name of the file itself here.
    Only then is there anything to do about such a signal: at other times it ends the process at once,
    whatever kernel is running.
    """
    key = object()
    _unfinished_paths[key] = path, named

    def finished() -> None:
        del _unfinished_paths[key]

    ours = threading.current_thread() is threading.main_thread()
    taken = [end for end in _ENDINGS if ours and signal.getsignal(end) is signal.SIG_DFL]
    try:
        for end in taken:
            signal.signal(end, _end)
        yield finished
    finally:
        with interrupt.deferred():
            if key in _unfinished_paths:
                _remove(path)
                del _unfinished_paths[key]
        for end in taken:
            signal.signal(end, signal.SIG_DFL)


def _end(number: int, _: FrameType | None) -> None:
    """Leave nothing half written, and die of the signal as if nobody had caught it."""
    for path, _named in tuple(_unfinished_paths.values()):  # other threads may be at it
        _remove(path)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)
