"""When two scores are equal."""

from typing import Any

import pytest


def close(expected: Any, *, absolute: float = 1e-12, nan_ok: bool = False) -> Any:
    """Return what compares equal to `expected` up to a relative 1e-9; it may be exact, or many."""
    if isinstance(expected, dict):
        return pytest.approx(expected, rel=1e-9, abs=absolute, nan_ok=nan_ok)
    if isinstance(expected, list | tuple):
        plain: Any = [float(value) for value in expected]
    else:
        plain = expected if hasattr(expected, "dtype") else float(expected)
    return pytest.approx(plain, rel=1e-9, abs=absolute, nan_ok=nan_ok)
