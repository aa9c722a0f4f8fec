"""The fixture that tests of reports share."""

from tests.render.book import book

__all__ = ["book"]
