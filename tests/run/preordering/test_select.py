"""Selection among n-best parses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError, OptionError
from kilter.io.conllu import Treebank, read_conllu
from kilter.io.stream import ByteSource
from kilter.metrics.frs import frs
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_file import load_rule_set
from kilter.run.preordering.select import best_rank, select_parses, write_selection
from tests.golden import Case, cases
from tests.run.preordering.test_evaluate import chain, in_order
from tests.strategies import heads
from tests.thorough import examples

R3 = load_rule_set("r3")


@pytest.mark.parametrize("case", [case for case in cases("preorder") if case["kind"] == "nbest"])
def test_the_vectors_of_selection(case: Case) -> None:
    assert best_rank(case["scores"]) == case["selected"]


@st.composite
def parses(draw: st.DrawFn) -> list[DependencyTree]:
    size = draw(st.integers(1, 6))
    words = [f"w{place}" for place in range(size)]
    return [DependencyTree(words, draw(heads(size))) for _ in range(draw(st.integers(1, 4)))]


def bank(*segments: list[DependencyTree]) -> Treebank:
    return Treebank.of(DependencyTreeColumn.of(segments))


def score(tree: DependencyTree) -> float:
    order = reorder_trees(DependencyTreeColumn.of([tree]), R3).order.tolist()
    return frs(order, [[place] for place in range(len(tree))])


@examples(40)
@given(st.lists(parses(), min_size=1, max_size=4))
def test_the_best_of_all_parses_is_selected_and_the_first_of_equal_ones(
    segments: list[list[DependencyTree]],
) -> None:
    reference = in_order([trees[0] for trees in segments])
    found = select_parses([bank(*segments)], R3, reference)
    for choice, trees in zip(found.choices, segments, strict=True):
        scores = [score(tree) for tree in trees]
        assert [candidate.score for candidate in choice.candidates] == scores
        assert choice.rank == scores.index(max(scores)) + 1
    firsts = [score(trees[0]) for trees in segments]
    assert found.means()["first"] == pytest.approx(sum(firsts) / len(firsts))
    assert found.means()["worst"] <= found.means()["first"] <= found.means()["selected"]


def test_a_file_for_each_rank_is_the_same_as_one_with_all() -> None:
    one, other = chain(3), DependencyTree(["w0", "w1", "w2"], [1, 2, -1])
    reference = in_order([one, one])
    together = select_parses([bank([one, other], [other, one])], R3, reference)
    apart = select_parses([bank([one], [other]), bank([other], [one])], R3, reference)
    assert [choice.rank for choice in together.choices] == [2, 1]
    assert [choice.rank for choice in apart.choices] == [2, 1]


def test_what_is_written_reads_back_as_one_tree_per_sentence(tmp_path: object) -> None:
    one, other = chain(3), DependencyTree(["w0", "w1", "w2"], [1, 2, -1])
    banks = [bank([one, other], [other, one], [one])]
    found = select_parses(banks, R3, in_order([one] * 3))
    text = "".join(write_selection(banks, found))
    path = f"{tmp_path}/selected.conllu"
    with open(path, "w", encoding="utf-8") as out:  # noqa: PTH123
        out.write(text)
    again = read_conllu(ByteSource(path))
    assert [tree.heads for s in range(3) for tree in again.trees.segment(s)] == [
        other.heads,
        other.heads,
        one.heads,
    ]
    assert [line for line in text.splitlines() if line.startswith("# rank")] == [
        "# rank = 2",
        "# rank = 1",
        "# rank = 1",
    ]
    assert text.count("# frs = 1.000000") == 2


def test_sentences_are_left_out_on_request() -> None:
    one, other = chain(3), DependencyTree(["w0", "w1", "w2"], [1, 2, -1])
    banks = [bank([one, other], [other, one], [one])]
    reference = in_order([one] * 3)
    high = select_parses(banks, R3, reference, minimum=0.5)
    assert [choice.segment for choice in high.written] == [0, 1]
    changed = select_parses(banks, R3, reference, changed_only=True)
    assert [choice.segment for choice in changed.written] == [0]
    assert changed.statistics()["written"].tolist() == [True, False, False]
    assert changed.statistics()["parses"].tolist() == [2, 2, 1]


def test_what_does_not_fit_is_named() -> None:
    one = chain(3)
    with pytest.raises(OptionError, match="at least one file"):
        select_parses([], R3, in_order([one]))
    with pytest.raises(InputError, match="has trees for 2 sentences, but reference has 1 line"):
        select_parses([bank([one, one], [one])], R3, in_order([one]))
    with pytest.raises(InputError, match=r"reference:2: 'w2' is not among the words"):
        select_parses([bank([one, one], [chain(2)])], R3, in_order([one, one]))
