"""Measures docs/automatic-references.md: `python -m tests.docs.automatic_references DATA`.

The table of the page between `<!-- measured -->` and `<!-- end -->` is computed from the Parallel UD data of that
folder and written in place; nothing of the data itself is.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import kilter
from kilter.core.links import LinkBatch
from kilter.io.conllu import read_trees
from kilter.io.stream import ByteSource
from kilter.run.link_agreement import GradedLinks, TextLengths, compare_links
from kilter.run.meta.segment_correlation import Coefficient, Grouping, segment_correlation
from kilter.run.published.worked_table import read_parallel_links
from kilter.stats.resampling import bootstrap_sums
from kilter.stats.significance import percentile_intervals
from tests.docs.pages import ROOT

PAGE = ROOT / "docs" / "automatic-references.md"
BLOCK = re.compile(r"(<!-- measured -->\n)(.*?)(<!-- end -->)", re.DOTALL)
RULES = ("r1", "r2", "r3", "r4", "en-verb-final")
SHOWN = ("r1", "r4", "en-verb-final")
"""Rule sets whose scores are on the page; all are ranked."""
MANUAL = "manual"
AUTOMATIC = (
    "ibm1:symmetrize=intersection",
    "ibm1",
    "hmm:symmetrize=forward",
    "hmm:symmetrize=reverse",
    "hmm:symmetrize=intersection",
    "hmm:symmetrize=grow-diag",
    "hmm:symmetrize=grow-diag-final",
    "hmm",
    "hmm:symmetrize=union",
)
Floats = NDArray[np.float64]


class Corpus:
    """Sentences of Parallel UD with trees, translations and the links that people drew."""

    def __init__(self, data: str) -> None:
        folder = Path(data) / "pud-aligned" / "en-jp"
        self.trees, target = (
            read_trees(ByteSource(str(folder / f"{name}.conllu.gz"))).first_parses()
            for name in ("en", "target")
        )
        self.english, self.japanese = (
            [" ".join(words) for words in side.sentences()] for side in (self.trees, target)
        )
        self.manual = read_parallel_links(str(folder / "alignment.json.gz"))

    def links(self, kind: str) -> LinkBatch:
        """Return the links that people drew, or an aligner that has seen all these sentences and nothing else."""
        if kind == MANUAL:
            return self.manual
        return kilter.align(self.english, self.japanese, aligner=kind, tokenize="none")

    def scores(self, links: LinkBatch) -> Floats:
        """Return the FRS of the even sentences by references from links: a row for each rule set."""
        made = kilter.reorder.make(self.english, links)
        found = kilter.preorder.evaluate({"gold": self.trees}, RULES, made)
        rows = [found.scores["frs", f"P1R{number + 1}"] for number in range(len(RULES))]
        return np.stack(rows)[:, 1::2]


def interval(values: Floats) -> str:
    """Return the mean of sentences with its interval."""
    sums = bootstrap_sums(values[np.newaxis, :, np.newaxis]).resampled()[:, :, 0]
    low, high = percentile_intervals(sums / len(values))[0]
    return f"{values.mean():.3f} [{low:.3f}, {high:.3f}]"


def ranking(scores: Floats) -> str:
    """Return the rule sets, the best first; = between two whose difference may be chance."""
    order = np.argsort(-scores.mean(axis=1), kind="stable").tolist()
    text = RULES[order[0]]
    for better, worse in pairwise(order):
        gap = scores[better] - scores[worse]
        sums = bootstrap_sums(gap[np.newaxis, :, np.newaxis]).resampled()[:, :, 0]
        low, _ = percentile_intervals(sums / len(gap))[0]
        text += f" {'>' if low > 0 else '='} {RULES[worse]}"
    return text


def rows(corpus: Corpus, kinds: Sequence[str]) -> Iterator[str]:
    """Yield the row of each kind of links."""
    manual = corpus.scores(corpus.manual)
    for kind in kinds:
        links = corpus.links(kind)
        scores = corpus.scores(links)
        sides = (GradedLinks(each, each) for each in (links, corpus.manual))
        drawn = compare_links((kind, MANUAL), *sides, lengths=TextLengths(None, None))
        found = segment_correlation(
            manual, scores, coefficient=Coefficient.PEARSON, grouping=Grouping.POOLED
        )
        low, high = percentile_intervals(found.resampled[np.newaxis])[0]
        cells = [
            f"`{kind}`" if kind != MANUAL else "by people",
            *(["-"] * 2 if kind == MANUAL else [f"{drawn.f1.value:.3f}", f"{drawn.aer.value:.3f}"]),
            *(interval(scores[RULES.index(name)]) for name in SHOWN),
            ranking(scores),
            "-" if kind == MANUAL else f"{found.value:.3f} [{low:.3f}, {high:.3f}]",
        ]
        yield f"| {' | '.join(cells)} |\n"


def measured() -> list[str]:
    """Return the rows of the page's table, without its head."""
    found = BLOCK.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    return found[2].splitlines(keepends=True)[2:]


def main(data: str) -> None:
    """Measure the table and write it into the page."""
    text = PAGE.read_text(encoding="utf-8")
    names = ["links", "F1", "AER", *(f"FRS {name}" for name in SHOWN)]
    names += ["ranking", "r with FRS by people's"]
    head = f"| {' | '.join(names)} |\n|{' --- |' * len(names)}\n"
    listed = "".join(rows(Corpus(data), [MANUAL, *AUTOMATIC]))
    PAGE.write_text(BLOCK.sub(lambda m: m[1] + head + listed + m[3], text), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
