"""`compute`, as metrics of Hugging Face `evaluate` offer it."""

import pytest

import kilter
from kilter.adapters.evaluate import compute
from kilter.core.errors import InputError
from kilter.run.scoring.settings import DEFAULT_METRICS

PREDICTIONS, REFERENCES = ["the mat sat on the cat", "a b"], ["the cat sat on the mat", "a b"]


def test_scores_come_by_metric_with_their_signatures() -> None:
    found = compute(predictions=PREDICTIONS, references=REFERENCES)
    result = kilter.score(PREDICTIONS, REFERENCES)
    signatures, notes = found.pop("signatures"), found.pop("notes")
    assert found == {name: result.system[name].score for name in DEFAULT_METRICS}
    assert signatures == result.signatures
    assert tuple(notes) == result.notes


def test_several_references_and_settings_are_passed_on() -> None:
    several = [[line, "x y z"] for line in REFERENCES]
    found = compute(predictions=PREDICTIONS, references=several, metrics=["f1"], lowercase=True)
    assert found["f1"] == 1.0
    assert "nrefs:2" in found["signatures"]["f1"]
    assert "case:lower" in found["signatures"]["f1"]


def test_other_lengths_are_refused() -> None:
    with pytest.raises(InputError, match="has 2 lines, but references has 1"):
        compute(predictions=PREDICTIONS, references=REFERENCES[:1])
