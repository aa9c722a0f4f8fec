"""Answers of the survey."""

from pathlib import Path

import pytest

from kilter.judgments.reader import read_judgments
from kilter.judgments.survey_export import SurveyQuestion
from tests.judgments.files import file, given_scores


@pytest.mark.parametrize(
    ("question", "score"), [(SurveyQuestion.ORDER, 0.25), (SurveyQuestion.HOLISTIC, 1.0)]
)
def test_answers_of_the_survey_become_scores(
    tmp_path: Path, question: SurveyQuestion, score: float
) -> None:
    rows = ["p1,q1,1,wmt14_online.A.de-en #12,5,2", "p2,q1,1,wmt14_B.de-en #3,,"]
    path = file(tmp_path, "participant,questionnaire,position,sentence,holistic,order", *rows)
    found = read_judgments(path, question=question)
    assert given_scores(found) == {(12, "online.A"): score}
    assert found.counts["missing"] == 1


@pytest.mark.parametrize("column", ["system", "segment"])
def test_a_system_and_a_segment_count_only_together(tmp_path: Path, column: str) -> None:
    header = f"participant,questionnaire,position,sentence,holistic,order,{column}"
    path = file(tmp_path, header, "p1,q1,1,wmt14_online.A.de-en #12,5,2,7")
    assert given_scores(read_judgments(path, question=SurveyQuestion.HOLISTIC)) == {
        (12, "online.A"): 1.0
    }
