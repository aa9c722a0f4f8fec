"""The files of an embedded model: found, checked against their checksums, read."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from kilter.errors import InputError, MissingToolError

FORMAT = "kilter-model/1"
PACKAGE = "kilter_model_en"
INSTALL = "pip install 'kilter[parse]'"
REPAIR = "install the model again: pip install --force-reinstall kilter-model-en"


@dataclass(frozen=True)
class ModelFolder:
    """A folder with a model: its place and what its config.json says."""

    path: Path
    config: dict[str, Any]

    @property
    def version(self) -> str:
        """The version of the model."""
        return str(self.config["version"])

    def read(self, name: str) -> bytes:
        """Return the content of a file; a missing or damaged one is an `InputError`."""
        content = _content(self.path / name)
        expected = self.config["sha256"].get(name)
        if hashlib.sha256(content).hexdigest() != expected:
            raise InputError(
                f"the file is damaged, its checksum is not that of config.json; {REPAIR}",
                where=str(self.path / name),
            )
        return content


def model_folder(path: str = "") -> ModelFolder:
    """Return the model in a folder, or the one that is installed."""
    folder = Path(path) if path else _installed()
    place = folder / "config.json"
    content = _content(place)
    try:
        config = json.loads(content)
    except ValueError:
        raise InputError(
            f"the file is damaged, it is no JSON; {REPAIR}", where=str(place)
        ) from None
    if not isinstance(config, dict) or config.get("format") != FORMAT:
        raise InputError(
            f"this is no model that this version of Kilter can read; its format must be {FORMAT}",
            where=str(place),
        )
    return ModelFolder(folder, config)


def _installed() -> Path:
    try:
        package = import_module(PACKAGE)
    except ImportError:
        raise MissingToolError("the embedded English model", install=INSTALL) from None
    return Path(package.__path__[0])


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(f"cannot be read ({reason}); {REPAIR}", where=str(path)) from None
