"""Names of files that are text, and those that are not."""

import os

import pytest

from kilter.errors import InputError
from kilter.formats.file_name import check_name, in_utf8, is_utf8


def test_bytes_that_are_no_text_are_spelled_out() -> None:
    name = os.fsdecode(b"a\xfcb")
    assert not is_utf8(name)
    assert in_utf8(name) == "a\\xfcb"
    with pytest.raises(InputError, match="the name is not UTF-8; rename the file") as raised:
        check_name(name)
    assert raised.value.where == "a\\xfcb"


def test_a_name_that_is_text_stays_as_it_is() -> None:
    check_name("Übersetzung")
    assert in_utf8("Übersetzung") == "Übersetzung"
