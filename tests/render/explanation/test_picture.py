"""The pictures of an explanation by name."""

import re
import xml.etree.ElementTree as ET

import pytest

import kilter
from kilter.core.errors import InputError
from kilter.render.explanation.link_diagram import MISPLACED
from kilter.render.explanation.picture import PictureName, picture, pictures


def test_there_are_as_many_pictures_as_there_is_to_show() -> None:
    plain = kilter.explain("b a", "a b", metrics="kendall")
    assert list(pictures(plain)) == ["links", "permutation", "permutation-tree"]
    trees = kilter.explain(
        "cats sleep", "cats slept", metrics=["dted", "derp"], parser="perceptron"
    )
    assert list(pictures(trees)) == [*PictureName]
    for svg in pictures(trees).values():
        ET.fromstring(svg)  # noqa: S314 - our own


@pytest.mark.parametrize("name", PictureName)
def test_a_picture_is_the_one_of_its_name(name: PictureName) -> None:
    found = kilter.explain(
        "cats sleep", "cats slept", metrics=["dted", "derp"], parser="perceptron"
    )
    assert picture(found, name) == pictures(found)[name]


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        (PictureName.TREES, "dependency trees of both sentences"),
        (PictureName.EDITS, "the metric dted"),
        (PictureName.PATHS, "the metric derp"),
    ],
)
def test_a_picture_of_what_is_not_there_says_what_it_needs(name: PictureName, needed: str) -> None:
    found = kilter.explain("b a", "a b", metrics="kendall")
    with pytest.raises(InputError, match=needed):
        picture(found, name)


def test_words_without_an_order_have_no_tree() -> None:
    found = kilter.explain("a b", "x y", metrics="kendall")
    with pytest.raises(InputError, match="words that are linked"):
        picture(found, PictureName.PERMUTATION_TREE)


@pytest.mark.parametrize("name", [name for name in PictureName if name is not PictureName.EDITS])
def test_words_that_are_out_of_order_are_marked(name: PictureName) -> None:
    found = kilter.explain(
        "e a b x c d", "a b c d e", every=True, metrics=["kendall", "derp"], parser="perceptron"
    )
    drawn = picture(found, name)
    assert re.search(r"Misplaced( in the hypothesis)?: e", drawn)
    assert MISPLACED in drawn
    ordered = kilter.explain(
        "a b x c d e", "a b c d e", metrics=["kendall", "derp"], parser="perceptron"
    )
    assert MISPLACED not in picture(ordered, name)
