"""What every registered metric promises."""

from dataclasses import FrozenInstanceError, is_dataclass, replace
from enum import StrEnum
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kilter.errors import OptionError
from kilter.metrics.citation import PUBLICATIONS
from kilter.metrics.metric import Metric, PermutationMetric
from kilter.metrics.registry import metric, metric_class, metric_from_signature, metric_names
from tests import strategies
from tests.arrays import batch

ROOT = Path(__file__).parents[1]
NAMES = metric_names()
every = pytest.mark.parametrize("name", NAMES)


def choices(found: type[Metric], option: str) -> list[Any]:
    """Return a few values that an option may have."""
    kind = found.option_type(option)
    if issubclass(kind, StrEnum):
        return list(kind)
    if kind is bool:
        return [False, True]
    (entry,) = (entry for entry in found.declared() if entry.name == option)
    low, high = entry.metadata["low"], entry.metadata["high"]
    return list(dict.fromkeys([entry.default, low, 1 / 3, high]))


def variants(name: str) -> list[Metric]:
    """Return the metric with every combination of options that it allows."""
    found = metric_class(name)
    listed = [entry.name for entry in found.declared()]
    made = []
    for values in product(*(choices(found, option) for option in listed)):
        try:
            made.append(found(**dict(zip(listed, values, strict=True))))
        except OptionError:
            continue
    return made


def permutation_metric(name: str) -> PermutationMetric:
    found = metric(name)
    assert isinstance(found, PermutationMetric)
    return found


@every
def test_its_name_is_its_modules(name: str) -> None:
    found = metric_class(name)
    assert found.name == name
    assert found.__module__ == f"kilter.metrics.{name.replace('-', '_')}"
    assert found.__name__ == "".join(word.capitalize() for word in name.split("-"))


@every
def test_it_is_a_frozen_dataclass_whose_fields_are_its_options(name: str) -> None:
    made = metric(name)
    assert is_dataclass(made)
    assert set(made.options()) == {entry.name for entry in type(made).declared()}
    for option in made.options():
        with pytest.raises(FrozenInstanceError):
            setattr(made, option, None)
    assert made == metric(name)
    assert hash(made) == hash(metric(name))


@every
def test_every_option_says_what_it_means(name: str) -> None:
    for entry in metric_class(name).declared():
        assert len(entry.metadata["help"]) > 10


@every
def test_options_survive_signature_and_specification(name: str) -> None:
    made = variants(name)
    assert metric(name) in made
    for variant in made:
        assert metric_from_signature(variant.signature()) == variant
        assert metric(variant.specification()) == variant
        assert variant.signature().split("|")[0] == name
        assert variant.signature().split("|")[-1].startswith("v:")
    assert len({variant.signature() for variant in made}) == len(made)
    assert metric(name).specification() == name


@every
def test_options_out_of_bounds_are_refused(name: str) -> None:
    found = metric_class(name)
    wrong_values: list[Any] = [-0.001, 1.001, float("nan"), "up", None, []]
    for entry in found.declared():
        for wrong in wrong_values:
            with pytest.raises(OptionError, match=f"{name}: {entry.name} is"):
                found(**{entry.name: wrong})


@every
def test_it_says_what_it_is(name: str) -> None:
    found = metric_class(name)
    assert found.summary
    assert found.formula
    assert found.needs == ("permutation",)
    assert found.range[0] < found.range[1]
    assert found.__doc__


@every
def test_its_publications_are_known(name: str) -> None:
    citations = metric_class(name).citations
    assert citations
    assert set(citations) <= set(PUBLICATIONS)


@every
def test_it_is_documented(name: str) -> None:
    page = ROOT / "docs" / "metrics" / f"{name}.md"
    assert page.is_file()
    text = page.read_text(encoding="utf-8")
    for option in metric(name).options():
        assert option in text


@every
@settings(max_examples=12)
@given(corpus=st.lists(strategies.permutations(0, 70), min_size=1, max_size=5))
def test_scores_stay_within_its_range(name: str, corpus: list[list[int]]) -> None:
    low, high = metric_class(name).range
    made = batch(corpus)
    for variant in variants(name):
        assert isinstance(variant, PermutationMetric)
        if variant.empty:
            continue
        scores = variant.segment_scores(made)
        assert scores.shape == (len(corpus),)
        assert scores.dtype == np.float64
        assert ((scores >= low) & (scores <= high)).all()


@every
@settings(max_examples=40)
@given(
    corpus=st.lists(strategies.permutations(0, 70), max_size=6),
    chance=st.randoms(use_true_random=False),
)
def test_scores_do_not_depend_on_the_order_of_segments(
    name: str, corpus: list[list[int]], chance: Any
) -> None:
    order = list(range(len(corpus)))
    chance.shuffle(order)
    made = permutation_metric(name)
    straight = made.segment_scores(batch(corpus))
    mixed = made.segment_scores(batch([corpus[s] for s in order]))
    assert straight[order].tolist() == mixed.tolist()
    alone = [made.segment_scores(batch([values]))[0] for values in corpus]
    assert straight.tolist() == alone


@every
def test_no_words_score_empty_and_a_single_word_scores_one(name: str) -> None:
    corpus = batch([[], [0], [], [0]])
    for variant in variants(name):
        assert isinstance(variant, PermutationMetric)
        empty = variant.empty
        assert variant.segment_scores(corpus).tolist() == [empty, 1.0, empty, 1.0]
    assert permutation_metric(name).empty == 0.0


@every
@pytest.mark.parametrize("length", [1, 2, 3, 30, 64, 65, 100])
def test_the_identity_scores_one(name: str, length: int) -> None:
    scores = permutation_metric(name).segment_scores(batch([range(length)]))
    assert scores.tolist() == [1.0]


@every
def test_the_corpus_score_is_the_mean_of_additive_statistics(name: str) -> None:
    corpus = batch([[1, 0, 2], [], [3, 1, 0, 2], [0, 1]])
    made = permutation_metric(name)
    scores, statistics = made.segment_scores(corpus), made.statistics(corpus)
    assert statistics.shape == (4, 2)
    mean = made.corpus_score(statistics.sum(axis=0))
    assert mean == pytest.approx(sum(scores.tolist()) / 4, rel=1e-9)
    halves = statistics[:2].sum(axis=0) + statistics[2:].sum(axis=0)
    assert made.corpus_score(halves) == pytest.approx(mean, rel=1e-9)
    assert made.corpus_score(np.zeros(2)) == 0.0


@every
def test_a_corpus_without_segments_has_no_scores(name: str) -> None:
    assert permutation_metric(name).segment_scores(batch([])).shape == (0,)


@every
def test_it_is_changed_by_making_another(name: str) -> None:
    made = permutation_metric(name)
    assert replace(made, empty=0.5) != made
    assert replace(made, empty=0.5).specification() == f"{name}:empty=0.5"
