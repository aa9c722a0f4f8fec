"""Translations of Moses with the source phrases that they come from: `the house |0-1| is |2-2|`.

That is what its decoder prints with -t, with -tt (`|0-1,wa=0-0 1-1,total=-3.2|`), and with --print-alignment-info
(`the house is ||| 0-0 1-1 2-2`), also together.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from kilter.io.link_format import shown
from kilter.io.link_rows import LONGEST_PHRASE, position

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kilter.core.link import Link

_MARK = re.compile(rb"(?<!\S)\|(\d+)-(\d+)((?:,[^|]*)?)\|(?!\S)")
_WORDS = re.compile(rb",\s*wa=([^,]*)")
_BAR = "|"
_ESCAPED = "&#124;"
"""How Moses writes a bar that is part of a word."""


class Trace(NamedTuple):
    """The links of a translation, from the source to it, and how many words it has."""

    links: list[Link]
    words: int


class TraceFault(Exception):  # noqa: N818 - what is wrong with a line, told where the file is known
    """Why a line is no trace."""


def read_trace(text: bytes, *, diagonal: bool = False) -> Trace:
    """Return the links of a line; what is wrong with it is a `TraceFault`.

    Every word of a phrase is linked with every word of its source phrase, or with `diagonal` the k-th with the
    k-th, or by `wa=` where that is given; links behind `|||` count instead of all phrases.

    >>> read_trace(b"das haus |0-1| steht |2-2|")
    Trace(links=[(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)], words=3)
    >>> read_trace(b"das haus steht ||| 1-1 0-0")
    Trace(links=[(1, 1), (0, 0)], words=3)
    """
    phrases, bars, pairs = text.partition(b"|||")
    links: list[Link] = []
    words = end = 0
    sources = []
    for mark in _MARK.finditer(phrases):
        source = _source_phrase(mark)
        sources.append((source.start, source.stop, mark[0]))
        begin = words
        words += len(phrases[end : mark.start()].split())
        end = mark.end()
        links += _phrase_links(mark, source, range(begin, words), diagonal=diagonal)
    _refuse_overlap(sources)
    rest = phrases[end:].split()
    if bars:
        return Trace(_pairs(pairs), words + len(rest))
    if rest:
        raise TraceFault(
            f"no source phrase follows {shown(rest[0])}; Moses writes one behind each phrase, such as |0-1|, "
            "if it is run with -t"
        )
    return Trace(links, words)


def _refuse_overlap(sources: list[tuple[int, int, bytes]]) -> None:
    for (_, stop, one), (start, _, other) in pairwise(sorted(sources)):
        if start < stop:
            raise TraceFault(
                f"{shown(one)} and {shown(other)} both translate source word {start}; a word belongs to one phrase"
            )


def _source_phrase(mark: re.Match[bytes]) -> range:
    ends = [position(end) for end in mark.groups()[:2]]
    if ends[0] is None or ends[1] is None or ends[1] < ends[0]:
        raise TraceFault(f"{shown(mark[0])} is no source phrase; it begins and ends with a word")
    return range(ends[0], ends[1] + 1)


def _phrase_links(
    mark: re.Match[bytes], source: range, words: range, *, diagonal: bool
) -> Iterator[Link]:
    given = _WORDS.search(mark[3])
    if given is None and max(len(source), len(words)) > LONGEST_PHRASE:
        raise TraceFault(f"at {shown(mark[0])} a phrase is longer than {LONGEST_PHRASE}")
    if given is None and diagonal:
        yield from zip(source, words, strict=False)
        return
    if given is None:
        yield from ((one, other) for one in source for other in words)
        return
    for one, other in _pairs(given[1]):
        if one >= len(source) or other >= len(words):
            raise TraceFault(
                f"in {shown(mark[0])} the link {one}-{other} points past its phrase, whose words count from 0"
            )
        yield source[one], words[other]


def _pairs(text: bytes) -> list[Link]:
    found = []
    for word in text.split():
        first, sign, second = word.partition(b"-")
        ends = position(first), position(second)
        if not sign or ends[0] is None or ends[1] is None:
            raise TraceFault(f"{shown(word)} is no link; links are such as 0-0 1-2")
        found.append((ends[0], ends[1]))
    return found


def written_trace(source: Sequence[str], target: Sequence[str], links: Sequence[Link]) -> str:
    """Return a line that holds these links: the whole translation as one phrase, its links behind `wa=`.

    >>> written_trace(["ein", "haus"], ["a", "house"], [(0, 0), (1, 1)])
    'a house |0-1,wa=0-0 1-1|'
    """
    words = [word.replace(_BAR, _ESCAPED) for word in target]
    if not words:
        return ""
    pairs = " ".join(f"{one}-{other}" for one, other in links)
    return " ".join([*words, f"|0-{max(len(source) - 1, 0)},wa={pairs}|"])
