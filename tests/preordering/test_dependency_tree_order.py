"""Orders of rule sets: the vectors, the published example, naive recursion."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_file import load_rule_set
from kilter.preordering.rule_set import Group, Rule, RuleSet
from tests.golden import Case, cases
from tests.oracles import preorder as oracle
from tests.strategies import dependency_trees

VERB = [
    "advcl",
    "nsubj",
    "prep",
    "OTHER",
    "dobj",
    "prt",
    "aux",
    "neg",
    "HEAD",
    "mark",
    "ref",
    "compl",
]


def order(tree: DependencyTree, rules: RuleSet | str) -> list[int]:
    chosen = load_rule_set(rules) if isinstance(rules, str) else rules
    found: list[int] = reorder_trees(DependencyTreeColumn.of([tree]), chosen).order.tolist()
    return found


def tree_of(case: Case) -> DependencyTree:
    heads = [-1 if head is None else head for head in case["heads"]]
    words = case.get("words", [f"w{k}" for k in range(len(heads))])
    return DependencyTree(words, heads, labels=case["labels"], tags=case["tags"])


def verb_rule(*, reverse_other: bool) -> RuleSet:
    groups = tuple(
        Group(labels=(label,), reverse=reverse_other and label == "OTHER") for label in VERB
    )
    return RuleSet(name="verb", rules=(Rule(heads=("VERB",), groups=groups),))


WITH_TREES = [case for case in cases("preorder") if "heads" in case]


@pytest.mark.parametrize("case", WITH_TREES)
@pytest.mark.parametrize("name", ["R1", "R2", "R3", "R4"])
def test_the_published_sets_reproduce_the_vectors(name: str, case: Case) -> None:
    assert order(tree_of(case), name.lower()) == case[name]


@pytest.mark.parametrize("case", [case for case in WITH_TREES if "verb_rule" in case])
def test_precedence_rules_reproduce_the_vectors(case: Case) -> None:
    assert order(tree_of(case), verb_rule(reverse_other=case["reverse_other"])) == case["verb_rule"]


def test_the_published_example_comes_out_as_its_reference() -> None:
    (case,) = (case for case in WITH_TREES if case["kind"] == "example")
    found = order(tree_of(case), "r5")
    assert found == case["lite"]
    words = " ".join(case["words"][place] for place in found)
    assert words == "Dog Trainers Make The 10 Biggest Mistakes about Learn ."


def test_r5_says_what_it_adds_to_the_printed_rule() -> None:
    rules = load_rule_set("r5")
    (verb,) = (rule for rule in rules.rules if rule.heads == ("VERB",))
    labels = [label for group in verb.groups for label in group.labels]
    assert labels == [*VERB, "punct"]
    assert "as published" not in rules.description
    assert "punct" in rules.description


RULES: dict[str, oracle.Groups] = {
    "a": [(["b"], True), (["OTHER"], False), (["HEAD"], False), (["a"], False)],
    "b": [(["HEAD"], False), (["a", "c"], True), (["OTHER"], True)],
}


@given(dependency_trees(max_size=14))
def test_every_method_equals_its_naive_definition(tree: DependencyTree) -> None:
    assert order(tree, "r1") == list(range(len(tree)))
    assert order(tree, "r2") == list(range(len(tree)))[::-1]
    assert order(tree, "r3") == oracle.left_reversed(tree.heads)
    assert order(tree, "r4") == oracle.right_reversed(tree.heads)
    rules = RuleSet(
        name="own",
        rules=tuple(
            Rule(
                heads=(tag,),
                groups=tuple(Group(labels=tuple(labels), reverse=back) for labels, back in groups),
            )
            for tag, groups in RULES.items()
        ),
    )
    expected = oracle.precedence(tree.heads, tree.labels, tree.tags, RULES)
    assert order(tree, rules) == expected


@pytest.mark.parametrize("jobs", [1, 3])
@given(st.lists(dependency_trees(max_size=9), min_size=1, max_size=5))
def test_a_column_equals_its_trees(jobs: int, trees: list[DependencyTree]) -> None:
    for name in ("r3", "r5"):
        whole = reorder_trees(DependencyTreeColumn.of(trees), load_rule_set(name), jobs=jobs)
        alone = [place for tree in trees for place in order(tree, name)]
        assert whole.order.tolist() == alone
        ranks = whole.ranks()
        assert [
            ranks[k].tolist()[place] for k, tree in enumerate(trees) for place in order(tree, name)
        ] == [place for tree in trees for place in range(len(tree))]


def test_a_long_chain_needs_no_recursion() -> None:
    size = 50_000
    chain = DependencyTreeColumn(
        words=np.zeros(size, dtype=np.int32),
        heads=np.arange(-1, size - 1, dtype=np.int32),
        labels=np.zeros(size, dtype=np.int32),
        tags=np.zeros(size, dtype=np.int32),
        offsets=np.array([0, size]),
        parses=np.array([0, 1]),
        vocabulary=DependencyTreeColumn.of([DependencyTree(["a"], [-1])]).vocabulary,
    )
    assert reorder_trees(chain, load_rule_set("r3")).order.tolist() == list(range(size))[::-1]


def sentence(words: str, heads: list[int], tags: str, labels: str) -> DependencyTree:
    return DependencyTree(words.split(), heads, tags=tags.split(), labels=labels.split())


@pytest.mark.parametrize(
    ("words", "heads", "tags", "labels", "expected"),
    [
        (
            "go home . )",
            [-1, 0, 0, 0],
            "VERB ADV PUNCT PUNCT",
            "root advmod punct punct",
            "home go . )",
        ),
        ("( go home", [1, -1, 1], "PUNCT VERB ADV", "punct root advmod", "( home go"),
        ("go home !", [-1, 0, 0], "VERB ADV X", "root advmod punct", "home go !"),
        ("! ?", [-1, 0], "PUNCT PUNCT", "root punct", "! ?"),
    ],
)
def test_final_punctuation_stays_on_request(
    words: str, heads: list[int], tags: str, labels: str, expected: str
) -> None:
    tree = sentence(words, heads, tags, labels)
    rules = load_rule_set("r4")
    kept = RuleSet(name="kept", method=rules.method, keep_final_punctuation=True)
    assert " ".join(tree.words[place] for place in order(tree, kept)) == expected


def test_words_of_a_crossing_subtree_come_to_stand_together() -> None:
    tree = DependencyTree(["a", "b", "c", "d"], [1, -1, 0, 1], tags=["N", "V", "N", "N"])
    assert order(tree, "r3") == [2, 0, 3, 1]
