"""Models and caches that somebody changed and signed again: read, or refused in one line."""

import io
import json
import random
import zipfile
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kilter
from kilter.core.errors import KilterError
from kilter.metrics.fitted_weight import SCHEMA, weight_file
from kilter.parsers.model_file import ARRAYS, CARD, model_bytes
from tests.parsers.small_network import small_network
from tests.parsers.test_perceptron_tables import small

CHANGES = 25
"""Of each kind of file; 14 of 260 ended in a traceback once."""
SENTENCES = ["the cat sat on the mat", "x", "", "a b c d e f"]
OTHERS = ["a cat sat on the mat", "y", "", "b a c d f e"]
Arrays = dict[str, Any]
_NUMBERS = (0, 1, 100, 127, np.nan, np.inf, -1, -128)
_TYPES = ("int8", "int32", "int64", "uint8", "uint32", "float16", "float32", "float64", "bool", "U5", "S3")  # fmt: skip


def changed(array: Any, draw: random.Random) -> Any:
    """Return an array with other numbers, of another type or of another shape."""
    array = np.array(array)
    flat = array.reshape(-1)
    changes: list[Callable[[], Any]] = [
        lambda: array.astype(draw.choice(_TYPES)),
        lambda: array.astype(array.dtype.newbyteorder(">")),
        lambda: np.asfortranarray(array),
        lambda: array[..., None],
        lambda: flat,
        lambda: flat[: len(flat) // 2],
        lambda: np.concatenate([flat, flat]),
        lambda: array[:0] if array.ndim else np.zeros(2),
        lambda: array[::-1] if array.ndim else np.array("text"),
        lambda: np.zeros(array.shape),
        lambda: np.full_like(array, draw.choice(_NUMBERS)),
        lambda: np.where(np.arange(array.size).reshape(array.shape) == 0, draw.choice(_NUMBERS), array).astype(array.dtype),
        lambda: np.full(array.shape, draw.choice(["", "a b", "\n", "_"])),
    ]  # fmt: skip
    return draw.choice(changes)()


def variants(arrays: Mapping[str, Any], seed: int) -> list[Arrays]:
    """Return arrays of which one or two were changed."""
    draw = random.Random(seed)
    found: list[Arrays] = []
    while len(found) < CHANGES:
        made = dict(arrays)
        try:
            with np.errstate(all="ignore"):
                for name in draw.sample(sorted(arrays), draw.choice([1, 1, 2])):
                    made[name] = changed(made[name], draw)
        except (ValueError, TypeError, OverflowError):  # numpy does not change it so
            continue
        found.append(made)
    return found


def refused_or_taken(work: Callable[[], object]) -> bool:
    """Return whether a file is refused; another error than Kilter's own fails the test."""
    try:
        work()
    except KilterError as error:
        told = str(error)
    else:
        return False
    assert "\n" not in told
    return True


@pytest.mark.parametrize("content", [small_network().to_bytes(), small().to_bytes()])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_parsers(content: bytes, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        card = json.loads(archive.read(CARD))
        names = ARRAYS[card["format"]]
        arrays = {name: np.load(io.BytesIO(archive.read(f"{name}.npy"))) for name in names}
    refused = 0
    for number, made in enumerate(variants(arrays, seed=len(content))):
        path = tmp_path / str(number)
        path.write_bytes(model_bytes(card["format"], made, card))
        refused += refused_or_taken(
            lambda path=path: kilter.parse(SENTENCES, parser=f"perceptron:model={path}")  # type: ignore[misc]
        )
    assert refused > CHANGES / 4


@pytest.mark.parametrize("name", ["hmm", "ibm1"])
def test_aligners(name: str, tmp_path: Path) -> None:
    path = tmp_path / "model"
    kilter.align(SENTENCES, OTHERS, aligner=f"{name}:model={path}")
    with np.load(path) as archive:
        arrays = dict(archive)
    refused = 0
    for number, made in enumerate(variants(arrays, seed=3)):
        again = tmp_path / str(number)
        with again.open("wb") as stream:
            np.savez(stream, **made)
        refused += refused_or_taken(
            lambda again=again: kilter.align(SENTENCES, OTHERS, aligner=f"{name}:model={again}")  # type: ignore[misc]
        )
    assert refused > CHANGES / 4


def test_weights(tmp_path: Path) -> None:
    weights = weight_file("").weights
    document = {"schema": SCHEMA, "version": "1", "fitted_on": "x", "near": 0.5}
    values = [None, [], {}, "x", -1, 1e300, {"a": 1}, [[1]], True, "\n"]
    refused = 0
    for number, value in enumerate(values):
        for change in (
            {"weights": value},
            {"weights": dict.fromkeys(weights, value)},
            {"weights": {name: dict.fromkeys(parts, value) for name, parts in weights.items()}},
            {"near": value},
            {"version": value},
        ):
            path = tmp_path / f"{number}.json"
            path.write_text(json.dumps(document | change), encoding="utf-8")
            refused += refused_or_taken(
                lambda path=path: kilter.score(SENTENCES, OTHERS, metrics=f"kilter:weights={path}")  # type: ignore[misc]
            )
            path.unlink()
    assert refused > 4 * len(values) / 2


def parse_with(cache: str, model: str) -> object:
    return kilter.score(
        SENTENCES, OTHERS, metrics="dted", parser=f"perceptron:model={model}", cache=cache
    )


def learn_with(cache: str, _: str) -> object:
    return kilter.align(SENTENCES, OTHERS, aligner="match:stages=exact+learned", cache=cache)


@pytest.mark.parametrize("work", [parse_with, learn_with])
def test_caches(work: Callable[[str, str], object], tmp_path: Path) -> None:
    model, cache = tmp_path / "model", tmp_path / "cache"
    model.write_bytes(small().to_bytes())
    work(str(cache), str(model))
    path, *_ = sorted(each for each in cache.rglob("*") if each.is_file())
    with np.load(io.BytesIO(path.read_bytes())) as archive:
        arrays = dict(archive)
    refused = 0
    for made in variants(arrays, seed=5):
        for old in [each for each in cache.rglob("*") if each.is_file()]:
            old.unlink()
        packed = io.BytesIO()
        np.savez(packed, **made)
        name = sha256(packed.getvalue()).hexdigest()[:32] + path.suffix
        (path.parent / name).write_bytes(packed.getvalue())
        refused += refused_or_taken(lambda: work(str(cache), str(model)))
    assert refused > CHANGES / 4
