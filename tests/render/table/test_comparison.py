"""Comparisons read well in a terminal and parse in every other format."""

import io
import json
import re
from itertools import pairwise

import numpy as np
import pytest

from kilter.core.markup import text_width
from kilter.metrics.hamming import Hamming
from kilter.metrics.kendall import Kendall
from kilter.metrics.metric import Metric
from kilter.metrics.pef import Pef
from kilter.render.table.page import short_names, write_result
from kilter.render.table.table import TableFormat
from kilter.results.comparison import Comparison, SignificanceTest
from kilter.run.scoring.measured import Measured
from kilter.run.scoring.significance import compare_measured
from kilter.stats.resampling import Resampling
from tests.oracles.markup import latex_rows, latex_shows

LONG = [f"newstest2019-system-number-{letter}" for letter in "ABCDEFGH"]


def compared(systems: list[str], *metrics: Metric, segments: int = 90) -> Comparison:
    random = np.random.default_rng(5)
    steps = np.linspace(0, 0.2, len(systems))
    measured = []
    for metric in metrics or (Kendall(),):
        scores = [np.clip(random.random(segments) * 0.7 + step, 0, 1) for step in steps]
        rows = [np.column_stack([row, np.ones(segments)]) for row in scores]
        measured.append(Measured(metric=metric, statistics=rows, signature=metric.signature()))
    return compare_measured(systems, measured, resampling=Resampling(resamples=100))


def written(
    comparison: Comparison, form: TableFormat, width: int = 100, *, details: bool = True
) -> str:
    out = io.StringIO()
    write_result(comparison, out, form, width=width, details=details)
    return out.getvalue()


@pytest.mark.parametrize("width", [80, 100, 200])
@pytest.mark.parametrize("systems", [["a", "b"], LONG, [*LONG, *(f"x{k}" for k in range(15))]])
def test_text_fits_its_page(systems: list[str], width: int) -> None:
    found = compared(systems, Kendall(), Hamming(), Pef(), Pef(beta=0.25, gamma=0.5))
    text = written(found, TableFormat.TEXT, width)
    tables = [line for line in text.splitlines() if "|" not in line]  # signatures stay whole
    assert max(map(text_width, tables)) <= width
    words = written(found, TableFormat.TEXT).split()
    assert set(words) - {"system"} <= set(text.split()) | {w for w in words if "…" in w}


def test_the_matrix_holds_each_pair_both_ways_round() -> None:
    found = compared(LONG)
    text = written(found, TableFormat.TEXT)
    lines = text[text.index("row against column") :].splitlines()
    assert lines[1].split()[0] == "1"
    # A p-value stands behind the mark, with a point before its digits.
    number = re.compile(r"<?\.\d|1\.0")
    marks: list[list[str]] = [[] for _ in LONG]
    for line in lines:
        if match := re.match(r"([1-8]) newst", line):
            cells = line.split()[2:]
            marks[int(match[1]) - 1] += [cell for cell in cells if not number.match(cell)]
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
        (line,) = [line for line in text.splitlines() if line.endswith(f": {name}")]
        label = line.removesuffix(f": {name}")
        # The same label means the same system in every table.
        shown = [line for line in text.splitlines() if label in line]
        assert len(shown) >= 3


def test_the_legend_speaks_of_seed_marks_and_multiple_comparisons() -> None:
    for form in (TableFormat.TEXT, TableFormat.MD, TableFormat.LATEX):
        text = written(compared(["a", "b", "c"]), form)
        assert "100 resamples of 90 segments, seed 1" in text
        assert "Multiple comparisons: p-values are Holm-corrected" in text
        assert "with 100 resamples, corrected for 3 comparisons" in " ".join(text.split())


def test_json_is_the_comparison_s_document() -> None:
    found = compared(["a", "b", "c"])
    assert json.loads(written(found, TableFormat.JSON)) == found.to_dict()


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
    signatures = [metric.signature for metric in found.metrics for _ in metric.pairs]
    assert [row["signature"] for row in rows] == signatures
    assert [line[table[0].index("signature")] for line in table[1:]] == signatures


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
    names = ["a_b", "50%", "[c]"]
    text = written(compared(names), TableFormat.LATEX)
    assert text.count("\\begin{tabular}") == text.count("\\end{tabular}") == 3
    assert text.count("\\toprule") == text.count("\\bottomrule") == 3
    assert text.count("{") == text.count("}")
    rows = latex_rows(text)
    assert [row[0] for row in rows] == ["system", *names, "system", *names[1:], "", *names]
    assert any(line.startswith("{}[c] & ") for line in text.splitlines())
    legend = text[text.index("\\footnotesize\\raggedright\n") :].splitlines()[1:]
    shown = [latex_shows(line.removesuffix("}").removesuffix("\\par")) for line in legend]
    assert shown[0] == "100 resamples of 90 segments, seed 1."
    assert shown[1] == f"{Kendall().signature()}: higher is better."
    for title in ("scores with 95\\% intervals, 90 segments", "kendall: row against column"):
        assert f"\\textbf{{{title}}}" in text


@pytest.mark.parametrize("form", [TableFormat.TEXT, TableFormat.MD, TableFormat.LATEX])
def test_one_segment_has_no_interval_and_no_mark(form: TableFormat) -> None:
    text = written(compared(["a", "b", "c"], segments=1), form)
    assert "1 segment; nothing is resampled." in text
    assert "One segment is no evidence: intervals and tests need 2 or more" in text
    table = text[: text.index("nothing is resampled")]
    assert "±" not in table
    assert "pm" not in table
    assert not re.search(r"\*\*|\d, |p *[<.]", table)
    few = written(compared(["a", "b", "c"], segments=12), form)
    assert "12 segments are few: intervals and tests are rough below 30." in few
    assert "few" not in written(compared(["a", "b", "c"], segments=30), form)


def test_two_systems_have_no_matrix_and_no_note_about_one() -> None:
    text = written(compared(["a", "b"]), TableFormat.TEXT)
    assert "matri" not in text
    assert "nothing is corrected across metrics" in text


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


def test_a_matrix_that_too_few_resamples_cannot_decide_holds_question_marks() -> None:
    found = compared([f"s{number:02}" for number in range(12)])
    for form in (TableFormat.TEXT, TableFormat.MD, TableFormat.LATEX):
        text = written(found, form)
        matrix = text[text.index("row against column") :]
        matrix = matrix[: matrix.index("100 resamples of 90 segments")]
        assert " ? " in matrix
        assert not re.search(r"(?<![.\w])0(?![.\w])", matrix)
        said = " ".join(text.split()).replace("-{}-", "--")
        assert "?: too few resamples to decide" in said
        assert "No pair can be significant with 100 resamples, corrected for 66 comparisons" in said
        assert "use --resamples 9900." in said
