"""Data that printed tables are computed from: where its files lie, and what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kilter.core.errors import InputError, Setting
from kilter.io.compression import SUFFIX_LIST, SUFFIXES
from kilter.io.published import published_data
from kilter.io.stream import exists
from kilter.run.meta.evaluation_inputs import EvaluationInputs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kilter.results.published_result import PublishedData
    from kilter.run.scoring.settings import Settings


@dataclass(frozen=True, kw_only=True)
class DataSet:
    """Files below a folder of the data's name, and the language pairs that they make."""

    about: PublishedData
    pairs: Mapping[str, Mapping[str, str]]

    def missing(self, folder: Path) -> list[str]:
        """Return the files that are not below the folder, as they are looked for."""
        return [
            name for name in self.about.files if _existing(folder / self.about.name / name) is None
        ]

    def file(self, folder: Path, name: str) -> str:
        """Return the path of a file, which may be compressed."""
        path = folder / self.about.name / name
        found = _existing(path)
        if found is None:
            raise InputError("is not there", where=str(path))
        return str(found)

    def inputs(
        self, folder: Path, pair: str, settings: Settings, **structures: Any
    ) -> EvaluationInputs:
        """Return the inputs of an evaluation on one language pair."""
        entry = self.pairs[pair]
        return EvaluationInputs(
            judgments=self.file(folder, entry["judgments"]),
            references=(self.file(folder, entry["reference"]),),
            source=self.file(folder, entry["source"]),
            systems=(self.file(folder, entry["systems"]),),
            pair=entry.get("pair"),
            settings=settings,
            **structures,
        )


def data_set(name: str) -> DataSet:
    """Return data by name."""
    about, pairs = published_data(name)
    return DataSet(about=about, pairs=pairs)


def check_data(table: str, needed: Sequence[PublishedData], data: Path | None) -> None:
    """Raise an `InputError` that names every file that is missing and says where people get it."""
    faults = []
    for about in needed:
        missing = about.files if data is None else data_set(about.name).missing(data)
        if missing:
            listed = ", ".join(f"{about.name}/{name}" for name in missing)
            faults.append(f"{listed} ({about.title}; {about.source})")
    if faults and data is None:
        raise InputError(
            f"{table} needs data, which does not come with Kilter: name the folder that holds "
            f"{'; '.join(faults)}, compressed ({SUFFIX_LIST}) or not, with",
            advice=Setting("data", "DIR"),
        )
    if faults:
        raise InputError(
            f"{table} needs files that are not there, compressed ({SUFFIX_LIST}) or not: {'; '.join(faults)}",
            where=str(data),
        )


def _existing(path: Path) -> Path | None:
    """Return the file or folder, the file compressed, or None."""
    names = (path.name + suffix for suffix in ("", *SUFFIXES))
    return next((file for name in names if exists(file := path.with_name(name))), None)
