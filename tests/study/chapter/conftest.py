"""What tests of chapters share with those of other tables."""

from tests.render.conftest import book

__all__ = ["book"]
