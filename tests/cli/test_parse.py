"""`kilter parse`."""

import gzip
from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.io.conllu import read_conllu
from kilter.io.stream import ByteSource
from tests.cli.command import kilter
from tests.cli.sample import REFERENCE, written

Captured = pytest.CaptureFixture[str]


def ran(capsys: Captured, *arguments: str) -> str:
    assert run(["parse", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


@pytest.fixture
def text(tmp_path: Path) -> str:
    """Return the name of a text of three lines, the second empty."""
    return written(tmp_path, "text", "Dogs bark loudly.\n\nA fine day\n")


def test_every_line_becomes_a_sentence(text: str, capsys: Captured) -> None:
    assert ran(capsys, text) == (
        "# generator = kilter 0.1.0 model(version:1.0.0) tok:13a\n"
        "# sent_id = 1\n"
        "# text = Dogs bark loudly .\n"
        "1\tDogs\t_\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
        "2\tbark\t_\tVERB\tVBP\t_\t0\troot\t_\t_\n"
        "3\tloudly\t_\tADV\tRB\t_\t2\tadvmod\t_\t_\n"
        "4\t.\t_\tPUNCT\t.\t_\t2\tpunct\t_\t_\n"
        "\n"
        "# sent_id = 2\n"
        "# text =\n"
        "\n"
        "# sent_id = 3\n"
        "# text = A fine day\n"
        "1\tA\t_\tDET\tDT\t_\t3\tdet\t_\t_\n"
        "2\tfine\t_\tADJ\tJJ\t_\t3\tamod\t_\t_\n"
        "3\tday\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n"
        "\n"
    )


def test_words_can_be_taken_as_they_stand(text: str, capsys: Captured) -> None:
    assert "# text = Dogs bark loudly.\n" in ran(capsys, text, "--tokenize", "none")


def test_a_file_appears_with_what_standard_output_would_get(
    tmp_path: Path, capsys: Captured
) -> None:
    target = tmp_path / "trees.conllu"
    assert ran(capsys, str(REFERENCE), "-o", str(target), "-j", "2") == ""
    assert target.read_text(encoding="utf-8") == ran(capsys, str(REFERENCE))
    lines = Path(REFERENCE).read_text(encoding="utf-8").splitlines()
    assert len(read_conllu(ByteSource(str(target))).trees) == len(lines)


def test_blocks_are_numbered_on(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, "many", "one two\nthree\n\nfour five\nsix\n")
    whole = ran(capsys, path)
    monkeypatch.setattr("kilter.run.parse.BLOCK", 2)
    assert ran(capsys, path) == whole
    assert whole.count("# generator") == 1
    assert "# sent_id = 5\n" in whole


def test_trees_that_were_written_can_be_read_as_a_parser(text: str, capsys: Captured) -> None:
    target = f"{text}.conllu"
    ran(capsys, text, "-o", target)
    again = ran(capsys, text, "--parser", f"conllu:file={target}")
    expected = Path(target).read_text(encoding="utf-8")
    assert again.splitlines()[1:] == expected.splitlines()[1:]


def test_standard_input_is_a_text_too() -> None:
    outcome = kilter("parse", "-", "--tokenize", "none", stdin=b"Birds sing .\n")
    assert outcome.code == 0
    assert outcome.err == ""
    assert "2\tsing\t_\tVERB\tVBP\t_\t0\troot\t_\t_\n" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--parser", "modle"], 2, "there is no parser 'modle'; did you mean model?"),
        (["--tokenize", "words"], 2, "there is no tokeniser 'words'"),
        (["--parser", "model:folder=nowhere"], 3, "nowhere/config.json: cannot be read"),
        (["-o", "nowhere/trees.conllu"], 3, "cannot be written"),
    ],
)
def test_mistakes_are_one_line(
    text: str, arguments: list[str], code: int, message: str, capsys: Captured
) -> None:
    assert run(["parse", text, *arguments]) == code
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_the_text_is_not_overwritten(text: str, capsys: Captured) -> None:
    assert run(["parse", text, "-o", text]) == 2
    assert "would replace an input; choose another name" in capsys.readouterr().err


def test_trees_that_are_read_are_not_overwritten(
    text: str, tmp_path: Path, capsys: Captured
) -> None:
    trees = str(tmp_path / "trees.conllu")
    assert run(["parse", text, "--parser", "perceptron", "-o", trees]) == 0
    before = Path(trees).read_bytes()
    assert run(["parse", text, "--parser", f"conllu:file={trees}", "-o", trees]) == 2
    assert "would replace an input" in capsys.readouterr().err
    assert Path(trees).read_bytes() == before


def test_a_name_in_gz_is_compressed_and_read_back(text: str, tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.conllu", tmp_path / "a.conllu.gz"
    for path in (plain, packed):
        assert run(["parse", text, "--parser", "perceptron", "-o", str(path)]) == 0
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    again = tmp_path / "b.conllu"
    assert run(["parse", text, "--parser", f"conllu:file={packed}", "-o", str(again)]) == 0
    assert again.read_text(encoding="utf-8").count("\n\n") == plain.read_text(
        encoding="utf-8"
    ).count("\n\n")


def test_any_number_of_workers_writes_the_same_trees(text: str, capsys: Captured) -> None:
    asked = [text, "--parser", "perceptron"]
    assert ran(capsys, *asked, "--workers", "2") == ran(capsys, *asked)
