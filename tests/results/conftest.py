"""The fixture that tests of results share with those of reports."""

from tests.render.book import book

__all__ = ["book"]
