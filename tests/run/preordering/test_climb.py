"""Climbs with conditions: what hidden conditions do is found, and little is taken for nothing."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.reordering import PrintedOrder
from kilter.metrics.frs import Frs
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_file import parse_rule_set
from kilter.preordering.rule_set import RuleSet
from kilter.run.preordering.evaluate import ReorderingScorer
from kilter.run.preordering.search import LEVELS, Climb, SearchSettings
from tests.preordering.searched import hidden_rules, in_hidden_order, small_trees

CONDITIONED = """
keep_final_punctuation = true
[[rule]]
head = "VERB"
when = { word = ["gati"] }
order = ["HEAD", "OTHER"]
[[rule]]
head = "VERB"
order = [{ labels = "obj", when = { child = { label = "det" } } }, "OTHER", "HEAD"]
"""
IN_PLACE = """
keep_final_punctuation = true
[[rule]]
head = ["VERB", "NOUN"]
order = ["OTHER", "HEAD"]
"""
NOTHING = RuleSet(name="none", rules=(), keep_final_punctuation=True)


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> DependencyTreeColumn:
    return small_trees(tmp_path_factory.mktemp("trees"), 80)


def climb(trees: DependencyTreeColumn, reference: PrintedOrder, settings: SearchSettings) -> Climb:
    everything = np.ones(len(trees), dtype=bool)
    return Climb(ReorderingScorer(trees, reference), everything, settings, Frs())


def test_conditions_of_heads_and_children_are_found(trees: DependencyTreeColumn) -> None:
    wanted = reorder_trees(trees, parse_rule_set(CONDITIONED, where="x", name="x"))
    reference = PrintedOrder.of("hidden", wanted, trees.sentences())
    start = parse_rule_set(IN_PLACE, where="x", name="x")
    *_, last = climb(trees, reference, SearchSettings()).stages(start)
    assert (reorder_trees(trees, last.now.rules).order == wanted.order).all()
    assert last.finished
    said = " ".join(step.what for step in last.steps)
    assert "VERB: obj:* when child (label det:*) before " in said
    assert "VERB when word gati: HEAD before " in said
    *_, plain = climb(trees, reference, SearchSettings(conditions=False)).stages(start)
    assert not plain.now.rules.conditions()
    assert plain.steps[-1].training.frs < last.steps[-1].training.frs == 1.0


def test_every_level_takes_changes_that_gain_enough_for_it(trees: DependencyTreeColumn) -> None:
    found = climb(trees, in_hidden_order(trees), SearchSettings(minimum_gain=0.01))
    stages = list(found.stages(NOTHING))
    assert [stage.minimum_gain for stage in stages] == [None, *(0.01 * each for each in LEVELS)]
    for before, stage in pairwise(stages):
        assert stage.steps[: len(before.steps)] == before.steps
        values = [each.training.objective for each in stage.steps[len(before.steps) - 1 :]]
        assert stage.minimum_gain is not None
        assert all(np.diff(values) > stage.minimum_gain)
    assert len(stages[1].steps) > 1


def test_caution_takes_nothing_from_references_by_chance(trees: DependencyTreeColumn) -> None:
    chance = np.random.default_rng(3)
    words = tuple(tuple(chance.permutation(words).tolist()) for words in trees.sentences())
    hidden = in_hidden_order(trees)
    reference = PrintedOrder("chance", hidden.group, hidden.offsets, words)
    start = parse_rule_set(IN_PLACE, where="x", name="x")
    steps = []
    for caution in (0.0, 5.0):
        *_, last = climb(trees, reference, SearchSettings(caution=caution)).stages(start)
        steps.append(len(last.steps) - 1)
    assert steps[0] > 1
    assert steps[1] == 0


def test_a_part_of_the_sentences_scores_as_in_the_whole(
    trees: DependencyTreeColumn, tmp_path: Path
) -> None:
    segments = np.array([0, 3, 4, 17, 79])
    metric = Frs()
    for rules in (NOTHING, hidden_rules(), parse_rule_set(CONDITIONED, where="x", name="x")):
        whole = ReorderingScorer(trees, in_hidden_order(trees))
        scores = metric.match_scores(whole.score(rules).match)
        found = metric.match_scores(whole.part(segments).score(rules).match)
        assert found.tolist() == scores[segments].tolist()
    assert small_trees(tmp_path, 5).sentences() == trees.sentences()[:5]
