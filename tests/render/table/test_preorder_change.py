"""Columns hold what they name: what an edit of a rule file did: systems and sentences that got better or worse."""

from typing import TYPE_CHECKING

import numpy as np

from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.preordering import PreorderEvaluation, PreorderSystem
from tests.render.distinct import Book
from tests.render.made_comparison import compared
from tests.render.written import pages, shown

if TYPE_CHECKING:
    from numpy.typing import NDArray


def test_a_change_names_systems_and_sentences(book: Book) -> None:
    systems = (
        PreorderSystem(name="P2R1", parser="second", rules="other"),
        PreorderSystem(name="P1R1", parser="first", rules="rules"),
    )
    comparison = compared(book, "P2R1", "P1R1")

    def evaluation(*scores: float) -> PreorderEvaluation:
        found: dict[tuple[str, str], NDArray[np.float64]] = {
            ("frs", "P1R1"): np.array(scores),
            ("frs", "P2R1"): np.ones(4),
        }
        return PreorderEvaluation(
            systems=systems, comparison=comparison, accuracies={}, scores=found
        )

    before = evaluation(0.5, 0.5, 0.5, 0.5)
    (table,) = pages(write_result, evaluation(0.6, 0.5, 0.9, 0.1).change_since(before))
    assert table == [
        {
            "metric": "frs", "system": "P1R1", "parser": "first", "rules": "rules",
            "change": "+0.0250", "better (most)": "2 (3 1)", "worse (most)": "1 (4)",
        }
    ]  # fmt: skip
    assert shown(before.change_since(before), TableFormat.TEXT) == "nothing has changed\n"
