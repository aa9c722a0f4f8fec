"""The reader of the kernels, by itself."""

from kilter import _core


def test_blocks_hold_what_came_since_the_last_take() -> None:
    reader = _core.PermutationReader(pairs=False, zero_based=False)
    reader.feed(b"2 1\n1 2")
    values, offsets, lines = reader.take()
    assert (values.tolist(), offsets.tolist(), lines.tolist()) == ([1, 0], [0, 2], [1])
    reader.feed(b" 3\nx\n1")
    assert [problem[0] for problem in reader.problems()] == [3]
    values, offsets, lines = reader.take()
    assert (values.tolist(), offsets.tolist(), lines.tolist()) == ([0, 1, 2], [0, 3], [2])
    assert reader.problems() == []
    reader.finish()
    values, offsets, lines = reader.take()
    assert (values.tolist(), lines.tolist(), reader.lines_read) == ([0], [4], 4)


def test_the_rest_of_a_cut_character_arrives_after_its_block_was_taken() -> None:
    # Once written past the end of an emptied list.
    reader = _core.PermutationReader(pairs=False, zero_based=False)
    reader.feed(b"1 \xf0")
    for byte in (b"\x9f", b"\x98", b"\x80"):
        assert reader.problems() == []
        reader.take()
        reader.feed(byte)
    assert reader.problems() == [(1, 2, 3, int.from_bytes("😀".encode(), "big"), 0)]
    reader.take()
    assert reader.problems() == []
    reader.feed(b"\n1\n")
    assert reader.take()[2].tolist() == [2]


def test_a_problem_cut_short_is_reported_at_the_end() -> None:
    reader = _core.PermutationReader(pairs=False, zero_based=False)
    reader.feed(b"\xe2\x82")
    reader.take()
    reader.finish()
    assert reader.problems() == [(1, 2, 1, 0xE282, 0)]


def test_finishing_twice_adds_no_line() -> None:
    reader = _core.PermutationReader(pairs=False, zero_based=False)
    reader.feed(b"1")
    reader.finish()
    reader.finish()
    assert reader.lines_read == 1
    reader.feed(b"")
    assert reader.take()[2].tolist() == [1]
