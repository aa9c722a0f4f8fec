"""Answers of the survey."""

from pathlib import Path

import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.io.judgments.reader import read_judgments
from kilter.io.judgments.survey_export import QuestionScale, question_levels, question_scales
from kilter.io.table import DataTable
from tests.io.judgments.files import file, given_scores


@pytest.mark.parametrize(("question", "score"), [("order", 0.25), ("holistic", 1.0)])
def test_answers_of_the_survey_become_scores(tmp_path: Path, question: str, score: float) -> None:
    rows = ["p1,q1,1,wmt14_online.A.de-en #12,5,2", "p2,q1,1,wmt14_B.de-en #3,,"]
    path = file(tmp_path, "participant,questionnaire,position,sentence,holistic,order", *rows)
    found = read_judgments(path, question=question)
    assert given_scores(found) == {(12, "online.A"): score}
    assert found.counts["missing"] == 1


@pytest.mark.parametrize("column", ["system", "segment"])
def test_a_system_and_a_segment_count_only_together(tmp_path: Path, column: str) -> None:
    header = f"participant,questionnaire,position,sentence,holistic,order,{column}"
    path = file(tmp_path, header, "p1,q1,1,wmt14_online.A.de-en #12,5,2,7")
    assert given_scores(read_judgments(path, question="holistic")) == {(12, "online.A"): 1.0}


def test_any_question_of_an_export_is_read_on_the_scale_of_its_dictionary(tmp_path: Path) -> None:
    header = "participant,questionnaire,position,sentence,fluency,why"
    path = file(tmp_path, header, "p1,q1,1,wmt14_A.de-en #3,25,because")
    dictionary = "table,column,low,high\njudgments,fluency,0,100\njudgments,why,,\n"
    (Path(path).parent / "dictionary.csv").write_text(dictionary, encoding="utf-8")
    found = read_judgments(path, question="fluency")
    assert given_scores(found) == {(3, "A"): 0.25}
    with pytest.raises(
        InputError, match=r"no answers to a question 'why' on a scale; there are: fluency"
    ):
        read_judgments(path, question="why")
    with pytest.raises(InputError, match="no answers to a question 'order'"):
        read_judgments(path)


# Questions and levels of a survey export.


def table(name: str, **columns: list[str]) -> DataTable:
    rows = len(next(iter(columns.values())))
    return DataTable(
        name, {key: tuple(cells) for key, cells in columns.items()}, np.arange(2, rows + 2)
    )


JUDGMENTS = table("j", participant=["p", "p"], sentence=["a", "b"], order=["5", ""], why=["x", "y"])


def test_without_a_dictionary_every_other_column_is_a_question_of_five_boxes() -> None:
    scales = question_scales(JUDGMENTS, None)
    assert [(scale.name, scale.levels) for scale in scales] == [
        ("order", range(1, 6)),
        ("why", range(1, 6)),
    ]


def test_a_dictionary_says_which_columns_are_scales_and_how_far_they_go() -> None:
    dictionary = table(
        "d", table=["judgments"] * 2, column=["order", "why"], low=["0", ""], high=["10", ""]
    )
    (scale,) = question_scales(JUDGMENTS, dictionary)
    assert (scale.low, scale.high, list(scale.levels)) == (0, 10, list(range(11)))
    assert scale.scores(np.array([0.0, 5.0, 10.0])).tolist() == [0.0, 0.5, 1.0]


def test_a_scale_that_goes_nowhere_is_refused_with_its_line() -> None:
    dictionary = table("d", table=["judgments"], column=["order"], low=["5"], high=["5"])
    with pytest.raises(InputError, match="d:2: order goes from '5' to '5'"):
        question_scales(JUDGMENTS, dictionary)


def test_levels_are_numbers_of_the_scale_and_missing_ones_are_nan() -> None:
    levels = question_levels(JUDGMENTS, QuestionScale(name="order"))
    assert levels[0] == 5.0
    assert np.isnan(levels[1])
    with pytest.raises(InputError, match="j:2: order is '5'; it is a whole number from 1 to 4"):
        question_levels(JUDGMENTS, QuestionScale(name="order", high=4))
