"""Texts that are cut into small blocks, for tests."""

import pytest


def cut_into(monkeypatch: pytest.MonkeyPatch, segments: int) -> None:
    """Let blocks have so many segments, and texts of more be measured block by block."""
    monkeypatch.setattr("kilter.pipeline.scoring.text_streams.BLOCK", segments)
    monkeypatch.setattr("kilter.pipeline.scoring.text_streams._GRAIN", segments)
