"""How much is tried: a part of everything in `make test`, all of it in `make test-all`.

Every law, oracle and page in a browser is in both. What differs is the number of examples, seeds and
variants; `make test-all` passes `--thorough` to pytest.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import settings

QUICK_EXAMPLES = 10
ALL_EXAMPLES = 100
_FEWEST = 5


def examples(count: int) -> settings:
    """Return settings that draw this many examples, or in `make test` the same share as elsewhere."""
    # The profile is chosen before any test is imported.
    share = settings().max_examples / ALL_EXAMPLES
    return settings(max_examples=min(count, max(_FEWEST, round(count * share))))


@dataclass(frozen=True)
class Extent:
    """Which of two numbers is tried, for tests that draw on their own."""

    everything: bool

    def of(self, count: int, *, quick: int) -> int:
        """Return the first number in `make test-all` and the second in `make test`."""
        return count if self.everything else quick


def some(values: Iterable[Any], *, quick: Collection[Any]) -> list[Any]:
    """Return parameters of which `make test` takes those in `quick` only."""
    listed = [*values]
    assert quick, "make test keeps at least one variant"
    assert all(value in listed for value in quick), f"{quick} are not all among the values"
    return [
        value if value in quick else pytest.param(value, marks=pytest.mark.thorough)
        for value in listed
    ]
