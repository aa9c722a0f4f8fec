"""Tokenisers by name: sacreBLEU's, the Moses one, or words as they stand."""

from __future__ import annotations

import os
import re
import tempfile
from collections import Counter
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError, MissingToolError, OptionError, Setting
from kilter.core.language import base_language
from kilter.core.once import ProcessLock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import ModuleType

    from kilter.core.corpus import TokenColumn

    Tokenizer = Callable[[str], list[str]]

_LOCK = ProcessLock()


def sacrebleu_module(name: str) -> ModuleType:
    """Return a module of sacreBLEU, also where no directory can be written."""
    # One thread at a time: the directory below belongs to the whole process.
    with _LOCK, _without_temporary_directory():
        return import_module(name)


@contextmanager
def _without_temporary_directory() -> Iterator[None]:
    """Let a library it imports look up a temporary directory, which is then never used."""
    try:
        tempfile.gettempdir()
    except FileNotFoundError:
        tempfile.tempdir = os.sep
        try:
            yield
        finally:
            tempfile.tempdir = None
    else:
        yield


NAMES = ("none", "13a", "intl", "char", "zh", "ja-mecab", "ko-mecab", "moses:LANG")
DEFAULT_TOKENIZER = "13a"
# Those that need no other package: sacreBLEU is slow to import.
_KERNEL_TOKENIZERS = frozenset({"none", "13a"})
_BY_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
UNSTEMMED = frozenset(_BY_LANGUAGE)
"""Languages that -l chooses a tokeniser for and that have no stemmer."""
_MECAB = {"ja-mecab": "ja", "ko-mecab": "ko"}
ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
"""What 13a writes as the characters that they stand for, one after another."""
# First and last code points of scripts that are written without blanks between words, the tokeniser
# that splits them, and what a letter weighs where the length of a word is judged: of Chinese
# characters a word takes half as many as of others.
_UNSPACED = (
    (0x0E00, 0x0EFF, "char", 1),  # Thai, Lao
    (0x0F00, 0x0FFF, "char", 1),  # Tibetan
    (0x1000, 0x109F, "char", 1),  # Myanmar
    (0x1780, 0x17FF, "char", 1),  # Khmer
    (0x3040, 0x309F, "ja-mecab", 2),  # Japanese syllables
    (0x30A0, 0x30FF, "ja-mecab", 1),  # Japanese syllables, mostly of long words from elsewhere
    (0x3400, 0x9FFF, "zh", 2),  # Chinese characters
    (0x20000, 0x3FFFF, "zh", 2),  # Chinese characters
)
_UNSPACED_LETTER = re.compile(f"[{''.join(f'{chr(a)}-{chr(b)}' for a, b, _, _ in _UNSPACED)}]")
_SPLITTERS = frozenset({"char", "ja-mecab"})
"""Tokenisers that leave no script whole."""
_LONGEST_MEAN = 5
"""Words of split text weigh less than this on average: 2.5 Chinese characters, 5 Thai letters."""


def default_tokenizer(language: str | None) -> str:
    """Return the tokeniser that sacreBLEU takes for a language."""
    return _BY_LANGUAGE.get(base_language(language) or "", DEFAULT_TOKENIZER)


def tokenizer(name: str) -> Tokenizer:
    """Return the function from a line to its words; an unknown name is an `OptionError`."""
    if name == "none":
        return str.split
    if name.startswith("moses:"):
        return _moses(name.removeprefix("moses:"))
    if name not in NAMES:
        raise OptionError(f"there is no tokeniser {name!r}; there are: {', '.join(NAMES)}")
    return _sacrebleu(name)


def _sacrebleu(name: str) -> Tokenizer:
    _get_tokenizer = sacrebleu_module("sacrebleu.metrics.bleu")._get_tokenizer  # noqa: SLF001 - no public way

    if name in _MECAB:
        install = f"pip install 'kilter[{_MECAB[name]}]'"
        try:
            tokenize = _get_tokenizer(name)()
        except (ImportError, RuntimeError) as error:
            raise MissingToolError(f"the tokeniser {name}", install=install) from error
    else:
        tokenize = _get_tokenizer(name)()
    # As sacreBLEU does: blanks at the end are not part of the segment.
    return lambda line: tokenize(line.rstrip()).split()


def _moses(language: str) -> Tokenizer:
    if not language:
        raise OptionError("the Moses tokeniser needs a language: moses:en")
    try:
        from sacremoses import MosesTokenizer
        from sacremoses.corpus import NonbreakingPrefixes
    except ImportError as error:
        raise MissingToolError(
            "the Moses tokeniser", install="pip install 'kilter[moses]'"
        ) from error
    known = sorted({*NonbreakingPrefixes().available_langs.values()})
    if language not in known:  # it would be split as if it were English
        raise OptionError(
            f"the Moses tokeniser does not know the language {language!r}; it knows {', '.join(known)}"
        )
    moses = MosesTokenizer(lang=language)
    return lambda line: list(moses.tokenize(line, escape=False))


def check_tokenizer(name: str) -> None:
    """Raise an error for a tokeniser that is unknown or not installed; those of the kernel load nothing."""
    if name not in _KERNEL_TOKENIZERS:
        tokenizer(name)


def token_column(lines: Sequence[str], name: str, vocabulary: Vocabulary) -> TokenColumn:
    """Return the words of lines under a tokeniser as numbers of a vocabulary.

    The two commonest tokenisers run in a kernel; it does what sacreBLEU's 13a does, word for word.
    """
    if name == "none":
        return vocabulary.column_of_lines(lines, tokenized=False)
    if name == "13a":
        return vocabulary.column_of_lines([_resolved(line) for line in lines], tokenized=True)
    return vocabulary.column(map(tokenizer(name), lines))


def _resolved(line: str) -> str:
    """Return a line without what 13a takes out of it: a mark of old test sets, and entities."""
    if "<skipped>" in line:
        line = line.replace("<skipped>", "")
    if "&" in line:
        for entity, character in ENTITIES:
            line = line.replace(entity, character)
    return line


def check_spaced(lines: Sequence[str], *, where: str, name: str) -> None:
    """Raise an `InputError` if a text in an unspaced script is not split into words by a tokeniser.

    Word order cannot be measured then, and every score would be silently meaningless. The words of the
    whole text decide: the mean length of those in such scripts, if such scripts make up most of it.
    """
    check_spaced_blocks(lambda: iter((lines,)), where=where, name=name)


def check_spaced_blocks(
    blocks: Callable[[], Iterator[Sequence[str]]], *, where: str, name: str
) -> None:
    """Raise what `check_spaced` raises, of a text that is read some lines at a time, up to twice."""
    if name in _SPLITTERS or not any(
        any(map(_UNSPACED_LETTER.search, lines)) for lines in blocks()
    ):
        return
    splitters: Counter[str] = Counter()
    words = weight = letters = 0
    for word, count in _word_counts(blocks(), name):
        script = _unspaced(word)
        letters += count * sum(map(str.isalpha, word))
        if script:
            words += count
            weight += count * sum(each for _, each in script)
            for splitter, _ in script:
                splitters[splitter] += count
    # Other scripts take about two letters for one of these.
    if 3 * splitters.total() <= letters or weight <= _LONGEST_MEAN * words:
        return
    advised = _splitting(splitters)
    if advised != name:
        raise InputError(
            f"is written without blanks, and the tokeniser {name} does not split it into words; "
            "choose one that splits this script:",
            where=where,
            advice=Setting("tokenize", advised),
        )


def _word_counts(blocks: Iterable[Sequence[str]], name: str) -> Iterator[tuple[str, int]]:
    """Yield the words of each block, and how often it has them."""
    for lines in blocks:
        vocabulary = Vocabulary()
        counts = np.bincount(token_column(lines, name, vocabulary).ids, minlength=len(vocabulary))
        yield from zip(vocabulary.words, counts.tolist(), strict=True)


def _unspaced(word: str) -> list[tuple[str, int]]:
    """Return tokeniser and weight for each letter of an unspaced script."""
    return [
        (name, weight)
        for letter in _UNSPACED_LETTER.findall(word)
        if letter.isalpha()
        for low, high, name, weight in _UNSPACED
        if low <= ord(letter) <= high
    ]


def _splitting(counts: Counter[str]) -> str:
    """Return the tokeniser for most of the letters; syllables tell Japanese from Chinese."""
    chosen = counts.most_common(1)[0][0]
    japanese = 10 * counts["ja-mecab"] >= counts["zh"] > 0
    return "ja-mecab" if chosen == "zh" and japanese else chosen
