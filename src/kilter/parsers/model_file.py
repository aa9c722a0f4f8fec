"""The file of a learned parser: its arrays, and a card with a checksum; of whichever kind it is."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.errors import InputError
from kilter.core.once import ARRAY_FILES, loaded_once
from kilter.io.json_text import parse_json
from kilter.io.stream import DAMAGE, check_unpacked_size, whole_content

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

CARD = "card.json"
REMEDY = "give a file that kilter train parser wrote"
NETWORK = "kilter-parser/3"
"""The format of networks; the others are perceptrons."""
_PERCEPTRON = ("tagger", "moves", "labels", "backwards", "tag_names", "label_names")
NETWORK_WEIGHTS = (
    "input",
    "input_bias",
    "layers",
    "layer_scales",
    "layer_bias",
    "heads",
    "head_scales",
    "head_bias",
    "arcs",
    "arc_bias",
    "root_arc",
    "root_label",
    "distance",
    "labels",
    "label_bias",
)
"""The arrays of a network that the core takes as they are."""
ARRAYS = {
    "kilter-parser/1": _PERCEPTRON,
    "kilter-parser/2": (*_PERCEPTRON, "forms", "form_tags"),
    NETWORK: (
        "forms",
        "words",
        "pieces",
        *NETWORK_WEIGHTS,
        "tag_names",
        "label_names",
    ),
}
"""The arrays of each format, in the order in which they are written and summed."""
_END, _END_SIZE = b"PK\x05\x06", 22
"""How the last record of an archive begins, and how long it is."""


@dataclass(frozen=True, eq=False)
class ModelContent:
    """What a file holds, undamaged, but not yet known to fit together."""

    path: str
    form: str
    arrays: dict[str, NDArray[Any]]
    card: dict[str, Any]

    def misfit(self) -> InputError:
        """Return the error for arrays that do not fit together, whoever wrote them."""
        return InputError(f"its tables do not fit together; {REMEDY}", where=self.path)


def model_bytes(form: str, arrays: Mapping[str, NDArray[Any]], card: Mapping[str, Any]) -> bytes:
    """Return the file that holds arrays: the same bytes for the same ones, whenever it is written."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.save(content, array, allow_pickle=False)
            _add(archive, f"{name}.npy", content.getvalue())
        said = {"format": form, "checksum": _checksum(arrays)}
        # A card that was read has both already, maybe of other weights.
        listed = {**said, **card, **said}
        _add(archive, CARD, json.dumps(listed, indent=1, ensure_ascii=False).encode())
    return written.getvalue()


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    # Without the time of day, which ZipInfo would not have either.
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)


def _checksum(arrays: Mapping[str, NDArray[Any]]) -> str:
    found = hashlib.sha256()
    for name, array in arrays.items():
        found.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def read_model(path: str) -> ModelContent:
    """Return what `kilter train parser` wrote; read once, and again when the file changes."""
    try:
        status = Path(path).stat()
        return _read(path, (status.st_mtime_ns, status.st_size, status.st_ino))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(f"cannot be read ({reason}); {REMEDY}", where=path) from None


@loaded_once(2)
def _read(path: str, _version: tuple[int, ...]) -> ModelContent:
    content = whole_content(path)
    try:
        with ARRAY_FILES, zipfile.ZipFile(io.BytesIO(content)) as archive:
            check_unpacked_size(archive)
            card = parse_json(archive.read(CARD))
            form = card.get("format") if isinstance(card, dict) else None
            named = form if isinstance(form, str) and form in ARRAYS else next(iter(ARRAYS))
            arrays = {
                name: np.ascontiguousarray(
                    np.load(io.BytesIO(archive.read(f"{name}.npy")), allow_pickle=False)
                )
                for name in ARRAYS[named]
            }
    except (*DAMAGE, OSError):
        raise InputError(f"this is not a parser model; {REMEDY}", where=path) from None
    if content[-_END_SIZE:][: len(_END)] != _END:
        raise InputError(
            f"the file is damaged, something stands behind its end; {REMEDY}", where=path
        )
    arrays = {
        name: array.astype(array.dtype.newbyteorder("="), copy=False)
        for name, array in arrays.items()
    }
    if form != named:
        raise InputError(f"its format must be {' or '.join(ARRAYS)}; {REMEDY}", where=path)
    if card.get("checksum") != _checksum(arrays):
        raise InputError(f"the file is damaged, its checksum is another one; {REMEDY}", where=path)
    return ModelContent(path, named, arrays, card)
