"""What a metric may look at when it scores one system."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kilter.structures.corpus import TextColumn
    from kilter.structures.link_batch import LinkBatch
    from kilter.structures.permutation_batch import PermutationBatch
    from kilter.structures.token_column import Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """One system's output beside its references, with the links between them.

    `links[k]` are hypothesis-reference links to reference k. `source_links` are source-hypothesis
    links, `reference_links[k]` source-reference links to reference k. What was not given is None
    or empty.
    """

    vocabulary: Vocabulary
    hypothesis: TextColumn
    references: tuple[TextColumn, ...]
    source: TextColumn | None = None
    links: tuple[LinkBatch, ...] = ()
    source_links: LinkBatch | None = None
    reference_links: tuple[LinkBatch, ...] = ()
    jobs: int = 1
    kept: dict[Any, Any] = field(default_factory=dict)
    """Room for what several metrics share, such as permutations and n-gram counts."""

    def __len__(self) -> int:
        return len(self.hypothesis)

    def permutations(self, reference: int) -> PermutationBatch:
        """Return the permutations of the linked words, computed once."""
        key = ("permutations", reference)
        if key not in self.kept:
            self.kept[key] = self.links[reference].permutations(jobs=self.jobs)
        found: PermutationBatch = self.kept[key]
        return found
