"""The bundled sample: a reference, a source with gold links, and four systems that err differently."""

from __future__ import annotations

from pathlib import Path

from kilter.io.text import read_text
from kilter.run.scoring.corpus import Texts

SAMPLE = Path(__file__).parent.parent / "sample"
SYSTEMS = {
    "local": "neighbouring words swapped",
    "verb": "verbs in the places of the source language",
    "phrase": "whole phrases moved",
    "lexical": "other words in the right order",
}


def sample_texts() -> Texts:
    """Return the texts of the sample."""
    return Texts(
        systems={name: read_text(SAMPLE / f"{name}.en") for name in SYSTEMS},
        references={"reference.en": read_text(SAMPLE / "reference.en")},
        source=("source.de", read_text(SAMPLE / "source.de")),
    )
