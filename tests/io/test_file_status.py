"""What there is under the name of a file, asked before it is read."""

import ast
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kilter
from kilter.cli.main import run
from kilter.core.errors import InputError
from kilter.io.stream import exists, file_status, is_file, is_folder

SOURCE = Path(kilter.__file__).parent
LONG = "a sentence where a file belongs " * 10
TEXT = str(Path(__file__).parents[2] / "examples" / "local.en")

ASKING_THEMSELVES = {
    "aligners/word_key.py": "a name that was asked for before, and files of its folder",
    "cli/explain.py": "a text that may be a file, which nothing is wrong with if it is none",
    "io/output.py": "every fault of the operating system is explained around it",
    "parsers/spacy.py": "files of a package",
    "run/meta/matched_texts.py": "every fault of the operating system is explained around it",
    "run/cache/cache_folder.py": "files that were found in a folder",
    "study/analysis/running_analysis.py": "files that it has just written",
    "study/design/creation.py": "files of the package",
    "study/instrument/data_file.py": "files of the package",
    "study/instrument/interface.py": "files of the package",
    "study/paper/scan/sheet.py": "files that were found in a folder",
}
"""Modules that ask for files without `file_status`, and why nobody sees a traceback of it."""


def test_files_folders_and_nothing_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "round").symlink_to(tmp_path / "round")
    seen = {
        name: (exists(tmp_path / name), is_file(tmp_path / name), is_folder(tmp_path / name))
        for name in (".", "file", "none", "file/below", "round")
    }
    nothing = (False, False, False)
    assert seen == {
        ".": (True, False, True),
        "file": (True, True, False),
        "none": nothing,
        "file/below": nothing,
        "round": nothing,
    }
    status = file_status(tmp_path / "file")
    assert status is not None
    assert status.st_ino == (tmp_path / "file").stat().st_ino


@pytest.mark.parametrize("name", [LONG, "a\0b"], ids=["long", "nul"])
@pytest.mark.parametrize("ask", [exists, is_file, is_folder])
def test_a_name_that_is_not_taken_is_refused(ask: Callable[[str], bool], name: str) -> None:
    with pytest.raises(InputError, match=r"cannot be opened: (File name too long|the name holds)"):
        ask(name)


def test_a_locked_way_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(_: Path) -> os.stat_result:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", locked)
    with pytest.raises(InputError, match=r"^file: cannot be opened: Permission denied$"):
        exists("file")


COMMANDS = (
    ("score", "-r", TEXT, LONG),
    ("score", "-r", LONG, TEXT),
    ("validate", "-r", TEXT, LONG),
    ("meta", "--judgments", LONG, "-r", TEXT, "--systems", TEXT),
    ("meta", "--judgments", TEXT, "-r", TEXT, "--systems", LONG),
    ("tune", "-m", "pef", "-o", "beta", "--judgments", LONG, "-r", TEXT, "--systems", TEXT),
    ("parse", TEXT, "--cache", LONG),
    ("align", "--source", TEXT, "--target", TEXT, "--cache", LONG),
    ("align", "--source", TEXT, "--target", TEXT, "--aligner", f"hmm:model={LONG}"),
    ("cache", LONG),
    ("published", "pc-2", "--data", LONG),
    ("report", "-r", TEXT, TEXT, "-o", "page.html", "--no-pdf", "--figures", LONG),
    ("parse", TEXT, "--parser", f"conllu:file={LONG}"),
    ("survey", "create", LONG),
    ("survey", "status", LONG),
    ("survey", "analyse", LONG, "-o", "out"),
    ("survey", "print", LONG, "-o", "out"),
    ("survey", "export", LONG, "-o", "out"),
    ("survey", "import", LONG, TEXT),
    ("survey", "erase", LONG, "token"),
    ("survey", "scan", LONG, TEXT, "--forms", LONG),
)


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda words: " ".join(words)[:24])
def test_a_sentence_where_a_file_belongs_is_an_error_of_the_data(
    arguments: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    code = run(list(arguments))
    assert (code, "File name too long" in capsys.readouterr().err) == (3, True)
    assert not list(tmp_path.iterdir())


CALLS: dict[str, Callable[[], Any]] = {
    "read_judgments": lambda: kilter.read_judgments(LONG),
    "parse": lambda: kilter.parse(["a"], cache=LONG),
    "published": lambda: kilter.published("pc-2", data=LONG),
    "meta": lambda: kilter.meta(
        kilter.EvaluationInputs(judgments=LONG, references=(TEXT,), systems=(TEXT,))
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_sentence_where_a_file_belongs_is_an_input_error(call: str) -> None:
    with pytest.raises(InputError, match="File name too long"):
        CALLS[call]()


def test_whoever_asks_for_a_file_asks_here() -> None:
    asking = set()
    questions = {"exists", "is_dir", "is_file"}
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if not any(question in text for question in questions):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Attribute) and node.attr in questions:
                asking.add(path.relative_to(SOURCE).as_posix())
    assert asking == set(ASKING_THEMSELVES)
