"""Answers of the survey."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.io.judgments.reader import read_judgments
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
