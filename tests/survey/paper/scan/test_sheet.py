"""Pictures of pages, as odd as files make them."""

from pathlib import Path

import pytest

from kilter.survey.paper.scan.sheet import Sheet, sheets


@pytest.mark.parametrize("size", ["0.1 900", "900 0.1", "0.1 0.1"])
def test_a_page_of_one_dot_has_two_sides_still(size: str, tmp_path: Path) -> None:
    path = tmp_path / "narrow.pdf"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {size}]>>",
    ]
    written = "".join(f"{k} 0 obj{each}endobj\n" for k, each in enumerate(objects, start=1))
    path.write_text(f"%PDF-1.4\n{written}trailer<</Root 1 0 R>>\n%%EOF\n", encoding="ascii")
    (sheet,) = sheets([path])
    assert isinstance(sheet, Sheet)
    assert sheet.image.ndim == 2
    assert 1 in sheet.image.shape
