"""Outputs of many systems: WMT 2013 German-English where the data lies, made-up text elsewhere."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from random import Random

DATA = Path(os.environ.get("KILTER_DATA", Path(__file__).parents[2] / "shared" / "data"))


def systems_text(most: int = 23) -> tuple[str, list[str], dict[str, list[str]]]:
    """Return what the data is, the lines of the reference, and those of so many systems."""
    folder = DATA / "wmt13-de-en"
    files = sorted((folder / "sys").glob("*.gz"))[:most]
    if files:
        systems = {path.name.removesuffix(".gz"): _lines(path) for path in files}
        return "WMT 2013 de-en", _lines(folder / "ref.en.gz"), systems
    return "made-up text", *made_up_systems(most)


def _lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode("utf-8").removesuffix("\n").split("\n")


def made_up_systems(count: int) -> tuple[list[str], dict[str, list[str]]]:
    """Return sentences of 5 to 40 words, and copies with words exchanged and blocks moved."""
    chance = Random(1)
    words = [f"w{number}" for number in range(20_000)]
    reference = [
        [words[int(len(words) * chance.random() ** 3)] for _ in range(chance.randint(5, 40))]
        for _ in range(3000)
    ]
    systems = {}
    for number in range(count):
        lines = []
        for line in reference:
            made = [word if chance.random() < 0.7 else chance.choice(words) for word in line]
            for _ in range(chance.randint(0, 3)):
                first, middle, last = sorted(chance.choices(range(len(made) + 1), k=3))
                made[first:last] = made[middle:last] + made[first:middle]
            lines.append(" ".join(made))
        systems[f"system{number}"] = lines
    return [" ".join(line) for line in reference], systems
