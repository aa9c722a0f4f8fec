"""LRscore."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import Permutation
from kilter.core.errors import InputError, OptionError
from kilter.core.evaluation import Evaluation
from kilter.core.link_rule import LinkRule, reorder
from kilter.core.links import LinkBatch
from kilter.metrics.chrf import Chrf
from kilter.metrics.f1 import F1
from kilter.metrics.lr import Lr, Similarity, Through, lr
from kilter.metrics.metric import Metric
from tests.golden import Case, cases
from tests.oracles import lexical as oracle
from tests.oracles import permutation as orders
from tests.oracles import word_error as errors
from tests.texts import corpora, evaluation, links, one_to_one_links, sentences

GOLDEN = [c for c in cases("lexical") if c["kind"] == "lrscore"]


def as_links(ranks: Sequence[int]) -> list[tuple[int, int]]:
    """Return links that the birch rule turns into these one-based ranks."""
    return [(source, rank - 1) for source, rank in enumerate(ranks)]


def whole_case(case: Case) -> Evaluation:
    """Return a golden corpus; where a segment has fewer references, its last one is repeated."""
    most = max(map(len, case["refs"]))
    references = [[refs[min(k, len(refs) - 1)] for refs in case["refs"]] for k in range(most)]
    ranks = case["permutations"]
    return evaluation(
        case["hyps"],
        *references,
        source=[["s"] * len(one) for one, _ in ranks],
        reference_links=[[as_links(one) for one, _ in ranks]] * most,
        source_links=[as_links(other) for _, other in ranks],
    )


@pytest.mark.parametrize("case", GOLDEN, ids=str)
def test_golden_corpora(case: Case) -> None:
    metric = Lr(order=case["distance"], bleu=case["max_n"], alpha=case["alpha"])
    whole = whole_case(case)
    assert metric.measure(whole).scores.tolist() == pytest.approx(case["sentences"], abs=1e-9)
    found = metric.corpus_score(metric.measure(whole).statistics.sum(axis=0))
    assert found == pytest.approx(case["corpus"], abs=1e-9)


@pytest.mark.parametrize("case", GOLDEN, ids=str)
def test_golden_sentences(case: Case) -> None:
    rows = zip(case["hyps"], case["refs"], case["permutations"], strict=True)
    found = [
        lr(
            hypothesis,
            references,
            permutations=(Permutation.from_one_based(one), Permutation.from_one_based(other)),
            order=case["distance"],
            bleu=case["max_n"],
            alpha=case["alpha"],
        )
        for hypothesis, references, (one, other) in rows
    ]
    assert found == pytest.approx(case["sentences"], abs=1e-9)


@pytest.mark.parametrize(
    ("length", "pairs", "ranks"),
    [
        (3, [(0, 2), (2, 0)], (2, 3, 1)),
        (3, [(1, 0), (2, 1)], (1, 2, 3)),
        (4, [(0, 1), (1, 1), (0, 2), (1, 2), (2, 0)], (3, 4, 1, 2)),
    ],
)
def test_the_examples_of_the_birch_rule(
    length: int, pairs: list[tuple[int, int]], ranks: tuple[int, ...]
) -> None:
    assert oracle.birch(pairs, length) == ranks
    found = reorder(LinkBatch.of([pairs]), np.array([length]), rule=LinkRule.BIRCH).ranks()
    assert tuple(value + 1 for value in found[0].tolist()) == ranks


@given(st.data())
def test_the_birch_rule_is_that_of_the_specification(data: st.DataObject) -> None:
    lengths = data.draw(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=5))
    drawn = [data.draw(links(first, second)) for first, second in lengths]
    found = reorder(
        LinkBatch.of(drawn), np.array([n for n, _ in lengths], dtype=np.int64), rule=LinkRule.BIRCH
    ).ranks()
    assert [tuple(value + 1 for value in found[s].tolist()) for s in range(len(drawn))] == [
        oracle.birch(each, first) for each, (first, _) in zip(drawn, lengths, strict=True)
    ]


@given(st.data(), sentences(max_size=6), st.lists(sentences(max_size=6), min_size=2, max_size=2))
def test_the_reference_with_the_closest_order_counts(
    data: st.DataObject, words: list[str], others: list[list[str]]
) -> None:
    size = data.draw(st.integers(0, 5))
    to_hypothesis = data.draw(links(size, len(words)))
    to_references = [data.draw(links(size, len(other))) for other in others]
    whole = evaluation(
        [words],
        *([other] for other in others),
        source=[["s"] * size],
        source_links=[to_hypothesis],
        reference_links=[[each] for each in to_references],
    )
    ranks = oracle.birch(to_hypothesis, size)
    similarity = max(
        float(orders.kendall_between(oracle.birch(each, size), ranks)) for each in to_references
    )
    closest = oracle.closest(len(words), [len(other) for other in others])
    part = similarity * oracle.brevity(len(words), closest)
    lexical = oracle.bleu([words], [others], add_one=True)
    found = Lr(alpha=0.3).measure(whole).scores[0]
    assert found == pytest.approx(0.3 * part + 0.7 * lexical)


@given(st.data(), corpora(references=1))
def test_direct_links_are_compared_with_the_identity(
    data: st.DataObject, texts: tuple[list[list[str]], list[list[list[str]]]]
) -> None:
    hypotheses, (reference,) = texts
    drawn = [
        data.draw(one_to_one_links(len(words), len(other)))
        for words, other in zip(hypotheses, reference, strict=True)
    ]
    whole = evaluation(hypotheses, reference, links=[drawn])
    parts = [
        float(orders.hamming(oracle.permutation(each))) * oracle.brevity(len(words), len(other))
        for each, words, other in zip(drawn, hypotheses, reference, strict=True)
    ]
    lexical = oracle.bleu(hypotheses, [[other] for other in reference], order=1)
    metric = Lr(order=Similarity.HAMMING, bleu=1, alpha=0.6)
    found = metric.corpus_score(metric.measure(whole).statistics.sum(axis=0))
    assert found == pytest.approx(0.6 * sum(parts) / len(parts) + 0.4 * lexical)


def test_links_with_the_source_are_used_when_they_are_given() -> None:
    whole = whole_case(GOLDEN[0])
    assert Lr().resolved(whole).through is Through.SOURCE
    bare = evaluation([["a"]], [["a"]], links=[[[(0, 0)]]])
    assert Lr().resolved(bare).through is Through.REFERENCE
    assert Lr().measure(bare).scores.tolist() == pytest.approx([1.0])


def test_missing_links_are_named() -> None:
    bare = evaluation([["a"]], [["a"]])
    with pytest.raises(InputError, match="through=source needs the source, its links"):
        Lr(through=Through.SOURCE).measure(bare)
    with pytest.raises(InputError, match="through=reference needs links of hypothesis"):
        Lr().measure(bare)


def test_empty_sides_and_an_empty_corpus_score_zero() -> None:
    empty = evaluation([[]], [["a"]], links=[[[]]])
    assert Lr().measure(empty).scores.tolist() == [0.0]
    assert Lr().corpus_score(np.zeros(12)) == 0.0


@pytest.mark.parametrize("rule", ["one-to-one", "birch", "talbot", "span", "mean:null=next"])
def test_a_segment_without_links_has_no_order_whatever_the_rule_makes_of_its_words(
    rule: str,
) -> None:
    # The rule birch keeps words without link, and would find two of them in perfect order.
    whole = evaluation([["x", "y"]], [["a", "b"]], links=[[[]]], rule=rule)
    for order in ("kendall", "hamming"):
        metric = Lr(order=order, through="reference")  # type: ignore[arg-type]
        assert metric.measure(whole).scores.tolist() == [0.0]
        assert metric.corpus_score(metric.measure(whole).statistics.sum(axis=0)) == 0.0


@pytest.mark.parametrize(
    ("specification", "metric"),
    [("f1", F1()), ("chrf", Chrf()), ("chrf:words=2+beta=1", Chrf(words=2, beta=1))],
)
def test_any_score_of_words_may_be_the_lexical_part(specification: str, metric: Metric) -> None:
    case = GOLDEN[0]
    whole = whole_case(case)
    order = Lr(alpha=1.0).measure(whole)
    chosen = Lr(alpha=0.25, lexical=specification)
    lexical, found = metric.measure(whole), chosen.measure(whole)
    expected = 0.25 * order.scores + 0.75 * lexical.scores
    assert found.scores.tolist() == pytest.approx(expected.tolist(), abs=1e-12)
    part = metric.corpus_score(lexical.statistics.sum(axis=0))
    sums = found.statistics.sum(axis=0)
    whole_order = Lr(alpha=1.0).corpus_score(order.statistics.sum(axis=0))
    assert chosen.corpus_score(sums) == pytest.approx(0.25 * whole_order + 0.75 * part, abs=1e-12)
    assert f"|lexical:{specification}|" in chosen.signature()


def test_the_words_of_the_lexical_part_are_needed_too() -> None:
    assert set(Lr(lexical="chrf").needed({"words", "links"})) == {"words", "links", "text"}
    assert set(Lr().needed({"words", "links"})) == {"words", "links"}


RATES = {"wer": errors.edits, "per": errors.bag_errors, "cder": errors.jump_edits}


@given(st.sampled_from(sorted(RATES)), st.data(), corpora(references=1))
def test_a_rate_of_errors_counts_as_what_is_right(
    name: str, data: st.DataObject, texts: tuple[list[list[str]], list[list[list[str]]]]
) -> None:
    hypotheses, (reference,) = texts
    drawn = [
        data.draw(one_to_one_links(len(words), len(other)))
        for words, other in zip(hypotheses, reference, strict=True)
    ]
    whole = evaluation(hypotheses, reference, links=[drawn])
    metric = Lr(alpha=0.4, lexical=name)
    pairs = list(zip(hypotheses, reference, strict=True))
    orders_ = [
        float(orders.kendall(oracle.permutation(each))) * oracle.brevity(len(words), len(other))
        for each, (words, other) in zip(drawn, pairs, strict=True)
    ]
    wrong = [RATES[name](words, other) for words, other in pairs]
    right = [
        max(0.0, 1 - errors.rate(count, len(other)))
        for count, (_, other) in zip(wrong, pairs, strict=True)
    ]
    found = metric.measure(whole)
    expected = [0.4 * order + 0.6 * part for order, part in zip(orders_, right, strict=True)]
    assert found.scores.tolist() == pytest.approx(expected)
    words_right = max(0.0, 1 - errors.rate(sum(wrong), sum(map(len, reference))))
    corpus = metric.corpus_score(found.statistics.sum(axis=0))
    assert corpus == pytest.approx(0.4 * sum(orders_) / len(orders_) + 0.6 * words_right)
    assert f"|lexical:max(0,1-{name})|" in metric.signature()


def test_ter_of_raw_lines_counts_as_what_is_right() -> None:
    whole = evaluation(
        [["a", "b", "c"], ["x"]], [["c", "a", "b"], ["y", "z"]], links=[[[(0, 1)], []]]
    )
    # One shift in three words; a substitution and an insertion in two.
    lexical = Lr(alpha=0.0, lexical="ter").measure(whole)
    assert lexical.scores.tolist() == pytest.approx([1 - 1 / 3, 0.0])
    assert set(Lr(lexical="ter").needed({"words", "links"})) == {"words", "links", "text"}


def test_a_sentence_by_itself_has_no_links_for_its_lexical_part() -> None:
    ranks = Permutation.from_one_based([1, 2])
    with pytest.raises(OptionError, match="lexical is 'meteor', which needs links of hypothesis"):
        lr(["a", "b"], [["a", "b"]], permutations=(ranks, ranks), lexical="meteor")
    assert lr(["a", "b"], [["a", "b"]], permutations=(ranks, ranks), lexical="cder") == 1.0


def test_what_is_no_score_of_words_is_refused() -> None:
    with pytest.raises(OptionError, match=r"lr: lexical is 'kendall'; it must be a score of words"):
        Lr(lexical="kendall")


def test_the_order_of_bleu_has_no_effect_on_another_lexical_part() -> None:
    with pytest.raises(OptionError, match="bleu has no effect with lexical=f1; leave it out"):
        Lr(lexical="f1", bleu=2)
