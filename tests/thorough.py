"""How much is tried: a part of everything in `make test`, all of it in `make test-all`.

Every file of tests is in both. What differs is the number of examples, seeds and variants, and the
tests of `tests/costly.txt`, which take so much processor time that others of their files stand for them;
`make test-all` passes `--thorough` to pytest, which chooses the profile of hypothesis before any test is
imported. Who names files or tests has all of them, and all their variants but those marked as thorough.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import pytest
from hypothesis import settings

QUICK_EXAMPLES = 4
ALL_EXAMPLES = 100
_FEWEST = 2
_MANY = 2
"""Up to so many variants of a test are all tried by a run of everything."""
_SHARE = 8
"""Of more variants, each eighth is, and at least one."""

_COSTLY = Path(__file__).with_name("costly.txt")

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
    metric, not all ask the same eighth of them.
    """
    variants: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        variants[_without_variant(test)].append(test)
    kept: set[str] = set()
    for name, found in variants.items():
        step = _SHARE if len(found) > _MANY else 1
        kept.update(found[crc32(name.encode()) % min(step, len(found)) :: step])
    return kept


def costly() -> list[str]:
    """Return the tests that only `make test-all` runs: `FILE::TEST`, or `FILE::TEST[VARIANT]`."""
    lines = _COSTLY.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def quick(tests: Collection[str], *, costly: Collection[str]) -> list[str]:
    """Return the tests, by their names with variants, that are not costly, in their order.

    A file all of whose tests are costly is an error, since then nothing would stand for it; so is a
    costly test that is not there, unless its whole file is missing.
    """
    names = set(costly)
    kept = [test for test in tests if test not in names and _without_variant(test) not in names]
    untested = sorted({_file(test) for test in tests} - {_file(test) for test in kept})
    if untested:
        raise ValueError(
            f"all tests of {', '.join(untested)} are in tests/costly.txt; take one of each out of "
            "it, so that 'make test' keeps a test of every file"
        )
    known = {*tests, *map(_without_variant, tests)}
    files = {_file(test) for test in tests}
    gone = sorted(name for name in names - known if _file(name) in files)
    if gone:
        raise ValueError(f"tests/costly.txt names tests that are not there: {', '.join(gone)}")
    return kept


def _without_variant(test: str) -> str:
    return test.partition("[")[0]


def _file(test: str) -> str:
    return test.partition("::")[0]
