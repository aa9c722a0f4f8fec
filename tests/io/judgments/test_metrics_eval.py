"""Folders of mt-metrics-eval."""

from pathlib import Path

import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.io.judgments.reader import read_judgments
from tests.io.judgments.files import file, given_scores


def test_human_scores_that_differ_by_rounding_are_tied(tmp_path: Path) -> None:
    rows = ["A 1 0.8", "A 1 0.4", "B 1 0.6", "C 1 0.8", "A 2 0.1", "B 2 0.2", "C 2 0.3"]
    rows += ["A 3 0.6", "B 3 0.9", "C 3 0.7"]
    lines = [row.replace(" ", "\t") for row in rows]
    found = read_judgments(file(tmp_path, "system\tseg\tscore", *lines))
    ties = [
        int(np.count_nonzero(found.with_pairs(threshold=threshold).pairs.outcome == 0))
        for threshold in (0.0, 0.1, 0.2, 0.3)
    ]
    assert ties == [1, 4, 8, 9]
    matrix = found.score_matrix(3)
    assert matrix[0, 0] == matrix[1, 0]


def test_a_folder_of_mt_metrics_eval_holds_human_scores(tmp_path: Path) -> None:
    rows = ["A\t-1.0", "A\tNone", "B\t0.0", "B\t-5.0"]
    path = file(tmp_path, *rows, name="human-scores/en-de.mqm.seg.score")
    for where in (str(tmp_path), path):
        found = read_judgments(where)
        assert given_scores(found) == {(1, "A"): -1.0, (1, "B"): 0.0, (2, "B"): -5.0}
        assert found.counts == {"rows": 4, "scores": 3, "missing": 1}
    file(tmp_path, *rows, name="human-scores/en-de.wmt.seg.score")
    with pytest.raises(InputError, match="2 of its files of human segment scores fit") as raised:
        read_judgments(str(tmp_path))
    assert str(raised.value).endswith("choose one, such as judgment_name='mqm'")
    file(tmp_path, *rows, name="human-scores/zh-en.mqm.seg.score")
    with pytest.raises(InputError, match="3 of its files") as raised:
        read_judgments(str(tmp_path))
    assert raised.value.for_command().endswith("choose one, such as --pair en-de")
    assert read_judgments(str(tmp_path), pair="en-de", name="mqm").source == path
