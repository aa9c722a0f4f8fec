"""IBM Model 1."""

from pathlib import Path

from kilter.aligners.ibm1 import Ibm1
from kilter.core.corpus import Vocabulary
from tests.aligners.trained import TEXT, columns


def test_unknown_words_of_new_text_are_left_free_by_model_1(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    vocabulary = Vocabulary()
    Ibm1(model=str(path)).align(*columns(TEXT, vocabulary), vocabulary)
    other = Vocabulary()
    found = Ibm1(model=str(path)).align(
        *columns([("the zebra", "das Zebra"), ("zebra", "Zebra")], other), other
    )
    assert found.segment(0) == [(0, 0)]
    assert found.segment(1) == []
