"""The overall score and order by itself, with and without word vectors: segments per CPU second."""

from __future__ import annotations

import gzip
import os
import time
from pathlib import Path

import numpy as np

from kilter.io.tokenizer import tokenizer
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.measurement import measure
from kilter.run.scoring.settings import Settings
from tests.oracles import score as oracle

DATA = Path(os.environ.get("KILTER_DATA", Path(__file__).parents[2] / "shared" / "data"))
CHECKED = 20
ENGLISH = (6, 400)
"""Systems and segments with the model, which takes longer."""


def run() -> None:
    place = DATA / "wmt12-en-de"
    if not place.is_dir():
        print(f"  no texts: {place} is not there")
        return
    plain = _texts(place / "sys", place / "ref.de.gz")
    _check_words(plain)
    print(f"{len(plain.systems)} systems x {len(plain.references['reference'])} segments")
    for aligner in ("match", "match:stages=exact"):
        for metric in ("kilter", "order"):
            settings = Settings(metrics=[metric], aligner=aligner, language="de")
            _print(plain, settings, f"{metric}, {aligner}")
    into = DATA / "wmt12-into-english" / "de-en"
    english = _texts(into / "sys", into / "ref.en.gz", *ENGLISH)
    settings = Settings(metrics=["kilter", "order"], language="en")
    measure(_texts(into / "sys", into / "ref.en.gz", 1, 8), settings)  # loads the model
    _print(english, settings, "both with the English model")


def _check_words(texts: Texts) -> None:
    """Assert that the part `words` of a few segments is that of plain loops."""
    name, lines = next(iter(texts.systems.items()))
    few = Texts(
        systems={name: lines[:CHECKED]},
        references={"reference": texts.references["reference"][:CHECKED]},
    )
    (found,) = measure(few, Settings(metrics=["kilter"])).measured
    terms = {
        part: values for term in found.parts[0][0].terms for part, values in term.factors.items()
    }
    split = tokenizer("13a")
    expected = [
        oracle.words(split(one), split(other))
        for one, other in zip(few.systems[name], few.references["reference"], strict=True)
    ]
    np.testing.assert_allclose(terms["words"], expected)


def _print(texts: Texts, settings: Settings, what: str) -> None:
    begin = time.process_time()
    measure(texts, settings)
    seconds = time.process_time() - begin
    segments = len(texts.systems) * len(texts.references["reference"])
    print(f"  {what:32} {segments / seconds:8,.0f} segments per CPU second")


def _texts(
    systems: Path, reference: Path, most: int | None = None, lines: int | None = None
) -> Texts:
    def read(path: Path) -> list[str]:
        text = gzip.decompress(path.read_bytes()).decode()
        return text.removesuffix("\n").split("\n")[:lines]

    paths = sorted(systems.glob("*.gz"))[:most]
    return Texts(
        systems={path.name: read(path) for path in paths},
        references={"reference": read(reference)},
    )
