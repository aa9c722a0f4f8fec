"""Files and folders that a user named: complete or not at all, and written in one place."""

import ast
import errno
import os
import re
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.io.output import (
    check_new_folder,
    check_output,
    new_folder,
    write_file,
    written,
    written_text,
)
from tests.thorough import some, tried

SOURCE = Path(kilter.__file__).parent


@pytest.fixture(autouse=True)
def umask() -> Iterator[None]:
    """Set a umask that is not the usual one."""
    before = os.umask(0o007)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_has_the_rights_that_the_umask_leaves(tmp_path: Path) -> None:
    write_file(tmp_path / "new", "text\n")
    assert (tmp_path / "new").read_bytes() == b"text\n"
    assert mode(tmp_path / "new") == 0o660
    write_file(tmp_path / "secret", b"key", private=True)
    assert mode(tmp_path / "secret") == 0o600


@pytest.mark.parametrize("rights", [0o600, 0o666, 0o755, 0o620])
def test_a_file_that_is_replaced_keeps_its_rights(rights: int, tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.touch()
    path.chmod(rights)
    write_file(path, "new")
    assert path.read_bytes() == b"new"
    assert mode(path) == rights


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_a_file_that_is_replaced_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.touch()
    os.chown(path, 1234, 2345)
    write_file(path, "new")
    found = path.stat()
    assert (found.st_uid, found.st_gid) == (1234, 2345)


def test_nothing_is_seen_before_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with written(path) as stream:
        stream.write(b"new")
        stream.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_what_fails_leaves_the_old_file_and_nothing_beside_it(
    error: type[BaseException], tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail() -> None:
        with written(path) as stream:
            stream.write(b"new")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "file").write_bytes(b"old")
    (folder / "file").chmod(0o600)
    (tmp_path / "link").symlink_to(folder / "file")
    (tmp_path / "second").symlink_to("link")
    (tmp_path / "dangling").symlink_to("elsewhere/new")
    for name, target in (("link", "file"), ("second", "file"), ("dangling", "new")):
        write_file(tmp_path / name, name)
        assert (tmp_path / name).is_symlink()
        assert (folder / target).read_text(encoding="utf-8") == name
    assert mode(folder / "file") == 0o600
    assert names(folder) == ["file", "new"]


def test_a_link_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("missing/file")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(InputError, match="link: cannot be written: its folder does not exist"):
        write_file(tmp_path / "link", "text")
    with pytest.raises(InputError, match="loop: cannot be written: "):
        write_file(tmp_path / "loop", "text")
    assert names(tmp_path) == ["link", "loop"]


def test_a_read_only_file_is_refused_whoever_asks(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o444)
    (tmp_path / "link").symlink_to("file")
    for name in ("file", "link"):
        for refused in (check_output, lambda place: write_file(place, "new")):
            with pytest.raises(InputError, match=f"{name}: cannot be written: it is read-only"):
                refused(tmp_path / name)
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("refused", [check_output, lambda place: write_file(place, "new")])
def test_folders_and_what_has_no_folder_are_refused(refused: object, tmp_path: Path) -> None:
    assert callable(refused)
    (tmp_path / "file").touch()
    for name, reason in (
        (".", "it is a directory"),
        ("missing/file", "its folder does not exist"),
        ("file/file", "Not a directory"),
        ("x" * 300, "File name too long"),
    ):
        with pytest.raises(InputError, match=f"cannot be written: {reason}"):
            refused(tmp_path / name)
    assert names(tmp_path) == ["file"]


def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    write_file(tmp_path / ("x" * 255), "text")
    assert names(tmp_path) == ["x" * 255]


def test_an_input_is_not_replaced_under_any_name(tmp_path: Path) -> None:
    (tmp_path / "input").touch()
    (tmp_path / "link").symlink_to("input")
    for name in ("input", "link"):
        with pytest.raises(OptionError, match="-o x would replace an input; choose another name"):
            check_output(
                tmp_path / name, ["/nowhere/at/all", str(tmp_path / "input")], called="-o x"
            )
    check_output(tmp_path / "other", [str(tmp_path / "input")])
    check_output("/dev/null", ["/dev/null"])


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(path.read_bytes()), daemon=True)
    reader.start()
    write_file(path, "text")
    reader.join(timeout=60)
    assert heard == [b"text"]
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert names(tmp_path) == ["pipe"]


def test_a_pipe_whose_reader_leaves_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)

    def fail() -> None:
        reader = threading.Thread(target=lambda: path.open("rb").close())
        reader.start()
        with written(path) as stream:
            reader.join()
            stream.write(b"text")

    with pytest.raises(InputError, match="pipe: cannot be written: Broken pipe"):
        fail()


@pytest.mark.parametrize("name", ["full", "full.gz", "full.xz"])
@pytest.mark.parametrize("amount", [1, tried(10_000_000, quick=1_000_000)])
def test_a_full_device_is_an_error_and_stays_a_device(
    name: str, amount: int, tmp_path: Path
) -> None:
    (tmp_path / name).symlink_to("/dev/full")

    def fail() -> None:
        with written_text(tmp_path / name) as out:
            out.writelines(f"{number}\n" for number in range(amount // 10 + 1))

    with pytest.raises(InputError, match=f"{name}: cannot be written: No space left on device"):
        fail()
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)
    write_file("/dev/null", "text")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(InputError, match="file: cannot be written: No space left on device"):
        write_file(path, "new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


PRINTING = """
import sys
from kilter.io.output import write_file
print("before")
write_file(sys.argv[1], "written\\n")
print("after")
"""


def printed(place: str, out: Path) -> bytes:
    """Return what a program prints into a file, and writes to a name that stands for it."""
    with out.open("wb") as stream:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        subprocess.run([sys.executable, "-c", PRINTING, place], stdout=stream, env=kept, check=True)
    return out.read_bytes()


@pytest.mark.parametrize(
    "place",
    some(
        ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link", "out"], quick=["/dev/fd/1", "link"]
    ),
)
def test_standard_output_gets_everything_in_order(place: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "link").symlink_to("/dev/stdout")
    name = place if place.startswith("/") else str(tmp_path / place)
    assert printed(name, out) == b"before\nwritten\nafter\n"
    assert names(tmp_path) == ["link", "out"]


def test_standard_error_is_another_stream_than_standard_output() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRINTING, "/dev/stderr"], capture_output=True, check=True
    )
    assert (done.stdout, done.stderr) == (b"before\nafter\n", b"written\n")


@pytest.mark.parametrize("folder", ["/dev/fd", "/proc/self/fd"])
def test_an_open_file_is_written_on(folder: str, tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb", buffering=0) as stream:
        stream.write(b"before\n")
        write_file(f"{folder}/{stream.fileno()}", "written\n")
        stream.write(b"after\n")
    assert (tmp_path / "file").read_bytes() == b"before\nwritten\nafter\n"


WAITING = """
import sys, time
from pathlib import Path
from kilter.io.output import new_folder, write_file, written
place = Path(sys.argv[1])
with new_folder(place / "folder") as folder, written(place / "file") as stream:
    write_file(folder / "inside", "text")
    stream.write(b"half")
    stream.flush()
    print("ready", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def heard_hang_up() -> Iterator[None]:
    """A hang-up is not ignored, as it is under nohup, which the tests may run under."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("heard_hang_up")
@pytest.mark.parametrize(
    "number", some([signal.SIGTERM, signal.SIGHUP, signal.SIGINT], quick=[signal.SIGHUP])
)
def test_a_process_that_is_ended_leaves_nothing_half_written(
    number: signal.Signals, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"old")
    with subprocess.Popen(
        [sys.executable, "-c", WAITING, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        assert len(names(tmp_path)) == 3
        process.send_signal(number)
        process.communicate()
    assert process.returncode == -number
    assert names(tmp_path) == ["file"]
    assert (tmp_path / "file").read_bytes() == b"old"


@pytest.mark.usefixtures("heard_hang_up")
def test_signals_are_as_before_when_all_is_written(tmp_path: Path) -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    try:
        with written(tmp_path / "file"):
            os.kill(os.getpid(), signal.SIGTERM)  # whoever handles it already goes on to
    finally:
        signal.signal(signal.SIGTERM, before)
    assert heard == [signal.SIGTERM]
    with written(tmp_path / "file"), written(tmp_path / "other"):
        assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL


def test_files_can_be_written_by_any_thread(tmp_path: Path) -> None:
    thread = threading.Thread(target=write_file, args=(tmp_path / "file", "text"))
    thread.start()
    thread.join()
    assert (tmp_path / "file").read_bytes() == b"text"


def test_a_folder_appears_when_all_is_written(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "folder"
    with new_folder(target) as folder:
        write_file(folder / "file", "text")
        assert not target.exists()
    assert (target / "file").read_text(encoding="utf-8") == "text"
    assert names(target.parent) == ["folder"]
    assert mode(target) == 0o770


LEFT = """
import os, signal, sys
from kilter.io.output import written
with written(sys.argv[1]) as out:
    out.write(b"half")
    out.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_run_left_is_removed_by_the_next_of_the_same_file(tmp_path: Path) -> None:
    for name in ("file", "other"):
        subprocess.run([sys.executable, "-c", LEFT, str(tmp_path / name)], check=False)
    left = names(tmp_path)
    assert len(left) == 2
    assert all(re.fullmatch(r"\.kilter-[0-9a-f]{16}\.part", name) for name in left)
    write_file(tmp_path / "file", "text")
    assert (tmp_path / "file").read_text(encoding="utf-8") == "text"
    assert len({*names(tmp_path)} & {*left}) == 1  # that of the other file stays


def test_what_somebody_writes_now_is_not_removed(tmp_path: Path) -> None:
    target = tmp_path / "file"
    with written(target) as first:
        first.write(b"first")
        begun = names(tmp_path)
        with written(target) as second:
            second.write(b"second")
            assert {*begun} < {*names(tmp_path)}
        assert target.read_bytes() == b"second"
        assert names(tmp_path) == sorted([*begun, "file"])
    assert target.read_bytes() == b"first"
    assert names(tmp_path) == ["file"]


def test_an_empty_folder_is_filled_and_stays_the_same(tmp_path: Path) -> None:
    target = tmp_path / "folder"
    target.mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("folder")
    before = target.stat()
    with new_folder(tmp_path / "link") as folder:
        write_file(folder / "file", "text")
        (folder / "sub").mkdir()
        assert not (target / "file").exists()
    after = target.stat()
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    assert names(target) == ["file", "sub"]
    assert names(tmp_path) == ["folder", "link"]


def test_a_folder_can_appear_where_one_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with new_folder(Path()) as folder:
        write_file(folder / "file", "text")
    assert Path("file").read_text(encoding="utf-8") == "text"
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("filled", [True, False])
def test_nothing_is_left_of_a_folder_when_something_fails(filled: bool, tmp_path: Path) -> None:  # noqa: FBT001
    target = tmp_path if filled else tmp_path / "folder"

    def fail() -> None:
        with new_folder(target) as folder:
            write_file(folder / "file", "text")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert names(tmp_path) == []


def test_a_file_of_a_folder_is_called_as_it_will_be(tmp_path: Path) -> None:
    target = tmp_path / "folder"
    reason = f"^{target}/missing/file: cannot be written: its folder does not exist"
    with pytest.raises(InputError, match=reason), new_folder(target) as folder:
        write_file(folder / "missing" / "file", "text")


def test_a_folder_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for target in (tmp_path, tmp_path / "file", Path("/dev/null")):
        for refused in (check_new_folder, lambda place: new_folder(place).__enter__()):
            with pytest.raises(InputError, match="exists and is not empty"):
                refused(target)
    with (
        pytest.raises(InputError, match="cannot be written: Not a directory"),
        new_folder(tmp_path / "file" / "folder"),
    ):
        pass
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    with pytest.raises(InputError, match="locked: cannot be written: it is read-only"):
        check_new_folder(locked)


# Who else may call what can write, and why.
ALLOWED = {
    ("io/compression.py", "GzipFile"): "into a stream of the output module",
    ("io/compression.py", "LZMAFile"): "the same",
    ("io/compression.py", "BZ2File"): "the same",
    ("cli/console.py", "open"): "the null device takes the place of a closed stream",
    ("cli/main.py", "open"): "the same",
    ("io/stream.py", "SpooledTemporaryFile"): "has no name; standard input that is read twice",
    (
        "io/spool.py",
        "SpooledTemporaryFile",
    ): "has no name; what is measured of texts of any size",
    ("study/store/database.py", "open"): "the database, which has to be private from the start",
    ("aligners/meteor.py", "open"): "in a folder of its own for the time of a run of METEOR",
    ("aligners/em_model.py", "savez_compressed"): "into a stream of the output module",
    ("render/table/parquet.py", "write_table"): "into memory, or a stream of the output module",
    ("run/engine/run.py", "unlink"): "parts of what is complete, in a folder of ours",
    ("run/engine/run.py", "rmdir"): "the same",
    ("aligners/meteor.py", "TemporaryDirectory"): "what another program reads and writes",
    ("aligners/meteor.py", "write_text"): "the same",
    ("io/cache_rows.py", "savez"): "into memory",
    ("run/cache/cache_folder.py", "unlink"): "what is cleared or joined, in a folder of ours",
    ("run/cache/cache_folder.py", "rmdir"): "the same",
    ("run/align.py", "TemporaryDirectory"): "what an aligner learned, for its workers",
    ("run/published/judged_table.py", "TemporaryDirectory"): "links that one table needs",
    ("study/analysis/running_analysis.py", "TemporaryDirectory"): "on the way into the database",
    ("parsers/model_file.py", "ZipFile"): "into memory",
    ("parsers/model_file.py", "save"): "into memory",
}
WRITERS = {
    "write_text", "write_bytes", "touch", "mkdir", "makedirs", "mknod", "mkfifo", "rename",
    "renames", "link", "symlink", "symlink_to", "hardlink_to", "link_to", "unlink", "remove",
    "rmdir", "removedirs", "truncate", "chmod", "chown", "copy", "copy2", "copyfile", "copytree",
    "move", "rmtree", "make_archive", "mkstemp", "mkdtemp", "mktemp", "NamedTemporaryFile",
    "TemporaryFile", "SpooledTemporaryFile", "TemporaryDirectory", "GzipFile", "LZMAFile",
    "BZ2File", "ZipFile", "TarFile", "save", "savez", "savez_compressed", "savetxt", "tofile",
    "write_table", "write_feather", "to_parquet", "to_csv", "imwrite", "imwritemulti",
    "FileHandler",
}  # fmt: skip
MODULES = {"os", "shutil", "tempfile", "np", "numpy"}
HARMLESS = {  # what else has such a name
    "remove": "of a list",
    "copy": "of a dict or an array",
    "save": "of the survey's store",
    "link": "of a person, in the survey",
    "move": "of words",
}


def writes(call: ast.Call) -> str | None:
    """Return the name of a called function that can write a file, or None."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    owner = function.value if isinstance(function, ast.Attribute) else None
    module = owner.id if isinstance(owner, ast.Name) else ""
    if name == "open":
        if module == "os":
            return name
        given = [*call.args, *(part.value for part in call.keywords if part.arg == "mode")]
        modes = [part.value for part in given if isinstance(part, ast.Constant)]
        texts = [part for part in modes if isinstance(part, str) and set(part) <= set("rwaxbt+U")]
        return name if any(set(text) & set("wax+") for text in texts) else None
    if name == "replace":  # of a path; texts take two arguments, dataclasses keywords
        alone = len(call.args) == 1 and not call.keywords
        return name if module == "os" or (owner is not None and alone) else None
    if name in HARMLESS and module not in MODULES:
        return None
    return name if name in WRITERS else None


def test_the_search_for_writers_finds_them() -> None:
    for text in (
        "open(p, 'w')", "open(p, mode='ab')", "p.open('x')", "gzip.open(p, 'wt')", "os.open(p, 1)",
        "io.open(p, 'r+')", "p.write_text(t)", "os.replace(a, b)", "a.replace(b)", "a.rename(b)",
        "tempfile.NamedTemporaryFile()", "shutil.move(a, b)", "np.save(p)", "p.mkdir()",
    ):  # fmt: skip
        call = ast.parse(text, mode="eval").body
        assert isinstance(call, ast.Call)
        assert writes(call), text
    for text in ("open(p)", "p.open('rb')", "a.replace('x', 'y')", "replace(a, b=1)", "x.copy()"):
        call = ast.parse(text, mode="eval").body
        assert isinstance(call, ast.Call)
        assert not writes(call), text


def test_files_are_written_in_one_place() -> None:
    found = set()
    calls = re.compile(rf"\b(?:open|replace|{'|'.join(WRITERS)})\s*\(")
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        if name == "io/output.py":
            continue
        text = path.read_text(encoding="utf-8")
        if not calls.search(text):  # most files, and to parse one takes long
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and (called := writes(node)):
                found.add((name, called))
    assert found == set(ALLOWED), "write through kilter.io.output"
