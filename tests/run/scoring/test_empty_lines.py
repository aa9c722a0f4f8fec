"""What becomes of lines without a word."""

import pytest

from kilter.core.errors import OptionError
from kilter.run.scoring.corpus import EmptyLines


def test_there_are_two_ways_and_another_is_refused_with_both() -> None:
    assert [*EmptyLines] == ["keep", "stop"]
    with pytest.raises(OptionError, match=r"it can be keep, stop"):
        EmptyLines("drop")
