"""A column holds the attribute that it names, in every table of every report.

Reports are found by what they return and how they are called; one without a case fails.
"""

from importlib import import_module
from pathlib import Path

import pytest

from tests.reports.cases import CASES, NAMESPACE, PLAIN, reports
from tests.reports.distinct import Book

# Each of them adds its cases when it is imported.
FILES = tuple(
    import_module(f"tests.reports.{path.stem}")
    for path in sorted(Path(__file__).parent.glob("*_cases.py"))
)


@pytest.fixture
def book() -> Book:
    return Book(NAMESPACE)


def test_every_report_has_a_case_and_every_case_a_report() -> None:
    assert set(reports()) - PLAIN == set(CASES)
    assert {function.__module__ for function in CASES.values()} == {file.__name__ for file in FILES}


@pytest.mark.parametrize("name", sorted(set(reports()) - PLAIN))
def test_columns_hold_the_attributes_that_they_name(
    name: str, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    CASES[name](book, monkeypatch)
