"""What all metrics of reordered sentences share: averages, references, words left out."""

import numpy as np

import kilter
from kilter.core.reordering import OrderMatch
from kilter.metrics.reordering_metric import CorpusAverage
from kilter.metrics.tied_order import TiedKendall
from tests.tolerance import close

# Two segments: 1 of 1 pair right, 0 of 3.
MATCH = OrderMatch(np.array([0, 1, 2, 1, 0], dtype=np.int32), np.array([0, 2, 5]))


def test_a_corpus_is_the_mean_of_segments_or_one_share_of_all_pairs() -> None:
    for average, score in ((CorpusAverage.MEAN, 1 / 2), (CorpusAverage.POOLED, 1 / 4)):
        metric = TiedKendall(average=average)
        sums = metric.match_statistics(MATCH).sum(axis=0)
        assert float(metric.corpus_score(sums)) == close(score)


def test_nothing_that_could_be_wrong_is_right_and_no_segment_scores_0() -> None:
    alone = OrderMatch(np.zeros(1, dtype=np.int32), np.array([0, 1]))
    for average in CorpusAverage:
        metric = TiedKendall(average=average)
        assert float(metric.corpus_score(metric.match_statistics(alone).sum(axis=0))) == 1.0
    assert float(TiedKendall().corpus_score(np.zeros(2))) == 0.0


def test_leaving_words_out_does_not_win_under_the_penalty_and_leaving_all_never() -> None:
    def scored(links: list[tuple[int, int]], metric: str = "frs:penalty=true") -> float:
        given = kilter.Links(
            source_hypothesis=(kilter.LinkBatch.of([links]),),
            source_reference=(kilter.LinkBatch.of([[(k, k) for k in range(4)]]),),
        )
        result = kilter.score(
            ["a b c d"],
            ["a b c d"],
            source=["a b c d"],
            links=given,
            metrics=metric,
            tokenize="none",
        )
        score = result.system[metric].score
        assert score is not None
        return score

    whole = scored([(k, k) for k in range(4)])
    assert whole == close(1.0)
    assert scored([(0, 0), (1, 1)]) < whole
    assert scored([(0, 0), (1, 1)], "frs") == whole  # as published: the order is right
    assert scored([], "frs") == scored([]) == 0.0
