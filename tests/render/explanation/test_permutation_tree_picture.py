"""Permutation trees over words: every word, every node, and no two kinds that look alike."""

import pytest
from hypothesis import given

from kilter import Permutation
from kilter.core.errors import InputError
from kilter.core.permutation_tree import Kind
from kilter.render.explanation.permutation_tree_picture import permutation_tree_picture
from tests import strategies
from tests.render.explanation import worked
from tests.render.explanation.look import check, place_of
from tests.render.picture import Box, parsed, texts
from tests.thorough import examples

KIND_FRAMES = {Kind.MONOTONE: (1, 0), Kind.INVERTED: (2, 0), Kind.PRIME: (1, 1)}
"""Boxes and dashed frames of a node, by its kind."""


@examples(40)
@given(strategies.permutations(0, 60))
def test_words_nodes_and_edges_are_all_there(values: list[int]) -> None:
    tree = Permutation(values).tree()
    words = [f"word{place}" for place in range(len(values))]
    picture = permutation_tree_picture(tree, words)
    check(picture)
    drawn = texts(picture)
    assert [text for text in drawn if text.startswith("word")] == words
    inner = [node for node in tree.nodes() if node.kind is not Kind.LEAF]
    for node in inner:
        assert tree.operator_label(node.index) in drawn
    root = parsed(picture)
    solid = [p for p in root.findall(".//{*}polyline") if not p.get("stroke-dasharray")]
    dashed = [p for p in root.findall(".//{*}polyline") if p.get("stroke-dasharray")]
    assert len(solid) == max(len(tree) - 1, 0)
    assert len(dashed) == sum(KIND_FRAMES[node.kind][1] for node in inner)
    boxes = root.findall("{*}rect")[1:]
    assert len(boxes) == sum(KIND_FRAMES[node.kind][0] for node in inner)


def test_the_because_sentence_is_one_inversion_of_three_parts() -> None:
    picture = permutation_tree_picture(
        worked.BECAUSE.tree(), worked.BECAUSE_WORDS, misplaced=[5, 6, 7]
    )
    assert texts(picture).count("2x21") == 1
    assert [t for t in texts(picture) if t in worked.BECAUSE_WORDS] == [*worked.BECAUSE_WORDS]
    bold = [t.text for t in parsed(picture).findall(".//{*}text") if t.get("font-weight")]
    assert bold == ["it", "rained", "hard"]


def test_without_words_the_values_are_the_leaves() -> None:
    picture = permutation_tree_picture(worked.SIX.tree())
    check(picture)
    assert [text for text in texts(picture) if text in set("123456")] == [*"245613"]
    assert "2413" in texts(picture)


@examples(60)
@given(strategies.permutations(2, 30))
def test_nodes_over_short_leaves_do_not_touch(values: list[int]) -> None:
    picture = permutation_tree_picture(Permutation(values).tree())
    check(picture)
    frames = [
        Box("", x, y, x + width, y + height)
        for x, y, width, height in (
            [float(rect.get(name, "")) for name in ("x", "y", "width", "height")]
            for rect in parsed(picture).findall("{*}rect")[1:]
            if rect.get("fill") == "#fff"
        )
    ]
    for place, frame in enumerate(frames):
        assert not [other for other in frames[place + 1 :] if frame.touches(other)]


def test_long_sentences_go_down_the_page() -> None:
    values = [*range(100)]
    words = [f"word{place}" for place in values]
    picture = permutation_tree_picture(Permutation(values).tree(), words)
    check(picture)
    heights = [place_of(picture, word)[1] for word in words]
    assert heights == sorted(heights)
    assert len({place_of(picture, word)[0] for word in words}) == 1


def test_scripts_from_right_to_left_are_drawn_so() -> None:
    words = ["אחד", "שנים", "שלוש"]
    picture = permutation_tree_picture(Permutation([0, 1, 2]).tree(), words)
    places = [place_of(picture, word)[0] for word in words]
    assert places == sorted(places, reverse=True)


def test_a_binary_tree_is_drawn_node_by_node() -> None:
    tree = Permutation([0, 1, 2, 3]).tree().binary()
    picture = permutation_tree_picture(tree, ["a", "b", "c", "d"])
    check(picture)
    assert texts(picture).count("12") == 3


def test_other_numbers_of_words_are_refused() -> None:
    with pytest.raises(InputError, match="6 values has as many words, but 2 are given"):
        permutation_tree_picture(worked.SIX.tree(), ["a", "b"])
