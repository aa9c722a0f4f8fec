"""Saved results with a value changed, under a digest that fits: each is loaded, or refused by name."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import kilter
from kilter.core.errors import InputError
from kilter.io.saved_result import _digest, load
from kilter.results.document import Result
from tools.fuzz.lines import mutated

if TYPE_CHECKING:
    from random import Random

_ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    0.5,
    "",
    "x",
    [],
    {},
    [1],
    {"type": "list", "of": [1]},
)
_TYPES = (
    *("list", "dict", "float", "array", "objects", "os:system", "kilter.core.estimate:Estimate"),
    *("kilter.results.comparison:SignificanceTest", "kilter.results.score_result:ByMetric"),
    "kilter.results.document:import_module",
)


@cache
def sample() -> str:
    """Return a file of scores."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.kilter.json"
        kilter.score(["a c b", "d"], ["a b c", "d"], metrics=("order", "bleu")).save(path)
        return path.read_text(encoding="utf-8")


def check(chance: Random) -> None:
    """Load a sample with some bytes, or some of its values, changed."""
    data = sample().encode()
    if chance.random() < 0.3:
        data = mutated(data, chance)
    else:
        head = json.loads(data)
        for _ in range(chance.randrange(1, 4)):
            _change(head["result"], chance)
        head["sha256"] = _digest(head["result"])
        data = json.dumps(head).encode()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.kilter.json"
        path.write_bytes(data)
        try:
            assert isinstance(load(path), Result)
        except InputError as error:
            assert str(error.where).startswith(str(path))  # noqa: PT017 - an error is one of two outcomes


def _change(saved: Any, chance: Random) -> None:
    """Change one value somewhere below."""
    places: list[tuple[Any, Any]] = []
    waiting = [saved]
    while waiting:
        found = waiting.pop()
        keys = [*found] if isinstance(found, dict) else range(len(found))
        for key in keys:
            places.append((found, key))
            if isinstance(found[key], list | dict):
                waiting.append(found[key])
    owner, key = chance.choice(places)
    owner[key] = chance.choice(_TYPES if key == "type" else _ODD)
