"""CoNLL-U some segments at a time: the trees, and the errors, of the file as a whole."""

import gzip
from pathlib import Path
from random import Random

import numpy as np
import pytest

from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError
from kilter.io.conllu import checked_trees, read_trees, segment_trees
from kilter.io.conllu_stream import ConlluStream
from kilter.io.stream import ByteSource
from tests.thorough import tried

ONE = "# sent_id = 1\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
TWO = (
    "# sent_id = 2\n# parse = 1\n1\tparse\t_\tX\t_\t_\t2\tdep\t_\t_\n2\tc\t_\tY\t_\t_\t0\troot\t_\t_\n\n"
    "# sent_id = 2\n# parse = 2\n1\tparse\t_\tX\t_\t_\t0\troot\t_\t_\n2\tc\t_\tY\t_\t_\t0\troot\t_\t_\n\n"
)
NONE = "# text =\n\n"


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "t.conllu"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def columns(path: Path, size: int) -> list[DependencyTreeColumn]:
    """Return the trees of blocks of so many segments."""
    stream = ConlluStream(path)
    found, line, segments = [], 1, 0
    count = stream.count
    for block in stream.blocks(size):
        found.append(segment_trees(block, name=stream.name, line=line))
        line += sum(text.count("\n") for text in block)
        segments += len(block)
    assert segments == count
    return found


def outcome(path: Path, size: int | None) -> object:
    """Return what is read of a file as a whole, or in blocks, or what is wrong with it."""
    try:
        read = [read_trees(str(path))] if size is None else columns(path, size)
    except InputError as error:
        return str(error)
    return (
        [parses for each in read for parses in np.diff(each.parses).tolist()],
        [each.tree(tree) for each in read for tree in range(each.trees)],
        [each.where(tree) for each in read for tree in range(each.trees)],
        [each.where(tree) for each in read for tree in each.joined],
    )


@pytest.mark.parametrize("end", ["\n\n", "\n", ""])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_blocks_hold_whole_segments_at_their_lines(
    size: int, end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, (TWO + ONE + NONE + TWO + TWO + ONE).removesuffix("\n\n") + end)
    whole = outcome(path, None)
    for chunk in (1, 7, 100, 1 << 20):
        monkeypatch.setattr("kilter.io.stream.CHUNK", chunk)
        assert outcome(path, size) == whole
    assert ConlluStream(path).count == 6


MUTATIONS = [
    "\n", "\n\n", "#", "# parse = 1\n", "# parse = 2\n", "# parse = 3\n", "# sent_id = 2\n", "# text = a\n", "\t", "3",
    "0", "_", "parse", "# parse = x\n", "1-2\ta\t_\t_\t_\t_\t_\t_\t_\t_\n", ONE, TWO, NONE,
]  # fmt: skip


@pytest.mark.parametrize("seed", range(tried(40, quick=3)))
def test_wrong_files_are_told_as_if_they_were_read_as_a_whole(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed)
    faults = 0
    for _ in range(40):
        text = "".join(random.choices([ONE, TWO, NONE], k=random.randint(0, 6)))
        for _ in range(random.choice([0, 1, 1, 2, 3])):
            place = random.randint(0, len(text))
            gone = random.choice([0, 0, 1, 3, 12])
            text = text[:place] + random.choice(MUTATIONS) + text[place + gone :]
        path = written(tmp_path, text)
        whole = outcome(path, None)
        monkeypatch.setattr("kilter.io.stream.CHUNK", random.choice([1, 5, 40, 200]))
        assert outcome(path, random.randint(1, 3)) == whole, text
        faults += isinstance(whole, str)
    assert 5 < faults < 40


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"", "t.conllu: the file is empty; it must hold trees in CoNLL-U"),
        (ONE.encode() + b"x\xff\n\n" + b"a\r\n", "t.conllu:6: ends in a carriage return"),
        (ONE + "x\n\n" + ONE.replace("1\ta", "1\ta\0"), "t.conllu:7: holds a NUL byte"),
        (TWO + ONE + "# sent_id = 3\n1\ta\n\n" + ONE, "t.conllu:15 (sentence 3): has 2 columns"),
        (TWO.replace("parse\t", "c\t", 1) + ONE, "t.conllu:6 (sentence 2): the words are not those"),
        (TWO.replace("parse\t", "c\t", 1) + ONE + "x\n\n", "t.conllu:14: has 1 column"),
        (ONE + "# text = a", "t.conllu:4: the file ends before the first word of a sentence, it may have been cut off"),
    ],
)  # fmt: skip
def test_the_first_fault_is_that_of_the_whole_file(
    text: str | bytes, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, text)
    whole = outcome(path, None)
    assert fault in str(whole)
    for chunk in (1, 50, 1 << 20):
        monkeypatch.setattr("kilter.io.stream.CHUNK", chunk)
        assert outcome(path, 1) == whole


def test_the_last_of_several_numbers_of_a_parse_counts(tmp_path: Path) -> None:
    path = written(tmp_path, ONE + "# parse = 2\n# parse = 1\n" + ONE)
    assert outcome(path, 1) == outcome(path, None)
    assert ConlluStream(path).count == 2


@pytest.mark.parametrize("sentence", [b"1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n\n", b"a b c\n", b"a\n\n"])
def test_more_than_trees_of_the_texts_can_be_is_not_read_to_its_end(
    sentence: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.io.stream.CHUNK", 1 << 10)
    path = tmp_path / "trees.gz"
    path.write_bytes(gzip.compress(sentence * 100_000)[:-1])  # at its end it is damaged
    stream = ConlluStream(path)
    stream.most = 1 << 12
    told = r"trees\.gz: has more than 0 MiB, far more than trees of these texts"
    with pytest.raises(InputError, match=told):
        _ = stream.count
    with pytest.raises(InputError, match=told):
        read_trees(ByteSource(str(path)), most=1 << 12)
    _, (fault,) = checked_trees(ByteSource(str(path)), most=1 << 12)
    assert "far more than trees" in fault.for_command()


def test_after_many_faults_no_more_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.io.conllu._PIECE", 1 << 10)
    monkeypatch.setattr("kilter.io.conllu._ENOUGH", 50)
    path = tmp_path / "trees"
    path.write_bytes(b"a\n\n" * 10_000)
    _, faults = checked_trees(ByteSource(str(path)))
    assert 50 <= len(faults) < 1000
