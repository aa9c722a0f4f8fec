"""The network that parses: what plain loops in double precision say, and a sentence whatever stands beside it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from kilter import _core
from tests.kernels.hostile import network_arguments
from tests.oracles.network import NaiveNetwork

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Text = dict[str, NDArray[Any]]

LAYERS = 3
ROOT = 1
WINDOW = 1024
"""The longest sentence whose tree is looked for in one piece."""
ROUNDED = 0.05
"""What rounding rows to 8 bits moves a number by, at most, in all layers of the network drawn here."""


def drawn(seed: int = 1) -> dict[str, Any]:
    draw = np.random.default_rng(seed)
    width, arcs, labels, names, tags, word, piece = 64, 32, 24, 7, 9, 20, 12

    def singles(*shape: int, size: float) -> NDArray[np.float32]:
        return draw.normal(0, size, shape).astype(np.float32)

    outputs = 2 * arcs + 2 * labels + tags
    # A weight is 37 on average; the sum over a row of variance 1 is then about 1.
    unit = 1 / 37 / width**0.5
    return {
        "words": singles(30, word, size=1),
        "pieces": singles(16, piece, size=1),
        "input": singles(word + 3 * piece, width, size=0.2),
        "input_bias": singles(width, size=0.1),
        "layers": draw.integers(-64, 65, (LAYERS, width, 3 * width), dtype=np.int8),
        "layer_scales": draw.uniform(0.5 * unit, 1.5 * unit, (LAYERS, 3 * width)).astype(
            np.float32
        ),
        "layer_bias": singles(LAYERS, 3 * width, size=0.5),
        "heads": draw.integers(-64, 65, (width, outputs), dtype=np.int8),
        "head_scales": draw.uniform(0.5 * unit, 1.5 * unit, outputs).astype(np.float32),
        "head_bias": singles(outputs, size=0.3),
        "arcs": singles(arcs, arcs, size=0.3),
        "arc_bias": singles(arcs, size=0.3),
        "root_arc": singles(arcs, size=1),
        "root_label": singles(labels, size=1),
        "distance": singles(9, size=1),
        "labels": singles(labels, names, size=0.3),
        "label_bias": singles(names, size=0.3),
        "root": ROOT,
    }


@pytest.fixture(scope="module")
def parts() -> dict[str, Any]:
    return drawn()


@pytest.fixture(scope="module")
def network(parts: dict[str, Any]) -> _core.ParserNetwork:
    return _core.ParserNetwork(**parts)


def text(lengths: list[int], seed: int = 2) -> Text:
    """Return sentences of these lengths, over 50 words."""
    draw = np.random.default_rng(seed)
    return {
        "words": draw.integers(0, 30, 50, dtype=np.int32),
        "pieces": draw.integers(0, 16, (50, 3), dtype=np.int32),
        "ids": draw.integers(0, 50, sum(lengths), dtype=np.int32),
        "offsets": np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
    }


def alone(given: Text, sentence: int) -> Text:
    begin, end = given["offsets"][sentence : sentence + 2]
    return {**given, "ids": given["ids"][begin:end], "offsets": np.array([0, end - begin])}


LENGTHS = [3, 0, 1, 12, 40, 2, 90, 0, 129, 260]


def test_layers_are_what_plain_loops_say(
    parts: dict[str, Any], network: _core.ParserNetwork
) -> None:
    given = text(LENGTHS)
    naive = NaiveNetwork(parts)
    levels = [network.encode(**given, depth=depth) for depth in range(LAYERS + 1)]
    first = naive.inputs(given["words"].tolist(), given["pieces"].tolist())[given["ids"]]
    assert np.allclose(levels[0], first, rtol=0, atol=1e-4)
    apart = np.zeros((LAYERS, *first.shape))
    for place, (before, after) in enumerate(pairwise(levels)):
        for begin, end in pairwise(given["offsets"].tolist()):
            wanted = naive.layer(before[begin:end].astype(np.float64), place) if end > begin else 0
            apart[place, begin:end] = abs(after[begin:end] - wanted)
    # A number in the middle between two steps may fall to either side, and moves the sentence a little.
    assert (apart < 1e-4).mean() > 0.99
    assert apart.max() < ROUNDED / LAYERS


def test_what_rounding_to_bytes_moves_is_bounded(
    parts: dict[str, Any], network: _core.ParserNetwork
) -> None:
    given = text(LENGTHS)
    exact = NaiveNetwork(parts, exact=True)
    rows = exact.inputs(given["words"].tolist(), given["pieces"].tolist())[given["ids"]]
    for begin, end in pairwise(given["offsets"].tolist()):
        for place in range(LAYERS if end > begin else 0):
            rows[begin:end] = exact.layer(rows[begin:end], place)
    apart = abs(network.encode(**given, depth=LAYERS) - rows)
    assert apart.max() < ROUNDED
    assert np.median(apart) < ROUNDED / 10


def test_trees_labels_and_tags_have_the_best_scores(
    parts: dict[str, Any], network: _core.ParserNetwork
) -> None:
    given = text([*LENGTHS, *range(1, 30), *[3, 4, 5] * 50])
    naive = NaiveNetwork(parts)
    rows = network.encode(**given, depth=LAYERS).astype(np.float64)
    tags, heads, labels = network.parse(**given)
    cycles = 0
    for begin, end in pairwise(given["offsets"].tolist()):
        if begin == end:
            continue
        size = end - begin
        words = np.arange(size)
        tag_scores, arcs, one, other = naive.said(rows[begin:end])
        assert (tag_scores.max(axis=1) - tag_scores[words, tags[begin:end]] < 1e-3).all()
        own = heads[begin:end]
        best = _core.spanning_trees(arcs.ravel(), np.array([size]))
        # Neither worse than the best tree nor better, as only what is not a tree could be.
        assert abs(arcs[words, best + 1].sum() - arcs[words, own + 1].sum()) < 1e-3 * size
        assert (own == -1).sum() == 1
        alone_best = np.where(np.eye(size, size + 1, 1, dtype=bool), -np.inf, arcs).argmax(axis=1)
        cycles += (alone_best == 0).sum() == 1 and not np.array_equal(alone_best - 1, best)
        scores = naive.label_scores(one, other[own + 1])
        scores[:, ROOT] = -np.inf
        scores[own == -1, ROOT] = np.inf
        chosen = scores[words, labels[begin:end]]
        assert (labels[begin:end][own == -1] == ROOT).all()
        under = own >= 0
        assert (scores.max(axis=1)[under] - chosen[under] < 1e-3).all()
    # Otherwise no heads would have been tried that look like a tree and are none.
    assert cycles > 2


def test_a_sentence_is_the_same_alone_and_in_company(network: _core.ParserNetwork) -> None:
    given = text(LENGTHS)
    rows, found = network.encode(**given, depth=LAYERS), network.parse(**given)
    for sentence, (begin, end) in enumerate(pairwise(given["offsets"].tolist())):
        own = alone(given, sentence)
        assert network.encode(**own, depth=LAYERS).tobytes() == rows[begin:end].tobytes()
        for one, all_ in zip(network.parse(**own), found, strict=True):
            assert one.tolist() == all_[begin:end].tolist()


def test_a_long_sentence_is_read_whole_and_its_tree_made_of_windows(
    network: _core.ParserNetwork,
) -> None:
    size = 2 * WINDOW + 100
    given = text([size])
    tags, heads, labels = network.parse(**given)
    (root,) = np.flatnonzero(heads == -1)
    assert root < WINDOW
    assert np.flatnonzero(labels == ROOT).tolist() == [root]
    windows = np.arange(size) // WINDOW
    outside = windows[heads] != windows
    outside[root] = False
    assert heads[outside].tolist() == [root, root]
    assert windows[outside].tolist() == [1, 2]
    reached = {int(root)}
    for start in range(size):
        path = [start]
        while path[-1] not in reached and len(path) <= size:
            path.append(int(heads[path[-1]]))
        assert len(path) <= size
        reached.update(path)
    # A window by itself has other tags, because it does not see what stands around it.
    cut = {**given, "offsets": np.array([0, WINDOW, 2 * WINDOW, size])}
    assert not np.array_equal(network.parse(**cut)[0][WINDOW - 9 :], tags[WINDOW - 9 :])
    exactly = alone(cut, 0)
    assert (network.parse(**exactly)[1] == -1).sum() == 1


def test_a_label_for_the_root_alone_is_the_label_of_all_where_there_is_no_other() -> None:
    given = drawn()
    only = {**given, "labels": given["labels"][:, :1].copy(), "label_bias": given["label_bias"][:1]}
    assert set(_core.ParserNetwork(**{**only, "root": 0}).parse(**text([5]))[2].tolist()) == {0}
    free = _core.ParserNetwork(**{**given, "root": -1}).parse(**text([60, 70, 80] * 5))
    assert len(set(free[2][free[1] == -1].tolist())) > 1


def test_rows_without_differences_are_no_fault() -> None:
    given = drawn()
    for name in ("input", "input_bias", "arcs", "arc_bias", "distance", "labels", "label_bias"):
        given[name] = np.zeros_like(given[name])
    tags, heads, _ = _core.ParserNetwork(**given).parse(**text([4]))
    assert len(set(tags.tolist())) == 1
    assert (heads == -1).sum() == 1


def test_no_words_are_no_answer(network: _core.ParserNetwork) -> None:
    nothing: Text = {
        "words": np.zeros(0, np.int32),
        "pieces": np.zeros((0, 3), np.int32),
        "ids": np.zeros(0, np.int32),
        "offsets": np.zeros(3, np.int64),
    }
    assert [len(each) for each in network.parse(**nothing)] == [0, 0, 0]
    assert network.encode(**nothing, depth=2).shape == (0, 64)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"input": np.zeros((56, 32), np.float32)}, "input is 32 wide; .* multiple of 64"),
        ({"input": np.zeros((57, 64), np.float32)}, "words and pieces are 20 and 12 wide"),
        ({"input_bias": np.zeros(63, np.float32)}, "a bias has 63 entries; it needs 64"),
        (
            {"layers": np.zeros((3, 64, 128), np.int8)},
            "layers have 64 rows of 128; they need 64 of",
        ),
        ({"layers": np.full((3, 64, 192), 65, np.int8)}, "layers hold 65; .* between -64 and 64"),
        ({"layer_scales": np.zeros((2, 192), np.float32)}, "layer_scales has 2 rows of 192"),
        ({"layer_bias": np.full((3, 192), np.nan, np.float32)}, r"layer_bias\[0\] is nan"),
        ({"heads": np.zeros((64, 112), np.int8)}, "heads have 64 rows of 112; .* more than 112"),
        ({"head_scales": np.zeros(3, np.float32)}, "head_scales has 3 entries; it needs 121"),
        ({"arcs": np.zeros((32, 48), np.float32)}, "arcs has 32 rows of 48; it needs 32 of 32"),
        ({"root_arc": np.zeros(31, np.float32)}, "root_arc has 31 entries; it needs 32"),
        ({"root_label": np.zeros(31, np.float32)}, "root_label has 31 entries; it needs 24"),
        ({"distance": np.zeros(8, np.float32)}, "distance has 8 entries; it needs an odd number"),
        ({"labels": np.zeros((24, 0), np.float32)}, "a row of labels is 0 wide"),
        (
            {"label_bias": np.full(7, 2e4, np.float32)},
            r"labels\[0\] is 20000\.0+; it must be a finite number",
        ),
        ({"root": 7}, "root is 7; it is one of 7 labels, or -1"),
    ],
)
def test_parts_that_do_not_fit_are_refused(
    parts: dict[str, Any], changed: dict[str, Any], fault: str
) -> None:
    with pytest.raises(ValueError, match=fault):
        _core.ParserNetwork(**{**parts, **changed})


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"words": np.full(50, 30, np.int32)}, r"words\[0\] is 30; it must lie between 0 and 29"),
        ({"pieces": np.full((50, 3), -1, np.int32)}, r"pieces\[0\] is -1"),
        ({"pieces": np.zeros((50, 4), np.int32)}, "pieces have 50 rows of 4; they need 50 of 3"),
        ({"ids": np.full(5, 50, np.int32)}, r"ids\[0\] is 50"),
        ({"offsets": np.array([0, 4])}, "offsets end with 4; there are 5 elements"),
    ],
)
def test_a_text_that_does_not_fit_is_refused(
    network: _core.ParserNetwork, changed: dict[str, Any], fault: str
) -> None:
    for call in (network.parse, lambda **given: network.encode(**given, depth=0)):
        with pytest.raises(ValueError, match=fault):
            call(**{**text([5]), **changed})


def test_more_layers_than_there_are_are_refused(network: _core.ParserNetwork) -> None:
    with pytest.raises(ValueError, match="depth is 4; it lies between 0 and 3"):
        network.encode(**text([5]), depth=4)


def test_the_largest_weights_give_finite_answers() -> None:
    given = network_arguments()
    for name, array in given.items():
        if name != "root" and array.dtype == np.float32:
            given[name] = np.where(np.arange(array.size).reshape(array.shape) % 3, 1e4, -1e4)
            given[name] = given[name].astype(np.float32)
    network = _core.ParserNetwork(**given)
    ids, offsets = np.arange(40, dtype=np.int32) % 3, np.array([0, 40])
    words, pieces = np.arange(3, dtype=np.int32), np.arange(6, dtype=np.int32).reshape(3, 2) % 4
    assert np.isfinite(network.encode(words, pieces, ids, offsets, 2)).all()
    assert (network.parse(words, pieces, ids, offsets)[1] == -1).sum() == 1
