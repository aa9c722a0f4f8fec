"""How much is tried: a part of everything in `make test`, all of it in `make test-all`.

Every law, oracle and page in a browser is in both. What differs is the number of examples, seeds and
variants; `make test-all` passes `--thorough` to pytest, which chooses the profile of hypothesis before
any test is imported. Who names files or tests has all their variants but those marked as thorough.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any, TypeVar
from zlib import crc32

import pytest
from hypothesis import settings

QUICK_EXAMPLES = 4
ALL_EXAMPLES = 100
_FEWEST = 2
_MANY = 3
"""Up to so many variants of a test are all tried by a run of everything."""
_SHARE = 5
"""Of more variants, each fifth is, the first and the last."""

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


def spread(tests: Iterable[str]) -> set[str]:
    """Return the tests, by their names with variants, that a run of everything keeps.

    Where the count begins depends on the name of the test, so that of tests that ask something of each
    metric, not all ask the same fifth of them.
    """
    variants: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        variants[test.partition("[")[0]].append(test)
    kept: set[str] = set()
    for name, found in variants.items():
        if len(found) <= _MANY:
            kept.update(found)
        else:
            kept.update(found[crc32(name.encode()) % _SHARE :: _SHARE], (found[0], found[-1]))
    return kept
