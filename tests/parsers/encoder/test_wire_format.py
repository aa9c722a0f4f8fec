"""Messages in the wire format of protocol buffers: what was written is read, and the rest refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.parsers.encoder.network import fields, number_at, numbers
from tests.parsers.encoder import onnx_writer

NUMBERS = st.integers(0, 2**64 - 1)


@given(st.lists(NUMBERS))
def test_numbers_are_read_as_written(values: list[int]) -> None:
    content = memoryview(b"".join(map(onnx_writer.number, values)))
    assert numbers(content) == values


@given(st.lists(st.tuples(st.integers(1, 2**29 - 1), st.binary() | NUMBERS)))
def test_fields_are_read_as_written(written: list[tuple[int, bytes | int]]) -> None:
    message = b"".join(onnx_writer.field(place, content) for place, content in written)
    found = [(field.number, bytes(field.content)) for field in fields(memoryview(message))]
    assert found == [
        (place, onnx_writer.number(content) if isinstance(content, int) else content)
        for place, content in written
    ]


def test_fields_of_four_and_eight_bytes_have_these() -> None:
    message = b"\x0d1234\x11abcdefgh\x18\x05"
    found = [(field.number, bytes(field.content)) for field in fields(memoryview(message))]
    assert found == [(1, b"1234"), (2, b"abcdefgh"), (3, b"\x05")]


def test_a_message_that_is_cut_off_anywhere_is_refused_or_ends_before_a_field() -> None:
    parts = [b"\x0d1234", b"\x11abcdefgh", onnx_writer.field(3, 300), onnx_writer.field(200, b"ab")]
    message = b"".join(parts)
    ends = {sum(map(len, parts[:count])) for count in range(len(parts) + 1)}
    for size in range(len(message)):
        part = memoryview(message)[:size]
        if size in ends:
            assert len(list(fields(part))) < len(parts)
        else:
            with pytest.raises(ValueError, match="the model is cut off"):
                list(fields(part))


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"\x3a\x05\x01", "cut off"),
        (b"\x3a", "cut off"),
        (b"\xff" * 12, "too long"),
        (b"\x0b\x00", "kind 3"),
        (b"\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "cut off"),
    ],
)
def test_what_is_no_message_is_refused(content: bytes, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        list(fields(memoryview(content)))


def test_a_number_says_where_it_ends() -> None:
    assert number_at(memoryview(b"\x01\xac\x02\x03"), 1) == (300, 3)
