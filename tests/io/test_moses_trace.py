"""Translations of Moses with their source phrases: what is wrong with a line, and bars in words."""

import pytest

from kilter.io.link_parser import TraceFault, read_trace, written_trace


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"the |0-0| house", "no source phrase follows 'house'"),
        (b"the house |1-0|", r"'\|1-0\|' is no source phrase"),
        (b"the |0-0,wa=0-1|", "the link 0-1 points past its phrase"),
        (b"the |0-0,wa=x|", "'x' is no link"),
        (b"the house ||| 0-0 1", "'1' is no link"),
        (b"the |0-300|", "longer than 255"),
        (b"the |0-99999999999|", "is no source phrase"),
        (b"a |2-4| b |0-2|", r"'\|0-2\|' and '\|2-4\|' both translate source word 2"),
    ],
)
def test_faults_say_what_would_be_right(line: bytes, fault: str) -> None:
    with pytest.raises(TraceFault, match=fault):
        read_trace(line)


def test_a_word_with_a_bar_is_no_phrase() -> None:
    line = written_trace(["a", "b"], ["|0-1|", "c"], [(1, 0)])
    assert line == "&#124;0-1&#124; c |0-1,wa=1-0|"
    assert read_trace(line.encode()) == ([(1, 0)], 2)
    assert read_trace(b"a| |0-0|") == ([(0, 0)], 1)
    assert read_trace(b"a b |0-1, wa=1-0, total=-1.5|") == ([(1, 0)], 2)
    assert read_trace(b"a b |0-1|", diagonal=True) == ([(0, 0), (1, 1)], 2)
