"""The vectors of conversions and of participants' effects; those of perturbed sentences are beside them."""

import numpy as np
import pytest

from kilter.io.judgments.ranking import degree_score, rank_score
from kilter.io.judgments.survey_export import QuestionScale
from kilter.stats.participant_effect import anova_effects
from tests.golden import Case, cases
from tests.tolerance import close

CASES = cases("wojdb")


def of(kind: str) -> list[Case]:
    return [case for case in CASES if case["kind"] == kind]


@pytest.mark.parametrize("case", of("participants"))
def test_participants_effects_are_those_of_the_vectors(case: Case) -> None:
    participant = np.array([row[0] for row in case["rows"]])
    scores = np.array([row[2] for row in case["rows"]])
    given = [row[1] for row in case["rows"]]
    predictor = None if given[0] is None else np.array(given)
    found = anova_effects(scores, participant, len(case["effects"]), predictor=predictor)
    expected = [case["effects"][str(number)] for number in range(len(case["effects"]))]
    assert found.effects.tolist() == close(expected)
    parts = case["parts"]
    assert found.participant_variance == close(parts["var_u"])
    assert found.residual_variance == close(parts["var_e"])
    assert (found.intercept, found.slope) == close((parts["intercept"], parts["slope"]))
    assert (scores - found.effects[participant]).tolist() == close(case["adjusted"])


@pytest.mark.parametrize("case", of("wmt_rank"))
def test_rank_scores_are_those_of_the_vectors(case: Case) -> None:
    ranks = np.array(case["ranks"])
    texts = np.full(len(ranks), len(set(case["texts"])))
    assert rank_score(ranks, texts).tolist() == close(case["scores"])


@pytest.mark.parametrize("case", of("degree"))
def test_degree_scores_are_those_of_the_vectors(case: Case) -> None:
    assert degree_score(np.array([case["degree"]]), case["max"]).tolist() == close([case["score"]])


@pytest.mark.parametrize("case", of("likert"))
def test_scores_of_boxes_are_those_of_the_vectors(case: Case) -> None:
    assert QuestionScale(name="order").scores(
        np.array([case["box"]], dtype=float)
    ).tolist() == close([case["score"]])


def test_every_case_is_tested_here_or_with_the_perturbations() -> None:
    here = {"participants", "wmt_rank", "degree", "likert"}
    there = {"split", "order", "swap", "phrase", "choice", "table_6_1", "truecase"}
    assert {case["kind"] for case in CASES} == here | there
