"""Files of links that are read with texts."""

from pathlib import Path

import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.core.links import LinkBatch
from kilter.io.link_format import LinkFormat
from kilter.run.scoring.link_columns import (
    LinkColumn,
    link_columns,
    links_of_files,
    word_counts,
)
from kilter.run.scoring.structure_files import StructureFiles

FILES = StructureFiles(
    links=("a.r", "a.s", "b.r", "b.s"),
    source_hypothesis=("u.a", "u.b"),
    source_reference=("u.r", "u.s"),
    through_source=True,
    link_format=LinkFormat.TALP,
)


def test_every_file_links_two_texts() -> None:
    texts = ["a", "b", "r", "s", "u"]
    columns = link_columns(FILES, 2, 2)
    assert [column.path for column in columns] == [
        ".".join(texts[place] for place in column.texts) for column in columns
    ]
    assert {column.path: column.sides for column in columns}["u.s"] == ("source", "reference")
    assert {column.form for column in columns} == {LinkFormat.TALP}


def test_a_kind_without_files_has_no_columns() -> None:
    columns = link_columns(StructureFiles(source_reference=("x",)), 3, 1)
    assert [(column.path, column.texts) for column in columns] == [("x", (4, 3))]
    assert link_columns(StructureFiles(), 3, 1) == ()


def test_links_come_back_in_the_order_of_their_files() -> None:
    batches = [LinkBatch.of([[(0, place)]]) for place in range(8)]
    links = links_of_files(FILES, 2, batches)
    assert links.hypothesis_reference == (tuple(batches[:2]), tuple(batches[2:4]))
    assert links.source_hypothesis == tuple(batches[4:6])
    assert links.source_reference == tuple(batches[6:])
    assert links.through_source


def test_words_are_counted_as_they_stand_unless_a_tokeniser_is_named() -> None:
    assert word_counts(["a, b", ""], "none").tolist() == [2, 0]
    assert word_counts(["a, b", ""], "13a").tolist() == [3, 0]


def column_of(folder: Path) -> LinkColumn:
    path = str(folder / "links")
    return LinkColumn(
        path=path, form=LinkFormat.PHARAOH, sides=("hypothesis", "reference"), texts=(0, 1)
    )


def test_links_of_later_lines_are_told_with_their_numbers(tmp_path: Path) -> None:
    column = column_of(tmp_path)
    counts = np.array([1]), np.array([1])
    assert column.batch(["0-0"], counts, first=8).segment(0) == [(0, 0)]
    with pytest.raises(InputError, match="links:8: link 0-1 points past the 1 word of the ref"):
        column.batch(["0-1"], counts, first=8)
