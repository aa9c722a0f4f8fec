"""Pictures of pages, as odd as files make them."""

import resource
from pathlib import Path

import cv2
import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.study.paper.scan.sheet import Sheet, sheets


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


def test_a_picture_that_claims_gigabytes_takes_no_memory(tmp_path: Path) -> None:
    _, encoded = cv2.imencode(".png", np.full((9, 12), 255, np.uint8))
    data = encoded.tobytes()
    claiming = tmp_path / "claiming.png"
    claiming.write_bytes(data.replace(data[33:37], b"\xc8\0\0\0", 1))
    whole = tmp_path / "whole.png"
    whole.write_bytes(data + b"what a scanner adds")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refused, read = sheets([claiming, whole])
    assert isinstance(refused, InputError)
    assert "cannot be read; scan the page again" in str(refused)
    assert isinstance(read, Sheet)
    assert read.image.shape == (9, 12)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1 << 20, "1 GB, in KiB"
