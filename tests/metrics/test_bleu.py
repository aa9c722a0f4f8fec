"""BLEU: the definition, the golden numbers, and sacreBLEU to the last bit."""

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from kilter.core.errors import InputError, OptionError
from kilter.metrics.bleu import Bleu, Smooth, bleu, bleu_scores
from kilter.metrics.ngram import ngram_counts
from tests.golden import Case, cases
from tests.oracles import lexical as oracle
from tests.texts import corpora, evaluation, sentences

SACREBLEU = {"exp": "exp", "add-one": "add-k", "floor": "floor", "none": "none"}
AWKWARD = [
    "",
    "a",
    "a b",
    ". . . .",
    "a a a a a a",
    "the cat sat on the mat",
    "ß İ ǆ 漢字 \U0001f600",
    "The the",
]


def scorer(**options: Any) -> BLEU:
    return BLEU(tokenize="none", force=True, **options)


def corpus_score(metric: Bleu, *texts: list[list[str]]) -> float:
    rows = metric.measure(evaluation(*texts)).statistics
    return float(metric.corpus_score(rows.sum(axis=0)))


@pytest.mark.parametrize("case", [c for c in cases("lexical") if c["kind"] == "bleu"], ids=str)
def test_golden_sentences(case: Case) -> None:
    given_words = case["hyp"], case["refs"]
    plain = bleu(*given_words, order=case["max_n"], smooth="none", effective=False)
    smoothed = bleu(*given_words, order=case["max_n"], smooth="add-one")
    assert [plain, smoothed] == pytest.approx([case["plain"], case["smoothed"]], abs=1e-9)


def test_the_worked_example_of_the_thesis_with_true_precisions() -> None:
    words = (
        ["the", "mat", "had", "sat", "on", "the", "cat"],
        [["cats", "had", "sat", "on", "a", "mat"]],
    )
    counts = ngram_counts(evaluation([words[0]], words[1]))[0].tolist()
    assert counts == [7, 6, 4, 2, 1, 0, 7, 6, 5, 4]
    assert bleu(*words, order=3, smooth="none") == pytest.approx(0.3365, abs=5e-5)
    printed = next(c for c in cases("worked_examples") if c["id"] == "TH-bleu")
    assert bleu(*words, order=3, smooth="none") != pytest.approx(printed["printed"], abs=5e-4)


def test_of_two_reference_lengths_equally_close_the_shorter_counts() -> None:
    (case,) = [c for c in cases("lexical") if c["kind"] == "closest"]
    references = [["a"] * length for length in case["references"]]
    counts = ngram_counts(evaluation([["a"] * case["length"]], *([words] for words in references)))
    assert counts[0, 1] == case["value"]


@given(corpora(references=3))
def test_counts_are_those_of_the_definition(
    texts: tuple[list[list[str]], list[list[list[str]]]],
) -> None:
    hypotheses, references = texts
    rows = ngram_counts(evaluation(hypotheses, *references)).tolist()
    for words, others, row in zip(hypotheses, zip(*references, strict=True), rows, strict=True):
        lengths = [len(other) for other in others]
        assert row[:2] == [len(words), oracle.closest(len(words), lengths)]
        assert row[2:6] == [oracle.matches(words, others, n) for n in range(1, 5)]
        assert row[6:] == [max(len(words) - n + 1, 0) for n in range(1, 5)]


@given(corpora(), st.integers(1, 4))
def test_corpus_scores_are_those_of_the_definition(
    texts: tuple[list[list[str]], list[list[list[str]]]], order: int
) -> None:
    hypotheses, references = texts
    expected = oracle.bleu(hypotheses, list(zip(*references, strict=True)), order=order)
    found = corpus_score(Bleu(order=order, smooth=Smooth.NONE), hypotheses, *references)
    assert found == pytest.approx(expected, abs=1e-12)


@given(sentences(), sentences(), st.integers(1, 4))
def test_smoothed_sentences_are_those_of_the_definition(
    words: list[str], reference: list[str], order: int
) -> None:
    expected = oracle.bleu([words], [[reference]], order=order, add_one=True)
    assert bleu(words, [reference], order=order, smooth="add-one") == pytest.approx(expected)


@pytest.mark.parametrize("smooth", list(Smooth))
@pytest.mark.parametrize("references", [1, 3])
def test_scores_are_those_of_sacrebleu_to_the_last_bit(smooth: Smooth, references: int) -> None:
    generator = random.Random(1)
    for trial in range(60):
        words = "abcdefgh"[: generator.randint(1, 8)]
        size = generator.randint(1, 12)
        texts = [
            [
                [generator.choice(words) for _ in range(generator.randint(0, 14))]
                for _ in range(size)
            ]
            for _ in range(references + 1)
        ]
        lines = [[" ".join(segment) for segment in text] for text in texts]
        order = 1 + trial % 4
        metric = Bleu(order=order, smooth=smooth)
        theirs = scorer(smooth_method=SACREBLEU[smooth], max_ngram_order=order)
        whole = theirs.corpus_score(lines[0], lines[1:]).score
        assert corpus_score(metric, *texts) == min(whole / 100, 1.0)
        theirs = scorer(
            smooth_method=SACREBLEU[smooth], max_ngram_order=order, effective_order=True
        )
        each = [
            theirs.sentence_score(line, list(others)).score
            for line, *others in zip(*lines, strict=True)
        ]
        assert metric.measure(evaluation(*texts)).scores.tolist() == [min(s / 100, 1) for s in each]


def test_awkward_lines_score_as_in_sacrebleu() -> None:
    hypotheses = [line for line in AWKWARD for _ in AWKWARD]
    references = [line for _ in AWKWARD for line in AWKWARD]
    others = references[::-1]
    texts = [[line.split() for line in text] for text in (hypotheses, references, others)]
    found = Bleu().measure(evaluation(*texts)).scores.tolist()
    for score, line, *lines in zip(found, hypotheses, references, others, strict=True):
        expected = sacrebleu.sentence_bleu(line, lines, tokenize="none").score
        assert score == min(expected / 100, 1.0)
    whole = sacrebleu.corpus_bleu(hypotheses, [references, others], tokenize="none", force=True)
    assert corpus_score(Bleu(), *texts) == whole.score / 100


@pytest.mark.parametrize("smooth", list(Smooth))
def test_many_sums_at_once_score_as_each_by_itself_in_sacrebleu(smooth: Smooth) -> None:
    generator = np.random.default_rng(2)
    totals = np.sort(generator.integers(0, 2000, (5, 40, 4)), axis=-1)[..., ::-1]
    totals[0] //= 500
    correct = (totals * generator.random((5, 40, 4)) * generator.integers(0, 2, (5, 40, 4))).astype(
        int
    )
    lengths = generator.integers(0, 2000, (5, 40, 2))
    sums = np.concatenate([lengths, correct, totals], axis=-1).astype(float)
    found = bleu_scores(sums, smooth=smooth, effective=False)
    assert found.shape == (5, 40)
    for place in np.ndindex(5, 40):
        expected = BLEU.compute_bleu(
            correct[place].tolist(),
            totals[place].tolist(),
            int(lengths[place][0]),
            int(lengths[place][1]),
            smooth_method=SACREBLEU[smooth],
        )
        assert found[place] == min(expected.score / 100, 1.0)


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_threads_change_nothing(jobs: int) -> None:
    generator = random.Random(3)
    texts = [
        [[generator.choice("abcd") for _ in range(generator.randint(0, 30))] for _ in range(50)]
        for _ in range(3)
    ]
    expected = ngram_counts(evaluation(*texts))
    assert ngram_counts(evaluation(*texts, jobs=jobs)).tolist() == expected.tolist()


def test_an_empty_side_scores_nothing() -> None:
    assert [bleu([], [["a"]]), bleu(["a"], [[]]), bleu([], [[]])] == [0.0, 0.0, 0.0]
    assert corpus_score(Bleu(), [], []) == 0.0


def test_a_perfect_translation_scores_exactly_one() -> None:
    assert bleu(["a", "b", "c", "d", "e"], [["a", "b", "c", "d", "e"]]) == 1.0


def test_a_short_perfect_sentence_scores_one_only_by_its_effective_order() -> None:
    words = ["a", "b"]
    assert bleu(words, [words]) == 1.0
    assert bleu(words, [words], effective=False) == 0.0


def test_a_string_instead_of_words_is_refused() -> None:
    with pytest.raises(InputError, match="hypothesis: is a single string; pass a list of words"):
        bleu("a b", [["a"]])
    with pytest.raises(InputError, match="reference 1: is a single string"):
        bleu(["a"], ["a b"])
    with pytest.raises(InputError, match="references: there are none; pass a list of references"):
        bleu(["a"], [])


def test_orders_beyond_four_are_refused() -> None:
    with pytest.raises(OptionError, match="order is 5; it must lie between 1 and 4"):
        Bleu(order=5)


def test_scoring_words_does_not_load_sacrebleu() -> None:
    program = (
        "import sys; from kilter.metrics.bleu import bleu; import kilter.metrics.chrf, kilter.metrics.ter;"
        "bleu(['a'], [['a']]); print('sacrebleu' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.split() == [b"False"]


def test_the_signature_says_at_which_level_orders_are_left_out() -> None:
    # sacreBLEU: `eff:yes` for sentence_bleu, `eff:no` for corpus_bleu. Here one line stands for both.
    assert "|effective:segments|" in Bleu().signature()
    assert "|effective:no|" in Bleu(effective=False).signature()
    texts = [["a", "b"]], [["a", "b"]]
    assert Bleu().measure(evaluation(*texts)).scores.tolist() == [1.0]
    assert corpus_score(Bleu(), *texts) == 0.0
