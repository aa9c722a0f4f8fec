"""Links that the user gives, from files or from memory, checked against the texts."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from kilter.core.corpus import joined_columns
from kilter.core.counted import counted
from kilter.core.errors import InputError, KilterError, KilterWarning, OptionError, Remedy, Setting
from kilter.core.link_rule import LinkRule, joined_links
from kilter.core.links import (
    HYPOTHESIS_REFERENCE,
    SOURCE_HYPOTHESIS,
    SOURCE_REFERENCE,
    LinkBatch,
    LinkOrigin,
)
from kilter.core.settings import check_fields, checked_value
from kilter.io.link_format import LinkFormat
from kilter.io.links import line_links, read_links
from kilter.io.stream import ByteSource, display_name
from kilter.metrics.metric import LinkUse
from kilter.run.cache.kept_aligner import KeptAligner

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.aligners.aligner import Aligner
    from kilter.core.corpus import Corpus, TextColumn, TokenColumn
    from kilter.core.errors import SeveralLinksError
    from kilter.metrics.metric import Metric

    Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LinkPath:
    """A file of links; without `form` its format is detected where that leaves no doubt."""

    path: str
    form: LinkFormat | str | None = None

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkLines(LinkPath):
    """Some lines of a file of links, a segment each, the first of which has this number."""

    lines: tuple[str, ...]
    first: int


ANOTHER_RULE = "choose what several links mean, such as the mean of their places with"
"""What helps where words have several links; the setting follows."""
MEAN_RULE = Remedy(f"rule={LinkRule.MEAN.value!r}", f"--order-rule {LinkRule.MEAN}")

GivenLinks: TypeAlias = LinkBatch | LinkPath


@contextmanager
def _naming_makers() -> Iterator[None]:
    """Say what makes links where something else is given in their place."""
    try:
        yield
    except OptionError as error:
        raise OptionError(
            f"{error}; kilter.LinkBatch.of makes links of pairs, kilter.LinkPath of a file"
        ) from None


@dataclass(frozen=True, kw_only=True)
class Links:
    """Links that the user gives instead of an aligner, for each system in order."""

    hypothesis_reference: tuple[tuple[GivenLinks, ...], ...] = ()
    """For each system, one batch or file per reference."""
    source_hypothesis: tuple[GivenLinks, ...] = ()
    source_reference: tuple[GivenLinks, ...] = ()
    through_source: bool = False
    """Join source links into hypothesis-reference links instead of running an aligner."""

    def __post_init__(self) -> None:
        checked_value("through_source", self.through_source, bool)
        with _naming_makers():
            check_fields(self)

    @classmethod
    def of(cls, given: Any) -> Links:
        """Return links as they are given; those of one system and one reference need not be called so."""
        with _naming_makers():
            found = checked_value("links", given, cls | GivenLinks | None)
        if found is None or isinstance(found, cls):
            return found or cls()
        return cls(hypothesis_reference=((found,),))

    def of_systems(self, places: Sequence[int]) -> Links:
        """Return the links of some of the systems."""
        direct, by_source = self.hypothesis_reference, self.source_hypothesis
        return replace(
            self,
            hypothesis_reference=tuple(direct[place] for place in places if direct),
            source_hypothesis=tuple(by_source[place] for place in places if by_source),
        )

    def any(self) -> bool:
        """Return whether there are any links."""
        return bool(self.hypothesis_reference or self.source_hypothesis or self.source_reference)


@dataclass(frozen=True, kw_only=True, eq=False)
class CorpusLinks:
    """Given links that are those of a corpus; source links are joined if that was asked for."""

    hypothesis_reference: tuple[tuple[LinkBatch, ...], ...] = ()
    source_hypothesis: tuple[LinkBatch, ...] = ()
    source_reference: tuple[LinkBatch, ...] = ()


@dataclass(frozen=True, slots=True)
class _Kind:
    """What links join, as messages say it."""

    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.first}-{self.second} links"

    def batches(
        self,
        given: Sequence[GivenLinks],
        firsts: Sequence[TextColumn],
        seconds: Sequence[TextColumn],
    ) -> tuple[LinkBatch, ...]:
        """Return the links of pairs of texts, checked."""
        pairs = zip(given, firsts, seconds, strict=True)
        return tuple(self._batch(*pair) for pair in pairs)

    def _batch(self, given: GivenLinks, first: TextColumn, second: TextColumn) -> LinkBatch:
        lengths = first.tokens.lengths, second.tokens.lengths
        sides = self.first, self.second
        if isinstance(given, LinkLines):
            return line_links(
                given.lines,
                lengths,
                name=display_name(given.path),
                first=given.first,
                form=LinkFormat(given.form or LinkFormat.PHARAOH),
                sides=sides,
            ).sure
        if isinstance(given, LinkPath):
            source = ByteSource(given.path)
            return read_links(source, form=given.form, lengths=lengths, sides=sides).sure
        name = f"{self} of {first.name} and {second.name}"
        if len(given) != len(first):
            raise InputError(
                f"cover {counted(len(given), 'segment')}, but the texts have {len(first)}",
                where=name,
            )
        origin = given.origin if given.origin.name else LinkOrigin(name)
        batch = replace(given, origin=replace(origin, sides=sides))
        batch.check(*lengths)
        return batch

    def check_number(self, count: int, noun: str, expected: int) -> None:
        """Raise an `InputError` unless there is one batch for each."""
        if count != expected:
            batches = counted(count, "batch", plural="batches")
            raise InputError(
                f"{batches} for {counted(expected, noun)}; give one for each", where=str(self)
            )


_DIRECT = _Kind(*HYPOTHESIS_REFERENCE)
_TO_HYPOTHESIS = _Kind(*SOURCE_HYPOTHESIS)
_TO_REFERENCE = _Kind(*SOURCE_REFERENCE)


def several_links(error: SeveralLinksError, metric: Metric, made_by: Aligner | None) -> KilterError:
    """Return the error of a metric that cannot take these links, with what would help.

    Links of an aligner are no fault of the data: another option helps, so that it is an `OptionError`.
    """
    single = made_by.one_to_one() if made_by is not None else None
    advice: Setting | Remedy | None = None
    if metric.link_use is LinkUse.ORDER:
        why = f"{metric.name} takes one link a word under the rule one-to-one; "
        if single is not None:
            why += f"the aligner {single.specification()} gives no more, or "
        why, advice = why + ANOTHER_RULE, MEAN_RULE
    else:
        why = f"{metric.name} takes one link a word under every rule; leave it out"
        if single is not None:
            why += ", or take an aligner that gives no more:"
            advice = Setting("aligner", single.specification())
    if made_by is None:
        return InputError(f"{error.fault}; {why}", where=str(error.where), advice=advice)
    return OptionError(f"{error.where}: {error.fault}; {why}", advice=advice)


def check_link_options(given: Links, aligners: Sequence[str]) -> None:
    """Raise an `OptionError` for links that contradict one another or lack a counterpart."""
    if given.hypothesis_reference and given.through_source:
        raise OptionError(
            "hypothesis-reference links are given, so that none are made through the source; leave out "
            "the ones or the other"
        )
    if aligners and (given.hypothesis_reference or given.through_source):
        raise OptionError(
            f"the aligner {aligners[0]} would have nothing to do, because the links are given; leave out "
            "the one or the others"
        )
    if given.through_source and not (given.source_hypothesis and given.source_reference):
        raise OptionError(
            "links through the source need source-hypothesis and source-reference links"
        )


def corpus_links(given: Links, corpus: Corpus) -> CorpusLinks:
    """Return the given links; whatever does not fit the texts is an `InputError`."""
    systems, references = corpus.systems, corpus.references
    direct: tuple[tuple[LinkBatch, ...], ...] = ()
    if given.hypothesis_reference:
        _DIRECT.check_number(len(given.hypothesis_reference), "system", len(systems))
        for batches in given.hypothesis_reference:
            _DIRECT.check_number(len(batches), "reference", len(references))
        direct = tuple(
            _DIRECT.batches(batches, [system] * len(references), references)
            for system, batches in zip(systems, given.hypothesis_reference, strict=True)
        )
    to_hypotheses, to_references = (
        _source_links(kind, batches, noun, texts, corpus)
        for kind, batches, noun, texts in (
            (_TO_HYPOTHESIS, given.source_hypothesis, "system", systems),
            (_TO_REFERENCE, given.source_reference, "reference", references),
        )
    )
    if given.through_source:
        direct = tuple(
            tuple(joined_links(batch, other) for other in to_references) for batch in to_hypotheses
        )
    return CorpusLinks(
        hypothesis_reference=direct,
        source_hypothesis=to_hypotheses,
        source_reference=to_references,
    )


def _source_links(
    kind: _Kind,
    given: Sequence[GivenLinks],
    noun: str,
    texts: Sequence[TextColumn],
    corpus: Corpus,
) -> tuple[LinkBatch, ...]:
    if not given:
        return ()
    if corpus.source is None:
        raise OptionError(f"{kind} need the source text")
    kind.check_number(len(given), noun, len(texts))
    return kind.batches(given, [corpus.source] * len(texts), texts)


_LEAST = 3
"""Of fewer segments it may be chance that their last words, mostly punctuation, have no link."""


class LinkReach(NamedTuple):
    """How far links reach in segments that a tokeniser splits into more words than stand between blanks."""

    where: str
    split: int
    """How many such segments have links, ..."""
    past: int
    """... and in how many of them one points past the words between blanks."""

    @classmethod
    def of(cls, links: LinkBatch, words: Sequence[Counts], blanks: Sequence[Counts]) -> LinkReach:
        """Return the reach of links, given how many words of either kind each segment of both texts has."""
        split = np.zeros(len(links), dtype=bool)
        past = np.zeros(len(links), dtype=bool)
        owner = links.segments()
        for side, (more, fewer) in enumerate(zip(words, blanks, strict=True)):
            split |= more > fewer
            past[owner[links.links[:, side] >= fewer[owner]]] = True
        split &= links.counts > 0
        counts = int(np.count_nonzero(split)), int(np.count_nonzero(past & split))
        return cls(links.origin.name, *counts)

    def __add__(self, other: object) -> LinkReach:
        """Return the reach of the links of both."""
        if not isinstance(other, LinkReach):
            return NotImplemented
        return LinkReach(self.where, self.split + other.split, self.past + other.past)

    def check(self, tokenizer: str) -> None:
        """Raise an `InputError` if links seem to count the words between blanks; of few segments, warn."""
        if not self.split or self.past:
            return
        fault = InputError(
            f"the tokeniser {tokenizer} finds more words than stand between blanks in "
            f"{counted(self.split, 'segment')}, and no link points past the latter, so that links may count "
            f"words between blanks; name their tokeniser, {tokenizer} or",
            where=self.where,
            advice=Setting("tokenize", "none"),
        )
        if self.split >= _LEAST:
            raise fault
        warnings.warn(fault.for_command(), KilterWarning, stacklevel=2)


def blank_counts(lines: Sequence[str]) -> Counts:
    """Return how many words of each line stand between blanks."""
    return np.fromiter((len(line.split()) for line in lines), dtype=np.int64, count=len(lines))


def link_reaches(links: CorpusLinks, corpus: Corpus, *, joined: bool) -> list[LinkReach]:
    """Return how far given links reach, unless they are joined of others, of a corpus that is split by a tokeniser."""
    if corpus.tokenizer == "none":
        return []
    blanks: dict[TextColumn, Counts] = {}
    reaches = []
    for batch, texts in _linked(links, corpus, joined=joined):
        for text in texts:
            if text not in blanks:
                blanks[text] = blank_counts(text.lines)
        words = [text.tokens.lengths for text in texts]
        reaches.append(LinkReach.of(batch, words, [blanks[text] for text in texts]))
    return reaches


def _linked(
    links: CorpusLinks, corpus: Corpus, *, joined: bool
) -> Iterator[tuple[LinkBatch, list[TextColumn]]]:
    """Yield links that were given with the texts that they join."""
    if not joined:
        for system, batches in zip(corpus.systems, links.hypothesis_reference, strict=False):
            for reference, batch in zip(corpus.references, batches, strict=True):
                yield batch, [system, reference]
    if corpus.source is not None:
        for given, texts in (
            (links.source_hypothesis, corpus.systems),
            (links.source_reference, corpus.references),
        ):
            for text, batch in zip(texts, given, strict=False):
                yield batch, [corpus.source, text]


class MadeLinks:
    """Links by aligner and system. `cache` is a folder that keeps them for other runs, if there is one."""

    def __init__(self, corpus: Corpus, *, jobs: int, cache: str | None = None) -> None:
        self._corpus = corpus
        self._jobs = jobs
        self._cache = cache
        self._aligners: dict[Aligner, KeptAligner] = {}
        self._shared: dict[Aligner, list[tuple[LinkBatch, ...]]] = {}
        self._of_source: dict[tuple[Aligner, TextColumn], LinkBatch] = {}

    def of(self, aligner: Aligner, place: int) -> tuple[LinkBatch, ...]:
        """Return the links of a system, by its place, with each reference.

        An aligner whose links of a pair depend on the pair alone is asked once for all systems, so that
        it need not look at a reference for each of them; so is one that learns from all of them.
        """
        if aligner not in self._aligners:
            self._aligners[aligner] = KeptAligner.of_words(
                aligner,
                self._cache,
                tokenizer=self._corpus.tokenizer,
                lowercase=self._corpus.lowercase,
            )
        kept = self._aligners[aligner]
        if not (kept.shares or aligner.learns_from_all):
            system = self._corpus.systems[place].tokens
            return tuple(
                self._align(kept, system, reference.tokens) for reference in self._corpus.references
            )
        if aligner not in self._shared:
            self._shared[aligner] = list(self._of_all(kept))
        return self._shared[aligner][place]

    def of_source(self, aligner: Aligner, text: TextColumn, sides: tuple[str, str]) -> LinkBatch:
        """Return the links of the source with a system or a reference, as `sides` call them.

        Nothing is kept in a cache, where pairs of one language teach the same aligner.
        """
        source = self._corpus.source
        if source is None:
            raise InputError("there is no source text", where=text.name)
        if (aligner, text) not in self._of_source:
            made = self._align(KeptAligner(aligner), source.tokens, text.tokens)
            origin = LinkOrigin(f"aligner {aligner.name} on {source.name} and {text.name}", sides)
            self._of_source[aligner, text] = replace(made, origin=origin)
        return self._of_source[aligner, text]

    def earlier_pairs(self, aligner: Aligner) -> int:
        """Return how many pairs of earlier runs an aligner has learned from."""
        return self._aligners[aligner].earlier if aligner in self._aligners else 0

    def _align(self, kept: KeptAligner, first: TokenColumn, second: TokenColumn) -> LinkBatch:
        return kept.align(first, second, self._corpus.vocabulary, jobs=self._jobs)

    def _of_all(self, kept: KeptAligner) -> Iterator[tuple[LinkBatch, ...]]:
        systems = [system.tokens for system in self._corpus.systems]
        references = [reference.tokens for reference in self._corpus.references]
        found = self._align(
            kept,
            joined_columns([system for system in systems for _ in references]),
            joined_columns([reference for _ in systems for reference in references]),
        )
        size = len(self._corpus)
        parts = [_part(found, at, at + size) for at in range(0, len(found), size)] if size else []
        for begin in range(0, len(systems) * len(references), len(references)):
            yield tuple(parts[begin : begin + len(references)])


def _part(links: LinkBatch, begin: int, end: int) -> LinkBatch:
    offsets = links.offsets[begin : end + 1]
    rows = links.links[offsets[0] : offsets[-1]]
    bounded = tuple(at - begin for at in links.bounded if begin <= at < end)
    certainty = links.certainty
    return LinkBatch(
        np.ascontiguousarray(rows),
        offsets - offsets[0],
        bounded,
        certainty=None if certainty is None else certainty[offsets[0] : offsets[-1]],
    )
