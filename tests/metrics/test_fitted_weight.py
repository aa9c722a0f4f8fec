"""Fitted weights and what words tell."""

import numpy as np
import pytest

from kilter.core.corpus import Vocabulary
from kilter.core.meaning import MeaningOptions
from kilter.metrics.fitted_weight import WordModel, fitted_weights, word_information


@pytest.mark.parametrize("encoder", list(WordModel))
def test_weights_add_up_to_one(encoder: WordModel) -> None:
    found = fitted_weights(encoder)
    assert sum(found.parts.values()) == pytest.approx(1.0)
    assert found.order == 1.0
    assert found.version
    assert "WMT 2012" in found.fitted_on


def test_frequent_words_tell_less_in_any_case() -> None:
    vocabulary = Vocabulary()
    vocabulary.column([["the", "The", "house", "Qxzvw"]])
    the, again, house, unseen = word_information(vocabulary).tolist()
    assert the == again < house < unseen
    assert unseen == pytest.approx(np.log(3004 / 2) ** 1.5 + 0.02)


@pytest.mark.parametrize("encoder", list(WordModel))
def test_three_of_four_judges_agree_with_the_margin_and_sooner_on_long_sentences(
    encoder: WordModel,
) -> None:
    found = fitted_weights(encoder)
    assert found.slopes is not None
    usual, by_length = found.slopes
    lengths = np.array([0, 1, 5, 20, 60])
    margins = found.margins(lengths)
    assert margins is not None
    # By the logistic curve, the odds of agreement at the margin are 3 to 1.
    assert 1 / (1 + np.exp(-usual * margins[3])) == pytest.approx(0.75)
    long = (usual + by_length * np.log(3)) * margins[4]
    assert 1 / (1 + np.exp(-long)) == pytest.approx(0.75)
    assert margins[0] == margins[1]
    assert (np.diff(margins[1:]) < 0).all()


def test_only_a_model_makes_soft_links() -> None:
    assert WordModel.NONE.meaning_options() is None
    assert WordModel.EN.meaning_options() == MeaningOptions()
