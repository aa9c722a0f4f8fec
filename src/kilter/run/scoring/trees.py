"""Trees of the texts of a corpus: given by the user, or made by a parser; and labels that do not fit one another."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from kilter.core.corpus import Vocabulary
from kilter.core.counted import counted
from kilter.core.dependency_tree import ATTACHED, NO_NAME, DependencyTree
from kilter.core.dependency_tree_column import (
    DependencyTreeColumn,
    DependencyTreeSource,
    GivenDependencyTrees,
)
from kilter.core.errors import InputError, OptionError, Setting
from kilter.core.settings import check_fields, shown
from kilter.io.conllu import Treebank
from kilter.io.text import entries
from kilter.io.tokenizer import DEFAULT_TOKENIZER, token_column
from kilter.run.cache.kept_parser import KeptParser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kilter.core.corpus import Corpus, TextColumn
    from kilter.parsers.parser import Parser


_TREES = "what kilter.parse returns, a DependencyTreeColumn, or a list with a tree, or a list of parses, per segment"
TREE_NEEDS = {"trees", "reference-trees"}
"""What metrics of trees need, in the words of `Metric.needs`."""


@dataclass(frozen=True, kw_only=True)
class Trees:
    """Trees of each system and of each reference, in order, and of the source.

    A text's trees are what `kilter.parse` returns, a `DependencyTreeColumn`, or a list with a tree, or a list of parses, per segment.
    """

    systems: Sequence[Any] = ()
    references: Sequence[Any] = ()
    source: Any = None

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("systems", "references"):
            columns = tuple(_column(given, name) for given in getattr(self, name))
            object.__setattr__(self, name, columns)
        if self.source is not None:
            object.__setattr__(self, "source", _column(self.source, "source"))

    @property
    def columns(self) -> tuple[DependencyTreeColumn, ...]:
        """The trees of all texts, systems first."""
        source = () if self.source is None else (self.source,)
        return (*self.systems, *self.references, *source)

    def __bool__(self) -> bool:
        return bool(self.systems or self.references or self.source is not None)

    def of_systems(self, places: Sequence[int]) -> Trees:
        """Return the trees of some of the systems."""
        return replace(self, systems=[self.systems[place] for place in places if self.systems])

    def offered(self) -> set[str]:
        """Return what metrics may use, in the words of `Metric.needs`."""
        found = {"trees"} if self.systems and self.references else set()
        return found | ({"reference-trees"} if self.references else set())


def _column(given: object, name: str) -> DependencyTreeColumn:
    if isinstance(given, Treebank):
        return given.trees
    if isinstance(given, DependencyTreeColumn):
        return given
    where = f"trees of {name}"
    listed = entries(given, where=where, wanted=_TREES)
    for place, segment in enumerate(listed):
        parses = [segment] if isinstance(segment, DependencyTree) else segment
        for tree in entries(parses, where=f"{where}: entry {place}", wanted=_TREES):
            if not isinstance(tree, DependencyTree):
                raise InputError(
                    f"is {shown(tree)}, not a kilter DependencyTree",
                    where=f"{where}: entry {place}",
                )
    return DependencyTreeColumn.of(listed)


class ParsedDependencyTrees(DependencyTreeSource):
    """Trees that a parser makes of the texts whose trees are not given."""

    def __init__(
        self,
        given: dict[TextColumn, DependencyTreeColumn],
        sides: Sequence[str],
        parser: KeptParser,
        vocabulary: Vocabulary,
        jobs: int,
    ) -> None:
        super().__init__()
        self._given = given
        self._sides = sides
        self._parser = parser
        self._vocabulary = vocabulary
        self._jobs = jobs

    def signature(self) -> str:
        """Return the parser with its options, after the texts whose trees were given."""
        given = [f"given({','.join(self._sides)})"] if self._sides else []
        return ",".join([*given, self._parser.parser.signature()])

    def _made(self, text: TextColumn) -> DependencyTreeColumn:
        if text in self._given:
            return self._given[text]
        made = self._parser.parse(text.tokens, self._vocabulary, jobs=self._jobs).trees
        made.check(text.tokens, self._vocabulary, text=text.name)
        return made


def tree_sources(
    corpus: Corpus,
    trees: Trees,
    parsers: Sequence[Parser],
    *,
    called: Callable[[str], str],
    before: int,
    jobs: int,
    cache: str | None = None,
) -> tuple[DependencyTreeSource | None, ...]:
    """Return where trees come from: one source for each parser, else what is given, else None.

    `called` says how messages call a system, so many segments stand `before` these, `cache` is a folder that keeps parses.
    """
    given = given_trees(corpus, trees, called=called, before=before)
    if parsers:
        sides = [noun for noun in ("systems", "references") if getattr(trees, noun)]
        return tuple(
            ParsedDependencyTrees(given, sides, KeptParser(each, cache), corpus.vocabulary, jobs)
            for each in parsers
        )
    return (GivenDependencyTrees(given) if given else None,)


def given_trees(
    corpus: Corpus, trees: Trees, *, called: Callable[[str], str], before: int = 0
) -> dict[TextColumn, DependencyTreeColumn]:
    """Return the trees by text after checking that they are those of these texts."""
    if trees.source is not None and corpus.source is None:
        raise OptionError("trees of the source need the source text")
    found: dict[TextColumn, DependencyTreeColumn] = {}
    for noun, columns, texts in (
        ("systems", trees.systems, corpus.systems),
        ("references", trees.references, corpus.references),
    ):
        if columns and len(columns) != len(texts):
            raise InputError(
                f"there are trees for {len(columns)} of {len(texts)} {noun}; give them for each",
                where="trees",
            )
        found.update(zip(texts, columns, strict=False))
    if trees.source is not None and corpus.source is not None:
        found[corpus.source] = trees.source
    for text, column in found.items():
        try:
            column.check(text.tokens, corpus.vocabulary, text=called(text.name), before=before)
        except InputError as error:
            fits = partial(_fits, column, text)
            raise explained(error, corpus.tokenizer, fits=fits) from None
    return found


def _fits(trees: DependencyTreeColumn, text: TextColumn) -> bool:
    vocabulary = Vocabulary()
    words = token_column(text.lines, DEFAULT_TOKENIZER, vocabulary)
    return not any(trees.problems(words, vocabulary, text=text.name))


def explained(error: InputError, tokenizer: str, *, fits: Callable[[], bool]) -> InputError:
    """Return an error about other words with the tokeniser of `kilter.parse`, if its words would fit."""
    if tokenizer == DEFAULT_TOKENIZER or not fits():
        return error
    fault = str(error).removeprefix(f"{error.where}: ")
    return InputError(
        f"{fault}; the tokeniser {DEFAULT_TOKENIZER} makes the words of these trees:",
        where=error.where,
        advice=Setting("tokenize", DEFAULT_TOKENIZER),
    )


class JoinedRoots(NamedTuple):
    """How many trees of a file had several roots, and where the first of them is."""

    trees: int
    first: str


def joined_roots(trees: Trees) -> dict[int, JoinedRoots]:
    """Return which of all texts, by place, have trees that were put right."""
    return {
        place: JoinedRoots(len(column.joined), column.where(column.joined[0]))
        for place, column in enumerate(trees.columns)
        if column.joined
    }


def tree_notes(joined: Mapping[int, JoinedRoots]) -> Iterator[str]:
    """Yield what users should know of trees that were put right."""
    for _, found in sorted(joined.items()):
        yield (
            f"{found.first}: has several roots; all but the first were attached to it with label "
            f"{ATTACHED} ({counted(found.trees, 'such tree')} in all)"
        )


def check_tree_options(trees: Trees, parsers: Sequence[str]) -> None:
    """Raise an `OptionError` for a parser that would have nothing to do."""
    if parsers and trees.systems and trees.references:
        raise OptionError(
            f"the parser {parsers[0]} would have nothing to do, because the trees are given; leave out the "
            "one or the others"
        )


_LEAST_WORDS = 10
"""Fewer words show few of the labels that a tag set has."""
_SHARE = 0.3
"""So many words with a label that the other side never has are no accident."""
_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCounts:
    """How often trees of a text have each label and each tag, in the order in which they occur first."""

    labels: Counter[str]
    tags: Counter[str]

    @classmethod
    def none(cls) -> LabelCounts:
        """Return the counts of no tree."""
        return cls(labels=Counter(), tags=Counter())

    @classmethod
    def of(cls, column: DependencyTreeColumn) -> LabelCounts:
        """Return what trees have."""
        names = column.vocabulary.words
        labels, tags = (
            Counter({names[number]: times for number, times in Counter(each.tolist()).items()})
            for each in (column.labels, column.tags)
        )
        return cls(labels=labels, tags=tags)

    def add(self, later: LabelCounts) -> None:
        """Count later trees of the same text, too."""
        self.labels.update(later.labels)
        self.tags.update(later.tags)


Named = tuple[str, LabelCounts]


def all_label_notes(
    counts: Mapping[tuple[int, int], LabelCounts],
    *,
    systems: Sequence[str],
    references: Sequence[str],
) -> list[str]:
    """Return the notes of several parsers; counts go by parser and by place among systems and references."""
    notes: dict[str, None] = {}
    names = [*systems, *references]
    for parser in sorted({parser for parser, _ in counts}):
        named = [
            (name, counts[parser, place])
            for place, name in enumerate(names)
            if (parser, place) in counts
        ]
        outputs = sum((parser, place) in counts for place in range(len(systems)))
        notes.update(dict.fromkeys(label_notes(named[outputs:], named[:outputs])))
    return list(notes)


def label_notes(references: Sequence[Named], systems: Sequence[Named]) -> Iterator[str]:
    """Yield how the labels and tags of named texts differ, each system with the first reference.

    Trees without any label or tag, and trees of which many words have one that the other side never has,
    are scored as they are: what is compared differs by its names, whatever the trees are.
    """
    for kind in ("labels", "tags"):
        for name, counts in (*references, *systems):
            own = _of_kind(counts, kind)
            if own.total() >= _LEAST_WORDS and own.keys() == {NO_NAME}:
                yield f"{name}: all {kind} of its trees are {NO_NAME}, so that they tell nothing apart"
        if not references:
            continue
        first_name, first = references[0]
        expected = _of_kind(first, kind)
        for name, counts in systems:
            yield from _unfit(name, _of_kind(counts, kind), first_name, expected, kind)


def _unfit(
    name: str, counts: Counter[str], other: str, expected: Counter[str], kind: str
) -> Iterator[str]:
    if {NO_NAME} in (counts.keys(), expected.keys()):
        return
    shares = [
        sum(times for label, times in one.items() if label not in two) / max(1, one.total())
        for one, two in ((counts, expected), (expected, counts))
    ]
    if min(counts.total(), expected.total()) < _LEAST_WORDS or max(shares) < _SHARE:
        return
    alone = [_listed(counts, expected), _listed(expected, counts)]
    yield (
        f"{name}: the {kind} of its trees are not those of {other}: {name} alone has {alone[0]}; {other} "
        f"alone has {alone[1]}; take trees of one tag set on both sides"
    )


def _listed(counts: Counter[str], other: Counter[str]) -> str:
    """Return the labels that one side alone has, the most frequent first."""
    alone = [label for label, _ in counts.most_common() if label not in other]
    more = f" and {len(alone) - _SHOWN} more" if len(alone) > _SHOWN else ""
    return ", ".join(alone[:_SHOWN]) + more if alone else "none"


def _of_kind(counts: LabelCounts, kind: str) -> Counter[str]:
    return counts.labels if kind == "labels" else counts.tags
