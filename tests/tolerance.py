"""When two scores are equal."""

from typing import Any

import pytest


def close(expected: Any, *, absolute: float = 1e-12) -> Any:
    """Return what compares equal to `expected` up to a relative 1e-9; it may be exact, or many."""
    if isinstance(expected, list | tuple):
        plain: Any = [float(value) for value in expected]
    else:
        plain = expected if hasattr(expected, "dtype") else float(expected)
    return pytest.approx(plain, rel=1e-9, abs=absolute)
