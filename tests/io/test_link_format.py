"""Messages quote what a file says."""

import numpy as np
import pytest

from kilter.core.errors import InputError, OptionError
from kilter.io.link_format import LinkFormat, position, shown
from kilter.io.links import line_links


def test_forty_bytes_are_quoted_and_of_more_the_first_forty() -> None:
    text = b"0123456789" * 4
    assert shown(text) == repr(text.decode())
    assert shown(text + b"!") == repr(text.decode() + "...")


# Links of some lines at a time.


TWO = np.array([2, 2])


@pytest.mark.parametrize(
    ("form", "lines"),
    [
        (LinkFormat.PHARAOH, ["0-1 1-0", ""]),
        (LinkFormat.TALP, ["1-2 2s1", ""]),
        (LinkFormat.TARGET_LISTS, ["1,0", ","]),
        (LinkFormat.FAST_ALIGN, ["a b ||| c d ||| 0-1 1-0", "e f ||| g h ||| "]),
    ],
)
def test_a_line_is_a_segment_in_every_format_of_lines(form: LinkFormat, lines: list[str]) -> None:
    for second in (TWO, None):
        found = line_links(lines, (TWO, second), name="links", form=form).sure
        assert [found.segment(0), found.segment(1)] == [[(0, 1), (1, 0)], []]


def test_what_is_wrong_has_the_line_of_the_whole_file() -> None:
    with pytest.raises(InputError, match=r"^links:42: .x-y. is not a link") as raised:
        line_links(["0-0", "1-2 x-y"], (TWO, TWO), name="links", first=41)
    (note,) = raised.value.__notes__
    assert note.startswith("links:42: link 1-2 points past the 2 words")
    line_links(["0-0", "1-2"], (TWO, None), name="links")  # nobody knows how long the target is
    with pytest.raises(OptionError, match="meteor does not write a line for each segment"):
        line_links(["Alignment 1"], (TWO, TWO), name="links", form=LinkFormat.METEOR)


# Numbers of words in files of links.


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
