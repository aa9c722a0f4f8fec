"""The second English parser."""

import re
import tracemalloc
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import _core
from kilter.core.errors import InputError, OptionError
from kilter.io.conllu import read_conllu
from kilter.io.stream import ByteSource
from kilter.parsers import perceptron
from kilter.parsers.perceptron import elected, vote_tree
from kilter.parsers.perceptron_beam import turned_heads
from kilter.parsers.perceptron_tables import load_tables
from kilter.parsers.perceptron_training import TrainingSettings
from kilter.parsers.registry import parser
from kilter.run.train_parser import learned_parser
from tests.oracles.spanning_tree import best_total, is_tree
from tests.parsers.sentences import HARD, parsed, tree_lines
from tests.parsers.small_treebank import sentences


def test_a_simple_sentence() -> None:
    assert tree_lines(parsed("perceptron", "The neighbours painted their old fence .")) == [
        "The DET neighbours det",
        "neighbours NOUN painted nsubj",
        "painted VERB - root",
        "their PRON fence nmod:poss",
        "old ADJ fence amod",
        "fence NOUN painted obj",
        ". PUNCT painted punct",
    ]


@pytest.mark.parametrize("text", HARD.values(), ids=HARD.keys())
def test_anything_gets_a_tree_over_exactly_its_words(text: str) -> None:
    tree = parsed("perceptron", text).trees.tree(0)
    assert list(tree.words) == (text.split(" ") if text else [])
    assert tree.heads.count(-1) == (1 if text else 0)
    assert [label == "root" for label in tree.labels] == [head == -1 for head in tree.heads]


def test_neighbours_and_threads_change_nothing() -> None:
    texts = list(HARD.values()) * 30
    together, threads = parsed("perceptron", *texts), parsed("perceptron", *texts, jobs=3)
    assert np.array_equal(together.trees.heads, threads.trees.heads)
    assert np.array_equal(together.trees.labels, threads.trees.labels)
    for place, text in enumerate(HARD.values()):
        assert parsed("perceptron", text).trees.tree(0) == together.trees.tree(place)


def test_no_segments_are_no_trees() -> None:
    assert len(parsed("perceptron").trees) == 0


def test_turning_twice_changes_nothing() -> None:
    heads, offsets = np.array([2, 0, -1, -1, 0], dtype=np.int32), np.array([0, 3, 3, 5])
    assert turned_heads(heads, offsets).tolist() == [-1, 2, 0, 1, -1]
    assert turned_heads(turned_heads(heads, offsets), offsets).tolist() == heads.tolist()


def test_the_majority_wins_and_gives_its_label() -> None:
    offsets = np.array([0, 2])
    votes = [([-1, 0], [5, 1]), ([1, -1], [2, 6]), ([1, -1], [3, 7])]
    found = [(np.array(heads, np.int32), np.array(names, np.int32)) for heads, names in votes]
    heads, labels = elected(found, offsets)
    assert heads.tolist() == [1, -1]
    assert labels.tolist() == [2, 6]


def test_a_single_voter_is_elected() -> None:
    heads, names = np.array([1, -1, 1], np.int32), np.array([4, 5, 6], np.int32)
    found = elected([(heads, names)], np.array([0, 3]))
    assert [column.tolist() for column in found] == [[1, -1, 1], [4, 5, 6]]


def test_of_two_voters_the_first_decides() -> None:
    found = [(np.array(heads, np.int32), np.array(heads, np.int32)) for heads in ([-1, 0], [1, -1])]
    assert elected(found, np.array([0, 2]))[0].tolist() == [-1, 0]


def test_an_arc_that_nobody_voted_for_has_the_label_of_the_first() -> None:
    circle = np.array([1, 0], np.int32)  # no tree has both arcs: one word becomes the root
    found = [(circle, np.array(names, np.int32)) for names in ([4, 5], [6, 7], [8, 9])]
    heads, labels = elected(found, np.array([0, 2]))
    assert min(heads.tolist()) == -1
    assert labels.tolist() == [4, 5]


def test_the_signature_names_the_version_of_the_model() -> None:
    assert parser("perceptron").signature() == "perceptron(version:1.0.0)"
    assert load_tables().moves.shape[2] == 3


def test_tags_of_another_tagger_lead_the_parser(tmp_path: Path) -> None:
    text = "Time flies like an arrow ."
    own = parsed("perceptron", text).trees.tree(0)
    file = tmp_path / "tags.conllu"
    tags = ["NOUN NN", "NOUN NNS", "VERB VBP", "DET DT", "NOUN NN", "PUNCT ."]
    rows = [
        f"{place}\t{word}\t_\t{tag.replace(' ', chr(9))}\t_\t{place - 1}\t{'dep' if place > 1 else 'root'}\t_\t_\n"
        for place, (word, tag) in enumerate(zip(text.split(), tags, strict=True), start=1)
    ]
    file.write_text("".join(rows) + "\n", encoding="utf-8")
    found = parsed(f"perceptron:tagger=conllu:file={file}", text)
    tree = found.trees.tree(0)
    assert tree.tags == ("NOUN", "NOUN", "VERB", "DET", "NOUN", "PUNCT")
    assert tree.heads[2] == -1
    assert tree.heads != own.heads
    assert [tree.labels[place] for place in (0, 1, 4)] == ["compound", "nsubj", "obj"]


def test_the_tags_of_model_are_those_of_model() -> None:
    texts = list(HARD.values())
    found, tagged = parsed("perceptron:tagger=model", *texts), parsed("model", *texts)
    assert found.trees.tags.tolist() == tagged.trees.tags.tolist()
    assert found.language_tags.tolist() == tagged.language_tags.tolist()
    made = parser("perceptron:tagger=model")
    assert made.signature() == "perceptron(tagger:model(version:1.0.0),version:1.0.0)"


def one_word(tags: str, folder: Path) -> str:
    """Return the parser that takes the tags of one word from a file."""
    file = folder / "tags.conllu"
    file.write_text(f"1\tx\t_\t{tags}\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    return f"perceptron:tagger=conllu:file={file}"


@pytest.mark.parametrize("tags", ["NOUN\tZZ", "ZZ\tNN", "NOUN\t_"])
def test_tags_are_known_by_one_of_two_names(tags: str, tmp_path: Path) -> None:
    assert parsed(one_word(tags, tmp_path), "x").trees.tree(0).heads == (-1,)


def test_tags_that_the_parser_does_not_know_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="conllu gives the tags ZZ and YY, which perceptron does"):
        parsed(one_word("ZZ\tYY", tmp_path), "x")


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("learned")
    bank = folder / "bank.conllu"
    bank.write_text(sentences(30), encoding="utf-8")
    trained = learned_parser(
        [("bank", read_conllu(ByteSource(str(bank))))],
        settings=TrainingSettings(passes=2, voters=1, lowercase=True),
        language="fr",
    )
    path = folder / "own.model"
    path.write_bytes(trained.tables.to_bytes())
    return str(path)


def test_a_learned_model_decides_trees_language_and_signature(learned: str) -> None:
    made = parser(f"perceptron:model={learned}")
    assert made.known_language == "fr"
    assert parser("perceptron").known_language == "en"
    assert re.fullmatch(r"perceptron\(model:[0-9a-f]{8}\)", made.signature())
    assert re.search(r"\(model:[0-9a-f]{64},kilter:", str(made.identity()))
    assert tree_lines(parsed(f"perceptron:model={learned}", "Lama BEKO gati .")) == [
        "Lama NOUN gati nsubj",
        "BEKO NOUN gati obj",
        "gati VERB - root",
        ". PUNCT gati punct",
    ]


def test_a_model_beside_a_folder_is_refused(learned: str) -> None:
    with pytest.raises(OptionError, match="not both"):
        parsed(f"perceptron:model={learned},folder=here", "x")


def test_a_beam_may_find_other_trees_and_is_named(learned: str) -> None:
    texts = [text for text in HARD.values() if len(text.split(" ")) > 2] * 2
    greedy = parsed(f"perceptron:model={learned}", *texts)
    narrow, wide = (parsed(f"perceptron:model={learned},beam={width}", *texts) for width in (1, 8))
    assert np.array_equal(greedy.trees.heads, narrow.trees.heads)
    assert not np.array_equal(greedy.trees.heads, wide.trees.heads)
    assert "(beam:8,model:" in parser(f"perceptron:model={learned},beam=8").signature()
    with pytest.raises(OptionError, match="beam is -1; it must lie between 0 and"):
        parser("perceptron:beam=-1")


# Trees by votes in little memory, against the oracle and the table of all arcs.


Votes = list[list[int]]


def tree(size: int, chance: Random) -> list[int]:
    """Return the heads of a tree with one root."""
    order = chance.sample(range(size), size)
    heads = [-1] * size
    for place in range(1, size):
        heads[order[place]] = order[chance.randrange(place)]
    return heads


def table(votes: Votes) -> list[list[float]]:
    """Return the votes for every arc, as the oracle takes them."""
    size = len(votes[0])
    scores = [[0.0] * (size + 1) for _ in range(size)]
    for place, heads in enumerate(votes):
        for word, head in enumerate(heads):
            scores[word][head + 1] += 64 - place
    return scores


def arcs(votes: Votes) -> list[tuple[int, int, int]]:
    return [
        (word, head, 64 - place)
        for place, heads in enumerate(votes)
        for word, head in enumerate(heads)
    ]


@given(st.integers(1, 5), st.integers(1, 5), st.randoms(use_true_random=False))
def test_no_tree_has_more_votes(size: int, voters: int, chance: Random) -> None:
    votes = [tree(size, chance) for _ in range(voters)]
    found, scores = vote_tree(arcs(votes), size), table(votes)
    assert is_tree(tuple(found))
    assert sum(scores[word][head + 1] for word, head in enumerate(found)) == best_total(scores)[1]


@given(st.integers(2, 5), st.randoms(use_true_random=False))
def test_words_that_nobody_votes_together_are_joined_where_it_costs_least(
    size: int, chance: Random
) -> None:
    # Pairs of words vote for one another and for nothing else, so that no votes lead out of them.
    given = [
        (word, word ^ 1, chance.randint(1, 9))
        for word in range(size)
        if word ^ 1 < size and chance.random() < 0.9
    ]
    scores = [[0.0] * (size + 1) for _ in range(size)]
    for word, head, votes in given:
        scores[word][head + 1] += votes
    found = vote_tree(given, size)
    assert is_tree(tuple(found))
    assert sum(scores[word][head + 1] for word, head in enumerate(found)) == best_total(scores)[1]


@given(st.integers(1, 80), st.integers(1, 5), st.randoms(use_true_random=False))
def test_longer_sentences_have_as_many_votes_as_by_the_table(
    size: int, voters: int, chance: Random
) -> None:
    votes = [tree(size, chance) for _ in range(voters)]
    found, scores = vote_tree(arcs(votes), size), np.array(table(votes))
    dense = _core.spanning_trees(scores.ravel(), np.array([size]))
    assert is_tree(tuple(found))
    words = np.arange(size)
    assert scores[words, np.array(found) + 1].sum() == scores[words, dense + 1].sum()


def test_voters_who_agree_get_their_tree() -> None:
    heads = tree(5000, Random(1))
    assert vote_tree(arcs([heads, heads]), 5000) == heads
    assert vote_tree([], 0) == []
    assert vote_tree(arcs([[-1]]), 1) == [-1]


def test_the_parser_takes_the_table_of_all_arcs_for_short_sentences_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heads = np.array(tree(60, Random(2)), dtype=np.int32)
    found = [(heads, np.zeros(60, dtype=np.int32))] * 2
    monkeypatch.setattr(perceptron, "DENSE", 60)
    monkeypatch.setattr(perceptron, "vote_tree", None)
    assert elected(found, np.array([0, 60]))[0].tolist() == heads.tolist()
    monkeypatch.setattr(perceptron, "vote_tree", vote_tree)
    monkeypatch.setattr(perceptron, "DENSE", 59)
    monkeypatch.setattr(_core, "spanning_trees", None)
    assert elected(found, np.array([0, 60]))[0].tolist() == heads.tolist()


def test_memory_grows_with_the_words_of_a_sentence_not_with_their_square() -> None:
    heads = np.array(tree(4000, Random(3)), dtype=np.int32)
    tracemalloc.start()
    elected([(heads, heads)] * 3, np.array([0, 4000]))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4000 * 4000  # the table of arcs alone takes 8 bytes for each
