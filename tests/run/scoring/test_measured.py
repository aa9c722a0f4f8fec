"""What was measured: the mean of configurations, and given scores apart from computed ones."""

import numpy as np
import pytest

from kilter.metrics.bleu import Bleu
from kilter.metrics.kendall import Kendall
from kilter.run.scoring.given_score import GivenScore
from kilter.run.scoring.measured import Measured


def test_a_score_is_the_mean_of_its_configurations() -> None:
    rows = np.array([[0.5, 1.0, 0.25, 1.0], [1.0, 1.0, 0.75, 1.0]])
    made = Measured(metric=Kendall(), statistics=[rows], signature="kendall", configurations=2)
    assert made.corpus_score(rows.sum(axis=0)) == pytest.approx((0.75 + 0.5) / 2)


def test_a_name_holds_the_configuration_if_there_is_one() -> None:
    plain, configured = (
        Measured(metric=Bleu(), statistics=[], signature="", configuration=label)
        for label in ("", "match")
    )
    assert (plain.name, configured.name) == ("bleu", "bleu@match")


def test_only_computed_scores_have_a_metric() -> None:
    assert Measured(metric=Bleu(), statistics=[], signature="").computed == Bleu()
    given = Measured(metric=GivenScore(name="order"), statistics=[], signature="")
    with pytest.raises(TypeError, match="order was given, and not computed by a metric"):
        _ = given.computed
