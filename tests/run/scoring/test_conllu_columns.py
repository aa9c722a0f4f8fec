"""Files of trees that are read with texts."""

from pathlib import Path

import pytest

from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError
from kilter.io.conllu_stream import ConlluStream
from kilter.io.text import LineStream
from kilter.run.scoring.conllu_columns import (
    ConlluColumn,
    conllu_columns,
    line_count,
    trees_of_files,
)
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.structure_files import StructureFiles

FILES = StructureFiles(trees=("a", "b"), trees_reference=("r",), trees_source="u")


def tree(*words: str) -> str:
    rows = (f"{k + 1}\t{word}\t_\t_\t_\t_\t{k}\t_\t_\t_\n" for k, word in enumerate(words))
    return "".join(rows) + "\n"


def test_every_file_holds_the_trees_of_a_text() -> None:
    found = [(column.path, column.text) for column in conllu_columns(FILES, 2, 1)]
    assert found == [("a", 0), ("b", 1), ("r", 2), ("u", 3)]
    (alone,) = conllu_columns(StructureFiles(trees_reference=("r",)), 2, 1)
    assert alone == ConlluColumn(path="r", text=2)


def test_trees_come_back_in_the_order_of_their_files() -> None:
    columns = [DependencyTreeColumn.of([]) for _ in range(4)]
    trees = trees_of_files(FILES, columns)
    assert trees.systems == tuple(columns[:2])
    assert trees.references == (columns[2],)
    assert trees.source is columns[3]
    assert not trees_of_files(StructureFiles(), [])


def test_trees_of_later_lines_are_told_with_their_numbers() -> None:
    segments = [tree("a", "b"), tree("c")]
    assert line_count(segments) == 5
    column = ConlluColumn(path="t", text=0).trees(segments, line=11)
    assert [column.where(0), column.where(1)] == ["t:11", "t:14"]


def fault(folder: Path, trees: str, text: str, **settings: object) -> InputError | None:
    (folder / "t.conllu").write_text(trees)
    (folder / "text").write_text(text)
    column = ConlluColumn(path=str(folder / "t.conllu"), text=0)
    stream, lines = ConlluStream(column.path), LineStream(folder / "text")
    return column.fault(stream, lines, Settings(**settings), called="mt")  # type: ignore[arg-type]


@pytest.mark.parametrize("chunk", [1, 1 << 20])
def test_trees_are_held_against_their_text(
    chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.io.stream.CHUNK", chunk)
    trees = tree("a", "b") + tree("c", ",", "d")
    assert fault(tmp_path, trees, "a b\nc , d\n") is None
    assert fault(tmp_path, trees, "a b\nc, d\n", tokenize="13a") is None
    assert fault(tmp_path, trees, "A b\nc , d\n", lowercase=True) is None
    for text, told in (
        ("a b\n", "t.conllu: has trees for 2 segments, but mt has 1 line;"),
        ("x b\nc , d\n\n", "t.conllu: has trees for 2 segments, but mt has 3 lines;"),
        ("a b\nc , e\n", "t.conllu:4: word 3 of the tree is 'd', but that of line 2 of mt is 'e'"),
        ("a b\nc, d\n", "the tokeniser 13a makes the words of these trees: tokenize='13a'"),
    ):
        assert told in str(fault(tmp_path, trees, text))
    with pytest.raises(InputError, match=r"t\.conllu:8: has 1 column"):
        fault(tmp_path, trees + "x\n\n", "z\n")
