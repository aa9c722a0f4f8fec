"""What every registered parser promises."""

from dataclasses import FrozenInstanceError, is_dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.corpus import Vocabulary
from kilter.core.errors import MissingToolError, OptionError
from kilter.parsers.parser import Parser, Parses
from kilter.parsers.registry import PARSERS, parser
from tests.docs.pages import ROOT
from tests.thorough import examples

NAMES = PARSERS.names()
every = pytest.mark.parametrize("name", NAMES)
WORDS = st.sampled_from(["the", "The", "cat", "cats", "sat", "on", "mat", ".", "Häuser", "猫", "-"])
CORPORA = st.lists(st.lists(WORDS, max_size=7), min_size=1, max_size=4)


def parsed(name: str, sentences: list[list[str]], *, jobs: int = 1) -> Parses | None:
    """Return the parses, or None for a parser that needs a file or a package, if it says which."""
    vocabulary = Vocabulary()
    try:
        return parser(name).parse(vocabulary.column(sentences), vocabulary, jobs=jobs)
    except (OptionError, MissingToolError) as error:
        assert name in str(error).lower()  # noqa: PT017 - either it parses, or it says what it lacks
        return None


@every
def test_its_name_is_its_modules(name: str) -> None:
    found = PARSERS.find(name)
    assert issubclass(found, Parser)
    assert found.name == name
    assert found.__module__ == f"kilter.parsers.{name.replace('-', '_')}"
    called = "".join(word.capitalize() for word in name.split("-"))
    assert found.__name__.removesuffix("Parser") == called


@every
def test_it_is_a_frozen_dataclass_whose_fields_are_its_options(name: str) -> None:
    made = parser(name)
    assert is_dataclass(made)
    assert set(made.options()) == {entry.name for entry in type(made).declared()}
    for option in made.options():
        with pytest.raises(FrozenInstanceError):
            setattr(made, option, None)
    assert made == parser(name)
    assert hash(made) == hash(parser(name))


@every
def test_it_says_what_it_is(name: str) -> None:
    found = PARSERS.find(name)
    assert found.summary
    assert isinstance(found.blocks, bool)
    assert found.__doc__
    for entry in found.declared():
        assert len(entry.metadata["help"]) > 10


@every
def test_it_is_documented(name: str) -> None:
    page = (ROOT / "docs" / "parsers.md").read_text(encoding="utf-8")
    assert f"`{name}`" in page
    assert [option for option in parser(name).options() if f"`{option}`" not in page] == []


@every
def test_its_signature_names_every_option(name: str) -> None:
    made = parser(name)
    assert made.specification() == name
    assert parser(made.specification()) == made
    listed = made.signature().removeprefix(name).strip("()")
    said = dict(part.split(":", 1) for part in listed.split(",") if part)
    options = made.options()
    assert {key: value for key, value in said.items() if key in options}.items() <= options.items()
    # A model says which it is by its version, not by the place of its files; what it decides is left open.
    left = {options[key] for key in options.keys() - said.keys()}
    assert left <= {"", "0"}
    assert not left or "version" in said


@every
@examples(10)
@given(sentences=CORPORA)
def test_every_segment_has_one_tree_over_its_words(name: str, sentences: list[list[str]]) -> None:
    found = parsed(name, sentences)
    if found is None:
        return
    trees = found.trees
    assert len(trees) == trees.trees == len(sentences)
    assert [list(words) for words in trees.sentences()] == sentences
    assert len(found.language_tags) == len(trees.tags) == len(trees.heads)
    for segment, words in enumerate(sentences):
        heads = trees.heads[trees.offsets[segment] : trees.offsets[segment + 1]].tolist()
        assert heads.count(-1) == (1 if words else 0)
        for word in range(len(words)):
            above = [word]
            while heads[above[-1]] != -1:  # a path without a root would come back to where it was
                assert heads[above[-1]] not in above
                above.append(heads[above[-1]])


@every
@examples(5)
@given(sentences=CORPORA)
def test_trees_do_not_depend_on_threads_or_on_other_segments(
    name: str, sentences: list[list[str]]
) -> None:
    found = parsed(name, sentences)
    if found is None:
        return
    again = parsed(name, sentences, jobs=3)
    assert again is not None
    assert again.trees.heads.tolist() == found.trees.heads.tolist()
    if PARSERS.find(name).blocks:
        alone = [parsed(name, [words]) for words in sentences]
        heads = [each.trees.heads for each in alone if each is not None]
        assert np.concatenate(heads).tolist() == found.trees.heads.tolist()


def test_some_parser_needs_nothing_but_the_package() -> None:
    assert [name for name in NAMES if parsed(name, [["Cats", "sleep"]]) is not None]
