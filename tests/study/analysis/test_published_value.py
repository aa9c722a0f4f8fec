"""Printed figures beside those of a study."""

from kilter.run.meta.hypothesis import HypothesisResult
from kilter.stats.undefined import Undefined
from kilter.study.analysis.adjustment import TTest, adjust
from kilter.study.analysis.published_value import PrintedValue, published_report, published_values
from tests.render.cases import case
from tests.render.distinct import Book
from tests.study.analysis.studies import permutation, scores, study, translation

SENTENCES = [
    translation("t0", reference="a b", hypothesis="a b"),
    translation("t1", reference="a b c", hypothesis="a b c d"),
    permutation("o", "order", 1, reference="a b c d", hypothesis="b a c d"),
]
ROWS = [(0, 0, 5, 5), (0, 1, 1, 1), (1, 0, 1, 5), (1, 2, 5, 1), (2, 2, 5, 5), (2, 1, None, None)]
MADE = study(
    ROWS, SENTENCES, tools=[scores("dted", [0.5, 0.5, 0.4], variant="variant=b,flat=true")]
)
SPREAD = HypothesisResult(
    id="EVAL_CONF", alternative="a", supported=True,
    numbers={"b": 0.1, "derp": 0.2, "fb": 0.3, "fderp": 0.25, "threshold": 0.4},
)  # fmt: skip


def by_name(**options: object) -> dict[str, PrintedValue]:
    return {each.name: each for each in published_values(MADE, **options)}  # type: ignore[arg-type]


def test_every_figure_is_computed_from_the_study() -> None:
    found = by_name(results=[SPREAD])
    expected = {
        "participants": 3,
        "judgments with an answer": 5,
        "judgments: both answers best": 2,
        "judgments: both answers worst": 1,
        "judgments: worst holistic with best order": 1,
        "judgments: best holistic with worst order": 1,
        "share of order permutations with another number of words": 1.0,
        "threshold of EVAL_CONF": 0.4,
        "largest spread over configurations, structured variants": 0.2,
        "largest spread over configurations, flattened variants": 0.3,
        "hypothesis EVAL_CONF": "null rejected",
    }
    assert {name: found[name].ours for name in expected} == expected
    few = found["Pearson's r of reference and hypothesis length"].ours
    assert str(few).endswith("a correlation needs 15")
    assert isinstance(found["hypothesis EVAL"].ours, Undefined)
    assert isinstance(
        found["share of choice permutations with another number of words"].ours, Undefined
    )


def test_the_test_of_the_adjustment_is_that_of_each_question() -> None:
    adjustments = {name: adjust(MADE, name) for name in ("holistic", "order")}
    found = by_name(adjustments=adjustments)
    for name, adjustment in adjustments.items():
        (value,) = [each.ours for title, each in found.items() if f"answers, {name}" in title]
        assert isinstance(adjustment.change, TTest)
        assert value == adjustment.change.p
    assert isinstance(by_name()["threshold of EVAL_CONF"].ours, Undefined)


def test_figures_about_answers_and_scores_are_placed_in_chapter_7() -> None:
    """Chapter 6 tells of the design, chapter 7 of what the judgments and scores have shown."""
    places = {name: each.place for name, each in by_name().items()}
    assert [name for name, place in places.items() if place == "chapter 6"] == [
        "participants",
        "judgments with an answer",
        "Pearson's r of reference and hypothesis length",
    ]
    assert {place for place in places.values() if place != "chapter 6"} == {"chapter 7", "7.4"}


@case("published_report")
def test_columns_of_published_report_hold_what_they_name(book: Book) -> None:
    values = [
        book.make(PrintedValue, "one", published=0.118, ours=0.25),
        book.make(PrintedValue, "two", published="null rejected", ours="null rejected"),
        book.make(PrintedValue, "three", published="not rejected", ours=Undefined("why")),
    ]
    report = published_report(values, simulated=False)
    assert report.data.names == ("name", "place", "published", "ours")
    printed = ("0.118", "null rejected", "not rejected")
    for row, made, shown in zip(report.data.rows, values, printed, strict=True):
        assert row == (made.name, made.place, shown, made.ours)
    assert [row[3] for row in report.tables[0].rows] == [
        "0.2500",
        "null rejected",
        Undefined("why"),
    ]
    assert report.text[0].startswith("1 of 2 hypotheses have the published outcome.")
    assert "simulated" in published_report(values, simulated=True).text[0]
