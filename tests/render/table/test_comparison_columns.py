"""Columns hold what they name: intervals and significance matrices as people and programs read them."""

from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.comparison import (
    Comparison,
    MetricComparison,
    SignificanceTest,
)
from kilter.stats.significance import Mark
from tests.render.cases import case
from tests.render.distinct import Book, check_document
from tests.render.made_comparison import check_pairs, compared
from tests.render.written import number, objects, pages, shown, tables

OF_COMPARISON = {"score": "value", "undefined_resamples": "undefined", "exact_permutation": "exact"}


def check_comparison_page(made: Comparison) -> None:
    scored, *others = pages(write_result, made)
    for place, line in enumerate(scored):
        assert line["system"] == made.systems[place]
        for metric in made.metrics:
            found = metric.intervals[place]
            assert line[metric.name] == f"{found.value:.4f} [{found.low:.4f}, {found.high:.4f}]"
    for metric, against, matrix in zip(made.metrics, others[::2], others[1::2], strict=True):
        for line in against:
            pair = metric.pair(made.baseline, line["system"])
            assert pair is not None
            assert pair.holm_baseline is not None
            effect = pair.effect
            counts = (effect.better, effect.equal, effect.worse)
            assert line == {
                "system": pair.second,
                "diff.": f"{pair.difference:+.4f}",
                "interval": f"[{pair.low:+.4f}, {pair.high:+.4f}]",
                "mark": str(pair.mark_baseline),
                "p boot": f"{pair.holm_baseline[SignificanceTest.BOOTSTRAP]:.3f}",
                "p rand": f"{pair.holm_baseline[SignificanceTest.RANDOMISATION]:.3f}",
                "p perm": f"{pair.holm_baseline[SignificanceTest.PERMUTATION]:.3f}",
                "d_z": f"{effect.standardised:+.3f}",
                "+/=/- %": "/".join(f"{100 * count / sum(counts):.0f}" for count in counts),
            }
        for line in matrix:
            row = line.pop("")
            for column, cell in line.items():
                check_matrix_cell(metric, column, row, cell)


def check_matrix_cell(metric: MetricComparison, column: str, row: str, cell: str) -> None:
    if row == column:
        assert cell == "."
        return
    pair, turned = metric.pair(column, row), metric.pair(row, column)
    found = pair or turned
    assert found is not None
    assert found.mark is not None
    mark = found.mark if pair else found.mark.reversed()
    p = number(found.holm[SignificanceTest.BOOTSTRAP])
    shown = mark is not Mark.OPEN or p < 0.05
    assert cell == (f"{mark} {p:.3f}".replace("0.", ".", 1) if shown else str(mark))


@case("Comparison")
def test_columns_of_write_result_hold_what_they_name(book: Book) -> None:
    made = compared(book, "one", "two", "three")
    document = made.to_dict()
    # Six intervals of four values; six pairs of fifteen, those with the baseline of three more.
    assert check_document(book, document, aliases=OF_COMPARISON) == 6 * 5 + 6 * 15 + 4 * 3
    check_pairs(document, made)
    marks = [pair.mark_baseline for metric in made.metrics for pair in metric.pairs]
    assert [entry["mark_baseline"] for entry in document["comparisons"]] == marks
    assert document["marks"] == made.marks
    for entry, pair in zip(
        document["comparisons"], [p for m in made.metrics for p in m.pairs], strict=True
    ):
        for name in ("p", "holm", "holm_baseline"):
            assert entry[name] == getattr(pair, name)
        assert entry["effect"] == {key: getattr(pair.effect, key) for key in entry["effect"]}
        assert entry["exact_permutation"] is pair.exact
        assert entry["common"]["withheld"] is pair.is_withheld
        assert entry["undefined_resamples"] == pair.undefined
    rows = iter(objects(write_result, made))
    for metric in made.metrics:
        intervals = dict(zip(made.systems, metric.intervals, strict=True))
        for pair in metric.pairs:
            row = next(rows)
            assert (row.pop("metric"), row.pop("signature")) == (metric.name, metric.signature)
            for side in ("first", "second"):
                interval = intervals[getattr(pair, side)]
                for name in ("score", "low", "high"):
                    assert row.pop(f"{side}_{name}") == getattr(
                        interval, OF_COMPARISON.get(name, name)
                    )
            for test in SignificanceTest:
                for name in ("p", "holm", "holm_baseline"):
                    values = getattr(pair, name)
                    assert row.pop(f"{name}_{test}") == (None if values is None else values[test])
            for name, value in row.items():
                attribute = OF_COMPARISON.get(name, name)
                owner = pair if hasattr(pair, attribute) else pair.effect
                assert value == getattr(owner, attribute), name
    check_comparison_page(made)


def test_columns_of_means_hold_what_they_name(book: Book) -> None:
    made = compared(book, "one", "two", "three")
    scored, matrix = [tables(shown(each, TableFormat.MD))[0] for each in made.mean_tables()]
    first = made.metrics[0]
    for line, system, found in zip(scored, made.systems, first.intervals, strict=True):
        cell = f"{found.value:.4f} [{found.low:.4f}, {found.high:.4f}]"
        assert line == {"system": system, first.name: cell}
    assert [line[""] for line in matrix] == [*made.systems]
    for line in matrix:
        row = line.pop("")
        for column, cell in line.items():
            check_matrix_cell(first, column, row, cell)
