"""Which systems judgments are about."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.core.judgments import Unscored
from kilter.io.judgments.reader import read_judgments
from tests.io.judgments.files import file, said


def test_systems_are_numbered_along_the_outputs(tmp_path: Path) -> None:
    found = read_judgments(file(tmp_path, "seg\tbetter\tworse", "1\tB\tA", "2\tC\tA"))
    matched = found.of_systems(["A", "B", "C", "D"], 2)
    assert said(matched) == said(found)
    assert matched.counts["systems_without_judgment"] == 1
    fewer = found.of_systems(["A", "B"], 2, unscored=Unscored.SKIP)
    assert said(fewer) == [(1, "B", "A", 1)]
    assert (fewer.counts["unscored"], fewer.counts["systems_without_output"]) == (1, 1)
    with pytest.raises(
        InputError, match=r"csv:3: judges 'C', of which there is no output; there are: A, B"
    ):
        found.of_systems(["A", "B"], 2)
    with pytest.raises(InputError, match=r"csv:3: judges segment 2, but there is 1 segment;"):
        found.of_systems(["A", "B", "C"], 1)


def test_the_prefix_of_a_data_set_is_left_off_where_the_output_is_called_without_it(
    tmp_path: Path,
) -> None:
    long = "newstest2013.de-en.A"
    path = file(tmp_path, "seg\tbetter\tworse", f"1\t{long}\tB")
    assert said(read_judgments(path, outputs=dict.fromkeys("AB", ()))) == [(1, "A", "B", 1)]
    for outputs in ({long: (), "A": (), "B": ()}, {long: (), "B": ()}, {"B": ()}, {}):
        assert said(read_judgments(path, outputs=outputs)) == [(1, long, "B", 1)]
