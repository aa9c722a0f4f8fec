"""What the embedded network says about pairs of sentences."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from kilter import _core
from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError, MissingToolError
from kilter.core.meaning import MeaningOptions
from kilter.parsers.encoder import meaning as sentence_pairs
from kilter.parsers.encoder.encoder import POSITIONS, load_encoder
from kilter.parsers.encoder.meaning import meaning, meaning_identity, word_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.core.meaning import MeaningBatch

HYPOTHESES = ("yesterday the old sailor sold his boat", "", "rain", "a lamp burns", "a lamp burns")
REFERENCES = ("the old seaman sold his ship yesterday", "no", "rain falls", "", "A Lamp burns")


def said(first: Sequence[str], second: Sequence[str], *, jobs: int = 1) -> MeaningBatch:
    vocabulary = Vocabulary()
    one, other = (vocabulary.column([line.split() for line in side]) for side in (first, second))
    return meaning(one, other, vocabulary, jobs=jobs)


def same(one: MeaningBatch, other: MeaningBatch) -> bool:
    return all(
        getattr(one, name).tobytes() == getattr(other, name).tobytes()
        for name in ("first_offsets", "second_offsets", "first_words", "second_words", "totals")
    )


def test_a_pair_of_segments_has_the_numbers_of_its_vectors() -> None:
    found = said(HYPOTHESES, REFERENCES)
    vocabulary = Vocabulary()
    column = vocabulary.column([HYPOTHESES[0].split(), REFERENCES[0].split()])
    vectors = word_vectors(column, vocabulary)
    alone = _core.meanings(
        vectors,
        column.offsets,
        np.array([0]),
        np.array([1]),
        context=0.3,
        position=0.05,
        temperature=0.06,
        floor=0.6,
        jobs=1,
    )
    assert found.first_words[:7].tobytes() == alone[0].tobytes()
    assert found.second_words[:7].tobytes() == alone[1].tobytes()
    assert found.totals[0].tobytes() == alone[2].tobytes()


def test_words_are_seen_in_lower_case() -> None:
    last = said(HYPOTHESES, REFERENCES).chosen(np.array([4]))
    assert last.recall.tolist() == last.precision.tolist() == [1, 1, 1]
    assert last.discordant[0] < 1e-6


def test_empty_segments_have_no_meaning_and_keep_their_places() -> None:
    found = said(HYPOTHESES, REFERENCES)
    assert len(found) == 5
    assert np.diff(found.first_offsets).tolist() == [7, 0, 1, 3, 3]
    assert np.diff(found.second_offsets).tolist() == [7, 1, 2, 0, 3]
    assert not found.totals[[1, 3]].any()
    assert not found.chosen(np.array([1])).second_words.any()
    assert not found.chosen(np.array([3])).first_words.any()


def test_a_single_word_is_met_but_has_no_pair_and_no_bigram() -> None:
    found = said(HYPOTHESES, REFERENCES).chosen(np.array([2]))
    assert 0.4 < found.precision[0] <= 1
    assert 0 < found.linked[0] <= 1
    assert found.concordant[0] == found.discordant[0] == 0
    assert not found.bigram.any()


def test_no_segments_have_no_meaning() -> None:
    assert len(said([], [])) == 0


def test_moved_words_are_out_of_order_and_named() -> None:
    found = said(HYPOTHESES[:1], REFERENCES[:1])
    assert found.discordant[0] == pytest.approx(6, abs=1.5)
    assert found.first_words[:7, 3].argmax() == 0  # the mass of pairs out of order


def test_neither_jobs_nor_blocks_nor_order_change_a_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(5)
    words = ["old", "lamp", "burns", "in", "a", "quiet", "house", "near", "tall", "trees"]
    lines = [" ".join(draw.choice(words, size=draw.integers(0, 9))) for _ in range(60)]
    other = [" ".join(draw.choice(words, size=draw.integers(0, 9))) for _ in range(20)] * 3
    expected = said(lines, other)
    assert same(said(lines, other, jobs=3), expected)
    monkeypatch.setattr(sentence_pairs, "BLOCK", 20)
    monkeypatch.setattr(sentence_pairs, "WAITING", 30)
    assert same(said(lines, other), expected)
    turned = said(lines[::-1], other[::-1])
    assert same(turned.chosen(np.arange(60)[::-1]), expected)


def test_equal_sentences_are_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def counting(words, *rest, **named):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN002, ANN003, ANN202
        seen.append(len(words))
        return word_vectors(words, *rest, **named)

    monkeypatch.setattr("kilter.parsers.encoder.meaning.word_vectors", counting)
    said(["a b", "b a", "a b"], ["a b", "A B", "c"])
    assert sum(seen) == 3


def test_sentences_of_several_windows_are_whole() -> None:
    line = " ".join(["the", "lamp", "burns", "in", "a", "house"] * 120)
    found = said([line], [line])
    assert len(line.split()) > POSITIONS
    assert (found.recall == 1).all()
    assert (found.bigram[:-1] == 1).all()
    vocabulary = Vocabulary()
    column = vocabulary.column([line.split()])
    assert np.linalg.norm(word_vectors(column, vocabulary), axis=1).min() > 0


def test_pairs_too_large_to_compare_are_refused_with_their_segment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_core, "MOST_MEANING_CELLS", 5)
    with pytest.raises(InputError, match="segment 2: has 3 by 2 words"):
        said(["a", "a b c"], ["a", "a b"])


def test_texts_of_different_lengths_are_refused() -> None:
    with pytest.raises(InputError, match="both need equally many"):
        said(["a"], [])


def test_progress_counts_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence_pairs, "BLOCK", 6)
    vocabulary = Vocabulary()
    column = vocabulary.column([["a", "b", str(k)] for k in range(9)])
    done: list[tuple[int, int]] = []
    meaning(column, column, vocabulary, progress=lambda *at: done.append(at))
    assert len(done) > 2
    assert [total for _, total in done] == [9] * len(done)
    assert [at for at, _ in done] == sorted({at for at, _ in done})
    assert done[-1] == (9, 9)


def test_without_its_model_the_install_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kilter_model_en", None)
    load_encoder.cache_clear()
    with pytest.raises(MissingToolError, match=r"pip install 'kilter\[parse\]'"):
        said(["a"], ["a"])
    with pytest.raises(MissingToolError, match=r"pip install 'kilter\[parse\]'"):
        meaning_identity(MeaningOptions())


def test_identity_tells_options_and_models_apart() -> None:
    plain = meaning_identity(MeaningOptions())
    assert "temperature:0.06" in plain
    assert "sha256:" in plain
    assert meaning_identity(MeaningOptions(floor=0.5)) != plain
