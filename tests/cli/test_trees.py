"""Trees on the command line: score, compare and validate."""

import json
from pathlib import Path

import pytest

from kilter.cli.main import run
from tests.cli.command import kilter
from tests.cli.sample import written

Captured = pytest.CaptureFixture[str]
EXAMPLES = Path(__file__).parents[2] / "examples"
SYSTEM, REFERENCE = (str(EXAMPLES / f"trees-{name}.en") for name in ("system", "reference"))
SYSTEM_TREES, REFERENCE_TREES = (
    str(EXAMPLES / f"trees-{name}.conllu") for name in ("system", "reference")
)
GIVEN = ["--trees", SYSTEM_TREES, "--trees-reference", REFERENCE_TREES]


def scores(capsys: Captured, *arguments: str) -> dict[str, dict[str, float]]:
    assert run(["score", "-r", REFERENCE, SYSTEM, "--format", "json", *arguments]) == 0
    found: dict[str, dict[str, float]] = json.loads(capsys.readouterr().out)["systems"][0]["scores"]
    return found


def test_trees_on_file_are_scored(capsys: Captured) -> None:
    found = scores(capsys, *GIVEN, "-m", "dted", "-m", "derp", "-m", "derp-reference")
    assert list(found) == ["dted", "derp", "derp-reference"]
    assert all(0.0 < entry["score"] < 1.0 for entry in found.values())


def test_all_includes_the_tree_metrics_only_with_trees(capsys: Captured) -> None:
    assert {"dted", "derp", "derp-reference"} <= set(scores(capsys, "-m", "all", *GIVEN))
    assert not {"dted", "derp", "derp-reference"} & set(scores(capsys, "-m", "all"))


def test_threads_change_no_byte(capsys: Captured) -> None:
    outputs = []
    for jobs in ("1", "3"):
        assert run(["score", "-r", REFERENCE, SYSTEM, "-m", "all", "-j", jobs, *GIVEN]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


def test_systems_with_trees_are_compared(capsys: Captured) -> None:
    arguments = [
        "compare", "-r", REFERENCE, SYSTEM, REFERENCE, "-m", "dted", "--format", "json", "--name", "a",
        "--name", "b", "--trees", SYSTEM_TREES, "--trees", REFERENCE_TREES,
        "--trees-reference", REFERENCE_TREES,
    ]  # fmt: skip
    assert run(arguments) == 0
    assert json.loads(capsys.readouterr().out)


def test_inputs_that_fit_are_said_to_fit(capsys: Captured) -> None:
    assert run(["validate", "-r", REFERENCE, SYSTEM, *GIVEN]) == 0
    assert capsys.readouterr().err == "kilter: no problem in 4 files with 3 segments\n"
    assert run(["validate", "--trees", SYSTEM_TREES]) == 0
    assert capsys.readouterr().err == "kilter: no problem in 1 file\n"


def test_every_problem_of_trees_is_listed(tmp_path: Path) -> None:
    wrong = written(tmp_path, "wrong.conllu", "1\ta\t_\tX\t_\t_\t2\tdep\t_\t_\n\n1 a\n")
    found = kilter(
        "validate", "-r", REFERENCE, SYSTEM, "--trees", REFERENCE_TREES, "--trees-reference", wrong,
        "--trees-source", wrong,
    )  # fmt: skip
    assert found.code == 3
    lines = found.out.splitlines()
    assert lines[0] == (
        f"{REFERENCE_TREES}:1 (sentence 1): word 1 of the tree is 'the', but that of line 1 of {SYSTEM} is "
        "'yesterday'; give the trees of this text"
    )
    assert lines[1] == (
        f"{REFERENCE_TREES}:12 (sentence 2): the tree has 8 words, but line 2 of {SYSTEM} has 7; trees and "
        "text must be split into the same words"
    )
    places = [line.removeprefix(wrong).split(":")[1] for line in lines if line.startswith(wrong)]
    assert places == ["1", "3", "1", "3"]


def test_the_number_of_files_must_be_that_of_the_texts() -> None:
    found = kilter(
        "score", "-r", REFERENCE, SYSTEM, "--trees", SYSTEM_TREES, "--trees", SYSTEM_TREES
    )
    assert found.code == 2
    assert "--trees is given 2 times; give it 1 time, once for each system" in found.err
    found = kilter("score", "-r", REFERENCE, SYSTEM, "--trees-source", SYSTEM_TREES)
    assert found.code == 2
    assert "--trees-source needs the source text" in found.err
    found = kilter("validate", "-r", REFERENCE, SYSTEM, *["--trees", SYSTEM_TREES] * 2)
    assert found.code == 3
    assert "2 files of trees for 1 system; give 1" in found.out


def test_a_missing_tree_is_a_usage_error_with_the_option_that_gives_it() -> None:
    found = kilter("score", "-r", REFERENCE, SYSTEM, "-m", "dted", "--trees", SYSTEM_TREES)
    assert found.code == 2
    assert "dted needs trees" in found.err
    assert found.err.endswith("or let a parser make them: --parser model\n")


def test_trees_of_another_text_are_a_data_error() -> None:
    found = kilter(
        "score", "-r", REFERENCE, SYSTEM, "--trees", REFERENCE_TREES, "--trees-reference", REFERENCE_TREES,
        "-m", "kendall",
    )  # fmt: skip
    assert found.code == 3
    assert "(sentence 1): word 1 of the tree is 'the', but that of line 1 of" in found.err
    assert "trees-system.en is 'yesterday'" in found.err


def test_several_roots_are_told_on_standard_error(tmp_path: Path) -> None:
    text = written(tmp_path, "a.txt", "x y\n")
    row = "{0}\t{1}\t_\tX\t_\t_\t0\troot\t_\t_\n"
    trees = written(tmp_path, "a.conllu", row.format(1, "x") + row.format(2, "y") + "\n")
    reference = written(tmp_path, "b.txt", "x y\n")
    command = [
        "score",
        "-r",
        reference,
        text,
        "-m",
        "dted",
        "--trees",
        trees,
        "--trees-reference",
        trees,
    ]
    found = kilter(*command)
    assert found.code == 0
    assert f"kilter: {trees}:1: has several roots; all but the first were attached" in found.err
    assert kilter(*command, "-q").err == ""


def test_trees_can_come_from_standard_input() -> None:
    data = Path(SYSTEM_TREES).read_bytes()
    command = ["score", "-r", REFERENCE, SYSTEM, "-m", "dted", "--trees-reference", REFERENCE_TREES]
    piped = kilter(*command, "--trees", "-", stdin=data)
    assert piped.code == 0
    assert piped.out == kilter(*command, "--trees", SYSTEM_TREES).out
    twice = kilter(*command[:-1], "-", "--trees", "-", stdin=data)
    assert twice.code == 2
    assert "only one input can come from standard input" in twice.err


def test_segments_are_not_written_over_trees(tmp_path: Path) -> None:
    trees = written(tmp_path, "trees.tsv", Path(SYSTEM_TREES).read_text(encoding="utf-8"))
    found = kilter(
        "score", "-r", REFERENCE, SYSTEM, "--trees", trees, "--trees-reference", REFERENCE_TREES,
        "-m", "dted", "--segments", trees,
    )  # fmt: skip
    assert found.code == 2
    assert Path(trees).read_text(encoding="utf-8").startswith("# sent_id = 1")
