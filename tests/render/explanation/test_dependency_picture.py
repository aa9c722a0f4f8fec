"""Dependency trees as arcs: one for each word, from its head, with its relation."""

from collections import Counter

import pytest
from hypothesis import given

from kilter.core.dependency_tree import DependencyTree
from kilter.core.errors import InputError
from kilter.render.explanation.dependency_picture import dependency_picture
from kilter.render.explanation.link_diagram import LinkedWords
from tests import strategies
from tests.golden.test_tree_examples import BECOMES, BECOMING
from tests.render.explanation import worked
from tests.render.explanation.look import check, ends, lines, place_of
from tests.render.explanation.test_link_diagram import HEAVY, PLAIN, is_link
from tests.render.picture import parsed, texts
from tests.thorough import examples

ARC, ARROW = "#4a5a6a", "{*}polygon"


def arcs(picture: str) -> list[list[tuple[float, float]]]:
    """Return the points of all arcs."""
    return [
        [(float(x), float(y)) for x, y in (p.split(",") for p in line.get("points", "").split())]
        for line in parsed(picture).findall(".//{*}polyline")
        if line.get("stroke") == ARC
    ]


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (BECOMES, BECOMING, worked.SHERLOCK_PAIR),
        (worked.CELLIST_TREE, worked.MS_TREE, worked.CELLIST_PAIR),
        (
            worked.chained(worked.CELLIST_TREE, 5),
            worked.chained(worked.MS_TREE, 5),
            worked.repeated(worked.CELLIST_PAIR, 5),
        ),
    ],
    ids=["sherlock", "cellist", "long"],
)
def test_two_trees_have_all_words_arcs_and_links(
    first: DependencyTree, second: DependencyTree, words: LinkedWords
) -> None:
    picture = dependency_picture(first, second, words)
    check(picture)
    drawn = Counter(texts(picture))
    for entries in ([*first.words, *second.words], [*first.labels, *second.labels]):
        for text, count in Counter(entries).items():
            assert drawn[text] == count
    assert len(arcs(picture)) == len(first) + len(second) - 2
    assert len(parsed(picture).findall(f".//{ARROW}")) == len(first) + len(second)
    heavy = sum(first in words.misplaced for first, _ in words.links)
    links = [
        line
        for width in (PLAIN, HEAVY)
        for line in lines(picture, width=width)
        if line.get("stroke") != ARC and is_link(ends(line))
    ]
    assert len(links) == len(words.links)
    assert sum(line.get("stroke-width") == HEAVY for line in links) == heavy


def named(tree: DependencyTree) -> DependencyTree:
    """Return a tree whose words and relations all have names of their own."""
    return DependencyTree(
        [f"w{place}" for place in range(len(tree))],
        tree.heads,
        labels=[f"l{place}" for place in range(len(tree))],
    )


@examples(40)
@given(strategies.dependency_trees(max_size=12))
def test_arcs_lead_from_heads_to_their_words(tree: DependencyTree) -> None:
    tree = named(tree)
    picture = dependency_picture(tree)
    middles = [place_of(picture, word)[0] for word in tree.words]

    def nearest(x: float) -> int:
        return min(range(len(middles)), key=lambda word: abs(middles[word] - x))

    found = {(nearest(arc[-1][0]), nearest(arc[0][0])) for arc in arcs(picture)}
    assert found == {(word, head) for word, head in enumerate(tree.heads) if head >= 0}


@examples(40)
@given(strategies.dependency_trees(max_size=14))
def test_no_two_arcs_lie_upon_one_another(tree: DependencyTree) -> None:
    drawn = arcs(dependency_picture(named(tree)))
    for place, arc in enumerate(drawn):
        for other in drawn[place + 1 :]:
            if arc[2][1] == other[2][1]:
                (low, high), (first, last) = (
                    sorted((one[0][0], one[-1][0])) for one in (arc, other)
                )
                assert high <= first or last <= low


@examples(60)
@given(strategies.dependency_trees(max_size=12).filter(lambda tree: tree.is_projective))
def test_arcs_of_projective_trees_cross_nothing(tree: DependencyTree) -> None:
    picture = dependency_picture(named(tree))
    drawn = arcs(picture)
    legs = [(x, arc[2][1]) for arc in drawn for x in (arc[0][0], arc[-1][0])]
    legs += [
        (x, min(y, below))
        for x, y, _, below in map(ends, lines(picture, width=PLAIN))
        if abs(y - below) > 9
    ]
    for arc in drawn:
        low, high = sorted((arc[0][0], arc[-1][0]))
        # The page grows downwards: what is higher has the smaller number.
        assert not [x for x, top in legs if low < x < high and top < arc[2][1]]


@examples(40)
@given(strategies.dependency_trees(max_size=60))
def test_any_tree_is_legible_and_whole(tree: DependencyTree) -> None:
    tree = named(tree)
    picture = dependency_picture(tree)
    if tree.is_projective:
        check(picture)
    drawn = Counter(texts(picture))
    assert all(drawn[text] == 1 for text in [*tree.words, *tree.labels])
    assert len(arcs(picture)) == max(len(tree) - 1, 0)


def test_the_trees_are_told_in_words() -> None:
    description = parsed(dependency_picture(BECOMES)).find("{*}desc")
    assert description is not None
    assert description.text == (
        "Tree: a (DET of Sherlock), Sherlock (NSUBJ of becomes), "
        "becomes (root, the root), the (DET of detective), detective (DOBJ of becomes)."
    )


def test_one_tree_has_no_frames_of_unlinked_words() -> None:
    frames = parsed(dependency_picture(BECOMES)).findall(".//{*}polyline")
    assert all(not frame.get("stroke-dasharray") for frame in frames)


def test_scripts_from_right_to_left_are_drawn_so() -> None:
    words = ["אחד", "שנים", "שלוש"]
    picture = dependency_picture(DependencyTree(words, [1, -1, 1], labels=["a", "b", "c"]))
    check(picture)
    places = [place_of(picture, word)[0] for word in words]
    assert places == sorted(places, reverse=True)


def test_words_of_other_sentences_are_refused() -> None:
    with pytest.raises(InputError, match="not those of the trees"):
        dependency_picture(BECOMES, BECOMING, worked.CELLIST_PAIR)


def test_a_sentence_without_words_is_drawn() -> None:
    check(dependency_picture(DependencyTree([], []), DependencyTree([], [])))
