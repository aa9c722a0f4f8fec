"""From texts to a corpus: checked against one another, tokenised and interned once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.corpus import Corpus, TextColumn, Vocabulary
from kilter.core.counted import counted
from kilter.core.errors import InputError, Setting
from kilter.core.language import has_dotless_i, lowered
from kilter.core.settings import Choice, checked_value, in_order, unsequenced
from kilter.io.sgm import PlacedLines
from kilter.io.stream import is_utf8
from kilter.io.text import entries, text_lines
from kilter.io.tokenizer import DEFAULT_TOKENIZER, check_spaced, check_tokenizer, token_column
from kilter.run.scoring.links import GivenLinks, Links
from kilter.run.scoring.trees import Trees

if TYPE_CHECKING:
    Lines = Sequence[str]


class EmptyLines(Choice):
    """What to do with empty lines: score them, or stop at the first."""

    KEEP = "keep"
    STOP = "stop"


_REFERENCES = "one reference string, or a list of them, per hypothesis"
ALONE = "system"
"""The name of one system that nobody named: there is no other to tell it from."""


@dataclass(frozen=True, kw_only=True)
class Texts:
    """The lines of a corpus by name: systems, references, a source; links and trees that came with them."""

    systems: Mapping[str, Lines]
    references: Mapping[str, Lines]
    source: tuple[str, Lines] | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    """Where systems come from, for messages about them; else they go by their names."""
    links: Links = field(default_factory=Links)
    trees: Trees = field(default_factory=Trees)
    notes: tuple[str, ...] = ()
    """What is to be said of what texts came in."""
    before: int = 0
    """How many segments stand before these in texts of which they are a part."""

    def called(self, system: str) -> str:
        """Return how messages call a system."""
        return self.files.get(system, system)

    def of_systems(self, names: Sequence[str]) -> Texts:
        """Return the same with some of the systems, and what came with them."""
        places = [[*self.systems].index(name) for name in names]
        return replace(
            self,
            systems={name: self.systems[name] for name in names},
            links=self.links.of_systems(places),
            trees=self.trees.of_systems(places),
        )

    def target_texts(self) -> list[tuple[str, Lines]]:
        """Return the texts in the language of the systems as messages call them, references first."""
        systems = [(self.called(name), lines) for name, lines in self.systems.items()]
        return [*self.references.items(), *systems]

    def named(self) -> list[tuple[str, Lines]]:
        """Return every text as messages call it, references first."""
        source = [self.source] if self.source else []
        systems = [(self.called(name), lines) for name, lines in self.systems.items()]
        return [*self.references.items(), *source, *systems]


def build_corpus(
    texts: Texts,
    *,
    tokenize: str = DEFAULT_TOKENIZER,
    language: str | None = None,
    lowercase: bool = False,
    empty: EmptyLines = EmptyLines.KEEP,
    words: bool = True,
) -> Corpus:
    """Return the corpus of these texts; different line counts and the like are `InputError`s.

    Unless anybody looks at `words`, it does not matter whether the tokeniser finds any.
    """
    check_counts(texts)
    if empty is EmptyLines.STOP:
        check_filled(texts.named(), before=texts.before)
    check_tokenizer(tokenize)  # before anything is read
    turkic = has_dotless_i(language)
    vocabulary = Vocabulary(turkic=turkic)

    def column(text_name: str, lines: Lines) -> TextColumn:
        cased = [lowered(line, turkic=turkic) for line in lines] if lowercase else lines
        tokens = token_column(cased, tokenize, vocabulary)
        if words:
            check_spaced(lines, where=texts.called(text_name), name=tokenize)
        return TextColumn(text_name, tuple(cased), tokens)

    return Corpus(
        vocabulary=vocabulary,
        references=tuple(column(*pair) for pair in texts.references.items()),
        source=column(*texts.source) if texts.source else None,
        systems=tuple(column(*pair) for pair in texts.systems.items()),
        tokenizer=tokenize,
        lowercase=lowercase,
    )


def check_counts(texts: Texts) -> None:
    """Raise an `InputError` that names both texts and the first missing line if counts differ."""
    _check_places(texts)  # which say more than numbers of lines
    check_line_counts([(name, len(lines)) for name, lines in texts.named()])


def check_line_counts(counts: Sequence[tuple[str, int]]) -> None:
    """Raise an `InputError` if texts, by name, have different numbers of lines, or none."""
    (first_name, first), *others = counts
    for name, lines in others:
        if lines != first:
            shorter, count = (name, lines) if lines < first else (first_name, first)
            raise InputError(
                f"has {counted(lines, 'line')}, but {first_name} has {first}; every text must have "
                f"the same segments (line {count + 1} of {shorter} is missing)",
                where=name,
            )
    if not first:
        raise InputError("has no segment; there is nothing to score", where=first_name)


def _check_places(texts: Texts) -> None:
    """Raise an `InputError` for texts that say of themselves that their segments are different ones."""
    placed = [(name, lines) for name, lines in texts.named() if isinstance(lines, PlacedLines)]
    for name, lines in placed[1:]:
        first_name, first = placed[0]
        for number, (one, other) in enumerate(
            zip(first.places, lines.places, strict=False), start=1
        ):
            if one != other:
                raise InputError(
                    f"segment {number} is {other}, but that of {first_name} is {one}; every text must have "
                    "the same documents and segments in the same order",
                    where=name,
                )


def check_filled(texts: Sequence[tuple[str, Iterable[str]]], *, before: int = 0) -> None:
    """Raise an `InputError` for the first line without a word, numbered after those `before` it."""
    for name, lines in texts:
        for number, line in enumerate(lines, start=1 + before):
            if not line.strip():
                raise InputError(
                    "the line is empty; fill it, or score empty lines with",
                    where=f"{name}:{number}",
                    advice=Setting("empty", "keep"),
                )


def texts_from_api(
    hypotheses: object,
    references: object,
    source: object = None,
    *,
    links: Links | GivenLinks | None = None,
    trees: Trees | None = None,
) -> Texts:
    """Return the texts behind the arguments of `kilter.score`, after checking their shape.

    Hypotheses are a list of strings, or a mapping from system names to such lists. References are one
    string per hypothesis, or a list of strings per hypothesis. Lists may also be arrays, columns of tables,
    or anything else that gives its entries one by one.
    """
    if isinstance(hypotheses, Mapping):
        systems = {
            system_name(name): text_lines(lines, where=f"hypotheses[{name!r}]")
            for name, lines in hypotheses.items()
        }
        if not systems:
            raise InputError("there is no system to score", where="hypotheses")
    else:
        systems = {ALONE: text_lines(hypotheses, where="hypotheses")}
    count = len(next(iter(systems.values())))
    listed = _references(references, count)
    given = {"hypotheses": hypotheses}
    if isinstance(hypotheses, Mapping):
        given = {f"hypotheses[{name!r}]": lines for name, lines in hypotheses.items()}
    return Texts(
        systems=systems,
        references=listed,
        source=("source", text_lines(source, where="source")) if source is not None else None,
        links=Links.of(links),
        trees=checked_value("trees", trees, Trees | None) or Trees(),
        notes=tuple(label_notes({**given, "source": source}, ("references", references))),
    )


def label_notes(texts: Mapping[str, object], other: tuple[str, object]) -> Iterator[str]:
    """Yield the columns of pandas whose labels are not those of the other text, which say nothing here."""
    labels = _labels(other[1])
    for name, lines in texts.items():
        own = _labels(lines)
        if labels is not None and own is not None and not own.equals(labels):
            yield (
                f"{name}: its labels (the index) are not those of {other[0]}; rows are compared in their order, "
                "whatever their labels: bring both into the same order"
            )


def _labels(values: object) -> Any:
    """Return the labels of a column of pandas; None for anything else."""
    found = getattr(values, "index", None)
    return found if hasattr(found, "equals") else None


def system_name(name: object, *, where: str = "hypotheses") -> str:
    """Return the name of a system; what is not a text, an empty one or one that no output can spell is an `InputError`."""
    if not isinstance(name, str):
        raise InputError(
            f"a system is named {name!r}, which is no string; name it {str(name)!r}, for example",
            where=where,
        )
    if not name:
        raise InputError("a system is named by an empty text; name it", where=where)
    if not is_utf8(name):
        raise InputError(
            f"a system is named {name!r}, which no output can spell; name it by characters",
            where=where,
        )
    return name


def _references(references: object, count: int) -> dict[str, Lines]:
    # An array of two dimensions has a row per hypothesis.
    if isinstance(references, np.ndarray) and references.ndim == 2:
        references = list(references)
    listed = entries(references, where="references", wanted=_REFERENCES)
    nested = [entry for entry in listed if unsequenced(entry) is None]
    if not nested:
        return {"references": _one_each(listed)}
    for place, entry in enumerate(listed):
        if unsequenced(entry) is None:
            continue
        if isinstance(entry, str):
            raise InputError(
                f"some entries are strings and some are lists (entry {place} is a string); give every "
                "hypothesis the same number of references",
                where="references",
            )
        raise InputError(
            f"entry {place} {unsequenced(entry)}; pass {_REFERENCES}", where="references"
        )
    groups = [in_order(entry) for entry in nested]
    if len(groups) != count and all(len(group) == count for group in groups):
        raise InputError(
            f"are transposed: {counted(len(groups), 'list')} of {count}; pass one list of references per "
            "hypothesis, [list(group) for group in zip(*references)]",
            where="references",
        )
    sizes = {len(group) for group in groups}
    if len(sizes) != 1 or sizes == {0}:
        raise InputError(
            f"hypotheses have from {min(sizes)} to {max(sizes)} references; each needs the same number",
            where="references",
        )
    (size,) = sizes
    return {
        f"references {place + 1}": text_lines(
            [group[place] for group in groups], where=f"references {place + 1}"
        )
        for place in range(size)
    }


def _one_each(listed: list[object]) -> Lines:
    """Return one reference per hypothesis; what is no string is told with what it could have been."""
    for place, entry in enumerate(listed):
        if isinstance(entry, (Mapping, AbstractSet)):
            raise InputError(
                f"entry {place} {unsequenced(entry)}; pass {_REFERENCES}", where="references"
            )
    return text_lines(listed, where="references")
