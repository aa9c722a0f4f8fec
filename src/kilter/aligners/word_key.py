"""Keys of words: two words match when their keys are equal, or when they share one."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from kilter.structures.text.token_column import Vocabulary

SINGLE: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
"""What stands for key offsets where every word has one key."""
_NO_KEY = -1
_UNKNOWN = -2


class WordKeys:
    """The keys of a vocabulary's words, each computed once, when first asked for.

    `normal` makes the form of a word that counts, such as its lower case; `keys_of` the keys of each of
    several forms.
    A vocabulary may grow between calls; its words keep their numbers and so their keys. Threads may share
    a vocabulary: one at a time gives numbers to keys, or two keys could get the same.
    """

    def __init__(
        self,
        normal: Callable[[str], str],
        keys_of: Callable[[Sequence[str]], Iterable[Iterable[Hashable]]],
    ) -> None:
        self._normal = normal
        self._keys_of = keys_of
        self._numbers: dict[Hashable, int] = {}
        self._by_form: dict[str, tuple[int, ...]] = {}
        self._by_word: dict[int, tuple[int, ...]] = {}
        self._first: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._lock = Lock()

    def _learn_forms(self, forms: list[str]) -> None:
        numbers, known = self._numbers, self._by_form
        new = [form for form in dict.fromkeys(forms) if form not in known]
        for form, keys in zip(new, self._keys_of(new), strict=True):
            known[form] = tuple(sorted({numbers.setdefault(key, len(numbers)) for key in keys}))

    def _learn(self, words: NDArray[np.int32], vocabulary: Vocabulary) -> None:
        with self._lock:
            new = np.full(len(vocabulary) - len(self._first), _UNKNOWN, dtype=np.int32)
            first = np.concatenate([self._first, new])
            listed, spelled = words[first[words] == _UNKNOWN].tolist(), vocabulary.words
            forms = [self._normal(spelled[word]) for word in listed]
            self._learn_forms(forms)
            for word, form in zip(listed, forms, strict=True):
                keys = self._by_word[word] = self._by_form[form]
                first[word] = keys[0] if keys else _NO_KEY
            self._first = first

    def single(self, words: NDArray[np.int32], vocabulary: Vocabulary) -> NDArray[np.int32]:
        """Return the first key of each word of the vocabulary; -1 for words that are not in `words`."""
        self._learn(words, vocabulary)
        keys = np.full(len(vocabulary), _NO_KEY, dtype=np.int32)
        keys[words] = self._first[words]
        return keys

    def several(
        self, words: NDArray[np.int32], vocabulary: Vocabulary
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return offsets and sorted keys of each word; none for words that are not in `words`."""
        self._learn(words, vocabulary)
        listed = [self._by_word[word] for word in words.tolist()]
        counts = np.zeros(len(vocabulary) + 1, dtype=np.int64)
        counts[words + 1] = [len(keys) for keys in listed]
        flat = [key for keys in listed for key in keys]
        return np.cumsum(counts), np.array(flat, dtype=np.int32)


_KEPT: WeakKeyDictionary[Vocabulary, dict[Hashable, WordKeys]] = WeakKeyDictionary()


def word_keys(vocabulary: Vocabulary, kind: Hashable, make: Callable[[], WordKeys]) -> WordKeys:
    """Return the keys of one kind for a vocabulary, the same object every time."""
    kinds = _KEPT.setdefault(vocabulary, {})
    # Not a test and an assignment: of two threads that come at once, both get what the first has made.
    return kinds[kind] if kind in kinds else kinds.setdefault(kind, make())


def itself(forms: Sequence[str]) -> Iterable[tuple[str]]:
    """Return each form as its own only key."""
    return zip(forms, strict=True)
