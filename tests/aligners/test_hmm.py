"""The hidden Markov model."""

from kilter.aligners.hmm import Hmm
from kilter.core.corpus import Vocabulary
from tests.aligners.trained import TEXT, columns


def test_a_reordered_pair_is_followed() -> None:
    vocabulary = Vocabulary()
    text = [
        ("red car", "voiture rouge"),
        ("red", "rouge"),
        ("car", "voiture"),
        ("big car", "grande voiture"),
    ]
    found = Hmm().align(*columns(text, vocabulary), vocabulary)
    assert found.segment(0) == [(0, 1), (1, 0)]


def test_unknown_words_are_placed_by_their_neighbours_in_the_hidden_markov_model() -> None:
    vocabulary = Vocabulary()
    model = Hmm().train(*columns(TEXT, vocabulary), vocabulary)
    new = columns([("the zebra house", "das Zebra Haus")], vocabulary)
    found = model.links(*new, vocabulary, decoding=Hmm()._decoding(), rule=Hmm().symmetrize)
    assert found.segment(0) == [(0, 0), (1, 1), (2, 2)]
