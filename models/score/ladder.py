"""`python -m models.score.ladder FOLDER`: references with their words moved, beside real systems, as a table.

FOLDER holds `wmt12-into-english`, `wmt12-en-de`, `wmt13-de-en` and `order-evidence`. The table is that of docs/laws.md.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import sys
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING

import kilter
from kilter.run.ladder import RUNGS, ladder
from models.score.wmt12 import PAIRS, read
from models.score.wmt12 import lines as text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

BELOW_ORDER = ("swap", "half-swap", "shuffle", "reverse")
BELOW_KILTER = ("swap", "shuffle", "reverse")
"""Rungs that must score below every real system."""
ESA = ("en-cs", "en-ja")


@dataclass(frozen=True, slots=True, eq=False)
class TextSet:
    """Outputs of systems and their reference; Japanese is taken character by character."""

    name: str
    systems: dict[str, list[str]]
    reference: list[str]

    @property
    def language(self) -> str:
        """The language of the outputs."""
        return self.name.rpartition("-")[2]

    @property
    def tokenize(self) -> str | None:
        """The tokeniser where words have no blanks between them."""
        return "char" if self.language == "ja" else None

    def first(self, segments: int) -> TextSet:
        """Return the first segments."""
        systems = {name: listed[:segments] for name, listed in self.systems.items()}
        return TextSet(self.name, systems, self.reference[:segments])

    def scores(self, *, model: bool, cache: str | None = None) -> dict[str, dict[str, float]]:
        """Return `kilter` and `order` of systems and rungs."""
        tokenize = self.tokenize
        rungs = {f"#{name}": listed for name, listed in ladder(self.reference, tokenize).items()}
        language = None if self.language == "en" and not model else self.language
        made = kilter.score(
            {**self.systems, **rungs},
            self.reference,
            metrics=["kilter", "order"],
            language=language,
            tokenize=tokenize,
            cache=cache,
            resampling=kilter.Resampling(resamples=2),
        )
        return {
            name: {
                metric: nan if each.score is None else each.score for metric, each in scores.items()
            }
            for name, scores in made.systems.items()
        }


def text_sets(folder: Path) -> Iterator[TextSet]:
    """Yield all sets of texts in the folder."""
    for pair in PAIRS:
        judged = read(folder, pair)
        yield TextSet(f"wmt12-{pair}", judged.systems, judged.reference)
    base = folder / "wmt13-de-en"
    systems = {
        path.name.removesuffix(".txt.gz"): text_lines(path)
        for path in sorted((base / "sys").iterdir())
    }
    yield TextSet("wmt13-de-en", systems, text_lines(base / "ref.en.gz"))
    for pair in ESA:
        yield _esa(folder / "order-evidence" / "wmt24-esa" / f"{pair}.tsv.gz", pair)


def _esa(path: Path, pair: str) -> TextSet:
    systems: dict[str, dict[int, str]] = {}
    reference: dict[int, str] = {}
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            segment = int(row["segment"])
            reference[segment] = row["refA"]
            if row["system"] != "refA":
                systems.setdefault(row["system"], {})[segment] = row["output"]
    order = sorted(reference)
    outputs = {name: [own[segment] for segment in order] for name, own in systems.items()}
    return TextSet(f"wmt24-{pair}", outputs, [reference[segment] for segment in order])


def table(folder: Path, *, model: bool, cache: str | None = None) -> list[str]:
    """Return the rows: the range of real systems, and every rung."""
    rows = []
    for each in text_sets(folder):
        if model and each.language != "en":
            continue
        scores = each.scores(model=model, cache=cache)
        for metric in ("order", "kilter"):
            real = [own[metric] for name, own in scores.items() if not name.startswith("#")]
            shown = " | ".join(f"{scores[f'#{rung}'][metric]:.3f}" for rung in RUNGS)
            rows.append(
                f"| {each.name} | `{metric}` | {min(real):.3f} to {max(real):.3f} | {shown} |"
            )
    return rows


def main() -> None:
    """Print the table without and with the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache")
    given = parser.parse_args()
    for model in (False, True):
        heading = "With the English model (`-l en`)" if model else "Without a model"
        lines = [
            f"\n{heading}:\n",
            "| set | score | real systems | " + " | ".join(RUNGS) + " |",
            "| --- | --- | --- |" + " ---: |" * len(RUNGS),
            *table(given.folder, model=model, cache=given.cache),
        ]
        sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
