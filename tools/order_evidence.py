"""Located order errors against spans that people marked, by language, with controls.

`python -m tools.order_evidence FOLDER` reads the corpora that lie in FOLDER (`estgec`, `falko-merlin`, `nocola`, `fcgec`,
`wmt24-esa`; each is left out where it is missing) and writes a Markdown table.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import kilter
from kilter.core.spans import MarkedSegment, Span, Spans, blank_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST = 1000
"""Rows of a corpus that are looked at: every k-th, so that all parts are among them."""
_MEASURES = ("words", "mpp", "error-free")


@dataclass(frozen=True)
class Row:
    """A sentence, the one it should be, and the characters that people marked."""

    hypothesis: str
    reference: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Corpus:
    """Rows of a language, as people marked them."""

    name: str
    language: str
    marks: str
    read: Callable[[Path], Iterator[Row]]
    tokenize: str = "none"


def rows(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a table without quotes."""
    csv.field_size_limit(1 << 26)
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as stream:
        yield from csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)


def learners(folder: Path) -> Iterator[Row]:
    """Yield sentences of learners with their order errors tagged; the reference has all errors corrected."""
    for row in rows(folder / "order.tsv"):
        words = blank_words(row["source"])
        marks = [(words[s][0], words[e - 1][1]) for s, e, *_ in json.loads(row["spans"]) if s < e]
        yield Row(row["source"], row["target"], tuple(marks))


def moved(order: list[int]) -> list[tuple[int, int]]:
    """Return the runs of elements that a permutation moves, from the first to the last of each exchange."""
    found, high, start = [], -1, 0
    for place, value in enumerate(order):
        if place > high and place > start:
            found.append((start, place))
            start = place
        high = max(high, value)
    found.append((start, len(order)))
    return [(begin, end) for begin, end in found if end - begin > 1]


def norwegian(folder: Path) -> Iterator[Row]:
    """Yield sentences with the same words in another order; what lies between moved words is marked."""
    for row in rows(folder / "pairs.tsv"):
        if row["match"] == "same" and row["permutation"] not in ("", "null"):
            tokens, target = (row[name].split() for name in ("source_tokens", "target_tokens"))
            text = " ".join(tokens)
            words = blank_words(text)
            order = json.loads(row["permutation"])
            marks = [(words[s][0], words[e - 1][1]) for s, e in moved(order)]
            yield Row(text, " ".join(target), tuple(marks))


def chinese(folder: Path) -> Iterator[Row]:
    """Yield sentences whose blocks were exchanged, as characters."""
    for row in rows(folder / "switch.tsv"):
        if row["alone"] == "1":
            yield Row(row["source"], row["target"], tuple(moved(json.loads(row["permutation"]))))


def judged(name: str) -> Callable[[Path], Iterator[Row]]:
    """Return what reads outputs with error spans of ESA, which say nothing of their kind."""

    def read(folder: Path) -> Iterator[Row]:
        for row in rows(folder / name):
            if row["system"] == "refA":
                continue
            marks = [(s, e) for s, e, _ in json.loads(row["spans"]) if isinstance(s, int)]
            yield Row(row["output"], row["refA"], tuple(marks))

    return read


CORPORA = (
    Corpus("estgec", "Estonian", "order errors, tagged", learners),
    Corpus("falko-merlin", "German", "order errors, by ERRANT", learners),
    Corpus("nocola", "Norwegian", "moved words", norwegian),
    Corpus("fcgec", "Chinese", "exchanged blocks", chinese, "char"),
    Corpus("wmt24-esa", "Czech", "any error (ESA)", judged("en-cs.tsv.gz"), "13a"),
    Corpus("wmt24-esa", "Japanese", "any error (ESA)", judged("en-ja.tsv.gz"), "char"),
)


def compared(corpus: Corpus, found: list[Row]) -> kilter.SpanScores:
    """Return how our located errors agree with what people marked in these rows."""
    texts = [row.hypothesis for row in found], [row.reference for row in found]
    sets: dict[str, Spans] = {}
    for name, every in (("worth a look", False), ("all", True)):
        (errors,) = kilter.order_errors(
            *texts, every=every, metrics="order", tokenize=corpus.tokenize
        )
        sets[name] = errors.marked()
    gold = [
        MarkedSegment(
            segment=place,
            system="system",
            target=row.hypothesis,
            spans=tuple(Span.of(row.hypothesis, *each) for each in row.spans),
        )
        for place, row in enumerate(found, start=1)
    ]
    return kilter.score_spans(
        Spans(tuple(gold)),
        sets,
        measures=_MEASURES,
        tokenize=corpus.tokenize,
    )


def table(folder: Path) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| language | marked by people | segments | spans | set | words P | words R | words F1 | mpp F1 |"
    yield "| --- | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |"
    for corpus in CORPORA:
        if not (folder / corpus.name).is_dir():
            continue
        every = [
            row
            for row in corpus.read(folder / corpus.name)
            if row.hypothesis.strip() and row.reference.strip()
        ]
        step = -(-len(every) // MOST)
        result = compared(corpus, every[::step])
        names = dict.fromkeys(each.spans for each in result.scores if each.spans != "random all")
        for place, name in enumerate(names):
            words, mpp = (result.score(name, measure) for measure in ("words", "mpp"))
            shares = f"{words.precision:.2f} | {words.recall:.2f} | {words.f1:.2f±} | {mpp.f1:.2f±}"
            head = f"{corpus.language} | {corpus.marks} | {result.segments} | {result.marked}"
            label = name.replace("random worth a look", "random places")
            label = f"control: {label}" if words.control else label
            yield f"| {head if place == 0 else ' |  |  | '} | {label} | {shares} |"


def main() -> None:
    """Write the table of the corpora in a folder."""
    for line in table(Path(sys.argv[1])):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
