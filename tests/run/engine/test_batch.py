"""Rows of a batch, as messages name them."""

from kilter.run.engine.engine import Batch


def test_a_batch_names_its_rows() -> None:
    assert Batch(data=None, first=7, rows=3).place == "rows 7 to 9"
    assert Batch(data=None, first=7, rows=1).place == "row 7"
