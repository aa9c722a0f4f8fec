"""The matcher kernel against every link set, the golden vectors, and inputs made to defeat it."""

import random
import signal
from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import _core
from tests.golden import Case, cases
from tests.oracles import match as oracle
from tests.oracles.match import Link, Links
from tests.thorough import examples

BOUND = 1 << 24
RULES = ("chunks", "crossings")
# How many choices are tried one by one first: none leaves all to branch and bound.
TRIALS = (0, 3, 256)


def offsets_of(segments: Sequence[Sequence[object]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.cumsum([0, *map(len, segments)], dtype=np.int64)


def match_all(
    pairs: Sequence[tuple[Sequence[int], Sequence[int]]],
    *,
    keys: Sequence[int] | None = None,
    classes: Sequence[Sequence[int]] | None = None,
    earlier: Sequence[Link] = (),
    rule: str = "chunks",
    bound: int = BOUND,
    trials: int = 256,
    jobs: int = 1,
) -> tuple[list[Links], list[bool]]:
    """Return links and bound flags; words match by one key, by shared classes, or when they are equal."""
    first, second = [list(pair[0]) for pair in pairs], [list(pair[1]) for pair in pairs]
    words = 1 + max((word for pair in pairs for side in pair for word in side), default=0)
    flat = range(words) if keys is None else keys
    if classes is not None:
        flat = [*chain(*classes)]
    links, offsets, bounded = _core.match(
        np.array([*chain(*first)], dtype=np.int32),
        offsets_of(first),
        np.array([*chain(*second)], dtype=np.int32),
        offsets_of(second),
        np.array(sorted(earlier), dtype=np.int32).reshape(-1, 2),
        offsets_of([earlier] if earlier else [[] for _ in pairs]),
        np.zeros(0, dtype=np.int64) if classes is None else offsets_of(classes),
        np.array(flat, dtype=np.int32),
        rule == "crossings",
        bound,
        trials,
        jobs,
    )
    parts = [links[a:b].tolist() for a, b in pairwise(offsets.tolist())]
    return [[(row, col) for row, col in part] for part in parts], bounded.astype(bool).tolist()


def match_one(first: Sequence[int], second: Sequence[int], **options: object) -> tuple[Links, bool]:
    links, bounded = match_all([(first, second)], **options)  # type: ignore[arg-type]
    return links[0], bounded[0]


def sentences(types: int, longest: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, types - 1), max_size=longest)


@st.composite
def link_sets(draw: st.DrawFn, rows: int, cols: int) -> Links:
    size = draw(st.integers(0, min(rows, cols)))
    first = draw(st.permutations(range(rows)))[:size]
    second = draw(st.permutations(range(cols)))[:size]
    return sorted(zip(first, second, strict=True))


@pytest.mark.parametrize("case", cases("aligner_exact"), ids=lambda case: " ".join(case["hyp"]))
def test_the_golden_vectors_are_reproduced(case: Case) -> None:
    numbers = {word: k for k, word in enumerate(dict.fromkeys([*case["hyp"], *case["ref"]]))}
    first, second = ([numbers[word] for word in case[side]] for side in ("hyp", "ref"))
    links, bounded = match_one(first, second)
    assert not bounded
    assert len(links) == case["links"]
    assert oracle.chunks(links) == case["fewest_chunks"]
    assert oracle.distance(links) == case["least_distance"]
    links, bounded = match_one(first, second, rule="crossings")
    assert not bounded
    assert len(links) == case["links"]
    assert oracle.crossings(links) == case["fewest_crossings"]


@examples(400)
@given(sentences(3, 7), sentences(3, 6), st.sampled_from(RULES), st.sampled_from(TRIALS))
def test_equal_words_get_the_best_of_all_link_sets(
    first: list[int], second: list[int], rule: str, trials: int
) -> None:
    expected = oracle.best_links(
        (len(first), len(second)), lambda row, col: first[row] == second[col], rule=rule
    )
    assert match_one(first, second, rule=rule, trials=trials) == (expected, False)


@st.composite
def offers(draw: st.DrawFn) -> tuple[int, int, Links, Links]:
    """Return two lengths, links, and pairs of words that these leave free."""
    rows, cols = draw(st.integers(0, 7)), draw(st.integers(0, 6))
    earlier = draw(link_sets(rows, cols))[:2]
    taken = [{link[side] for link in earlier} for side in (0, 1)]
    free = [
        (row, col)
        for row in range(rows)
        for col in range(cols)
        if row not in taken[0] and col not in taken[1]
    ]
    cells = draw(st.lists(st.sampled_from(free), unique=True)) if free else []
    return rows, cols, earlier, sorted(cells)


def match_listed(
    sizes: tuple[int, int],
    earlier: Links,
    cells: Links,
    *,
    rule: str = "chunks",
    trials: int = 256,
) -> tuple[Links, bool]:
    rows, cols = sizes
    links, _, bounded = _core.match_cells(
        np.zeros(rows, dtype=np.int32),
        np.array([0, rows]),
        np.zeros(cols, dtype=np.int32),
        np.array([0, cols]),
        np.array(earlier, dtype=np.int32).reshape(-1, 2),
        offsets_of([earlier]),
        np.array(cells, dtype=np.int32).reshape(-1, 2),
        offsets_of([cells]),
        rule == "crossings",
        BOUND,
        trials,
        1,
    )
    return [(row, col) for row, col in links.tolist()], bool(bounded[0])


@examples(300)
@given(offers(), st.sampled_from(RULES), st.sampled_from(TRIALS))
def test_pairs_that_are_listed_get_the_best_links_beside_earlier_ones(
    offer: tuple[int, int, Links, Links], rule: str, trials: int
) -> None:
    rows, cols, earlier, cells = offer
    expected = oracle.best_links(
        (rows, cols), lambda row, col: (row, col) in cells, earlier, rule=rule
    )
    found = match_listed((rows, cols), earlier, cells, rule=rule, trials=trials)
    assert found == (expected, False)


def test_more_listed_pairs_than_are_searched_are_linked_well() -> None:
    # Past 65,536 pairs links are taken greedily; every word still finds its only partner.
    size = 300
    cells = sorted({(k, k) for k in range(size)} | {(k, 0) for k in range(size)})
    assert match_listed((size, size), [], cells) == ([(k, k) for k in range(size)], True)


@pytest.mark.parametrize(
    ("cells", "fault"),
    [([(0, 1)], "has a link"), ([(2, 0)], "outside"), ([(1, 0), (1, 0)], "sorted")],
)
def test_listed_pairs_are_free_words_of_their_segment(cells: Links, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        match_listed((2, 2), [(0, 1)], cells)


@examples(300)
@given(
    st.data(),
    sentences(5, 7),
    sentences(5, 6),
    st.lists(st.integers(-1, 1), min_size=5, max_size=5),
    st.sampled_from(RULES),
    st.sampled_from(TRIALS),
)
def test_equal_stems_get_the_best_links_beside_earlier_ones(
    data: st.DataObject,
    first: list[int],
    second: list[int],
    stems: list[int],
    rule: str,
    trials: int,
) -> None:
    earlier = data.draw(link_sets(len(first), len(second)))

    def related(row: int, col: int) -> bool:
        return stems[first[row]] == stems[second[col]] >= 0

    expected = oracle.best_links((len(first), len(second)), related, earlier, rule=rule)
    found = match_one(first, second, keys=stems, earlier=earlier, rule=rule, trials=trials)
    assert found == (expected, False)


@examples(400)
@given(
    st.data(),
    sentences(6, 6),
    sentences(6, 6),
    st.lists(st.sets(st.integers(0, 4), max_size=3).map(sorted), min_size=6, max_size=6),
    st.sampled_from(RULES),
    st.sampled_from(TRIALS),
)
def test_shared_synonyms_get_the_best_links_of_any_relation(
    data: st.DataObject,
    first: list[int],
    second: list[int],
    classes: list[list[int]],
    rule: str,
    trials: int,
) -> None:
    earlier = data.draw(link_sets(len(first), len(second)))

    def related(row: int, col: int) -> bool:
        return not set(classes[first[row]]).isdisjoint(classes[second[col]])

    expected = oracle.best_links((len(first), len(second)), related, earlier, rule=rule)
    found = match_one(first, second, classes=classes, earlier=earlier, rule=rule, trials=trials)
    assert found == (expected, False)


@given(sentences(8, 40), sentences(8, 40), st.sampled_from(RULES))
def test_enumeration_and_branch_and_bound_find_the_same_links(
    first: list[int], second: list[int], rule: str
) -> None:
    links, bounded = match_one(first, second, rule=rule, trials=0)
    other, other_bounded = match_one(first, second, rule=rule, trials=1 << 12)
    assert bounded or other_bounded or links == other


@given(sentences(4, 30), sentences(4, 30), st.sampled_from(RULES), st.sampled_from((0, 50, BOUND)))
def test_links_are_one_to_one_between_equal_words_and_as_many_as_can_be(
    first: list[int], second: list[int], rule: str, bound: int
) -> None:
    links, _ = match_one(first, second, rule=rule, bound=bound)
    rows, cols = [row for row, _ in links], [col for _, col in links]
    assert links == sorted(links)
    assert len(set(rows)) == len(rows)
    assert len(set(cols)) == len(cols)
    assert all(first[row] == second[col] for row, col in links)
    assert len(links) == sum(min(first.count(word), second.count(word)) for word in set(first))


@given(sentences(5, 20), sentences(5, 20), st.sampled_from(RULES))
def test_swapping_the_sentences_keeps_the_number_of_links_chunks_and_crossings(
    first: list[int], second: list[int], rule: str
) -> None:
    links, bounded = match_one(first, second, rule=rule)
    swapped, also = match_one(second, first, rule=rule)
    count = oracle.chunks if rule == "chunks" else oracle.crossings
    assert len(links) == len(swapped)
    if not bounded and not also:
        assert count(links) == count(swapped)
        assert oracle.distance(links) == oracle.distance(swapped)


@given(st.lists(st.tuples(sentences(5, 15), sentences(5, 15)), max_size=12), st.integers(2, 5))
def test_the_number_of_jobs_changes_nothing(
    pairs: list[tuple[list[int], list[int]]], jobs: int
) -> None:
    assert match_all(pairs) == match_all(pairs, jobs=jobs)
    alone = [match_one(*pair) for pair in pairs]
    assert match_all(pairs) == ([links for links, _ in alone], [bounded for _, bounded in alone])


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("rows", "cols"), [(2000, 2000), (2000, 1999), (1500, 2000), (200, 200), (200, 190), (1, 5000)]
)
def test_one_word_repeated_is_one_chunk_without_distance(rows: int, cols: int, rule: str) -> None:
    diagonal = [(k, k) for k in range(min(rows, cols))]
    assert match_one([0] * rows, [0] * cols, rule=rule) == (diagonal, False)


def nasty_pairs() -> dict[str, tuple[list[int], list[int]]]:
    drawn = random.Random(7)

    def text(types: int, length: int) -> list[int]:
        return [drawn.randrange(types) for _ in range(length)]

    return {
        "shifted period": ([0, 1] * 1000, [1, 0] * 1000),
        "different periods": ([0, 1, 2] * 60, [0, 1, 2, 3] * 50),
        "two words, short": (text(2, 60), text(2, 60)),
        "two words, long": (text(2, 2000), text(2, 2000)),
        "twenty words": (text(20, 200), text(20, 200)),
        "very long": (text(50, 20000), text(50, 20000)),
        "unequal": (text(3, 40), text(3, 3000)),
        "reversed": ([*range(50)] * 4, ([*range(50)] * 4)[::-1]),
    }


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("first", "second"), nasty_pairs().values(), ids=nasty_pairs())
def test_nasty_texts_end_with_most_links_flagged_or_not(
    first: list[int], second: list[int], rule: str
) -> None:
    links, _ = match_one(first, second, rule=rule)
    assert len(links) == sum(min(first.count(word), second.count(word)) for word in set(first))
    assert len({row for row, _ in links}) == len({col for _, col in links}) == len(links)


@pytest.mark.parametrize("length", [300, 2000])
def test_a_nasty_relation_ends_with_most_links(length: int) -> None:
    # Word k shares a class with words k - 1 and k + 1, so links can be pushed along the whole sentence.
    classes = [[k, k + 1] for k in range(length)]
    first, second = list(range(length)), list(range(length))[::-1]
    links, _ = match_one(first, second, classes=classes)
    assert len(links) == length


def test_two_chunks_are_proven_for_a_short_shifted_period() -> None:
    links, bounded = match_one([0, 1] * 25, [1, 0] * 25)
    assert not bounded
    assert oracle.chunks(links) == 2
    assert links[0] == (0, 1)


def test_a_bound_that_is_hit_is_flagged_for_its_segment_only() -> None:
    hard = nasty_pairs()["twenty words"]
    _, bounded = match_all([([0, 1], [1, 0]), hard, ([2], [2])], bound=100)
    assert bounded == [False, True, False]


def test_a_bounded_segment_gets_runs_rather_than_scattered_links() -> None:
    first = [*range(30)] * 10
    second = [*range(15, 30), *range(15)] * 10
    links, _ = match_one(first, second, bound=0)
    assert len(links) == 300
    assert oracle.chunks(links) <= 3


def test_chunks_are_counted_over_the_links_of_earlier_stages_too() -> None:
    # Words 1 of both sides are linked; of the two free pairs, (0, 0) continues that chunk, though
    # (0, 2) would be as good alone.
    assert match_one([3, 1], [3, 1, 3], earlier=[(1, 1)])[0] == [(0, 0), (1, 1)]
    assert match_one([1, 3], [3, 1, 3], earlier=[(0, 1)])[0] == [(0, 1), (1, 2)]


def test_empty_sentences_have_no_links() -> None:
    assert match_all([([], []), ([0], []), ([], [0])]) == ([[], [], []], [False] * 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"first": np.array([5], dtype=np.int32)}, r"first\[0\] is 5"),
        ({"second_offsets": np.array([0, 1, 1], dtype=np.int64)}, "equally many segments"),
        ({"links": np.array([[0, 1]], dtype=np.int32)}, "link offsets end with 0"),
        (
            {
                "links": np.array([[0, 1]], dtype=np.int32),
                "link_offsets": np.array([0, 1], dtype=np.int64),
            },
            "outside sentences of 1 and 1 words",
        ),
        (
            {
                "first": np.zeros(2, dtype=np.int32),
                "first_offsets": np.array([0, 2], dtype=np.int64),
                "links": np.array([[0, 0], [1, 0]], dtype=np.int32),
                "link_offsets": np.array([0, 2], dtype=np.int64),
            },
            "each word has one at most",
        ),
        ({"key_offsets": np.array([0, 2], dtype=np.int64)}, "key_offsets"),
        (
            {
                "key_offsets": np.array([0, 2], dtype=np.int64),
                "keys": np.array([1, 0], dtype=np.int32),
            },
            "sorted and distinct",
        ),
    ],
)
def test_the_kernel_refuses_arrays_that_do_not_fit(
    change: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.int64]]], message: str
) -> None:
    arguments = {
        "first": np.zeros(1, dtype=np.int32),
        "first_offsets": np.array([0, 1], dtype=np.int64),
        "second": np.zeros(1, dtype=np.int32),
        "second_offsets": np.array([0, 1], dtype=np.int64),
        "links": np.zeros((0, 2), dtype=np.int32),
        "link_offsets": np.zeros(2, dtype=np.int64),
        "key_offsets": np.zeros(0, dtype=np.int64),
        "keys": np.zeros(1, dtype=np.int32),
    }
    with pytest.raises(ValueError, match=message):
        _core.match(
            **(arguments | change),  # type: ignore[arg-type]
            crossings=False,
            bound=BOUND,
            trials=256,
            jobs=1,
        )


def test_a_word_that_is_repeated_throughout_is_matched_at_once() -> None:
    """A run begins at every column, as long as the rest of the line: an alarm ends the search for the longest."""
    words = [0] * 200_000

    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(10)
    try:
        (links,), _ = match_all([(words, words[:-1])])
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    assert links == [(k, k) for k in range(199_999)]
