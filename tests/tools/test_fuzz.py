"""A short run of the fuzzer, always the same."""

import random
import warnings

import pytest

from tests.thorough import some
from tools.fuzz import (
    lines,
    objects,
    reorderings,
    saved_results,
    score_tables,
    text_files,
    tree_pairs,
    trees,
)

pytestmark = pytest.mark.filterwarnings("ignore::kilter.core.errors.KilterWarning")
"""A byte-order mark that is dropped is told."""


@pytest.mark.parametrize("seed", some(range(0, 2000, 200), quick=[0]))
def test_mutated_lines_are_read_as_the_naive_reader_reads_them(seed: int) -> None:
    for step in range(200):
        lines.check(random.Random(seed + step))


@pytest.mark.parametrize("seed", some(range(0, 1000, 100), quick=[0]))
def test_odd_objects_make_a_result_or_a_clear_error(seed: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy's opinions on odd objects
        for step in range(100):
            objects.check(random.Random(seed + step))


@pytest.mark.parametrize("seed", some(range(0, 2000, 200), quick=[0]))
def test_mutated_trees_are_read_as_the_naive_reader_reads_them(seed: int) -> None:
    for step in range(200):
        trees.check(random.Random(seed + step))


@pytest.mark.parametrize("seed", some(range(0, 300, 30), quick=[0]))
def test_any_trees_and_links_have_scores_that_obey_the_laws(seed: int) -> None:
    for step in range(30):
        tree_pairs.check(random.Random(seed + step))


@pytest.mark.parametrize("seed", some(range(0, 1000, 100), quick=[0]))
def test_mutated_reorderings_and_rules_make_a_result_or_a_clear_error(seed: int) -> None:
    for step in range(100):
        reorderings.check(random.Random(seed + step))


@pytest.mark.parametrize("seed", some(range(0, 2000, 200), quick=[0]))
def test_mutated_sets_and_tables_are_read_or_refused_with_their_file(seed: int) -> None:
    for step in range(200):
        text_files.check(random.Random(seed + step))


@pytest.mark.parametrize("seed", some(range(0, 2000, 200), quick=[0, 200]))
def test_mutated_judgments_and_scores_are_read_or_refused_with_their_file(seed: int) -> None:
    for step in range(200):
        score_tables.check(random.Random(seed + step))


@pytest.mark.parametrize("seed", some(range(0, 2000, 200), quick=[0]))
def test_mutated_results_are_loaded_or_refused_with_their_file(seed: int) -> None:
    for step in range(200):
        saved_results.check(random.Random(seed + step))
