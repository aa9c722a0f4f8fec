"""Perturbed sentences of whole texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from kilter.core.corpus import Vocabulary
from kilter.core.counted import counted
from kilter.core.dependency_tree import NO_NAME, DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError, OptionError, Setting
from kilter.core.settings import check_fields, checked, chosen, like, setting, taken, takes
from kilter.io.conllu import Treebank
from kilter.io.text import text_lines
from kilter.parsers.parser import Parser
from kilter.parsers.registry import PARSERS
from kilter.parsers.registry import parser as make_parser
from kilter.preordering.perturbations.case import CaseCounts, Sentence, tagged_words
from kilter.preordering.perturbations.perturbation import (
    ATTEMPTS,
    DEGREES,
    Perturbation,
    PerturbationType,
)
from kilter.preordering.perturbations.perturbation import perturb as perturb_sentence
from kilter.preordering.perturbations.word import split_sentence
from kilter.preordering.perturbations.word_dependency_tree import TagColumn, word_trees
from kilter.run.cache.kept_parser import KeptParser
from kilter.run.parse import treebank_of
from kilter.run.scoring.metric_choice import DEFAULT_PARSER
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kilter.parsers.parser import Parses
    from kilter.results.document import Document


GivenTrees: TypeAlias = Treebank | DependencyTreeColumn | Sequence[DependencyTree]
"""Trees of a text as users have them."""
_Trees: TypeAlias = Sequence[DependencyTree]
"""A tree over the words between blanks for each sentence."""
FRUITLESS = 100
"""Variants in a row without anything new after which a sentence is taken to have no more of them."""


@dataclass(frozen=True, slots=True)
class PerturbedRow:
    """One perturbation of one segment; segments and variants count from 1."""

    segment: int
    variant: int
    reference: str
    result: Perturbation

    def to_dict(self) -> Document:
        """Return the row as commands write it; places and steps count from 0, the permutation from 1."""
        result = self.result
        moved = result.text is not None and result.type is not PerturbationType.CHOICE
        return {
            "segment": self.segment,
            "type": str(result.type),
            "degree": result.degree,
            "variant": self.variant,
            "text": result.text,
            "steps": None if result.text is None else [list(step) for step in _listed(result)],
            "permutation": [place + 1 for place in result.permutation] if moved else None,
            "reason": result.reason,
        }


def _listed(result: Perturbation) -> list[tuple[object, ...]]:
    return [tuple(step) for step in result.steps]  # type: ignore[arg-type]


@dataclass(frozen=True, kw_only=True)
class DrawSettings:
    """What is drawn for each sentence and type, and the seed of chance."""

    degrees: Sequence[int] = DEGREES
    variants: int = setting(default=1, description="Variants per sentence, type and degree.")
    attempts: int = setting(
        default=ATTEMPTS, description="Attempts before a change counts as impossible."
    )
    seed: int = like(Resampling, "seed")

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.degrees:
            raise OptionError("degrees is an empty list; name at least one, such as 1")


@dataclass(frozen=True, kw_only=True)
class PerturbSettings:
    """What is drawn, and what makes the trees where none are given."""

    drawing: DrawSettings = field(default_factory=DrawSettings)
    parser: str | Parser | None = like(
        Settings, "parser", description="Parser to use when no trees are given."
    )
    tags: TagColumn = setting(
        default=TagColumn.UPOS, description="Tags that make two words of one kind."
    )
    cache: str | None = like(
        Settings,
        "cache",
        description="Folder where parses are kept for later runs.",
    )
    jobs: int = like(
        Settings,
        "jobs",
        description="Number of threads of the parser.",
    )

    def __post_init__(self) -> None:
        check_fields(self)


@checked
@takes(PerturbSettings)
def perturb(
    references: object,
    types: PerturbationType | str | Sequence[PerturbationType | str] = PerturbationType.ORDER,
    *,
    degrees: int | Sequence[int] = DEGREES,
    trees: GivenTrees | None = None,
    hypotheses: object = None,
    hypothesis_trees: GivenTrees | None = None,
    case_texts: object = None,
    settings: PerturbSettings | None = None,
    **keywords: object,
) -> tuple[PerturbedRow, ...]:
    """Return sentences with their words moved, exchanged or replaced, impossible ones with their reason.

    Rows come by segment, type, degree and variant. All types but `order` need trees: those that are given
    (what `parse` returns, a `DependencyTreeColumn`, or a list with a tree over the words between blanks for
    each sentence), or those that a parser makes; `cache` is a folder that keeps its parses for other runs.

    >>> [row.result.text for row in perturb(["I saw a small cat ."], degrees=[1, 2])]
    ['I saw a cat small .', 'I small a saw cat .']
    """
    options = taken(PerturbSettings, settings, keywords)
    listed = (types,) if isinstance(types, str) else types
    kinds = [chosen(PerturbationType, each, "types") for each in listed]
    if not kinds:
        raise OptionError("types is an empty list; name at least one, such as order")
    parser, tagged = options.parser, options.tags
    lines = text_lines(references, where="references")
    others = None if hypotheses is None else text_lines(hypotheses, where="hypotheses")
    if hypothesis_trees is not None and others is None:
        raise OptionError("hypothesis_trees are those of hypotheses; give these, too")
    needed = (trees is None, others is not None and hypothesis_trees is None)
    if parser is None and needed[1]:
        raise OptionError("hypotheses need trees; give hypothesis_trees, or a parser")
    if parser is not None and not any(needed):
        raise OptionError(
            f"the parser {PARSERS.specified(parser)} would have nothing to do, because the trees are given; leave out the "
            "trees, or the parser"
        )

    def found(text: Sequence[str], given: GivenTrees | None, name: str) -> _Trees | None:
        if given is not None:
            return _over_words(given, text, text_name=name, tags=tagged)
        if parser is None:
            return None
        return parsed_trees(
            text, parser, text_name=name, tags=tagged, cache=options.cache, jobs=options.jobs
        )

    mine = found(lines, trees, "references")
    others_trees = None if others is None else found(others, hypothesis_trees, "hypotheses")
    given = None if others is None or others_trees is None else (others, others_trees)
    asked = (degrees,) if isinstance(degrees, int) else tuple(degrees)
    drawing = replace(options.drawing, degrees=asked)
    rows = perturb_texts(
        lines, kinds, trees=mine, hypotheses=given, case_texts=case_texts, drawing=drawing
    )
    return tuple(rows)


@checked
def perturb_texts(
    references: object,
    types: Sequence[PerturbationType],
    *,
    trees: Sequence[DependencyTree] | None = None,
    hypotheses: tuple[object, Sequence[DependencyTree]] | None = None,
    case_texts: object = None,
    drawing: DrawSettings | None = None,
) -> Iterator[PerturbedRow]:
    """Yield perturbations by segment, type, degree and variant, impossible ones with their reason.

    Variants of one kind differ from one another; where a sentence has fewer, the others are impossible.
    After `FRUITLESS` variants in a row without a new one, no more are drawn, and the rest count as
    impossible. `case_texts` say how words are written in the middle of a sentence; without them the
    references do.
    """
    lines = text_lines(references, where="references")
    check_inputs(types, trees=trees is not None, hypotheses=hypotheses is not None)
    _check_one_each("tree", trees, lines)
    others = None
    if hypotheses is not None:
        others = text_lines(hypotheses[0], where="hypotheses"), hypotheses[1]
        if len(others[0]) != len(lines):
            raise InputError(
                f"for {counted(len(lines), 'reference')} there are {len(others[0])} hypotheses; each "
                "reference needs one"
            )
        _check_one_each("tree of a hypothesis", others[1], lines)
    cased = lines if case_texts is None else text_lines(case_texts, where="case_texts")
    drawn = DrawSettings() if drawing is None else drawing
    return _perturbed(lines, types, trees, others, CaseCounts.of(cased), drawn)


def _check_one_each(
    noun: str, trees: Sequence[DependencyTree] | None, lines: Sequence[str]
) -> None:
    if trees is not None and len(trees) != len(lines):
        raise InputError(
            f"there are {len(trees)} trees for {counted(len(lines), 'reference')}; each needs one {noun}"
        )


def _perturbed(
    references: Sequence[str],
    types: Sequence[PerturbationType],
    trees: Sequence[DependencyTree] | None,
    hypotheses: tuple[Sequence[str], Sequence[DependencyTree]] | None,
    case: CaseCounts,
    drawn: DrawSettings,
) -> Iterator[PerturbedRow]:
    for place, reference in enumerate(references):
        sentence = Sentence(
            reference,
            None if trees is None else trees[place],
            None
            if hypotheses is None
            else tagged_words(hypotheses[0][place], hypotheses[1][place]),
        )
        for kind in types:
            for degree in drawn.degrees:
                results = _variants(sentence, kind, degree, place + 1, case, drawn)
                for variant, result in enumerate(results, start=1):
                    yield PerturbedRow(place + 1, variant, reference, result)


def _variants(
    sentence: Sentence,
    kind: PerturbationType,
    degree: int,
    segment: int,
    case: CaseCounts,
    drawn: DrawSettings,
) -> Iterator[Perturbation]:
    """Yield as many results of one kind as were asked for; once they are used up, nothing is drawn."""
    seen = set[str]()
    fruitless = 0
    for variant in range(1, drawn.variants + 1):
        if fruitless < FRUITLESS:
            attempts = (
                perturb_sentence(
                    sentence,
                    kind,
                    degree=degree,
                    case=case,
                    seed=(drawn.seed, segment, variant, attempt),
                    attempts=drawn.attempts,
                )
                for attempt in range(drawn.attempts)
            )
            result = _unlike(attempts, seen)
            fruitless = 0 if result.text is not None else fruitless + 1
        yield result


def _unlike(attempts: Iterable[Perturbation], seen: set[str]) -> Perturbation:
    """Return the first result that is no earlier variant, or the reason why there is none."""
    for result in attempts:
        if result.text is None:
            return result
        if result.text not in seen:
            seen.add(result.text)
            return result
    return Perturbation(
        result.type, result.degree, None, reason="every draw gave an earlier variant again"
    )


@checked
def parsed_trees(
    texts: object,
    parser: str | Parser,
    *,
    text_name: str,
    tags: TagColumn = TagColumn.UPOS,
    cache: str | None = None,
    jobs: int = 1,
) -> tuple[DependencyTree, ...]:
    """Return the trees that a parser makes of texts, over the words that blanks separate.

    The parser sees punctuation around a word as tokens of their own.
    """
    lines = text_lines(texts, where=text_name)
    chosen = make_parser(PARSERS.specified(parser))
    vocabulary = Vocabulary()
    words = vocabulary.column([_tokens(line) for line in lines])
    parses = KeptParser(chosen, cache).parse(words, vocabulary, jobs=jobs)
    if tags is TagColumn.XPOS and len(words.ids) and {*_names(parses)} == {NO_NAME}:
        raise OptionError(
            f"the parser {chosen.name} gives universal tags only; take",
            advice=Setting("tags", str(TagColumn.UPOS)),
        )
    return word_trees(treebank_of(parses), lines, text_name=text_name, tags=tags)


def _over_words(
    given: GivenTrees, texts: Sequence[str], *, text_name: str, tags: TagColumn
) -> _Trees:
    """Return given trees over the words that blanks separate; those of a list are that already."""
    if isinstance(given, DependencyTreeColumn):
        if tags is TagColumn.XPOS:
            raise OptionError(
                "a DependencyTreeColumn holds universal tags only; give a Treebank, or take",
                advice=Setting("tags", str(TagColumn.UPOS)),
            )
        given = Treebank.of(given)
    if isinstance(given, Treebank):
        return word_trees(given, texts, text_name=text_name, tags=tags)
    return given


def _tokens(text: str) -> list[str]:
    tokens = []
    for word in split_sentence(text):
        closing = ("".join(run) for _, run in groupby(word.closing))
        tokens += [*word.opening, word.core, *closing]
    return tokens


def _names(found: Parses) -> Iterator[str]:
    return (found.trees.vocabulary.words[tag] for tag in {*found.language_tags.tolist()})


def check_inputs(types: Sequence[PerturbationType], *, trees: bool, hypotheses: bool) -> None:
    """Raise an `OptionError` if the types need what is not given."""
    advice = Setting("parser", DEFAULT_PARSER)
    for kind in types:
        if kind is not PerturbationType.ORDER and not trees:
            raise OptionError(
                f"{kind} needs tags or trees of the reference; give its trees in CoNLL-U, or let a parser "
                "make them:",
                advice=advice,
            )
        if kind in (PerturbationType.CHOICE, PerturbationType.BOTH) and not hypotheses:
            raise OptionError(
                f"{kind} takes words from hypotheses; give these, too, with their trees, or with",
                advice=advice,
            )
