"""Contests: one load, Kilter and its peers, and how far their answers agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.comparison import loads

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.comparison.measured import Load, Measured

SEPARATE = {"edist", "eflomal"}
"""Peers of another licence, in an environment of their own."""


@dataclass(frozen=True, kw_only=True)
class Contest:
    """Tools on loads of the same kind; a slow peer gets a smaller one, and rates are per item."""

    name: str
    title: str
    item: str
    load: Callable[[int], Load]
    own: str
    count: int
    peers: dict[str, int]
    """Peers, with how many items each is given."""
    note: str = ""
    rounds: int = 3


@dataclass(frozen=True, kw_only=True)
class Row:
    """One tool in a contest."""

    measured: Measured
    count: int
    own_rate: float
    """Kilter's items a CPU second; NaN for Kilter itself."""
    agreement: str

    @property
    def rate(self) -> float:
        """Items a CPU second."""
        return self.count / self.measured.seconds

    @property
    def ratio(self) -> float:
        """How many times as long as Kilter it takes."""
        return self.own_rate / self.rate


def agreement(own: tuple[float, ...], other: tuple[float, ...]) -> str:
    """Return in words how far two lists of answers agree."""
    if len(own) != len(other):
        return f"{len(other)} answers, Kilter {len(own)}"
    one, two = np.array(own), np.array(other)
    apart = np.abs(one - two)
    same = int((apart <= 1e-6).sum())
    if len(own) == 1:
        return "the same" if same else f"{other[0]:.4f}, Kilter {own[0]:.4f}"
    if same == len(own):
        return f"all {len(own)} the same"
    spread = one.std() > 0 and two.std() > 0
    r = f", r {np.corrcoef(one, two)[0, 1]:.3f}" if spread else ""
    return f"{same} of {len(own)} the same, at most {apart.max():.3f} apart{r}"


CONTESTS = (
    Contest(
        name="kendall", title="Kendall's distance of 25 words", item="permutations",
        load=loads.permutations, own="kilter kendall", count=20_000,
        peers={"scipy kendalltau": 400, "nltk kendall_tau": 4000, "permuta inversions": 2000},
        note="Kilter computes all ten permutation scores in that time, and checks the input.",
    ),
    Contest(
        name="spearman", title="Spearman's distance of 25 words", item="permutations",
        load=loads.permutations, own="kilter spearman", count=20_000, peers={"scipy spearmanr": 400},
        note="Kilter computes all ten permutation scores in that time, and checks the input.",
    ),
    Contest(
        name="simple", title="Is a permutation of 25 words simple (one operator)?", item="permutations",
        load=loads.permutations, own="kilter simple", count=20_000, peers={"permuta is_simple": 1000},
        note="Kilter computes all ten permutation scores in that time, and checks the input.",
    ),
    Contest(
        name="ribes", title="RIBES of segments", item="segments", load=loads.texts, own="kilter ribes",
        count=3000, peers={"nltk ribes": 600, "compare-mt ribes": 600},
        note="nltk looks at context to the right first, which is another choice of links.",
    ),
    Contest(
        name="meteor", title="METEOR of segments, exact matches, parameters of 2005", item="segments",
        load=loads.texts, own="kilter meteor", count=3000,
        peers={"nltk meteor": 1000, "METEOR 1.5 (Java)": 3000},
        note="METEOR 1.5 keeps its start of a Java machine, and searches with a beam; nltk matches greedily.",
    ),
    Contest(
        name="wer", title="Word error rate of a corpus", item="segments", load=loads.texts,
        own="kilter wer", count=3000, peers={"jiwer wer": 3000},
    ),
    Contest(
        name="bleu", title="BLEU of a corpus, from raw text", item="segments", load=loads.texts,
        own="kilter bleu", count=3000, peers={"sacreBLEU bleu": 3000},
        note="Kilter keeps the statistics of every segment.",
    ),
    Contest(
        name="chrf", title="chrF of a corpus, from raw text", item="segments", load=loads.texts,
        own="kilter chrf", count=3000, peers={"sacreBLEU chrf": 3000},
    ),
    Contest(
        name="ter", title="TER of a corpus, from raw text", item="segments", load=loads.texts,
        own="kilter ter", count=300, peers={"sacreBLEU ter": 300}, rounds=1,
    ),
    Contest(
        name="bootstrap", title="Paired bootstrap of BLEU, 8 systems, 1000 resamples, with the statistics",
        item="segments", load=loads.systems, own="kilter paired bootstrap", count=3000,
        peers={"sacreBLEU paired bootstrap": 3000}, rounds=1,
        note="Kilter tests all 28 pairs, sacreBLEU the seven with the first system. `python -m benchmarks "
        "resampling` measures resampling without the statistics.",
    ),
    Contest(
        name="trees", title="Tree edit distance of 10 to 60 words", item="pairs", load=loads.trees,
        own="kilter dted", count=600, peers={"zss": 40, "apted": 60, "edist": 600},
        note="Kilter computes four cost models in that time, the others one.",
    ),
    Contest(
        name="links", title="Word links by a statistical aligner, F1 with the true links", item="pairs",
        load=loads.bitext, own="kilter hmm", count=3000, peers={"eflomal": 3000}, rounds=1,
        note="Both directions are intersected for eflomal; Kilter's `hmm` has its default.",
    ),
)  # fmt: skip
