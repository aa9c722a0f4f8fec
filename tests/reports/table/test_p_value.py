"""p-values as people read them."""

import pytest

from kilter.reports.table.p_value import p_cell


@pytest.mark.parametrize(
    ("p", "digits", "shown"),
    [
        (0.0, 4, "< 0.0001"),
        (9.9e-5, 4, "< 0.0001"),
        (1e-4, 4, "0.0001"),
        (0.0312, 4, "0.0312"),
        (1.0, 4, "1.0000"),
        (4e-4, 3, "< 0.001"),
        (1e-3, 3, "0.001"),
        (None, 4, "-"),
    ],
)
def test_no_p_value_is_written_as_nothing(p: float | None, digits: int, shown: str) -> None:
    assert p_cell(p, digits=digits) == shown
