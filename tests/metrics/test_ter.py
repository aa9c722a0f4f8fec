"""TER: sacreBLEU's scores, bit by bit."""

import random
from typing import Any

import pytest
from sacrebleu.metrics.ter import TER

import kilter
from kilter.errors import InputError
from kilter.metrics.ter import Ter, ter
from tests.metrics.test_bleu import AWKWARD
from tests.texts import evaluation

OPTIONS = [
    ({}, {}),
    ({"normalized": True, "asian": True}, {"normalized": True, "asian_support": True}),
    ({"punctuation": False, "cased": True}, {"no_punct": True, "case_sensitive": True}),
]


@pytest.mark.parametrize(("ours", "theirs"), OPTIONS)
@pytest.mark.parametrize("references", [1, 3])
def test_scores_are_those_of_sacrebleu(
    ours: dict[str, Any], theirs: dict[str, Any], references: int
) -> None:
    generator = random.Random(6)
    lines = [
        AWKWARD + [" ".join(generator.choices(["a", "b", "C", "d,", "."], k=k)) for k in range(12)]
        for _ in range(references + 1)
    ]
    generator.shuffle(lines[0])
    metric, scorer = Ter(**ours), TER(**theirs)
    statistics = metric.counts(lines[0], lines[1:])
    whole = scorer.corpus_score(lines[0], lines[1:]).score
    assert 100 * float(metric.corpus_score(statistics.sum(axis=0))) == whole
    for line, *others in zip(*lines, strict=True):
        assert 100 * ter(line, others, **ours) == scorer.sentence_score(line, others).score


def test_less_is_better_and_more_than_one_is_possible() -> None:
    assert not Ter.higher_is_better
    assert ter("a b c d", ["x"]) == 4.0
    assert ter("a b", ["a b"]) == 0.0


def test_without_a_reference_word_anything_is_an_error() -> None:
    assert [ter("a b", [""]), ter("", [""]), ter("", ["a b"])] == [1.0, 0.0, 1.0]


def test_an_evaluation_is_scored_on_its_lines_once() -> None:
    whole = evaluation([["on", "the", "mat"], []], [["the", "mat"], ["a"]])
    metric = Ter()
    assert metric.measure(whole).scores.tolist() == [0.5, 1.0]
    assert metric.measure(evaluation([], [])).statistics.shape == (0, 2)


def test_a_line_too_long_for_its_search_is_refused_with_its_place() -> None:
    line = "word " * 200_000  # a megabyte
    with pytest.raises(InputError, match=r"^system:2: has 200000 words; ter takes at most 2048"):
        kilter.score(["a", line], ["a", "b"], metrics="ter")
    with pytest.raises(InputError, match=r"^references:1: has 2049 words; .*split the line"):
        kilter.score(["a"], ["a " * 2049], metrics="ter")
    with pytest.raises(InputError, match=r"^reference 2:1: has 2049 words"):
        ter("a", ["a", "a " * 2049])
    with pytest.raises(InputError, match=r"^hypothesis:1: has 3000 words"):
        ter("漢" * 3000, ["a"], normalized=True, asian=True)
    assert ter("a " * 2048, ["b"]) == 2048.0
    assert ter("漢" * 3000, ["a"]) == 1.0
