"""Reordered sentences there and back, in every form; every mistake with its line."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError
from kilter.core.link_rule import reorder
from kilter.core.links import LinkBatch
from kilter.core.reordering import PrintedOrder
from kilter.io.reordering import (
    ReorderingForm,
    form_of,
    parse_reordering,
    read_reorderings,
    write_reorderings,
)
from kilter.io.stream import ByteSource
from tests.conllu_text import CATS, DOGS, conllu
from tests.strategies import link_sets

Drawn = tuple[int, int, list[tuple[int, int]]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reorderings")


def read(folder: Path, text: str, form: str) -> PrintedOrder:
    path = folder / f"orders.{form}"
    path.write_text(text, encoding="utf-8")
    return read_reorderings(ByteSource(str(path)))


@pytest.mark.parametrize("form", ReorderingForm)
@given(st.lists(link_sets(), min_size=1, max_size=4))
def test_every_form_is_read_back_as_it_was_written(
    form: ReorderingForm, folder: Path, drawn: list[Drawn]
) -> None:
    texts = [[f"w{place}" for place in range(length)] for length, _, _ in drawn]
    lengths = np.array([len(words) for words in texts])
    made = reorder(LinkBatch.of([links for _, _, links in drawn]), lengths, rule="talbot")
    lines = list(write_reorderings(texts, made, form=form))
    found = read(folder, "".join(line + "\n" for line in lines), str(form))
    assert found.offsets.tolist() == made.offsets.tolist()
    assert found.group.tolist() == made.group.tolist()
    printed = PrintedOrder.of("made", made, texts)
    if form is not ReorderingForm.POSITIONS:
        assert found.words == printed.words
    if form is not ReorderingForm.TEXT:
        assert [found.groups(s) for s in range(len(found))] == [
            made.groups(s) for s in range(len(made))
        ]
    if form is ReorderingForm.JSONL:
        assert found.sources == printed.sources
    assert found.is_tied == (
        any(len(group) > 1 for s in range(len(made)) for group in made.groups(s))
    )


def test_words_repeat_and_groups_stand_anywhere() -> None:
    assert parse_reordering("{{ a a }} b {{ a c }}") == [["a", "a"], ["b"], ["a", "c"]]
    assert parse_reordering("") == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("a {{ b", "{{ is never closed"),
        ("a }} b", "}} at word 2 closes nothing"),
        ("{{ a {{ b }} }}", "second {{ at word 3"),
        ("{{ }} a", "the group that ends at word 2 is empty"),
    ],
)
def test_braces_that_do_not_match_are_named(line: str, reason: str, folder: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(folder, f"x y\n{line}\n", "text")
    assert f"orders.text:2: {reason}" in str(caught.value).replace("a second", "second")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("0 one", "'one' is no position"),
        ("0 -1", "'-1' is no position"),
        ("0 01", "'01' is no position"),
        ("0 {{ 1 0 }}", "position 0 stands twice"),
    ],
)
def test_positions_are_distinct_numbers(line: str, reason: str, folder: Path) -> None:
    with pytest.raises(InputError, match=f"orders.positions:1: {reason}"):
        read(folder, line + "\n", "positions")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("a b", "is not JSON"),
        ("[]", 'needs "words"'),
        (json.dumps({"words": ["a"], "groups": {}}), 'needs "words"'),
        (json.dumps({"words": ["a", 1], "groups": []}), 'needs "words"'),
        (json.dumps({"words": ["a"], "groups": [[]]}), r"the group \[\] is not a list"),
        (json.dumps({"words": ["a"], "groups": [[True]]}), r"the group \[true\] is not a list"),
        (json.dumps({"words": ["a"], "groups": [[1]]}), "position 1 lies outside the 1 word"),
        (json.dumps({"words": ["a"], "groups": [[-1]]}), "position -1 lies outside the 1 word"),
        (json.dumps({"words": ["a", "b"], "groups": [[1], [1]]}), "position 1 stands twice"),
        (json.dumps({"words": [""], "groups": [[0]]}), "a word is empty"),
    ],
)
def test_json_says_what_is_missing(line: str, reason: str, folder: Path) -> None:
    with pytest.raises(InputError, match=f"orders.jsonl:1: {reason}"):
        read(folder, line + "\n", "jsonl")


def test_a_word_of_braces_is_not_written_as_text() -> None:
    made = reorder(LinkBatch.of([[(0, 1), (1, 0)]]), np.array([2]))
    with pytest.raises(InputError, match=r"the word \{\{ would read as a tied group"):
        list(write_reorderings([["a", "{{"]], made))
    assert list(write_reorderings([["a", "{{"]], made, form="positions")) == ["1 0"]


@pytest.mark.parametrize("word", ["25 000", "25\u00a0000", " a"])
def test_a_word_with_a_blank_is_kept_in_json_and_not_written_as_text(
    word: str, folder: Path
) -> None:
    made = reorder(LinkBatch.of([[], [(0, 1), (1, 0)]]), np.array([0, 2]))
    texts = [[], ["a", word]]
    with pytest.raises(InputError, match=r"^text:2: the word .* holds a blank") as caught:
        list(write_reorderings(texts, made, where=lambda segment: f"text:{segment + 1}"))
    assert caught.value.for_command().endswith("or keep the words with --format jsonl")
    lines = write_reorderings(texts, made, form="jsonl")
    assert read(folder, "".join(line + "\n" for line in lines), "jsonl").words == ((), (word, "a"))


def test_the_name_of_a_file_says_its_form() -> None:
    assert form_of("a.jsonl.xz") is ReorderingForm.JSONL
    assert form_of("b.positions") is ReorderingForm.POSITIONS
    assert form_of("-") is form_of("c.txt") is ReorderingForm.TEXT


@pytest.mark.parametrize("form", [None, *ReorderingForm])
def test_trees_are_no_reordered_sentences(tmp_path: Path, form: ReorderingForm | None) -> None:
    path = tmp_path / "trees"
    path.write_text(conllu(CATS, DOGS), encoding="utf-8")
    with pytest.raises(
        InputError, match="CoNLL-U where there should be reordered sentences, one a"
    ):
        read_reorderings(ByteSource(str(path)), form=form)
