"""Results as files that load again bit by bit: JSON with the type of every record."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import sha256
from importlib import import_module
from math import isfinite
from os import fspath
from pathlib import Path
from typing import Any

import numpy as np

from kilter import __version__
from kilter.core.errors import InputError
from kilter.core.settings import checked
from kilter.io.json_text import parse_json
from kilter.io.output import written_text
from kilter.io.stream import ByteSource
from kilter.results.document import Result

SCHEMA = "kilter.saved/1"
SUFFIX = ".kilter.json"
"""How files of saved results end, compressed ones before the ending of the compression."""
_ROOMS = ("kilter.core.", "kilter.results.", "kilter.stats.")
"""Where the types of results are; a file can name no other."""


def is_saved(path: str) -> bool:
    """Return whether a name is that of a saved result.

    >>> is_saved("run.kilter.json"), is_saved("run.kilter.json.gz"), is_saved("run.json")
    (True, True, False)
    """
    return SUFFIX in path.rpartition("/")[2]


def save(result: Result, path: str | Path) -> None:
    """Write a result into a file that `load` reads; `.gz` and the like compress it."""
    saved = _encoded(result)
    head = {
        "schema": SCHEMA,
        "version": __version__,
        "document": result.to_dict(),
        "sha256": _digest(saved),
        "result": saved,
    }
    with written_text(path) as stream:
        json.dump(head, stream, ensure_ascii=False, indent=1)
        stream.write("\n")


@checked
def load(path: str | Path) -> Any:
    """Return the result that `result.save` or `kilter score --save` wrote, equal to it to the last bit.

    A file that is no saved result, or was changed afterwards, is an `InputError`.
    """
    name = fspath(path)
    try:
        head = parse_json(b"".join(ByteSource(name).chunks()))
    except ValueError as error:
        raise InputError(f"is not JSON: {error}; name a saved result", where=name) from None
    if not isinstance(head, dict) or head.get("schema") != SCHEMA:
        raise InputError(
            f"is not a saved result ({SCHEMA}); result.save(...) and kilter score --save write one",
            where=name,
        )
    saved = head.get("result")
    try:
        digest = _digest(saved)
    except RecursionError:
        raise InputError(
            "holds more brackets inside one another than can be read", where=name
        ) from None
    if digest != head.get("sha256"):
        raise InputError(
            f"was changed after it was saved: sha256 {digest[:16]} instead of "
            f"{str(head.get('sha256'))[:16]}; save it again",
            where=name,
        )
    try:
        result = _decoded(saved)
    except (
        *(ArithmeticError, AttributeError, ImportError, LookupError, MemoryError, RecursionError),
        *(TypeError, ValueError),
        zlib.error,
    ):
        result = None
    if not isinstance(result, Result):
        raise InputError(
            f"was saved by Kilter {head.get('version')}, whose results this version, {__version__}, "
            "cannot read; compute it again",
            where=name,
        )
    return result


def _digest(saved: Any) -> str:
    text = json.dumps(saved, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _encoded(value: Any) -> Any:  # noqa: PLR0911 - one for each kind of value
    """Return a value as JSON: a tuple is a list, and what JSON does not have is an object with its type."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Enum):
        return {"type": _name(value), "of": _encoded(value.value)}
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else {"type": "float", "of": str(value)}
    if is_dataclass(value):
        entries = {each.name: _encoded(getattr(value, each.name)) for each in fields(value)}
        return {"type": _name(value), "of": entries}
    if isinstance(value, Mapping):
        kind = _name(value) if type(value).__module__.startswith(_ROOMS) else "dict"
        return {
            "type": kind,
            "of": [[_encoded(key), _encoded(each)] for key, each in value.items()],
        }
    if isinstance(value, list | tuple):
        listed = [_encoded(each) for each in value]
        if hasattr(value, "_fields"):
            return {"type": _name(value), "of": listed}
        return {"type": "list", "of": listed} if isinstance(value, list) else listed
    if hasattr(value, "__array__"):
        return _encoded_array(np.asarray(value))
    raise TypeError(f"a {type(value).__name__} in a result cannot be saved")


def _encoded_array(array: np.ndarray[Any, Any]) -> Any:
    if array.dtype.kind == "O":
        listed = [_encoded(each) for each in array.ravel().tolist()]
        return {"type": "objects", "shape": [*array.shape], "of": listed}
    little = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False))
    packed = b64encode(zlib.compress(little.tobytes(), 9)).decode()
    return {"type": "array", "dtype": little.dtype.str, "shape": [*array.shape], "of": packed}


def _name(value: Any) -> str:
    kind = type(value)
    if not kind.__module__.startswith(_ROOMS):
        raise TypeError(f"a {kind.__module__}.{kind.__qualname__} in a result cannot be saved")
    return f"{kind.__module__}:{kind.__qualname__}"


def _decoded(saved: Any) -> Any:  # noqa: PLR0911 - one for each kind of value
    if isinstance(saved, list):
        return tuple(map(_decoded, saved))
    if not isinstance(saved, dict):
        return saved
    kind, of = saved["type"], saved["of"]
    if kind == "float":
        return float(of)
    if kind == "list":
        return [*map(_decoded, of)]
    if kind == "dict":
        return {_decoded(key): _decoded(each) for key, each in of}
    if kind == "array":
        flat = np.frombuffer(zlib.decompress(b64decode(of)), dtype=np.dtype(saved["dtype"]))
        return flat.reshape(saved["shape"]).astype(flat.dtype.newbyteorder("="))
    if kind == "objects":
        found = np.empty(len(of), dtype=object)
        found[:] = [*map(_decoded, of)]
        return found.reshape(saved["shape"])
    return _decoded_record(_type(kind), of)


def _decoded_record(kind: Any, of: Any) -> Any:
    if issubclass(kind, Enum):
        return kind(_decoded(of))
    if issubclass(kind, tuple):
        return kind(*map(_decoded, of))
    if issubclass(kind, dict):
        return kind((_decoded(key), _decoded(each)) for key, each in of)
    values = {name: _decoded(each) for name, each in of.items()}
    if {*values} != {each.name for each in fields(kind)}:
        raise ValueError(f"{kind.__name__} has other fields")
    record = object.__new__(kind)  # as it was: nothing is checked or normalised again
    for name, value in values.items():
        object.__setattr__(record, name, value)
    return record


def _type(name: str) -> Any:
    """Return a record's type; whatever else a file names is a `ValueError`."""
    module, _, wanted = name.partition(":")
    if not module.startswith(_ROOMS) or not wanted.isidentifier():
        raise ValueError(name)
    kind: Any = getattr(import_module(module), wanted)
    plain = isinstance(kind, type) and kind.__module__ == module
    if not plain or not (
        is_dataclass(kind) or hasattr(kind, "_fields") or issubclass(kind, Enum | dict)
    ):
        raise ValueError(name)
    return kind
