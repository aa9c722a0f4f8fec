"""Synonyms from a plain file of groups or from a WordNet 3 folder. [Fellbaum 1998]"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.core.once import loaded_once
from kilter.io.file_name import unopenable
from kilter.io.stream import ByteSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
                "holds no synonyms; write one group a line, its words separated by blanks",
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
