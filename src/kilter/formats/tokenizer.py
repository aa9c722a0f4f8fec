"""Tokenisers by name: sacreBLEU's, the Moses one, or words as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.errors import InputError, MissingToolError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Tokenizer = Callable[[str], list[str]]

NAMES = ("none", "13a", "intl", "char", "zh", "ja-mecab", "ko-mecab", "moses:LANG")
_BY_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
UNSTEMMED = frozenset(_BY_LANGUAGE)
"""Languages that -l chooses a tokeniser for and that have no stemmer."""
_MECAB = {"ja-mecab": "ja", "ko-mecab": "ko"}
# First and last code points of scripts that are written without blanks between words.
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # Japanese syllables
    (0x3400, 0x9FFF),  # Chinese characters
    (0x20000, 0x3FFFF),  # Chinese characters
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
    from sacrebleu.metrics.bleu import _get_tokenizer  # noqa: PLC0415 - heavy

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


def check_spaced(
    lines: Sequence[str], words: Sequence[Sequence[str]], *, where: str, name: str
) -> None:
    """Raise an `InputError` if an unspaced script came out as one word a line.

    Word order cannot be measured then, and every score would be silently meaningless.
    """
    filled = [(line, tokens) for line, tokens in zip(lines, words, strict=True) if line.strip()]
    lumps = [line for line, tokens in filled if len(tokens) <= 2 and _unspaced(line) >= 6]
    if filled and 2 * len(lumps) > len(filled):
        raise InputError(
            f"is written without blanks and comes out as one word a line under the tokeniser {name}; "
            "choose one that knows the script: -l zh, -l ja, -l ko, or --tokenize char",
            where=where,
        )


def _unspaced(line: str) -> int:
    return sum(any(low <= ord(c) <= high for low, high in _UNSPACED) for c in line)
