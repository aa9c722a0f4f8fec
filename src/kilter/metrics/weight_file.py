"""Files of fitted weights: that of the package, and those that `kilter tune --weights` writes."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
from dataclasses import dataclass
from importlib.resources import files
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kilter.errors import InputError
from kilter.formats.file_status import file_status
from kilter.formats.json_text import parse_json
from kilter.structures.once import loaded_once

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA = "kilter.weights/1"
_ROUNDING = 1e-6
_REMEDY = "a file that kilter tune --weights writes is right"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WeightFile:
    """What a file holds; `label` is its version, and of a file of the user's its checksum too.

    `weights` are pairs, of segments and of systems, by encoder and part; `margins` are slopes of agreement by
    encoder, of usual sentences and by the logarithm of length; `near` is the weight of neighbours in
    `order`, None where it was not fitted.
    """

    name: str
    label: str
    fitted_on: str
    weights: Mapping[str, Mapping[str, tuple[float, float]]]
    margins: Mapping[str, tuple[float, float]]
    near: float | None


def packaged(name: str) -> dict[str, Any]:
    """Return a document of the package."""
    text = (files("kilter.metrics") / "weights" / name).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def weight_file(path: str = "") -> WeightFile:
    """Return the weights of the package, or those of a file; what was read once is kept until it changes."""
    if not path:
        return _own()
    status = file_status(path)
    if status is None:
        raise InputError(f"cannot be opened: {os.strerror(errno.ENOENT)}", where=path)
    # A pipe would be waited for, and could not be read again for the next metric or the signature.
    if not stat.S_ISREG(status.st_mode):
        raise InputError("is no regular file; write the weights to one", where=path)
    return _read(path, status.st_mtime_ns)


@loaded_once(1)
def _own() -> WeightFile:
    found = packaged("kilter.json")
    return WeightFile(
        name="",
        label=found["version"],
        fitted_on=found["fitted_on"],
        weights={
            encoder: {part: (pair[0], pair[1]) for part, pair in parts.items()}
            for encoder, parts in found["weights"].items()
        },
        margins={encoder: (each[0], each[1]) for encoder, each in found["margins"].items()},
        near=None,
    )


@loaded_once(8)
def _read(path: str, changed: int) -> WeightFile:  # noqa: ARG001 - what was read is of this time
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror or error}", where=path) from error
    try:
        found = parse_json(raw)
    except ValueError as error:
        raise InputError(f"is no JSON: {error}; {_REMEDY}", where=path) from error
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise InputError(
            f"is no file of weights: its schema is not {SCHEMA}; {_REMEDY}", where=path
        )
    version, fitted_on = (found.get(key) for key in ("version", "fitted_on"))
    if not isinstance(version, str) or not version.isalnum() or not isinstance(fitted_on, str):
        raise InputError(
            f"version must be letters and digits, and fitted_on a text; {_REMEDY}", where=path
        )
    near = found.get("near")
    if near is not None and not (_is_number(near) and 0.0 <= near <= 1.0):
        raise InputError(f"near is {near!r}; it must lie between 0 and 1", where=path)
    return WeightFile(
        name=path,
        label=f"{version}-{hashlib.sha256(raw).hexdigest()[:12]}",
        fitted_on=fitted_on,
        weights=_checked(found.get("weights", {}), path),
        margins={},
        near=None if near is None else float(near),
    )


def _checked(found: object, path: str) -> dict[str, dict[str, tuple[float, float]]]:
    """Return weights of the parts that the package weighs, each column adding up to 1."""
    if not isinstance(found, dict):
        raise InputError(f"weights are not by encoder; {_REMEDY}", where=path)
    checked = {}
    for encoder, parts in found.items():
        own = _own().weights.get(encoder)
        if own is None:
            raise InputError(
                f"there is no encoder {encoder!r}; there are: {', '.join(_own().weights)}",
                where=path,
            )
        if not isinstance(parts, dict) or list(parts) != list(own):
            raise InputError(
                f"the parts of encoder {encoder} must be {', '.join(own)}, in this order",
                where=path,
            )
        for part, pair in parts.items():
            if not isinstance(pair, list) or len(pair) != len(("segment", "system")):
                raise InputError(
                    f"{encoder}, {part}: two weights are needed, of segments and of systems",
                    where=path,
                )
            if not all(_is_number(weight) and 0.0 <= weight <= 1.0 for weight in pair):
                raise InputError(
                    f"{encoder}, {part}: weights must lie between 0 and 1, not {pair}", where=path
                )
        for level, column in zip(
            ("segments", "systems"), zip(*parts.values(), strict=True), strict=True
        ):
            if abs(fsum(column) - 1.0) > _ROUNDING:
                raise InputError(
                    f"{encoder}: the weights of {level} add up to {fsum(column):g}, not to 1",
                    where=path,
                )
        checked[encoder] = {part: (float(pair[0]), float(pair[1])) for part, pair in parts.items()}
    return checked


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
