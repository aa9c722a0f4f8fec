"""Statistics of orders by links that are made on the way."""

from pathlib import Path

import pytest

from kilter.io.text_file import TextStream
from kilter.run import align as align_blocks
from kilter.run.engine.choice import EngineChoice
from kilter.run.reordering.statistics import aligned_statistics, file_statistics
from tests.cli.command import kilter

SOURCE = "she reads a book\nyes\na book reads she\n\n"
TARGET = "she a book reads\nyes yes\na she\n\n"


@pytest.mark.parametrize(
    ("aligner", "workers"),
    [
        ("match", None),
        ("ibm1:iterations=2", None),
        ("ibm1:iterations=2", 2),
        ("match:stages=exact+learned", None),
    ],
)
def test_numbers_are_those_of_the_links_that_align_writes(
    aligner: str, workers: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(align_blocks, "PAIRS", 2)
    paths = [str(tmp_path / name) for name in ("source", "target", "links")]
    for path, text in zip(paths, (SOURCE, TARGET), strict=False):
        Path(path).write_text(text, encoding="utf-8")
    asked = ("align", "--source", paths[0], "--target", paths[1], "--aligner", aligner, "-q")
    assert kilter(*asked, "-o", paths[2]).code == 0
    source, target, links = map(TextStream, paths)
    expected = file_statistics(source, links, target=target)
    engine = EngineChoice(workers=workers)
    found = aligned_statistics(source, target, aligner=aligner, engine=engine)
    assert found == (expected, ())
    assert expected.counts.pairs == 4
