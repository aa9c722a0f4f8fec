"""Rules found by hill climbing, from nothing to what a hidden set does."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kilter.errors import InputError, OptionError
from kilter.pipeline.preordering.search import SearchObjective, SearchSettings, search_rules
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_set import RuleSet
from kilter.structures.dependency.dependency_tree_column import DependencyTreeColumn
from kilter.structures.reordering.printed_order import PrintedOrder
from kilter.structures.result.rule_search import RuleSearchResult
from tests.preordering.searched import hidden_rules, in_hidden_order, small_trees

Found = tuple[RuleSet, RuleSearchResult]


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> DependencyTreeColumn:
    return small_trees(tmp_path_factory.mktemp("trees"))


@pytest.fixture(scope="module")
def found(trees: DependencyTreeColumn) -> Found:
    return search_rules(trees, in_hidden_order(trees))


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
    again, result = search_rules(trees, other)
    assert again == found[0]
    assert [step.training for step in result.steps] == [step.training for step in found[1].steps]
    assert result.steps[-1].held_out != found[1].steps[-1].held_out


def test_rules_that_are_best_stay_as_they_are(trees: DependencyTreeColumn) -> None:
    settings = SearchSettings(held_out=0, objective=SearchObjective.FRS)
    rules, result = search_rules(
        trees, in_hidden_order(trees), start=hidden_rules(), settings=settings
    )
    assert len(result.steps) == 1
    assert replace(rules, name="hidden") == hidden_rules()
    assert result.gain is None
    assert result.steps[0].held_out is None


def test_a_search_that_is_stopped_says_so(trees: DependencyTreeColumn) -> None:
    settings = SearchSettings(passes=1, held_out=0)
    assert not search_rules(trees, in_hidden_order(trees), settings=settings)[1].finished


def test_what_cannot_be_searched_is_refused(trees: DependencyTreeColumn, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="r3 has the method head-final-left-reversed"):
        search_rules(trees, in_hidden_order(trees), start="r3")
    few = small_trees(tmp_path, 9)
    with pytest.raises(InputError, match="7 sentences to learn from; at least 10"):
        search_rules(few, in_hidden_order(few))
    with pytest.raises(OptionError, match=r"held_out is 1\.5"):
        search_rules(trees, in_hidden_order(trees), settings=SearchSettings(held_out=1.5))
