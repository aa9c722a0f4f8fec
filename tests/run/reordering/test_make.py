"""Lines become words, and whoever gives something else is told where."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.run.reordering.make import linked_words, split_words


def test_a_segment_whose_words_are_wrong_is_named_from_1() -> None:
    with pytest.raises(InputError, match=r"^source: segment 2: "):
        split_words(["a b", ["c", 7]], where="source")


def test_every_link_past_the_source_is_told_without_a_target(tmp_path: Path) -> None:
    path = tmp_path / "links"
    path.write_text("0-9 2-0\n1-1\n5-0 3-1\n", encoding="utf-8")
    with pytest.raises(InputError, match="links:1: link 2-0 points past the 2 words") as raised:
        linked_words(["a b"] * 3, str(path))
    assert [note.split(" words")[0] for note in raised.value.__notes__] == [
        f"{path}:3: link {link} points past the 2" for link in ("3-1", "5-0")
    ]
