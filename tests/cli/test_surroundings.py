"""What surrounds a command: a home that is missing or locked, names that are no text, no place to be."""

import os
import subprocess
from pathlib import Path

import pytest

from kilter.cli.main import run
from tests.cli.command import KILTER
from tests.cli.judged_sample import RANKINGS, TEXTS
from tests.cli.sample import PATHS, REFERENCE, VERB, written
from tests.docs.pages import ROOT
from tests.thorough import some, tried

EXAMPLES = ROOT / "examples"
FEW = ["-m", "kendall", "--resamples", "20"]
VARIABLES = (
    "HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR",
)  # fmt: skip


def ran(arguments: list[str], folder: Path, environment: dict[str, str | None]) -> str:
    """Return what a command prints that works in a folder; None takes a variable away."""
    asked = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    kept = {name: value for name, value in asked.items() if value is not None}
    done = subprocess.run(
        [KILTER, *arguments], cwd=folder, env=kept, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a created study, with its database."""
    folder = str(tmp_path_factory.mktemp("made") / "study")
    assert run(["survey", "create", "--example", folder, "-q"]) == 0
    assert run(["survey", "status", folder]) == 0
    return folder


COMMANDS = {
    "demo": ["demo", "-q", "--report", "/dev/null"],
    "parse": ["parse", VERB],
    "score": ["score", "-r", REFERENCE, VERB, "-m", "all", "--resamples", "20", "-q"],
    "chinese": ["score", "-r", REFERENCE, VERB, *FEW, "--tokenize", "zh"],
    "intl": ["score", "-r", REFERENCE, VERB, "-m", "bleu", "--resamples", "20", "--tokenize", "intl"],
    "compare": ["compare", "-r", REFERENCE, *PATHS, *FEW, "-q"],
    "embedding": ["align", "-r", REFERENCE, VERB, "--aligner", "embedding"],
    "hmm": ["align", "-r", REFERENCE, VERB, "--aligner", "hmm"],
    "perturb": ["perturb", VERB, "-t", "phrase", "-d", "3", "--parser", "model", "-q"],
    "meta": ["meta", *TEXTS, *FEW, "-q"],
    "status": ["survey", "status"],
}  # fmt: skip


def asked(name: str, study: str) -> list[str]:
    return [*COMMANDS[name], study] if name == "status" else COMMANDS[name]


@pytest.mark.parametrize("name", some(COMMANDS, quick=["intl"]))
def test_nothing_is_written_that_nobody_named(name: str, study: str, tmp_path: Path) -> None:
    here, locked = tmp_path / "here", tmp_path / "locked"
    here.mkdir()
    locked.mkdir()
    for variable in VARIABLES:
        (locked / variable).mkdir(mode=0o555)
    arguments = asked(name, study)
    homes: dict[str, dict[str, str | None]] = {
        "locked": {variable: str(locked / variable) for variable in VARIABLES},
        "missing": {variable: str(tmp_path / "missing" / variable) for variable in VARIABLES},
        "none": dict.fromkeys(VARIABLES),
        "at home": dict.fromkeys(VARIABLES) | {"HOME": str(here)},
    }
    del homes["none"]["HOME"]  # without it, the real home would be written to
    tries = tried([*homes], quick=["locked", "at home"])
    printed = {ran(arguments, here, homes[home]) for home in tries}
    assert len(printed) == 1
    appeared = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")}
    assert appeared == {"here", "locked", *(f"locked/{variable}" for variable in VARIABLES)}


def test_the_environment_is_as_before_when_the_model_is_loaded() -> None:
    code = (
        "import os; from kilter.parsers.encoder.encoder import load_encoder; before = dict(os.environ);"
        "assert load_encoder().width == 384; assert dict(os.environ) == before"
    )
    subprocess.run([str(Path(KILTER).with_name("python")), "-c", code], check=True)


def in_place_of(name: str, *arguments: str) -> list[str]:
    """Return arguments with a file name where they say FILE."""
    return [argument.replace("FILE", name) for argument in arguments]


TREES = str(EXAMPLES / "trees.conllu")
ORDERS = str(EXAMPLES / "references.txt")
TAKING_FILES = [
    ["score", "-r", REFERENCE, "FILE"],
    ["score", "-r", "FILE", VERB],
    ["score", "-r", REFERENCE, VERB, "-s", "FILE"],
    ["score", "-r", REFERENCE, VERB, "-a", "FILE"],
    ["score", "-r", REFERENCE, VERB, "--trees", "FILE"],
    ["score", "-r", REFERENCE, VERB, "--segments", "FILE.tsv"],
    ["score", "-r", REFERENCE, VERB, "--aligner", "match:stages=exact+synonym,synonyms=FILE"],
    ["compare", "-r", REFERENCE, VERB, "FILE"],
    ["align", "-r", REFERENCE, "FILE"],
    ["align", "--source", REFERENCE, "--target", "FILE"],
    ["align", "-r", REFERENCE, VERB, "--aligner", "hmm:model=FILE"],
    ["parse", "FILE"],
    ["parse", VERB, "--parser", "perceptron", "-o", "FILE"],
    ["parse", VERB, "--parser", "conllu:file=FILE"],
    ["validate", "-r", REFERENCE, "FILE"],
    ["perturb", "FILE"],
    ["permutation", "FILE"],
    ["reorder", "make", "-s", REFERENCE, "-a", "FILE"],
    ["reorder", "score", "FILE", VERB],
    ["reorder", "lint", "-s", REFERENCE, "-t", REFERENCE, "-a", "FILE"],
    ["preorder", "apply", "-r", "FILE.toml", TREES],
    ["preorder", "apply", "-r", "r4", "FILE"],
    ["preorder", "evaluate", "-r", "r4", "-R", ORDERS, "FILE"],
    ["preorder", "analyse", "-r", "r4", "-R", ORDERS, "FILE"],
    ["preorder", "select", "-r", "r4", "-R", ORDERS, "FILE"],
    ["meta", "--judgments", "FILE", "-r", REFERENCE, "--systems", VERB],
    ["meta", "--judgments", RANKINGS, "-r", REFERENCE, "--systems", "FILE"],
    ["meta", "--evaluation", "FILE"],
    ["meta", *TEXTS, "--plot", "FILE.svg"],
    ["meta", "sensitivity", "FILE"],
    ["tune", "--judgments", "FILE", "-r", REFERENCE, "--systems", VERB, "-m", "full", "-o", "alpha"],
    ["survey", "create", "FILE"],
    ["survey", "create", "--example", "FILE"],
    ["survey", "serve", "FILE"],
    ["survey", "serve", "STUDY", "--database", "sqlite:///FILE"],
    ["survey", "status", "FILE"],
    ["survey", "status", "STUDY", "--database", "sqlite:///FILE"],
    ["survey", "export", "STUDY", "-o", "FILE"],
    ["survey", "import", "STUDY", "FILE"],
    ["survey", "erase", "FILE", "1"],
    ["survey", "simulate", "STUDY", "-o", "FILE"],
    ["survey", "simulate", "STUDY", "-o", "new", "--effects", "FILE"],
    ["survey", "analyse", "FILE", "-o", "new"],
    ["survey", "print", "STUDY", "-o", "FILE"],
    ["survey", "scan", "STUDY", VERB, "--forms", "FILE"],
]  # fmt: skip
taking_files = pytest.mark.parametrize("arguments", TAKING_FILES, ids=" ".join)


@taking_files
def test_a_name_that_is_no_text_is_refused(
    arguments: list[str],
    study: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"syst\xe8me")
    Path(name).write_bytes(Path(VERB).read_bytes())
    given = in_place_of(name, *[part.replace("STUDY", study) for part in arguments])
    assert run(given) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "syst\\xe8me" in said.err
    assert "is not UTF-8; if it is a file, rename it\n" in said.err
    assert said.err.count("\n") == 1
    assert len(list(tmp_path.iterdir())) == 1


def test_an_argument_that_is_no_text_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "-r", REFERENCE, VERB, "--name", os.fsdecode(b"syst\xe8me")]) == 2
    assert capsys.readouterr().err.startswith("kilter: syst\\xe8me is not UTF-8")


def test_a_system_in_a_folder_whose_name_is_no_text_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, os.fsdecode(b"syst\xe8me"), Path(VERB).read_bytes())
    judged = ["meta", "--judgments", RANKINGS, "-r", REFERENCE, "--systems", str(tmp_path), *FEW]
    assert run(judged) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"kilter: {tmp_path}/syst\\xe8me: the name is not UTF-8; rename the file\n"


@taking_files
def test_a_working_directory_that_was_removed_is_one_line(
    arguments: list[str],
    study: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    given = in_place_of("file", *[part.replace("STUDY", study) for part in arguments])
    code = run(given)
    monkeypatch.undo()
    assert code == 3
    said = capsys.readouterr()
    assert said.err.startswith("kilter: ")
    assert said.err.count("\n") == 1
    assert not gone.exists()


def test_whole_paths_lead_anywhere_from_a_removed_directory(tmp_path: Path) -> None:
    segments = tmp_path / "segments.tsv"
    command = [KILTER, "score", "-r", REFERENCE, *PATHS, *FEW, "--segments", str(segments)]
    (tmp_path / "gone").mkdir()
    leaving = 'cd "$0/gone" && rmdir "$0/gone" && exec "$@"'
    done = subprocess.run(
        ["/bin/sh", "-c", leaving, str(tmp_path), *command], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert segments.exists()
