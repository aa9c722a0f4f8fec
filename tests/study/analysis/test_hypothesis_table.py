"""Hypotheses about tools."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kilter.run.meta.hypothesis import HypothesisResult
from kilter.stats.undefined import Undefined
from kilter.study.analysis import hypothesis_table as module
from kilter.study.analysis.hypothesis_table import (
    baseline_correlations,
    configuration_report,
    hypothesis_table,
    permuted_hypotheses,
    permuted_hypothesis_report,
    stated_report,
    stated_table,
)
from kilter.study.analysis.judged_correlation import Correlation, ToolCorrelation, tool_correlations
from kilter.study.design.hypothesis import StatedHypothesis
from kilter.study.judgments.judgment_study import SentenceGroup
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.study_table import faked
from tests.study.analysis.correlated import ROWS, row
from tests.study.analysis.studies import crossed, permutation, scores, study, translation


def test_hypotheses_come_from_the_correlations_of_one_group_of_sentences() -> None:
    found = {result.id: result for result in hypothesis_table(ROWS)}
    assert found["STRUC"].variants == ("b",)
    assert found["STRUC"].supported is True
    assert "no baseline" not in found["EVAL"].result
    assert found["EVAL_DERP"].result.startswith("undefined: no variant of DERP")
    assert set(found["EVAL_CONF"].numbers) == {"b", "fb", "threshold"}
    on_swaps = hypothesis_table(ROWS, sentences=SentenceGroup.SWAP)
    assert all(isinstance(result.supported, Undefined) for result in on_swaps)


def halved(entry: ToolCorrelation) -> ToolCorrelation:
    """Return a row whose correlations are half as large where the question is holistic."""
    if entry.question != "holistic":
        return entry
    values = {
        name: replace(value, rho=value.rho / 2) if isinstance(value, Correlation) else value
        for name, value in entry.configurations.items()
    }
    return replace(entry, configurations=values)


def test_hypotheses_take_each_question_s_correlations_as_its_own() -> None:
    found = {result.id: result for result in hypothesis_table([halved(entry) for entry in ROWS])}
    order, flat, rank = (
        [
            value.rho
            for value in row(name, adjusted=True).configurations.values()
            if isinstance(value, Correlation)
        ]
        for name in ("dted:variant=b", "dted:variant=b,flat=true", "wmt-rank")
    )
    # The study asked both questions alike, so that half of order's correlations are holistic's.
    assert found["ORD"].numbers["b"] == pytest.approx(max(order) - min(order) / 2)
    assert found["EVAL"].numbers["b"] == pytest.approx(min(order) - max(rank))
    assert found["STRUC"].numbers["b"] == pytest.approx(min(order) - max(flat))


def test_baselines_are_the_published_ones_and_what_is_named_beside_them() -> None:
    """An external tool may be one, but not what it says of a few sentences."""
    assert {*baseline_correlations(ROWS)} == {"bleu", "wmt-rank"}
    named = baseline_correlations(ROWS, baselines=["theirs", "rare"])
    assert {*named} == {"bleu", "wmt-rank", "theirs", "rare"}
    (rho,) = named["theirs"]
    assert rho == row("theirs", adjusted=True).highest
    assert named["rare"] == []  # 14 sentences
    plain, further = (
        {result.id: result for result in hypothesis_table(ROWS, baselines=names)}
        for names in ((), ("theirs",))
    )
    best = max(*named["wmt-rank"], rho)
    assert further["EVAL"].numbers["b"] < plain["EVAL"].numbers["b"]
    lowest = row("dted:variant=b", adjusted=True).lowest
    assert isinstance(lowest, float)
    assert further["EVAL"].numbers["b"] == pytest.approx(lowest - best)
    assert further["STRUC"] == plain["STRUC"]


LEVELS = [1, 2, 3, 4, 5, 2, 4, 3] * 2
SENTENCES = [
    *(translation(f"t{k}") for k in range(16)),
    *(permutation(f"o{k}", "order", 1 + k % 3) for k in range(16)),
    *(permutation(f"s{k}", "swap", 2) for k in range(16)),
]
# On translations b is wrong and its flattened variant right; on permutations by order it is the other way round.
RIGHT, WRONG = np.array(LEVELS, dtype=float), -np.array(LEVELS, dtype=float)
MADE = study(
    [(person, at, LEVELS[at % 16], LEVELS[at % 16]) for person in range(2) for at in range(48)],
    SENTENCES,
    tools=[
        scores("dted", [*WRONG, *RIGHT, *WRONG], variant="variant=b"),
        scores("dted", [*RIGHT, *WRONG, *RIGHT], variant="variant=b,flat=true"),
        scores("degree", [np.nan] * 16 + [0.5, 0.2, 0.1, 0.4] * 8),
    ],
)


def test_hypotheses_are_tested_on_all_permutations_and_on_each_type() -> None:
    found = {
        kind: {each.id: each for each in results}
        for kind, results in permuted_hypotheses(MADE).items()
    }
    assert [*map(str, found)] == ["permutation", "order", "swap", "phrase", "choice"]
    assert found[SentenceGroup.ORDER]["STRUC"].supported is True
    assert found[SentenceGroup.ORDER]["STRUC"].numbers == {"b": 2.0}
    assert found[SentenceGroup.SWAP]["STRUC"].supported is False
    assert found[SentenceGroup.SWAP]["STRUC"].numbers == {"b": -2.0}
    assert found[SentenceGroup.PERMUTATION]["STRUC"].supported is False
    assert isinstance(found[SentenceGroup.PHRASE]["STRUC"].supported, Undefined)


def test_permutations_of_the_pilot_have_hypotheses_of_their_own_where_they_occur() -> None:
    """Type `both`, whose words are replaced and moved, was left out without a word."""
    pilot = [
        replace(sentence, type="both") if sentence.type == "swap" else sentence
        for sentence in SENTENCES
    ]
    found = permuted_hypotheses(replace(MADE, sentences=tuple(pilot)))
    assert [*map(str, found)] == ["permutation", "order", "swap", "phrase", "choice", "both"]
    by_id = {each.id: each for each in found[SentenceGroup.BOTH]}
    assert by_id["STRUC"].numbers == {"b": -2.0}


def test_the_degree_score_is_a_baseline_of_permutations() -> None:
    found = {each.id: each for each in permuted_hypotheses(MADE)[SentenceGroup.ORDER]}
    assert found["EVAL"].supported is True
    assert found["EVAL"].variants == ("b",)


@case("hypothesis_report")
def test_columns_of_hypothesis_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(module, monkeypatch)
    results = [book.make(HypothesisResult, str(k)) for k in range(2)]
    # What is said with unadjusted answers is the opposite of what is said with adjusted ones.
    plain = [replace(made, supported=not made.supported) for made in results]
    report = module.hypothesis_report(
        results, baselines={}, unadjusted=plain, adjusted=True, simulated=False
    )
    rows = iter(report.data.rows)
    for made in results:
        for name, value in made.numbers.items():
            assert dict(zip(report.data.names, next(rows), strict=True)) == {
                "id": made.id, "alternative": made.alternative, "result": "null rejected",
                "unadjusted result": "not rejected",
                "supporting": " ".join(made.variants), "variant": name, "number": value,
            }  # fmt: skip
    assert not [*rows]
    for cells, made in zip(report.tables[0].rows, results, strict=True):
        numbers = ", ".join(f"{name} {value:+.3f}" for name, value in made.numbers.items())
        assert dict(zip(report.tables[0].names, cells, strict=True)) == {
            "id": made.id, "supported when": made.alternative, "result": "null rejected",
            "unadjusted": "not rejected", "supporting": ", ".join(made.variants), "numbers": numbers,
        }  # fmt: skip


def made(*, supported: bool | Undefined) -> HypothesisResult:
    return HypothesisResult(
        id="EVAL", alternative="a", supported=supported, variants=(), numbers={}
    )


def said(**options: Any) -> tuple[str, ...]:
    given: dict[str, Any] = {"baselines": {}, "adjusted": True, "simulated": False} | options
    return module.hypothesis_report([made(supported=True)], **given).text


def test_baselines_are_named_with_their_correlations_and_the_best_of_them() -> None:
    values = {"bleu": [0.25], "tau": [0.1, 0.5], "comet": []}
    assert said(baselines=values)[-1] == (
        "The baselines are, with their correlations with order: bleu 0.250, tau 0.100 to 0.500. The highest is "
        "that of tau: a variant outperforms every baseline if all its configurations are above 0.500. Without a "
        "correlation: comet."
    )
    assert said()[-1].startswith("There is no baseline with a correlation")


def test_a_hypothesis_that_the_adjustment_decides_is_named() -> None:
    assert "With unadjusted answers the outcome of EVAL is another." in said(
        unadjusted=[made(supported=False)]
    )
    assert "With unadjusted answers every outcome is the same." in said(
        unadjusted=[made(supported=True)]
    )
    assert not [text for text in said() if "unadjusted" in text]


NOTHING = Undefined("no variant and baseline to compare")


@case("permuted_hypothesis_report")
def test_columns_of_permuted_hypothesis_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(module, monkeypatch)
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
        "On permutations: supported EVAL; not supported STRUC.",
        "Every hypothesis is undefined on permutations of type swap.",
    )
    assert report.tables[0].rows == (
        ("EVAL", "a", "null rejected: b", NOTHING),
        ("STRUC", "a", "not rejected", NOTHING),
    )
    assert "unadjusted" in report.notes[0]
    assert [figure.subject for figure in report.figures] == ["permutation"]


def variant_row(
    book: Book, question: str, tool: str, variant: str, **rho: float
) -> ToolCorrelation:
    made: ToolCorrelation = book.make(
        ToolCorrelation, question, tool, variant, question=question, tool=tool, variant=variant,
        sentences=SentenceGroup.TRANSLATION, adjusted=True, group="all", external=False,
    )  # fmt: skip
    values = {
        name.replace("_", "+"): replace(book.make(Correlation, question, variant, name), rho=value)
        for name, value in rho.items()
    }
    return replace(made, configurations=values)


@case("configuration_report")
def test_columns_of_configuration_report_hold_what_they_name(book: Book) -> None:
    rows = [
        variant_row(book, "order", "derp", "flat=true", match=0.125),
        variant_row(book, "order", "dted", "variant=b", match_model=0.5, match_perceptron=0.25),
        variant_row(book, "order", "bleu", "", match=0.75),
        variant_row(book, "holistic", "dted", "variant=b", match_model=0.1, match_perceptron=0.3),
    ]
    others = [
        replace(rows[1], adjusted=False),
        replace(rows[1], sentences=SentenceGroup.SWAP),
        replace(rows[1], external=True),
    ]
    report = configuration_report([*others, *rows], adjusted=True)
    assert report.data.names == (
        "question", "configuration", "variant", "rho", "n", "sentences",
    )  # fmt: skip
    listed = [
        (each.question, name, short, value.rho, value.judgments, value.sentences)
        for each, short in zip(rows, ("fderp", "b", None, "b"), strict=True)
        for name, value in each.configurations.items()
        if short and isinstance(value, Correlation)
    ]
    assert [*report.data.rows] == [*listed[1:3], listed[0], *listed[3:]]
    order, holistic = report.tables
    assert order.names == ("configuration", "b", "fderp")
    assert [*order.rows] == [
        ("match+model", 0.5, None),
        ("match+perceptron", 0.25, None),
        ("match", None, 0.125),
        ("largest - smallest", 0.25, 0.0),
    ]
    assert holistic.names == ("configuration", "b")
    assert holistic.rows[-1][1] == pytest.approx(0.2)
    assert [table.title for table in report.tables] == [
        "Correlation with order on translations, by configuration and variant",
        "Correlation with holistic on translations, by configuration and variant",
    ]


def test_a_correlation_that_is_undefined_says_why_and_makes_no_spread(book: Book) -> None:
    nothing = Undefined("all scores are equal")
    made = variant_row(book, "order", "derp", "", match_model=0.5)
    report = configuration_report(
        [replace(made, configurations={**made.configurations, "": nothing})], adjusted=True
    )
    assert report.tables[0].rows == (
        ("match+model", 0.5), ("words only", nothing), ("largest - smallest", 0.0),
    )  # fmt: skip


def test_without_a_variant_there_is_a_sentence_that_says_so() -> None:
    report = configuration_report([], adjusted=False)
    assert report.text == ("No variant of DTED or DERP has correlations.",)
    assert report.data.rows == ()


@case("stated_report")
def test_a_study_states_hypotheses_of_its_own() -> None:
    on = crossed([[1, 2, 3, 4, 5] * 4, [1, 3, 2, 5, 4] * 4])
    on = on.with_tools([scores("good", [1, 2, 3, 4, 5] * 4), scores("poor", [5, 1, 4, 2, 3] * 4)])
    rows = tool_correlations(on)
    stated = [
        StatedHypothesis(id="H1", claim="good is best", question="order", better=("good",), than=("poor",)),
        StatedHypothesis(id="H2", claim="poor is best", question="order", better=("poor",), than=("good",)),
        StatedHypothesis(id="H3", claim="none", question="order", better=("none",), than=("good",)),
    ]  # fmt: skip
    found = stated_table(rows, stated, adjusted=False)
    assert [each.result for each in found[:2]] == ["null rejected", "not rejected"]
    assert "no two of these tools" in found[2].result
    assert found[0].numbers["good"] == -found[1].numbers["poor"] > 0
    report = stated_report(found, adjusted=False, simulated=False)
    for cells, each in zip(report.data.rows, found, strict=True):
        named = dict(zip(report.data.names, cells, strict=True))
        assert (named["id"], named["alternative"]) == (each.id, each.alternative)
        assert named["supporting"] == " ".join(each.variants)
        assert (named["variant"], named["number"]) == next(iter(each.numbers.items()), (None, None))
    assert report.text[0].startswith("Supported: good is best (H1, good). Not supported: H2.")
