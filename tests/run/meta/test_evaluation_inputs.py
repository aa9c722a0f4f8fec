"""Inputs of an evaluation: what is given by name becomes what it names, other kinds are refused."""

import pytest

from kilter.core.errors import OptionError
from kilter.core.judgments import Repeated
from kilter.io.judgments.reader import JudgmentFormat
from kilter.run.meta.evaluation_inputs import (
    META_METRICS,
    EvaluationInputs,
    Identical,
    JudgmentPolicy,
)


def test_metrics_are_those_of_meta_unless_settings_say_otherwise() -> None:
    assert EvaluationInputs(judgments="j").settings.metrics == META_METRICS


def test_judgments_or_ratings_are_named_and_not_both() -> None:
    for given in ({}, {"judgments": "j", "ratings": "r"}):
        with pytest.raises(OptionError, match="name judgments or ratings, and not both"):
            EvaluationInputs(**given)  # type: ignore[arg-type]
    for choice in ({"question": "order"}, {"judgment_name": "mqm"}):
        with pytest.raises(OptionError, match="ratings have neither names nor questions"):
            EvaluationInputs(ratings="r", **choice)  # type: ignore[arg-type]


def test_choices_may_be_given_by_name() -> None:
    inputs = EvaluationInputs(judgments="j", judgment_format="pairs")  # type: ignore[arg-type]
    assert inputs.judgment_format is JudgmentFormat("pairs")
    policy = JudgmentPolicy(repeated="first", identical="drop")  # type: ignore[arg-type]
    assert (policy.repeated, policy.identical) == (Repeated("first"), Identical.DROP)


@pytest.mark.parametrize(
    ("field", "value"),
    [("settings", {"metrics": "pef"}), ("references", "r.en"), ("threshold", "x")],
)
def test_other_kinds_are_refused(field: str, value: object) -> None:
    with pytest.raises(OptionError, match=f"{field} is "):
        EvaluationInputs(judgments="j", **{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("threshold", [-1, -1e-9])
def test_a_threshold_below_nothing_is_refused(threshold: float) -> None:
    with pytest.raises(OptionError, match=f"threshold is {threshold}; it must be 0 or more"):
        EvaluationInputs(judgments="j", threshold=threshold)


def test_scores_need_the_name_of_their_metric() -> None:
    with pytest.raises(OptionError, match="scores are of a metric without name; name each"):
        EvaluationInputs(judgments="j", scores={"": "scores.tsv"})
