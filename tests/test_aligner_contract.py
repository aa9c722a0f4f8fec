"""What every registered aligner promises."""

from dataclasses import FrozenInstanceError, is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.aligners.aligner import Aligner
from kilter.aligners.registry import ALIGNERS, BILINGUAL, MONOLINGUAL, aligner
from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError, MissingToolError, OptionError
from kilter.core.links import LinkBatch
from tests.docs.pages import ROOT
from tests.thorough import examples

NAMES = ALIGNERS.names()
every = pytest.mark.parametrize("name", NAMES)
WORDS = st.sampled_from(["the", "The", "cat", "cats", "sat", "on", "mat", ".", "Häuser", "猫"])
SENTENCES = st.lists(WORDS, max_size=6)
PAIRS = st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=4)
Pairs = list[tuple[list[str], list[str]]]


def linked(made: Aligner, pairs: Pairs, *, jobs: int = 1) -> LinkBatch | None:
    """Return the links, or None for an aligner that needs a file or a program, if it says which."""
    vocabulary = Vocabulary()
    first = vocabulary.column([one for one, _ in pairs])
    second = vocabulary.column([other for _, other in pairs])
    try:
        return made.align(first, second, vocabulary, jobs=jobs)
    except (OptionError, MissingToolError) as error:
        assert made.name in str(error)  # noqa: PT017 - either it aligns, or it says what it lacks
        return None


@every
def test_its_name_is_its_modules(name: str) -> None:
    found = ALIGNERS.find(name)
    assert issubclass(found, Aligner)
    assert found.name == name
    assert found.__module__ == f"kilter.aligners.{name.replace('-', '_')}"
    called = "".join(word.capitalize() for word in name.split("-"))
    assert found.__name__.removesuffix("Aligner") == called


@every
def test_it_is_a_frozen_dataclass_whose_fields_are_its_options(name: str) -> None:
    made = aligner(name)
    assert is_dataclass(made)
    assert set(made.options()) == {entry.name for entry in type(made).declared()}
    for option in made.options():
        with pytest.raises(FrozenInstanceError):
            setattr(made, option, None)
    assert made == aligner(name)
    assert hash(made) == hash(aligner(name))


@every
def test_it_says_what_it_is(name: str) -> None:
    found = ALIGNERS.find(name)
    assert found.summary
    assert isinstance(found.monolingual, bool)
    assert found.__doc__
    for entry in found.declared():
        assert len(entry.metadata["help"]) > 10


@every
def test_it_is_documented(name: str) -> None:
    page = (ROOT / "docs" / "aligners.md").read_text(encoding="utf-8")
    assert f"`{name}`" in page
    assert [option for option in aligner(name).options() if f"`{option}`" not in page] == []


@every
def test_its_signature_names_every_option(name: str) -> None:
    made = aligner(name)
    assert made.specification() == name
    assert aligner(made.specification()) == made
    listed = made.signature().removeprefix(name).strip("()")
    said = dict(part.split(":", 1) for part in listed.split(",") if part)
    options = made.options()
    assert {key: value for key, value in said.items() if key in options}.items() <= options.items()
    # A model says which it is by its version, not by the place of its files.
    assert all(options[key] == "" and "version" in said for key in options.keys() - said.keys())


@every
def test_a_language_gives_options_that_it_has_and_leaves_others_alone(name: str) -> None:
    found = ALIGNERS.find(name)
    language = aligner(name).only_language or "de"
    options = found.language_options(language)
    assert set(options) <= set(aligner(name).options())
    made = aligner(name, language=f"{language}-XX")
    assert made == found.from_text(options)
    for option, default in aligner(name).options().items():
        if option in options:  # what the specification says decides
            asked = aligner(f"{name}:{option}={default}", language=language)
            assert asked.options()[option] == default


@every
def test_a_language_that_it_does_not_know_is_refused(name: str) -> None:
    only = aligner(name).only_language
    if only is None:
        assert aligner(name, language="de").name == name
        return
    with pytest.raises(OptionError, match=f"{name} knows only the language {only}"):
        aligner(name, language="xx")


@every
@examples(20)
@given(pairs=PAIRS)
def test_links_lie_in_their_segments_each_once_and_sorted(name: str, pairs: Pairs) -> None:
    links = linked(aligner(name), pairs)
    if links is None:
        return  # it said what it needs
    assert len(links) == len(pairs)
    for segment, (one, other) in enumerate(pairs):
        found = links.segment(segment)
        assert found == sorted(set(found))
        assert all(0 <= first < len(one) and 0 <= second < len(other) for first, second in found)


@every
@examples(15)
@given(pairs=PAIRS)
def test_links_are_the_same_again_and_for_any_number_of_threads(name: str, pairs: Pairs) -> None:
    made = aligner(name)
    results = [linked(made, pairs, jobs=jobs) for jobs in (1, 1, 3)]
    assert len({None if found is None else found.links.tobytes() for found in results}) == 1


@every
@examples(20)
@given(pairs=PAIRS)
def test_one_to_one_means_that_no_word_has_two_links(name: str, pairs: Pairs) -> None:
    made = aligner(name).one_to_one()
    if made is None:
        return  # it has no such options
    links = linked(made, pairs)
    assert links is None or links.shared_segments().tolist() == []
    assert made.one_to_one() == made


@every
def test_texts_of_different_lengths_are_refused(name: str) -> None:
    vocabulary = Vocabulary()
    first, second = vocabulary.column([["a"], ["b"]]), vocabulary.column([["a"]])
    with pytest.raises(InputError, match="2 and 1 segments"):
        aligner(name).align(first, second, vocabulary)


@every
def test_equal_words_are_linked_where_both_texts_are_in_one_language(name: str) -> None:
    if not ALIGNERS.find(name).monolingual:
        return  # what is linked depends on what it learns
    words = ["the", "cat", "sat"]
    links = linked(aligner(name), [(words, words)])
    assert links is None or links.segment(0) == [(0, 0), (1, 1), (2, 2)]


def test_the_defaults_are_for_what_they_are_called() -> None:
    assert ALIGNERS.find(MONOLINGUAL).monolingual
    assert not ALIGNERS.find(BILINGUAL).monolingual
