"""Projects on disk."""

from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.study.annotation.creation import create_project
from kilter.study.annotation.project import (
    ADJUDICATED,
    PROJECT_FILE,
    SENTENCE_FILE,
    dealt_sentences,
    name_fault,
    read_project,
)
from tests.study.annotation.projects import texts


@pytest.mark.parametrize(("people", "each"), [*product((1, 3, 4), (1, 2, 3))])
def test_sentences_are_dealt_to_as_many_as_asked_for_and_equally(people: int, each: int) -> None:
    names = "ABCD"[:people]
    if each > people:
        return
    dealt = dealt_sentences(12, names, each)
    assert all(len({*who}) == each for who in dealt)
    assert {*Counter(name for who in dealt for name in who).values()} == {12 * each // people}


def test_a_project_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = create_project(tmp_path / "project", texts(tmp_path))
    assert read_project(tmp_path / "project") == made
    assert made.dealt("A") == made.dealt(ADJUDICATED) == [1, 2, 3]
    assert made.dealt("nobody") == []


@pytest.mark.parametrize(
    ("file", "before", "after", "reason"),
    [
        (PROJECT_FILE, 'annotators = ["A", "B"]', 'annotators = ["a b"]', "no name"),
        (PROJECT_FILE, "possible = false", "possible = 1", "true or false"),
        (PROJECT_FILE, "possible = false", "posible = false", "posible"),
        (PROJECT_FILE, 'target_tokenize = "none"', 'target_tokenize = "x"', "no tokeniser"),
        (SENTENCE_FILE, '"number": 2', '"number": 5', "its number is 5"),
        (SENTENCE_FILE, '"words"', '"word"', "words"),
    ],
)
def test_a_damaged_file_says_what_is_wrong(
    tmp_path: Path, file: str, before: str, after: str, reason: str
) -> None:
    create_project(tmp_path / "project", texts(tmp_path))
    path = tmp_path / "project" / file
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(Exception, match=reason):
        read_project(tmp_path / "project")


def test_another_folder_is_no_project(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="kilter annotate create"):
        read_project(tmp_path)


def test_nobody_is_called_as_the_adjudicated_links_are() -> None:
    assert name_fault(ADJUDICATED) is not None
    assert name_fault("Ada.Lovelace+1") is None
