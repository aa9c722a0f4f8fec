"""Columns hold what they name: what participants were asked. Section 12.5"""

from dataclasses import replace

from kilter.study.analysis.question_wording import wording_report
from tests.render.cases import case
from tests.render.study_table import STUDY

WORDING = {
    "judgments": {"order": "How much? (1 = a, 5 = b)"},
    "participants": {"age": "How old are you?", "gender": "Your gender?"},
}


@case("wording_report")
def test_columns_of_wording_report_hold_what_they_name() -> None:
    report = wording_report(replace(STUDY, wording=WORDING))
    assert report.data.names == ("about", "question", "wording")
    assert report.data.rows == (
        ("sentences", "order", "How much? (1 = a, 5 = b)"),
        ("participants", "age", "How old are you?"),
        ("participants", "gender", "Your gender?"),
    )
    assert [table.title for table in report.tables] == [
        "Questions about each sentence",
        "Questions about participants",
    ]
    assert report.tables[1].names == ("question", "wording")
    assert report.tables[1].rows == (("age", "How old are you?"), ("gender", "Your gender?"))


def test_data_without_a_dictionary_says_that_wordings_are_unknown() -> None:
    report = wording_report(STUDY)
    assert report.data.rows == ()
    assert report.text == (
        "The data has no dictionary: the wording of the questions is not known.",
    )
