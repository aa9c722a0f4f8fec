"""Rules found by hill climbing, from nothing to what a hidden set does."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError, OptionError
from kilter.core.reordering import PrintedOrder
from kilter.metrics.frs import Frs
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_set import RuleSet
from kilter.results.preordering import RuleSearchResult
from kilter.run.preordering.evaluate import ReorderingScorer
from kilter.run.preordering.search import SearchObjective, SearchSettings, search_rules
from tests.preordering.searched import hidden_rules, in_hidden_order, small_trees

Found = tuple[RuleSet, RuleSearchResult]


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> DependencyTreeColumn:
    return small_trees(tmp_path_factory.mktemp("trees"))


PLAIN = SearchSettings(folds=0)


@pytest.fixture(scope="module")
def found(trees: DependencyTreeColumn) -> Found:
    return search_rules(trees, in_hidden_order(trees), settings=PLAIN)


def test_what_hidden_rules_do_is_found_from_nothing(
    trees: DependencyTreeColumn, found: Found
) -> None:
    rules, result = found
    assert result.steps[-1].training.frs == 1.0
    held = result.steps[-1].held_out
    assert held is not None
    assert held.frs == held.kendall == 1.0
    wanted = reorder_trees(trees, hidden_rules()).order
    assert (reorder_trees(trees, rules).order == wanted).all()
    assert result.finished
    assert (result.sentences, result.held_out) == (32, 8)


def test_every_step_gains_on_the_sentences_it_is_fitted_to(found: Found) -> None:
    values = [step.training.objective for step in found[1].steps]
    assert len(values) > 1
    assert all(np.diff(values) > SearchSettings().minimum_gain)


def test_the_mix_is_frs_and_half_of_kendall(found: Found) -> None:
    for step in found[1].steps:
        mixed = step.training.frs + step.training.kendall / 2
        assert step.training.objective == pytest.approx(mixed)


def test_the_held_out_gain_is_the_difference_of_first_and_last_step(found: Found) -> None:
    first, last = (found[1].steps[k].held_out for k in (0, -1))
    assert found[1].gain is not None
    assert first is not None
    assert last is not None
    gain, low, high = found[1].gain
    assert gain == pytest.approx(last.objective - first.objective)
    assert low <= gain <= high


def test_held_out_sentences_decide_nothing(trees: DependencyTreeColumn, found: Found) -> None:
    reference = in_hidden_order(trees)
    chance = np.random.default_rng(SearchSettings().seed)
    held = set(chance.permutation(40)[:8].tolist())
    assert reference.words is not None
    plain = trees.sentences()
    words = tuple(
        tuple(plain[s]) if s in held else reference.words[s] for s in range(len(reference))
    )
    other = PrintedOrder("other", reference.group, reference.offsets, words)
    again, result = search_rules(trees, other, settings=PLAIN)
    assert again == found[0]
    assert [step.training for step in result.steps] == [step.training for step in found[1].steps]
    assert result.steps[-1].held_out != found[1].steps[-1].held_out


def test_rules_that_are_best_stay_as_they_are(trees: DependencyTreeColumn) -> None:
    settings = SearchSettings(held_out=0, folds=0, objective=SearchObjective.FRS)
    rules, result = search_rules(
        trees, in_hidden_order(trees), start=hidden_rules(), settings=settings
    )
    assert len(result.steps) == 1
    assert replace(rules, name="hidden") == hidden_rules()
    assert result.gain is None
    assert result.steps[0].held_out is None


def test_a_search_that_is_stopped_says_so(trees: DependencyTreeColumn) -> None:
    settings = SearchSettings(passes=1, held_out=0, folds=0, minimum_gain=0.3)
    assert not search_rules(trees, in_hidden_order(trees), settings=settings)[1].finished


def test_what_cannot_be_searched_is_refused(trees: DependencyTreeColumn, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="r3 has the method head-final-left-reversed"):
        search_rules(trees, in_hidden_order(trees), start="r3")
    few = small_trees(tmp_path, 9)
    with pytest.raises(InputError, match="7 sentences to learn from; at least 10 are needed"):
        search_rules(few, in_hidden_order(few), settings=PLAIN)
    with pytest.raises(InputError, match=r"7 sentences to learn from; at least 13 .* for 5 folds"):
        search_rules(few, in_hidden_order(few))
    for odd in (float("nan"), float("inf"), -1.0):
        for settings in (SearchSettings(minimum_gain=odd), SearchSettings(caution=odd)):
            with pytest.raises(OptionError, match="it must be a number from 0 on"):
                search_rules(trees, in_hidden_order(trees), settings=settings)
    with pytest.raises(OptionError, match="folds is 1; it must be 0 for none, or lie between 2"):
        search_rules(trees, in_hidden_order(trees), settings=SearchSettings(folds=1))
    with pytest.raises(OptionError, match=r"held_out is 1\.5"):
        search_rules(trees, in_hidden_order(trees), settings=SearchSettings(held_out=1.5))


def test_folds_are_scored_by_rules_that_were_searched_without_them(
    trees: DependencyTreeColumn,
) -> None:
    reference = in_hidden_order(trees)
    settings = SearchSettings(held_out=0.25, folds=3, minimum_gain=0.02)
    rules, result = search_rules(trees, reference, settings=settings)
    assert [level.minimum_gain is None for level in result.levels] == [True, *[False] * 5]
    best = max(range(6), key=lambda k: result.levels[k].held_out.objective)
    assert result.level == best > 0
    # Each fold again, by a search that never had its sentences.
    held = set(np.random.default_rng(1).permutation(40)[:10].tolist())
    learned = np.array([segment for segment in range(40) if segment not in held])
    folds = np.random.default_rng(1).permutation(30) % 3
    scores, tried = [], 0
    for fold in range(3):
        rest = learned[folds != fold]
        alone = replace(settings, held_out=0, folds=0)
        found, again = search_rules(trees.picked(rest), _some(reference, rest), settings=alone)
        tried += again.tried
        out = learned[folds == fold]
        scorer = ReorderingScorer(trees.picked(out), _some(reference, out))
        scores += Frs().match_scores(scorer.score(found).match).tolist()
    assert result.levels[5].held_out.frs == pytest.approx(np.mean(scores))
    assert result.tried > tried
    # All of them together are then searched up to the chosen level, as if it were the last.
    least = (16, 8, 4, 2, 1)[best - 1] * 0.02
    values = [step.training.objective for step in result.steps]
    assert all(np.diff(values) > least)
    assert rules.name == "searched"


def _some(reference: PrintedOrder, segments: NDArray[np.int64]) -> PrintedOrder:
    assert reference.words is not None
    rows = np.concatenate(
        [np.arange(reference.offsets[s], reference.offsets[s + 1]) for s in segments]
    )
    lengths = np.diff(reference.offsets)[segments]
    words = tuple(reference.words[s] for s in segments)
    return PrintedOrder("some", reference.group[rows], np.cumsum([0, *lengths]), words)
