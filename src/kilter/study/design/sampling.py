"""Questionnaires drawn at random by a composition. Section 12.4"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from kilter.core.errors import InputError
from kilter.preordering.perturbations.word import Chance
from kilter.study.design.composition_check import unmet
from kilter.study.design.dealing import dealt
from kilter.study.design.item import Item, Questionnaire
from kilter.study.design.item_maker import ItemMaker
from kilter.study.design.pool import Pool, PoolSentence
from kilter.study.design.study import (
    CONTROLS,
    MOST_PER_BASE,
    RANDOM,
    STUDY_FILE,
    CompositionRow,
    ItemKind,
    Presentation,
)
from kilter.study.design.study_file import StudyFileError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kilter.study.design.study import Pick, Study


@dataclass(frozen=True, slots=True)
class Design:
    """What was drawn, what gave way or was not there while it was drawn, and what the questionnaires lack."""

    items: tuple[Item, ...]
    questionnaires: tuple[Questionnaire, ...]
    notes: tuple[str, ...]
    unmet: tuple[str, ...] = ()


@dataclass(slots=True)
class _Part:
    """Items of one questionnaire, or those that all share, while they are being drawn."""

    name: str
    chance: Chance
    items: list[Item] = field(default_factory=list)
    references: dict[str, str] = field(default_factory=dict)
    permuted: Counter[str] = field(default_factory=Counter)
    bases: list[PoolSentence] = field(default_factory=list)
    shown: dict[str, PoolSentence] = field(default_factory=dict)
    """Sentences whose translation is among the items, by their names."""

    def beginning_with(self, shared: _Part) -> _Part:
        """Return this part, knowing what the shared part shows already."""
        self.references.update(shared.references)
        self.permuted.update(shared.permuted)
        self.shown.update(shared.shown)
        return self


@dataclass(slots=True)
class Sampler:
    """Draws the shared items, then the unique ones of each questionnaire.

    Sentences and permutations are drawn uniformly among those that fit: nothing is shown in two
    questionnaires unless it is shared, a permutation only beside the translation of its sentence, at most
    two permutations of a sentence in a questionnaire, and a reference again only with its own permutations.
    The last rule gives way where the pool is too small, which is noted, as is everything that could not be
    drawn at all. A study without any translation draws permutations from the whole pool.
    """

    study: Study
    pool: Pool
    notes: list[str] = field(default_factory=list)
    _used: set[str] = field(default_factory=set)
    _siblings: dict[str, list[PoolSentence]] = field(default_factory=dict)
    _translated: dict[str, list[PoolSentence]] = field(default_factory=dict)

    def design(self) -> Design:
        """Return items and questionnaires."""
        self.notes += self.pool.notes
        for sentence in self.pool.sentences:
            self._siblings.setdefault(sentence.reference, []).append(sentence)
        seed = self.study.seed
        shared = _Part("shared items", Chance(seed, "shared"))
        rows = self._picked(shared)
        self._fill(shared, rows)
        shared.items = [item.for_all() for item in shared.items]
        own_rows = [row for row in self.study.composition if not row.shared]
        questionnaires, items = [], list(shared.items)
        for number in range(1, self.study.questionnaires + 1):
            part = _Part(f"questionnaire {number}", Chance(seed, "questionnaire", number))
            self._fill(part.beginning_with(shared), own_rows)
            items += part.items
            item_ids = [item.id for item in (*shared.items, *part.items)]
            if self.study.presentation is Presentation.RANDOM:
                item_ids = Chance(seed, "presentation", number).shuffled(item_ids)
            questionnaires.append(Questionnaire(number, tuple(item_ids)))
        by_id = {each.id: each for each in items}
        lacking = unmet(self.study.composition, by_id, questionnaires)
        if self.study.items_per_rater:
            dealing = dealt(questionnaires, by_id, most=self.study.items_per_rater)
            questionnaires, lacking = dealing.questionnaires, [*lacking, *dealing.too_large]
        return Design(tuple(items), tuple(questionnaires), tuple(self.notes), tuple(lacking))

    def _fill(self, part: _Part, rows: Sequence[CompositionRow]) -> None:
        # Base sentences come first: their translations take places among the translations.
        for row in rows:
            if row.same_base:
                self._same_base(part, row)
        for row in rows:
            if row.kind is ItemKind.TRANSLATION:
                self._translations(part, row)
        for sentence in part.bases:
            self.notes.append(
                f"{part.name}: no place for the translation of base {self.pool.id(sentence)}"
            )
        for row in rows:
            if row.kind is ItemKind.PERMUTATION and not row.same_base:
                self._permutations(part, row)
            elif row.kind in (ItemKind.PAIR, ItemKind.TOGETHER) or row.kind in CONTROLS:
                self._others(part, row)

    def _same_base(self, part: _Part, row: CompositionRow) -> None:
        for sentence in self._sentences(part, row):
            if not self.pool.allows(sentence, row.type):
                continue
            degrees = [
                degree
                for degree in self.study.degrees
                if permutation_id(self.pool.id(sentence), row.type, degree) not in self._used
                and self.pool.permutation(sentence, row.type, degree).text is not None
            ]
            if len(degrees) < row.items:
                continue
            for degree in sorted(part.chance.sample(degrees, row.items)):
                self._add(part, self._permuted(sentence, row.type, degree))
            part.bases.append(sentence)
            self._used.add(self.pool.id(sentence))  # its place among the translations is taken
            return
        self.notes.append(
            f"{part.name}: no sentence has {row.items} permutations of type {row.type}"
        )

    def _translations(self, part: _Part, row: CompositionRow) -> None:
        wanted = row.items
        for base in [each for each in part.bases if row.takes(each.pair)][:wanted]:
            part.bases.remove(base)
            self._show(part, base)
            wanted -= 1
        sentences = self._sentences(part, row)
        for _ in range(wanted):
            sentence = next(sentences, None)
            if sentence is None:
                self._missing(part, row)
                return
            self._show(part, sentence)

    def _permutations(self, part: _Part, row: CompositionRow) -> None:
        kinds = [str(kind) for kind in self.study.drawn_types] if row.type == RANDOM else [row.type]
        translated = any(each.kind is ItemKind.TRANSLATION for each in self.study.composition)
        sentences = part.shown.values() if translated else self.pool.sentences
        fitting = [sentence for sentence in sentences if row.takes(sentence.pair)]
        bases = set[str]()
        for drawn in range(row.items):
            found = self._permutation(part, kinds, bases, fitting)
            if found is None and translated:
                self.notes.append(
                    f"{part.name}: no translation is left to base {row.items - drawn} of "
                    f"{row.items} x {row.label} on"
                )
            elif found is None:
                self._missing(part, row)
            if found is None:
                return
            bases.add(found.base or "")
            self._add(part, found)

    def _permutation(
        self,
        part: _Part,
        kinds: Sequence[str],
        bases: set[str],
        sentences: Sequence[PoolSentence],
    ) -> Item | None:
        """Return a permutation of another sentence than `bases`, or None where none is possible.

        Every sentence, of a sentence every type it allows, and of that every possible degree is equally likely.
        """
        for strict in (True, False):
            for place in lazily_shuffled(len(sentences), part.chance):
                sentence = sentences[place]
                name = self.pool.id(sentence)
                if name in bases or part.permuted[name] >= MOST_PER_BASE:
                    continue
                if strict and part.references.get(sentence.reference, name) != name:
                    continue
                for kind in part.chance.shuffled(kinds):
                    degree = self._degree(part, sentence, kind)
                    if degree is not None:
                        return self._permuted(sentence, kind, degree)
        return None

    def _degree(self, part: _Part, sentence: PoolSentence, kind: str) -> int | None:
        """Return one of the degrees of which the sentence has a permutation that was not drawn yet."""
        if not self.pool.allows(sentence, kind):
            return None
        name = self.pool.id(sentence)
        for degree in part.chance.shuffled(self.study.degrees):
            if permutation_id(name, kind, degree) in self._used:
                continue
            if self.pool.permutation(sentence, kind, degree).text is not None:
                return degree
        return None

    def _others(self, part: _Part, row: CompositionRow) -> None:
        together = row.kind is ItemKind.TOGETHER
        siblings = self._all_siblings() if together else self._siblings
        maker = ItemMaker(self.pool, siblings, self._used, part.chance)
        sentences = self._sentences(part, row)
        wanted = row.items
        for sentence in sentences:
            item = maker.item(row, sentence)
            if item is not None:
                self._add(part, item)
                self._used |= {self.pool.id(sentence), *(each.id for each in item.parts)}
                wanted -= 1
            if not wanted:
                return
        self._missing(part, row)

    def _all_siblings(self) -> dict[str, list[PoolSentence]]:
        """Return the translations of each reference, whether or not the pool drew them.

        A sentence that the pool drew from one corpus is seldom among those that it drew from all others.
        """
        if not self._translated:
            for corpus in self.pool.corpora:
                for place in corpus.usable():
                    reference = corpus.references[place]
                    self._translated.setdefault(reference, []).append(PoolSentence(corpus, place))
        return self._translated

    def _sentences(self, part: _Part, row: CompositionRow) -> Iterator[PoolSentence]:
        """Yield unused sentences that a row takes at random, first those whose reference was not shown yet."""
        for strict in (True, False):
            for place in lazily_shuffled(len(self.pool.sentences), part.chance):
                sentence = self.pool.sentences[place]
                name = self.pool.id(sentence)
                if name in self._used or part.permuted[name] or not row.takes(sentence.pair):
                    continue
                if strict and sentence.reference in part.references:
                    continue
                yield sentence

    def _permuted(self, sentence: PoolSentence, kind: str, degree: int) -> Item:
        made = self.pool.permutation(sentence, kind, degree)
        item = self.pool.translation(sentence)
        steps: list[Any] = list(made.steps)
        return replace(
            item,
            id=permutation_id(item.id, kind, degree),
            kind=str(ItemKind.PERMUTATION),
            hypothesis=made.text or "",
            type=kind,
            degree=degree,
            base=item.id,
            steps=tuple(tuple(step) for step in steps),
            rank_score=None,
        )

    def _show(self, part: _Part, sentence: PoolSentence) -> None:
        self._add(part, self.pool.translation(sentence))
        part.shown[self.pool.id(sentence)] = sentence

    def _add(self, part: _Part, item: Item) -> None:
        part.items.append(item)
        self._used.add(item.id)
        own = item.base or item.id
        first = part.references.setdefault(item.reference, own)
        if first != own:
            self.notes.append(f"{part.name}: {item.id} shows the reference of {first} again")
        if item.kind == ItemKind.PERMUTATION and item.base is not None:
            part.permuted[item.base] += 1

    def _missing(self, part: _Part, row: CompositionRow) -> None:
        self.notes.append(f"{part.name}: the pool has not enough for {row.items} x {row.label}")

    def _picked(self, part: _Part) -> list[CompositionRow]:
        """Take what was picked by hand and return the shared rows that are left to draw.

        Everything that does not fit is one `StudyFileError`.
        """
        rows = [row for row in self.study.composition if row.shared]
        where, problems = str(self.study.folder / STUDY_FILE), list[InputError]()
        for number, pick in enumerate(self.study.picks, start=1):
            try:
                self._pick(part, rows, pick)
            except InputError as problem:
                problems.append(InputError(str(problem), where=f"{where}: [[pick]] {number}"))
        if not problems:
            problems += [InputError(said, where=where) for said in self._torn(rows)]
        if problems:
            raise StudyFileError(problems)
        shown = {item.id for item in part.items if item.kind == ItemKind.TRANSLATION}
        for item in part.items:
            if item.base is not None and item.base not in shown:
                self.notes.append(f"{part.name}: {item.id} was picked, but not its translation")
        return [row for row in rows if row.items]

    def _pick(self, part: _Part, rows: list[CompositionRow], pick: Pick) -> None:
        """Add what was picked, and take its place from the rows."""
        sentence = self._picked_sentence(pick)
        kind = ItemKind.PERMUTATION if pick.type else ItemKind.TRANSLATION
        fitting = [
            place
            for place, row in enumerate(rows)
            if row.kind is kind
            and row.items
            and row.type in (pick.type, RANDOM)
            and row.takes(sentence.pair)
        ]
        if not fitting:
            wanted = f"{kind} {pick.type}".rstrip()
            raise InputError(
                f"line {pick.line} of {pick.corpus} was picked, but no shared row of the composition has "
                f"a place for {wanted}; add one, or pick less"
            )
        item = (
            self._permuted(sentence, pick.type, pick.degree)
            if pick.type
            else self.pool.translation(sentence)
        )
        if not item.hypothesis or item.id in self._used:
            raise InputError(f"{item.id} was picked twice, or is impossible; pick another one")
        if pick.type and part.permuted[self.pool.id(sentence)] == MOST_PER_BASE:
            raise InputError(
                f"{item.id} was picked, but a sentence has at most {MOST_PER_BASE} permutations in a "
                "questionnaire; pick another one"
            )
        rows[fitting[0]] = replace(rows[fitting[0]], items=rows[fitting[0]].items - 1)
        self._add(part, replace(item, tags=pick.tags))
        if not pick.type:
            part.shown[item.id] = sentence

    def _torn(self, rows: Sequence[CompositionRow]) -> Iterator[str]:
        """Yield the rows with one base of which some items were picked and others not."""
        original = [row for row in self.study.composition if row.shared]
        for before, after in zip(original, rows, strict=True):
            if before.same_base and 0 < after.items < before.items:
                yield (
                    f"{before.items - after.items} of {before.items} permutations of type "
                    f"{before.type} with one base were picked; pick all of them, or none"
                )

    def _picked_sentence(self, pick: Pick) -> PoolSentence:
        for corpus in {id(s.corpus): s.corpus for s in self.pool.sentences}.values():
            if corpus.files.name == pick.corpus and pick.line <= len(corpus.references):
                return PoolSentence(corpus, pick.line - 1)
        raise InputError(
            f"{pick.corpus} has no line {pick.line}, which was picked; pick another one"
        )


def permutation_id(base: str, kind: str, degree: int) -> str:
    """Return how a permutation of a sentence is called."""
    return f"{base} {kind} {degree}"


def lazily_shuffled(size: int, chance: Chance) -> Iterator[int]:
    """Yield the numbers below `size` in random order, without making a list of them.

    >>> sorted(lazily_shuffled(5, Chance(1)))
    [0, 1, 2, 3, 4]
    """
    moved: dict[int, int] = {}
    for place in range(size):
        other = place + chance.below(size - place)
        value = moved.get(other, other)
        moved[other] = moved.get(place, place)
        yield value
