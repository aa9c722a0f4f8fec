"""Errors by category and severity."""

from pathlib import Path

import pytest

from kilter.io.judgments.reader import read_judgments
from tests.io.judgments.files import file, given_scores
from tests.tolerance import close


def test_errors_weigh_by_severity_and_category(tmp_path: Path) -> None:
    rows = [
        "A\t1\tr1\tAccuracy/Omission\tMajor",
        "A\t1\tr1\tFluency/Punctuation\tMinor",
        "A\t1\tr2\tNo-error\tNo-error",
        "B\t1\tr1\tNon-translation!\tMajor",
        "B\t2\tr1\tStyle\tNeutral",
    ]
    found = read_judgments(file(tmp_path, "system\tseg_id\trater\tcategory\tseverity", *rows))
    assert given_scores(found) == {(1, "A"): close(-5.1 / 2), (1, "B"): -25.0, (2, "B"): 0.0}
    assert found.counts["judges"] == 2


def _mqm_weight(category: str, severity: str) -> float:
    """Return the weight of an error by the table of weights, row by row. Freitag et al. (2021)"""
    if severity in ("Major", "Critical"):
        return 25.0 if severity == "Major" and category == "Non-translation!" else 5.0
    if severity == "Minor":
        return 0.1 if category == "Fluency/Punctuation" else 1.0
    return 0.0


MQM_CATEGORIES = ["Non-translation!", "Fluency/Punctuation", "Accuracy/Omission", "Style"]


@pytest.mark.parametrize("severity", ["Major", "Critical", "Minor", "Neutral", "No-error"])
@pytest.mark.parametrize("category", MQM_CATEGORIES)
def test_every_severity_weighs_as_the_table_says_in_every_category(
    category: str, severity: str, tmp_path: Path
) -> None:
    rows = [f"A\t1\tr1\t{category}\t{severity}", f"A\t1\tr1\t{category}\t{severity}"]
    found = read_judgments(file(tmp_path, "system\tseg_id\trater\tcategory\tseverity", *rows))
    assert given_scores(found) == {(1, "A"): close(-2 * _mqm_weight(category, severity))}
