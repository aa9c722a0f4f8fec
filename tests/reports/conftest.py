"""What tests of reports share."""

import pytest

from tests.reports.cases import NAMESPACE
from tests.reports.distinct import Book


@pytest.fixture
def book() -> Book:
    """Return where results are made whose values all differ."""
    return Book(NAMESPACE)
