"""Version 2 of `order` and `kilter`, which stays for scores that were published with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.metrics.fitted_weight import WordModel
from kilter.metrics.kilter import Kilter
from kilter.metrics.order import Order, Version
from kilter.metrics.version_two import OrderTwo
from tests.oracles import score as oracle
from tests.texts import Segment, evaluation, evaluation_of, one_to_one_links, segments


def found(links: list[tuple[int, int]], first: int, second: int) -> float:
    whole = evaluation([["a"] * first], [["a"] * second], links=[[links]])
    return float(OrderTwo.of(whole, 0).scores[0])


@given(st.data(), st.integers(0, 9), st.integers(1, 9))
def test_the_order_of_links_is_that_of_plain_loops(data: st.DataObject, one: int, two: int) -> None:
    links = data.draw(one_to_one_links(one, two))
    assert found(links, one, two) == pytest.approx(oracle.order_two(links, two))


def test_the_worked_example_of_the_specification_has_its_number() -> None:
    links = [(place, second - 1) for place, second in enumerate([1, 6, 3, 4, 5, 2])]
    assert found(links, 6, 6) == pytest.approx(0.0793, abs=5e-5)
    assert found(links, 6, 12) == pytest.approx(0.5784, abs=5e-5)


@given(st.lists(st.tuples(st.lists(st.sampled_from("abcd"), max_size=6),
                          st.lists(st.sampled_from("abcd"), max_size=6)), min_size=1, max_size=3))  # fmt: skip
def test_soft_links_are_ordered_by_their_mass(pairs: list[tuple[list[str], list[str]]]) -> None:
    whole = evaluation([one for one, _ in pairs], [two for _, two in pairs])
    options = WordModel.EN.meaning_options()
    assert options is not None
    said = whole.meaning(0, options)
    expected = [
        oracle.soft_order_two(concordant, discordant, linked, len(two))
        for (concordant, discordant, linked, _), (_, two) in zip(
            said.totals.tolist(), pairs, strict=True
        )
    ]
    assert OrderTwo.of(whole, 0, WordModel.EN).scores.tolist() == pytest.approx(expected)


@given(st.lists(segments(1), min_size=1, max_size=3))
def test_the_overall_score_is_the_weighted_sum_that_it_was(corpus: list[Segment]) -> None:
    whole = evaluation_of(corpus, references=1)
    expected = []
    for segment in corpus:
        (reference,), (links,) = segment.references, segment.links
        characters = oracle.characters(" ".join(segment.hypothesis), " ".join(reference))
        words = oracle.words(segment.hypothesis, reference)
        order = oracle.order_two(links, len(reference))
        expected.append(0.56 * characters + 0.37 * words + 0.07 * order)
    assert Kilter(weights="2").measure(whole).scores.tolist() == pytest.approx(expected)


def test_weights_of_version_two_give_the_scores_of_version_two() -> None:
    texts = ["the mat sat on the cat", "a b c"], ["the cat sat on the mat", "d e f"]
    made = kilter.score(
        *texts, metrics=["order:weights=2", "kilter:weights=2"], aligner="match:rule=chunks"
    )
    (order, _), (_, missing) = made.segment_arrays["order:weights=2", "system"], (0, 0)
    assert order == pytest.approx(
        oracle.order_two([(0, 4), (1, 5), (2, 2), (3, 3), (4, 0), (5, 1)], 6)
    )
    assert made.system["order:weights=2"].score == pytest.approx(
        order
    )  # a segment without links weighs nothing
    assert missing == 0
    assert "|weights:2|" in made.signatures["kilter:weights=2"]
    assert "|weights:2|" in made.signatures["order:weights=2"]
    steps = Order(weights=Version.TWO).working(evaluation([["a"]], [["a"]], links=[[[(0, 0)]]]), 0)
    assert [step.value for step in steps.steps] == [1.0]
