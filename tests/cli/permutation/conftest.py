"""What tests of these commands share."""

from pathlib import Path

import pytest


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    path = tmp_path / "orders.txt"
    path.write_text("1 2 3\n2 4 5 6 1 3\n[3,2,1]\n", encoding="utf-8")
    return path
