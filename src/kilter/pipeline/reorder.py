"""Reordered sentences: made from links, scored against references. [FRS]"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.errors import InputError
from kilter.formats.links import read_links
from kilter.structures.counted import counted
from kilter.structures.link_rule import LinkRule, NullWords, Ties, reorder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.formats.stream import ByteSource
    from kilter.structures.link_batch import LinkBatch
    from kilter.structures.reordering import Reordering

    Named = tuple[str, Sequence[str]]


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
    words, found = read_linked(
        source, links, target=target, link_format=link_format, possible=possible
    )
    lengths = word_counts(source[1])
    return words, reorder(found, lengths, rule=rule, null=null, ties=ties, jobs=jobs)


def read_linked(
    source: Named,
    links: ByteSource,
    *,
    target: Named | None = None,
    link_format: str = "pharaoh",
    possible: bool = False,
) -> tuple[list[list[str]], LinkBatch]:
    """Return the words of the source lines and the links of a file, checked against one another."""
    words = [line.split() for line in source[1]]
    if target is None:
        file = read_links(links, form=link_format, segments=len(words))
    else:
        if len(target[1]) != len(words):
            raise InputError(
                f"has {counted(len(target[1]), 'line')}, but {source[0]} has {len(words)}; both need one line per "
                "segment",
                where=target[0],
            )
        file = read_links(
            links, form=link_format, lengths=(word_counts(source[1]), word_counts(target[1]))
        )
    return words, file.all() if possible else file.sure


def word_counts(lines: Sequence[str]) -> NDArray[np.int64]:
    """Return the number of words, separated by blanks, of each line."""
    return np.array([len(line.split()) for line in lines], dtype=np.int64)
