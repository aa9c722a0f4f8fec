"""Keys of words: two words match when their keys are equal, or when they share one."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from kilter.core.letter_case import plain_dots

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from kilter.core.token_column import Vocabulary

SINGLE: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
"""What stands for key offsets where every word has one key."""
_NO_KEY = -1
_UNKNOWN = -2
Kept = TypeVar("Kept")


class _Learned(Generic[Kept]):
    """What is known of a vocabulary's words, found out once, when first asked for.

    `normal` makes the form of a word that counts, such as its lower case; `str.casefold` folds by the rules of the
    vocabulary's language. A vocabulary may grow between calls;
    its words keep their numbers and so what is known of them. Threads may share a vocabulary: one at a time
    gives numbers to keys, or two keys could get the same.
    """

    def __init__(self, normal: Callable[[str], str]) -> None:
        self._normal = normal
        # Not its own length, by which it would hold itself: many thousand words would wait for a search for garbage.
        self._numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
        self._by_form: dict[str, Kept] = {}
        self._lock = Lock()

    def _of_forms(self, forms: Sequence[str]) -> Iterable[Kept]:
        """Return what is to be kept of each form."""
        raise NotImplementedError

    def _of_words(self, words: Iterable[int], vocabulary: Vocabulary) -> list[Kept]:
        """Return what is kept of each word; whoever asks has the lock."""
        known = self._by_form
        spelled = map(vocabulary.words.__getitem__, words)
        if self._normal is str.casefold:
            spelled = map(partial(plain_dots, turkic=vocabulary.turkic), spelled)
        forms = [*map(self._normal, spelled)]
        new = [form for form in dict.fromkeys(forms) if form not in known]
        known.update(zip(new, self._of_forms(new), strict=True))
        return [*map(known.__getitem__, forms)]


class WordKeys(_Learned[int]):
    """One key of each word of a vocabulary; `keys_of` makes those of several forms."""

    def __init__(
        self,
        normal: Callable[[str], str],
        keys_of: Callable[[Sequence[str]], Iterable[Hashable]] = iter,
    ) -> None:
        super().__init__(normal)
        self._keys_of = keys_of
        self._keys: NDArray[np.int32] = np.zeros(0, dtype=np.int32)

    def _of_forms(self, forms: Sequence[str]) -> Iterable[int]:
        return map(self._numbers.__getitem__, self._keys_of(forms))

    def of(self, words: NDArray[np.int32], vocabulary: Vocabulary) -> NDArray[np.int32]:
        """Return the key of each word of the vocabulary; -1 for words that are not in `words`."""
        with self._lock:
            new = np.full(len(vocabulary) - len(self._keys), _UNKNOWN, dtype=np.int32)
            known = np.concatenate([self._keys, new])
            listed = words[known[words] == _UNKNOWN]
            known[listed] = self._of_words(listed.tolist(), vocabulary)
            self._keys = known
        keys = np.full(len(vocabulary), _NO_KEY, dtype=np.int32)
        keys[words] = known[words]
        return keys


class WordKeySets(_Learned[tuple[int, ...]]):
    """Any number of keys of each word of a vocabulary; `keys_of` makes those of a form."""

    def __init__(
        self, normal: Callable[[str], str], keys_of: Callable[[str], Iterable[Hashable]]
    ) -> None:
        super().__init__(normal)
        self._keys_of = keys_of

    def _of_forms(self, forms: Sequence[str]) -> Iterable[tuple[int, ...]]:
        for form in forms:
            yield tuple(sorted({self._numbers[key] for key in self._keys_of(form)}))

    def of(
        self, words: NDArray[np.int32], vocabulary: Vocabulary
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return offsets and sorted keys of each word; none for words that are not in `words`."""
        with self._lock:
            listed = self._of_words(words.tolist(), vocabulary)
        counts = np.zeros(len(vocabulary) + 1, dtype=np.int64)
        counts[words + 1] = [len(keys) for keys in listed]
        flat = [key for keys in listed for key in keys]
        return np.cumsum(counts), np.array(flat, dtype=np.int32)


Keys = TypeVar("Keys", WordKeys, WordKeySets)
_KEPT: WeakKeyDictionary[Vocabulary, dict[Hashable, Any]] = WeakKeyDictionary()


def word_keys(vocabulary: Vocabulary, kind: Hashable, make: Callable[[], Keys]) -> Keys:
    """Return the keys of one kind for a vocabulary, the same object every time."""
    kinds = _KEPT.setdefault(vocabulary, {})
    # Not a test and an assignment: of two threads that come at once, both get what the first has made.
    found: Keys = kinds[kind] if kind in kinds else kinds.setdefault(kind, make())
    return found
