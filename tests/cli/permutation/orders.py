"""Permutations as commands read them."""

import json
from typing import Any

import pytest

from tests.arrays import OneBased

Captured = pytest.CaptureFixture[str]


KEYS = [
    "permutation", "n", "kendall", "kendall-sqrt", "spearman", "hamming", "ulam", "fuzzy", "pet-size",
    "pet-count", "max-op", "pef", "pet", "nodes", "max-operator", "trees", "chunks", "primal",
]  # fmt: skip


def text_of(permutations: list[OneBased]) -> str:
    return "".join(" ".join(map(str, pi)) + "\n" for pi in permutations)


def rows_of(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


MIXED = "2 1\nx\n1 2 3\n\n[]\n"
