"""Numbers of words in files of links."""

import pytest

from kilter.io.link_format import position


@pytest.mark.parametrize(
    ("word", "number"),
    [
        (b"0", 0),
        (b"00", 0),
        (b"7", 7),
        (b"007", 7),
        (b"2147483647", 2147483647),
        (b"2147483648", None),
        (b"99999999999", None),
        (b"0" * 5000 + b"1", 1),
        (b"9" * 5000, None),
        (b"", None),
        (b"x", None),
        (b"1x", None),
        (b"-1", None),
        ("²".encode(), None),
    ],
)
def test_a_position_is_a_whole_number_that_a_sentence_can_have(
    word: bytes, number: int | None
) -> None:
    assert position(word) == number
