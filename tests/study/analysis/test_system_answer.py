"""What was asked, and how the translations of each system were judged."""

from dataclasses import replace

import numpy as np
import pytest

from kilter.stats.resampling import Resampling
from kilter.study.analysis import system_answer
from kilter.study.analysis.system_answer import SystemAnswer, design_report, system_answers
from kilter.study.judgments.judgment_study import JudgmentStudy
from tests.render.cases import case
from tests.render.distinct import Book
from tests.study.analysis.studies import permutation, study, translation


def judged(count: int = 6) -> JudgmentStudy:
    """Return two systems in two language pairs; permutations belong to none."""
    sentences = [
        *(translation(f"a{k}", system="a", pair="de-en") for k in range(count)),
        *(translation(f"b{k}", system="b", pair="cs-en") for k in range(count)),
        permutation("p", "order", 2),
    ]
    rows = [(p, s, 1 + (s + p) % 5, 5) for p in range(2) for s in range(2 * count + 1)]
    return study(rows, sentences)


def test_means_are_those_of_all_answers_and_intervals_those_of_sentences() -> None:
    of = judged()
    answers = system_answers(of, resampling=Resampling(resamples=200))
    found = {(each.question, each.system, each.pair): each for each in answers}
    assert [*found] == [
        (question, *system) for question in ("holistic", "order") for system in (("a", "de-en"), ("b", "cs-en"))
    ]  # fmt: skip
    own = found["holistic", "a", "de-en"]
    scores = of.scores("holistic")[of.sentence < 6]
    assert own.mean.value == pytest.approx(scores.mean())
    assert (own.judgments, own.sentences) == (12, 6)
    means = np.array([of.scores("holistic")[of.sentence == k].mean() for k in range(6)])
    assert own.mean.bounds is not None
    low, high = own.mean.bounds
    assert means.min() <= low < scores.mean() < high <= means.max()
    assert found["order", "a", "de-en"].mean.triple == (1.0, 1.0, 1.0)  # no sentence differs


def test_few_sentences_have_a_mean_and_no_interval() -> None:
    (own, *_) = system_answers(judged(count=4))
    assert own.mean.value is not None
    assert own.mean.bounds is None
    assert own.mean.reason == "4 sentences; an interval needs 5"


def test_the_chapter_begins_with_what_was_asked_of_whom() -> None:
    asked = {
        "judgments": {
            "order": "How good? (1 = bad, 2 = good, or the words themselves; empty = no answer)"
        }
    }
    of = replace(judged(), wording=asked)
    text = design_report(of, system_answers(of)).text
    assert text[0] == (
        "2 participants gave 26 judgments of 13 items, and each judgment answers 2 questions. The translations are those of "
        "2 systems (a, b), cs-en, de-en."
    )
    assert text[1] == "order: How good? (1 = bad, 2 = good)"


@case("design_report")
def test_columns_of_design_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    del monkeypatch
    answers = system_answers(judged())
    report = design_report(judged(), answers)
    for row, each in zip(report.data.rows, answers, strict=True):
        named = dict(zip(report.data.names, row, strict=True))
        assert (named.pop("mean"), named.pop("low"), named.pop("high")) == each.mean.triple
        for column, cell in named.items():
            assert cell == getattr(each, column), column
    for table in report.tables:
        assert table.names == ("system", "de-en", "cs-en")
        assert [row[0] for row in table.rows] == ["a", "b"]
        assert table.rows[0][2] is None
    assert isinstance(answers[0], SystemAnswer)
    assert system_answer.LEAST_SENTENCES == 5
    assert book is not None
