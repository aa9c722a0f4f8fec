"""What the network says about a segment is about that segment alone."""

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.typing import NDArray

from kilter.core.corpus import Vocabulary
from kilter.parsers.encoder.encoder import load_encoder

TEXTS = [
    "The committee has not met since March .",
    "HEADLINE WITHOUT A VERB",
    "",
    "She gave the old man a coat , and he thanked her .",
    "He gave an old man the coat , but she thanked him .",
    "yes",
]


def vectors(texts: list[str], *, jobs: int = 1) -> list[NDArray[np.float32]]:
    vocabulary = Vocabulary()
    words = vocabulary.column([text.split() for text in texts])
    found = [np.zeros((0, 384), dtype=np.float32) for _ in texts]
    for answer in load_encoder().answers(words, vocabulary, ["vector"], jobs=jobs):
        for place, window in enumerate(answer.windows):
            rows = slice(int(answer.offsets[place]), int(answer.offsets[place + 1]))
            found[window.segment] = answer.arrays["vector"][rows]
    return found


def test_neighbours_and_threads_change_nothing() -> None:
    together = vectors(TEXTS)
    assert [len(rows) for rows in together] == [len(text.split()) for text in TEXTS]
    for text, rows in zip(TEXTS, together, strict=True):
        assert np.array_equal(vectors([text])[0], rows)
    for one, other in zip(together, vectors(TEXTS * 20, jobs=3), strict=False):
        assert np.array_equal(one, other)


def test_threads_may_ask_one_encoder_at_once() -> None:
    texts = [*TEXTS, " ".join(TEXTS * 4)]
    wanted = [rows.tobytes() for rows in vectors(texts)]
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: vectors(texts), range(16)):
            assert [rows.tobytes() for rows in found] == wanted


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_process_that_was_forked_says_the_same() -> None:
    wanted = b"".join(rows.tobytes() for rows in vectors(TEXTS))
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        # Whatever happens, the child must not go on as a second run of the tests.
        try:
            os.write(writing, hashlib.sha256(b"".join(map(bytes, vectors(TEXTS)))).digest())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    said = os.read(reading, 100)
    os.close(reading)
    assert said == hashlib.sha256(wanted).digest()


def test_a_word_has_another_vector_in_another_context() -> None:
    bank, shore = vectors(["the bank lends money", "the bank of the river"])
    assert not np.allclose(bank[1], shore[1])


def test_progress_counts_words_up_to_all_of_them() -> None:
    seen: list[tuple[int, int]] = []
    vocabulary = Vocabulary()
    words = vocabulary.column([text.split() for text in TEXTS])
    answers = load_encoder().answers(
        words, vocabulary, ["upos"], progress=lambda done, total: seen.append((done, total))
    )
    assert sum(len(answer.windows) for answer in answers) == 5
    assert seen[-1] == (len(words.ids), len(words.ids))
