"""Word order by itself as a metric."""

import pytest

from kilter.metrics.order import Order
from kilter.metrics.registry import metric
from kilter.metrics.word_model import WordModel
from tests.texts import evaluation


def test_segments_with_too_little_evidence_are_left_out_of_the_corpus() -> None:
    links = [[[(0, 0), (1, 1)], [(0, 0)], []]]
    whole = evaluation([["a", "b"]] * 3, [["a", "b"]] * 3, links=links)
    measure = Order().measure(whole)
    assert measure.statistics.tolist() == [[2.0, 2.0], [0.0, 0.0], [0.0, 0.0]]
    assert measure.scores.tolist() == [1.0, 1.0, 0.0]
    assert Order().corpus_score(measure.statistics.sum(axis=0)) == 1.0
    assert Order(empty=0.5).corpus_score(measure.statistics[1:].sum(axis=0)) == 0.5


def test_a_segment_weighs_as_much_as_it_has_linked_words_and_by_soft_links_as_any_other() -> None:
    texts = [list("ba"), list("abcdef")], [list("ab"), list("abcdef")]
    whole = evaluation(*texts, links=[[[(0, 1), (1, 0)], [(k, k) for k in range(6)]]])
    measure = Order().measure(whole)
    turned, straight = measure.scores
    assert turned < straight == 1.0
    corpus = Order().corpus_score(measure.statistics.sum(axis=0))
    assert corpus == pytest.approx((2 * turned + 6 * straight) / 8)
    soft = Order(encoder=WordModel.EN).measure(whole)
    assert soft.statistics[:, 1].tolist() == [0.0, 1.0]  # of two words the mass is just below 2


def test_another_word_leaves_the_order_as_it_is() -> None:
    reference = ["we", "saw", "the", "old", "house"]
    links = [[(k, k) for k in range(5)], [(k, k) for k in (0, 1, 2, 4)]]
    whole = evaluation([reference] * 2, [reference] * 2, links=[links])
    assert Order().measure(whole).scores.tolist() == [1.0, 1.0]


def test_english_asks_for_the_english_model() -> None:
    assert metric("order", language="en") == Order(encoder=WordModel.EN)
    assert metric("order", language="de") == Order()
    assert metric("order:encoder=none", language="en") == Order()
    assert Order(encoder=WordModel.EN).needed(set()) == ("words", "meaning")


def test_neighbours_and_pairs_are_weighed() -> None:
    words = list("abcd")
    links = [[[(0, 2), (1, 3), (2, 0), (3, 1)]]]
    whole = evaluation([words], [words], links=links)
    pairs, both, neighbours = (
        float(Order(near=near).measure(whole).scores[0]) for near in (0.0, 0.5, 1.0)
    )
    assert pairs == pytest.approx(2 / 6)
    assert neighbours == pytest.approx(1 - (1 / 3) * 5**0.4)
    assert both == pytest.approx((pairs + neighbours) / 2)
