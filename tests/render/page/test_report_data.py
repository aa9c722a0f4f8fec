"""What the page carries is what was put in."""

from base64 import b64decode
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.core.corpus import TextColumn, Vocabulary
from kilter.core.links import LinkBatch
from kilter.io.tokenizer import token_column
from kilter.render.page.report_data import (
    error_data,
    joined_words,
    packed,
    packed_links,
    packed_scores,
    packed_signed,
    packed_states,
    report_data,
    steps,
)
from kilter.results.explanation import ErrorKind
from tests.render.page.packed import unpacked, unpacked_positions, unpacked_signed
from tests.render.page.reported import FEW, sample_report, small_report


def unpacked_links(given: dict[str, str]) -> list[list[tuple[int, int]]]:
    firsts, seconds = iter(unpacked(given["first"])), iter(unpacked_signed(given["second"]))
    found = []
    for count in unpacked(given["counts"]):
        first = second = 0
        links = []
        for _ in range(count):
            first += next(firsts)
            second += next(seconds)
            links.append((first, second))
        found.append(links)
    assert [*firsts, *seconds] == []
    return found


@given(st.lists(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), unique=True)))
def test_links_are_read_back_as_they_were(links: list[list[tuple[int, int]]]) -> None:
    batch = LinkBatch.of(links)
    assert unpacked_links(packed_links(batch)) == [sorted(segment) for segment in links]


@given(st.lists(st.floats(allow_nan=True, allow_infinity=False, width=64)))
def test_scores_are_rounded_to_32_bits_and_no_further(scores: list[float]) -> None:
    with np.errstate(over="ignore"):
        wanted = np.array(scores, dtype=np.float64).astype(np.float32)
        found = np.frombuffer(b64decode(packed_scores(np.array(scores, dtype=np.float64))), "<f4")
    np.testing.assert_array_equal(found, wanted)


def test_the_texts_of_the_sample_are_read_back_as_they_were_written() -> None:
    report = sample_report()
    data: Any = report_data(report)
    corpus = report.corpus
    texts = [*corpus.references, *corpus.systems, corpus.source]
    assert [text["name"] for text in data["texts"]] == [text.name for text in texts if text]
    for text, packed_text in zip(texts, data["texts"], strict=True):
        assert text is not None
        values = iter(unpacked(packed_text["words"]))
        for line, length in zip(text.lines, unpacked(packed_text["lengths"]), strict=True):
            shown = ""
            for _ in range(length):
                value = next(values)
                shown += ("" if value % 2 or not shown else " ") + data["words"][value // 2]
            assert shown == line
        assert [*values] == []


def test_links_and_scores_of_the_sample_are_read_back() -> None:
    report = sample_report()
    data: Any = report_data(report)
    for links, given_links in zip(report.links, data["links"], strict=True):
        found = unpacked_links(given_links)
        assert found == [links.segment(segment) for segment in range(report.count)]
    for name, row in zip(report.metrics, data["scores"], strict=True):
        for system, text in zip(report.systems, row, strict=True):
            found_scores = np.frombuffer(b64decode(text), "<f4")
            np.testing.assert_allclose(found_scores, report.scores[name, system], rtol=1e-7)


def test_frequent_words_have_small_numbers_and_unused_ones_none() -> None:
    data: Any = report_data(small_report(right=["b b b a", "b"], wrong=["a b b b", "c b"]))
    assert data["words"] == ["b", "a", "c"]


def test_trees_are_read_back_and_texts_without_any_have_none() -> None:
    tree = kilter.DependencyTree(
        ["we", "saw"], heads=[1, -1], labels=["nsubj", "root"], tags=["PRON", "VERB"]
    )
    column = kilter.DependencyTreeColumn.of([tree, tree])
    lines = ["we saw", "we saw"]
    trees = kilter.Trees(systems=(column,), references=(column,))
    data: Any = report_data(
        kilter.report(lines, lines, trees=trees, metrics="dted", resampling=FEW)
    )
    assert len(data["trees"]["texts"]) == 2
    for text in data["trees"]["texts"]:
        assert [head - 1 for head in unpacked(text["heads"])] == [1, -1, 1, -1]
        tags = [data["trees"]["tags"][number] for number in unpacked(text["tags"])]
        assert tags == ["PRON", "VERB"] * 2
        names = [data["trees"]["labels"][number] for number in unpacked(text["labels"])]
        assert names == ["nsubj", "root"] * 2
    assert report_data(sample_report())["trees"] is None


# Order errors that the page carries are those that were put in.


def unpacked_states(text: str, count: int) -> list[int]:
    return [byte >> shift & 3 for byte in b64decode(text) for shift in (0, 2, 4, 6)][:count]


@given(st.lists(st.integers(0, 3)))
def test_states_are_read_back_as_they_were(states: list[int]) -> None:
    text = packed_states(np.array(states, dtype=np.int8))
    assert unpacked_states(text, len(states)) == states


def test_every_error_of_the_sample_is_read_back() -> None:
    report = sample_report()
    data: Any = error_data(report.errors)
    assert data["kinds"] == [str(kind) for kind in ErrorKind]
    assert sum(map(len, report.errors)) == 4 * 48
    for errors, given_errors in zip(report.errors, data["systems"], strict=True):
        words, moved = (unpacked_positions(given_errors[key]) for key in ("words", "moved"))
        kinds, before = unpacked(given_errors["kinds"]), unpacked(given_errors["before"])
        distances, directions = (unpacked(given_errors[key]) for key in ("distances", "directions"))
        shares = unpacked_signed(given_errors["shares"])
        costs = [unpacked_signed(column) for column in given_errors["costs"]]
        assert unpacked(given_errors["counts"]) == errors.counts.tolist()
        for row in range(len(kinds)):
            error = errors.error(row)
            assert kinds[row] == error.kind
            assert tuple(words[row]) == error.words
            assert tuple(moved[row]) == error.moved
            assert (distances[row], directions[row]) == (error.distance, error.direction)
            assert before[row] == error.belongs_before
            assert abs(shares[row] / data["parts"]["share"] - error.share) <= 0.0005
            for column, name in zip(costs, data["metrics"], strict=True):
                assert abs(column[row] / data["parts"]["cost"] - error.cost[name]) <= 0.00005
        states = unpacked_states(given_errors["hypothesis_states"], len(errors.hypothesis_states))
        assert states == errors.hypothesis_states.tolist()
        lengths = unpacked(given_errors["reference_lengths"])
        assert lengths == np.diff(errors.reference_offsets).tolist()
        states = unpacked_states(given_errors["reference_states"], sum(lengths))
        assert states == errors.reference_states.tolist()


def test_a_report_without_errors_carries_none() -> None:
    assert error_data(()) is None


# Whole numbers as few bytes.


@given(st.lists(st.integers(0, 2**31 - 1) | st.integers(0, 300)))
def test_numbers_are_read_back_as_they_were(values: list[int]) -> None:
    assert unpacked(packed(np.array(values, dtype=np.int64))) == values


@given(st.lists(st.integers(-(2**30), 2**30) | st.integers(-70, 70)))
def test_numbers_of_either_sign_are_read_back_as_they_were(values: list[int]) -> None:
    assert unpacked_signed(packed_signed(np.array(values, dtype=np.int64))) == values


def test_small_numbers_take_one_byte() -> None:
    assert len(packed(np.arange(126))) == 126 * 4 // 3


def test_steps_begin_anew_where_something_starts() -> None:
    starts = np.array([True, False, True, False])
    assert steps(np.array([3, 5, 4, 4]), starts).tolist() == [3, 2, 4, 0]


# Where words stand without a blank between them.


def joints(line: str, tokenizer: str) -> str:
    vocabulary = Vocabulary()
    text = TextColumn("t", (line,), token_column([line], tokenizer, vocabulary))
    found = joined_words(text, vocabulary.words)
    return " ".join(
        ("+" if joined else "") + word
        for word, joined in zip(vocabulary.text(text.tokens, 0), found.tolist(), strict=True)
    )


@pytest.mark.parametrize(
    ("line", "tokenizer", "expected"),
    [
        ("Yes, (he) came.", "13a", "Yes +, ( +he +) came +."),
        ("two  blanks, here", "13a", "two blanks +, here"),
        ("它 很好", "char", "它 很 +好"),
        ("already split ,", "none", "already split ,"),
        ("", "13a", ""),
    ],
)
def test_a_word_is_joined_where_its_line_has_no_blank(
    line: str, tokenizer: str, expected: str
) -> None:
    assert joints(line, tokenizer) == expected


def test_from_a_word_that_the_tokeniser_rewrote_all_count_as_apart() -> None:
    # 13a writes &amp; as &: nobody knows any more where words stand in the line.
    assert joints("a, b &amp; c, d", "13a") == "a +, b & c , d"


def test_the_first_word_of_a_line_is_joined_to_nothing() -> None:
    vocabulary = Vocabulary()
    lines = ["end.", "(start"]
    text = TextColumn("t", tuple(lines), token_column(lines, "13a", vocabulary))
    assert joined_words(text, vocabulary.words).tolist() == [0, 1, 0, 1]
    assert joined_words(text, vocabulary.words).dtype == np.int64
