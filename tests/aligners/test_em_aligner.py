"""What the statistical aligners share: learning, options, bounds."""

import random
from pathlib import Path

import pytest

from kilter.aligners.hmm import Hmm
from kilter.aligners.ibm1 import Ibm1
from kilter.aligners.registry import ALIGNERS
from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError, OptionError
from kilter.core.link_rule import Symmetrization
from tests.aligners.trained import NAMES, TEXT, columns, made, same


def test_both_are_registered_under_their_names() -> None:
    assert [ALIGNERS.find(name).name for name in NAMES] == NAMES
    assert not ALIGNERS.find("hmm").monolingual


@pytest.mark.parametrize("name", NAMES)
def test_words_that_translate_one_another_are_linked(name: str) -> None:
    vocabulary = Vocabulary()
    found = made(name).align(*columns(TEXT, vocabulary), vocabulary)
    expected = [[(k, k) for k in range(len(one.split()))] for one, _ in TEXT[:-1]]
    assert [found.segment(k) for k in range(len(TEXT))] == [*expected, []]


def test_forward_links_give_each_second_word_at_most_one_link() -> None:
    vocabulary = Vocabulary()
    text = [("a", "x y z"), ("a b", "x y z"), ("b", "z")]
    for rule, side in (("forward", 1), ("reverse", 0)):
        for name in NAMES:
            found = made(f"{name}:symmetrize={rule}").align(*columns(text, vocabulary), vocabulary)
            for segment in range(len(text)):
                words = [link[side] for link in found.segment(segment)]
                assert len(words) == len(set(words))


@pytest.mark.parametrize("name", NAMES)
def test_jobs_change_nothing(name: str) -> None:
    dice = random.Random(7)
    words = [f"w{k}" for k in range(50)]
    text = [
        (" ".join(dice.choices(words, k=dice.randint(0, 15))), " ".join(dice.choices(words, k=9)))
        for _ in range(300)
    ]
    vocabulary = Vocabulary()
    sides = columns(text, vocabulary)
    models = [made(name).train(*sides, vocabulary, jobs=jobs) for jobs in (1, 4)]
    assert same(*models)


def test_the_numbers_of_a_shared_vocabulary_change_nothing() -> None:
    fresh, used = Vocabulary(), Vocabulary()
    used.column([["Buch", "zebra", "small"], ["a"]])
    one = Hmm().train(*columns(TEXT, fresh), fresh)
    other = Hmm().train(*columns(TEXT, used), used)
    assert same(one, other)


def test_progress_is_told_after_every_iteration() -> None:
    vocabulary = Vocabulary()
    told: list[tuple[int, int]] = []
    sides = columns(TEXT, vocabulary)
    Hmm(iterations=2, model1=3).align(
        *sides, vocabulary, progress=lambda k, of: told.append((k, of))
    )
    assert told == [(k, 5) for k in range(1, 6)]


def test_extra_pairs_teach_and_are_not_aligned() -> None:
    vocabulary = Vocabulary()
    short = columns([("the house", "das Haus")], vocabulary)
    alone = Ibm1(symmetrize=Symmetrization.INTERSECTION).align(*short, vocabulary)
    taught = Ibm1(symmetrize=Symmetrization.INTERSECTION).align(
        *short, vocabulary, extra=columns(TEXT, vocabulary)
    )
    assert len(alone) == len(taught) == 1
    assert taught.segment(0) == [(0, 0), (1, 1)] != alone.segment(0)


def test_case_is_ignored_unless_told_otherwise() -> None:
    vocabulary = Vocabulary()
    sides = columns([("The the", "Das das")], vocabulary)
    assert Ibm1().train(*sides, vocabulary).first_words == ("the",)
    assert Ibm1(lowercase=False).train(*sides, vocabulary).first_words == ("The", "the")


def test_several_pairs_of_texts_need_a_model_that_exists(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    found = Ibm1(model=str(path))
    found.check_pairs_of_texts(1)
    Ibm1().check_pairs_of_texts(2)
    with pytest.raises(OptionError, match=r"2 pairs .* train it before with kilter align"):
        found.check_pairs_of_texts(2)
    path.touch()
    found.check_pairs_of_texts(2)


def test_texts_of_different_lengths_are_refused() -> None:
    vocabulary = Vocabulary()
    first, second = columns(TEXT, vocabulary)
    longer = vocabulary.column([["a"]] * 9)
    for name in NAMES:
        with pytest.raises(InputError, match="8 and 9 segments"):
            made(name).align(first, longer, vocabulary)
        with pytest.raises(InputError, match="9 and 8 segments"):
            made(name).train(first, second, vocabulary, extra=(longer, second))


@pytest.mark.parametrize("name", NAMES)
def test_texts_without_words_have_no_links(name: str) -> None:
    vocabulary = Vocabulary()
    for text in ([], [("", "")], [("", "x"), ("a", "")]):
        found = made(name).align(*columns(text, vocabulary), vocabulary)
        assert len(found) == len(text)
        assert not len(found.links)


def test_options_round_trip_through_the_specification() -> None:
    for specification in ("hmm:iterations=3,agree=false,links=posterior", "ibm1:symmetrize=union"):
        assert made(specification).specification() == specification
    with pytest.raises(OptionError, match="grow-diag"):
        made("hmm:symmetrize=sideways")


@pytest.mark.parametrize(
    ("option", "low", "high"),
    [("ibm1:iterations", 1, 1000), ("hmm:iterations", 1, 1000), ("hmm:model1", 0, 1000)],
)
def test_iterations_have_bounds(option: str, low: int, high: int) -> None:
    for right in (low, high):
        made(f"{option}={right}")
    for wrong in (low - 1, high + 1):
        with pytest.raises(OptionError, match=f"must lie between {low} and {high}"):
            made(f"{option}={wrong}")
