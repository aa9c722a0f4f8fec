"""Pictures as SVG."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given

from kilter import Permutation, PermutationTree
from kilter.core.permutation_tree import Kind
from kilter.render.chart.permutation_picture import permutation_svg
from tests import strategies
from tests.thorough import examples

SVG = "{http://www.w3.org/2000/svg}"


def parsed(tree: PermutationTree) -> ET.Element:
    return ET.fromstring(permutation_svg(tree))  # noqa: S314 - our own text


@examples(50)
@given(strategies.permutations(0, 30))
def test_words_nodes_and_edges_are_all_there(values: list[int]) -> None:
    tree = Permutation(values).tree()
    picture = parsed(tree)
    inner = [node for node in tree.nodes() if node.kind is not Kind.LEAF]
    assert len(picture.findall(f"{SVG}circle")) == len(values)
    blocks = [r for r in picture.findall(f"{SVG}rect") if r.get("class") == "block"]
    assert len(blocks) == len(inner)
    edges = [line for line in picture.findall(f"{SVG}line") if line.get("class") == "edge"]
    assert len(edges) == max(len(tree) - 1, 0)
    texts = [text.text for text in picture.findall(f"{SVG}text")]
    expected = [
        str(node.low + 1) if node.kind is Kind.LEAF else tree.operator_label(node.index)
        for node in tree.nodes()
    ]
    assert texts == expected


@given(strategies.permutations(1, 20))
def test_dots_stand_where_the_permutation_says(values: list[int]) -> None:
    circles = parsed(Permutation(values).tree()).findall(f"{SVG}circle")
    places = sorted((float(c.get("cx", "")), -float(c.get("cy", ""))) for c in circles)
    heights = [height for _, height in places]
    assert [sorted(heights).index(height) for height in heights] == values


@pytest.mark.parametrize("length", [0, 1, 2, 60])
def test_everything_fits_the_picture(length: int) -> None:
    picture = parsed(Permutation.reversal(length).tree())
    width, height = float(picture.get("width", "")), float(picture.get("height", ""))
    assert picture.get("viewBox") == f"0 0 {width:g} {height:g}"
    for element in picture.iter():
        for name, most in (
            ("cx", width),
            ("x", width),
            ("x2", width),
            ("cy", height),
            ("y2", height),
        ):
            assert 0 <= float(element.get(name, "0")) <= most


def test_the_title_says_what_is_drawn() -> None:
    title = parsed(Permutation.from_one_based([2, 1, 3]).tree()).find(f"{SVG}title")
    assert title is not None
    assert title.text == "Permutation tree of 2 1 3"
    nothing = parsed(Permutation([]).tree()).find(f"{SVG}title")
    assert nothing is not None
    assert nothing.text == "Permutation tree of no words"


def test_kinds_of_nodes_differ_in_colour() -> None:
    picture = parsed(Permutation.from_one_based([6, 7, 2, 4, 1, 3, 5]).tree())
    styles = {text.text: text.get("style") for text in picture.findall(f"{SVG}text")}
    assert len({styles["12"], styles["21"], styles["2413"]}) == 3


def test_deep_trees_are_pictured_without_recursion() -> None:
    values = [v for pair in zip(range(2000), range(3999, 1999, -1), strict=True) for v in pair]
    assert len(parsed(Permutation(values).tree()).findall(f"{SVG}circle")) == 4000
