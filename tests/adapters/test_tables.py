"""Columns of pandas and of Hugging Face datasets go in, and scores come out as columns."""

import pandas as pd
import pytest

import kilter

OUTPUT = ["the mat sat on the cat", "she sleeps", "he reads a book"]
TARGET = ["the cat sat on the mat", "she sleeps", "a book he reads"]
EXPECTED = kilter.score(OUTPUT, TARGET, metrics=["kendall", "bleu"])


def test_columns_of_pandas() -> None:
    frame = pd.DataFrame({"mt": OUTPUT, "ref": TARGET})
    result = kilter.score(frame["mt"], frame["ref"], metrics=["kendall", "bleu"])
    assert result.to_dict() == EXPECTED.to_dict()
    wide = frame.assign(kendall=result.segment_arrays["kendall", "system"])
    long = result.segments.to_pandas()
    assert wide["kendall"].tolist() == long[long["metric"] == "kendall"]["score"].tolist()


def test_columns_of_datasets() -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    dataset = datasets.Dataset.from_dict({"mt": OUTPUT, "ref": TARGET})
    result = kilter.score(dataset["mt"], dataset["ref"], metrics=["kendall", "bleu"])
    assert result.to_dict() == EXPECTED.to_dict()
    wide = dataset.add_column("kendall", result.segment_arrays["kendall", "system"])
    assert wide["kendall"][:] == EXPECTED.segment_arrays["kendall", "system"].tolist()
    long = datasets.Dataset(result.segments.to_arrow())
    assert long["score"][:] == EXPECTED.segments["score"].tolist()
