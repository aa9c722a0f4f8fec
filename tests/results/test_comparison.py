"""Comparisons read well in a terminal and parse in every other format."""

import io
import json
import re
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest

from kilter.core.estimate import Estimate
from kilter.core.markup import text_width
from kilter.metrics.hamming import Hamming
from kilter.metrics.kendall import Kendall
from kilter.metrics.metric import Metric
from kilter.metrics.pef import Pef
from kilter.render.table.page import short_names, write_result
from kilter.render.table.table import TableFormat
from kilter.results.comparison import (
    Comparison,
    MetricComparison,
    Pair,
    PartDifference,
    SignificanceTest,
    part_sentences,
    printed_parts,
)
from kilter.run.scoring.compare import compare
from kilter.run.scoring.measured import Measured
from kilter.run.scoring.significance import compare_measured
from kilter.stats.resampling import Resampling
from kilter.stats.significance import MarkRule, SegmentEffect
from tests.oracles.markup import latex_rows, latex_shows
from tests.render.written import objects, pages
from tests.run.scoring.scored import FEW, sample

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


def test_the_short_tables_say_for_how_many_comparisons_each_p_value_is_corrected() -> None:
    """The sentences and the ranking are about the baseline, the matrix about all pairs."""
    found = compared(["a", "b", "c", "d"])
    text = " ".join(str(found).split())
    assert "Holm-corrected for 3 comparisons, in the matrix for 6." in text
    assert "Holm-corrected" not in str(compared(["a", "b"]))


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


# What differences consist of reads well, and adds up as it is printed.


BOOTSTRAP = SignificanceTest.BOOTSTRAP


def pair_of(difference: float, *parts: tuple[str, float, float | None]) -> Pair:
    """Return a pair of which only the parts and the difference, with p = 0.011, matter."""
    return Pair(
        first="A", second="B", difference=difference, low=-0.01, high=0.01, share=0.5, mark=None,
        mark_baseline=None, p={BOOTSTRAP: 0.5}, holm={BOOTSTRAP: 0.6}, holm_baseline={BOOTSTRAP: 0.011},
        exact=False, effect=SegmentEffect(better=1, equal=2, worse=3, standardised=0.1),
        parts=tuple(
            PartDifference(
                name=name, difference=value, low=value - 0.001, high=value + 0.002, p={BOOTSTRAP: 0.7},
                holm={BOOTSTRAP: 0.8}, holm_baseline={BOOTSTRAP: p},
            )
            for name, value, p in parts
        ),
    )  # fmt: skip


def comparison_of(*pairs: Pair) -> Comparison:
    metric = MetricComparison(
        name="pef",
        signature="pef|v",
        higher_is_better=True,
        range=(0.0, 1.0),
        intervals=(),
        pairs=pairs,
    )
    return Comparison(
        systems=("A", "B"), baseline="A", segments=99, tests=(BOOTSTRAP,), resampling=Resampling(),
        metrics=(metric,), marks=MarkRule.CORRECTED,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("pair", "sentence"),
    [
        (
            pair_of(-0.0058, ("order", -0.00012, 0.96), ("coverage", -0.00568, 0.0081)),
            "B scores 0.0058 lower than A in pef (p = .011): -0.0001 by order (p = .960), -0.0057 by coverage (p = .008).",
        ),
        (
            pair_of(0.02, ("order", 0.03, 0.0002), ("coverage", -0.01, 1.0), ("words", 0.0, None)),
            "B scores 0.0200 higher than A in pef (p = .011): +0.0300 by order (p < .001), -0.0100 by coverage (p = 1.000), +0.0000 by words.",
        ),
        (
            pair_of(0.00001, ("order", 0.00201, 0.2), ("coverage", -0.002, 0.3)),
            "B and A score the same to four decimals in pef (p = .011): +0.0020 by order (p = .200), -0.0020 by coverage (p = .300).",
        ),
    ],
)  # fmt: skip
def test_a_difference_is_told_in_a_sentence(pair: Pair, sentence: str) -> None:
    assert list(part_sentences("pef", [pair], BOOTSTRAP)) == [sentence]


def test_an_undefined_difference_has_no_sentence() -> None:
    pair = replace(pair_of(0.1, ("order", 0.1, 0.5)), difference=None)
    assert list(part_sentences("pef", [pair], BOOTSTRAP)) == []


def test_columns_of_parts_hold_what_they_name() -> None:
    pair = pair_of(-0.0058, ("order", -0.00012, 0.96), ("coverage", -0.00568, 0.0081))
    bare = replace(pair, first="A", second="C", parts=())
    rows = objects(write_result, _with_scores(pair, bare))
    for part in pair.parts:
        found = {key: rows[0][f"{part.name}_{key}"] for key in ("difference", "low", "high")}
        assert found == {key: getattr(part, key) for key in found}
        for kind in ("p", "holm", "holm_baseline"):
            assert rows[0][f"{part.name}_{kind}_bootstrap"] == getattr(part, kind)[BOOTSTRAP]
            assert rows[1][f"{part.name}_{kind}_bootstrap"] is None
        assert rows[1][f"{part.name}_difference"] is None


def test_json_holds_the_parts_of_a_pair_that_has_them() -> None:
    pair = pair_of(-0.0058, ("order", -0.00012, 0.96), ("coverage", -0.00568, 0.0081))
    document = _with_scores(pair, replace(pair, parts=())).to_dict()
    with_parts, without = json.loads(json.dumps(document))["comparisons"]
    assert with_parts["parts"] == {
        part.name: {
            "difference": part.difference, "low": part.low, "high": part.high,
            "p": {"bootstrap": 0.7}, "holm": {"bootstrap": 0.8},
            "holm_baseline": {"bootstrap": dict(part.holm_baseline or {})[BOOTSTRAP]},
        }
        for part in pair.parts
    }  # fmt: skip
    assert "parts" not in without


def _with_scores(*pairs: Pair) -> Comparison:
    made = comparison_of(*pairs)
    systems = tuple(dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second)))
    intervals = tuple(Estimate(0.5, 0.4, 0.6) for _ in systems)
    metric = replace(made.metrics[0], intervals=intervals)
    return replace(made, systems=systems, metrics=(metric,))


def test_tables_hold_one_row_for_each_part_and_add_up_as_printed() -> None:
    systems = {name: sample(f"{name}.en") for name in ("verb", "lexical", "phrase", "local")}
    found = compare(
        systems,
        sample("reference.en"),
        metrics=["pef", "bleu", "sen"],
        resampling=FEW,
        tests=["bootstrap"],
    )
    _, pef, pef_parts, _, _, _, sen, sen_parts, _ = pages(write_result, found)
    for whole, parts, metric in (
        (pef, pef_parts, found.metrics[0]),
        (sen, sen_parts, found.metrics[2]),
    ):
        for line in whole:
            mine = [part for part in parts if part["system"] == line["system"]]
            pair = metric.pair("verb", line["system"])
            assert pair is not None
            assert sum(Decimal(part["diff."]) for part in mine) == Decimal(line["diff."])
            for row, part, shown in zip(mine, pair.parts, printed_parts(pair), strict=True):
                assert part.holm_baseline is not None
                assert row == {
                    "system": pair.second,
                    "part": part.name,
                    "diff.": shown,
                    "interval": f"[{part.low:+.4f}, {part.high:+.4f}]",
                    "p boot": f"{part.holm_baseline[BOOTSTRAP]:.3f}",
                }


@pytest.mark.parametrize("form", [TableFormat.TEXT, TableFormat.MD, TableFormat.LATEX])
def test_sentences_stand_below_the_table_in_every_format_for_people(form: TableFormat) -> None:
    out = io.StringIO()
    systems = {name: sample(f"{name}.en") for name in ("verb", "lexical")}
    found = compare(systems, sample("reference.en"), metrics=["pef", "bleu"], resampling=FEW)
    write_result(found, out, form=form, details=True)
    text = re.sub(r"\s+", " ", out.getvalue().replace("\\", ""))
    assert "lexical scores 0.1323 lower than verb in pef (p = " in text
    assert " in bleu" not in text
    assert "Parts: what each contributes" in text


def test_a_comparison_without_parts_says_nothing_of_them() -> None:
    out = io.StringIO()
    systems = {name: sample(f"{name}.en") for name in ("verb", "lexical")}
    found = compare(systems, sample("reference.en"), metrics=["bleu"], resampling=FEW)
    write_result(found, out, form=TableFormat.TEXT, details=True)
    assert "part" not in out.getvalue().lower()
