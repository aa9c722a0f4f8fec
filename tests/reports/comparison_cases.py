"""Comparisons and pre-ordering: documents and tables of results made from their types."""

import re
from typing import Any

import pytest

from kilter.reports.table.comparison import write_comparison
from kilter.reports.table.preorder import write_preorder
from kilter.statistics.resampling import Resampling
from kilter.statistics.significance import Mark, SegmentEffect
from kilter.structures.result.comparison import (
    Comparison,
    Interval,
    MetricComparison,
    Pair,
    SignificanceTest,
)
from kilter.structures.result.preorder_evaluation import (
    ParserAccuracy,
    PreorderEvaluation,
    PreorderSystem,
)
from tests.reports.cases import case
from tests.reports.distinct import Book, check_document
from tests.reports.written import number, objects, pages

PATCH = pytest.MonkeyPatch


def compared(book: Book, *names: str) -> Comparison:
    """Return a comparison of systems by two metrics; the first system is the baseline."""
    places = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
    metrics = []
    for metric in ("kendall", "bleu"):
        marks = [Mark.BETTER, Mark.SURELY_WORSE, Mark.OPEN]
        pairs = [
            book.make(
                Pair, metric, first, second, first=first, second=second, mark=marks[k % 3],
                # Shares of segments that differ also in whole percent.
                effect=book.make(
                    SegmentEffect, metric, first, second, "effect",
                    better=10 + k, equal=20 + k, worse=60 + k,
                ),
                **({} if first == names[0] else {"holm_baseline": None}), exact=first == names[0],
            )
            for k, (first, second) in enumerate(places)
        ]  # fmt: skip
        metrics.append(
            MetricComparison(
                name=metric, signature=f"{metric}|v", higher_is_better=True, range=(0.0, 1.0),
                intervals=tuple(book.make(Interval, metric, name) for name in names),
                pairs=tuple(pairs),
            )
        )  # fmt: skip
    return Comparison(
        systems=names, baseline=names[0], segments=99, tests=tuple(SignificanceTest),
        resampling=Resampling(), metrics=tuple(metrics),
    )  # fmt: skip


OF_COMPARISON = {"undefined_resamples": "undefined", "exact_permutation": "exact"}


def check_pairs(document: dict[str, Any], made: Comparison) -> None:
    """Check of a document that each interval and pair is that of its metric and systems."""
    for system, entry in zip(made.systems, document["systems"], strict=True):
        place = made.systems.index(system)
        for metric in made.metrics:
            found = entry["scores"][metric.name]
            for name in ("score", "low", "high"):
                assert found[name] == getattr(metric.intervals[place], name)
    pairs = [(metric, pair) for metric in made.metrics for pair in metric.pairs]
    for (metric, pair), entry in zip(pairs, document["comparisons"], strict=True):
        assert entry["metric"] == metric.name
        for name in ("first", "second", "difference", "low", "high", "share", "mark"):
            assert entry[name] == getattr(pair, name)


@case("write_comparison")
def _(book: Book, _: PATCH) -> None:
    made = compared(book, "one", "two", "three")
    document = made.to_dict()
    # Six intervals of four values; six pairs of twelve, those with the baseline of three more.
    assert check_document(book, document, aliases=OF_COMPARISON) == 6 * 4 + 6 * 12 + 4 * 3
    check_pairs(document, made)
    for entry, pair in zip(
        document["comparisons"], [p for m in made.metrics for p in m.pairs], strict=True
    ):
        for name in ("p", "holm", "holm_baseline"):
            assert entry[name] == getattr(pair, name)
        assert entry["effect"] == {key: getattr(pair.effect, key) for key in entry["effect"]}
        assert entry["exact_permutation"] is pair.exact
        assert entry["undefined_resamples"] == pair.undefined
    rows = iter(objects(write_comparison, made))
    for metric in made.metrics:
        intervals = dict(zip(made.systems, metric.intervals, strict=True))
        for pair in metric.pairs:
            row = next(rows)
            assert (row.pop("metric"), row.pop("signature")) == (metric.name, metric.signature)
            for side in ("first", "second"):
                interval = intervals[getattr(pair, side)]
                for name in ("score", "low", "high"):
                    assert row.pop(f"{side}_{name}") == getattr(interval, name)
            for test in SignificanceTest:
                for name in ("p", "holm", "holm_baseline"):
                    values = getattr(pair, name)
                    assert row.pop(f"{name}_{test}") == (None if values is None else values[test])
            for name, value in row.items():
                attribute = OF_COMPARISON.get(name, name)
                owner = pair if hasattr(pair, attribute) else pair.effect
                assert value == getattr(owner, attribute), name
    check_comparison_page(made)


def check_comparison_page(made: Comparison) -> None:
    scored, *others = pages(write_comparison, made)
    for place, line in enumerate(scored):
        assert line["system"] == made.systems[place]
        for metric in made.metrics:
            found = metric.intervals[place]
            assert line[metric.name] == f"{found.score:.4f} [{found.low:.4f}, {found.high:.4f}]"
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
                "mark": str(pair.mark),
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


@case("write_preorder")
def _(book: Book, _: PATCH) -> None:
    systems = tuple(
        book.make(PreorderSystem, "systems", name, name=name) for name in ("P1R1", "P2R1", "P3R1")
    )
    made = PreorderEvaluation(
        systems=systems,
        comparison=compared(book, *(system.name for system in systems)),
        accuracies={
            system.parser: book.make(ParserAccuracy, "accuracies", system.name)
            for system in systems
        },
        scores={},
    )
    document, metrics = made.to_dict(), made.comparison.metrics
    check_pairs(document, made.comparison)
    rows = objects(write_preorder, made)
    (table, *triangles) = pages(write_preorder, made)
    for place, system in enumerate(systems):
        accuracy = made.accuracies[system.parser]
        expected: dict[str, Any] = {
            "name": system.name, "parser": system.parser, "rules": system.rules, **accuracy._asdict(),
        }  # fmt: skip
        for metric in metrics:
            found = metric.intervals[place]
            expected[metric.name] = found.score
            expected[f"{metric.name}_low"] = found.low
            expected[f"{metric.name}_high"] = found.high
        assert rows[place] == expected
        entry = document["systems"][place]
        assert {key: entry[key] for key in accuracy._fields} == accuracy._asdict()
        line = table[place]
        assert [line[key] for key in ("system", "parser", "rules")] == [
            system.name, system.parser, system.rules,
        ]  # fmt: skip
        for key, value in accuracy._asdict().items():
            assert line[key] == f"{value:.4f}"
        for metric in metrics:
            found = metric.intervals[place]
            numbers = [float(text) for text in re.findall(r"\d\.\d+", line[metric.name])]
            assert numbers[0] == found.score
    for metric, triangle in zip(metrics, triangles, strict=True):
        for line in triangle:
            row = line.pop("")
            for column, cell in line.items():
                pair = metric.pair(column, row)
                assert cell == ("" if pair is None else str(pair.mark))
