"""`kilter variation`: how several translations of one source differ, word by word. Section 20"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kilter.core.counted import counted
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError, OptionError
from kilter.core.links import LinkBatch
from kilter.core.settings import checked
from kilter.io.stream import ByteSource, byte_source
from kilter.io.table import read_table
from kilter.io.text import text_lines
from kilter.results.variation_result import (
    PEOPLE,
    SYSTEM_MEASURES,
    WORD_MEASURES,
    TranslationPair,
    VariationResult,
    VaryingConstruction,
)
from kilter.stats.ratio import SystemRatios
from kilter.stats.resampling import Resampling
from kilter.stats.variation import crossings, entropy, group_crossings, link_groups, renderings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kilter.core.estimate import Estimate
    from kilter.io.table import DataTable

NOTHING = "---"
"""The target group of a word without a link, as TPR-DB writes it."""
_COLUMNS = (
    *("words", "linked", "literal", "cross", "unaligned", "crossings", "link pairs"),
    *("sacr", "parsed", "same words", "same order", "compared"),
)
_MEASURES = {
    "literality": ("literal", "words"),
    "cross": ("cross", "linked"),
    "unaligned": ("unaligned", "words"),
    "crossings": ("crossings", "link pairs"),
    "sacr": ("sacr", "parsed"),
    "same words": ("same words", "compared"),
    "same order": ("same order", "compared"),
}
_PLACE = {name: place for place, name in enumerate(_COLUMNS)}


class RenderedWord(NamedTuple):
    """A source word and how a translation renders it, as a row of a table of TPR-DB."""

    word: str
    source_group: str
    target_group: str
    cross: int
    alone: bool
    """Whether one word renders it alone."""

    @property
    def key(self) -> str:
        """The rendering, whatever its case."""
        return self.target_group.lower()


@dataclass(frozen=True, kw_only=True)
class Translation:
    """How a translation renders each source word of each segment, and what its links say of whole segments."""

    segments: tuple[tuple[RenderedWord, ...], ...]
    crossings: tuple[tuple[int, int], ...] | None = None
    """Crossing pairs of links and all pairs of each segment; None where a table does not tell."""
    sacr: tuple[int, ...] | None = None

    @classmethod
    @checked
    def of(
        cls,
        lines: object,
        source: object,
        links: LinkBatch,
        *,
        trees: tuple[DependencyTreeColumn, DependencyTreeColumn] | None = None,
        name: str = "translation",
    ) -> Translation:
        """Return a translation by its links (source, translation); words stand between blanks.

        `trees` of source and translation give SACr.

        >>> found = Translation.of(["he sees it"], ["er sieht es"], LinkBatch.of([[(0, 0), (1, 1), (2, 2)]]))
        >>> [each.cross for each in found.segments[0]]
        [1, 1, 1]
        """
        words, sources = (
            [line.split() for line in text_lines(each, where=called)]
            for each, called in ((lines, name), (source, "source"))
        )
        if not len(words) == len(sources) == len(links):
            raise InputError(
                f"has {counted(len(words), 'segment')}, but the source has {len(sources)} and the links have {len(links)}",
                where=name,
            )
        sizes = [np.array([*map(len, side)], dtype=np.int64) for side in (sources, words)]
        links.check(*sizes)
        listed = [links.segment(k) for k in range(len(links))]
        sacr = None
        if trees is not None:
            heads = [
                _heads(column, side) for column, side in zip(trees, (sources, words), strict=True)
            ]
            sacr = tuple(
                group_crossings(link_groups(each, (heads[0][k], heads[1][k])))
                for k, each in enumerate(listed)
            )
        return cls(
            segments=tuple(map(_rendered, sources, words, listed)),
            crossings=tuple((crossings(each), len(each) * (len(each) - 1) // 2) for each in listed),
            sacr=sacr,
        )


def _rendered(
    source: Sequence[str], target: Sequence[str], links: Sequence[tuple[int, int]]
) -> tuple[RenderedWord, ...]:
    return tuple(
        RenderedWord(
            word,
            "+".join(source[k] for k in each.source),
            "+".join(target[k] for k in each.target) or NOTHING,
            each.cross,
            len(each.source) == len(each.target) == 1,
        )
        for word, each in zip(source, renderings(len(source), links), strict=True)
    )


def _heads(trees: DependencyTreeColumn, words: Sequence[Sequence[str]]) -> list[list[int]]:
    """Return the heads of the first parse of each segment, whose words must be as many."""
    found = []
    for segment, line in enumerate(words):
        tree = int(trees.parses[segment]) if segment < len(trees) else -1
        heads: list[int] = (
            [] if tree < 0 else trees.heads[trees.offsets[tree] : trees.offsets[tree + 1]].tolist()
        )
        if len(heads) != len(line):
            raise InputError(
                f"the tree of segment {segment + 1} has {counted(len(heads), 'word')}, but the text has {len(line)} there; "
                "trees and texts need the same words",
                where="trees",
            )
        found.append(heads)
    return found


def _check_header(table: DataTable) -> None:
    table.need_all("source tokens of TPR-DB", ["stoken"], ["tgroup"], ["cross"])


@checked
def read_translations(
    source: ByteSource | str, *, name: str | None = None
) -> dict[str, Translation]:
    """Return the translations of a table of source tokens of CRITT TPR-DB: Id, SToken, TGroup and Cross.

    A column Session parts translations, STseg segments; without them a file is one translation, and one segment.
    """
    file = byte_source(source)
    table = read_table(file, check=_check_header)
    columns = table.columns
    size = len(table)
    names = columns.get("session", (name or file.name,) * size)
    numbers = columns.get("stseg", ("1",) * size)
    crosses = table.integers("cross", low=-(2**31))
    groups: dict[str, dict[str, list[RenderedWord]]] = {}
    sources = columns.get("sgroup", columns["stoken"])
    for row in range(size):
        word, target, group = columns["stoken"][row], columns["tgroup"][row], sources[row]
        alone = target != NOTHING and "+" not in target.strip("+") and "+" not in group.strip("+")
        held = groups.setdefault(names[row], {}).setdefault(numbers[row], [])
        held.append(RenderedWord(word, group, target, int(crosses[row]), alone))
    return {
        session: Translation(segments=tuple(map(tuple, segments.values())))
        for session, segments in groups.items()
    }


@checked
def variation(
    translations: Mapping[str, Translation],
    *,
    trees: DependencyTreeColumn | None = None,
    people: Sequence[str] = (),
    resampling: Resampling | None = None,
) -> VariationResult:
    """Return how translations of one source vary; `trees` of the source say by construction.

    `people` names the translations by people, two or more: what they share is the ceiling for the others.

    >>> import kilter
    >>> links = kilter.LinkBatch.of([[(0, 0), (1, 1)]])
    >>> one, other = (kilter.Translation.of([text], ["er geht"], links) for text in ("he goes", "he walks"))
    >>> found = kilter.variation({"one": one, "other": other})
    >>> found.measures["HTra"].value, found.measures["HCross"].value
    (0.5, 0.0)
    """
    named = dict(translations)
    if not named:
        raise OptionError("there is nothing to compare; give at least one translation")
    words = _source_words(named)
    drawn = resampling or Resampling()
    over = _over_translations(named)
    ratios = SystemRatios(
        names=list(named),
        statistics=np.stack([_sums(name, named) for name in named]),
        columns=_COLUMNS,
        measures={name: _MEASURES[name] for name in SYSTEM_MEASURES},
        resampling=drawn,
    )
    systems = ratios.estimates(missing="no source word, link, tree or other translation")
    kinds = () if trees is None else _kinds(trees, words)
    return VariationResult(
        segments=len(words),
        words=sum(map(len, words)),
        measures=_means(over, [np.ones(len(each), bool) for each in words], drawn),
        systems=systems,
        pairs=_pairs(named, drawn),
        agreement=_agreement(named, people, drawn),
        differences=ratios.differences(),
        constructions=tuple(
            VaryingConstruction(
                by=by,
                name=kind,
                words=int(sum(map(np.sum, chosen))),
                measures=_means(over, chosen, drawn),
            )
            for by, kind, chosen in kinds
        ),
        segment_arrays=ratios.segments(),
        word_columns=_word_columns(named, over),
    )


def _source_words(named: Mapping[str, Translation]) -> list[list[str]]:
    """Return the source words of each segment, which all translations must share."""
    first, *others = (
        (name, [[each.word for each in segment] for segment in found.segments])
        for name, found in named.items()
    )
    for name, words in others:
        if len(words) != len(first[1]):
            raise InputError(
                f"has {counted(len(words), 'segment')}, but {first[0]} has {len(first[1])}; all translate the same source",
                where=name,
            )
        for number, (own, wanted) in enumerate(zip(words, first[1], strict=True), 1):
            if own != wanted:
                raise InputError(
                    f"has other source words in segment {number} than {first[0]}; all translate the same source",
                    where=name,
                )
    return first[1]


def _sums(name: str, named: Mapping[str, Translation]) -> NDArray[np.float64]:
    """Return what adds up over the segments of a translation."""
    found, others = named[name], [each for other, each in named.items() if other != name]
    sums = np.zeros((len(found.segments), len(_COLUMNS)))
    for row, segment in enumerate(found.segments):
        linked = [each for each in segment if each.target_group != NOTHING]
        entries = {
            "words": len(segment),
            "linked": len(linked),
            "literal": sum(each.alone and each.cross == 1 for each in segment),
            "cross": sum(abs(each.cross) for each in linked),
            "unaligned": len(segment) - len(linked),
        }
        if found.crossings is not None:
            entries["crossings"], entries["link pairs"] = found.crossings[row]
        if found.sacr is not None:
            entries |= {"sacr": found.sacr[row], "parsed": 1}
        if others:
            entries["compared"] = len(segment) * len(others)
            for other in others:
                words, order = _alike(segment, other.segments[row])
                entries["same words"] = entries.get("same words", 0) + words
                entries["same order"] = entries.get("same order", 0) + order
        for column, value in entries.items():
            sums[row, _PLACE[column]] = value
    return sums


def _alike(one: Sequence[RenderedWord], other: Sequence[RenderedWord]) -> tuple[int, int]:
    """Return how many source words two translations render by the same words, and with the same Cross."""
    pairs = list(zip(one, other, strict=True))
    return sum(a.key == b.key for a, b in pairs), sum(a.cross == b.cross for a, b in pairs)


def _over_translations(named: Mapping[str, Translation]) -> list[NDArray[np.float64]]:
    """Return the `WORD_MEASURES` of each source word of each segment over all translations."""
    found = []
    for segment in zip(*(each.segments for each in named.values()), strict=True):
        rows = [
            [
                entropy(each.key for each in words),
                entropy(each.cross for each in words),
                len({each.key for each in words}),
                sum(abs(each.cross) for each in words) / len(words),
                sum(each.target_group == NOTHING for each in words) / len(words),
            ]
            for words in zip(*segment, strict=True)
        ]
        found.append(np.array(rows, dtype=np.float64).reshape(-1, len(WORD_MEASURES)))
    return found


def _means(
    over: Sequence[NDArray[np.float64]], chosen: Sequence[NDArray[np.bool_]], drawn: Resampling
) -> dict[str, Any]:
    """Return means over chosen source words, with intervals over segments."""
    sums = [
        [*rows[some].sum(axis=0).tolist(), float(some.sum())]
        for rows, some in zip(over, chosen, strict=True)
    ]
    ratios = SystemRatios(
        names=["all"],
        statistics=np.array([sums], dtype=np.float64),
        columns=(*WORD_MEASURES, "words"),
        measures={name: (name, "words") for name in WORD_MEASURES},
        resampling=drawn,
    )
    return ratios.estimates(missing="no source word")["all"]


def _pairs(named: Mapping[str, Translation], drawn: Resampling) -> tuple[TranslationPair, ...]:
    pairs = list(combinations(named, 2))
    if not pairs:
        return ()
    found = _shared(named, {f"{k}": [pair] for k, pair in enumerate(pairs)}, drawn)
    return tuple(
        TranslationPair(
            first=a, second=b, same_words=each["same words"], same_order=each["same order"]
        )
        for (a, b), each in zip(pairs, found.values(), strict=True)
    )


def _agreement(
    named: Mapping[str, Translation], people: Sequence[str], drawn: Resampling
) -> dict[str, dict[str, Estimate]]:
    """Return what people share with one another, and each other translation with them."""
    if not people:
        return {}
    unknown = [name for name in people if name not in named]
    if unknown or len(set(people)) < 2:
        raise OptionError(f"people is {', '.join(people)}; name two or more of: {', '.join(named)}")
    groups = {PEOPLE: list(combinations(dict.fromkeys(people), 2))}
    groups |= {
        name: [(name, person) for person in dict.fromkeys(people)]
        for name in named
        if name not in people
    }
    return _shared(named, groups, drawn)


def _shared(
    named: Mapping[str, Translation],
    groups: Mapping[str, Sequence[tuple[str, str]]],
    drawn: Resampling,
) -> dict[str, dict[str, Estimate]]:
    """Return the shares of source words rendered alike, and with the same Cross, over groups of pairs."""
    sums = [
        sum(
            np.array(
                [
                    [*_alike(one, other), len(one)]
                    for one, other in zip(named[a].segments, named[b].segments, strict=True)
                ],
                dtype=np.float64,
            )
            for a, b in pairs
        )
        for pairs in groups.values()
    ]
    return SystemRatios(
        names=list(groups),
        statistics=np.stack(sums),
        columns=("same words", "same order", "words"),
        measures={"same words": ("same words", "words"), "same order": ("same order", "words")},
        resampling=drawn,
    ).estimates(missing="no source word")


def _kinds(
    trees: DependencyTreeColumn, words: Sequence[Sequence[str]]
) -> Iterator[tuple[str, str, list[NDArray[np.bool_]]]]:
    """Yield relations and parts of speech, the most frequent first, each with the words that have it."""
    _heads(trees, words)
    first = trees.parses[:-1]
    for by, numbers in (("relation", trees.labels), ("part of speech", trees.tags)):
        rows = [
            numbers[trees.offsets[tree] : trees.offsets[tree + 1]] for tree in first[: len(words)]
        ]
        counts = Counter(number for row in rows for number in row.tolist())
        for number, _ in sorted(counts.items(), key=lambda each: (-each[1], each[0])):
            yield by, trees.vocabulary.words[number], [row == number for row in rows]


def _word_columns(
    named: Mapping[str, Translation], over: Sequence[NDArray[np.float64]]
) -> dict[str, NDArray[Any]]:
    """Return a row for each translation and source word, with the columns of TPR-DB."""
    rows: list[tuple[Any, ...]] = []
    counts = [
        [Counter(each.key for each in words) for words in zip(*segment, strict=True)]
        for segment in zip(*(each.segments for each in named.values()), strict=True)
    ]
    for name, found in named.items():
        for number, segment in enumerate(found.segments):
            for place, each in enumerate(segment):
                values = over[number][place].tolist()
                alike = counts[number][place][each.key]
                rows.append(
                    (
                        *(
                            name,
                            number + 1,
                            place + 1,
                            each.word,
                            each.source_group,
                            each.target_group,
                        ),
                        *(each.cross, alike, alike / len(named), *values[:3]),
                    )
                )
    names = ("Session", "STseg", "Id", "SToken", "SGroup", "TGroup", "Cross", "CountT", "ProbT")
    columns = zip(*rows, strict=True) if rows else [()] * 12
    texts = {"Session", "SToken", "SGroup", "TGroup"}
    return {
        column: np.array(values, dtype=object if column in texts else None)
        for column, values in zip((*names, *WORD_MEASURES[:3]), columns, strict=True)
    }
