"""Links that the user gives, from files or from memory, checked against the texts."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from kilter.core.argument import check_fields, checked_value
from kilter.core.counted import counted
from kilter.core.errors import InputError, KilterError, OptionError, Setting
from kilter.core.link_batch import LinkBatch
from kilter.core.link_origin import (
    HYPOTHESIS_REFERENCE,
    SOURCE_HYPOTHESIS,
    SOURCE_REFERENCE,
    LinkOrigin,
)
from kilter.core.link_rule import LinkRule
from kilter.core.through_source import joined_links
from kilter.io.link_format import LinkFormat
from kilter.io.links import read_links
from kilter.io.stream import ByteSource
from kilter.metrics.metric import LinkUse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kilter.aligners.aligner import Aligner
    from kilter.core.corpus import Corpus, TextColumn
    from kilter.core.errors import SeveralLinksError
    from kilter.metrics.metric import Metric


@dataclass(frozen=True, slots=True)
class LinkPath:
    """A file of links; without `form` its format is detected where that leaves no doubt."""

    path: str
    form: LinkFormat | str | None = None

    def __post_init__(self) -> None:
        check_fields(self)


ANOTHER_RULE = "choose what several links mean, such as the mean of their places with"
"""What helps where words have several links; the setting follows."""

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
    advice: Setting | None = None
    if metric.link_use is LinkUse.ORDER:
        why = f"{metric.name} takes one link a word under the rule one-to-one; "
        if single is not None:
            why += f"the aligner {single.specification()} gives no more, or "
        why, advice = why + ANOTHER_RULE, Setting("rule", LinkRule.MEAN.value)
    else:
        why = f"{metric.name} takes one link a word under every rule; leave it out"
        if single is not None:
            why += ", or take an aligner that gives no more:"
            advice = Setting("aligner", single.specification())
    if made_by is None:
        return InputError(f"{error.fault}; {why}", where=error.where, advice=advice)
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
