"""Comparisons read well in a terminal and parse in every other format."""

import io
import json
import re
from itertools import pairwise

import numpy as np
import pytest

from kilter.metrics.hamming import Hamming
from kilter.metrics.kendall import Kendall
from kilter.metrics.metric import Metric
from kilter.metrics.pef import Pef
from kilter.pipeline.significance import Measured, compare
from kilter.reports.comparison import write_comparison, write_intervals
from kilter.reports.short_name import short_names
from kilter.reports.table import TableFormat, latex_text, text_width
from kilter.structures.comparison import Comparison, SignificanceTest
from kilter.structures.resampling import Resampling

LONG = [f"newstest2019-system-number-{letter}" for letter in "ABCDEFGH"]


def compared(systems: list[str], *metrics: Metric, segments: int = 90) -> Comparison:
    random = np.random.default_rng(5)
    steps = np.linspace(0, 0.2, len(systems))
    measured = []
    for metric in metrics or (Kendall(),):
        scores = [np.clip(random.random(segments) * 0.7 + step, 0, 1) for step in steps]
        rows = [np.column_stack([row, np.ones(segments)]) for row in scores]
        measured.append(Measured(metric=metric, statistics=rows, signature=metric.signature()))
    return compare(systems, measured, resampling=Resampling(resamples=100))


def written(comparison: Comparison, form: TableFormat) -> str:
    out = io.StringIO()
    write_comparison(comparison, out, form=form)
    return out.getvalue()


@pytest.mark.parametrize("systems", [["a", "b"], LONG, [*LONG, *(f"x{k}" for k in range(9))]])
def test_text_fits_a_hundred_columns(systems: list[str]) -> None:
    text = written(
        compared(systems, Kendall(), Hamming(), Pef(), Pef(beta=0.25, gamma=0.5)), TableFormat.TEXT
    )
    tables = [line for line in text.splitlines() if "|" not in line]  # signatures stay whole
    assert max(map(text_width, tables)) <= 100


def test_the_matrix_holds_each_pair_both_ways_round() -> None:
    found = compared(LONG)
    text = written(found, TableFormat.TEXT)
    lines = text[text.index("row against column") :].splitlines()[2:10]
    # A p-value stands behind the mark, with a point before its digits.
    number = re.compile(r"<?\.\d|1\.0")
    marks = [[cell for cell in line.split()[1:] if not number.match(cell)] for line in lines]
    for row in range(8):
        assert marks[row][row] == "."
        for column in range(row):
            turned = marks[column][row].translate(str.maketrans("+-", "-+"))
            assert marks[row][column] == turned
            pair = found.metrics[0].pair(LONG[column], LONG[row])
            assert pair is not None
            assert marks[row][column] == pair.mark


def test_shortened_names_are_spelled_out_below() -> None:
    text = written(compared(LONG), TableFormat.TEXT)
    for name in LONG:
        assert f": {name}\n" in text


def test_the_legend_speaks_of_seed_marks_and_multiple_comparisons() -> None:
    for form in (TableFormat.TEXT, TableFormat.MD, TableFormat.LATEX):
        text = written(compared(["a", "b", "c"]), form)
        assert "100 resamples of 90 segments, seed 1" in text
        assert "Multiple comparisons: p-values are Holm-corrected" in text
        assert "cannot give a corrected p below 0.030" in text


def test_json_is_the_comparison_s_document() -> None:
    found = compared(["a", "b", "c"])
    assert json.loads(written(found, TableFormat.JSON)) == found.to_json()


def test_tsv_and_jsonl_hold_one_row_per_metric_and_pair() -> None:
    found = compared(["a", "b", "c"], Kendall(), Hamming())
    rows = [json.loads(line) for line in written(found, TableFormat.JSONL).splitlines()]
    table = [line.split("\t") for line in written(found, TableFormat.TSV).splitlines()]
    assert [row["metric"] for row in rows] == ["kendall"] * 3 + ["hamming"] * 3
    assert table[0] == list(rows[0])
    assert {len(line) for line in table} == {len(rows[0])}
    pair = found.metrics[0].pairs[0]
    assert rows[0]["p_permutation"] == pair.p[SignificanceTest.PERMUTATION]
    assert float(table[1][table[0].index("difference")]) == pair.difference
    assert rows[2]["holm_baseline_bootstrap"] is None


def test_markdown_rows_have_as_many_cells_as_their_headings() -> None:
    text = written(compared(["a|b", "c*", "d"]), TableFormat.MD)
    tables = [line.replace("\\|", "") for line in text.splitlines() if line.startswith("|")]
    rules = [k for k, line in enumerate(tables) if line.startswith("| :--- |")]
    assert len(rules) == 3
    for start, end in pairwise([*(k - 1 for k in rules), len(tables)]):
        assert len({line.count("|") for line in tables[start:end]}) == 1
    assert "a\\|b" in text
    assert "c\\*" in text


def test_latex_is_balanced_and_escaped() -> None:
    text = written(compared(["a_b", "50%", "[c]"]), TableFormat.LATEX)
    assert text.count("\\begin{tabular}") == text.count("\\end{tabular}") == 3
    assert text.count("\\toprule") == text.count("\\bottomrule") == 3
    rows = [line for line in text.splitlines() if line.endswith("\\\\")]
    assert any(line.startswith("a\\_b & ") for line in rows)
    assert any(line.startswith("50\\% & ") for line in rows)
    assert any(line.startswith("{}[c] & ") for line in rows)
    assert latex_text("[-0.5, +0.1] a-1") == "[$-$0.5, +0.1] a-1"
    assert latex_text("-** <.001") == "$-$** \\textless{}.001"


def test_intervals_are_written_in_every_format() -> None:
    found = compared(["a", "b"], Kendall(), Hamming())
    intervals = {metric.name: metric.intervals for metric in found.metrics}
    for form in TableFormat:
        out = io.StringIO()
        write_intervals(found.systems, intervals, out, form=form, header={"schema": "x"})
        assert "kendall" in out.getvalue()
    out = io.StringIO()
    write_intervals(found.systems, intervals, out, form=TableFormat.JSON, header={"schema": "x"})
    rows = json.loads(out.getvalue())["rows"]
    assert [(row["metric"], row["system"]) for row in rows[:2]] == [
        ("kendall", "a"),
        ("kendall", "b"),
    ]
    assert rows[0]["score"] == intervals["kendall"][0].score


def test_short_names_differ_and_keep_to_the_width() -> None:
    names = [*LONG, "short", "newstest2019-system-number-A2", "日本語のシステム名前"]
    for width in (9, 12, 16):
        short = short_names(names, width=width)
        assert len(set(short)) == len(names)
        assert max(map(text_width, short)) <= width
        assert short[len(LONG)] == "short"


def test_one_system_has_intervals_only() -> None:
    text = written(compared(["alone"]), TableFormat.TEXT)
    assert "alone" in text
    assert "Marks" not in text
