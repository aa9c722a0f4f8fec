"""An aligner that says nothing twice: equal pairs once, and from the cache if there is one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from kilter.aligners.aligner import check_pairs
from kilter.formats.kept_rows import KeptRows
from kilter.pipeline.cache.cache_folder import cache_folder
from kilter.pipeline.cache.keep import Keep
from kilter.structures.link.link_batch import LinkBatch
from kilter.structures.link.link_origin import LinkOrigin
from kilter.structures.text.segment_key import pair_key, segment_keys

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.aligners.aligner import Aligner, Progress
    from kilter.structures.text.token_column import TokenColumn, Vocabulary

KIND = "links"


class KeptAligner:
    """An aligner whose links of equal pairs are made once, where they depend on the pair alone."""

    def __init__(self, aligner: Aligner, cache: str | None = None) -> None:
        self.aligner = aligner
        self._folder = cache_folder(cache)

    @cached_property
    def _keep(self) -> Keep | None:
        identity = self.aligner.identity()
        return None if identity is None else Keep(KIND, identity, self._folder, columns=2)

    @property
    def shares(self) -> bool:
        """Whether what it makes of one text can be of use for another."""
        return self._keep is not None

    def align(
        self,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> LinkBatch:
        """Return what the aligner itself returns."""
        check_pairs(first, second)
        keep = self._keep
        if keep is None:
            return self.aligner.align(first, second, vocabulary, jobs=jobs, progress=progress)

        def make(places: NDArray[np.int64]) -> KeptRows:
            made = self.aligner.align(
                first.chosen(places),
                second.chosen(places),
                vocabulary,
                jobs=jobs,
                progress=progress,
            )
            return KeptRows((), made.links, made.offsets)

        keys = (segment_keys(side, vocabulary) for side in (first, second))
        found = keep.rows([pair_key(*pair) for pair in zip(*keys, strict=True)], make)
        links = LinkBatch(found.values, found.offsets, origin=LinkOrigin("the cache"))
        links.check(first.lengths, second.lengths)
        return links
