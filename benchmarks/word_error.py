"""WER, PER, CDER and NIST: speed, beside jiwer and NLTK where they are installed."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.timing import best_seconds
from kilter.core.corpus import TextColumn, Vocabulary
from kilter.core.evaluation import Evaluation
from kilter.metrics.cder import Cder
from kilter.metrics.nist import Nist
from kilter.metrics.per import Per
from kilter.metrics.wer import Wer

if TYPE_CHECKING:
    from collections.abc import Callable

    from kilter.metrics.metric import Metric

SEGMENTS = 3000


def run() -> None:
    print(f"word errors: {SEGMENTS} segments of about 25 words, segments per CPU second")
    hypotheses, references = _texts()
    evaluation = _evaluation(hypotheses, references)
    for metric in (Wer(), Per(), Cder(), Nist()):

        def measure(metric: Metric = metric) -> None:
            evaluation.kept.clear()  # WER, PER and CDER are counted together
            metric.measure(evaluation)

        taken = best_seconds(measure)
        print(f"  kilter {metric.name:<5} {SEGMENTS / taken:>12,.0f}")
    _peer("jiwer", "wer", _jiwer, Wer(), hypotheses, references)
    _peer("nltk", "nist", _nltk, Nist(), hypotheses, references)


def _peer(
    package: str,
    name: str,
    score: Callable[[list[list[str]], list[list[str]]], float],
    metric: Metric,
    hypotheses: list[list[str]],
    references: list[list[str]],
) -> None:
    if find_spec(package) is None:
        print(f"  {package:<6} {name:<5} is not installed")
        return
    rows = metric.measure(_evaluation(hypotheses, references)).statistics
    ours, theirs = float(metric.corpus_score(rows.sum(axis=0))), score(hypotheses, references)
    assert abs(ours - theirs) < 1e-9, (package, ours, theirs)
    taken = best_seconds(lambda: score(hypotheses, references), rounds=3)
    print(f"  {package:<6} {name:<5} {SEGMENTS / taken:>12,.0f}   the same score, {theirs:.6f}")


def _jiwer(hypotheses: list[list[str]], references: list[list[str]]) -> float:
    lines = [[" ".join(words) for words in side] for side in (references, hypotheses)]
    return float(import_module("jiwer").wer(*lines))


def _nltk(hypotheses: list[list[str]], references: list[list[str]]) -> float:
    scorer = import_module("nltk.translate.nist_score")
    return float(scorer.corpus_nist([[words] for words in references], hypotheses, n=5))


def _texts() -> tuple[list[list[str]], list[list[str]]]:
    """Return references of words as frequent as in a language, and edited copies of them."""
    random = np.random.default_rng(1)
    hypotheses, references = [], []
    for length in random.integers(5, 46, SEGMENTS):
        words = np.minimum(random.zipf(1.3, length), 20_000)
        edited = np.where(random.random(length) < 0.3, random.zipf(1.3, length) % 20_000, words)
        cut = int(random.integers(length))
        references.append([str(word) for word in words])
        hypotheses.append([str(word) for word in (*edited[cut:], *edited[:cut])])
    return hypotheses, references


def _evaluation(hypotheses: list[list[str]], references: list[list[str]]) -> Evaluation:
    vocabulary = Vocabulary()
    texts = [
        TextColumn(name, tuple(map(" ".join, side)), vocabulary.column(side))
        for name, side in (("hypothesis", hypotheses), ("reference", references))
    ]
    return Evaluation(vocabulary, texts[0], (texts[1],))
