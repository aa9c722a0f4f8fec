"""What metrics find in a block of texts: the task of a worker, and its result as arrays by name."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.errors import InputError
from kilter.results.measure import ScoreParts, Term
from kilter.run.scoring.conllu_columns import conllu_columns, trees_of_files
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.label_note import LabelCounts
from kilter.run.scoring.link_columns import link_columns, links_of_files, word_counts
from kilter.run.scoring.measurement import Bound, MeasuredColumn, measure_columns
from kilter.run.scoring.run import Run, chosen_tokenizer
from kilter.run.scoring.structure_files import StructureFiles
from kilter.run.scoring.trees import JoinedRoots, joined_roots

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kilter.run.engine.engine import Batch
    from kilter.run.scoring.settings import Settings

    Floats = NDArray[np.float64]

_NUMBERED = re.compile(r"\b(segment|line) (\d+)(?=$|:| of )")


@dataclass(frozen=True, kw_only=True)
class TextBlock:
    """Some segments of texts, of their links and of their trees."""

    columns: tuple[tuple[str, ...], ...]
    """Lines of every system, of every reference, of the source where there is one, and of files of links, then
    segments of files of trees."""
    tree_lines: tuple[int, ...] = ()
    """The number of the first line of each file of trees, counted from 1."""


@dataclass(frozen=True, kw_only=True)
class PartShape:
    """How the parts of a score in one configuration are put together."""

    terms: tuple[tuple[float, tuple[str, ...]], ...]
    """The weight of each term, and the names of its factors."""
    added: bool
    shown: bool
    neutral: bool

    @classmethod
    def of(cls, parts: ScoreParts) -> PartShape:
        """Return the shape of parts."""
        terms = tuple((term.weight, tuple(term.factors)) for term in parts.terms)
        return cls(terms=terms, added=parts.added, shown=parts.shown, neutral=parts.neutral)

    @classmethod
    def parse(cls, written: Mapping[str, Any]) -> PartShape:
        """Return the shape that JSON holds."""
        terms = tuple((weight, tuple(names)) for weight, names in written["terms"])
        flags = {name: written[name] for name in ("added", "shown", "neutral")}
        return cls(terms=terms, **flags)

    def arrays(self, parts: ScoreParts, start: str) -> dict[str, Floats]:
        """Return what parts hold, under names that begin so."""
        evidence = parts.evidence.astype(np.float64)
        found = {f"{start} sizes": parts.sizes, f"{start} evidence": evidence}
        for place, term in enumerate(parts.terms):
            for name, values in term.factors.items():
                found[f"{start} {place} {name}"] = values
        return found

    def names(self, start: str) -> list[str]:
        """Return the names of these arrays."""
        factors = [
            f"{start} {place} {name}"
            for place, (_, names) in enumerate(self.terms)
            for name in names
        ]
        return [f"{start} sizes", f"{start} evidence", *factors]

    def parts(self, arrays: Mapping[str, Floats], start: str) -> ScoreParts:
        """Return the parts that arrays hold."""
        return ScoreParts(
            terms=tuple(
                Term(weight, {name: arrays[f"{start} {place} {name}"] for name in names})
                for place, (weight, names) in enumerate(self.terms)
            ),
            evidence=arrays[f"{start} evidence"] != 0.0,
            sizes=arrays[f"{start} sizes"],
            added=self.added,
            neutral=self.neutral,
            shown=self.shown,
        )


@dataclass(frozen=True, kw_only=True)
class ColumnShape:
    """What a column of results holds of one system, beside scores."""

    statistics: int
    margins: bool
    parts: tuple[PartShape, ...]
    """One for each configuration, or none."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuredBlock:
    """What was found in some segments; columns of results go by name, systems by place."""

    rows: int
    signatures: dict[str, str]
    shapes: dict[str, ColumnShape]
    """By the `start` of names of arrays."""
    left_out: dict[str, tuple[int, str]]
    """As those of `Found`."""
    bounds: dict[tuple[int, int], Bound]
    """As those of `Found`, but segments count from the first of the texts."""
    joined: dict[int, JoinedRoots]
    """By the place of a file of trees."""
    labels: dict[tuple[int, int], LabelCounts]
    """As those of `Found`."""
    arrays: dict[str, Floats] = field(repr=False)

    def packed(self) -> bytes:
        """Return all of it as bytes: a line of JSON, then the numbers of every array."""
        head = {
            "rows": self.rows,
            "signatures": self.signatures,
            "shapes": {
                start: {
                    "statistics": shape.statistics,
                    "margins": shape.margins,
                    "parts": [
                        {
                            "terms": each.terms,
                            "added": each.added,
                            "shown": each.shown,
                            "neutral": each.neutral,
                        }
                        for each in shape.parts
                    ],
                }
                for start, shape in self.shapes.items()
            },
            "left_out": self.left_out,
            "bounds": [[*key, *bound] for key, bound in self.bounds.items()],
            "joined": [[place, *found] for place, found in self.joined.items()],
            "labels": [[*key, each.labels, each.tags] for key, each in self.labels.items()],
            "arrays": [*self.arrays],
        }
        numbers = b"".join(array.tobytes() for array in self.arrays.values())
        return json.dumps(head, ensure_ascii=False).encode() + b"\n" + numbers

    @classmethod
    def unpacked(cls, content: bytes) -> MeasuredBlock:
        """Return what was packed."""
        line, _, numbers = content.partition(b"\n")
        head = json.loads(line)
        names, rows = head["arrays"], head["rows"]
        arrays = np.frombuffer(numbers).reshape(len(names), rows)
        return cls(
            rows=rows,
            signatures=head["signatures"],
            shapes={
                start: ColumnShape(
                    statistics=shape["statistics"],
                    margins=shape["margins"],
                    parts=tuple(map(PartShape.parse, shape["parts"])),
                )
                for start, shape in head["shapes"].items()
            },
            left_out={name: (place, note) for name, (place, note) in head["left_out"].items()},
            bounds={(key[0], key[1]): Bound(*key[2:]) for key in head["bounds"]},
            joined={place: JoinedRoots(*found) for place, *found in head["joined"]},
            labels={
                (key[0], key[1]): LabelCounts(labels=Counter(key[2]), tags=Counter(key[3]))
                for key in head["labels"]
            },
            arrays=dict(zip(names, arrays, strict=True)),
        )


def start_of(column: str, system: int) -> str:
    """Return how the names of arrays begin that hold a column of results of a system."""
    return f"{column} {system}"


@dataclass(frozen=True, kw_only=True)
class BlockTask:
    """Measures blocks of the texts of these names."""

    settings: Settings
    systems: tuple[str, ...]
    references: tuple[str, ...]
    source: str | None
    files: Mapping[str, str]
    structures: StructureFiles = field(default_factory=StructureFiles)

    def __call__(self, batch: Batch[TextBlock]) -> MeasuredBlock:
        """Return what is found in a block; an error names segments as they are numbered in the texts."""
        before = batch.first - 1
        try:
            texts = self.texts(batch.data, batch.first)
            run = Run.of(texts, self.settings, part=True)
            found = measure_columns(run)
        except InputError as error:
            error.retell(partial(renumbered, before=before))
            raise
        signatures, shapes, arrays = {}, {}, {}
        for column in found.columns:
            signatures[column.name] = column.signature
            for place in range(len(self.systems)):
                start = start_of(column.name, place)
                shapes[start] = _shape(column, place)
                arrays.update(_arrays(column, place, shapes[start], start))
        return MeasuredBlock(
            rows=batch.rows,
            signatures=signatures,
            shapes=shapes,
            left_out={
                name: (place, renumbered(note, before))
                for name, (place, note) in found.left_out.items()
            },
            bounds={
                key: Bound(bound.segments, bound.first + before)
                for key, bound in found.bounds.items()
            },
            joined=joined_roots(texts.trees),
            labels=found.labels,
            arrays={
                name: np.ascontiguousarray(values, dtype=np.float64)
                for name, values in arrays.items()
            },
        )

    def texts(self, block: TextBlock, first: int = 1) -> Texts:
        """Return a block as texts of their own, the first segment of which has this number."""
        systems, references = len(self.systems), len(self.references)
        links = link_columns(self.structures, systems, references)
        trees = conllu_columns(self.structures, systems, references)
        after = len(block.columns) - len(trees)
        lines, linked = (
            block.columns[: after - len(links)],
            block.columns[after - len(links) : after],
        )
        tokenizer = chosen_tokenizer(self.settings, trees=self.structures.any_trees())
        lowercase = self.settings.lowercase
        counts = [word_counts(each, tokenizer, lowercase=lowercase) for each in lines if links]
        batches = []
        for link, own in zip(links, linked, strict=True):
            one, other = link.texts
            batches.append(link.batch(own, (counts[one], counts[other]), first=first))
        parsed = [
            column.trees(segments, line=line)
            for column, segments, line in zip(
                trees, block.columns[after:], block.tree_lines, strict=True
            )
        ]
        every = systems + references
        return Texts(
            systems=dict(zip(self.systems, lines[:systems], strict=True)),
            references=dict(zip(self.references, lines[systems:every], strict=True)),
            source=None if self.source is None else (self.source, lines[every]),
            files=self.files,
            links=links_of_files(self.structures, references, batches),
            trees=trees_of_files(self.structures, parsed),
        )


def _shape(column: MeasuredColumn, place: int) -> ColumnShape:
    return ColumnShape(
        statistics=column.statistics[place].shape[1],
        margins=bool(column.margins),
        parts=tuple(map(PartShape.of, column.parts[place])) if column.parts else (),
    )


def _arrays(
    column: MeasuredColumn, place: int, shape: ColumnShape, start: str
) -> dict[str, Floats]:
    found = {f"{start} score": column.segments[place]}
    for number in range(shape.statistics):
        found[f"{start} statistic {number}"] = column.statistics[place][:, number]
    if shape.margins:
        found[f"{start} margin"] = column.margins[place]
    for number, each in enumerate(shape.parts):
        found |= each.arrays(column.parts[place][number], f"{start} parts {number}")
    return found


def renumbered(text: str, before: int) -> str:
    """Return a message about segments of a block with their numbers in the whole text."""
    return _NUMBERED.sub(lambda found: f"{found[1]} {int(found[2]) + before}", text)
