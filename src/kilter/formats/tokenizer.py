"""Tokenisers by name: sacreBLEU's, the Moses one, or words as they stand."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from kilter.errors import InputError, MissingToolError, OptionError, Setting
from kilter.formats.sacrebleu_module import sacrebleu_module

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from kilter.structures.token_column import TokenColumn, Vocabulary

    Tokenizer = Callable[[str], list[str]]

NAMES = ("none", "13a", "intl", "char", "zh", "ja-mecab", "ko-mecab", "moses:LANG")
# Those that need no other package: sacreBLEU is slow to import.
KERNEL_TOKENIZERS = frozenset({"none", "13a"})
_BY_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
UNSTEMMED = frozenset(_BY_LANGUAGE)
"""Languages that -l chooses a tokeniser for and that have no stemmer."""
_MECAB = {"ja-mecab": "ja", "ko-mecab": "ko"}
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
# First and last code points of scripts that are written without blanks between words, and the
# tokeniser that splits them.
_UNSPACED = (
    (0x0E00, 0x0EFF, "char"),  # Thai, Lao
    (0x1000, 0x109F, "char"),  # Myanmar
    (0x1780, 0x17FF, "char"),  # Khmer
    (0x3040, 0x30FF, "ja-mecab"),  # Japanese syllables
    (0x3400, 0x9FFF, "zh"),  # Chinese characters
    (0x20000, 0x3FFFF, "zh"),  # Chinese characters
)


def default_tokenizer(language: str | None) -> str:
    """Return the tokeniser that sacreBLEU takes for a language."""
    return _BY_LANGUAGE.get(language or "", "13a")


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
        from sacremoses import MosesTokenizer  # noqa: PLC0415 - optional
    except ImportError as error:
        raise MissingToolError(
            "the Moses tokeniser", install="pip install 'kilter[moses]'"
        ) from error
    moses = MosesTokenizer(lang=language)
    return lambda line: list(moses.tokenize(line, escape=False))


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
        for entity, character in _ENTITIES:
            line = line.replace(entity, character)
    return line


def check_spaced(
    lines: Sequence[str], lengths: NDArray[np.int64], *, where: str, name: str
) -> None:
    """Raise an `InputError` if an unspaced script came out as one word a line.

    Word order cannot be measured then, and every score would be silently meaningless. `lengths` are
    the numbers of words.
    """
    few = np.flatnonzero(lengths <= 2).tolist()
    lumps = [found for place in few if len(found := _unspaced(lines[place])) >= 6]
    filled = int((lengths > 0).sum())
    if lumps and 2 * len(lumps) > filled:
        raise InputError(
            f"is written without blanks and comes out as one word a line under the tokeniser {name}; "
            "choose one that splits this script:",
            where=where,
            advice=Setting("tokenize", _splitting(lumps)),
        )


def _unspaced(line: str) -> list[str]:
    """Return the tokeniser that splits it for each character of an unspaced script."""
    return [name for c in line for low, high, name in _UNSPACED if low <= ord(c) <= high]


def _splitting(lumps: list[list[str]]) -> str:
    """Return the tokeniser for most of the characters; syllables tell Japanese from Chinese."""
    counts = Counter(name for lump in lumps for name in lump)
    chosen = counts.most_common(1)[0][0]
    japanese = 10 * counts["ja-mecab"] >= counts["zh"] > 0
    return "ja-mecab" if chosen == "zh" and japanese else chosen
