"""The files of an embedded model: found, checked against their checksums, read."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from kilter.core.errors import InputError, MissingToolError
from kilter.io.json_text import parse_json
from kilter.io.stream import whole_content

FORMAT = "kilter-model/1"
PACKAGE = "kilter_model_en"
INSTALL = "pip install 'kilter[parse]'"
REINSTALL = "install the model again: pip install --force-reinstall kilter-model-en"
REPLACE = "give the folder of a whole model"
CONFIG = "config.json"
NAMES = ("upos", "xpos", "labels")
"""What config.json lists: the names of tags and labels in the order of the network."""


@dataclass(frozen=True)
class ModelFolder:
    """A folder with a model: its place, what its config.json says, and how it can be repaired."""

    path: Path
    config: dict[str, Any]
    repair: str

    def signature(self, given: str) -> str:
        """Return the folder that the user gave, if any, and the version of the model."""
        return (f"folder:{given}," if given else "") + f"version:{self.config['version']}"

    def identity(self) -> str:
        """Return what tells this model from any other: its version, and a digest of names and checksums."""
        digest = hashlib.sha256(json.dumps(self.config, sort_keys=True).encode()).hexdigest()
        return f"version:{self.config['version']},sha256:{digest[:16]}"

    def read(self, name: str) -> bytes:
        """Return the content of a file; a missing or damaged one is an `InputError`."""
        content = _content(self.path / name, self.repair)
        expected = self.config["sha256"].get(name)
        if hashlib.sha256(content).hexdigest() != expected:
            raise self.damaged("its checksum is not that of config.json", name)
        return content

    def names(self, kind: str, size: int) -> list[str]:
        """Return the names of tags or labels, of which the network has so many."""
        listed: list[str] = self.config[kind]
        if len(listed) != size:
            raise self.damaged(f"it lists {len(listed)} names as {kind}, the network has {size}")
        return listed

    def damaged(self, reason: str, name: str = CONFIG) -> InputError:
        """Return the error that says what is wrong with a file."""
        return InputError(
            f"the file is damaged, {reason}; {self.repair}", where=str(self.path / name)
        )


def model_folder(path: str = "") -> ModelFolder:
    """Return the model in a folder, or the one that is installed."""
    repair = REPLACE if path else REINSTALL
    folder = Path(path) if path else _installed()
    place = folder / CONFIG
    content = _content(place, repair)
    try:
        config = parse_json(content)
    except ValueError:
        raise ModelFolder(folder, {}, repair).damaged("it is not JSON") from None
    if not isinstance(config, dict) or config.get("format") != FORMAT:
        raise InputError(
            f"this is not a model that this version of Kilter can read; its format must be {FORMAT}",
            where=str(place),
        )
    opened_folder = ModelFolder(folder, config, repair)
    if not isinstance(config.get("version"), str) or not config["version"]:
        raise opened_folder.damaged("it has no version")
    if not isinstance(config.get("sha256"), dict):
        raise opened_folder.damaged("it has no checksums (sha256)")
    for kind in NAMES:
        names = config.get(kind)
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise opened_folder.damaged(f"it lists no names as {kind}")
    return opened_folder


def _installed() -> Path:
    try:
        package = import_module(PACKAGE)
    except ImportError:
        raise MissingToolError("the embedded English model", install=INSTALL) from None
    return Path(package.__path__[0])


def _content(path: Path, repair: str) -> bytes:
    try:
        return whole_content(path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(f"cannot be read ({reason}); {repair}", where=str(path)) from None
