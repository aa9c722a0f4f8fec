"""Printed numbers: those that we could recompute, and their names."""

import pytest

from kilter.core.errors import OptionError
from kilter.metrics.citation import PUBLICATIONS
from kilter.metrics.registry import metric
from kilter.results.meta_result import AgreementMeasure
from kilter.run.meta.published import (
    data_sets,
    published_tables,
    published_values,
)


def test_printed_rows_are_metrics_as_they_are_asked_for() -> None:
    for table in published_tables():
        assert table.citation in PUBLICATIONS
        assert table.measure in list(AgreementMeasure)
        for name, row in table.values.items():
            assert metric(name).specification() == name
            assert len(row) == len(table.columns)


@pytest.mark.parametrize(
    ("measure", "name", "value"),
    [
        ("segment_tau", "full:order=kendall", 0.235),
        ("segment_tau", "full", 0.237),
        ("segment_tau", "full:order=pet", 0.234),
        ("system_spearman", "sen:order=pet-size", 0.918),
        ("system_spearman", "sen:order=max-op", 0.921),
        ("system_spearman", "sen:order=pet-count", 0.786),
    ],
)
def test_printed_numbers_of_german_english(measure: str, name: str, value: float) -> None:
    assert published_values("wmt13-de-en", [name])[measure][name].value == value


def test_an_unknown_data_set_is_refused() -> None:
    with pytest.raises(OptionError, match="there are numbers about wmt13-de-en"):
        published_values("moon", [])
    assert len(data_sets()) == 5
