"""Items that show more than a translation or a permutation: pairs, several systems together, controls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kilter.preordering.perturbations.word import join_words, split_sentence
from kilter.study.design.study import ItemKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from kilter.preordering.perturbations.word import Chance
    from kilter.study.design.item import Item
    from kilter.study.design.pool import Pool, PoolSentence
    from kilter.study.design.study import CompositionRow

_FEWEST_SHUFFLED = 5


@dataclass(frozen=True, slots=True)
class ItemMaker:
    """Makes items of sentences; `siblings` are the sentences of each reference, `used` ids that are taken."""

    pool: Pool
    siblings: Mapping[str, Sequence[PoolSentence]]
    used: AbstractSet[str]
    chance: Chance

    def item(self, row: CompositionRow, sentence: PoolSentence) -> Item | None:
        """Return an item as a row asks for it, or None where the sentence allows none."""
        if row.kind is ItemKind.PAIR:
            return self._pair(sentence)
        if row.kind is ItemKind.TOGETHER:
            return self._together(sentence, row.systems)
        return self._control(sentence, row.kind)

    def _pair(self, sentence: PoolSentence) -> Item | None:
        item = self.pool.translation(sentence)
        others = [
            other
            for other in self.siblings[sentence.reference]
            if other.corpus is not sentence.corpus
            and other.corpus.hypotheses[other.place] != item.hypothesis
            and other.corpus.files.pair == item.pair
        ]
        if not others:
            return None
        other = self.chance.choice(others)
        return replace(
            item,
            id=f"{item.id} or {other.corpus.files.system}",
            kind=str(ItemKind.PAIR),
            second=other.corpus.hypotheses[other.place],
            second_system=other.corpus.files.system,
            rank_score=None,
        )

    def _together(self, sentence: PoolSentence, systems: int) -> Item | None:
        """Return all unused translations of a sentence as one item, or so many of them by chance."""
        item = self.pool.translation(sentence)
        others: dict[str, Item] = {}
        for other in self.siblings[sentence.reference]:
            translation = self.pool.translation(other)
            if (
                other.corpus is not sentence.corpus
                and translation.pair == item.pair
                and translation.id not in self.used
            ):
                others.setdefault(translation.system, translation)
        if len(others) + 1 < max(systems, 2):
            return None
        chosen = [*others.values()]
        if systems:
            chosen = self.chance.sample(chosen, systems - 1)
        shown = self.chance.shuffled([item, *chosen])
        return replace(
            item,
            id=f"{item.id} together",
            kind=str(ItemKind.TOGETHER),
            system=",".join(each.system for each in shown),
            hypothesis="",
            rank_score=None,
            parts=tuple(shown),
        )

    def _control(self, sentence: PoolSentence, kind: ItemKind) -> Item | None:
        item = self.pool.translation(sentence)
        text = item.reference
        if kind is ItemKind.SHUFFLED:
            words = split_sentence(text)
            mixed = self.chance.shuffled(words)
            if len(words) < _FEWEST_SHUFFLED or mixed == list(words):
                return None
            text = join_words(
                word.with_core_of(other) for word, other in zip(words, mixed, strict=True)
            )
        return replace(
            item,
            id=f"{item.id} {kind}",
            kind=str(kind),
            hypothesis=text,
            base=item.id,
            rank_score=None,
        )
