"""Odd objects through the Python interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.core.permutation_batch import SCORE_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

NUMBERS: list[Any] = [
    0, 1, 2, -1, 5, 2**31 - 1, 2**31, -(2**31), 2**63, 2**64, -(2**70), True, 0.0, 1.5, float("nan"),
    float("inf"), None, "1", b"1", 1j, [], [0], (1, 0), object, np.int8(1), np.uint64(2**64 - 1),
    np.float32(1), np.datetime64("2020-01-01"), np.timedelta64(1, "s"), np.bool_(1),
]  # fmt: skip
DTYPES = [
    "i1",
    "u1",
    "i4",
    ">i4",
    "u4",
    "i8",
    "u8",
    "f8",
    "c8",
    "?",
    "O",
    "U3",
    "S2",
    "M8[ns]",
    "m8[s]",
]


def permutation(chance: Random) -> list[Any]:
    """Return a permutation, sometimes with a fault in it."""
    length = chance.choice([0, 1, 2, 3, 8, 63, 64, 65, 130])
    values: list[Any] = chance.sample(range(length), length)
    if values and chance.random() < 0.5:
        values[chance.randrange(length)] = chance.choice(NUMBERS)
    return values


def as_array(values: Any, chance: Random) -> Any:
    """Return the values as an array of some type, if they can be one."""
    try:
        array = np.array(values, dtype=chance.choice(DTYPES))
    except (TypeError, ValueError, OverflowError):
        return values
    return array[::-1] if array.ndim and chance.random() < 0.2 else array


def thing(chance: Random) -> Any:
    """Return anything that somebody might pass for permutations."""
    few = range(chance.randrange(5))
    kinds: list[Callable[[], Any]] = [
        lambda: chance.choice(NUMBERS),
        lambda: [permutation(chance) for _ in few],
        lambda: [as_array(permutation(chance), chance) for _ in few],
        lambda: as_array([permutation(chance)] * len(few), chance),
        lambda: chance.choice(["", "10", b"\x01\x00", {}, {0: 1}, {1, 0}, range(3), iter([1, 0])]),
        lambda: as_array(np.zeros([len(few)] * chance.randrange(4)), chance),
        lambda: [thing(chance) for _ in few[:2]],
        lambda: as_array(permutation(chance), chance),
    ]
    return chance.choice(kinds)()


def offsets_for(values: Any, chance: Random) -> Any:
    """Return offsets, right or wrong."""
    size = values.size if isinstance(values, np.ndarray) else 3
    match chance.randrange(5):
        case 0:
            return None
        case 1:
            return thing(chance)
        case 2:
            cuts = [chance.randrange(-2, size + 3) for _ in range(chance.randrange(4))]
            return as_array(cuts, chance)
        case _:
            return as_array([0, *sorted(chance.choices(range(size + 1), k=2)), size], chance)


def check(chance: Random) -> None:
    """Make a permutation, a batch and scores of odd things: a result, or one of our errors."""
    values = thing(chance)
    try:
        made = kilter.Permutation(values)
    except InputError:
        pass
    else:
        assert sorted(made) == list(range(len(made)))
        assert 0.0 <= made.pef() <= 1.0
    numbers = as_array(permutation(chance), chance)
    offsets = offsets_for(numbers, chance)
    try:
        batch = kilter.PermutationBatch(numbers, offsets)
    except InputError:
        pass
    else:
        check_rows([row.tolist() for row in map(batch.__getitem__, range(len(batch)))])
    options: dict[str, Any] = {}
    if chance.random() < 0.3:
        name = chance.choice(["beta", "gamma", "branching", "empty", "jobs"])
        options[name] = chance.choice([*NUMBERS, "left", 0.5, 3])
    for given, borders in ((thing(chance), None), (numbers, offsets), (thing(chance), offsets)):
        try:
            table = kilter.permutation_scores(given, borders, **options)
        except (InputError, OptionError):
            continue
        for column in SCORE_COLUMNS:
            assert ((table[column] >= 0.0) & (table[column] <= 1.0)).all()


def check_rows(rows: list[list[int]]) -> None:
    """Check that a batch that was accepted holds permutations."""
    for row in rows:
        assert sorted(row) == list(range(len(row)))
