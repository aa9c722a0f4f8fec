"""One set of links from the two directions of a statistical aligner [ON] [KOM]."""

# [ON] Och & Ney 2003, A systematic comparison of various statistical alignment models.
# [KOM] Koehn, Och & Marcu 2003, Statistical phrase-based translation.

from __future__ import annotations

from enum import StrEnum

from kilter import _core
from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.link_batch import LinkBatch


class Symmetrization(StrEnum):
    """How the links of both directions become one set; the order is the kernel's."""

    FORWARD = "forward"
    REVERSE = "reverse"
    INTERSECTION = "intersection"
    UNION = "union"
    GROW_DIAG = "grow-diag"
    GROW_DIAG_FINAL = "grow-diag-final"
    GROW_DIAG_FINAL_AND = "grow-diag-final-and"


def symmetrize(forward: LinkBatch, reverse: LinkBatch, *, rule: Symmetrization) -> LinkBatch:
    """Return the links that a rule makes of two directions, both written (source, target).

    Forward links have at most one source word per target word where an aligner made them, reverse
    links one target word per source word; any links will do.

    * `grow-diag`: the intersection; then, until nothing changes, each neighbour (also diagonal) of a
      chosen link that is in the union and whose source or target word is still free. Links are
      visited by target word, then source word, and an added link counts at once.
    * `grow-diag-final`: then forward links, then reverse links, whose source or target word is free.
    * `grow-diag-final-and`: the same where source and target word are both free.

    >>> forward = LinkBatch.of([[(0, 0), (1, 1), (1, 2)]])
    >>> reverse = LinkBatch.of([[(0, 0), (1, 1), (3, 3)]])
    >>> symmetrize(forward, reverse, rule=Symmetrization.GROW_DIAG).segment(0)
    [(0, 0), (1, 1), (1, 2)]
    >>> symmetrize(forward, reverse, rule=Symmetrization.GROW_DIAG_FINAL_AND).segment(0)
    [(0, 0), (1, 1), (1, 2), (3, 3)]
    """
    if len(forward) != len(reverse):
        raise InputError(
            f"the forward links have {counted(len(forward), 'segment')}, the reverse links {len(reverse)}; "
            "both need the same number"
        )
    number = list(Symmetrization).index(rule)
    links, offsets = _core.symmetrize(
        forward.links,
        forward.offsets,
        reverse.links,
        reverse.offsets,
        number,
    )
    bounded = tuple(sorted({*forward.bounded, *reverse.bounded}))
    return LinkBatch(links.reshape(-1, 2), offsets, bounded)
