"""Word order by itself, and the laws that it keeps: specification, section 6.10."""

from itertools import permutations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter import _core
from kilter.core.errors import OptionError
from kilter.core.permutation import Permutation
from kilter.metrics.order import Order, order
from kilter.metrics.registry import metric
from tests.oracles import score as oracle
from tests.texts import Segment, evaluation, evaluation_of, segments
from tests.thorough import tried


def scored(ranks: list[int]) -> float:
    return float(Order().permutation_scores([ranks])[0])


def words(count: int) -> str:
    return " ".join(f"w{number}" for number in range(count))


def order_of(hypothesis: str, reference: str) -> float | None:
    return kilter.score([hypothesis], [reference], metrics="order").system["order"].score


@given(st.integers(0, 12).flatmap(lambda size: st.permutations(range(size))))
def test_the_score_of_a_permutation_is_that_of_plain_loops(ranks: list[int]) -> None:
    assert scored(ranks) == pytest.approx(oracle.order(ranks))
    assert order(Permutation(ranks)) == pytest.approx(oracle.order(ranks))


@given(st.lists(segments(1), min_size=1, max_size=4))
def test_a_segment_is_scored_by_its_linked_words_as_plain_loops_do(corpus: list[Segment]) -> None:
    found = Order().measure(evaluation_of(corpus, references=1)).scores
    expected = [
        oracle.segment_order(each.links[0], each.hypothesis, each.references[0]) for each in corpus
    ]
    known = [np.nan if each is None else each for each in expected]
    np.testing.assert_allclose(found, known, atol=1e-12)


def test_law_identity_and_only_identity_is_one() -> None:
    for size in range(2, tried(8, quick=6)):
        perfect = [each for each in permutations(range(size)) if scored([*each]) == 1.0]
        assert perfect == [tuple(range(size))]


def test_law_every_step_that_adds_an_inversion_lowers_the_score_until_it_is_zero() -> None:
    for size in range(2, tried(8, quick=6)):
        for ranks in permutations(range(size)):
            before = scored([*ranks])
            for place in range(size - 1):
                if ranks[place] < ranks[place + 1]:
                    after = [*ranks]
                    after[place], after[place + 1] = after[place + 1], after[place]
                    assert scored(after) < before or before == scored(after) == 0.0


@pytest.mark.parametrize(
    ("size", "left"), [(4, 0.3833), (5, 0.5450), (10, 0.8044), (20, 0.9089), (40, 0.9560)]
)
def test_law_one_swap_of_neighbours_costs_a_small_stated_amount(size: int, left: float) -> None:
    ranks = list(range(size))
    for place in range(size - 1):
        swapped = [*ranks]
        swapped[place], swapped[place + 1] = swapped[place + 1], swapped[place]
        cost = 1.7 / (size - 1) + 0.6 / (size * (size - 1))
        assert scored(swapped) == pytest.approx(1 - cost)
        assert scored(swapped) == pytest.approx(left, abs=5e-5)


@pytest.mark.parametrize("size", [5, 10, 20, 40, 100])
def test_law_reversal_is_zero_and_shuffled_words_are_zero_on_average_before_the_floor(
    size: int,
) -> None:
    assert scored(list(range(size))[::-1]) == 0.0
    random, ranks, total = Random(size), list(range(size)), 0.0
    rounds = 2000
    for _ in range(rounds):
        random.shuffle(ranks)
        kept = kilter.sentence.kendall(Permutation(ranks))
        where = np.argsort(ranks)
        total += 1 - 1.7 * (1 - np.mean(np.diff(where) > 0)) - 0.3 * (1 - kept)
    assert total / rounds == pytest.approx(0.0, abs=0.03)


@pytest.mark.parametrize("size", [8, 20, 40])
def test_law_exchanged_halves_cost_a_fifth_to_two_fifths_of_all_pairs_swapped(size: int) -> None:
    ranks = list(range(size))
    halves = 1 - scored(ranks[size // 2 :] + ranks[: size // 2])
    pairs = 1 - scored([rank ^ 1 for rank in ranks])
    assert halves == pytest.approx(1.7 / (size - 1) + 0.15 * size / (size - 1))
    assert 0.2 < halves / pairs < 0.42


def test_law_few_links_are_no_evidence_and_never_zero_or_one() -> None:
    assert order_of("b a", "a b") is None
    assert order_of("a b c", "a b c") is None  # three words are too few, also in order
    assert order_of("a b c d", "a b c d") == 1.0
    assert order_of("a b c d", f"a b c d {words(12)}") == 1.0
    assert order_of("a b c d", f"a b c d {words(13)}") is None  # less than a quarter
    assert order_of("x y z", words(9)) is None


def test_law_a_corpus_with_evidence_for_less_than_half_of_its_words_is_missing_with_a_reason() -> (
    None
):
    long, short = words(12), "a b"
    lines = [long, *[short] * 6], [long, *[short] * 6]
    assert kilter.score(*lines, metrics="order").system["order"].score == 1.0
    lines = [long, *[short] * 7], [long, *[short] * 7]
    found = kilter.score(*lines, metrics="order")
    assert found.system["order"].score is None
    assert "hold 46% of all reference words, and order needs 50%" in found.system["order"].reason
    assert any("order is missing" in note for note in found.notes)


def test_whether_a_corpus_has_evidence_does_not_depend_on_the_order_of_its_references() -> None:
    texts, long = ["a b c d e f", "x"], words(20)
    reasons = []
    for unlike in (["y", long], [long, "y"]):
        found = kilter.score(texts, [[texts[0]] * 2, unlike], metrics="order").system["order"]
        assert found.score is None
        reasons.append(found.reason)
    assert reasons[0] == reasons[1]
    assert "hold 36% of all reference words" in reasons[0]


@pytest.mark.parametrize(
    "hypothesis",
    [
        "THE OLD MAN SOLD HIS HOUSE TO A YOUNG WOMAN, WHO LIKED IT.",
        "the, old man, sold his house to a, young woman who liked it",
        "the the old man sold his house to the a young woman, who liked the it .",
        "the young man sold his house to an old woman, who hated it."
        .replace("young man", "X man").replace("old woman", "Y woman"),
        "the old man sold his house to a young woman&comma; who liked it &quot;.&quot;",
    ],
    ids=["case", "commas", "an extra the", "exchanged words", "entities"],
)  # fmt: skip
def test_law_harmless_changes_do_not_move_the_score(hypothesis: str) -> None:
    assert order_of(hypothesis, "the old man sold his house to a young woman, who liked it.") == 1.0


def test_law_a_reference_in_another_language_is_no_evidence() -> None:
    german = "Der alte Mann verkaufte sein Haus an eine junge Frau in Berlin , die es sehr mochte ."
    assert (
        order_of(german, "The old man sold his house to a young woman in Berlin , who liked it .")
        is None
    )


def test_law_the_formula_is_the_same_with_every_aligner() -> None:
    lines = (
        ["we saw the old house near the river again"],
        ["we again saw the old house near the river"],
    )
    scores = {
        name: kilter.score(*lines, metrics="order", aligner=name).system["order"].score
        for name in ("match", "match:rule=chunks", "match:rule=crossings", "ribes", "embedding")
    }
    assert set(scores.values()) == {scores["match"]}
    assert scores["match"] == pytest.approx(oracle.order([0, 2, 3, 4, 5, 6, 7, 8, 1]))
    english = kilter.score(*lines, metrics="order", language="en")
    assert english.system["order"].score == scores["match"]
    assert "stages:exact+stem+embedding" in english.signatures["order"]


def test_a_long_line_is_scored_without_its_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree of two million words takes minutes, their order a second."""
    monkeypatch.delattr(_core, "score")
    long = [f"w{number}" for number in range(100_000)]
    swapped = [long[number ^ 1] for number in range(len(long))]
    found = order_of(" ".join(swapped), " ".join(long))
    assert found == pytest.approx(0.15, abs=1e-4)


def test_a_segment_weighs_as_much_as_it_has_linked_words() -> None:
    found = kilter.score(["b a c d", words(12)], ["a b c d", words(12)], metrics="order")
    turned = oracle.order([1, 0, 2, 3])
    assert found.system["order"].score == pytest.approx((4 * turned + 12) / 16)


def test_the_best_of_several_references_counts_and_one_without_evidence_does_not() -> None:
    found = kilter.score(["a b c d"], [["b a c d", "x y z", "a b d c"]], metrics="order")
    assert found.system["order"].score == pytest.approx(oracle.order([1, 0, 2, 3]))


def test_punctuation_is_no_word_of_the_order() -> None:
    whole = evaluation([[*"abcd", ","]], [[",", *"abcd"]], links=[[[(k, k + 1) for k in range(4)] + [(4, 0)]]])  # fmt: skip
    assert Order().measure(whole).scores.tolist() == [1.0]


def test_other_weights_are_an_error() -> None:
    with pytest.raises(OptionError, match="it can be 3, 2"):
        metric("order:weights=some.json")
