"""A learned network as a parser: what plain loops say, of any words, in any company."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from kilter import _core
from kilter.core.corpus import Vocabulary
from kilter.core.errors import InputError, OptionError
from kilter.parsers import network as network_module
from kilter.parsers.network import network_parses, network_trees
from kilter.parsers.perceptron_tables import word_parts
from kilter.parsers.registry import parser
from tests.oracles.network import NaiveNetwork
from tests.parsers.sentences import HARD, parsed
from tests.parsers.small_network import small_network

if TYPE_CHECKING:
    from pathlib import Path

    from kilter.parsers.network_file import ParserNetwork

ODD = {**HARD, "very long word": "so " + "y" * 100_000 + " long"}
LENGTHS = [1, 0, 2, 3, 5, 8, 13, 40]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    found = tmp_path_factory.mktemp("network") / "own.model"
    found.write_bytes(small_network().to_bytes())
    return str(found)


def some_words(network: ParserNetwork) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Return words, their parts and where sentences begin."""
    words = [f"{'ab'[k % 2]}word{k * k % 7}{'X' * (k % 3)}" for k in range(sum(LENGTHS))]
    parts = word_parts(words, lowercase=network.lowercase)
    return words, parts, np.concatenate([[0], np.cumsum(LENGTHS)])


def test_trees_are_those_of_plain_loops_over_the_vectors_of_words() -> None:
    network = small_network()
    _, parts, offsets = some_words(network)
    # One of the words is known.
    network = replace(network, forms=np.sort(np.array([3, 8, parts[4, 0]], np.uint32)))
    tags, heads, labels = network_trees(network, parts, offsets)
    naive = NaiveNetwork({**vars(network), "words": network.words.astype(np.float32)})
    rows = network.rows(parts)
    assert 0 < (rows.words > 0).sum() < len(parts)
    numbers = naive.inputs(rows.words.tolist(), rows.pieces.tolist())
    for begin, end in pairwise(offsets.tolist()):
        if begin == end:
            continue
        own = numbers[begin:end]
        for layer in range(len(network.layers)):
            own = naive.layer(own, layer)
        tag_scores, arcs, one, other = naive.said(own)
        words, found = np.arange(end - begin), heads[begin:end]
        best = _core.spanning_trees(arcs.ravel(), np.array([end - begin]))
        # A number between two steps may be rounded to either of them, and moves all scores a little.
        near = 0.02
        assert abs(arcs[words, best + 1].sum() - arcs[words, found + 1].sum()) < near * len(words)
        assert (tag_scores.max(axis=1) - tag_scores[words, tags[begin:end]] < near).all()
        scores = naive.label_scores(one, other[found + 1])[:, :2]
        under = found >= 0
        assert (labels[begin:end][~under] == network.label_names.index("root")).all()
        chosen = scores[words[under], labels[begin:end][under]]
        assert (scores[under].max(axis=1) - chosen < near).all()


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_anything_gets_a_tree_over_exactly_its_words(text: str, path: str) -> None:
    tree = parsed(f"perceptron:model={path}", text).trees.tree(0)
    assert list(tree.words) == (text.split(" ") if text else [])
    assert tree.heads.count(-1) == (1 if text else 0)
    assert [label == "root" for label in tree.labels] == [head == -1 for head in tree.heads]
    assert set(tree.tags) <= {"NOUN", "VERB"}


def test_neighbours_blocks_and_threads_change_nothing(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, texts = f"perceptron:model={path}", list(HARD.values())
    together = parsed(name, *texts)
    monkeypatch.setattr(network_module, "BLOCK", 3)
    in_blocks = parsed(name, *texts, jobs=3)
    assert np.array_equal(together.trees.heads, in_blocks.trees.heads)
    assert np.array_equal(together.trees.labels, in_blocks.trees.labels)
    assert np.array_equal(together.trees.tags, in_blocks.trees.tags)
    for place, text in enumerate(texts):
        assert parsed(name, text).trees.tree(0) == together.trees.tree(place)


def test_words_and_their_parts_have_the_same_answers() -> None:
    network = small_network()
    words, parts, offsets = some_words(network)
    vocabulary = Vocabulary()
    column = vocabulary.column([words[begin:end] for begin, end in pairwise(offsets.tolist())])
    done: list[tuple[int, int]] = []
    found = network_parses(network, column, vocabulary, progress=lambda *each: done.append(each))
    tags, heads, labels = network_trees(network, parts, offsets)
    assert found.trees.heads.tolist() == heads.tolist()
    assert done == [(len(LENGTHS), len(LENGTHS))]
    names = vocabulary.words
    for word in range(len(words)):
        pair = names[found.trees.tags[word]], names[found.language_tags[word]]
        assert pair == network.tag_names[tags[word]]
        assert names[found.trees.labels[word]] == network.label_names[labels[word]]


def test_no_segments_are_no_trees(path: str) -> None:
    assert len(parsed(f"perceptron:model={path}").trees) == 0


@pytest.mark.parametrize(
    ("names", "others"),
    [(["root", "obj", "nsubj"], {"obj", "nsubj"}), (["a", "b", "c"], {"a", "b", "c"})],
)
def test_the_root_has_its_label_for_itself(names: list[str], others: set[str]) -> None:
    network = replace(small_network(), label_names=names)
    words, _, _ = some_words(network)
    vocabulary = Vocabulary()
    tree = network_parses(network, vocabulary.column([words]), vocabulary).trees.tree(0)
    assert [label == "root" for label in tree.labels] == [head == -1 for head in tree.heads]
    assert {*tree.labels} <= {*others, "root"}


def test_a_network_that_learned_no_label_but_the_root_names_others_dep() -> None:
    given = small_network()
    network = replace(
        given,
        labels=given.labels[:, :1].copy(),
        label_bias=given.label_bias[:1],
        label_names=["root"],
    )
    vocabulary = Vocabulary()
    tree = network_parses(network, vocabulary.column([["a", "b"]]), vocabulary).trees.tree(0)
    assert sorted(tree.labels) == ["dep", "root"]


def test_the_file_decides_language_and_signature(path: str) -> None:
    made = parser(f"perceptron:model={path}")
    assert made.known_language == "xx"
    assert re.fullmatch(r"perceptron\(model:[0-9a-f]{8}\)", made.signature())
    assert re.search(r"\(model:[0-9a-f]{64},kilter:", str(made.identity()))


@pytest.mark.parametrize("name", ["beam=4", "tagger=model"])
def test_options_of_perceptrons_are_refused(name: str, path: str) -> None:
    fault = (
        f"own.model is a network, which knows no {name.split('=', maxsplit=1)[0]}; leave out {name}"
    )
    with pytest.raises(OptionError, match=fault):
        parsed(f"perceptron:model={path},{name}", "x")


def test_a_folder_beside_a_network_is_refused(path: str) -> None:
    with pytest.raises(OptionError, match="not both"):
        parsed(f"perceptron:model={path},folder=here", "x")


def test_several_trees_are_refused(path: str) -> None:
    vocabulary = Vocabulary()
    with pytest.raises(OptionError, match=r"own.model is a network, which finds one tree"):
        parser(f"perceptron:model={path}").parse_nbest(vocabulary.column([["x"]]), vocabulary, 2)


def test_a_cut_file_is_named(tmp_path: Path, path: str) -> None:
    content = (tmp_path / path).read_bytes()
    short = tmp_path / "short.model"
    short.write_bytes(content[: len(content) // 2])
    with pytest.raises(InputError, match=r"short.model.*not a parser model"):
        parsed(f"perceptron:model={short}", "x")
