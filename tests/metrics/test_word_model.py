"""The model whose word vectors are looked at."""

from kilter.metrics.word_model import WordModel
from kilter.structures.link.meaning_source import MeaningOptions


def test_a_language_without_a_model_asks_for_none() -> None:
    assert WordModel.language_options("en") == {"encoder": "en"}
    assert WordModel.language_options("de") == {}


def test_only_a_model_makes_soft_links() -> None:
    assert WordModel.NONE.meaning_options() is None
    assert WordModel.EN.meaning_options() == MeaningOptions()
