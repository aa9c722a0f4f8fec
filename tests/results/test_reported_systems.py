"""What a report holds, and how it tells it."""

import json
from math import isnan

import numpy as np

from kilter.results.reported_systems import NgramCount, WordAccuracy
from tests.render.page.reported import sample_report, small_report

LINES = ["a b c d", "e f g h"]
TURNED = ["d c b a", "h g f e"]


def test_ranks_count_from_the_best_and_equals_share_the_better_place() -> None:
    report = small_report(turned=TURNED, right=LINES, same=LINES)
    assert report.ranks("kendall") == (3, 1, 1)


def test_where_less_is_better_the_least_is_first() -> None:
    import kilter

    systems = {"turned": TURNED, "right": LINES}
    assert kilter.report(systems, LINES, metrics="wer").ranks("wer") == (2, 1)


def test_f1_is_that_of_precision_and_recall_and_undefined_without_words() -> None:
    found = WordAccuracy(
        labels=("1", "2", "3"),
        wanted=np.array([4, 0, 2]),
        produced=np.array([[2, 0, 2]]),
        matched=np.array([[1, 0, 2]]),
        recalled=np.array([[1, 0, 2]]),
    ).f1[0]
    precision, recall = 1 / 2, 1 / 4
    assert found[0] == 2 * precision * recall / (precision + recall)
    assert isnan(found[1])
    assert found[2] == 1.0


def test_shares_of_matches_are_smoothed_by_one() -> None:
    assert NgramCount(words=("a",), first=0, second=0).share == 0.5
    assert NgramCount(words=("a",), first=3, second=0).share == 4 / 5


def test_the_document_is_json_with_null_for_what_is_undefined() -> None:
    document = sample_report().to_dict()
    text = json.dumps(document, allow_nan=False)
    assert json.loads(text) == document
    assert document["schema"] == "kilter.report/1"
    assert any(None in row for row in document["lengths"]["scores"]["kendall"])
