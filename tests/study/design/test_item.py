"""Designs on disk."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.study.design.creation import create, write_example
from kilter.study.design.item import read_design


def test_damaged_designs_name_file_and_line(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    write_example(folder)
    create(folder)
    file = folder / "items.jsonl"
    good = file.read_text(encoding="utf-8")
    for text, message in (
        ("{", r"items.jsonl:1: is not JSON"),
        ("[]", r"items.jsonl:1: is not a JSON object"),
        ('{"id": 1}', r"items.jsonl:1: is no item"),
        (good.split("\n", 1)[1], r"questionnaires.jsonl:1: names the item"),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            read_design(folder)
