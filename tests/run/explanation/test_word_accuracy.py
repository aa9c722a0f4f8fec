"""Words and n-grams that systems share with the reference, against plain loops."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.corpus import Corpus
from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.links import LinkBatch
from kilter.results.explanation import WordState
from kilter.results.reported_systems import WordGrouping
from kilter.run.demo import sample_texts
from kilter.run.explanation.word_accuracy import (
    LONGEST,
    distribution,
    length_buckets,
    length_differences,
    ngram_differences,
    word_accuracy,
    word_states,
)
from kilter.run.scoring.corpus import Texts, build_corpus
from kilter.run.scoring.measurement import measure
from kilter.run.scoring.score import score_texts
from kilter.run.scoring.settings import Settings

LINE = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)
ROW = st.tuples(LINE, LINE, LINE, LINE)


def corpus_of(rows: list[tuple[str, ...]]) -> Corpus:
    reference, *systems = zip(*rows, strict=True)
    named = {f"s{place}": list(lines) for place, lines in enumerate(systems)}
    return build_corpus(Texts(systems=named, references={"r": list(reference)}), tokenize="none")


def grams(line: str, size: int) -> Counter[tuple[str, ...]]:
    words = line.split()
    return Counter(tuple(words[at : at + size]) for at in range(len(words) - size + 1))


def matches(rows: list[tuple[str, ...]], system: int, size: int) -> Counter[tuple[str, ...]]:
    found: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        found += grams(row[0], size) & grams(row[1 + system], size)
    return found


def bucket(frequency: int) -> str:
    for label in ("0", "1", "2", "3", "4"):
        if frequency == int(label):
            return label
    return next(
        label
        for label, most in (("5 to 9", 9), ("10 to 99", 99), ("100 to 999", 999))
        if frequency <= most
    )


@given(st.lists(ROW, min_size=1, max_size=6))
def test_words_are_counted_as_by_plain_loops(rows: list[tuple[str, ...]]) -> None:
    found = word_accuracy(corpus_of(rows))[WordGrouping.FREQUENCY]
    assert np.array_equal(found.matched, found.recalled)
    frequency = Counter(word for row in rows for word in row[0].split())
    wanted: Counter[str] = Counter()
    for count in frequency.values():
        wanted[bucket(count)] += count
    assert dict(zip(found.labels, found.wanted.tolist(), strict=True)) == {
        label: wanted[label] for label in found.labels
    }
    for system in range(3):
        produced: Counter[str] = Counter()
        for row in rows:
            produced.update(bucket(frequency[word]) for word in row[1 + system].split())
        matched: Counter[str] = Counter()
        for (word,), count in matches(rows, system, 1).items():
            matched[bucket(frequency[word])] += count
        for label, made, hit in zip(
            found.labels,
            found.produced[system].tolist(),
            found.matched[system].tolist(),
            strict=True,
        ):
            assert (made, hit) == (produced[label], matched[label])


@given(st.lists(ROW, min_size=1, max_size=6))
def test_ngrams_that_one_system_has_more_often_are_those_of_plain_loops(
    rows: list[tuple[str, ...]],
) -> None:
    found = ngram_differences(corpus_of(rows))
    assert [(each.first, each.second) for each in found] == [
        ("s0", "s1"),
        ("s0", "s2"),
        ("s1", "s2"),
    ]
    for each, (one, other) in zip(found, combinations(range(3), 2), strict=True):
        first: Counter[tuple[str, ...]] = Counter()
        second: Counter[tuple[str, ...]] = Counter()
        for size in range(1, LONGEST + 1):
            first.update(matches(rows, one, size))
            second.update(matches(rows, other, size))
        for listed, mine, theirs in (
            ([(row.words, row.first, row.second) for row in each.better_first], first, second),
            ([(row.words, row.second, row.first) for row in each.better_second], second, first),
        ):
            better = [gram for gram in mine if mine[gram] > theirs[gram]]
            assert len(listed) == min(10, len(better))
            assert all((mine[gram], theirs[gram]) == (m, t) for gram, m, t in listed)
            keys = [(-(m + 1) / (m + t + 2), -(m + t)) for _, m, t in listed]
            assert keys == sorted(keys)
            left = [gram for gram in better if gram not in {gram for gram, _, _ in listed}]
            for gram in left:
                key = (
                    -(mine[gram] + 1) / (mine[gram] + theirs[gram] + 2),
                    -(mine[gram] + theirs[gram]),
                )
                assert key >= keys[-1]


def test_repeated_words_match_at_most_as_often_as_the_reference_has_them() -> None:
    rows: list[tuple[str, ...]] = [("a b", "a a a", "a b")]
    found = word_accuracy(corpus_of(rows))[WordGrouping.FREQUENCY]
    assert found.matched.sum(axis=1).tolist() == [1, 2]


def test_one_system_has_no_pair() -> None:
    assert ngram_differences(corpus_of([("a b", "b a")])) == ()


def test_empty_texts_have_no_ngrams() -> None:
    (found,) = ngram_differences(corpus_of([("", "", "")]))
    assert (found.better_first, found.better_second) == ((), ())


def tagged(*lines: str) -> DependencyTreeColumn:
    """Return trees of words that are written with their tags, w/TAG."""
    trees = []
    for line in lines:
        words, tags = zip(*(each.split("/") for each in line.split()), strict=True)
        heads = [-1, *(len(words) - 1) * [0]]
        trees.append(DependencyTree(words, heads=heads, labels=["x"] * len(words), tags=tags))
    return DependencyTreeColumn.of(trees)


def test_words_are_counted_by_the_tag_that_each_text_gives_them() -> None:
    corpus = corpus_of([("we walk a walk", "a walk we saw"), ("saw", "we we")])
    trees = [
        tagged("we/PRON walk/VERB a/DET walk/NOUN", "saw/VERB"),
        tagged("a/DET walk/NOUN we/PRON saw/VERB", "we/PRON we/PRON"),
    ]
    found = word_accuracy(corpus, trees)[WordGrouping.TAG]
    columns = zip(found.labels, found.wanted.tolist(), found.produced[0].tolist(), found.matched[0].tolist(),
                  found.recalled[0].tolist(), strict=True)  # fmt: skip
    assert {label: numbers for label, *numbers in columns} == {
        "VERB": [
            2,
            1,
            0,
            1,
        ],  # of two equal words the first is matched: as a verb there, as a noun here
        "DET": [1, 1, 1, 1],
        "NOUN": [1, 1, 1, 0],
        "PRON": [1, 3, 1, 1],
    }
    assert found.labels[0] == "VERB"
    f1 = dict(zip(found.labels, found.f1[0].tolist(), strict=True))
    assert f1 == {"VERB": 0.0, "DET": 1.0, "NOUN": 0.0, "PRON": pytest.approx(0.5)}


def test_without_the_trees_of_all_texts_there_are_no_tags() -> None:
    corpus = corpus_of([("a b", "b a")])
    assert WordGrouping.TAG not in word_accuracy(corpus)
    assert WordGrouping.TAG not in word_accuracy(corpus, [None, tagged("b/X a/Y")])
    assert WordGrouping.TAG in word_accuracy(corpus, [tagged("a/X b/Y"), tagged("b/X a/Y")])


def test_long_and_short_words_are_counted_apart() -> None:
    corpus = corpus_of([("a bc international", "a bcd international")])
    found = word_accuracy(corpus)[WordGrouping.LETTERS]
    counts = dict(zip(found.labels, found.matched[0].tolist(), strict=True))
    assert (counts["1"], counts["2"], counts["3"], counts["12 to 14"]) == (1, 0, 0, 1)
    assert sum(counts.values()) == 2


# Segments in buckets.


def test_bins_cover_the_range_of_the_metric_and_hold_every_score() -> None:
    found = distribution([np.array([0.0, 0.049, 0.05, 1.0]), np.array([0.5] * 3)], (0.0, 1.0))
    assert (found.edges[0], found.edges[-1], len(found.edges)) == (0.0, 1.0, 21)
    assert found.counts.sum(axis=1).tolist() == [4, 3]
    assert found.counts[0, [0, 1, -1]].tolist() == [2, 1, 1]
    assert found.medians.tolist() == [pytest.approx(0.0495), 0.5]


def test_a_range_without_end_ends_at_the_last_score() -> None:
    found = distribution([np.array([1.0, 7.0])], (0.0, float("inf")))
    assert (found.edges[0], found.edges[-1]) == (0.0, 7.0)


def test_scores_beyond_the_range_have_bins_too() -> None:
    found = distribution([np.array([1.5, 0.5])], (0.0, 1.0))
    assert found.edges[-1] == 1.5
    assert found.counts.sum() == 2


def test_undefined_scores_are_in_no_bin_and_no_median() -> None:
    found = distribution([np.array([np.nan, 0.5]), np.array([np.nan, np.nan])], (0.0, 1.0))
    assert found.counts.sum(axis=1).tolist() == [1, 0]
    assert found.medians[0] == 0.5
    assert np.isnan(found.medians[1])


def test_no_score_at_all_still_has_bins() -> None:
    endless = (-float("inf"), float("inf"))
    assert distribution([np.zeros(0)], endless).edges[[0, -1]].tolist() == [0.0, 1.0]
    assert distribution([np.array([2.0, 2.0])], endless).counts.sum() == 2


def test_scores_of_a_bucket_are_corpus_scores_of_its_segments_alone() -> None:
    texts, settings = sample_texts(), Settings(metrics=("bleu", "kendall"))
    lengths = np.array([len(line.split()) for line in texts.references["reference.en"]])
    found = length_buckets(lengths, measure(texts, settings).measured)
    assert found.counts.sum() == len(lengths)
    for place, (least, most) in enumerate([(0, 9), (10, 19)]):
        rows = [n for n, length in enumerate(lengths) if least <= length <= most]
        assert found.counts[place] == len(rows)
        part = type(texts)(
            systems={name: [text[n] for n in rows] for name, text in texts.systems.items()},
            references={"r": [texts.references["reference.en"][n] for n in rows]},
        )
        scores = score_texts(part, settings).systems
        for metric in ("bleu", "kendall"):
            wanted = [scores[name][metric].score for name in texts.systems]
            assert found.scores[metric][:, place].tolist() == pytest.approx(wanted)
    assert found.labels[:2] == ("0 to 9", "10 to 19")
    assert found.labels[-1] == "60 or more"


def test_a_bucket_without_segments_has_no_score() -> None:
    found = length_buckets(np.array([5] * 48), measure(sample_texts(), Settings()).measured)
    assert np.isnan(found.scores["coverage"][:, 1:]).all()
    assert not np.isnan(found.scores["coverage"][:, 0]).any()


def test_differences_in_length_are_counted_for_each_system() -> None:
    reference = np.array([10, 10, 10, 40, 5])
    found = length_differences([np.array([10, 9, 12, 10, 30]), reference], reference)
    by_label = [dict(zip(found.labels, row, strict=True)) for row in found.counts.tolist()]
    told = {label: count for label, count in by_label[0].items() if count}
    assert told == {"below -20": 1, "-1": 1, "0": 1, "2": 1, "21 or more": 1}
    assert {label: count for label, count in by_label[1].items() if count} == {"0": 5}


# States of words without link.


Pairs = list[tuple[int, int]]


def expected(links: Pairs, side: int, lengths: tuple[int, int]) -> list[WordState]:
    """Return the states of one side by their definition, word by word."""
    own = [(link[side], link[1 - side]) for link in links]
    others = {link[1 - side] for link in links}
    lacking = WordState.MISSING if side else WordState.ADDED
    states = []
    for word in range(lengths[side]):
        if any(word == first for first, _ in own):
            states.append(WordState.LINKED)
            continue
        left = max((first for first, _ in own if first < word), default=None)
        right = min((first for first, _ in own if first > word), default=None)
        behind = -1 if left is None else max(other for first, other in own if first == left)
        length = lengths[1 - side]
        ahead = length if right is None else min(other for first, other in own if first == right)
        places = {behind + 1, ahead - 1}
        faces = any(0 <= place < length and place not in others for place in places)
        states.append(WordState.UNLINKED if faces else lacking)
    return states


@st.composite
def segments(draw: st.DrawFn) -> tuple[tuple[int, int], set[tuple[int, int]]]:
    """Draw the lengths of two sentences and links between them."""
    sizes = draw(st.integers(0, 6)), draw(st.integers(0, 6))
    if not min(sizes):
        return sizes, set()
    pairs = st.tuples(st.integers(0, sizes[0] - 1), st.integers(0, sizes[1] - 1))
    return sizes, draw(st.sets(pairs, max_size=5))


@given(st.lists(segments(), max_size=4))
def test_a_word_without_link_faces_another_beside_the_same_linked_word(
    drawn: list[tuple[tuple[int, int], set[tuple[int, int]]]],
) -> None:
    links = LinkBatch.of([pairs for _, pairs in drawn])
    first, second = (np.array([sizes[side] for sizes, _ in drawn], np.int64) for side in (0, 1))
    hypothesis, reference, offsets = word_states(links, first, second)
    for side, found in enumerate((hypothesis, reference)):
        states = [state for sizes, pairs in drawn for state in expected(sorted(pairs), side, sizes)]
        assert found.tolist() == states
    assert offsets.tolist() == np.concatenate([[0], np.cumsum(second)]).tolist()
