"""Scores of judged sentences: one column for each configuration that matters to a metric."""

import numpy as np
import pytest

from kilter import score
from kilter.agreement.hypothesis import VARIANTS
from kilter.pipeline.survey.scores import BASELINES, STUDY_METRICS, TREE_METRICS, study_scores
from kilter.survey.analysis import hypothesis_table
from kilter.survey.analysis.variant import variant_name
from tests.survey.analysis.studies import crossed, translation

SENTENCES = [
    translation("one", hypothesis="The old man fishes saw by the sea", reference="The old man saw fishes by the sea"),
    translation("two", hypothesis="A dog barks", reference="A dog barks"),
]  # fmt: skip
STUDY = crossed([[1, 2]], sentences=SENTENCES)


def test_a_metric_has_a_column_for_each_configuration_that_matters_to_it() -> None:
    pytest.importorskip("kilter_model_en", reason="the parsers need kilter[parse]")
    found = study_scores(STUDY, metrics=["bleu", "kendall", "dted:variant=b", "dted:flat=true"])
    assert [(tool.name, tool.configuration) for tool in found] == [
        ("bleu", ""),
        ("kendall", "match"),
        ("kendall", "ribes"),
        ("dted:variant=b", "model"),  # it looks at no links
        ("dted:variant=b", "perceptron"),
        ("dted:flat=true", "match"),
        ("dted:flat=true", "ribes"),
    ]
    for tool in found:
        assert tool.values.shape == (2,)
        assert not tool.external
    result = score(
        [sentence.hypothesis for sentence in SENTENCES],
        [sentence.reference for sentence in SENTENCES],
        metrics=["dted:variant=b"],
        parser="perceptron",
    )
    assert np.array_equal(found[4].values, np.asarray(result.segments["score"], dtype=float))


def test_what_is_scored_by_default_is_what_hypotheses_ask_for() -> None:
    names = [variant_name(*metric.partition(":")[::2]) for metric in TREE_METRICS]
    assert sorted(map(str, names)) == sorted(VARIANTS)
    assert {*BASELINES} <= {*hypothesis_table.BASELINES}
    assert {*BASELINES} < {*STUDY_METRICS}
