"""The embedding aligner says what to install."""

import pytest

from kilter.align.registry import aligner
from kilter.errors import MissingToolError
from kilter.structures.token_column import Vocabulary


def test_without_its_model_the_install_command_is_named() -> None:
    vocabulary = Vocabulary()
    column = vocabulary.column([["a"]])
    with pytest.raises(MissingToolError, match=r"pip install 'kilter\[parse\]'"):
        aligner("embedding").align(column, column, vocabulary)
