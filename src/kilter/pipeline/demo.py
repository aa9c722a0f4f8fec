"""The bundled sample: a reference, a source with gold links, and four systems that err differently."""

from __future__ import annotations

from pathlib import Path

from kilter.formats.stream import ByteSource
from kilter.formats.text import read_text
from kilter.pipeline.scoring.corpus import Texts

SAMPLE = Path(__file__).parent.parent / "sample"
DEMO_METRICS = ("bleu", "f1", "kendall", "ulam", "fuzzy", "pef")
SYSTEMS = {
    "local": "neighbouring words swapped",
    "verb": "verbs in the places of the source language",
    "phrase": "whole phrases moved",
    "lexical": "other words in the right order",
}


def sample_texts() -> Texts:
    """Return the texts of the sample."""

    def lines(name: str) -> tuple[str, ...]:
        return read_text(ByteSource(str(SAMPLE / name)))

    return Texts(
        systems={name: lines(f"{name}.en") for name in SYSTEMS},
        references={"reference.en": lines("reference.en")},
        source=("source.de", lines("source.de")),
    )
