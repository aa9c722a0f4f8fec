"""Columns hold what they name: the hypotheses on permutations. Section 13.4"""

import pytest

from kilter.run.meta.hypothesis import HypothesisResult
from kilter.stats.undefined import Undefined
from kilter.study.analysis.judgment_study import SentenceGroup
from kilter.study.chapter import permuted_hypothesis
from kilter.study.chapter.permuted_hypothesis import permuted_hypothesis_report
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.study_table import faked

NOTHING = Undefined("no variant and baseline to compare")


@case("permuted_hypothesis_report")
def test_columns_of_permuted_hypothesis_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(permuted_hypothesis, monkeypatch)
    kinds = (SentenceGroup.PERMUTATION, SentenceGroup.SWAP)
    made = {kind: [book.make(HypothesisResult, str(kind), id="EVAL")] for kind in kinds}
    report = permuted_hypothesis_report(made, adjusted=True, simulated=False)
    rows = iter(report.data.rows)
    for kind, (result,) in made.items():
        for name, value in result.numbers.items():
            assert dict(zip(report.data.names, next(rows), strict=True)) == {
                "kind of sentences": str(kind), "id": "EVAL", "alternative": result.alternative,
                "result": result.result, "supporting": " ".join(result.variants), "variant": name,
                "number": value,
            }  # fmt: skip
    assert not [*rows]
    (row,) = report.tables[0].rows
    assert dict(zip(report.tables[0].names, row, strict=True)) == {
        "id": "EVAL", "supported when": made[kinds[0]][0].alternative,
        **{str(kind): f"{result.result}: {', '.join(result.variants)}" for kind, (result,) in made.items()},
    }  # fmt: skip


def result(name: str, *, supported: bool | Undefined) -> HypothesisResult:
    return HypothesisResult(
        id=name, alternative="a", supported=supported, variants=("b",), numbers={}
    )


def test_what_is_supported_is_said_for_each_kind_of_permutation() -> None:
    report = permuted_hypothesis_report(
        {
            SentenceGroup.PERMUTATION: [
                result("EVAL", supported=True),
                result("STRUC", supported=False),
            ],
            SentenceGroup.SWAP: [
                result("EVAL", supported=NOTHING),
                result("STRUC", supported=NOTHING),
            ],
        },
        adjusted=False,
        simulated=True,
    )
    assert report.text == (
        "permutation: supported EVAL; not supported STRUC.",
        "swap: undefined EVAL, STRUC.",
    )
    assert report.tables[0].rows == (
        ("EVAL", "a", "null rejected: b", NOTHING),
        ("STRUC", "a", "not rejected", NOTHING),
    )
    assert "unadjusted" in report.notes[0]
    assert [figure.subject for figure in report.figures] == ["permutation"]
