"""What the tutorial claims of Parallel UD, English-Japanese, where that data lies beside the repository."""

import gzip
import json
from pathlib import Path

import pytest

from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.link_rule import reorder
from kilter.core.links import LinkBatch
from kilter.core.reordering import PrintedOrder
from kilter.io.conllu import read_trees
from kilter.io.stream import ByteSource
from kilter.preordering.rule_file import load_rule_set
from kilter.run.preordering.evaluate import evaluate_preorder
from kilter.stats.significance import Mark

DATA = Path(__file__).parents[3] / "shared" / "data" / "pud-aligned" / "en-jp"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="Parallel UD is not here")


def test_the_set_for_verb_final_languages_beats_no_reordering_and_head_final_reversals() -> None:
    column = read_trees(ByteSource(str(DATA / "en.conllu.gz")))
    listed = json.loads(gzip.decompress((DATA / "alignment.json.gz").read_bytes()))
    even = range(1, len(column), 2)
    trees = [column.tree(place) for place in even]
    links = LinkBatch.of([_links(listed[place]) for place in even])
    half = DependencyTreeColumn.of(trees)
    made = reorder(links, half.lengths, rule="talbot")
    rules = [load_rule_set(name) for name in ("r1", "r3", "r4", "en-verb-final")]
    found = evaluate_preorder(
        {"gold": half}, rules, PrintedOrder.of("references", made, half.sentences())
    )
    for metric in found.comparison.metrics:
        *others, ours = metric.intervals
        assert all((other.high or 1.0) < (ours.low or 0.0) for other in others)
        for other in ("P1R1", "P1R2", "P1R3"):
            pair = metric.pair(other, "P1R4")
            assert pair is not None
            assert pair.mark is Mark.SURELY_BETTER


def _links(sentence: dict[str, list[str]]) -> list[tuple[int, int]]:
    pairs = [(s, t) for s, targets in sentence.items() for t in targets]
    return [(int(s) - 1, int(t) - 1) for s, t in pairs if "X" not in (s, t)]
