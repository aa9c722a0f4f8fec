"""Columns as pages: what repeats is stored once."""

import numpy as np

from tests.render.table.test_encoded_parquet import LIKE, written


def test_what_is_no_number_is_null() -> None:
    found = written({"score": np.array([0.5, np.nan, 0.5, np.inf])}, like={"score": np.empty(0)})
    assert found.read().column("score").to_pylist() == [0.5, None, 0.5, np.inf]


def test_values_that_repeat_are_stored_once() -> None:
    scores = np.repeat(np.arange(300.0), 4)
    columns = {
        "many": np.arange(1200.0),
        "few": np.random.default_rng(1).permutation(scores),
        "one": np.zeros(1200, dtype=np.int64),
    }
    found = written(columns, like={name: column[:0] for name, column in columns.items()})
    assert found.read().to_pydict() == {name: column.tolist() for name, column in columns.items()}
    many, few, one = (found.metadata.row_group(0).column(k).total_compressed_size for k in range(3))
    assert many > 1200 * 8
    assert few < 300 * 8 + 1200 * 9 // 8 + 100
    assert one < 100


def test_a_single_long_order_is_as_large_as_its_numbers() -> None:
    order = np.random.default_rng(1).permutation(5000).astype(np.int32)
    found = written({"order": (order, np.array([0, 5000]))}, like={"order": LIKE["order"]})
    assert found.read().column("order").to_pylist() == [(order + 1).tolist()]
    assert found.metadata.row_group(0).total_byte_size < 4 * 5000 + 5000 // 8 + 200
