"""Trees of a made-up language, and references that hidden rules made of them."""

from pathlib import Path

from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.reordering import PrintedOrder
from kilter.io.conllu import read_conllu
from kilter.io.stream import ByteSource
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_file import parse_rule_set
from kilter.preordering.rule_set import RuleSet
from tests.parsers.small_treebank import sentences

HIDDEN = """
keep_final_punctuation = true
[[rule]]
head = "VERB"
order = ["HEAD", "obj", "nsubj", "OTHER"]
[[rule]]
head = "NOUN"
order = ["HEAD", "OTHER", "det"]
"""


def hidden_rules() -> RuleSet:
    return parse_rule_set(HIDDEN, where="hidden", name="hidden")


def small_trees(folder: Path, count: int = 40) -> DependencyTreeColumn:
    path = folder / "trees.conllu"
    path.write_text(sentences(count), encoding="utf-8")
    return read_conllu(ByteSource(str(path))).trees


def in_hidden_order(trees: DependencyTreeColumn) -> PrintedOrder:
    return PrintedOrder.of("hidden", reorder_trees(trees, hidden_rules()), trees.sentences())
