"""The kernels of tree edit distance against the naive ones, and inputs made to defeat them."""

import random
import signal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import _core
from tests.oracles import tree_edit as oracle
from tests.strategies import heads
from tests.thorough import examples
from tests.trees import (
    Heads,
    Link,
    all_trees,
    edit_rows,
    flat_heads,
    flat_links,
    flat_rows,
    random_links,
    random_tree,
)

MODELS = dict(zip(("b", "c", "operation", "node"), _core.EditModel, strict=True))


def price(model: str, links: list[Link]) -> oracle.Price:
    if model in "bc":
        return oracle.prices(model, links)
    return oracle.prices("co", links, node=model == "node")


def expected_row(first: Heads, second: Heads, links: list[Link]) -> list[int]:
    pairs = [oracle.distance(first, second, price(model, links)) for model in MODELS]
    return [pairs[0][0], pairs[1][0], *pairs[2], *pairs[3]]


@st.composite
def linked_trees(draw: st.DrawFn, most: int = 9) -> tuple[list[int], list[int], list[Link]]:
    first, second = (draw(heads(draw(st.integers(0, most)))) for _ in range(2))
    if not first or not second:
        return first, second, []
    link = st.tuples(st.integers(0, len(first) - 1), st.integers(0, len(second) - 1))
    return first, second, sorted(draw(st.sets(link, max_size=most)))


@examples(300)
@given(st.lists(linked_trees(), max_size=4))
def test_distances_are_those_of_the_oracle(
    drawn: list[tuple[list[int], list[int], list[Link]]],
) -> None:
    firsts, seconds = [first for first, _, _ in drawn], [second for _, second, _ in drawn]
    expected = [expected_row(*entry) for entry in drawn]
    assert edit_rows(firsts, seconds, [links for _, _, links in drawn]) == expected


@pytest.mark.parametrize("size", range(6))
def test_all_pairs_of_small_trees_have_the_distance_of_the_oracle(size: int) -> None:
    chance = random.Random(size)
    pairs = [
        (first, second)
        for first in all_trees(size)
        for other in range(6)
        for second in all_trees(other)
    ]
    links = [random_links(len(first), len(second), chance) for first, second in pairs]
    rows = edit_rows([one for one, _ in pairs], [other for _, other in pairs], links)
    for (first, second), own, row in zip(pairs, links, rows, strict=True):
        assert row == expected_row(first, second, own)


@pytest.mark.parametrize("reach", [1, 2, 3, None])
def test_larger_trees_of_every_shape_have_the_distance_of_the_oracle(reach: int | None) -> None:
    chance = random.Random(reach)
    firsts, seconds = (
        [random_tree(chance.randrange(10, 22), chance, reach=reach) for _ in range(8)] for _ in "ab"
    )
    links = [random_links(len(a), len(b), chance) for a, b in zip(firsts, seconds, strict=True)]
    rows = edit_rows(firsts, seconds, links)
    for first, second, own, row in zip(firsts, seconds, links, rows, strict=True):
        assert row == expected_row(first, second, own)


def zigzag(size: int) -> list[int]:
    """Return a spine whose leaves stand left and right of it in turns, so that neither side is cheap."""
    spine = range(size // 2, size // 2 + size)
    return [*spine[::2], -1, *spine[:-1], *spine[1::2][::-1]]


@examples(100)
@given(st.lists(linked_trees(), min_size=1, max_size=4))
def test_the_kernel_of_long_trees_finds_the_distance_of_the_oracle(
    drawn: list[tuple[list[int], list[int], list[Link]]],
) -> None:
    firsts, seconds = [first for first, _, _ in drawn], [second for _, second, _ in drawn]
    expected = [expected_row(*entry) for entry in drawn]
    links = [links for _, _, links in drawn]
    assert edit_rows(firsts, seconds, links, only_long=True) == expected


def test_both_kernels_find_the_same() -> None:
    """Trees of such sizes have more columns than one pass takes."""
    chance = random.Random(5)
    reaches = [1, 2, 3, None] * 3
    firsts, seconds = (
        [random_tree(chance.randrange(60, 150), chance, reach=reach) for reach in reaches]
        for _ in "ab"
    )
    firsts += [zigzag(120), random_tree(280, chance, reach=2), random_tree(2500, chance)]
    seconds += [zigzag(110), random_tree(260, chance, reach=3), random_tree(40, chance, reach=2)]
    links = [random_links(len(a), len(b), chance) for a, b in zip(firsts, seconds, strict=True)]
    assert edit_rows(firsts, seconds, links, only_long=True) == edit_rows(firsts, seconds, links)


@given(linked_trees(12))
def test_flat_distances_are_tree_distances_of_chains(
    drawn: tuple[list[int], list[int], list[Link]],
) -> None:
    first, second, links = drawn
    one, other = range(-1, len(first) - 1), range(-1, len(second) - 1)
    (flat,) = flat_rows([(len(first), len(second))], [links])
    assert [flat] == edit_rows([one], [other], [links])
    assert flat[0] == max(len(first), len(second))
    assert flat == expected_row(one, other, links)


@given(linked_trees())
def test_exchanging_and_mirroring_both_sides_changes_nothing(
    drawn: tuple[list[int], list[int], list[Link]],
) -> None:
    first, second, links = drawn
    (row,) = edit_rows([first], [second], [links])
    assert [row] == edit_rows([second], [first], [sorted((b, a) for a, b in links)])
    mirrored = [
        [-1 if at < 0 else len(tree) - 1 - at for at in tree[::-1]] for tree in (first, second)
    ]
    turned = sorted((len(first) - 1 - a, len(second) - 1 - b) for a, b in links)
    assert [row] == edit_rows([mirrored[0]], [mirrored[1]], [turned])


@given(linked_trees(7), st.sampled_from(list(MODELS)))
def test_a_mapping_is_one_of_the_cheapest(
    drawn: tuple[list[int], list[int], list[Link]], model: str
) -> None:
    first, second, links = drawn
    one, other = (np.array(tree, dtype=np.int32) for tree in (first, second))
    rows, _ = flat_links([links])
    found = [(a, b) for a, b in _core.edit_mapping(one, other, rows, MODELS[model]).tolist()]
    assert found == sorted(found)
    assert oracle.is_mapping(found, first, second)
    cost = oracle.mapping_cost(found, first, second, price(model, links))
    assert cost == oracle.distance(first, second, price(model, links))
    assert found == oracle.last_joined_mapping(first, second, price(model, links))


def test_a_mapping_of_long_chains_is_found_without_recursion() -> None:
    chain = np.arange(-1, 2999, dtype=np.int32)
    links = np.array([[k, k] for k in range(0, 3000, 2)], dtype=np.int32)
    found = _core.edit_mapping(chain, chain, links, MODELS["c"])
    assert found.tolist() == [[k, k] for k in range(3000)]


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_mapping_of_combs_takes_the_direction_that_has_few_steps(mirrored: bool) -> None:  # noqa: FBT001
    """The other one has so many more that an alarm ends it."""
    size = 700
    comb = np.array([-1, *(k - 2 + k % 2 for k in range(1, size))], dtype=np.int32)
    if mirrored:
        comb = np.where(comb < 0, comb, size - 1 - comb)[::-1].astype(np.int32)
    links = np.array([[k, k] for k in range(size)], dtype=np.int32)

    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(15)
    try:
        found = _core.edit_mapping(comb, comb, links, MODELS["c"])
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    assert found.tolist() == links.tolist()


@pytest.mark.parametrize("jobs", [2, 3, 7])
def test_the_number_of_threads_changes_nothing(jobs: int) -> None:
    chance = random.Random(jobs)
    firsts, seconds = ([random_tree(chance.randrange(40), chance) for _ in range(50)] for _ in "ab")
    lengths = [(len(a), len(b)) for a, b in zip(firsts, seconds, strict=True)]
    links = [random_links(a, b, chance) for a, b in lengths]
    assert edit_rows(firsts, seconds, links, jobs=jobs) == edit_rows(firsts, seconds, links)
    assert flat_rows(lengths, links, jobs=jobs) == flat_rows(lengths, links)


def test_pairs_may_name_any_trees_and_segments() -> None:
    chance = random.Random(0)
    trees = [random_tree(6, chance) for _ in range(4)]
    links = [random_links(6, 6, chance) for _ in range(3)]
    pairs = [(3, 0, 2), (1, 1, 0), (0, 2, 2), (3, 0, 1)]
    first, second, segment = (np.array(column) for column in zip(*pairs, strict=True))
    arrays = flat_heads(trees)
    found = _core.edit_distances(*arrays, *arrays, first, second, segment, *flat_links(links), 1)
    expected = [edit_rows([trees[a]], [trees[b]], [links[s]])[0] for a, b, s in pairs]
    assert found.tolist() == expected


def test_more_than_65536_operations_are_counted_exactly() -> None:
    long, short = 70_000, 3
    star = [-1, *[0] * (long - 1)]
    links = [(k, 0) for k in range(0, long, 2)]
    (row,) = edit_rows([star], [[-1, 0, 0]], [links])
    # Two of three words are renamed at no price of their own: to word 0, and two unlinked ones.
    assert row == [long, long - 1, long // 2 - 1, long // 2, long // 2 - 1, long // 2]
    (flat,) = flat_rows([(long, short)], [links])
    assert flat[0] == long
    assert flat[2] + flat[3] == flat[1] == long - 1


def test_lanes_and_single_models_agree() -> None:
    """Copies of one small problem side by side below a root add up, however many there are."""
    first, second, links = [-1, 0, 0, 2], [-1, 0, 1, 1], [(1, 0), (2, 3), (3, 1)]
    (single,) = edit_rows([first], [second], [links])
    for copies in (10, 200):
        trees = [
            [-1, *(1 + 4 * k + at if at >= 0 else 0 for k in range(copies) for at in tree)]
            for tree in (first, second)
        ]
        own = [(0, 0), *((1 + 4 * k + a, 1 + 4 * k + b) for k in range(copies) for a, b in links)]
        (row,) = edit_rows([trees[0]], [trees[1]], [own])
        assert row == [copies * value + (column == 0) for column, value in enumerate(single)]


def test_wide_numbers_count_as_narrow_ones_do() -> None:
    chance = random.Random(3)
    links = random_links(16_500, 30, chance)
    (flat,) = flat_rows([(16_500, 30)], [links])
    assert edit_rows([range(-1, 16_499)], [range(-1, 29)], [links]) == [flat]
    wide, branched = random_tree(16_500, chance), random_tree(30, chance)
    # The other way round and seen in a mirror, other forests are compared.
    turned = [
        [-1 if at < 0 else len(tree) - 1 - at for at in tree[::-1]] for tree in (wide, branched)
    ]
    back = sorted((29 - b, 16_499 - a) for a, b in links)
    rows = edit_rows([wide], [branched], [links])
    assert rows == edit_rows([turned[1]], [turned[0]], [back])
    # Words after the last link are deleted: without them the numbers are narrow.
    near = [link for link in links if link[0] < 16_000]
    (wide,), (narrow,) = (flat_rows([(size, 30)], [near]) for size in (16_500, 16_000))
    assert wide == [
        narrow[0] + 500,
        narrow[1] + 500,
        narrow[2],
        narrow[3] + 500,
        *(narrow[4], narrow[5] + 500),
    ]


def test_sentences_of_five_thousand_words_are_compared() -> None:
    chance = random.Random(1)
    chain = list(range(-1, 4999))
    other = chance.sample(range(5000), 5000)
    (row,) = edit_rows([chain], [chain], [sorted(enumerate(other))])
    (flat,) = flat_rows([(5000, 5000)], [sorted(enumerate(other))])
    assert row == flat
    assert row[0] == 5000
    assert row[3] == row[5] == 0


def test_pairs_beyond_the_bounds_are_marked_and_the_others_computed() -> None:
    deep = zigzag(4500)
    long = list(range(-1, 11_999))
    rows = edit_rows([deep, long, [-1]], [deep, long, [-1]], [[], [], [(0, 0)]])
    assert rows[0] == [-1] * 6
    assert rows[1] == [-1] * 6
    assert rows[2] == [1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    "change",
    [
        {"first_heads": [5, -1]},
        {"first_heads": [-2, -1]},
        {"first_heads": [1, 0]},
        {"first_heads": [-1, -1]},
        {"first_offsets": [0, 1]},
        {"first_trees": [1]},
        {"segments": [-1]},
        {"second_trees": [0, 0]},
        {"links": [[2, 0]]},
        {"links": [[0, -1]]},
    ],
)
def test_arrays_that_make_no_sense_are_refused(change: dict[str, list[int]]) -> None:
    given_arrays = {
        "first_heads": [-1, 0], "first_offsets": [0, 2], "second_heads": [-1], "second_offsets": [0, 1],
        "first_trees": [0], "second_trees": [0], "segments": [0], "links": [[0, 0]], "link_offsets": [0, 1],
    } | change  # fmt: skip
    kinds = {"first_heads": np.int32, "second_heads": np.int32, "links": np.int32}
    arrays = {
        name: np.array(value, kinds.get(name, np.int64)) for name, value in given_arrays.items()
    }
    with pytest.raises(ValueError, match=r"tree|offsets|pair|link|head"):
        _core.edit_distances(**arrays, jobs=1)  # type: ignore[arg-type]
