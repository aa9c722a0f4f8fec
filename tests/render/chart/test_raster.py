"""Pictures in dots."""

import struct
import sys

import pytest

from kilter.core.errors import MissingToolError
from kilter.render.chart.picture_file import check_raster, png_bytes

PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><text y="9">Ab</text></svg>'
)


def test_a_picture_has_so_many_dots_for_each_unit_and_the_same_bytes_again() -> None:
    for scale in (1.0, 2.0):
        data = png_bytes(PICTURE, scale=scale)
        assert data.startswith(b"\x89PNG")
        assert struct.unpack(">II", data[16:24]) == (30 * scale, 20 * scale)
        assert png_bytes(PICTURE, scale=scale) == data
    assert png_bytes(PICTURE) != png_bytes(PICTURE.replace("Ab", "  "))


def test_a_missing_package_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingToolError, match=r"pip install 'kilter\[figures\]'"):
        check_raster()
