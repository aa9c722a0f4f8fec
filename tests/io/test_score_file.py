"""Files of segment scores."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError
from kilter.io.score_file import (
    WHOLE,
    ScoreRow,
    read_metric_scores,
    read_score_rows,
    score_matrix,
    statistic_rows,
    statistics_cell,
)
from kilter.io.stream import ByteSource
from tests.docs.pages import ROOT


def source(folder: Path, *lines: str) -> ByteSource:
    path = folder / "scores.tsv"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return ByteSource(str(path))


@pytest.mark.parametrize("header", [[], ["system\tsegment\tscore"]])
def test_three_fields_are_system_segment_score(tmp_path: Path, header: list[str]) -> None:
    found = read_metric_scores(source(tmp_path, *header, "A\t2\t0.5", "B\t1\t"), name="mine")
    start = len(header) + 1
    assert found == {"mine": [ScoreRow("A", 1, 0.5, start), ScoreRow("B", 0, None, start + 1)]}


def test_the_long_table_names_its_metrics(tmp_path: Path) -> None:
    rows = ["system\tsegment\tmetric\tscore", "A\t1\tpef\t0.5", "A\t1\tulam\t1"]
    found = read_metric_scores(source(tmp_path, *rows), name="unused")
    assert {name: row.score for name, (row,) in found.items()} == {"pef": 0.5, "ulam": 1.0}


def json_lines(folder: Path, *lines: str) -> ByteSource:
    path = folder / "scores.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return ByteSource(str(path))


def test_json_lines_that_score_writes_are_read_as_its_table_is(tmp_path: Path) -> None:
    rows = [
        '{"system": "A", "segment": 1, "metric": "pef", "score": 0.1, "margin": 0.2, "statistics": "0.1 1.0"}',
        '{"segment": 2, "system": "A", "metric": "pef", "score": null, "margin": 0.2, "statistics": "0.0 0.0"}',
    ]
    found = read_metric_scores(json_lines(tmp_path, *rows), name="unused")
    assert found == {
        "pef": [ScoreRow("A", 0, 0.1, 1, "0.1 1.0"), ScoreRow("A", 1, None, 2, "0.0 0.0")]
    }
    plain = '{"system": "A", "segment": 3, "score": 4}'
    assert read_metric_scores(json_lines(tmp_path, plain), name="mine") == {
        "mine": [ScoreRow("A", 2, 4.0, 1)]
    }


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "scores.jsonl:2: is not JSON"),
        ("[]", "scores.jsonl:2: is not a JSON object with keys"),
        ('{"system": "A", "segment": 1, "score": 1, "x": 1}', "2: has the keys system, segment"),
        ('{"system": "A", "segment": 0, "score": 1}', "2: segment is '0'"),
        ('{"system": "A", "segment": 1, "score": true}', "2: score"),
    ],
)
def test_json_lines_that_are_no_scores_are_refused(tmp_path: Path, line: str, message: str) -> None:
    first = '{"system": "A", "segment": 1, "score": 1}'
    with pytest.raises(InputError, match=message):
        read_metric_scores(json_lines(tmp_path, first, line), name="mine")


def test_two_fields_are_segments_in_order(tmp_path: Path) -> None:
    rows = read_score_rows(source(tmp_path, "A\t1", "A\tNone", "B\t3", "B\t4"))
    assert [(row.system, row.segment, row.score) for row in rows] == [
        ("A", 0, 1.0),
        ("A", 1, None),
        ("B", 0, 3.0),
        ("B", 1, 4.0),
    ]


def test_scores_are_laid_out_by_system_and_segment() -> None:
    rows = [ScoreRow("B", 1, 0.5, 1), ScoreRow("A", 0, 1.0, 2), ScoreRow("Z", 9, 0.0, 3)]
    found = score_matrix(rows, ["A", "B"], 2, where="file")
    assert np.array_equal(found, [[1.0, np.nan], [np.nan, 0.5]], equal_nan=True)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([ScoreRow("A", 2, 1.0, 7)], "file:7: scores segment 3, but there are 2"),
        (
            [ScoreRow("A", 0, 1.0, 1), ScoreRow("A", 0, 1.0, 2)],
            "file:2: scores segment 1 of A a second time",
        ),
        ([], "file: has no score of 'A'"),
    ],
)
def test_what_does_not_fit_is_refused(rows: list[ScoreRow], message: str) -> None:
    with pytest.raises(InputError, match=message):
        score_matrix(rows, ["A"], 2, where="file")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["A\t0\t1"], ":1: segment is '0'; segments are numbered from 1 to"),
        (["A\t2147483648\t1"], ":1: segment is '2147483648'; segments are numbered from 1 to"),
        (["A\t1\tx"], ":1: score is 'x', which is not a number"),
        (["A\t1\t1", "A\t2"], ":2: has 2 fields; a row is SYSTEM SEGMENT SCORE"),
        (["system\tsegment\tmetric\tscore", "A\t1\t1"], ":2: has 3 fields"),
    ],
)
def test_bad_rows_are_refused_with_their_line(
    lines: list[str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as raised:
        read_metric_scores(source(tmp_path, *lines), name="m")
    assert message in str(raised.value)


WMT = [
    "kendall\tde-en\tnews\tA\t1\t0.5",
    "kendall\tde-en\tnews\tA\t2\t0.25",
    "pef\tde-en\tnews\tA\t2\t1",
    "kendall\tcs-en\tnews\tA\t1\t0.75",
]


@pytest.mark.parametrize("more", ["", "\tno\tpublic"])
def test_segments_of_a_metrics_task_are_chosen_by_language_pair(more: str, tmp_path: Path) -> None:
    file = source(tmp_path, *(line + more for line in WMT))
    found = read_metric_scores(file, name="unused", pair="German-English")
    assert found == {
        "kendall": [ScoreRow("A", 0, 0.5, 1), ScoreRow("A", 1, 0.25, 2)],
        "pef": [ScoreRow("A", 1, 1.0, 3)],
    }
    with pytest.raises(InputError) as raised:
        read_metric_scores(file, name="unused")
    assert str(raised.value).endswith(
        "several language pairs: de-en, cs-en; choose one, such as pair='de-en'"
    )
    with pytest.raises(InputError, match="has no score of fr-en; it has de-en, cs-en"):
        read_metric_scores(file, name="unused", pair="fr-en")


@pytest.mark.parametrize("more", ["", "\tno\tpublic"])
def test_a_metrics_task_scores_whole_systems_too(more: str, tmp_path: Path) -> None:
    file = source(
        tmp_path,
        *(f"m\tde-en\tnews\t{name}\t{score}{more}" for name, score in (("A", 3), ("B", 4))),
    )
    found = read_metric_scores(file, name="unused")
    assert found == {"m": [ScoreRow("A", WHOLE, 3.0, 1), ScoreRow("B", WHOLE, 4.0, 2)]}


def test_two_fields_are_of_whole_systems_by_the_name_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "m.sys.score"
    path.write_text("A\t3\nB\t4\n", encoding="utf-8")
    found = read_metric_scores(ByteSource(str(path)), name="m")
    assert found == {"m": [ScoreRow("A", WHOLE, 3.0, 1), ScoreRow("B", WHOLE, 4.0, 2)]}
    path.write_text("A\t3\nA\t4\n", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"scores a system twice; a file called .sys.score has a row"
    ):
        read_metric_scores(ByteSource(str(path)), name="m")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["m\tde-en\tn\tA\t1\t2", "m\tde-en\tn\tA\t1"],
            ":2: has 5 fields, but the first row 6; a row is METRIC",
        ),
        (["m\tde-en\tn\tA\tx\t2"], ":1: segment is 'x'; segments are numbered from 1 to"),
        (["m\tde-en\tn\tA\tx"], ":1: score is 'x', which is not a number"),
        (
            ["m\tde-en\tn\tA\t1", "m\tde-en\to\tA\t1"],
            "holds scores on several test sets: n, o; keep one",
        ),
    ],
)
def test_bad_rows_of_a_metrics_task_are_refused(
    lines: list[str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as raised:
        read_metric_scores(source(tmp_path, *lines), name="m")
    assert message in str(raised.value)


HEADER = "system\tsegment\tmetric\tscore\tstatistics"


def test_statistics_are_read_to_the_bit_with_their_configurations(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    rows = random.random((2, 3, 4)) / 3
    lines = [
        f"{system}\t{segment + 1}\tm\t0.5\t{statistics_cell(rows[place, segment], 2)}"
        for place, system in enumerate("ab")
        for segment in range(3)
        if (place, segment) != (1, 2)
    ]
    found = read_metric_scores(source(tmp_path, HEADER, *lines), name="x")
    read = statistic_rows(found["m"], ["b", "a"], 3, where="f")
    assert read.configurations == 2
    assert (read.statistics[1] == rows[0]).all()
    assert (read.statistics[0, :2] == rows[1, :2]).all()
    # A segment without a row adds nothing.
    assert (read.statistics[0, 2] == 0).all()


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["1 2", "1"], ":3: has other statistics than the first row of its metric"),
        (["1 2;3", "1 2;3"], ":2: configurations have different numbers of statistics"),
        (["1 2;3 4", "1 2 3 4"], ":3: has other statistics than the first row"),
        (["1 x", "1 2"], ":2: statistic is 'x', which is not a number"),
        (["1 2", ""], ":3: statistic is '', which is not a number"),
        (["1 nan", "1 2"], ":2: statistic is 'nan', which is not a number"),
    ],
)
def test_statistics_that_do_not_fit_are_refused(
    cells: list[str], message: str, tmp_path: Path
) -> None:
    lines = [f"a\t{k}\tm\t0.5\t{cell}" for k, cell in enumerate(cells, start=1)]
    found = read_metric_scores(source(tmp_path, HEADER, *lines), name="x")
    with pytest.raises(InputError) as raised:
        statistic_rows(found["m"], ["a"], 2, where="f")
    assert message in str(raised.value)


def test_a_row_without_its_statistics_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has 4 fields; a row is SYSTEM SEGMENT METRIC SCORE STAT"):
        read_metric_scores(source(tmp_path, HEADER, "a\t1\tm\t0.5"), name="x")


@pytest.mark.parametrize("behind", ["", "statistics"])
def test_a_column_of_margins_is_passed_over(behind: str, tmp_path: Path) -> None:
    header = "\t".join(filter(None, ["system\tsegment\tmetric\tscore\tmargin", behind]))
    own = "\t1 2" if behind else ""
    read = read_metric_scores(
        source(tmp_path, header, f"a\t1\tm\t0.5\t0.13{own}", f"a\t2\tm\t0.25\t{own}"), name="x"
    )
    assert [(row.segment, row.score) for row in read["m"]] == [(0, 0.5), (1, 0.25)]
    assert {row.statistics for row in read["m"]} == {"1 2" if behind else None}
    with pytest.raises(InputError, match="fields"):
        read_metric_scores(source(tmp_path, header, f"a\t1\tm\t0.5\t0.1\t0.2\t1{own}"), name="x")


NAMES = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=6)


@given(
    table=st.dictionaries(
        st.tuples(NAMES, NAMES, st.integers(0, 2**31 - 2)),
        st.none() | st.floats(-1e60, 1e60, allow_nan=False),
        min_size=1,
        max_size=8,
    ),
    of=st.sampled_from(["segments", "systems"]),
    more=st.sampled_from(["", "\tno\tyes"]),
)
def test_a_file_of_a_metrics_task_is_read_as_it_was_written(
    table: dict[tuple[str, str, int], float | None], of: str, more: str
) -> None:
    expected: dict[str, list[tuple[str, int, float | None]]] = {}
    whole = of == "systems"
    lines = []
    for (metric, system, segment), score in table.items():
        place = "" if whole else f"{segment + 1}\t"
        said = "nan" if score is None else repr(score)
        lines.append(f"{metric}\tde-en\tnews\t{system}\t{place}{said}{more}")
        expected.setdefault(metric, []).append((system, WHOLE if whole else segment, score))
    with TemporaryDirectory() as folder:
        found = read_metric_scores(source(Path(folder), *lines), name="unused")
    assert {metric: [row[:3] for row in rows] for metric, rows in found.items()} == expected
    assert sorted(row.line for rows in found.values() for row in rows) == [
        *range(1, len(lines) + 1)
    ]


def test_json_of_error_spans_scores_the_segments_that_were_marked() -> None:
    file = ByteSource(str(ROOT / "examples" / "marked.jsonl"))
    ((name, rows),) = read_metric_scores(file, name="marks").items()
    assert (name, len(rows)) == ("marks", 16)
    # Of ann one major span, of ben a minor and a major one.
    assert (rows[0].system, rows[0].segment, rows[0].score) == ("verb.en", 0, -5.5)
    assert rows[11].score == 0.0
