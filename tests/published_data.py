"""Data of published tables, where it lies beside the repository."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "shared" / "data"
DATA = str(FOLDER)


def needs_data(name: str) -> pytest.MarkDecorator:
    """Return the mark of a test that is skipped where a data set does not lie beside the repository."""
    return pytest.mark.skipif(not (FOLDER / name).is_dir(), reason=f"{FOLDER / name} is not there")
