"""How metrics take changes: notes, and documents without NaN."""

import json

from kilter.core.estimate import Estimate
from kilter.results.sensitivity_result import (
    LabelResult,
    PerturbationResult,
    Reaction,
    Separation,
)

UNDEFINED = Estimate()


def test_what_is_undefined_is_null() -> None:
    made = PerturbationResult(
        resamples=9, seed=1, lexical=("synonym",), kinds={"swap": 2, "synonym": 1}, unchanged=0,
        signatures={"pef": "pef|v"},
        metrics={"pef": {"swap": Reaction(2, 1, 1, 0, 0, Estimate(0.5, 0.0, 1.0), UNDEFINED)}},
    )  # fmt: skip
    document = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert document["kinds"]["synonym"] == {"items": 1, "lexical": True}
    swap = document["metrics"]["pef"]["kinds"]["swap"]
    assert swap["noticed"] == {"value": 0.5, "low": 0.0, "high": 1.0}
    assert swap["drop"] == {"value": None, "low": None, "high": None}
    assert made.notes == []


def test_texts_that_did_not_change_are_spoken_of() -> None:
    made = PerturbationResult(
        resamples=9, seed=1, lexical=(), kinds={}, unchanged=3, signatures={}, metrics={}
    )
    assert made.notes == ["3 pairs left out: the perturbed text is the original"]


def test_why_there_is_no_area_at_equal_length_is_said() -> None:
    def labelled(pairs: int) -> LabelResult:
        both = Separation(Estimate(0.7, 0.6, 0.8), 12), Separation(UNDEFINED, pairs)
        return LabelResult(
            resamples=9, seed=1, window=2, outputs=70, wrong=30, signatures={"pef": "pef|v"},
            metrics={"pef": both},
        )  # fmt: skip

    assert labelled(1).notes == []
    (note,) = labelled(0).notes
    assert "up to 2 words; a wider window may help" in note
    assert labelled(0).to_dict()["metrics"]["pef"]["matched_auc"]["value"] is None
