"""How many judgments a comparison of means needs. Section 13.6"""

from __future__ import annotations


def sample_size(
    *,
    deviation: float,
    difference: float,
    level: float = 0.05,
    power: float = 0.8,
    comparisons: int = 1,
) -> int:
    """Return n = 2 (z_(1 - a / 2k) + z_(1 - b))^2 s^2 / d^2 per group, rounded up."""
    raise NotImplementedError
