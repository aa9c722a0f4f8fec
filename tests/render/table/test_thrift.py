"""Structures of the compact protocol."""

from kilter.render.table.thrift import integer, listed, struct, text


def test_lists_of_more_than_fourteen_say_their_length_apart() -> None:
    assert listed([integer(1)] * 14).content == bytes([0xE5]) + b"\x02" * 14
    assert listed([integer(1)] * 15).content == bytes([0xF5, 15]) + b"\x02" * 15
    assert listed([], of=text("")).content == bytes([0x08])


def test_fields_are_told_by_how_much_their_numbers_grow() -> None:
    inner = struct((3, integer(300)))
    assert inner.content.hex() == "35d80400"
    assert (
        struct((2, inner), (10, text("é"))).content.hex() == "2c" + "35d80400" + "8802c3a9" + "00"
    )
