"""Files and models behind metrics, aligners and parsers: what tells them from others of the same names."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from kilter.aligners.aligner import Aligner
from kilter.core.errors import InputError
from kilter.io.stream import is_file, is_folder
from kilter.metrics.metric import Metric
from kilter.parsers.encoder.meaning import meaning_identity
from kilter.parsers.parser import Parser

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kilter.core.registry import Configured

_PIECE = 1 << 20
NAMED_FILES = "file or model that an option names"
"""What decides about an output beside texts and options, as messages call it."""


def tool_files(tools: Iterable[Configured]) -> dict[str, dict[str, str]]:
    """Return under one name what the files and models of tools are; nothing, if they have none.

    A run that goes on needs the same ones: a file may be another under the same name.
    """
    found: dict[str, str] = {}
    for tool in tools:
        for name in sorted(tool.places):
            path = str(getattr(tool, name))
            if path and (is_file(path) or is_folder(path)):
                found[f"{tool.specification()} {name}"] = _digest(Path(path))
        model = _model(tool)
        if model is not None:
            found[tool.specification()] = model
    return {NAMED_FILES: found} if found else {}


def _model(tool: Configured) -> str | None:
    """Return what tells the model of a tool from others; None where it has none, or cannot tell."""
    if isinstance(tool, (Aligner, Parser)):
        return tool.identity()
    options = tool.meaning_options() if isinstance(tool, Metric) else None
    return None if options is None else meaning_identity(options)


def _digest(path: Path) -> str:
    """Return the SHA-256 of a file, or of all files of a folder with their names."""
    whole = sha256()
    try:
        if is_folder(path):
            for each in sorted(path.rglob("*")):
                if is_file(each):
                    whole.update(f"{each.relative_to(path)}\0{_digest(each)}\n".encode())
            return whole.hexdigest()
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                whole.update(piece)
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror}", where=str(path)) from error
    return whole.hexdigest()
