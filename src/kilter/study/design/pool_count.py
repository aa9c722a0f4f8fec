"""The pool of a study, counted. [TH] table 6.2"""

from __future__ import annotations

from collections import Counter
from statistics import fmean
from typing import TYPE_CHECKING

from kilter.results.study import PoolCount, PoolStatistics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kilter.study.design.pool import Pool, PoolCorpus, PoolSentence


def pool_statistics(
    pool: Pool,
    corpora: Sequence[PoolCorpus],
    *,
    permutations: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> PoolStatistics:
    """Return the numbers of a pool by language pair and year.

    To count `permutations`, every one of them is made: of each sentence, every type and degree.
    """
    counts = _permutations(pool, progress) if permutations else None
    keys = sorted(
        {(corpus.files.pair, corpus.files.year) for corpus in corpora},
        key=lambda key: (key[0], key[1] or 0),
    )
    rows = [
        _count(
            pool,
            [corpus for corpus in corpora if (corpus.files.pair, corpus.files.year) == key],
            counts,
            key,
        )
        for key in keys
    ]
    return PoolStatistics(rows=tuple(rows), total=_count(pool, corpora, counts, (None, None)))


def _permutations(
    pool: Pool, progress: Callable[[int, int], None] | None
) -> dict[str, Counter[str]]:
    """Return how many permutations of each type the sentences of each corpus have."""
    counts: dict[str, Counter[str]] = {}
    for place, sentence in enumerate(pool.sentences):
        counts.setdefault(sentence.corpus.files.name, Counter()).update(
            str(kind)
            for kind in pool.study.drawn_types
            if pool.allows(sentence, kind)
            for degree in pool.study.degrees
            if pool.permutation(sentence, kind, degree).text is not None
        )
        if progress is not None:
            progress(place + 1, len(pool.sentences))
    return counts


def _count(
    pool: Pool,
    corpora: Sequence[PoolCorpus],
    counts: dict[str, Counter[str]] | None,
    key: tuple[str | None, int | None],
) -> PoolCount:
    names = {corpus.files.name for corpus in corpora}
    drawn = [sentence for sentence in pool.sentences if sentence.corpus.files.name in names]
    scores = [score for sentence in drawn if (score := _rank_score(sentence)) is not None]
    texts = [(sentence.reference, sentence.corpus.hypotheses[sentence.place]) for sentence in drawn]
    lengths = [[len(text.split()) for text in column] for column in zip(*texts, strict=True)]
    reference, hypothesis = map(fmean, lengths) if lengths else (None, None)
    made = (
        sum((counts.get(name, Counter()) for name in names), Counter[str]())
        if counts is not None
        else None
    )
    return PoolCount(
        pair=key[0],
        year=key[1],
        corpora=len(corpora),
        sentences=sum(len(corpus.usable()) for corpus in corpora),
        in_pool=len(drawn),
        reference_length=reference,
        hypothesis_length=hypothesis,
        ranked=len(scores),
        rank_score=fmean(scores) if scores else None,
        permutations=None
        if made is None
        else {str(kind): made[str(kind)] for kind in pool.study.drawn_types},
    )


def _rank_score(sentence: PoolSentence) -> float | None:
    return sentence.corpus.rank_scores.get(sentence.place)
