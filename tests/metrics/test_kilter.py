"""The overall score."""

from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.errors import OptionError
from kilter.metrics.fitted_weight import fitted_weights
from kilter.metrics.kilter import Kilter
from kilter.metrics.registry import metric
from kilter.metrics.word_model import WordModel
from tests.oracles import score as oracle
from tests.texts import Segment, evaluation_of, segments

ENCODERS = [WordModel.NONE, WordModel.EN]


@given(st.lists(segments(1), min_size=1, max_size=3))
def test_a_segment_is_the_weighted_sum_of_its_parts(corpus: list[Segment]) -> None:
    whole = evaluation_of(corpus, references=1)
    weights = fitted_weights(WordModel.NONE).parts
    expected = []
    for segment in corpus:
        (reference,), (links,) = segment.references, segment.links
        parts = {
            "characters": oracle.characters(" ".join(segment.hypothesis), " ".join(reference)),
            "words": oracle.words(segment.hypothesis, reference),
            "order": oracle.order(links, len(reference)),
        }
        expected.append(sum(weights[name].segment * value for name, value in parts.items()))
    assert Kilter().measure(whole).scores.tolist() == pytest.approx(expected)


@pytest.mark.parametrize("encoder", ENCODERS)
def test_parts_of_a_system_add_up_to_its_score(encoder: WordModel) -> None:
    words = ["we", "saw", "the", "house"]
    corpus = [
        Segment(hypothesis=hypothesis, references=[words], links=[links], source=[], source_links=[],
                reference_links=[[]], heads=[-1, 0, 0, 0][: len(hypothesis)],
                reference_heads=[[-1, 0, 0, 0]])
        for hypothesis, links in (
            (["the", "house", "saw", "we"], [(0, 2), (1, 3), (2, 1), (3, 0)]),
            (["we", "see", "houses"], [(0, 0)]),
        )
    ]  # fmt: skip
    made = Kilter(encoder=encoder)
    measure = made.measure(evaluation_of(corpus, references=1))
    assert measure.parts is not None
    added = [value for value in measure.parts.means().values() if value is not None]
    assert len(added) == len(made.part_weights())
    assert made.corpus_score(measure.statistics.sum(axis=0)) == pytest.approx(fsum(added))
    assert list(measure.parts.names)[-1] == "order"


@pytest.mark.parametrize("encoder", ENCODERS)
def test_factors_change_weights_that_still_add_up_to_one(encoder: WordModel) -> None:
    plain, more = Kilter(encoder=encoder), Kilter(encoder=encoder, order=5.0, words=0.3)
    for level in (0, 1):
        for made in (plain, more):
            assert sum(weight[level] for weight in made.part_weights().values()) == pytest.approx(
                1.0
            )
        assert more.part_weights()["order"][level] > plain.part_weights()["order"][level]


def test_the_control_has_no_order() -> None:
    control = Kilter().control()
    assert control is not None
    assert control.part_weights()["order"] == (0.0, 0.0)
    assert control.control() is None


def test_something_has_to_count() -> None:
    with pytest.raises(OptionError, match="leave no part that counts"):
        Kilter(order=0.0, words=0.0, characters=0.0)


def test_the_signature_has_the_version_of_the_weights() -> None:
    version = fitted_weights(WordModel.NONE).version
    assert f"|weights:{version}|" in Kilter().signature()


def test_english_asks_for_the_english_model() -> None:
    assert metric("kilter", language="en") == Kilter(encoder=WordModel.EN)
    assert Kilter(encoder=WordModel.EN).needed(set()) == ("words", "meaning")
    assert metric("kilter", language="fr") == Kilter()


def test_more_of_each_part_is_never_worse() -> None:
    for encoder in ENCODERS:
        for weight in Kilter(encoder=encoder).part_weights().values():
            assert weight.segment >= 0.0
            assert weight.system >= 0.0
