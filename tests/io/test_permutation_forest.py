"""The chart as JSON."""

import io
import json

import pytest

from kilter import Permutation
from kilter.io.permutation_tree import write_forest
from tests.golden import Case, cases


def written(pi: list[int]) -> str:
    out = io.StringIO()
    write_forest(Permutation.from_one_based(pi).forest(), out)
    return out.getvalue()


@pytest.mark.parametrize("case", cases("forests"), ids=lambda case: str(case["pi"]))
def test_forests_of_the_vectors_are_written_entry_by_entry(case: Case) -> None:
    text = written(case["pi"])
    assert text.count("\n") == 1
    assert text.endswith("\n")
    assert json.loads(text) == {
        "permutation": case["pi"],
        "spans": len(case["forest"]),
        "inferences": sum(len(entry["splits"]) for entry in case["forest"]),
        "entries": case["forest"],
    }


def test_no_words_have_a_chart_without_entries() -> None:
    assert json.loads(written([])) == {
        "permutation": [],
        "spans": 0,
        "inferences": 0,
        "entries": [],
    }
