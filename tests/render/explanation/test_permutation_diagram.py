"""Dots stand where hypothesis and reference say."""

import pytest
from hypothesis import given

from kilter import Permutation
from kilter.render.explanation.link_diagram import LinkedWords
from kilter.render.explanation.permutation_diagram import permutation_diagram
from tests import strategies
from tests.render.explanation import worked
from tests.render.explanation.look import check, element_of
from tests.render.picture import parsed, texts
from tests.thorough import examples

PAIRS = {
    "six": worked.values_and_ranks(worked.SIX),
    "because": worked.BECAUSE_PAIR,
    "cellist": worked.CELLIST_PAIR,
    "sherlock": worked.SHERLOCK_PAIR,
    "hebrew": worked.HEBREW_PAIR,
    "long": worked.repeated(worked.CELLIST_PAIR, 6),
    "empty": LinkedWords([], [], []),
    "one": LinkedWords(["a"], ["a"], [(0, 0)]),
}


@pytest.mark.parametrize("words", PAIRS.values(), ids=PAIRS.keys())
def test_every_picture_is_legible_and_has_all_words_and_links(words: LinkedWords) -> None:
    picture = permutation_diagram(words)
    check(picture)
    drawn = texts(picture)
    both = [*words.hypothesis, *words.reference]
    assert {word: drawn.count(word) for word in both} == {word: both.count(word) for word in both}
    root = parsed(picture)
    heavy = sum(first in words.misplaced for first, _ in words.links)
    assert len(root.findall(".//{*}circle")) == len(words.links) - heavy + _dots(picture)
    assert len(root.findall(".//{*}polygon")) == heavy


def _dots(picture: str) -> int:
    """Return the circles of hatchings, which are no links."""
    return len(parsed(picture).findall(".//{*}pattern/{*}circle"))


@examples(30)
@given(strategies.permutations(1, 20))
def test_dots_rise_as_the_values_do(values: list[int]) -> None:
    words = worked.values_and_ranks(Permutation(values))
    circles = parsed(permutation_diagram(words)).findall(".//{*}circle")
    places = sorted((float(c.get("cx", "")), -float(c.get("cy", ""))) for c in circles)
    heights = [height for _, height in places]
    assert [sorted(heights).index(height) for height in heights] == values


def test_misplaced_words_are_diamonds_and_unlinked_ones_hatched() -> None:
    picture = permutation_diagram(worked.CELLIST_PAIR)
    assert "url(#" in picture
    assert any("misplaced: diamonds" in text for text in texts(picture))
    bold = [t.text for t in parsed(picture).findall(".//{*}text") if t.get("font-weight")]
    assert bold == ["cellist"]
    hatched = [r for r in parsed(picture).findall(".//{*}rect") if "url" in r.get("fill", "")]
    assert len(hatched) == 6


def test_numbers_stand_upright_and_words_are_turned() -> None:
    numbers = permutation_diagram(worked.values_and_ranks(worked.SIX))
    assert element_of(numbers, "6").get("transform") is None
    assert element_of(permutation_diagram(worked.CELLIST_PAIR), "began").get("transform")
