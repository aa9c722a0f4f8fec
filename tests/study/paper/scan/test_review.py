"""What somebody has confirmed is kept, and wrong tables refused."""

from pathlib import Path

import pytest

from kilter.study.design.study_file import read_study
from kilter.study.paper.scan.answer_text import AnswerText
from kilter.study.paper.scan.review import Review
from tests.study.paper.scan.measured import seen
from tests.study.running import example


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> AnswerText:
    return AnswerText(read_study(example(tmp_path_factory.mktemp("review") / "study")), ["risks"])


def test_what_was_confirmed_is_kept_and_belongs_to_one_participant(
    tmp_path: Path, answers: AnswerText
) -> None:
    folder = tmp_path / "review"
    doubts = {
        name: {(1, "order"): seen(None, "unclear: box 1"), (2, "order"): seen(None, 'a, "b"')}
        for name in ("p", "q")
    }
    assert Review(folder, answers).write(doubts) == 4
    table = folder / "review.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    assert [line[-1] for line in lines[1:]] == [","] * 4
    table.write_text(
        "\n".join([lines[0], lines[1] + "4", lines[2], lines[3] + " none ", lines[4]]) + "\n",
        encoding="utf-8",
    )
    again = Review(folder, answers)
    assert again.confirmed("p") == {(1, "order"): 4}
    assert again.confirmed("q") == {(1, "order"): None}
    assert again.confirmed("r") == {}
    assert again.write({"p": {(2, "order"): seen(None, "still unclear")}}) == 1
    third = Review(folder, answers)
    assert (third.confirmed("p"), third.confirmed("q")) == (
        {(1, "order"): 4},
        {(1, "order"): None},
    )
    assert (folder / "p-2-order.png").exists()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("p,1,order,x,s,f,6", "the answer is '6'; write a number from 1 to 5, or none"),
        ("p,1,order,x,s,f,0", "the answer is '0'; write a number from 1 to 5, or none"),
        ("p,1,mood,x,s,f,3", "there is no question 'mood'"),
        ("p,0,mood,x,s,f,3", "there is no question 'mood'"),
        ("p,0,age,x,s,f,7", "the answer is '7'; write a number from 16 to 120, or none"),
        ("p,0,gender,x,s,f,man", "the answer is 'man'; write a number from 1 to 4, one of male,"),
        ("p,0,consent_risks,x,s,f,maybe", "the answer is 'maybe'; write yes, no, or none"),
        ("p,one,order,x,s,f,3", "needs 7 cells, with the number of an item in the second"),
        (
            f"p,{'9' * 5000},order,x,s,f,3",
            "needs 7 cells, with the number of an item in the second",
        ),
        ("p,1,order,x,s,f", "needs 7 cells"),
        ("p,1,order,x,s,f,2\np,1,order,x,s,f,2", "p has item 1, order twice"),
    ],
)
def test_a_table_that_was_filled_in_wrongly_is_refused(
    tmp_path: Path, row: str, message: str, answers: AnswerText
) -> None:
    header = "participant,position,question,doubt,scan,picture,answer\n"
    (tmp_path / "review.csv").write_text(f"{header}{row}\n", encoding="utf-8")
    (problem,) = Review(tmp_path, answers).problems
    assert f"review.csv:{2 + row.count(chr(10))}: {message}" in str(problem)


def test_every_fault_of_the_table_is_named(tmp_path: Path, answers: AnswerText) -> None:
    rows = "p,1,order,x,s,f,9\np,1,colour,x,s,f,2\np,x,order,x,s,f,2\n"
    header = "participant,position,question,doubt,scan,picture,answer\n"
    (tmp_path / "review.csv").write_text(header + rows, encoding="utf-8")
    problems = Review(tmp_path, answers).problems
    assert [str(problem).split("review.csv:")[1][0] for problem in problems] == ["2", "3", "4"]
