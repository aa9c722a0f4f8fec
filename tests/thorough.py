"""How much is tried: a part of everything in `make test`, all of it in `make test-all`.

Every law, oracle and page in a browser is in both. What differs is the number of examples, seeds and
variants; `make test-all` passes `--thorough` to pytest, which chooses the profile of hypothesis before
any test is imported.
"""

from collections.abc import Collection, Iterable
from typing import Any, TypeVar

import pytest
from hypothesis import settings

QUICK_EXAMPLES = 4
ALL_EXAMPLES = 100
_FEWEST = 2

Tried = TypeVar("Tried")


def examples(count: int) -> settings:
    """Return settings that draw this many examples, or in `make test` the same share as elsewhere."""
    share = settings().max_examples / ALL_EXAMPLES
    return settings(max_examples=min(count, max(_FEWEST, round(count * share))))


def tried(count: Tried, *, quick: Tried) -> Tried:
    """Return how many seeds, what length or which cases: the first in `make test-all`, else the second."""
    return count if settings().max_examples == ALL_EXAMPLES else quick


def some(values: Iterable[Any], *, quick: Collection[Any], rows: bool = False) -> list[Any]:
    """Return parameters of which `make test` takes those in `quick` only; rows hold several arguments."""
    listed = [*values]
    assert quick, "make test keeps at least one variant"
    assert all(value in listed for value in quick), f"{quick} are not all among the values"
    return [
        value
        if value in quick
        else pytest.param(*(value if rows else (value,)), marks=pytest.mark.thorough)
        for value in listed
    ]
