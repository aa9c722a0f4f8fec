"""Columns hold what they name: what an edit of a rule file did: systems and sentences that got better or worse."""

import numpy as np

from kilter.render.table.preordering import write_change
from kilter.render.table.table import TableFormat
from tests.render.cases import case
from tests.render.written import pages, written


@case("write_change")
def test_columns_of_write_change_hold_what_they_name() -> None:
    before = {("frs", "P1R1"): np.array([0.5, 0.5, 0.5, 0.5]), ("frs", "P2R1"): np.ones(4)}
    after = {("frs", "P1R1"): np.array([0.6, 0.5, 0.9, 0.1]), ("frs", "P2R1"): np.ones(4)}
    systems = [("P2R1", "second", "other"), ("P1R1", "first", "rules")]
    (table,) = pages(write_change, systems, before, after)
    assert table == [
        {
            "metric": "frs", "system": "P1R1", "parser": "first", "rules": "rules",
            "change": "+0.0250", "better (most)": "2 (3 1)", "worse (most)": "1 (4)",
        }
    ]  # fmt: skip
    assert "nothing has changed" in written(
        write_change, systems, before, before, form=TableFormat.TEXT
    )
