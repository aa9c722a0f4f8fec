"""Booklets printed by the command."""

import io
import json
from pathlib import Path

import pytest
from pypdf import PdfReader

from kilter.cli.main import run

Captured = pytest.CaptureFixture[str]


def printed(study: Path, folder: Path, *options: str) -> tuple[str, dict[str, object]]:
    """Print questionnaire 2; return the text of its PDF and the form file."""
    output = folder / "booklets"
    arguments = ["survey", "print", str(study), "-o", str(output), "--questionnaire", "2"]
    assert run([*arguments, "-q", *options]) == 0
    reader = PdfReader(io.BytesIO((output / "questionnaire-2-1.pdf").read_bytes()))
    form = json.loads((output / "questionnaire-2.form.json").read_text(encoding="utf-8"))
    assert form["pages"] == len(reader.pages)
    text = "\n".join(page.extract_text() for page in reader.pages)
    return " ".join(text.split()), form
