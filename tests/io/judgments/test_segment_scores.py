"""The mean of what several people gave to one translation."""

from pathlib import Path

import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.io.judgments.segment_scores import mean_scores, ratings
from kilter.io.stream import ByteSource


def test_scores_of_one_translation_become_their_mean_at_the_first_line() -> None:
    scores = mean_scores(
        np.array([1, 0, 1, 1, 0]),
        np.array([0, 1, 0, 1, 1]),
        np.array([1.0, 0.25, 0.5, 0.0, 0.75]),
        np.array([5, 6, 7, 8, 9]),
    )
    rows = zip(
        *(x.tolist() for x in (scores.segment, scores.system, scores.value, scores.line)),
        strict=True,
    )
    assert sorted(rows) == [(0, 1, 0.5, 6), (1, 0, 0.75, 5), (1, 1, 0.0, 8)]


# Ratings as judgments: means of raters, names of systems, what is missing.


def source(folder: Path, *lines: str) -> ByteSource:
    path = folder / "r.tsv"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return ByteSource(str(path))


def test_ratings_are_scores_of_systems_by_their_outputs_names(tmp_path: Path) -> None:
    lines = [
        "system segment rater score",
        "newstest2013.de-en.b 2 x 5",
        "newstest2013.de-en.b 2 y 2",
        "a 1 x 1",
        "a 3 x na",
    ]
    found = ratings(source(tmp_path, *lines), known=["a", "b"])
    assert found.systems == ("b", "a")
    assert found.scores.segment.tolist() == [1, 0]
    assert found.scores.system.tolist() == [0, 1]
    assert found.scores.value.tolist() == [3.5, 1.0]
    assert found.scores.line.tolist() == [2, 4]
    assert found.counts == {"rows": 3, "judges": 2, "scores": 2, "missing": 1}


def test_ratings_of_several_things_are_refused(tmp_path: Path) -> None:
    lines = ["system segment metric rater score", "a 1 order x 1", "a 1 words x 1"]
    with pytest.raises(InputError, match="holds ratings of several things: order, words; keep one"):
        ratings(source(tmp_path, *lines))
