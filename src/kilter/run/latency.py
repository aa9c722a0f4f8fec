"""`kilter latency`: how late each word is said, and what of it the order of words forces. Section 19"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kilter.core.corpus import ragged_ranges, row_offsets, word_counts
from kilter.core.counted import counted
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError, OptionError
from kilter.core.links import LinkBatch
from kilter.core.settings import checked
from kilter.io.latency_log import WORDS, DelayedText, delay_lines
from kilter.io.link_format import LinkFormat
from kilter.io.links import check_line_format, line_links
from kilter.io.text import text_lines
from kilter.results.latency_result import (
    LAGS,
    ForcingConstruction,
    LatencyResult,
    SystemLatency,
    WordLatency,
)
from kilter.run.engine.choice import EngineChoice, chosen_engine
from kilter.run.engine.engine import Batch
from kilter.run.engine.run import run_batches
from kilter.stats.latency import PUBLISHED, Lag, Needs, Rows, published_latencies
from kilter.stats.ratio import SystemRatios, quotient
from kilter.stats.resampling import Resampling, bootstrap_sums, column_sums

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from kilter.io.text_file import TextStream

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

PAIRS = 20_000
"""Segments of a block."""
WORD_PARTS = ("delays", "own", "needed", "lag", "forced", "avoidable", "anticipated")
"""What is known of a word."""
_SUMS = (
    *(f"{name} {part}" for name in (*PUBLISHED, "least LAAL") for part in ("sum", "count")),
    *("lag", "forced", "avoidable", "anticipated", "guessed", "timed"),
    *("least lag", "linked", "linkable", "words"),
)
"""What is added up over segments; a measure is a ratio of two."""
_RATIOS = {
    **{name: (f"{name} sum", f"{name} count") for name in (*PUBLISHED, "least LAAL")},
    **{name: (name, "timed") for name in ("lag", "forced", "avoidable", "anticipated", "guessed")},
    "least lag": ("least lag", "linked"),
    "linked": ("linked", "linkable"),
}
_PLACE = {name: place for place, name in enumerate(_SUMS)}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LatencyBlock:
    """Some segments of a translation, as flat arrays."""

    rows: Rows
    source_lengths: Floats
    delays: Floats | None = None
    reference_lengths: Ints | None = None
    ends: Floats | None = None
    links: LinkBatch | None = None
    source_words: Ints | None = None
    times: Floats | None = None
    """When each source word ends; None where delays count words, or words are evenly spread."""
    in_words: bool = True
    kinds: Ints | None = None
    """Of each source word its kinds, by column, where trees are given."""


class MeasuredLatency(NamedTuple):
    """Sums of segments, those of kinds of source words, and what is known of each word if asked for."""

    sums: Floats
    kinds: Floats
    words: WordLatency | None = None

    @property
    def has_links(self) -> bool:
        """Whether there are links to tell what words wait for."""
        return bool(self.sums[:, _PLACE["linkable"]].any())


def measure_latency(
    block: LatencyBlock, *, kinds: int = 0, text: DelayedText | None = None
) -> MeasuredLatency:
    """Return what adds up over segments: a row for each, with the columns of `_SUMS` and two for each kind.

    Of a `text` in memory, what is known of each word comes with it.
    """
    rows, delays, count = block.rows, block.delays, len(block.rows.lengths)
    sums = np.zeros((count, len(_SUMS)))
    sums[:, _PLACE["words"]] = rows.lengths

    def enter(name: str, values: Floats) -> None:
        known = ~np.isnan(values)
        sums[:, _PLACE[f"{name} sum"]] = np.where(known, values, 0.0)
        sums[:, _PLACE[f"{name} count"]] = known

    def published(said: Floats) -> dict[str, Floats]:
        return published_latencies(
            said,
            rows,
            source_lengths=block.source_lengths,
            reference_lengths=block.reference_lengths,
            ends=block.ends,
        )

    if delays is not None:
        for name, values in published(delays).items():
            enter(name, values)
    if block.links is None:
        found = {} if delays is None else {"delays": delays}
        return MeasuredLatency(
            sums,
            np.zeros((count, 2 * kinds)),
            None if text is None else _of_words(text, block, found),
        )
    needs = Needs.of(block.links.links, block.links.segments(), rows)
    own, needed = _heard(block, needs.own), _heard(block, needs.needed)
    linked = needs.linked
    least = np.where(linked, needed - own, 0.0)
    sums[:, _PLACE["least lag"]] = rows.sums(least)
    sums[:, _PLACE["linked"]] = rows.sums(linked)
    sums[:, _PLACE["linkable"]] = rows.lengths
    enter("least LAAL", published(needed)["LAAL"])
    forced, lag = least, None
    if delays is not None:
        lag = Lag.of(delays, own, needed)
        forced = np.where(linked, lag.forced, 0.0)
        for name in ("lag", "forced", "avoidable", "anticipated"):
            sums[:, _PLACE[name]] = rows.sums(np.where(linked, getattr(lag, name), 0.0))
        sums[:, _PLACE["guessed"]] = rows.sums(linked & (lag.anticipated > 0))
        sums[:, _PLACE["timed"]] = rows.sums(linked)
    return MeasuredLatency(
        sums,
        _by_kind(block, needs, forced, kinds),
        None if text is None else _of_words(text, block, _parts(block, needs, own, needed, lag)),
    )


def _heard(block: LatencyBlock, source_words: Ints) -> Floats:
    """Return when so many source words are heard, 0 for none."""
    if block.in_words:
        return source_words.astype(np.float64)
    owners = block.rows.owners
    assert block.source_words is not None  # noqa: S101 - links are checked against them
    if block.times is None:
        words = np.maximum(block.source_words, 1)[owners]
        return np.multiply(source_words, block.source_lengths[owners] / words)
    # One more in front: what needs no source word needs no time.
    places = row_offsets(block.source_words)[owners] + source_words
    return np.where(source_words > 0, np.append(0.0, block.times)[places], 0.0)


def _by_kind(block: LatencyBlock, needs: Needs, forced: Floats, kinds: int) -> Floats:
    """Return the lag that source words of each kind force, then how many there are, for each segment."""
    count = len(block.rows.lengths)
    found = np.zeros((count, 2 * kinds))
    if not kinds or block.kinds is None or block.source_words is None:
        return found
    owners = block.rows.owners
    waits = np.flatnonzero(forced > 0)
    begins = row_offsets(block.source_words)
    places = begins[owners[waits]] + needs.needed[waits] - 1
    source_owners = np.repeat(np.arange(count), block.source_words)
    for column in range(block.kinds.shape[1]):
        np.add.at(found, (owners[waits], block.kinds[places, column]), forced[waits])
        np.add.at(found, (source_owners, kinds + block.kinds[:, column]), 1.0)
    return found


def _parts(
    block: LatencyBlock, needs: Needs, own: Floats, needed: Floats, lag: Lag | None
) -> dict[str, Floats]:
    """Return what is known of each word; what only words with a link have is NaN of others."""
    found = {"own": own, "forced": needed - own}
    if lag is not None:
        found |= {
            part: getattr(lag, part) for part in ("lag", "forced", "avoidable", "anticipated")
        }
    of_linked = {name: np.where(needs.linked, values, np.nan) for name, values in found.items()}
    return (
        of_linked | {"needed": needed} | ({} if block.delays is None else {"delays": block.delays})
    )


def _of_words(text: DelayedText, block: LatencyBlock, found: dict[str, Floats]) -> WordLatency:
    nothing = np.full(int(text.offsets[-1]), np.nan)
    heard = None
    if block.source_words is not None:
        places = ragged_ranges(np.ones(len(text), np.int64), block.source_words)
        heard = _heard(replace(block, rows=Rows(row_offsets(block.source_words))), places)
    return WordLatency(
        words=text.words,
        offsets=text.offsets,
        source=None
        if text.sources is None
        else tuple(tuple(line.split()) for line in text.sources),
        heard=heard,
        links=block.links,
        **dict.fromkeys(WORD_PARTS, nothing) | found,
    )


# Files of any size.


class LatencyLines(NamedTuple):
    """Lines of a translation, of its source and links, and of its delays where they are known."""

    words: Sequence[str]
    source: Sequence[str]
    links: Sequence[str] | None
    delays: Sequence[str] | None
    references: Sequence[str] | None
    kinds: NDArray[np.int64] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyOfLines:
    """What a worker does with some lines."""

    names: tuple[str, str, str]
    """What messages call the text, its links and its delays."""
    form: LinkFormat
    possible: bool
    kinds: int = 0

    def __call__(self, batch: Batch[LatencyLines]) -> MeasuredLatency:
        """Return the sums of a batch."""
        lines, (text, links, delays) = batch.data, self.names
        words, source = word_counts(lines.words), word_counts(lines.source)
        rows = Rows(row_offsets(words))
        said = None
        if lines.delays is not None:
            found = list(delay_lines(lines.delays, name=delays, first=batch.first))
            for number, (row, count) in enumerate(zip(found, words, strict=True), batch.first):
                if len(row) != count:
                    raise InputError(
                        f"has {counted(len(row), 'delay')} for the {counted(int(count), 'word')} of {text}; every word "
                        "between blanks needs one",
                        where=f"{delays}:{number}",
                    )
            said = np.array([x for row in found for x in row], np.float64)
        batch_links = None
        if lines.links is not None:
            file = line_links(
                lines.links, (source, words), name=links, first=batch.first, form=self.form,
                sides=("source", "translation"),
            )  # fmt: skip
            batch_links = file.all() if self.possible else file.sure
        block = LatencyBlock(
            rows=rows,
            source_lengths=source.astype(np.float64),
            delays=said,
            reference_lengths=None if lines.references is None else word_counts(lines.references),
            links=batch_links,
            source_words=source,
            kinds=lines.kinds,
        )
        return measure_latency(block, kinds=self.kinds)


@dataclass(frozen=True, kw_only=True)
class LatencyFiles:
    """A translation in files of any size: its words, source, links and delays, a line for each segment."""

    name: str
    text: TextStream
    source: TextStream
    links: TextStream | None = None
    delays: TextStream | None = None
    references: TextStream | None = None
    link_format: LinkFormat = LinkFormat.PHARAOH
    possible: bool = False

    def check(self) -> None:
        """Raise an `InputError` unless all files have equally many lines."""
        if self.links is not None:
            check_line_format(self.link_format)
        for other in (self.source, self.links, self.delays, self.references):
            if other is not None and other.count != self.text.count:
                raise InputError(
                    f"has {counted(other.count, 'line')}, but {self.text.name} has {self.text.count}; both need one line "
                    "per segment",
                    where=other.name,
                )

    def batches(self, trees: SourceKinds | None) -> Iterator[Batch[LatencyLines]]:
        """Yield the lines of blocks."""
        first = 1
        streams = (self.text, self.source, self.links, self.delays, self.references)
        blocks = (repeat(None) if each is None else each.blocks(PAIRS) for each in streams)
        for words, source, links, delays, references in zip(*blocks, strict=False):
            assert words is not None  # noqa: S101 - a text is always given
            assert source is not None  # noqa: S101 - so is its source
            kinds = None if trees is None else trees.block(first - 1, word_counts(source))
            rows = len(words)
            lines = LatencyLines(words, source, links, delays, references, kinds)
            yield Batch(
                data=lines, first=first, rows=rows, share=(first - 1 + rows) / self.text.count
            )
            first += rows


@dataclass(frozen=True, kw_only=True, eq=False)
class SourceKinds:
    """Relation and part of speech of each source word, one column each, as numbers of `names`."""

    names: tuple[tuple[str, str], ...]
    """What a number means: relation or part of speech, and which."""
    numbers: NDArray[np.int64]
    offsets: Ints

    @classmethod
    def of(cls, trees: DependencyTreeColumn) -> SourceKinds:
        """Return the kinds of the words of trees, the first parse of each segment."""
        first = trees.parses[:-1]
        lengths = np.diff(trees.offsets)[first]
        places = ragged_ranges(trees.offsets[first], lengths)
        names: list[tuple[str, str]] = []
        columns = []
        for by, values in (("relation", trees.labels), ("part of speech", trees.tags)):
            used, found = np.unique(values[places], return_inverse=True)
            columns.append(found + len(names))
            names += [(by, trees.vocabulary.words[number]) for number in used.tolist()]
        numbers = np.stack(columns, axis=1).astype(np.int64)
        return cls(names=tuple(names), numbers=numbers, offsets=row_offsets(lengths))

    def block(self, first: int, words: Ints) -> NDArray[np.int64]:
        """Return the kinds of the words of segments from `first` on, which have so many words."""
        have = np.diff(self.offsets)[first : first + len(words)]
        other = np.flatnonzero(have != words[: len(have)])
        if len(have) < len(words) or other.size:
            segment = int(other[0]) if other.size else len(have)
            held = (
                f"has {counted(int(have[segment]), 'word')}"
                if segment < len(have)
                else "is missing"
            )
            raise InputError(
                f"the tree of segment {first + segment + 1} {held}, but the source has "
                f"{counted(int(words[segment]), 'word')} there; trees and source need the same words",
                where="trees",
            )
        return self.numbers[self.offsets[first] : self.offsets[first + len(words)]]


# Results.


@checked
def latency(
    systems: Mapping[str, DelayedText] | DelayedText,
    *,
    links: Mapping[str, LinkBatch] | LinkBatch | None = None,
    source: Any = None,
    times: Sequence[Sequence[float]] | None = None,
    trees: DependencyTreeColumn | None = None,
    resampling: Resampling | None = None,
) -> LatencyResult:
    """Return published latencies, and with links of source and translation the lag that the order of words forces.

    A text without delays, such as a reference, has a least lag only. `source` is needed with links where a log does
    not hold it; `times` say when each of its words ends; `trees` are its trees.

    >>> import kilter
    >>> text = kilter.DelayedText.of(["he has read it"], ["er hat es gelesen"], delays=[[1, 2, 4, 4]])
    >>> links = kilter.LinkBatch.of([[(0, 0), (1, 1), (3, 2), (2, 3)]])
    >>> found = kilter.latency(text, links=links).systems["system"].measures
    >>> found["lag"].value, found["forced"].value, found["avoidable"].value
    (0.25, 0.25, 0.0)
    """
    lines = None if source is None else text_lines(source, where="source")
    named = {systems.name: systems} if isinstance(systems, DelayedText) else dict(systems)
    linked = {next(iter(named), ""): links} if isinstance(links, LinkBatch) else dict(links or {})
    for name in linked.keys() - named.keys():
        raise OptionError(f"links names {name!r}, but the systems are: {', '.join(named)}")
    kinds = None if trees is None else SourceKinds.of(trees)
    measured = {
        name: measured_text(text, links=linked.get(name), source=lines, times=times, kinds=kinds)
        for name, text in named.items()
    }
    evenly = times is None and any(named[name].unit != WORDS for name in linked)
    return latency_result(
        named, measured, kinds=kinds, evenly=evenly, resampling=resampling or Resampling()
    )


def measured_text(
    text: DelayedText,
    *,
    links: LinkBatch | None,
    source: Sequence[str] | None = None,
    times: Sequence[Sequence[float]] | None = None,
    kinds: SourceKinds | None = None,
) -> MeasuredLatency:
    """Return the sums of a text in memory, with those of its words."""
    lines = text.sources if source is None else source
    counts = None
    if links is not None:
        if lines is None:
            raise OptionError(f"{text.name} does not hold its source; give it, -s FILE, with links")
        if len(lines) != len(text) or len(links) != len(text):
            raise InputError(
                f"has {counted(len(text), 'segment')}, but the source has {len(lines)} and the links have {len(links)}",
                where=text.name,
            )
        counts = word_counts(lines)
        links.check(counts, np.diff(text.offsets))
    flat = None
    if times is not None and counts is not None:
        flat = _flat_times(times, counts)
    block = LatencyBlock(
        rows=Rows(text.offsets),
        source_lengths=text.source_lengths,
        delays=text.delays,
        reference_lengths=text.reference_lengths,
        ends=text.ends,
        links=links,
        source_words=counts,
        times=flat,
        in_words=text.unit == WORDS and flat is None,
        kinds=None if kinds is None or counts is None else kinds.block(0, counts),
    )
    return measure_latency(
        block,
        kinds=0 if kinds is None else len(kinds.names),
        text=text if lines is None else replace(text, sources=tuple(lines)),
    )


def _flat_times(times: Sequence[Sequence[float]], counts: Ints) -> Floats:
    rows = [[float(each) for each in row] for row in times]
    if len(rows) != len(counts):
        raise InputError(
            f"has {counted(len(rows), 'segment')}, but the source has {len(counts)}; both need one per segment",
            where="times",
        )
    for number, (row, expected) in enumerate(zip(rows, counts.tolist(), strict=True)):
        if len(row) != expected or sorted(row) != row:
            raise InputError(
                f"has {counted(len(row), 'time')} for {counted(expected, 'source word')}; every word needs the time of "
                "its end, and times never fall",
                where=f"times, segment {number + 1}",
            )
    return np.array([x for row in rows for x in row], np.float64)


def file_latency(
    files: LatencyFiles,
    *,
    kinds: SourceKinds | None = None,
    engine: EngineChoice | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> MeasuredLatency:
    """Return the sums of files of any size, the same for every engine."""
    files.check()
    task = LatencyOfLines(
        names=(
            files.text.name,
            "" if files.links is None else files.links.name,
            "" if files.delays is None else files.delays.name,
        ),
        form=files.link_format,
        possible=files.possible,
        kinds=0 if kinds is None else len(kinds.names),
    )
    with chosen_engine(engine or EngineChoice()) as chosen:
        parts = list(run_batches(chosen, task, files.batches(kinds), progress=progress))
    return MeasuredLatency(
        np.concatenate([part.sums for part in parts]),
        np.concatenate([part.kinds for part in parts]),
    )


def latency_result(
    texts: Mapping[str, DelayedText | LatencyFiles],
    measured: Mapping[str, MeasuredLatency],
    *,
    kinds: SourceKinds | None = None,
    evenly: bool = False,
    elapsed: bool = False,
    resampling: Resampling,
) -> LatencyResult:
    """Return measures of systems with intervals, tests of their differences, and what forces lag."""
    if not measured:
        raise OptionError("there is nothing to measure; give at least one system")
    counts = {name: len(each.sums) for name, each in measured.items()}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise InputError(f"the systems have different numbers of segments: {told}")
    units = {name: text.unit for name, text in texts.items() if isinstance(text, DelayedText)}
    units |= dict.fromkeys(texts.keys() - units.keys(), WORDS)
    if len(set(units.values())) > 1:
        told = ", ".join(f"{name} {unit}" for name, unit in units.items())
        raise InputError(
            f"the delays of systems are in different units: {told}; compare what was logged alike"
        )
    ratios = SystemRatios(
        names=list(measured),
        statistics=np.stack([each.sums for each in measured.values()]),
        columns=_SUMS,
        measures={name: _RATIOS[name] for name in (*PUBLISHED, *LAGS)},
        resampling=resampling,
    )
    found = ratios.estimates(missing="no delay, no link, or no segment where it is defined")
    return LatencyResult(
        unit=next(iter(units.values())),
        elapsed=elapsed,
        cut=any(isinstance(each, DelayedText) and each.ends is not None for each in texts.values()),
        evenly=evenly,
        systems={
            name: SystemLatency(
                segments=counts[name],
                words=int(each.sums[:, _PLACE["words"]].sum()),
                measures=found[name],
            )
            for name, each in measured.items()
        },
        differences=ratios.differences(),
        constructions=() if kinds is None else _constructions(measured, kinds, resampling),
        segment_arrays=ratios.segments(),
        words={name: each.words for name, each in measured.items() if each.words is not None},
    )


def _constructions(
    measured: Mapping[str, MeasuredLatency], kinds: SourceKinds, resampling: Resampling
) -> tuple[ForcingConstruction, ...]:
    """Return the lag that source words of each kind force, the most first."""
    count = len(kinds.names)
    how: dict[str, Any] = {"level": resampling.level, "missing": "nothing is forced"}
    listed: list[ForcingConstruction] = []
    for system, each in measured.items():
        drawn = bootstrap_sums(each.kinds[np.newaxis], resampling)
        sampled, total = drawn.resampled()[0].T, column_sums(each.kinds)
        for by in dict.fromkeys(by for by, _ in kinds.names):
            places = [k for k, (kind, _) in enumerate(kinds.names) if kind == by]
            whole = sampled[places].sum(axis=0), float(total[places].sum())
            of_kind = [(k, (sampled[count + k], float(total[count + k]))) for k in places]
            listed += [
                ForcingConstruction(
                    system=system,
                    by=by,
                    name=kinds.names[k][1],
                    words=int(words[1]),
                    per_word=quotient((sampled[k], float(total[k])), words, **how),
                    share=quotient((sampled[k], float(total[k])), whole, **how),
                )
                for k, words in sorted(of_kind, key=lambda entry: -total[entry[0]])
                if each.has_links
            ]
    return tuple(listed)
