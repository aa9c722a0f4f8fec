"""TER: sacreBLEU's scores, bit by bit."""

import random
from typing import Any

import pytest
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.metrics.ter import TER

import kilter
from kilter import _core
from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError
from kilter.metrics.ter import Ter, ter
from tests.metrics.test_bleu import AWKWARD
from tests.texts import evaluation
from tests.thorough import tried

OPTIONS = [
    ({}, {}),
    ({"normalized": True, "asian": True}, {"normalized": True, "asian_support": True}),
    ({"punctuation": False, "cased": True}, {"no_punct": True, "case_sensitive": True}),
    ({"punctuation": False, "asian": True}, {"no_punct": True, "asian_support": True}),
    ({"normalized": True}, {"normalized": True}),
]
ODD = [
    "&amp;lt; b &AMP;",
    "「a」、b。 \uff43\uff01",
    "Ab\u00a0c\u2003d",
    "ΑΣ İ ß",
    '(a) "b": c; d? e!',
    "漢字かな a",
]
MARKS = [
    chr(point)
    for first in (0x3000, 0x30F8, 0xFF00, 0xFF60, 0x20)
    for point in range(first, first + 48)
]


@pytest.mark.parametrize(("ours", "theirs"), OPTIONS)
@pytest.mark.parametrize("references", [1, 3])
def test_scores_are_those_of_sacrebleu(
    ours: dict[str, Any], theirs: dict[str, Any], references: int
) -> None:
    generator = random.Random(6)
    lines = [
        AWKWARD
        + ODD
        + [" ".join(generator.choices(["a", "b", "C", "d,", "."], k=k)) for k in range(12)]
        for _ in range(references + 1)
    ]
    generator.shuffle(lines[0])
    metric, scorer = Ter(**ours), TER(**theirs)
    statistics = metric.counts(lines[0], lines[1:])
    whole = scorer.corpus_score(lines[0], lines[1:]).score
    assert 100 * float(metric.corpus_score(statistics.sum(axis=0))) == whole
    for line, *others in zip(*lines, strict=True):
        assert 100 * ter(line, others, **ours) == scorer.sentence_score(line, others).score


@pytest.mark.parametrize(("ours", "theirs"), OPTIONS)
def test_every_mark_is_kept_or_removed_as_by_sacrebleu(
    ours: dict[str, Any], theirs: dict[str, Any]
) -> None:
    lines = [f"x {mark} y{mark}z" for mark in MARKS]
    found = Ter(**ours).counts(lines, [["x yz"] * len(lines)])
    scorer = TER(**theirs)
    expected = scorer._extract_corpus_statistics(lines, [["x yz"] * len(lines)])
    assert found.tolist() == expected


def pair(chance: random.Random, longest: int) -> tuple[list[str], list[str]]:
    """Return a sentence and what is made of it by a few edits and shifts."""
    forms = [f"w{k}" for k in range(chance.choice([1, 2, 5, 12, 60, 300]))]
    reference = chance.choices(forms, k=chance.randrange(longest + 1))
    words = list(reference) if chance.random() < 0.8 else chance.choices(forms, k=longest // 3)
    for _ in range(chance.randrange(8)):
        place = chance.randrange(len(words) + 1)
        block = words[place : place + chance.randrange(1, 12)]
        del words[place : place + len(block)]
        to = chance.randrange(len(words) + 1)
        words[to:to] = chance.choice([block, [], [*block[1:], chance.choice(forms)]])
    return words, reference


def both_ways(pairs: list[tuple[list[str], list[str]]]) -> list[list[int]]:
    vocabulary = Vocabulary()
    words, others = (vocabulary.column(side) for side in zip(*pairs, strict=True))
    sides = words.ids, words.offsets, others.ids, others.offsets
    return [
        _core.count_shift_edits(*sides, 2).tolist(),
        _core.testing.count_shift_edits_plainly(*sides).tolist(),
    ]


@pytest.mark.parametrize(("longest", "few", "many"), [(9, 40, 800), (24, 5, 150), (130, 1, 12)])
def test_edits_and_shifts_are_those_of_sacrebleu(longest: int, few: int, many: int) -> None:
    chance = random.Random(longest)
    pairs = [pair(chance, longest) for _ in range(tried(many, quick=few))]
    expected = [translation_edit_rate(*each)[0] for each in pairs]
    assert both_ways(pairs) == [expected, expected]


def test_the_table_and_the_bits_agree_on_references_of_every_size() -> None:
    chance = random.Random(1)
    pairs = [pair(chance, longest) for longest in (63, 64, 65, 128, 200, 256, 270, 400) * 5]
    bits, table = both_ways(pairs)
    assert bits == table


def test_the_limits_of_the_search_are_those_of_sacrebleu() -> None:
    # One more or less of any limit (words of a shift, its length, the beam, shifts tried) changes one of these.
    apart = [f"a{k}" for k in range(30)]
    kept = [f"k{k}" for k in range(40)]
    front, back = ([f"{side}{k}" for k in range(25)] for side in "fb")
    pairs = [
        ([*apart, "x", "y"], ["x", "y", *apart]),
        (["b"] * 40 + apart, apart + ["b"] * 40),
        (["a", "b"] * 30, ["b", "a"] * 30),
        (front + kept, kept + back),
        (kept + back, front + kept),
        (["x"], apart * 3),
        (apart * 3, ["a3"]),
        ([*"101001000000000011001011010101"], [*"000110111111100100101100111100"]),
    ]
    expected = [translation_edit_rate(*each)[0] for each in pairs]
    assert both_ways(pairs) == [expected, expected]


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
    with pytest.raises(
        InputError, match=r"^segment 2 of system: has 200000 words; ter takes at most 2048"
    ):
        kilter.score(["a", line], ["a", "b"], metrics="ter")
    with pytest.raises(
        InputError, match=r"^segment 1 of references: has 2049 words; .*split the line"
    ):
        kilter.score(["a"], ["a " * 2049], metrics="ter")
    with pytest.raises(InputError, match=r"^segment 1 of reference 2: has 2049 words"):
        ter("a", ["a", "a " * 2049])
    with pytest.raises(InputError, match=r"^segment 1 of hypothesis: has 3000 words"):
        ter("漢" * 3000, ["a"], normalized=True, asian=True)
    assert ter("a " * 2048, ["b"]) == 2048.0
    assert ter("漢" * 3000, ["a"]) == 1.0
