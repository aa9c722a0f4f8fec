"""Keys of words: two words match when their keys are equal, or when they share one."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from functools import partial
from itertools import count
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from kilter import _core
from kilter.aligners.offered_pair import OfferedPairs
from kilter.core.errors import InputError
from kilter.core.language import plain_dots
from kilter.core.once import loaded_once
from kilter.io.stream import ByteSource, unopenable

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import TokenColumn, Vocabulary
    from kilter.core.links import LinkBatch

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


THRESHOLD = 0.4
"""Similar words share more than this of their letters, each with its neighbours (Dice coefficient)."""
LEAST = 3
"""So many letters they share with both neighbours, or all: *than* and *that*, *der* and *den* share too few."""
HEAD = 2
"""Letters that both words begin with: *happy* is not like *unhappy*."""

_DIGITS = re.compile(r"\d+")
_NUMBER_SIGNS = str.maketrans("", "", ".,'\N{RIGHT SINGLE QUOTATION MARK}")
_SPOKEN = "LMN"


def spoken(form: str) -> str:
    """Return what of a word is compared: letters, marks and digits; of a number all but its separators.

    >>> spoken("co-operate"), spoken("1,000"), spoken("-5"), spoken("...")
    ('cooperate', '1000', '-5', '')
    """
    if form.isalpha():
        return form
    kinds = [unicodedata.category(sign)[0] for sign in form]
    if "L" in kinds or "M" in kinds:
        return "".join([sign for sign, kind in zip(form, kinds, strict=True) if kind in _SPOKEN])
    return form.translate(_NUMBER_SIGNS) if "N" in kinds else ""


def head(form: str, compared: str) -> tuple[str, ...]:
    """Return what two similar words have in common: their first letters, and every run of digits.

    >>> head("1.5", "15") == head("15", "15")
    False
    """
    return (compared[:HEAD],) if form.isalpha() else (compared[:HEAD], *_DIGITS.findall(form))


class _WordForms:
    """What of each word of a vocabulary is compared, found once and kept while the vocabulary grows."""

    def __init__(self, *, fold: bool) -> None:
        self._fold = fold
        self._heads: dict[tuple[str, ...], int] = {}
        self._lock = Lock()
        self._kept = (
            np.zeros(0, dtype=np.int32),
            np.zeros(1, dtype=np.int64),
            np.zeros(0, dtype=np.int32),
        )

    def arrays(
        self, vocabulary: Vocabulary
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
        """Return letters, where those of each word begin, and the number of its head, -1 for none."""
        with self._lock:
            letters, offsets, heads = self._kept
            words = vocabulary.words
            if len(heads) < len(words):
                forms = words[len(heads) :]
                if self._fold:
                    turkic = vocabulary.turkic
                    forms = [plain_dots(word, turkic=turkic).casefold() for word in forms]
                compared = [spoken(form) for form in forms]
                numbers = self._heads
                new = [
                    numbers.setdefault(head(form, said), len(numbers)) if said else -1
                    for form, said in zip(forms, compared, strict=True)
                ]
                flat = "".join(compared).encode("utf-32-le", "surrogatepass")
                ends = offsets[-1] + np.cumsum([len(said) for said in compared], dtype=np.int64)
                self._kept = (
                    np.concatenate([letters, np.frombuffer(flat, dtype="<i4").astype(np.int32)]),
                    np.concatenate([offsets, ends]),
                    np.concatenate([heads, np.array(new, dtype=np.int32)]),
                )
            return self._kept


_KEPT_similar_word: WeakKeyDictionary[Vocabulary, dict[bool, _WordForms]] = WeakKeyDictionary()


def similar_pairs(
    first: TokenColumn,
    second: TokenColumn,
    links: LinkBatch,
    vocabulary: Vocabulary,
    *,
    fold: bool,
    jobs: int,
) -> OfferedPairs:
    """Return the pairs of words without a link that share most of their characters."""
    kept = _KEPT_similar_word.setdefault(vocabulary, {})
    forms = kept.setdefault(fold, _WordForms(fold=fold))
    cells, offsets, similarity = _core.similar_cells(
        first.ids,
        first.offsets,
        second.ids,
        second.offsets,
        links.links,
        links.offsets,
        *forms.arrays(vocabulary),
        THRESHOLD,
        LEAST,
        jobs,
    )
    return OfferedPairs(cells, offsets, certainty(similarity))


def certainty(similarity: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how many links of this similarity people draw too, as a line near the training part of Edinburgh++.

    >>> certainty(np.array([0.5, 1.0])).tolist()
    [0.575, 0.95]
    """
    return 0.2 + 0.75 * similarity


Classes = tuple[int, ...]

# The rules of detachment of WordNet's own look-up: an ending and what stands in its place.
ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}


def read_synonyms(path: str, *, fold: bool) -> Callable[[str], Classes]:
    """Return a function from a word form to the synonym classes it is in, from a file or a folder.

    With `fold`, the words of a file are case-folded; those of WordNet are lower-case as they are. What
    was read once is kept until the file changes.
    """
    fault = unopenable(path)
    if fault is not None:
        raise InputError(f"cannot be opened: {fault}", where=path)
    try:
        changed = Path(path).stat().st_mtime_ns
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror or error}", where=path) from error
    return _read(path, changed, fold=fold)


@loaded_once(4)
def _read(path: str, changed: int, *, fold: bool) -> Callable[[str], Classes]:
    del changed  # tells versions of a file apart
    if Path(path).is_dir():
        return WordNet(Path(path)).classes
    return SynonymGroups(path, fold=fold).classes


class SynonymGroups:
    """A plain file: one group of synonyms a line, separated by tabs or blanks."""

    def __init__(self, path: str, *, fold: bool) -> None:
        found: dict[str, list[int]] = {}
        for number, line in _lines(path):
            for word in set((line.casefold() if fold else line).split()):
                found.setdefault(word, []).append(number)
        if not found:
            raise InputError(
                "holds no synonyms; write one group a line, its words separated by spaces",
                where=path,
            )
        self._classes = {word: tuple(numbers) for word, numbers in found.items()}

    def classes(self, word: str) -> Classes:
        """Return the lines on which a word stands."""
        return self._classes.get(word, ())


class WordNet:
    """The `index.*` and `*.exc` files of a WordNet 3 folder: two words with a synset in common match.

    An inflected form has the synsets of its base forms: those its exception list names, else those that
    the rules of detachment reach, and in any case its own.
    """

    def __init__(self, folder: Path) -> None:
        self._synsets: dict[str, dict[str, Classes]] = {}
        self._exceptions: dict[str, dict[str, list[str]]] = {}
        numbers: dict[tuple[str, str], int] = {}
        for part in ENDINGS:
            index = folder / f"index.{part}"
            if not index.is_file():
                raise InputError(
                    f"has no file index.{part}; name a WordNet folder such as /usr/share/wordnet, "
                    "or a file with one group of synonyms a line",
                    where=str(folder),
                )
            self._synsets[part] = {
                lemma: tuple(numbers.setdefault((part, synset), len(numbers)) for synset in synsets)
                for lemma, synsets in _index_entries(str(index))
            }
            exceptions = folder / f"{part}.exc"
            self._exceptions[part] = {}
            for _, line in _lines(str(exceptions)) if exceptions.is_file() else ():
                form, *bases = line.split()
                self._exceptions[part].setdefault(form, []).extend(bases)

    def classes(self, word: str) -> Classes:
        """Return the synsets of a word form, over all parts of speech."""
        form = word.lower()
        classes_of_form: set[int] = set()
        for part, synsets in self._synsets.items():
            for base in (form, *self._bases(form, part)):
                classes_of_form.update(synsets.get(base, ()))
        return tuple(sorted(classes_of_form))

    def _bases(self, form: str, part: str) -> list[str]:
        listed = self._exceptions[part].get(form)
        if listed is not None:
            return listed
        return [
            form.removesuffix(ending) + replacement
            for ending, replacement in ENDINGS[part]
            if form.endswith(ending)
        ]


def _index_entries(path: str) -> Iterator[tuple[str, list[str]]]:
    """Yield lemmas and their synsets: lemma, part, n, p, p pointers, n, tagged, n synset offsets."""
    for number, line in _lines(path):
        if line.startswith(" "):  # the licence
            continue
        lemma, *fields = line.split()
        try:
            count = int(fields[1])
            synsets = fields[5 + int(fields[2]) :]
        except (IndexError, ValueError):
            count, synsets = 0, []
        if count == 0 or len(synsets) != count or not all(map(str.isdecimal, synsets)):
            raise InputError(
                "is no line of a WordNet 3 index; name a folder as WordNet ships it",
                where=f"{path}:{number}",
            )
        yield lemma, synsets


def _lines(path: str) -> Iterator[tuple[int, str]]:
    data = ByteSource(path).whole()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise InputError("is not UTF-8; convert the file to it", where=f"{path}:{number}") from None
    return ((n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip())
