"""Texts as rows of a file."""

from pathlib import Path

import pytest

from kilter.core.errors import OptionError
from kilter.render.table.segment_file import check_rows_path, written_rows


def test_texts_follow_one_another_with_their_ends(tmp_path: Path) -> None:
    path = tmp_path / "out.links"
    with written_rows(str(path), "links", end="\n") as write:
        write(["0-0", ""])
        write(["1-1"])
        assert not path.exists()
    assert path.read_text(encoding="utf-8") == "0-0\n\n1-1\n"


def test_parquet_is_not_compressed_once_more(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="Parquet is compressed inside"):
        check_rows_path(str(tmp_path / "a.parquet.xz"), [], called="-o a.parquet.xz")
