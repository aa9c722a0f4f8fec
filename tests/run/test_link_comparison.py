"""Agreement of links equals that of plain loops over all pairs of words."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.links import LinkBatch
from kilter.results.links import MEASURES, LinkComparison
from kilter.run.link_agreement import GradedLinks, TextLengths, compare_links
from kilter.stats.resampling import Resampling, bootstrap_indices
from tests.oracles.link_agreement import LinkedSentence, Pairs, measures
from tests.thorough import examples


@st.composite
def linked_sentences(draw: Callable[..., object]) -> LinkedSentence:
    lengths = draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
    assert isinstance(lengths, tuple)
    pairs = st.sets(
        st.tuples(st.integers(0, lengths[0] - 1), st.integers(0, lengths[1] - 1)), max_size=6
    )
    both = st.tuples(pairs, pairs)
    sure, perhaps = draw(both), draw(both)
    assert isinstance(sure, tuple)
    assert isinstance(perhaps, tuple)
    return LinkedSentence(
        lengths,
        sure,
        (perhaps[0] - sure[0], perhaps[1] - sure[1]),
        bool(draw(st.integers(0, 4))),
    )


def compared(sentences: list[LinkedSentence], **options: object) -> LinkComparison:
    graded = [
        GradedLinks(
            LinkBatch.of([each.sure[who] for each in sentences]),
            LinkBatch.of([each.every(who) for each in sentences]),
        )
        for who in (0, 1)
    ]
    lengths = [np.array([each.lengths[side] for each in sentences], np.int64) for side in (0, 1)]
    same = np.array([each.same for each in sentences], np.bool_)
    return compare_links(
        ("A", "B"),
        *graded,
        lengths=TextLengths(*lengths),
        same=same,
        **options,  # type: ignore[arg-type]
    )


@examples(200)
@given(st.lists(linked_sentences(), max_size=4), st.booleans())
def test_every_measure_equals_that_of_plain_loops(
    sentences: list[LinkedSentence],
    possible: bool,  # noqa: FBT001
) -> None:
    expected = measures(sentences, possible=possible)
    found = compared(sentences, possible=possible)
    for name in MEASURES:
        value, wanted = getattr(found, name).value, expected[name]
        if wanted is None:
            assert value is None, name
            assert getattr(found, name).reason, name
        else:
            assert value == pytest.approx(float(wanted), abs=1e-12), name
    assert found.sentences == len(sentences)
    assert found.compared == sum(each.same for each in sentences)


ONE = LinkedSentence((2, 2), ({(0, 0)}, {(0, 0), (1, 1)}), (set(), set()))
OTHER = LinkedSentence((2, 2), ({(0, 1), (1, 0)}, {(0, 0), (1, 1)}), (set(), {(0, 1)}))


def test_a_worked_example() -> None:
    found = compared([ONE, OTHER])
    # A = 3 links, S = 4; in S 1, in P 2; both linked 2 of 8 pairs of words, A 3, B 5.
    assert found.precision.value == pytest.approx(2 / 3)
    assert found.recall.value == 1 / 4
    assert found.aer.value == pytest.approx(1 - 3 / 7)
    assert found.kappa.value == pytest.approx((4 / 8 - 30 / 64) / (1 - 30 / 64))
    assert found.frs.value == 0.5  # the second sentence is turned around
    assert (found.links, found.sure, found.common) == (3, 4, 2)


def test_measures_of_nothing_are_undefined_and_say_why() -> None:
    nothing: tuple[Pairs, Pairs] = (set(), set())
    found = compared([LinkedSentence((2, 2), nothing, nothing)] * 2)
    reasons = {name: measure.reason for name, measure in found.measures().items()}
    assert {measure.value for measure in found.measures().values()} == {None}
    assert reasons["precision"] == "the first has no link"
    assert reasons["recall"] == "the second has no sure link"
    assert reasons["aer"] == "there is neither a link nor a sure link"


def test_links_of_one_side_alone_leave_the_error_rate_defined() -> None:
    found = compared([LinkedSentence((2, 2), (set(), {(0, 0)}), (set(), set()))])
    assert (found.precision.value, found.recall.value, found.aer.value) == (None, 0.0, 1.0)
    assert found.f1.value is None


def test_links_of_another_sentence_do_not_count() -> None:
    found = compared(
        [
            LinkedSentence((2, 2), ({(0, 0)}, set()), (set(), set())),
            LinkedSentence((2, 2), (set(), {(0, 0)}), (set(), set())),
        ]
    )
    assert (found.precision.value, found.recall.value, found.common) == (0.0, 0.0, 0)
    assert found.f1.value == 0.0


def test_words_that_the_second_ties_may_stand_in_either_order() -> None:
    turned, tied = {(0, 1), (1, 0), (2, 2)}, {(0, 0), (1, 0), (2, 1)}
    found = compared([LinkedSentence((3, 3), (turned, tied), (set(), set()))])
    assert found.frs.value == 1.0
    other = compared([LinkedSentence((3, 3), (tied, turned), (set(), set()))])
    assert other.frs.value == 0.0


def test_an_interval_holds_what_resampled_sentences_give() -> None:
    sentences = [ONE, OTHER, ONE, ONE]
    found = compared(sentences, resampling=Resampling(resamples=50, seed=3))
    drawn = bootstrap_indices(4, resamples=50, seed=3)
    values = [
        float(measures([sentences[place] for place in row], possible=False)["aer"] or 0)
        for row in drawn.tolist()
    ]
    low, high = np.percentile(values, [2.5, 97.5])
    assert (found.aer.low, found.aer.high) == pytest.approx((low, high))
    assert compared([ONE], resampling=Resampling()).aer.low is None


def test_without_texts_kappa_and_orders_are_undefined() -> None:
    nothing: Pairs = set()
    links = GradedLinks(LinkBatch.of([nothing]), LinkBatch.of([{(0, 0)}]))
    found = compare_links(("A", "B"), links, links, lengths=TextLengths(None, None))
    assert found.kappa.value is None
    assert "source and target" in found.kappa.reason
    assert found.frs.value is None
    assert found.precision.value == 1.0
    assert found.recall.value is None
