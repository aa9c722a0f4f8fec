"""Numbers of section 13.1, counted by hand on small studies."""

import numpy as np
import pytest

from kilter.statistics.undefined import Undefined
from kilter.survey.analysis.answer_distribution import (
    LevelUse,
    QuestionTable,
    level_use,
    question_table,
)
from kilter.survey.analysis.demographics import FieldDescription, demographics
from kilter.survey.analysis.judgment_study import JudgedSentence, SentenceGroup
from kilter.survey.analysis.permutation_degree import answers_by_degree
from kilter.survey.analysis.score_distribution import score_distributions, token_changes
from kilter.survey.analysis.sentence_length import (
    Regression,
    sentence_lengths,
    source_languages,
)
from kilter.survey.analysis.summary import summarise
from kilter.survey.analysis.uniformity import quality_by_position, quality_by_questionnaire
from kilter.survey.design.study import ItemKind
from tests.survey.analysis.studies import permutation, scores, study, translation

SENTENCES = (
    translation("t1", reference="a b", hypothesis="a b c"),
    translation("t2", reference="a b c d", hypothesis="a b c d e", pair="cs-en", source="x y"),
    permutation("o1", "order", 1, pair="de-en"),
    permutation("o2", "order", 3, pair="de-en"),
    permutation("c1", "choice", 3, pair="de-en"),
    JudgedSentence(id="k", kind=ItemKind.IDENTICAL, reference="a", hypothesis="a"),
)
ROWS = [
    (0, 0, 5, 4), (0, 2, 3, 2), (0, 4, 1, None), (0, 5, 5, 5),
    (1, 1, 5, 5), (1, 0, None, None), (1, 3, 2, 1),
]  # fmt: skip
MADE = study(
    ROWS,
    SENTENCES,
    tools=[
        scores("wmt-rank", [0.5, 1.0] + [np.nan] * 4),
        scores("degree", [np.nan, np.nan, 1.0, 0.0, 0.0, np.nan]),
        scores("dted", [0.4, 0.6, 0.5, 0.45, 0.5, 1.0], variant="variant=b,flat=true"),
    ],
    fields={
        0: {"age": "29", "gender": "female", "languages": "English (native); German (fluent): C1"},
        1: {"age": None, "gender": "female", "languages": "Hindi ()", "education": "masters"},
    },
)


def test_quality_by_position_and_questionnaire() -> None:
    first, second, third, fourth = quality_by_position(MADE)
    assert (first.place, first.judgments, first.kinds) == (1, 2, {"translation": 2})
    assert first.rank_score.mean == 0.75
    assert first.answers["order"].mean == 0.875
    assert second.kinds == {"permutation": 1, "translation": 1}
    assert second.degree_score.mean == 1.0
    assert (second.answers["holistic"].count, second.answers["holistic"].missing) == (1, 1)
    assert third.degree_score.mean == 0.0
    assert third.rank_score.mean == Undefined("there is no value")
    assert fourth.answers["order"].mean == Undefined("there is no value")  # a control item
    lists = quality_by_questionnaire(MADE)
    assert [entry.place for entry in lists] == [1, 2]
    assert lists[0].answers["holistic"].mean == pytest.approx((1 + 0.5 + 0) / 3)


def test_lengths_and_their_regression() -> None:
    report = sentence_lengths(MADE)
    assert [entry.text for entry in report.lengths] == ["source", "reference", "hypothesis"]
    assert report.lengths[0].counts == {2: 1}
    assert report.lengths[0].summary.missing == 4
    assert report.lengths[1].counts == {2: 1, 3: 3, 4: 1}
    assert report.lengths[2].counts == {3: 4, 5: 1}
    line = report.regression
    assert isinstance(line, Regression)
    slope, intercept = np.polyfit([2, 4, 3, 3, 3], [3, 5, 3, 3, 3], 1)
    assert (line.slope, line.intercept) == pytest.approx((slope, intercept))
    assert line.pearson == pytest.approx(np.corrcoef([2, 4, 3, 3, 3], [3, 5, 3, 3, 3])[0, 1])


def test_lengths_that_do_not_vary_have_no_regression() -> None:
    found = sentence_lengths(study([(0, 0, 1, 1), (0, 1, 2, 2)])).regression
    assert found == Undefined("2 sentences whose lengths do not vary")
    assert isinstance(sentence_lengths(study([])).regression, Undefined)


def test_source_languages_are_counted_over_judged_sentences() -> None:
    assert source_languages(MADE) == {"de": 4, "cs": 1}


def test_demographics_count_answers_and_what_is_missing() -> None:
    found = demographics(MADE)
    age, gender = found["age"], found["gender"]
    assert isinstance(age, FieldDescription)
    assert (age.answered, age.missing) == (1, 1)
    assert age.summary is not None
    assert age.summary.mean == 29.0
    assert isinstance(gender, FieldDescription)
    assert (gender.counts, gender.summary) == ({"female": 2}, None)
    languages = found["number_of_languages"]
    assert isinstance(languages, FieldDescription)
    assert languages.counts == {"1": 1, "2": 1}
    assert found["nationality"] == Undefined("no participant said anything about nationality")


def test_levels_that_participants_use() -> None:
    found = {(use.question, use.participant): use for use in level_use(MADE)}
    everybody = found["holistic", None]
    assert (everybody.answered, everybody.missing) == (5, 1)
    assert everybody.shares == {1: 0.2, 2: 0.2, 3: 0.2, 4: 0.0, 5: 0.4}
    assert found["order", "p0"] == LevelUse(
        participant="p0",
        question="order",
        answered=2,
        missing=1,
        shares={1: 0.0, 2: 0.5, 3: 0.0, 4: 0.5, 5: 0.0},
        never_used=(1, 3, 5),
    )


def test_the_table_of_two_questions() -> None:
    found = question_table(MADE)
    assert isinstance(found, QuestionTable)
    assert sum(map(sum, found.counts)) == found.judgments == 4
    assert found.missing == 2
    assert found.counts[4] == (0, 0, 0, 1, 1)  # holistic 5 with order 4, and with order 5
    expected = np.corrcoef([5, 3, 5, 2], [4, 2, 5, 1])[0, 1]
    assert found.pearson == pytest.approx(expected)
    swaps = question_table(MADE, sentences=SentenceGroup.SWAP)
    assert isinstance(swaps, QuestionTable)
    assert swaps.pearson == Undefined("0 judgments with both answers")
    assert question_table(MADE, rows="fluency") == Undefined(
        "the study has no question fluency on a scale"
    )


def test_distributions_of_scores() -> None:
    found = score_distributions(MADE, sentences=SentenceGroup.PERMUTATION)
    dted = found[-1]
    assert (dted.tool, dted.variant) == ("dted", "variant=b,flat=true")
    assert (dted.summary.count, dted.summary.lowest) == (3, 0.45)
    assert len(dted.edges) == len(dted.counts) + 1
    assert sum(dted.counts) == 3
    rank = found[0]
    assert rank.summary.mean == Undefined("there is no value")


def test_permutations_that_changed_their_number_of_words() -> None:
    found = token_changes(MADE)
    assert not isinstance(found, Undefined)
    assert {row.type: row.changed for row in found} == {
        SentenceGroup.ORDER: 0.5,
        SentenceGroup.SWAP: Undefined("there is no scored permutation of type swap"),
        SentenceGroup.PHRASE: Undefined("there is no scored permutation of type phrase"),
        SentenceGroup.CHOICE: 0.0,
    }
    assert isinstance(token_changes(study(ROWS, SENTENCES)), Undefined)


def test_answers_by_type_and_degree() -> None:
    found = [row for row in answers_by_degree(MADE) if row.question == "holistic"]
    assert [(row.type, row.degree, row.sentences) for row in found] == [
        (SentenceGroup.ORDER, 1, 1),
        (SentenceGroup.ORDER, 3, 1),
        (SentenceGroup.CHOICE, 3, 1),
    ]
    assert [row.answers.mean for row in found] == [0.5, 0.25, 0.0]


def test_summaries_of_nothing_and_of_one_value() -> None:
    assert summarise(np.array([])).mean == Undefined("there is no value")
    assert summarise(np.array([2.0])).deviation == Undefined("one value only")


def test_a_sentence_that_several_people_judge_is_one_sentence() -> None:
    listed = [permutation("o1", "order", 2), permutation("o2", "order", 2)]
    made = study([(0, 0, 1, 1), (1, 0, 3, 3), (2, 0, 5, 5), (0, 1, 2, None)], listed)
    holistic, order = answers_by_degree(made)
    assert (holistic.sentences, holistic.answers.count, holistic.answers.missing) == (2, 4, 0)
    assert (order.sentences, order.answers.count, order.answers.missing) == (2, 3, 1)
    assert order.answers.mean == pytest.approx(0.5)


def test_answers_are_listed_by_how_often_they_were_given_then_by_name() -> None:
    said = ["b", "c", "a", "c", "b", "c"]
    fields = {k: {"gender": value, "age": "9"} for k, value in enumerate(said)}
    gender = demographics(study([(k, 0, 1, 1) for k in range(6)], fields=fields))["gender"]
    assert isinstance(gender, FieldDescription)
    assert [*gender.counts.items()] == [("c", 3), ("b", 2), ("a", 1)]
    even = {k: {"gender": value} for k, value in enumerate("ba")}
    gender = demographics(study([(k, 0, 1, 1) for k in range(2)], fields=even))["gender"]
    assert isinstance(gender, FieldDescription)
    assert [*gender.counts] == ["a", "b"]


def test_rank_scores_describe_translations_and_degree_scores_permutations() -> None:
    listed = [translation("t"), permutation("o", "order", 1)]
    tools = [scores("wmt-rank", [0.25, 0.75]), scores("degree", [0.5, 1.0])]
    made = study([(0, 0, 1, 1), (0, 1, 2, 2)], listed, tools=tools)
    (row,) = quality_by_questionnaire(made)
    assert (row.rank_score.count, row.rank_score.mean) == (1, 0.25)
    assert (row.degree_score.count, row.degree_score.mean) == (1, 1.0)


def test_scores_outside_0_and_1_have_bins_of_their_own() -> None:
    tools = [scores("x", [-3.0, 0.5, 2.0]), scores("y", [0.0, 0.49, 1.0])]
    wide, usual = score_distributions(study([(0, k, 1, 1) for k in range(3)], tools=tools))
    assert (wide.edges[0], wide.edges[-1], sum(wide.counts)) == (-3.0, 2.0, 3)
    assert (usual.edges[0], usual.edges[-1], len(usual.counts)) == (0.0, 1.0, 20)
    assert [place for place, count in enumerate(usual.counts) if count] == [0, 9, 19]
