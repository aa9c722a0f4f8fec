"""Reordered sentences: made from links, scored against references. [FRS]"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.link_rule import LinkRule, NullWords, Ties, reorder
from kilter.core.links import LinkBatch
from kilter.io.links import read_links, told_together
from kilter.io.stream import ByteSource
from kilter.io.text import entries, word_list
from kilter.run.scoring.links import LinkPath

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.core.reordering import Reordering
    from kilter.io.link_format import LinkFormat

Named: TypeAlias = tuple[str, object]
"""What messages call a text, and its lines, or the words of each."""


def make_reorderings(  # noqa: PLR0913 - every knob of a run
    source: Named,
    links: ByteSource,
    *,
    target: Named | None = None,
    link_format: str = "pharaoh",
    possible: bool = False,
    rule: LinkRule | str = LinkRule.TALBOT,
    null: NullWords | str | None = None,
    ties: Ties | str | None = None,
    jobs: int = 1,
) -> tuple[list[list[str]], Reordering]:
    """Return the words of the source lines, and their order by the links. Section 1.2 and others."""
    words, order = read_linked(
        source, links, target=target, link_format=link_format, possible=possible
    )
    return words, reorder(order, _lengths(words), rule=rule, null=null, ties=ties, jobs=jobs)


def read_linked(
    source: Named,
    links: ByteSource,
    *,
    target: Named | None = None,
    link_format: LinkFormat | str | None = "pharaoh",
    possible: bool = False,
) -> tuple[list[list[str]], LinkBatch]:
    """Return the words of the source lines and the links of a file, checked against one another."""
    words = split_words(source[1], where=source[0])
    if target is None:
        file = read_links(links, form=link_format, segments=len(words))
        _check_source(file.all(), _lengths(words))
    else:
        others = split_words(target[1], where=target[0])
        if len(others) != len(words):
            raise InputError(
                f"has {counted(len(others), 'line')}, but {source[0]} has {len(words)}; both need one line per "
                "segment",
                where=target[0],
            )
        lengths = _lengths(words), _lengths(others)
        file = read_links(links, form=link_format, lengths=lengths)
    return words, file.all() if possible else file.sure


def _check_source(links: LinkBatch, lengths: NDArray[np.int64]) -> None:
    """Raise an `InputError` for links past the source words, all of them, where nothing else is known."""
    owners = links.segments()
    past = np.flatnonzero(links.links[:, 0] >= lengths[owners])
    if past.size:
        raise told_together([_past_source(links, int(owners[k]), int(k), lengths) for k in past])


def _past_source(
    links: LinkBatch, segment: int, place: int, lengths: NDArray[np.int64]
) -> InputError:
    first, second = links.links[place].tolist()
    sizes = int(lengths[segment]), second + 1
    return InputError(
        links.origin.outside((first, second), sizes),
        where=links.origin.where(segment, (first, second)),
    )


def linked_words(
    source: object,
    links: LinkBatch | LinkPath | str,
    *,
    target: object = None,
    possible: bool = False,
) -> tuple[list[list[str]], LinkBatch]:
    """Return the words of a source in memory, and its links, given or in a file, checked against it."""
    if not isinstance(links, LinkBatch):
        file = links if isinstance(links, LinkPath) else LinkPath(links)
        other = None if target is None else ("target", target)
        return read_linked(
            ("source", source),
            ByteSource(file.path),
            target=other,
            link_format=file.form,
            possible=possible,
        )
    words = split_words(source, where="source")
    if len(words) != len(links):
        raise InputError(
            f"cover {counted(len(links), 'segment')}, but the source has {len(words)}",
            where="links",
        )
    if target is not None:
        others = split_words(target, where="target")
        if len(others) != len(words):
            raise InputError(
                f"has {counted(len(others), 'line')}, but the source has {len(words)}; both need one line "
                "per segment",
                where="target",
            )
        links.check(_lengths(words), _lengths(others))
    return words, links


def split_words(lines: object, *, where: str = "text") -> list[list[str]]:
    """Return the words of each line: those between blanks, or as they are given.

    >>> split_words(["a b", ["25 000", "c"]])
    [['a', 'b'], ['25 000', 'c']]
    """
    listed = entries(lines, where=where, wanted="a list of lines, or of the words of each")
    return [
        line.split()
        if isinstance(line, str)
        else word_list(line, where=f"{where}: segment {place}")
        for place, line in enumerate(listed, start=1)
    ]


def _lengths(words: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    return np.array([len(line) for line in words], dtype=np.int64)
