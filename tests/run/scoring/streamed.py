"""Texts that are cut into small blocks, for tests."""

from pathlib import Path

import pytest

from kilter.io.text_file import TextStream
from kilter.run.demo import SAMPLE, SYSTEMS
from kilter.run.scoring.structure_files import StructureFiles
from kilter.run.scoring.text_streams import TextStreams


def cut_into(monkeypatch: pytest.MonkeyPatch, segments: int) -> None:
    """Let blocks have so many segments, and texts of more be measured block by block."""
    monkeypatch.setattr("kilter.run.scoring.text_streams.BLOCK", segments)
    monkeypatch.setattr("kilter.run.scoring.text_streams._GRAIN", segments)


def resampled_in(monkeypatch: pytest.MonkeyPatch, segments: int) -> None:
    """Let statistics be resampled in blocks of so many segments."""
    monkeypatch.setattr("kilter.stats.resampling._MEMORY", 1)
    monkeypatch.setattr("kilter.stats.resampling._LEAST_SEGMENTS", segments)


def streams_of(
    systems: list[Path],
    references: list[Path],
    source: Path | None = None,
    structures: StructureFiles | None = None,
) -> TextStreams:
    """Return texts of these files, each called by its name."""
    return TextStreams(
        systems={path.name: TextStream(path) for path in systems},
        references={path.name: TextStream(path) for path in references},
        source=None if source is None else (source.name, TextStream(source)),
        files={},
        structures=structures or StructureFiles(),
    )


def sample() -> TextStreams:
    """Return two systems of the sample with both references."""
    systems = [SAMPLE / f"{name}.en" for name in [*SYSTEMS][:2]]
    references = [SAMPLE / "reference.en", SAMPLE / "reference2.en"]
    return streams_of(systems, references, SAMPLE / "source.de")
