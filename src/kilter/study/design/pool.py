"""The pool that questionnaires are drawn from: sentences of every corpus, and their permutations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.dependency_tree import NO_NAME
from kilter.core.errors import InputError
from kilter.io.conllu import read_conllu
from kilter.io.stream import ByteSource
from kilter.io.text_file import read_text_file
from kilter.preordering.perturbations.case import CaseCounts, Sentence, tagged_words
from kilter.preordering.perturbations.perturbation import PerturbationType, perturb
from kilter.preordering.perturbations.word import Chance
from kilter.preordering.perturbations.word_dependency_tree import TagColumn, word_trees
from kilter.study.design.item import Item
from kilter.study.design.study import ItemKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kilter.core.dependency_tree import DependencyTree
    from kilter.preordering.perturbations.perturbation import Perturbation
    from kilter.study.design.study import CorpusFiles, Study


@dataclass(frozen=True, slots=True)
class PoolCorpus:
    """One system's translations, read."""

    files: CorpusFiles
    hypotheses: tuple[str, ...]
    references: tuple[str, ...]
    sources: tuple[str, ...] | None
    reference_trees: tuple[DependencyTree, ...] | None
    hypothesis_trees: tuple[DependencyTree, ...] | None
    rank_scores: Mapping[int, float] = field(default_factory=dict)
    """WMT rank scores by line, from 0, of translations that were ranked."""

    def usable(self) -> list[int]:
        """Return the lines, from 0, that have a translation and a reference."""
        pairs = zip(self.hypotheses, self.references, strict=True)
        return [place for place, (one, other) in enumerate(pairs) if one.strip() and other.strip()]


@dataclass(frozen=True, slots=True)
class PoolSentence:
    """A line of a corpus (from 0) that may be shown."""

    corpus: PoolCorpus
    place: int

    @property
    def reference(self) -> str:
        """The reference, by which repetitions are noticed."""
        return self.corpus.references[self.place]

    @property
    def pair(self) -> str:
        """The language pair of the corpus."""
        return self.corpus.files.pair


def read_corpus(files: CorpusFiles, *, tags: TagColumn = TagColumn.UPOS) -> PoolCorpus:
    """Return the texts and trees of a corpus, which must have the same number of lines.

    `tags` says which tags of the trees tell that two words are of one kind.
    """
    references = read_text_file(files.reference)
    hypotheses = read_text_file(files.hypothesis)
    sources = None if files.source is None else read_text_file(files.source)
    for path, lines in ((files.hypothesis, hypotheses), (files.source, sources)):
        if lines is not None and len(lines) != len(references):
            raise InputError(
                f"has {counted(len(lines), 'line')}, but {files.reference} has {len(references)}; they must "
                "belong together line by line",
                where=str(path),
            )
    return PoolCorpus(
        files,
        hypotheses,
        references,
        sources,
        _trees(files.trees_reference, references, files.reference, tags),
        _trees(files.trees_hypothesis, hypotheses, files.hypothesis, tags),
    )


def _trees(
    path: Path | None, texts: tuple[str, ...], text_path: Path, tags: TagColumn
) -> tuple[DependencyTree, ...] | None:
    if path is None:
        return None
    treebank = read_conllu(ByteSource(str(path)))
    trees = word_trees(treebank, texts, text_name=str(text_path), tags=tags)
    if tags is TagColumn.XPOS and {tag for tree in trees for tag in tree.tags} == {NO_NAME}:
        raise InputError(
            'has no tags in its fifth column, which tags = "xpos" asks for; tag it, or write tags = '
            '"upos"',
            where=str(path),
        )
    return trees


@dataclass(slots=True)
class Pool:
    """Sentences at random, equally many from every corpus, and their permutations on demand.

    A permutation depends on the study's seed and its own id only; drawing it when it is wanted gives the
    same sentence as making all of them beforehand.
    """

    study: Study
    sentences: list[PoolSentence]
    case: CaseCounts
    corpora: list[PoolCorpus]
    notes: list[str] = field(default_factory=list)
    _made: dict[tuple[str, str, int], Perturbation] = field(default_factory=dict)

    @classmethod
    def of(cls, study: Study, corpora: list[PoolCorpus]) -> Pool:
        """Return the pool of a study."""
        sentences, notes = list[PoolSentence](), list[str]()
        for corpus in corpora:
            usable = corpus.usable()
            name = corpus.files.name
            if len(usable) < study.pool:
                notes.append(
                    f"{name} has {len(usable)} usable sentences, not the {study.pool} of the pool"
                )
            chosen = Chance(study.seed, "pool", name).sample(usable, study.pool)
            sentences.extend(PoolSentence(corpus, place) for place in sorted(chosen))
        if any(row.kind == ItemKind.PERMUTATION for row in study.composition):
            notes += _small_beginnings(sentences)
        references = {line for corpus in corpora for line in corpus.references}
        return cls(study, sentences, CaseCounts.of(sorted(references)), corpora, notes)

    def id(self, sentence: PoolSentence) -> str:
        """Return how a translation is called."""
        return f"{self.study.name}_{sentence.corpus.files.name} #{sentence.place + 1}"

    def translation(self, sentence: PoolSentence) -> Item:
        """Return the item that shows a translation."""
        corpus, place = sentence.corpus, sentence.place
        return Item(
            id=self.id(sentence),
            kind="translation",
            system=corpus.files.system,
            pair=corpus.files.pair,
            year=corpus.files.year,
            line=place + 1,
            hypothesis=corpus.hypotheses[place],
            reference=corpus.references[place],
            source=None if corpus.sources is None else corpus.sources[place],
            rank_score=corpus.rank_scores.get(place),
        )

    def permutation(self, sentence: PoolSentence, kind: str, degree: int) -> Perturbation:
        """Return the permutation of a sentence's reference, or why it is impossible."""
        name = self.id(sentence)
        key = (name, kind, degree)
        if key not in self._made:
            self._made[key] = perturb(
                _known(sentence),
                PerturbationType(kind),
                degree=degree,
                case=self.case,
                seed=(self.study.seed, name),
            )
        return self._made[key]

    def allows(self, sentence: PoolSentence, kind: str) -> bool:
        """Return whether the corpus has what permutations of a type need."""
        corpus = sentence.corpus
        if kind == PerturbationType.ORDER:
            return True
        if (
            kind in (PerturbationType.CHOICE, PerturbationType.BOTH)
            and corpus.hypothesis_trees is None
        ):
            return False
        return corpus.reference_trees is not None


def _known(sentence: PoolSentence) -> Sentence:
    corpus, place = sentence.corpus, sentence.place
    trees = corpus.reference_trees
    others = corpus.hypothesis_trees
    return Sentence(
        corpus.references[place],
        None if trees is None else trees[place],
        None if others is None else tagged_words(corpus.hypotheses[place], others[place]),
    )


def _small_beginnings(sentences: Sequence[PoolSentence]) -> list[str]:
    """Say how many translations begin with a small letter, as no permutation does: they can be told apart."""
    small = sum(sentence.corpus.hypotheses[sentence.place][:1].islower() for sentence in sentences)
    if not small:
        return []
    return [
        (
            f"{small} of {counted(len(sentences), 'translation')} in the pool begin with a small letter, but every "
            "permutation with a capital, by which people can tell them apart; give texts whose sentences begin "
            "with capitals"
        )
    ]
