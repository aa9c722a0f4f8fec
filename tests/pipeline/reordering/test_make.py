"""Lines become words, and whoever gives something else is told where."""

import pytest

from kilter.errors import InputError
from kilter.pipeline.reordering.make import split_words


def test_a_segment_whose_words_are_wrong_is_named_from_1() -> None:
    with pytest.raises(InputError, match=r"^source: segment 2: "):
        split_words(["a b", ["c", 7]], where="source")
