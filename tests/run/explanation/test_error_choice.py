"""Which order errors are shown."""

from typing import Any

import pytest

import kilter
from kilter.core.errors import OptionError

LINES = ["to alpha beta gamma delta 12 epsilon"], ["alpha 12 beta gamma delta epsilon to"]


def moved(ignore: list[str], **options: Any) -> set[str]:
    (found,) = kilter.order_errors(*LINES, ignore=ignore, every=True, **options)
    words = LINES[0][0].split()
    return {words[place] for error in found.errors.segment(0).errors for place in error.moved}


def test_errors_of_words_to_be_ignored_are_left_out() -> None:
    assert moved([]) == {"to", "12"}
    assert moved(["short"]) == {"12"}
    assert moved(["numbers"]) == {"to"}
    assert moved(["short", "numbers"]) == set()


def test_tags_are_those_of_trees() -> None:
    assert moved(["ADP", "PART"], parser="model") == {"12"}
    with pytest.raises(OptionError, match="ADP is a tag, and there are no trees"):
        moved(["ADP"])


def test_a_class_that_there_is_not_is_an_error() -> None:
    with pytest.raises(
        OptionError, match="cannot ignore 'verbs'; it can be short, numbers, or a tag"
    ):
        moved(["verbs"])
