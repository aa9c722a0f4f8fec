"""The texts and rankings of WMT 2012, from a folder that is not part of the project."""

from __future__ import annotations

import csv
import gzip
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

SOURCES = {"cs-en": "Czech", "de-en": "German", "es-en": "Spanish", "fr-en": "French"}
INTO_ENGLISH = tuple(SOURCES)
OUT_OF_ENGLISH = "en-de"
PAIRS = (*INTO_ENGLISH, OUT_OF_ENGLISH)
_RANKED = 5


@dataclass(frozen=True, slots=True, eq=False)
class JudgedTexts:
    """Outputs of systems, their reference, and preferences: rows of segment, better and worse system."""

    pair: str
    systems: dict[str, list[str]]
    reference: list[str]
    preferences: NDArray[np.int64]

    @property
    def language(self) -> str:
        """The language of the outputs."""
        return self.pair.partition("-")[2]

    def wins(self) -> NDArray[np.float64]:
        """Return the share of its preferences that each system won."""
        count = len(self.systems)
        won, lost = (np.bincount(self.preferences[:, k], minlength=count) for k in (1, 2))
        shares: NDArray[np.float64] = won / np.maximum(won + lost, 1)
        return shares


def read(folder: Path, pair: str) -> JudgedTexts:
    """Return the texts and preferences of a language pair; tied ranks prefer neither."""
    into = pair in SOURCES
    own = folder / ("wmt12-into-english" if into else "wmt12-en-de")
    texts = own / pair if into else own
    language = pair.partition("-")[2]
    systems = {path.name.removesuffix(".txt.gz"): lines(path) for path in sorted((texts / "sys").iterdir())}  # fmt: skip
    places = {name: place for place, name in enumerate(systems)}
    preferences = []
    with gzip.open(own / "rankings.csv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if into and row["srclang"] != SOURCES[pair]:
                continue
            ranked = [
                (int(row[f"system{k}rank"]), row[f"system{k}Id"]) for k in range(1, _RANKED + 1)
            ]
            for one, two in combinations([each for each in ranked if each[0] > 0], 2):
                (first, better), (second, worse) = sorted((one, two))
                if first != second and better != worse and {better, worse} <= places.keys():
                    segment = int(row["segmentId"]) - 1
                    preferences.append((segment, places[better], places[worse]))
    return JudgedTexts(
        pair, systems, lines(texts / f"ref.{language}.gz"), np.array(preferences, dtype=np.int64)
    )


def lines(path: Path) -> list[str]:
    """Return the lines of a compressed text."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return file.read().removesuffix("\n").removeprefix("\ufeff").split("\n")
