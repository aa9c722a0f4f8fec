"""The overall score, and the laws that it keeps: specification, section 6.11."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.core.errors import OptionError
from kilter.metrics.fitted_weight import WordModel, fitted_weights
from kilter.metrics.kilter import Kilter
from kilter.metrics.order import Order
from kilter.metrics.registry import metric
from tests.oracles import score as oracle
from tests.texts import Segment, evaluation, evaluation_of, segments
from tests.thorough import tried

ENCODERS = [WordModel.NONE, WordModel.EN]
REFERENCE = "the old man sold his large house to a young woman, who liked the garden."


def score_of(hypothesis: str, reference: str = REFERENCE, *, name: str = "kilter") -> float:
    found = kilter.score([hypothesis], [reference], metrics=name).system[name].score
    assert found is not None
    return found


@given(st.lists(segments(1), min_size=1, max_size=3))
def test_a_segment_is_the_weighted_sum_of_its_parts_times_what_disorder_leaves(
    corpus: list[Segment],
) -> None:
    whole = evaluation_of(corpus, references=1)
    expected = []
    for segment in corpus:
        (reference,), (links,) = segment.references, segment.links
        characters = oracle.characters(" ".join(segment.hypothesis), " ".join(reference))
        met = 0.66 * characters + 0.34 * oracle.words(segment.hypothesis, reference)
        expected.append(met * oracle.left(links, segment.hypothesis, reference))
    assert Kilter().measure(whole).scores.tolist() == pytest.approx(expected)


@pytest.mark.parametrize("name", ["kilter", "kilter:encoder=en"])
def test_law_identity_is_one(name: str) -> None:
    assert score_of(REFERENCE, name=name) == pytest.approx(1.0, abs=1e-6)
    assert score_of("a b", "a b", name=name) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("name", ["kilter", "kilter:encoder=en"])
def test_law_disorder_of_the_same_words_costs_more_and_more(name: str) -> None:
    listed = REFERENCE.removesuffix(".").replace(",", "").split()
    swapped = [*listed]
    for place in range(0, len(listed) - 1, 2):
        swapped[place], swapped[place + 1] = swapped[place + 1], swapped[place]
    one = [listed[1], listed[0], *listed[2:]]
    scores = [
        score_of(" ".join(each), " ".join(listed), name=name)
        for each in (listed, one, swapped, listed[::-1])
    ]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == pytest.approx(1.0, abs=1e-6)
    assert scores[2] < 0.6
    assert scores[3] == 0.0


@pytest.mark.parametrize("name", ["kilter", "kilter:encoder=en"])
@pytest.mark.parametrize("size", [4, 7, 12, 30])
def test_law_one_swap_costs_something_and_reversal_everything(size: int, name: str) -> None:
    random = Random(size)
    for _ in range(tried(20, quick=3)):
        listed = ["".join(random.choices("abcdefghilmnoprstu", k=7)) for _ in range(size)]
        place = random.randrange(size - 1)
        one = [*listed[:place], listed[place + 1], listed[place], *listed[place + 2 :]]
        scores = [
            score_of(" ".join(each), " ".join(listed), name=name) for each in (one, listed[::-1])
        ]
        assert 0.0 < scores[0] < 0.999
        assert scores[1] == 0.0


def test_law_the_order_part_is_seen_by_ranks_of_systems() -> None:
    """A system of good words in a bad order is behind one of fewer good words in order, not without that part."""
    jumbled, plain = f"{REFERENCE[::-1]}", "the old man sold a house to the woman, who liked it."
    jumbled = " ".join(REFERENCE.split()[::-1])
    assert score_of(jumbled) < score_of(plain)
    assert score_of(jumbled, name="kilter:order=0") > score_of(plain, name="kilter:order=0")


@pytest.mark.parametrize("encoder", ENCODERS)
@given(data=st.data())
def test_law_more_of_each_part_is_better_as_long_as_disorder_leaves_anything(
    encoder: WordModel, data: st.DataObject
) -> None:
    kilter_score = Kilter(encoder=encoder)
    shares = st.floats(0.0, 1.0)
    names = [*kilter_score.part_weights(), "order"]
    before = {name: data.draw(shares, label=name) for name in names}
    raised = data.draw(st.sampled_from(names), label="raised")
    more = data.draw(st.floats(0.0, 1.0 - before[raised]), label="by")
    after = {**before, raised: before[raised] + more}
    one, other = (_scored(kilter_score, parts) for parts in (before, after))
    assert other >= one
    disorder = 1.0 - before["order"]
    met = sum(after[name] for name in names if name != "order")
    if more > 0.01 and (disorder > 0.01 if raised == "order" else disorder < 0.99) and met > 0.01:
        assert other > one


def _scored(kilter_score: Kilter, parts: dict[str, float]) -> float:
    """Return the score of a segment of five linked words whose parts are given."""
    words = [[*"abcde"]]
    whole = evaluation(words, words, links=[[[(k, k) for k in range(5)]]])
    values = {name: np.array([parts[name]]) for name in kilter_score.part_weights()}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Kilter, "part_values", lambda *_: values)
        patched.setattr(Order, "reference_scores", lambda *_: np.array([parts["order"]]))
        return float(kilter_score.measure(whole).scores[0])


@pytest.mark.parametrize("encoder", ENCODERS)
def test_every_part_weighs_something_and_all_weights_add_up_to_one(encoder: WordModel) -> None:
    weights = Kilter(encoder=encoder).part_weights().values()
    assert all(weight > 0.0 for weight in weights)
    assert sum(weights) == pytest.approx(1.0)


def test_a_corpus_is_the_mean_of_its_segments_and_its_parts_give_the_difference() -> None:
    lines = [REFERENCE, " ".join(REFERENCE.split()[::-1]), "the man sold a house"]
    found = kilter.score(lines, [REFERENCE] * 3, metrics="kilter")
    scores = found.segment_arrays["kilter", "system"]
    assert found.system["kilter"].score == pytest.approx(scores.mean())
    compared = kilter.compare(
        {"one": lines, "other": [REFERENCE] * 3}, [REFERENCE] * 3, metrics="kilter"
    )
    (pair,) = compared.metrics[0].pairs
    assert sum(part.difference or 0.0 for part in pair.parts) == pytest.approx(pair.difference)
    assert {part.name for part in pair.parts} == {"characters", "words", "order"}


def test_factors_change_weights_that_still_add_up_to_one() -> None:
    more = Kilter(words=0.3, order=0.5)
    assert sum(more.part_weights().values()) == pytest.approx(1.0)
    assert more.part_weights()["words"] < Kilter().part_weights()["words"]
    assert more.order_factor == 0.5


def test_the_control_has_no_order() -> None:
    control = Kilter().control()
    assert control is not None
    assert control.order_factor == 0.0
    assert control.control() is None
    assert Kilter(weights="2").control() is None


def test_something_has_to_count_and_version_two_is_as_it_was() -> None:
    with pytest.raises(OptionError, match="leave no part that counts"):
        Kilter(words=0.0, characters=0.0)
    with pytest.raises(OptionError, match="version 2 is as it was published"):
        Kilter(weights="2", order=0.5)


def test_the_signature_has_the_version_of_the_weights() -> None:
    version = fitted_weights(WordModel.NONE).version
    assert f"|weights:{version}|" in Kilter().signature()


def test_english_asks_for_the_english_model() -> None:
    assert metric("kilter", language="en") == Kilter(encoder=WordModel.EN)
    assert Kilter(encoder=WordModel.EN).needed(set()) == ("words", "meaning", "links")
    assert metric("kilter", language="fr") == Kilter()


def test_a_missing_order_contributes_nothing_to_a_difference() -> None:
    lines = [REFERENCE, " ".join(REFERENCE.split()[::-1])] * 10
    systems = {"one": lines, "none": ["zzz"] * 20}
    (metric,) = kilter.compare(systems, [REFERENCE] * 20, metrics="kilter").metrics
    parts = {part.name: part.difference for part in metric.pairs[0].parts}
    assert parts["order"] == 0.0
    assert sum(value or 0.0 for value in parts.values()) == pytest.approx(
        metric.pairs[0].difference
    )


def test_a_number_that_is_no_version_is_an_error() -> None:
    with pytest.raises(OptionError, match="weights is '1'; it can be 2"):
        metric("kilter:weights=1")


def test_a_reference_without_evidence_of_order_lets_no_jumbled_text_win() -> None:
    reference = "The small boat left the old harbour early in the morning."
    other = "At dawn it sailed away with the boat's whole crew aboard."
    jumbled = " ".join(reversed(reference.split()))
    alone = kilter.score([jumbled], [reference], metrics=["kilter"]).system["kilter"].score
    beside = kilter.score([jumbled], [[reference, other]], metrics=["kilter"])
    assert beside.system["kilter"].score == alone
    both = kilter.score([other], [[reference, other]], metrics=["kilter"])
    assert both.system["kilter"].score == 1.0
