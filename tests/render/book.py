"""The fixture of tests of reports."""

import pytest

from tests.render.cases import NAMESPACE
from tests.render.distinct import Book


@pytest.fixture
def book() -> Book:
    """Return where results are made whose values all differ."""
    return Book(NAMESPACE)
