"""Score files of mt-metrics-eval."""

from pathlib import Path

import pytest

import kilter
from kilter.adapters.mt_metrics_eval import read_scores, segment_lines, system_lines
from kilter.core.errors import InputError

RESULT = kilter.score(
    {"A": ["the mat sat on the cat", "a b"], "B 2": ["the cat", "b a"]},
    ["the cat sat on the mat", "a b"],
    metrics=["pef", "kendall"],
)


def written(folder: Path, lines: list[str]) -> str:
    path = folder / "metric.seg.score"
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("metric", ["pef", "kendall"])
def test_segment_scores_survive_writing_and_reading(metric: str, tmp_path: Path) -> None:
    path = written(tmp_path, list(segment_lines(RESULT, metric)))
    assert read_scores(path) == {
        system: RESULT.segment_arrays[metric, system].tolist() for system in ("A", "B 2")
    }


def test_system_scores_survive_writing_and_reading(tmp_path: Path) -> None:
    path = written(tmp_path, list(system_lines(RESULT, "pef")))
    expected = {system: [scores["pef"].score] for system, scores in RESULT.systems.items()}
    assert read_scores(path) == expected


def test_rows_are_system_tab_score() -> None:
    assert list(segment_lines(RESULT, "kendall"))[1] == "A\t1.0"


def test_none_is_a_missing_score(tmp_path: Path) -> None:
    assert read_scores(written(tmp_path, ["A\tNone", "A\t0.5"])) == {"A": [None, 0.5]}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["A 0.5"], ":1: is not SYSTEM, a tab, SCORE"),
        (["A\t0.5", "\t0.5"], ":2: is not SYSTEM, a tab, SCORE"),
        (["A\t0.5", ""], ":2: is not SYSTEM, a tab, SCORE"),
        (["A\tx"], ":1: score is 'x', which is not a number"),
        (["A\t0.5\t0.6"], ":1: is not SYSTEM, a tab, SCORE"),
        (["A\t1", "A\t-inf"], ":2: score is '-inf', which is not a number"),
        (["A\t1", "A\t2", "B\t1"], "systems have from 1 to 2 rows"),
        ([], ":1: the file is empty"),
    ],
)
def test_bad_files_are_refused_with_their_line(
    lines: list[str], message: str, tmp_path: Path
) -> None:
    path = written(tmp_path, lines)
    with pytest.raises(InputError) as raised:
        read_scores(path)
    assert str(raised.value).startswith(path)
    assert message in str(raised.value)
