"""Documents printed by the command."""

import io
import json
from pathlib import Path

import pytest
from pypdf import PdfReader

from kilter.cli.main import run

Captured = pytest.CaptureFixture[str]


def text_of(pdf: Path) -> str:
    """Return the words of a PDF file, with single blanks between them."""
    reader = PdfReader(io.BytesIO(pdf.read_bytes()))
    return " ".join("\n".join(page.extract_text() for page in reader.pages).split())


def printed(study: Path, folder: Path, *options: str) -> tuple[str, dict[str, object]]:
    """Print questionnaire 2; return the text of its PDF and the form file."""
    output = folder / "booklets"
    arguments = ["survey", "print", str(study), "-o", str(output), "--questionnaire", "2"]
    assert run([*arguments, "-q", *options]) == 0
    form = json.loads((output / "questionnaire-2.form.json").read_text(encoding="utf-8"))
    pdf = output / "questionnaire-2-1.pdf"
    assert form["pages"] == len(PdfReader(io.BytesIO(pdf.read_bytes())).pages)
    return text_of(pdf), form
