"""Scores in columns and their way out."""

import sys
from typing import Any

import numpy as np
import pytest

import kilter
from kilter import ScoreTable
from kilter.core.errors import MissingToolError


@pytest.fixture
def table() -> ScoreTable:
    return kilter.permutation_scores([[0, 2, 1], [0, 1], []])


def test_columns_are_found_by_name(table: ScoreTable) -> None:
    assert table["kendall"].tolist() == [2 / 3, 1.0, 0.0]
    assert "kendall" in table
    assert "bleu" not in table
    assert len(table) == 3
    assert list(table) == list(table.names)
    with pytest.raises(KeyError):
        table["bleu"]


def test_numpy_has_one_column_for_each(table: ScoreTable) -> None:
    array = table.to_numpy()
    assert array.shape == (3, len(table.names))
    assert array.dtype == np.float64
    for place, name in enumerate(table):
        assert array[:, place].tolist() == [float(value) for value in table[name]]


def test_numpy_has_a_field_for_each_column_where_some_hold_text() -> None:
    table = kilter.score({"one": ["a b"], "other": ["b a"]}, ["a b"], metrics=["kendall"]).segments
    array = table.to_numpy()
    assert array.dtype.names == table.names
    assert array["score"].dtype == np.float64
    assert array.tolist() == [("one", 1, "kendall", 1.0), ("other", 1, "kendall", 0.0)]


def test_arrow_and_pandas_hold_the_same(table: ScoreTable) -> None:
    arrow, frame = table.to_arrow(), table.to_pandas()
    assert arrow.column_names == list(frame.columns) == list(table.names)
    for name in table:
        assert arrow[name].to_pylist() == frame[name].tolist() == table[name].tolist()


def test_a_table_without_columns_is_empty() -> None:
    table = ScoreTable({})
    assert (len(table), table.names, table.to_numpy().shape) == (0, (), (0, 0))


def test_it_introduces_itself(table: ScoreTable) -> None:
    assert repr(table).startswith("ScoreTable(3 segments x 15 columns: kendall, kendall-sqrt,")


@pytest.mark.parametrize(("package", "extra"), [("pyarrow", "arrow"), ("pandas", "pandas")])
def test_a_missing_package_is_named_with_its_install_command(
    monkeypatch: pytest.MonkeyPatch, table: ScoreTable, package: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    convert: Any = table.to_arrow if package == "pyarrow" else table.to_pandas
    with pytest.raises(MissingToolError, match=rf"pip install 'kilter\[{extra}\]'") as caught:
        convert()
    assert caught.value.exit_code == 4
