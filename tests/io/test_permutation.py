"""Lines of permutations: what is read, what is refused, and that chunks do not matter."""

import gzip
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError
from kilter.io import stream
from kilter.io.permutation import (
    BadLine,
    PermutationBlock,
    Problem,
    checked_rows,
    chosen_name,
    from_zero,
    read_permutations,
)
from kilter.io.stream import ByteSource
from tests import naive_reader

LINES = st.lists(
    st.one_of(
        st.permutations([1, 2, 3]).map(lambda p: " ".join(map(str, p)).encode()),
        st.text("0123 ,[]()<>|\t\r", max_size=14).map(str.encode),
        st.binary(max_size=8),
        st.sampled_from([b"", b"[]", b"1 ||| 1", b"2,1\t1,2", b"[1][1]", "1 ½ é €".encode()]),
    ),
    max_size=8,
)


class Chunks(ByteSource):
    """Bytes in the pieces given."""

    def __init__(self, pieces: list[bytes]) -> None:
        super().__init__("pieces")
        self.pieces = pieces

    def raw_chunks(self, *, again: bool = False) -> Iterator[bytes]:
        assert not again
        yield from (piece for piece in self.pieces if piece)


def read(
    *pieces: bytes, pairs: bool = False, zero_based: bool = False
) -> tuple[dict[int, list[list[int]]], list[BadLine]]:
    good: dict[int, list[list[int]]] = {}
    bad: list[BadLine] = []
    for block in read_permutations(Chunks(list(pieces)), pairs=pairs, zero_based=zero_based):
        good.update(by_line(block, pairs=pairs))
        bad.extend(block.bad)
    return good, bad


def by_line(block: PermutationBlock, *, pairs: bool) -> dict[int, list[list[int]]]:
    rows = [block.batch[s].tolist() for s in range(len(block.batch))]
    lines = block.lines.tolist()
    step = 2 if pairs else 1
    assert len(rows) == step * len(lines)
    return {line: rows[k * step : (k + 1) * step] for k, line in enumerate(lines)}


@pytest.mark.parametrize(
    "line",
    [
        b"2 3 1",
        b"2,3,1",
        b"2, 3, 1",
        b"2 ,3 , 1",
        b"[2 3 1]",
        b"[2, 3, 1]",
        b"(2 3 1)",
        b"<2,3,1>",
        b"  2\t3  1 ",
        b" [ 2 3 1 ] ",
        b"2 3 1\r",
        b"02 003 0000000000000000000000000001",
        b"\xef\xbb\xbf2 3 1",
    ],
)
@pytest.mark.filterwarnings("ignore::kilter.core.errors.KilterWarning")  # of a byte-order mark
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_permutation_is_read_however_it_is_written(line: bytes, end: bytes) -> None:
    assert read(line + end) == ({1: [[1, 2, 0]]}, [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "the line is empty; write a permutation such as 2 1 3, or [] for one of no words"),
        (b" \t\r", "the line is empty"),
        (b"1 1", "1 at position 2 stands already at position 1"),
        (b"1 3", "3 at position 2 is out of range while 2 is missing"),
        (
            b"5 4 1",
            "5 at position 1 is out of range while 2 is missing; a permutation of n numbers",
        ),
        (b"0 1", "0 at position 1: permutations count from 1 (--zero-based reads those"),
        (b"1 a", "'a' in column 3 is not part of a permutation"),
        (b"-1 2", "'-' in column 1"),
        (b"+1", "'+' in column 1"),
        (b"1.5", "'.' in column 2"),
        (b"1e3", "'e' in column 2"),
        (b"1;2", "';' in column 2"),
        (b"1 \x00 2", "byte 0x00 in column 3"),
        (b"1\x0b2", "byte 0x0b in column 2"),
        (b"1 \xff", "byte 0xff in column 3"),
        (b"\x80", "byte 0x80 in column 1"),
        (b"1 \xc3", "byte 0xc3 in column 3"),
        (b"1 \xed\xa0\x80", "byte 0xed in column 3"),
        ("1 \uff12".encode(), "'\uff12' in column 3"),
        ("\u0662 \u0661".encode(), "'\u0662' in column 1"),
        ("1 é".encode(), "'é' in column 3"),
        ("1 😀".encode(), "'😀' in column 3"),
        ("1\u00a02".encode(), "byte 0xc2 in column 2"),
        ("1\u2028".encode(), "byte 0xe2 in column 2"),
        (b"1\xef\xbb\xbf", "byte 0xef in column 2"),
        (b"1,,2", "no number beside the comma near column 3"),
        (b",1", "no number beside the comma near column 1"),
        (b"1,", "no number beside the comma near column 2"),
        (b"[1,]", "no number beside the comma near column 4"),
        (b"[,]", "no number beside the comma near column 2"),
        (b"[1],", "no number beside the comma"),
        (b"[1 2", "the bracket is never closed"),
        (b"[", "the bracket is never closed"),
        (b"1 2]", "']' in column 4"),
        (b"]", "']' in column 1"),
        (b"[1 2)", "')' in column 5"),
        (b"[[1 2]]", "'[' in column 2"),
        (b"1 [2]", "'[' in column 3"),
        (b"[1] 2", "'2' in column 5"),
        (b"[1] [2]", "'[' in column 5"),
        (b"{1 2}", "'{' in column 1"),
        (b"1 | 2", "'|' in column 3"),
        (b"2147483648 1", "the number at position 1 is too large for any permutation"),
        (b"1 99999999999999999999999999", "the number at position 2 is too large"),
        (b"2147483647", "2147483647 at position 1 is out of range while 1 is missing"),
        (b"1 2 3 # comment", "'#' in column 7"),
    ],
)
def test_what_is_no_permutation_is_refused_with_its_line_and_a_reason(
    line: bytes, reason: str
) -> None:
    good, bad = read(b"1\n" + line + b"\n2 1")
    assert good == {1: [[0]], 3: [[1, 0]]}
    assert [problem.line for problem in bad] == [2]
    assert reason in bad[0].reason
    assert "\n" not in bad[0].reason


@pytest.mark.parametrize("pieces", [[b"2 1\n1"], [b"2 1\n", b"1"], [b"2 1\n1 2\n", b"1 2 ", b"3"]])
def test_a_last_line_without_an_end_belongs_to_the_block_that_it_would_have_been_in(
    pieces: list[bytes],
) -> None:
    found = [
        [block.rows for block in read_permutations(Chunks(text))]
        for text in (pieces, [*pieces[:-1], pieces[-1] + b"\n"])
    ]
    assert found[0] == found[1]
    assert len(found[0]) == len(pieces)


def test_every_reason_has_a_number_of_its_own() -> None:
    assert [problem.value for problem in Problem] == list(range(1, 12))


def test_brackets_without_numbers_are_a_permutation_of_no_words() -> None:
    assert read(b"[]\n()\n< >\n[]") == ({k: [[]] for k in (1, 2, 3, 4)}, [])


def test_permutations_may_count_from_zero() -> None:
    good, bad = read(b"1 0\n2 1\n0", zero_based=True)
    assert good == {1: [[1, 0]], 3: [[0]]}
    assert (
        "while 0 is missing; a permutation of n numbers uses each from 0 to n - 1" in bad[0].reason
    )


@pytest.mark.parametrize(
    "line",
    [
        b"1 2 ||| 2 1",
        b"1 2|||2 1",
        b"1 2\t2 1",
        b"1 2\t\t2 1\t",
        b"\t1 2\t2 1",
        b"[1 2] [2 1]",
        b"[1,2](2,1)",
        b"[1 2]2 1",
        b"<1 2>\t<2 1>",
        b"[1 2] ||| 2 1\r",
        b"1,2 ||| 2, 1 |||",
    ],
)
def test_pairs_are_read_however_they_are_written(line: bytes) -> None:
    assert read(line, pairs=True) == ({1: [[0, 1], [1, 0]]}, [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "the line is empty"),
        (b"\t", "the line is empty"),
        (b"1 2", "only one permutation; write two, separated by ||| or a tab"),
        (b"[1 2]", "only one permutation"),
        (b"1 ||| 1 ||| 1", "more than two permutations"),
        (b"1\t1\t1", "more than two permutations"),
        (b"[1][1][1]", "more than two permutations"),
        (b"1 2 ||| 1", "the two permutations have 2 and 1 elements; both need the same number"),
        (b"||| 1", "have 0 and 1 elements"),
        (b"1 |||", "have 1 and 0 elements"),
        (b"1 || 1", "'|' in column 4"),
        (b"1 | 1", "'|' in column 3"),
        (b"1 ||", "'|' in column 4"),
        (b"1 |||| 1", "'|' in column 6"),
        (b"[1 ||| 1]", "the bracket is never closed"),
        (b"[1\t1]", "the bracket is never closed"),
        (b"1, ||| 1", "no number beside the comma"),
        (b"1 2 ||| 2 2", "2 at position 2 stands already at position 1"),
        (b"1 3 ||| 1 2", "3 at position 2 is out of range"),
        (b"[1 2], [2 1]", "no number beside the comma"),
    ],
)
def test_what_is_no_pair_is_refused_with_a_reason(line: bytes, reason: str) -> None:
    good, bad = read(b"1 ||| 1\n" + line + b"\n", pairs=True)
    assert list(good) == [1]
    assert [problem.line for problem in bad] == [2]
    assert reason in bad[0].reason


def test_the_sides_of_pairs_are_two_batches() -> None:
    source = Chunks([b"1 2 ||| 2 1\n[] ||| []\n1\t1\n"])
    first, second = next(read_permutations(source, pairs=True)).sides()
    assert [first[s].tolist() for s in range(3)] == [[0, 1], [], [0]]
    assert [second[s].tolist() for s in range(3)] == [[1, 0], [], [0]]


@pytest.mark.filterwarnings("ignore::kilter.core.errors.KilterWarning")  # of a byte-order mark
@given(LINES, st.lists(st.integers(0, 40), max_size=12), st.booleans(), st.booleans())
def test_lines_are_read_as_the_naive_reader_reads_them_in_any_chunks(
    lines: list[bytes],
    cuts: list[int],
    pairs: bool,  # noqa: FBT001 - drawn
    zero_based: bool,  # noqa: FBT001 - drawn
) -> None:
    data = b"\n".join(lines)
    expected = naive_reader.read(data, pairs=pairs, zero_based=zero_based)
    borders = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    pieces = [data[a:b] for a, b in pairwise(borders)]
    if not data.removeprefix(b"\xef\xbb\xbf"):
        return
    good, bad = read(*pieces, pairs=pairs, zero_based=zero_based)
    assert good == expected.good
    assert [problem.line for problem in bad] == expected.bad
    assert bad == read(data, pairs=pairs, zero_based=zero_based)[1]


def test_a_character_cut_by_a_chunk_is_reported_whole() -> None:
    for data in ("1 é 2\n1\n".encode(), "1 😀\n".encode(), b"1 \xf0\x9f\n1", b"1 \xe2\x82"):
        whole = read(data)
        for cut in range(1, len(data)):
            assert read(data[:cut], data[cut:]) == whole
        assert read(*(bytes([byte]) for byte in data)) == whole


@pytest.mark.parametrize("size", [stream.CHUNK - 1, stream.CHUNK, stream.CHUNK + 1])
def test_a_line_longer_than_a_chunk_is_one_line(tmp_path: Path, size: int) -> None:
    count = 200_000
    numbers = " ".join(map(str, range(count, 0, -1))).encode()
    data = numbers + b" " * max(0, size - len(numbers)) + b"\n2 1\nx\n"
    assert len(data) > stream.CHUNK
    path = tmp_path / "long.gz"
    path.write_bytes(gzip.compress(data, 1))
    blocks = list(read_permutations(ByteSource(str(path))))
    lengths = [n for block in blocks for n in block.batch.lengths.tolist()]
    assert lengths == [count, 2]
    assert [line for block in blocks for line in block.lines.tolist()] == [1, 2]
    assert [bad.line for block in blocks for bad in block.bad] == [3]


def test_a_line_of_ten_million_numbers_is_read_or_refused() -> None:
    numbers = b"1 " * 10_000_000
    good, bad = read(numbers, b"\n2 1")
    assert good == {2: [[1, 0]]}
    assert [(p.line, p.reason) for p in bad] == [
        (1, "1 at position 2 stands already at position 1")
    ]


def test_an_endless_number_does_not_grow() -> None:
    good, bad = read(b"1 " + b"9" * 3_000_000, b"9" * 3_000_000 + b"\n1\n")
    assert good == {2: [[0]]}
    assert "the number at position 2 is too large" in bad[0].reason


def test_binary_bytes_are_refused_line_by_line() -> None:
    data = bytes(range(256)) * 40
    expected = naive_reader.read(data)
    good, bad = read(data)
    assert good == expected.good == {}
    assert [problem.line for problem in bad] == expected.bad


@pytest.mark.filterwarnings("ignore::kilter.core.errors.KilterWarning")  # of a byte-order mark
@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"])
def test_nothing_at_all_is_an_error(data: bytes) -> None:
    with pytest.raises(InputError, match="pieces: holds nothing; write one permutation a line"):
        read(data)


def test_a_line_end_alone_is_an_empty_line() -> None:
    good, bad = read(b"\n")
    assert (good, [problem.line for problem in bad]) == ({}, [1])


# Rows of tables that are permutations, whatever the table is.


@pytest.mark.parametrize(
    ("names", "lists", "wanted", "found"),
    [
        (["a", "permutation"], ["a", "permutation"], None, "permutation"),
        (["a", "b"], ["b"], None, "b"),
        (["a", "b"], ["b"], "a", "a"),
        (["A", "b"], [], "a", "A"),
        (["A", "a"], [], "a", "a"),
    ],
)
def test_the_column_is_the_one_that_is_wanted_or_cannot_be_another(
    names: list[str], lists: list[str], wanted: str | None, found: str
) -> None:
    assert chosen_name(names, lists, wanted, noun="column", where="t") == found


def test_two_columns_of_one_name_leave_no_choice() -> None:
    twice = ["permutation", "permutation"]
    with pytest.raises(InputError, match="t: has several fields 'permutation'; its fields are"):
        chosen_name(twice, twice, None, noun="field", where="t")


@pytest.mark.parametrize("base", [0, 1])
def test_good_rows_stay_and_bad_ones_say_why(base: int) -> None:
    rows: list[Any] = [[1, 0], None, [0, 0], [], [0, 2], [0]]
    given = [row and [value + base for value in row] for row in rows]
    flat = np.array([value for row in given if row for value in row], dtype=np.int64)
    lengths = [len(row or []) for row in rows]
    block = checked_rows(
        from_zero(flat, base),
        np.array([0, *np.cumsum(lengths)], dtype=np.int64),
        lines=np.arange(11, 17),
        given=given.__getitem__,
        base=base,
        jobs=1,
        there=np.array([row is not None for row in rows]),
    )
    assert [block.batch[place].tolist() for place in range(3)] == [[1, 0], [], [0]]
    assert block.lines.tolist() == [11, 14, 16]
    first, second = ("position 1", "position 2") if base else ("index 0", "index 1")
    assert [(bad.line, bad.reason.split(";")[0]) for bad in block.bad] == [
        (12, "the row is null"),
        (13, f"{base} at {second} stands already at {first}"),
        (15, f"{2 + base} at {second} is out of range"),
    ]
