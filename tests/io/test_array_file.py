"""Files of arrays: however one is damaged, reading it ends in an error that is listed."""

import io
from collections.abc import Callable

import numpy as np
import pytest

from kilter.io.stream import DAMAGE

ENTRY, LISTED = b"PK\x03\x04", b"PK\x01\x02"
"""How an archive begins what it holds, and how it begins the list of it."""


def saved() -> bytearray:
    out = io.BytesIO()
    np.savez_compressed(out, numbers=np.arange(300))
    return bytearray(out.getvalue())


def with_password(data: bytearray) -> bytearray:
    data[data.index(ENTRY) + 6] |= 1
    data[data.index(LISTED) + 8] |= 1
    return data


def of_a_later_version(data: bytearray) -> bytearray:
    data[data.index(LISTED) + 6] = 250
    return data


def packed_in_another_way(data: bytearray) -> bytearray:
    for place in (data.index(ENTRY) + 8, data.index(LISTED) + 10):
        data[place] = 99
    return data


def changed_inside(data: bytearray) -> bytearray:
    data[80] ^= 0xFF
    return data


def cut_off(data: bytearray) -> bytearray:
    return data[:-30]


@pytest.mark.parametrize(
    "damage",
    [with_password, of_a_later_version, packed_in_another_way, changed_inside, cut_off],
)
def test_a_damaged_file_ends_in_a_listed_error(damage: Callable[[bytearray], bytearray]) -> None:
    def read(data: bytearray) -> list[int]:
        with np.load(io.BytesIO(bytes(data)), allow_pickle=False) as archive:
            return list(archive["numbers"])

    assert read(saved()) == list(range(300))
    with pytest.raises(DAMAGE):
        read(damage(saved()))


@pytest.mark.parametrize("header", [b"{'descr': '<f8", b"\x00" * 40, b"[" * 60])
def test_a_header_of_code_ends_in_a_listed_error(header: bytes) -> None:
    data = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    with pytest.raises(DAMAGE):
        np.load(io.BytesIO(data), allow_pickle=False)
