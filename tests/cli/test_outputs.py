"""Every command that writes a file or a folder, and everything that can be at its place."""

import os
import re
import signal
import stat
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kilter.cli.main import run
from tests.cli.command import KILTER
from tests.cli.judged_sample import TEXTS
from tests.cli.sample import REFERENCE, VERB, written
from tests.conllu_text import CATS, DOGS, conllu
from tests.thorough import some

Captured = pytest.CaptureFixture[str]
ORDERS = "Cats {{ night at }} small mice chase .\nDogs sleep .\n"
FEW = ["-m", "kendall", "--resamples", "20"]


def inputs(path: str) -> Path:
    """Return the folder for inputs that belongs to a path of an output."""
    return next(folder.parent for folder in Path(path).parents if folder.name == "outputs")


def score(path: str) -> list[str]:
    return ["score", "-r", REFERENCE, VERB, *FEW, "--segments", path]


def parse(path: str) -> list[str]:
    return ["parse", VERB, "--parser", "perceptron", "-o", path]


def meta(path: str) -> list[str]:
    return ["meta", *TEXTS, *FEW, "--plot", path]


def tune(path: str) -> list[str]:
    asked = ["-m", "full", "-o", "alpha", "--steps", "2", "--folds", "2"]
    return ["tune", *TEXTS, *asked, "--plot", path]


def reorder(path: str) -> list[str]:
    text = written(inputs(path), "orders", "a b c\n")
    return ["reorder", "score", text, written(Path(text).parent, "system", "a c b\n"), "--segments", path]  # fmt: skip


def explain(path: str) -> list[str]:
    return ["explain", "-r", REFERENCE, VERB, "-m", "kendall", "--segment", "1", "-o", path]


def trees(path: str) -> list[str]:
    folder = inputs(path)
    orders = written(folder, "references.txt", ORDERS)
    return ["-r", "r4", "-R", orders, written(folder, "a.conllu", conllu(CATS, DOGS))]


def evaluate(path: str) -> list[str]:
    return ["preorder", "evaluate", *trees(path), "--segments", path]


def select(path: str) -> list[str]:
    other = written(inputs(path), "b.conllu", conllu(CATS, DOGS))
    return ["preorder", "select", *trees(path), other, "--statistics", path]


def report(path: str) -> list[str]:
    return ["report", "-r", REFERENCE, VERB, *FEW, "-o", path]


def permutation(path: str) -> list[str]:
    return ["permutation", written(inputs(path), "orders.txt", "2 1 3\n3 1 2\n"), "-o", path]


FILES = {
    "permutation.csv.gz": permutation,
    "permutation.parquet": permutation,
    "report.html": report,
    "trees": parse,
    "trees.gz": parse,
    "trees.xz": parse,
    "explain.txt": explain,
    "score.tsv": score,
    "score.jsonl.gz": score,
    "score.parquet": score,
    "reorder.tsv": reorder,
    "evaluate.tsv": evaluate,
    "select.tsv": select,
    "meta.svg": meta,
    "meta.png": meta,
    "tune.svg": tune,
}
QUICK = ["trees.gz", "explain.txt", "score.parquet", "reorder.tsv", "meta.svg"]
"""One file of each way to write: packed, as text, by another package, row by row, as a picture."""
every_file = pytest.mark.parametrize(
    ("name", "command"),
    some(FILES.items(), quick=[(name, FILES[name]) for name in QUICK], rows=True),
    ids=FILES,
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return an empty folder for outputs; inputs go elsewhere."""
    folder = tmp_path / "outputs"
    folder.mkdir()
    return folder


def told(capfd: Captured, arguments: list[str]) -> str:
    """Return the one line that says why a command with exit code 3 wrote nothing."""
    assert run(arguments) == 3
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("kilter: ")
    return said.err


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@every_file
def test_files_and_links_keep_what_they_are(
    name: str, command: Callable[[str], list[str]], place: Path, capfd: Captured
) -> None:
    old, new = place / name, place / f"new.{name}"
    old.touch(mode=0o600)
    (place / f"link.{name}").symlink_to(name)
    (place / f"dangling.{name}").symlink_to(new.name)
    for given in (f"link.{name}", f"dangling.{name}", name):
        assert run(command(str(place / given))) == 0, capfd.readouterr().err
    assert stat.S_IMODE(old.stat().st_mode) == 0o600
    assert old.read_bytes() == new.read_bytes() != b""
    assert (place / f"link.{name}").is_symlink()
    assert (place / f"dangling.{name}").is_symlink()
    assert len(names(place)) == 4


@every_file
def test_what_cannot_be_written_is_one_line_before_anything_is_computed(
    name: str,
    command: Callable[[str], list[str]],
    place: Path,
    capfd: Captured,
) -> None:
    (place / "folder" / name).mkdir(parents=True)
    locked = place / name
    locked.write_bytes(b"old")
    locked.chmod(0o400)
    for path, reason in (
        (place / "folder" / name, "it is a directory"),
        (locked, "it is read-only"),
        (place / "missing" / name, "its folder does not exist"),
    ):
        said = told(capfd, command(str(path)))
        assert f"{path}: cannot be written: {reason}" in said
    assert locked.read_bytes() == b"old"
    assert names(place) == sorted(["folder", name])


@pytest.mark.parametrize(
    ("name", "command"),
    some(FILES.items(), quick=[("meta.svg", meta)], rows=True),
    ids=FILES,
)
def test_pipes_and_devices_are_written_to(
    name: str, command: Callable[[str], list[str]], place: Path, capfd: Captured
) -> None:
    assert run(command(str(place / name))) == 0
    expected = (place / name).read_bytes()
    printed = capfd.readouterr().out.encode()
    pipe = place / f"pipe.{name}"
    os.mkfifo(pipe)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert run(command(str(pipe))) == 0
    reader.join(timeout=60)
    assert heard == [expected]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    for device in ("null", "full", "stdout"):
        (place / f"{device}.{name}").symlink_to(f"/dev/{device}")
    capfd.readouterr()
    assert run(command(str(place / f"null.{name}"))) == 0
    capfd.readouterr()
    said = told(capfd, command(str(place / f"full.{name}")))
    assert f"full.{name}: cannot be written: No space left on device" in said
    for device in ("null", "full"):
        assert stat.S_ISCHR(Path(f"/dev/{device}").stat().st_mode)
    with (place / "out").open("wb") as out:
        arguments = command(str(place / f"stdout.{name}"))
        subprocess.run([KILTER, *arguments], stdout=out, stderr=subprocess.DEVNULL, check=True)
    everything = (place / "out").read_bytes()
    assert min(everything.find(expected), everything.find(printed)) == 0
    assert len(everything) == len(expected) + len(printed)


def model(path: str) -> list[str]:
    return ["align", "-r", REFERENCE, VERB, "--aligner", f"ibm1:model={path}"]


def test_a_model_is_written_where_a_link_leads_or_refused_before_training(
    place: Path, capfd: Captured
) -> None:
    (place / "link").symlink_to("model")
    assert run(model(str(place / "link"))) == 0
    assert names(place) == ["link", "model"]
    links = capfd.readouterr().out
    assert run(model(str(place / "model"))) == 0
    assert capfd.readouterr().out == links
    (place / "folder").mkdir()
    for name, reason in (
        ("missing/model", "its folder does not exist"),
        ("folder", "the model cannot be read: Is a directory"),
    ):
        assert reason in told(capfd, model(str(place / name)))
    assert names(place) == ["folder", "link", "model"]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a created study."""
    folder = tmp_path_factory.mktemp("made") / "study"
    assert run(["survey", "create", "--example", str(folder), "-q"]) == 0
    return str(folder)


FOLDERS: dict[str, Callable[[str, str], list[str]]] = {
    "create": lambda _, path: ["create", "--example", path],
    "export": lambda study, path: ["export", study, "-o", path],
    "parquet": lambda study, path: ["export", study, "--format", "parquet", "-o", path],
    "simulate": lambda study, path: ["simulate", study, "-o", path],
}
every_folder = pytest.mark.parametrize("kind", some(FOLDERS, quick=["create", "export"]))


@pytest.mark.parametrize("kind", some(FOLDERS, quick=["export"]))
def test_folders_appear_where_links_lead(kind: str, study: str, place: Path) -> None:
    (place / "empty").mkdir(mode=0o700)
    (place / "link").symlink_to("empty")
    (place / "dangling").symlink_to("new")
    before = os.umask(0o027)
    try:
        for name in ("link", "dangling", "deep/folder"):
            assert run(["survey", *FOLDERS[kind](study, str(place / name))]) == 0
    finally:
        os.umask(before)
    assert names(place) == ["dangling", "deep", "empty", "link", "new"]
    assert names(place / "empty") == names(place / "new") == names(place / "deep/folder")
    assert stat.S_IMODE((place / "empty").stat().st_mode) == 0o700
    assert stat.S_IMODE((place / "new").stat().st_mode) == 0o750


@every_folder
def test_what_is_no_new_folder_stays(kind: str, study: str, place: Path, capfd: Captured) -> None:
    (place / "file").write_bytes(b"old")
    os.mkfifo(place / "pipe")
    (place / "locked").mkdir(mode=0o555)
    before = names(place)
    for path, reason in (
        (str(place / "file"), "exists and is not empty"),
        (str(place), "exists and is not empty"),
        (str(place / "pipe"), "exists and is not empty"),
        (str(place / "locked"), "cannot be written: it is read-only"),
        (str(place / "file" / "folder"), "cannot be written: Not a directory"),
        ("/dev/full", "exists and is not empty"),
        ("/dev/null", "exists and is not empty"),
    ):
        assert reason in told(capfd, ["survey", *FOLDERS[kind](study, path)])
    assert names(place) == before
    assert (place / "file").read_bytes() == b"old"
    assert stat.S_ISFIFO((place / "pipe").stat().st_mode)


def test_booklets_are_not_written_over_what_is_there(
    study: str, place: Path, capfd: Captured
) -> None:
    (place / "link").symlink_to("booklets")
    asked = ["survey", "print", study, "--questionnaire", "1", "-q", "-o"]
    assert run([*asked, str(place / "link")]) == 0
    printed = names(place / "booklets")
    assert printed == [
        "consent.form.json",
        "consent.pdf",
        "debriefing.pdf",
        "information.pdf",
        "questionnaire-1-1.pdf",
        "questionnaire-1.form.json",
    ]
    before = (place / "booklets" / printed[0]).stat()
    assert run([*asked, str(place / "booklets")]) == 0
    assert (place / "booklets" / printed[0]).stat().st_ino == before.st_ino
    (place / "file").touch()
    for path in (place / "file", place / "file" / "folder", Path("/dev/null")):
        assert "cannot be written: " in told(capfd, [*asked, str(path)])
    (place / "taken" / printed[1]).mkdir(parents=True)
    assert "exists; name another folder" in told(capfd, [*asked, str(place / "taken")])


def test_a_study_is_created_completely_or_can_be_created_again(
    place: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "kilter.study.design.item.QUESTIONNAIRE_FILE", "missing/questionnaires.jsonl"
    )
    folder = place / "study"
    told(capfd, ["survey", "create", "--example", str(folder)])
    assert not {"keys.json", "items.jsonl"} & {*names(folder)}
    monkeypatch.undo()
    assert run(["survey", "create", str(folder)]) == 0
    assert stat.S_IMODE((folder / "keys.json").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "number", some([signal.SIGTERM, signal.SIGINT, signal.SIGHUP], quick=[signal.SIGTERM])
)
def test_a_command_that_is_ended_leaves_no_file(number: signal.Signals, place: Path) -> None:
    text = written(place.parent, "text", "The old dog sleeps under the big tree .\n" * 200_000)
    old = place / "trees.conllu"
    old.write_bytes(b"old")
    with subprocess.Popen(
        [KILTER, "parse", text, "--parser", "perceptron", "-o", str(old)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        for _ in range(600):  # a minute, until it writes
            if len(names(place)) > 1:
                break
            time.sleep(0.1)
        assert len(names(place)) == 2
        process.send_signal(number)
        said = process.communicate()
    assert said == (b"", b"\n" if number == signal.SIGINT else b"")
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert names(place) == ["trees.conllu"]
    assert old.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("name", "command"), some(FILES.items(), quick=[("trees", parse)], rows=True), ids=FILES
)
def test_a_disk_that_fills_up_is_one_line_and_leaves_nothing(
    name: str, command: Callable[[str], list[str]], place: Path
) -> None:
    path = place / name
    path.write_bytes(b"old")
    done = limited(command(str(path)))
    assert done.returncode == 3
    assert (
        done.stderr.decode().splitlines()[-1]
        == f"kilter: {path}: cannot be written: File too large"
    )
    assert names(place) == [name]
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("kind", some(FOLDERS, quick=["export"]))
def test_a_disk_that_fills_up_leaves_no_folder(kind: str, study: str, place: Path) -> None:
    done = limited(["survey", *FOLDERS[kind](study, str(place / "new"))])
    assert done.returncode == 3
    said = done.stderr.decode()
    assert said.count("\n") == 1
    assert re.search("cannot be written: File too large|cannot be used: disk I/O error", said)
    assert names(place) == []


def limited(arguments: list[str]) -> subprocess.CompletedProcess[bytes]:
    """Run the command where no file may have a single byte, as on a disk that is full."""
    shell = ["/bin/sh", "-c", 'ulimit -f 0; exec "$@"', "sh", KILTER]
    return subprocess.run([*shell, *arguments], capture_output=True, check=False)


def test_a_dash_is_standard_output(
    place: Path, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    monkeypatch.chdir(place)
    assert run(parse("-")) == 0
    assert capfd.readouterr().out.startswith("# generator")
    assert names(place) == []


def test_a_reader_of_trees_may_leave_early(place: Path) -> None:
    command = [KILTER, *parse("/dev/stdout")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert (process.wait(), process.stderr.read()) == (0, b"")
    assert names(place) == []
