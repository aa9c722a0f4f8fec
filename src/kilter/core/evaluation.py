"""What a metric may look at when it scores one system."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.errors import InputError
from kilter.core.link_rule import OrderRule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.corpus import TextColumn, Vocabulary
    from kilter.core.dependency_tree_column import DependencyTreeColumn, DependencyTreeSource
    from kilter.core.links import LinkBatch
    from kilter.core.meaning import MeaningBatch, MeaningOptions, MeaningSource
    from kilter.core.permutation_batch import PermutationBatch


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """One system's output beside its references, with the links between them.

    `links[k]` are hypothesis-reference links to reference k. `source_links` are source-hypothesis
    links, `reference_links[k]` source-reference links to reference k. `rule` makes an order of links.
    `trees` gives the dependency trees of a text when they are asked for, `meanings` what word vectors say
    about two texts. What was not given is None or empty.
    """

    vocabulary: Vocabulary
    hypothesis: TextColumn
    references: tuple[TextColumn, ...]
    source: TextColumn | None = None
    links: tuple[LinkBatch, ...] = ()
    source_links: LinkBatch | None = None
    reference_links: tuple[LinkBatch, ...] = ()
    rule: OrderRule = field(default_factory=OrderRule)
    trees: DependencyTreeSource | None = None
    meanings: MeaningSource | None = None
    jobs: int = 1
    kept: dict[object, Any] = field(default_factory=dict)
    """Room for what several metrics share, such as permutations and n-gram counts."""

    def __len__(self) -> int:
        return len(self.hypothesis)

    def permutations(self, reference: int) -> PermutationBatch:
        """Return the permutations that the rule makes of the links, computed once.

        Under the default rule, one-to-one, they hold the linked words, and a word with several links is
        a `SeveralLinksError`.
        """
        key = ("permutations", reference)
        if key not in self.kept:
            lengths = self.hypothesis.tokens.lengths
            self.kept[key] = self.rule.permutations(self.links[reference], lengths, jobs=self.jobs)
        made: PermutationBatch = self.kept[key]
        return made

    def word_links(self, reference: int) -> LinkBatch:
        """Return the links between words alone: tokens without a letter or digit have none."""
        key = ("word links", reference)
        if key not in self.kept:
            known = self.vocabulary.alphanumeric()
            links, texts = self.links[reference], (self.hypothesis, self.references[reference])
            owner, wanted = links.segments(), np.ones(len(links.links), dtype=np.bool_)
            for side, text in enumerate(texts):
                tokens = text.tokens
                wanted &= known[tokens.ids[tokens.offsets[owner] + links.links[:, side]]]
            self.kept[key] = links if wanted.all() else links.where(wanted)
        found: LinkBatch = self.kept[key]
        return found

    def word_permutations(self, reference: int) -> PermutationBatch:
        """Return the permutations that the rule makes of the links between words, computed once."""
        links = self.word_links(reference)
        if links is self.links[reference]:
            return self.permutations(reference)
        key = ("word permutations", reference)
        if key not in self.kept:
            lengths = self.hypothesis.tokens.lengths
            self.kept[key] = self.rule.permutations(links, lengths, jobs=self.jobs)
        made: PermutationBatch = self.kept[key]
        return made

    def reference_words(self, reference: int) -> NDArray[np.int64]:
        """Return the number of words of each reference segment: tokens with a letter or digit."""
        tokens = self.references[reference].tokens
        before = np.zeros(len(tokens.ids) + 1, dtype=np.int64)
        np.cumsum(self.vocabulary.alphanumeric()[tokens.ids], out=before[1:])
        return np.diff(before[tokens.offsets])

    def one_to_one_links(self, reference: int) -> LinkBatch:
        """Return the links, checked once: a word with several is a `SeveralLinksError`."""
        key = ("one-to-one", reference)
        if key not in self.kept:
            self.links[reference].check_one_to_one()
            self.kept[key] = True
        return self.links[reference]

    def linked_words(self, reference: int) -> NDArray[np.int64]:
        """Return how many words of the hypothesis have a link, per segment."""
        key = ("linked words", reference)
        if key not in self.kept:
            self.kept[key] = self.links[reference].linked_words(jobs=self.jobs)[:, 0]
        counts: NDArray[np.int64] = self.kept[key]
        return counts

    def given_source(self) -> TextColumn:
        """Return the source text, for metrics that need it."""
        if self.source is None:
            raise InputError("there is no source text", where=self.hypothesis.name)
        return self.source

    def given_source_links(self) -> LinkBatch:
        """Return the links between source and hypothesis, for metrics that need them."""
        if self.source_links is None:
            raise InputError("there are no links to the source", where=self.hypothesis.name)
        return self.source_links

    def meaning(self, reference: int, options: MeaningOptions) -> MeaningBatch:
        """Return what word vectors say about each segment and its reference of this number."""
        if self.meanings is None:
            raise InputError("there are no word vectors", where=self.hypothesis.name)
        return self.meanings.meaning(self.hypothesis, self.references[reference], options)

    def trees_of(self, text: TextColumn) -> DependencyTreeColumn:
        """Return the trees of the hypothesis, of a reference or of the source."""
        if self.trees is None:
            raise InputError("there are no trees of this text", where=text.name)
        return self.trees.trees(text)
