"""Which language pair judgments are about."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.io.judgments.reader import read_judgments
from tests.io.judgments.files import HEADER, file, said, task


def test_a_language_pair_is_chosen_where_there_are_several(tmp_path: Path) -> None:
    rows = [task(1, {"A": 1, "B": 2}), task(1, {"B": 1, "A": 2}, pair="French,English")]
    path = file(tmp_path, HEADER, *rows)
    for name in ("french-english", "fr-en", "fra-eng"):
        assert said(read_judgments(path, pair=name)) == [(1, "B", "A", 1)]
    with pytest.raises(InputError, match="pairs: Czech-English, French-English; choose") as raised:
        read_judgments(path)
    assert str(raised.value).endswith("such as pair='Czech-English'")
    assert raised.value.for_command().endswith("such as --pair Czech-English")
    with pytest.raises(InputError, match="has no judgment of de-en"):
        read_judgments(path, pair="de-en")


def test_a_pair_cannot_be_chosen_from_a_table_that_names_none(tmp_path: Path) -> None:
    path = file(tmp_path, "seg\tbetter\tworse", "1\tA\tB")
    with pytest.raises(InputError, match="does not say what language pair a row belongs to"):
        read_judgments(path, pair="de-en")
