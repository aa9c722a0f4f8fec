"""The model whose word vectors are looked at."""

from kilter.core.meaning import MeaningOptions
from kilter.metrics.word_model import WordModel


def test_only_a_model_makes_soft_links() -> None:
    assert WordModel.NONE.meaning_options() is None
    assert WordModel.EN.meaning_options() == MeaningOptions()
