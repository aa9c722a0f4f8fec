"""Segments in buckets."""

import numpy as np
import pytest

from kilter.run.demo import sample_texts
from kilter.run.explanation.word_accuracy import (
    distribution,
    length_buckets,
    length_differences,
)
from kilter.run.scoring.measurement import measure
from kilter.run.scoring.score import score_texts
from kilter.run.scoring.settings import Settings


def test_bins_cover_the_range_of_the_metric_and_hold_every_score() -> None:
    found = distribution([np.array([0.0, 0.049, 0.05, 1.0]), np.array([0.5] * 3)], (0.0, 1.0))
    assert (found.edges[0], found.edges[-1], len(found.edges)) == (0.0, 1.0, 21)
    assert found.counts.sum(axis=1).tolist() == [4, 3]
    assert found.counts[0, [0, 1, -1]].tolist() == [2, 1, 1]
    assert found.medians.tolist() == [pytest.approx(0.0495), 0.5]


def test_a_range_without_end_ends_at_the_last_score() -> None:
    found = distribution([np.array([1.0, 7.0])], (0.0, float("inf")))
    assert (found.edges[0], found.edges[-1]) == (0.0, 7.0)


def test_scores_beyond_the_range_have_bins_too() -> None:
    found = distribution([np.array([1.5, 0.5])], (0.0, 1.0))
    assert found.edges[-1] == 1.5
    assert found.counts.sum() == 2


def test_undefined_scores_are_in_no_bin_and_no_median() -> None:
    found = distribution([np.array([np.nan, 0.5]), np.array([np.nan, np.nan])], (0.0, 1.0))
    assert found.counts.sum(axis=1).tolist() == [1, 0]
    assert found.medians[0] == 0.5
    assert np.isnan(found.medians[1])


def test_no_score_at_all_still_has_bins() -> None:
    endless = (-float("inf"), float("inf"))
    assert distribution([np.zeros(0)], endless).edges[[0, -1]].tolist() == [0.0, 1.0]
    assert distribution([np.array([2.0, 2.0])], endless).counts.sum() == 2


def test_scores_of_a_bucket_are_corpus_scores_of_its_segments_alone() -> None:
    texts, settings = sample_texts(), Settings(metrics=("bleu", "kendall"))
    lengths = np.array([len(line.split()) for line in texts.references["reference.en"]])
    found = length_buckets(lengths, measure(texts, settings).measured)
    assert found.counts.sum() == len(lengths)
    for place, (least, most) in enumerate([(0, 9), (10, 19)]):
        rows = [n for n, length in enumerate(lengths) if least <= length <= most]
        assert found.counts[place] == len(rows)
        part = type(texts)(
            systems={name: [text[n] for n in rows] for name, text in texts.systems.items()},
            references={"r": [texts.references["reference.en"][n] for n in rows]},
        )
        scores = score_texts(part, settings).systems
        for metric in ("bleu", "kendall"):
            wanted = [scores[name][metric].score for name in texts.systems]
            assert found.scores[metric][:, place].tolist() == pytest.approx(wanted)
    assert found.labels[:2] == ("0 to 9", "10 to 19")
    assert found.labels[-1] == "60 or more"


def test_a_bucket_without_segments_has_no_score() -> None:
    found = length_buckets(np.array([5] * 48), measure(sample_texts(), Settings()).measured)
    assert np.isnan(found.scores["coverage"][:, 1:]).all()
    assert not np.isnan(found.scores["coverage"][:, 0]).any()


def test_differences_in_length_are_counted_for_each_system() -> None:
    reference = np.array([10, 10, 10, 40, 5])
    found = length_differences([np.array([10, 9, 12, 10, 30]), reference], reference)
    by_label = [dict(zip(found.labels, row, strict=True)) for row in found.counts.tolist()]
    told = {label: count for label, count in by_label[0].items() if count}
    assert told == {"below -20": 1, "-1": 1, "0": 1, "2": 1, "21 or more": 1}
    assert {label: count for label, count in by_label[1].items() if count} == {"0": 5}
