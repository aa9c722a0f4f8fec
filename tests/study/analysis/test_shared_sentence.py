"""Columns hold what they name: the sentences of all questionnaires. Section 12.4"""

from kilter.study.analysis.shared_sentence import shared_sentence_report
from tests.render.cases import case
from tests.study.analysis.studies import permutation, study, translation

TAGS = {"length": "short", "quality": "high", "role": "prime"}
MADE = study(
    [(0, 0, 5, 1), (1, 0, 3, None), (0, 1, 1, 2), (1, 2, 4, 4)],
    [
        translation("t", shared=True, tags=TAGS, hypothesis="a c b"),
        permutation("p", "swap", 2, shared=True),
        translation("own"),
    ],
)


@case("shared_sentence_report")
def test_columns_of_shared_sentence_report_hold_what_they_name() -> None:
    report = shared_sentence_report(MADE)
    assert [dict(zip(report.data.names, row, strict=True)) for row in report.data.rows] == [
        {
            "sentence": "t", "kind": "translation", "type": None, **TAGS, "hypothesis": "a c b",
            "reference": "a b c", "degree": None, "judgments": 2, "mean holistic": 0.75, "mean order": 0.0,
        },
        {
            "sentence": "p", "kind": "permutation", "type": "swap", "length": None, "quality": None,
            "role": None, "hypothesis": "b a c", "reference": "a b c", "degree": 2, "judgments": 1,
            "mean holistic": 0.0, "mean order": 0.25,
        },
    ]  # fmt: skip
    translations, permutations = report.tables
    assert translations.names == (
        "hypothesis", "reference", "length", "quality", "role", "judgments", "mean holistic", "mean order",
    )  # fmt: skip
    assert translations.rows == (("a c b", "a b c", "short", "high", "prime", 2, 0.75, 0.0),)
    assert permutations.names == (
        "hypothesis", "reference", "type", "degree", "judgments", "mean holistic", "mean order",
    )  # fmt: skip
    assert permutations.rows == (("b a c", "a b c", "swap", 2, 1, 0.0, 0.25),)


def test_a_study_that_shares_nothing_says_so() -> None:
    report = shared_sentence_report(study([(0, 0, 5, 1)]))
    assert report.text == ("No sentence is in all questionnaires.",)
    assert report.tables == ()
