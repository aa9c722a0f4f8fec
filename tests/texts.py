"""Small texts: evaluations of them, and strategies that draw them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from hypothesis import strategies as st

from kilter import _core
from kilter.core.corpus import TextColumn, Vocabulary, joined_columns
from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn, GivenDependencyTrees
from kilter.core.evaluation import Evaluation
from kilter.core.link_rule import OrderRule
from kilter.core.links import LinkBatch
from kilter.core.meaning import MeaningBatch, MeaningOptions, MeaningSource
from tests import strategies

Words = Sequence[str]


class WordVectors(MeaningSource):
    """Says what vectors by chance say, the same for equal words, without a model."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def meaning(
        self, hypothesis: TextColumn, reference: TextColumn, options: MeaningOptions
    ) -> MeaningBatch:
        """Return what is said about each segment."""
        first, second = hypothesis.tokens, reference.tokens
        both = joined_columns([first, second])
        words = [self._vocabulary.words[number].lower() for number in both.ids.tolist()]
        vectors = np.array([word_vector(word) for word in words], dtype=np.float32).reshape(-1, 6)
        places = np.arange(len(first), dtype=np.int64)
        found = _core.meanings(
            vectors,
            both.offsets,
            places,
            places + len(first),
            options.context,
            options.position,
            options.temperature,
            options.floor,
            1,
        )
        return MeaningBatch(first.offsets, second.offsets, *found)


def word_vector(word: str) -> list[float]:
    """Return a vector of length 1 that no other word is likely to have."""
    chance = Random(word)
    values = [chance.gauss(0.0, 1.0) for _ in range(6)]
    length = sum(value * value for value in values) ** 0.5
    return [value / length for value in values]


Link = tuple[int, int]
Links = Sequence[Iterable[Link]]


def evaluation(
    hypotheses: Sequence[Words],
    *references: Sequence[Words],
    links: Sequence[Links] = (),
    source: Sequence[Words] | None = None,
    source_links: Links | None = None,
    reference_links: Sequence[Links] = (),
    rule: str = "one-to-one",
    trees: Sequence[Sequence[DependencyTree]] = (),
    jobs: int = 1,
) -> Evaluation:
    """Return an evaluation; `references[k][s]` are the words of segment s of reference k.

    `trees` are those of the hypotheses and of each reference.
    """
    vocabulary = Vocabulary()

    def text(name: str, segments: Sequence[Words]) -> TextColumn:
        lines = tuple(" ".join(words) for words in segments)
        return TextColumn(name, lines, vocabulary.column(segments))

    texts = [text("hypothesis", hypotheses), *(text("reference", each) for each in references)]
    columns = dict(zip(texts, map(DependencyTreeColumn.of, trees), strict=False))
    return Evaluation(
        vocabulary,
        texts[0],
        tuple(texts[1:]),
        source=None if source is None else text("source", source),
        links=tuple(map(LinkBatch.of, links)),
        source_links=None if source_links is None else LinkBatch.of(source_links),
        reference_links=tuple(map(LinkBatch.of, reference_links)),
        rule=OrderRule.parse(rule),
        trees=GivenDependencyTrees(columns) if columns else None,
        meanings=WordVectors(vocabulary),
        jobs=jobs,
    )


def sentences(vocabulary: str = "abcD", max_size: int = 12) -> st.SearchStrategy[list[str]]:
    """Return sentences of one-letter words, many of them repeated; also the empty one."""
    return st.lists(st.sampled_from(vocabulary), max_size=max_size)


@st.composite
def corpora(
    draw: st.DrawFn, references: int = 2, max_segments: int = 4
) -> tuple[list[list[str]], list[list[list[str]]]]:
    """Draw hypotheses, and `references` lists of as many references."""
    size = draw(st.integers(1, max_segments))
    texts = [
        draw(st.lists(sentences(), min_size=size, max_size=size)) for _ in range(references + 1)
    ]
    return texts[0], texts[1:]


@st.composite
def one_to_one_links(draw: st.DrawFn, first: int, second: int) -> list[Link]:
    """Draw links between sentences of two lengths, each word in at most one."""
    size = draw(st.integers(0, min(first, second)))
    firsts = draw(st.permutations(range(first)))[:size]
    seconds = draw(st.permutations(range(second)))[:size]
    return sorted(zip(firsts, seconds, strict=True))


@st.composite
def links(draw: st.DrawFn, first: int, second: int) -> list[Link]:
    """Draw any links between sentences of two lengths."""
    if first == 0 or second == 0:
        return []
    link = st.tuples(st.integers(0, first - 1), st.integers(0, second - 1))
    return sorted(draw(st.sets(link, max_size=2 * first)))


@dataclass(frozen=True)
class Segment:
    """Everything that a metric may be given about one segment."""

    hypothesis: list[str]
    references: list[list[str]]
    links: list[list[Link]]
    source: list[str]
    source_links: list[Link]
    reference_links: list[list[Link]]
    heads: list[int]
    """Of the words of the hypothesis."""
    reference_heads: list[list[int]]

    def tree(self) -> DependencyTree:
        """Return the tree of the hypothesis, labelled by its words."""
        return DependencyTree(self.hypothesis, self.heads, labels=self.hypothesis)

    def reference_tree(self, place: int) -> DependencyTree:
        """Return the tree of a reference, labelled by its words."""
        words = self.references[place]
        return DependencyTree(words, self.reference_heads[place], labels=words)


def evaluation_of(
    segments: Sequence[Segment], *, references: int = 2, rule: str = "one-to-one", jobs: int = 1
) -> Evaluation:
    """Return the evaluation of these segments, with every input that a metric may need."""
    places = range(references)
    return evaluation(
        [segment.hypothesis for segment in segments],
        *([segment.references[place] for segment in segments] for place in places),
        links=[[segment.links[place] for segment in segments] for place in places],
        source=[segment.source for segment in segments],
        source_links=[segment.source_links for segment in segments],
        reference_links=[
            [segment.reference_links[place] for segment in segments] for place in places
        ],
        rule=rule,
        trees=[
            [segment.tree() for segment in segments],
            *([segment.reference_tree(place) for segment in segments] for place in places),
        ],
        jobs=jobs,
    )


@st.composite
def segments(draw: st.DrawFn, references: int = 2, *, one_to_one: bool = True) -> Segment:
    """Draw a segment with links of every kind, one-to-one between hypothesis and references or not."""
    hypothesis, source = draw(sentences()), draw(sentences("xyz"))
    others = [draw(sentences()) for _ in range(references)]
    direct = one_to_one_links if one_to_one else links
    return Segment(
        hypothesis=hypothesis,
        references=others,
        links=[draw(direct(len(hypothesis), len(other))) for other in others],
        source=source,
        source_links=draw(links(len(source), len(hypothesis))),
        reference_links=[draw(links(len(source), len(other))) for other in others],
        heads=draw(strategies.heads(len(hypothesis))),
        reference_heads=[draw(strategies.heads(len(other))) for other in others],
    )


def equal_segment(words: Sequence[str]) -> Segment:
    """Return a segment whose hypothesis, source and two references are the same words in order."""
    straight = [(place, place) for place in range(len(words))]
    heads = [(place - 1) // 2 for place in range(len(words))]  # a heap: word 0 is its root
    return Segment(
        hypothesis=list(words),
        references=[list(words)] * 2,
        links=[straight] * 2,
        source=list(words),
        source_links=straight,
        reference_links=[straight] * 2,
        heads=heads,
        reference_heads=[heads] * 2,
    )
