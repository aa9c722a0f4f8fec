"""Texts of a study."""

from pathlib import Path

import pytest

from kilter.errors import InputError
from kilter.survey.design.creation import create
from tests.survey.generated import write_study


def test_texts_of_different_lengths_are_refused(tmp_path: Path) -> None:
    folder = write_study(tmp_path)
    (folder / "sys0.en").write_text("One line.\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"sys0.en: has 1 line, but .*reference.en has 40"):
        create(folder)
