"""Two directions of an aligner, named together."""

from pathlib import Path

import numpy as np
import pytest

from kilter.core.errors import InputError, OptionError
from kilter.core.link_rule import Symmetrization, symmetrize
from kilter.core.links import LinkBatch
from kilter.io.link_format import link_directions, link_files
from kilter.io.links import link_problems, read_links
from kilter.io.stream import ByteSource
from tests.io.link_texts import segments

FORWARD = [[(0, 0), (1, 1), (1, 2)], [(0, 1)]]
REVERSE = [[(0, 0), (1, 1), (2, 2)], [(1, 0)]]
HEAD = "# Sentence pair ({}) source length {} target length {} alignment score : 1"


def giza(folder: Path, name: str, *blocks: tuple[int, str, str, str]) -> str:
    lines = [
        f"{HEAD.format(n, s, t)}\n{target}\n{words}\n"
        for n, (s, t), target, words in (
            (n, tuple(map(int, sizes.split("x"))), target, words)
            for n, sizes, target, words in blocks
        )
    ]
    (folder / name).write_text("".join(lines), encoding="utf-8")
    return str(folder / name)


@pytest.fixture
def both(tmp_path: Path) -> tuple[str, str]:
    """Two directions of two sentence pairs, of three and three and of two and two words."""
    forward = giza(
        tmp_path, "st",
        (1, "3x3", "a b c", "NULL ({ }) x ({ 1 }) y ({ 2 3 }) z ({ })"),
        (2, "2x2", "d e", "NULL ({ 1 }) u ({ 2 }) v ({ })"),
    )  # fmt: skip
    reverse = giza(
        tmp_path, "ts",
        (1, "3x3", "x y z", "NULL ({ }) a ({ 1 }) b ({ 2 }) c ({ 3 })"),
        (2, "2x2", "u v", "NULL ({ 1 }) d ({ 2 }) e ({ })"),
    )  # fmt: skip
    return forward, reverse


@pytest.mark.parametrize("rule", Symmetrization)
@pytest.mark.parametrize("form", ["giza", None])
def test_both_directions_of_giza_make_one_set_of_links(
    rule: Symmetrization, form: str | None, both: tuple[str, str]
) -> None:
    expected = symmetrize(LinkBatch.of(FORWARD), LinkBatch.of(REVERSE), rule=rule)
    sizes = np.array([3, 2]), np.array([3, 2])
    found = read_links("::".join([*both, rule]), form=form, lengths=sizes)
    assert segments(found) == [expected.segment(k) for k in range(2)]
    if rule is Symmetrization.GROW_DIAG_FINAL_AND:
        assert segments(read_links("::".join(both), form=form)) == segments(found)


def test_the_reverse_direction_alone_is_turned_round(both: tuple[str, str]) -> None:
    assert segments(read_links(f"::{both[1]}")) == REVERSE


def test_tools_that_write_both_directions_alike_are_not_turned(tmp_path: Path) -> None:
    (tmp_path / "st").write_text("0-0 1-1 1-2\n0-1\n", encoding="utf-8")
    (tmp_path / "ts").write_text("0-0 1-1 2-2\n1-0\n", encoding="utf-8")
    found = read_links(f"{tmp_path}/st::{tmp_path}/ts::union", form="pharaoh")
    assert segments(found) == [
        sorted({*one, *other}) for one, other in zip(FORWARD, REVERSE, strict=True)
    ]


def test_what_is_wrong_with_either_direction_is_told_with_its_file(
    both: tuple[str, str], tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.write_text("x\n", encoding="utf-8")
    found = [str(each) for each in link_problems(f"{broken}::{broken}", form="giza")]
    assert [each.startswith(f"{broken}:1: 'x' stands where") for each in found] == [True, True]
    short = giza(tmp_path, "short", (1, "3x3", "x y z", "NULL ({ }) a ({ 1 }) b ({ 2 }) c ({ 3 })"))
    with pytest.raises(
        InputError, match=f"short: has 1 segment, but {both[0]} has 2; both directions"
    ):
        read_links(f"{both[0]}::{short}")


@pytest.mark.parametrize("name", ["a::", "a::b::sideways", "a::b::union::c"])
def test_what_names_no_two_directions_is_refused(name: str) -> None:
    with pytest.raises(OptionError, match="does not name two directions; write FORWARD::REVERSE"):
        link_directions(ByteSource(name))


def test_a_file_of_such_a_name_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a::b"
    path.write_text("0-0\n", encoding="utf-8")
    assert segments(read_links(str(path))) == [[(0, 0)]]
    assert link_files([str(path), "c::d", "::e"]) == [str(path), "c", "d", "e"]
