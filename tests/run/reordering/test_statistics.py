"""Statistics of files of any size: batches, workers and memory play no part in the numbers."""

from pathlib import Path

import numpy as np
import pytest

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.io.link_format import LinkFormat
from kilter.io.text_file import TextStream
from kilter.run.engine.choice import EngineChoice
from kilter.run.reordering import statistics
from kilter.run.reordering.order_sums import MOST_PAIRS
from kilter.run.reordering.statistics import file_statistics


@pytest.fixture
def paths(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Return a source, a target and links of 50 pairs, some of them without any."""
    random = np.random.default_rng(1)
    texts: list[list[str]] = [[], [], []]
    for _ in range(50):
        words, others = random.integers(1, 9, size=2)
        texts[0].append(" ".join(["s"] * words))
        texts[1].append(" ".join(["t"] * others))
        drawn = {
            (random.integers(words), random.integers(others)) for _ in range(random.integers(9))
        }
        texts[2].append(" ".join(f"{s}-{t}" for s, t in sorted(drawn)))
    found = tmp_path / "source", tmp_path / "target", tmp_path / "links"
    for path, lines in zip(found, texts, strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return found


def document(paths: tuple[Path, Path, Path], **options: object) -> dict[str, object]:
    source, target, links = map(TextStream, paths)
    return file_statistics(source, links, target=target, **options).to_dict()  # type: ignore[arg-type]


def test_batches_and_workers_make_no_difference(
    paths: tuple[Path, Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [path.read_text(encoding="utf-8").splitlines() for path in paths]
    whole = kilter.reorder.statistics(lines[0], str(paths[2]), target=lines[1]).to_dict()
    assert document(paths) == whole
    monkeypatch.setattr(statistics, "PAIRS", 7)
    assert document(paths) == whole
    done: list[tuple[int, int | None]] = []
    choice = EngineChoice(workers=2)
    assert document(paths, engine=choice, progress=lambda *place: done.append(place)) == whole
    assert done[-1] == (50, 50)


def test_batches_are_small_enough_to_add_up_exactly() -> None:
    assert 0 < statistics.PAIRS <= MOST_PAIRS


@pytest.mark.parametrize(("possible", "links"), [(False, 1), (True, 3)])
def test_possible_links_count_only_if_asked_for(
    possible: object, links: int, tmp_path: Path
) -> None:
    paths = tmp_path / "source", tmp_path / "target", tmp_path / "links"
    for path, line in zip(paths, ("a b c", "x y z", "0-0 1p2 2p1"), strict=True):
        path.write_text(f"{line}\n", encoding="utf-8")
    found = document(paths, possible=possible, link_format=LinkFormat.SURE_POSSIBLE)
    assert found["counts"]["linked_source_words"] == links  # type: ignore[index]


def test_a_link_past_its_sentence_is_named_by_file_and_line(
    paths: tuple[Path, Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "PAIRS", 7)
    lines = paths[2].read_text(encoding="utf-8").splitlines()
    paths[2].write_text("\n".join([*lines[:23], "0-0 99-0", *lines[24:]]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"links:24: link 99-0 points past the .* of the source"):
        document(paths)
    paths[2].write_text("\n".join([*lines[:23], "0-0 x", *lines[24:]]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="links:24: "):
        document(paths)


def test_texts_of_other_lengths_and_links_in_blocks_are_refused(
    paths: tuple[Path, Path, Path],
) -> None:
    with pytest.raises(OptionError, match="convert the links to pharaoh"):
        document(paths, link_format=LinkFormat.GIZA)
    paths[2].write_text("0-0\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"has 1 line, but .*source has 50"):
        document(paths)


def test_a_target_is_not_needed_and_then_its_words_are_not_known(
    paths: tuple[Path, Path, Path],
) -> None:
    source, _, links = map(TextStream, paths)
    found = file_statistics(source, links)
    assert found.counts.target_words is None
    assert found.counts.shares()["unaligned target words"] is None
    whole = file_statistics(*map(TextStream, (paths[0], paths[2])), target=TextStream(paths[1]))
    assert found.means == whole.means
