"""Messages quote what a file says."""

from kilter.io.link_format import shown


def test_forty_bytes_are_quoted_and_of_more_the_first_forty() -> None:
    text = b"0123456789" * 4
    assert shown(text) == repr(text.decode())
    assert shown(text + b"!") == repr(text.decode() + "...")
