"""What every registered metric promises."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import FrozenInstanceError, is_dataclass, replace
from enum import StrEnum
from functools import partial
from importlib import import_module
from inspect import Parameter, signature
from itertools import product
from math import inf, isnan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kilter.core.errors import InputError, OptionError, SeveralLinksError
from kilter.metrics.citation import PUBLICATIONS
from kilter.metrics.lr import Lr, Through
from kilter.metrics.metric import LinkUse, MeanMetric, Metric
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.metrics.registry import metric, metric_class, metric_names
from kilter.run.scoring.metric_choice import choose_metrics
from kilter.stats.resampling import column_sums
from tests import strategies, texts
from tests.arrays import batch
from tests.oracles import links as oracle
from tests.oracles.lexical import brevity
from tests.signed import metric_of
from tests.thorough import examples, some, tried
from tests.working import followed

ROOT = Path(__file__).parents[1]
NAMES = metric_names()
OF_PERMUTATIONS = [name for name in NAMES if issubclass(metric_class(name), PermutationMetric)]
INPUTS = {
    "words",
    "text",
    "links",
    "source",
    "source-links",
    "reference-links",
    "trees",
    "reference-trees",
    "meaning",
}
RULES = ["birch", "talbot", "mean", "span", "drop", "mean:null=previous", "birch:null=drop"]
POOLED = {"bleu", "full", "lr", "nist", "ter", "wer-per"}
"""Metrics that count matches with all references of a segment together, or their mean length, or choose the
reference by another metric."""
ENDLESS = {"nist", "per", "ter", "wer"}
"""Metrics without a highest score: they count errors of any number, or bits."""
OF_ORDER_ALONE = {"wer-per"}
"""Metrics for which a word that is missing is not out of order, as their pages warn."""
every = pytest.mark.parametrize("name", NAMES)
every_of_permutations = pytest.mark.parametrize("name", OF_PERMUTATIONS)


def _each(names: Sequence[str], test: Callable[..., None]) -> Callable[..., None]:
    """Return a test of all these metrics with the same drawn input, which takes longer to draw than to score."""

    def all_metrics(**drawn: object) -> None:
        for name in names:
            try:
                test(name=name, **drawn)
            except Exception as error:
                error.add_note(f"metric: {name}")
                raise

    all_metrics.__name__ = all_metrics.__qualname__ = test.__name__
    return all_metrics


each = partial(_each, NAMES)
each_of_permutations = partial(_each, OF_PERMUTATIONS)


def choices(found: type[Metric], option: str) -> list[Any]:
    """Return a few values that an option may have, its default first."""
    kind = found.option_type(option)
    (entry,) = (entry for entry in found.declared() if entry.name == option)
    values: list[Any]
    if option in found.places:  # what a file holds is tested where files are read
        values = []
    elif issubclass(kind, StrEnum):
        values = list(kind)
    elif kind is bool:
        values = [False, True]
    elif option == "lexical":
        values = ["f1", "chrf:beta=1+words=2", "bleu:order=2"]
    elif kind is str:
        values = ["kendall:root=true", "ulam:empty=0.5", "pef:beta=0.5+gamma=0.5"]
    else:
        low, high = entry.metadata["low"], entry.metadata["high"]
        values = [low, high] if kind is int else [low, 1 / 3, high]
    return list(dict.fromkeys([entry.default, *values]))


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


def neighbours(name: str) -> list[Metric]:
    """Return the metric with one option at a time changed, in `make test` to one other value only.

    An empty segment scores 0 to 1 in each.
    """
    found = metric_class(name)
    made = [found()]
    for entry in found.declared():
        values = choices(found, entry.name)[1:]
        made.extend(found(**{entry.name: value}) for value in values[: tried(len(values), quick=1)])
    return made


def permutation_metric(name: str) -> PermutationMetric:
    found = metric(name)
    assert isinstance(found, PermutationMetric)
    return found


def within(scores: NDArray[np.float64], made: Metric) -> bool:
    low, high = made.range
    known = (scores >= low) & (scores <= high) & np.isfinite(scores)
    # order alone has no score where too little is linked; all others have one of everything.
    return bool((known | np.isnan(scores) if made.name == "order" else known).all())


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


def function_defaults(name: str) -> dict[str, Any]:
    """Return the defaults of the function that scores one sentence, of those options that it takes."""
    found = metric_class(name)
    function = getattr(import_module(found.__module__), name.replace("-", "_"), None)
    parameters = {} if function is None else signature(function).parameters
    listed = {entry.name for entry in found.declared()}
    return {
        key: parameter.default
        for key, parameter in parameters.items()
        if key in listed and parameter.default is not Parameter.empty
    }


@every
def test_its_function_has_the_defaults_of_its_options(name: str) -> None:
    made = metric(name)
    for option, default in function_defaults(name).items():
        assert getattr(made, option) == default


def test_functions_of_metrics_take_their_options() -> None:
    taken = {name for name in NAMES if function_defaults(name)}
    assert {"bleu", "chrf", "fuzzy", "lr", "meteor", "pef", "pet", "ribes", "sen", "ter"} <= taken


@every
def test_every_option_says_what_it_means(name: str) -> None:
    for entry in metric_class(name).declared():
        assert len(entry.metadata["help"]) > 10


@every
def test_options_survive_signature_and_specification(name: str) -> None:
    made = variants(name)
    assert metric(name) in made
    for variant in made:
        assert metric_of(variant.signature()) == variant
        assert metric(variant.specification()) == variant
        assert variant.signature().split("|")[0] == name
        assert variant.signature().split("|")[-1].startswith("v:")
    assert len({variant.signature() for variant in made}) == len(made)
    assert metric(name).specification() == name


@every
def test_options_out_of_bounds_are_refused(name: str) -> None:
    found = metric_class(name)
    for entry in found.declared():
        wrong_values: list[Any] = [None, [], 0.25, "up"]
        if found.option_type(entry.name) is str:
            wrong_values.remove("up")
            place = entry.name in found.places
            fault = "up: cannot be opened" if place else "there is no metric 'up'"
            with pytest.raises(InputError if place else OptionError, match=fault):
                found(**{entry.name: "up"})
        if entry.metadata["low"] is not None:
            wrong_values.remove(0.25)
            wrong_values += [entry.metadata["low"] - 1, entry.metadata["high"] + 1, float("nan")]
        for wrong in wrong_values:
            with pytest.raises(OptionError, match=f"{name}: {entry.name} is"):
                found(**{entry.name: wrong})


@every
def test_it_says_what_it_is(name: str) -> None:
    found = metric_class(name)
    assert found.summary
    assert found.formula
    assert found.needs
    assert set(found.needs) <= INPUTS
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
def test_inputs_that_are_missing_are_reported(name: str) -> None:
    needs = metric_class(name).needs
    assert list(choose_metrics([name], set(needs))) == [name]
    for missing in needs:
        with pytest.raises(OptionError, match=f"{name} needs .*{missing}.* not given"):
            choose_metrics([name], set(needs) - {missing})


@every
def test_all_computes_it_where_its_inputs_are_given(name: str) -> None:
    found = metric_class(name)
    assert name in choose_metrics(["all"], INPUTS)
    assert (name in choose_metrics(["all:blockwise"], INPUTS)) == (not found.of_corpus)
    for missing in found.needs:
        offered = {"words", "text", "links"} - {missing}
        assert name not in choose_metrics(
            ["all", "bleu" if "words" in offered else "kendall"], offered
        )


@examples(15)
@given(corpus=st.lists(texts.segments(), min_size=1, max_size=4))
@each
def test_scores_stay_within_its_range(name: str, corpus: list[texts.Segment]) -> None:
    whole = texts.evaluation_of(corpus)
    for made in neighbours(name):
        scores, statistics = made.measure(whole).scores, made.measure(whole).statistics
        assert scores.shape == (len(corpus),)
        assert scores.dtype == np.float64
        assert statistics.shape[0] == len(corpus)
        assert np.isfinite(statistics).all()
        assert within(scores, made)
        assert within(made.corpus_score(statistics.sum(axis=0)), made)


@examples(30)
@given(
    corpus=st.lists(texts.segments(), min_size=1, max_size=6),
    chance=st.randoms(use_true_random=False),
)
@each
def test_scores_do_not_depend_on_the_order_of_segments(
    name: str, corpus: list[texts.Segment], chance: Any
) -> None:
    order = list(range(len(corpus)))
    chance.shuffle(order)
    made = metric(name)
    straight, mixed = (
        texts.evaluation_of(listed) for listed in (corpus, [corpus[place] for place in order])
    )
    scores = made.measure(straight).scores
    assert np.array_equal(scores[order], made.measure(mixed).scores, equal_nan=True)
    if not made.of_corpus:
        alone = [made.measure(texts.evaluation_of([segment])).scores[0] for segment in corpus]
        assert np.array_equal(scores, alone, equal_nan=True)
    totals = [column_sums(made.measure(each).statistics) for each in (straight, mixed)]
    first, second = map(made.corpus_score, totals)
    assert np.array_equal(first, second, equal_nan=True)


@examples(15)
@given(corpus=st.lists(texts.segments(), min_size=1, max_size=5))
@each
def test_scores_do_not_depend_on_the_number_of_threads(
    name: str, corpus: list[texts.Segment]
) -> None:
    made = metric(name)
    alone, shared = (texts.evaluation_of(corpus, jobs=jobs) for jobs in (1, 3))
    assert made.measure(alone).statistics.tolist() == made.measure(shared).statistics.tolist()
    assert np.array_equal(made.measure(alone).scores, made.measure(shared).scores, equal_nan=True)


@examples(20)
@given(corpus=st.lists(texts.segments(references=1), min_size=1, max_size=4))
@each
def test_the_same_reference_twice_changes_nothing(name: str, corpus: list[texts.Segment]) -> None:
    twice = [
        replace(
            segment,
            references=segment.references * 2,
            links=segment.links * 2,
            reference_links=segment.reference_links * 2,
            reference_heads=segment.reference_heads * 2,
        )
        for segment in corpus
    ]
    made = metric(name)
    one = texts.evaluation_of(corpus, references=1)
    both = texts.evaluation_of(twice)
    assert np.array_equal(made.measure(one).scores, made.measure(both).scores, equal_nan=True)
    assert made.measure(one).statistics.tolist() == made.measure(both).statistics.tolist()


@examples(60)
@given(segment=texts.segments())
@each
def test_the_first_of_the_best_references_supplies_the_statistics(
    name: str, segment: texts.Segment
) -> None:
    if name in POOLED:
        return  # all references count together, see the metric's own tests
    whole = texts.evaluation_of([segment])
    alone = [
        replace(
            segment,
            references=[segment.references[place]],
            links=[segment.links[place]],
            reference_links=[segment.reference_links[place]],
            reference_heads=[segment.reference_heads[place]],
        )
        for place in (0, 1)
    ]
    # What the evidence of order is a share of are the words of all references, see its own tests.
    columns = slice(2) if name == "order" else slice(None)
    for made in neighbours(name):
        sign = 1.0 if made.higher_is_better else -1.0
        each = [texts.evaluation_of([one], references=1) for one in alone]
        first, second = (sign * float(made.measure(one).scores[0]) for one in each)
        best = each[1] if second > first or (isnan(first) and not isnan(second)) else each[0]
        found, expected = (
            measure.statistics[:, columns] for measure in (made.measure(whole), made.measure(best))
        )
        assert found.tolist() == expected.tolist()
        assert np.array_equal(made.measure(whole).scores, made.measure(best).scores, equal_nan=True)


@every
def test_an_empty_hypothesis_never_gains_by_being_empty(name: str) -> None:
    made = metric(name)
    lost = replace(
        texts.equal_segment(["a", "b", "c"]),
        hypothesis=[],
        heads=[],
        links=[[], []],
        source_links=[],
    )
    (score,) = made.measure(texts.evaluation_of([lost])).scores.tolist()
    (best,) = made.measure(texts.evaluation_of([texts.equal_segment("abc")])).scores.tolist()
    if name == "order":
        assert isnan(score)  # nothing is known, which is neither good nor bad
        return
    if name in OF_ORDER_ALONE:
        assert score == best
    else:
        assert score < best if made.higher_is_better else score > best
    nothing = texts.evaluation_of([texts.equal_segment([])])
    assert within(made.measure(nothing).scores, made)
    assert within(made.corpus_score(made.measure(nothing).statistics.sum(axis=0)), made)


@every
def test_one_word_in_its_place_is_in_order(name: str) -> None:
    made = metric(name)
    whole = texts.evaluation_of([texts.equal_segment(["a"])])
    (score,) = made.measure(whole).scores.tolist()
    if name in ("meteor", "meteor-chunk"):
        assert score == 0.5  # one chunk of one match, the known flaw of its penalty
    elif name == "tau":
        assert score == 0.0  # no pair to compare, as `undefined` says
    elif name == "nist":
        assert score == 0.0  # the only word of a corpus is certain and tells nothing
    elif name == "order":
        assert isnan(score)  # one word is no evidence
    else:
        assert score == (1.0 if made.higher_is_better else 0.0)


@examples(20)
@given(
    corpus=st.lists(
        texts.sentences(max_size=20).filter(lambda words: len(words) > 3), min_size=1, max_size=4
    )
)
@each
def test_a_system_equal_to_its_reference_has_the_best_score(
    name: str, corpus: list[list[str]]
) -> None:
    made = metric(name)
    whole = texts.evaluation_of([texts.equal_segment(words) for words in corpus])
    scores = made.measure(whole).scores
    if name in ("meteor", "meteor-chunk"):
        expected = [1 - 0.5 / len(words) ** 3 for words in corpus]
        assert scores.tolist() == pytest.approx(expected)
        return
    if name == "ribes":
        # Words that no context tells apart cannot be matched: a published property of the metric.
        assert all(
            score == 1.0
            for score, words in zip(scores, corpus, strict=True)
            if len(set(words)) == len(words)
        )
        return
    if name == "nist":
        # Whatever it has in bits, a shuffled corpus has no more.
        mixed = [replace(texts.equal_segment(words), hypothesis=words[::-1]) for words in corpus]
        assert (made.measure(texts.evaluation_of(mixed)).scores <= scores + 1e-12).all()
        return
    best = 1.0 if made.higher_is_better else 0.0
    assert scores.tolist() == pytest.approx([best] * len(corpus))
    assert made.corpus_score(made.measure(whole).statistics.sum(axis=0)) == pytest.approx(best)


@examples(15)
@given(corpus=st.lists(texts.segments(), min_size=4, max_size=4))
@each
def test_corpus_scores_are_made_of_sums_of_statistics(
    name: str, corpus: list[texts.Segment]
) -> None:
    made = metric(name)
    whole = texts.evaluation_of(corpus)
    rows = made.measure(whole).statistics
    sums = rows.reshape(2, 2, -1).sum(axis=1)
    found = made.corpus_score(sums)
    assert found.shape == (2,)
    for place, half in enumerate((corpus[:2], corpus[2:]) if not made.of_corpus else ()):
        alone = made.measure(texts.evaluation_of(half)).statistics.sum(axis=0)
        assert np.array_equal(found[place], made.corpus_score(alone), equal_nan=True)
    assert within(made.corpus_score(np.zeros(rows.shape[1])), made)
    if isinstance(made, MeanMetric):
        mean = made.measure(whole).scores.mean()
        assert made.corpus_score(rows.sum(axis=0)) == pytest.approx(mean)


@examples(15)
@given(
    corpus=st.lists(texts.segments(one_to_one=False), min_size=1, max_size=4),
    rule=st.sampled_from(RULES),
)
@each
def test_any_links_are_scored_under_a_rule_unless_it_needs_one_to_one_links(
    name: str, corpus: list[texts.Segment], rule: str
) -> None:
    made = metric(name)
    whole = texts.evaluation_of(corpus, rule=rule)
    if made.link_use is LinkUse.ONE_TO_ONE and any(b.shared_segments().size for b in whole.links):
        with pytest.raises(SeveralLinksError):
            made.measure(whole)
        return
    assert within(made.measure(whole).scores, made)
    assert within(made.corpus_score(made.measure(whole).statistics.sum(axis=0)), made)


@every
def test_it_says_what_it_makes_of_links(name: str) -> None:
    # Under drop the second word comes first, because of its first link; under mean it stays second.
    words = ["a", "b", "c", "d"]
    links = [(0, 1), (1, 0), (1, 3), (2, 2)]
    segment = replace(texts.equal_segment(words), links=[links] * 2, source=[], source_links=[],
                      reference_links=[[], []])  # fmt: skip
    made = metric("lr:through=reference" if name == "lr" else name)
    scores = []
    for rule in ("drop", "mean"):
        try:
            scores += made.measure(texts.evaluation_of([segment], rule=rule)).scores.tolist()
        except SeveralLinksError:
            assert made.link_use is LinkUse.ONE_TO_ONE
            return
    # No order of three words is hard to build, and coverage looks at none.
    # Three links tell no order, so that nothing is taken from kilter.
    alike = name in ("pet-size", "max-op", "coverage", "kilter")
    assert (made.link_use is LinkUse.ORDER) == (scores[0] != scores[1] or alike)
    with pytest.raises(SeveralLinksError) if made.link_use is LinkUse.ORDER else nullcontext():
        made.measure(texts.evaluation_of([segment]))


@every
@pytest.mark.parametrize("rule", some(RULES, quick=["mean:null=previous"]))
def test_a_segment_without_links_scores_the_same_under_every_rule(name: str, rule: str) -> None:
    # Some rules make an order of words without link, which nobody has seen to be right.
    segment = replace(
        texts.equal_segment(["a", "b", "c"]), links=[[], []], source_links=[], reference_links=[[], []]
    )  # fmt: skip
    bare, ruled = (texts.evaluation_of([segment], rule=which) for which in ("one-to-one", rule))
    for made in neighbours(name):
        if name == "lr":
            assert isinstance(made, Lr)
            made = replace(made, through=Through.REFERENCE)  # noqa: PLW2901
        assert made.measure(ruled).statistics.tolist() == made.measure(bare).statistics.tolist()
        assert np.array_equal(made.measure(ruled).scores, made.measure(bare).scores, equal_nan=True)


@every
def test_a_corpus_without_segments_has_no_scores(name: str) -> None:
    made = metric(name)
    nothing = texts.evaluation_of([])
    assert made.measure(nothing).scores.shape == (0,)
    assert made.measure(nothing).statistics.shape[0] == 0


@every
def test_its_range_is_closed_unless_it_counts_errors_or_bits(name: str) -> None:
    low, high = metric_class(name).range
    assert low == (-1.0 if name == "tau" else 0.0)  # the only coefficient of correlation
    # Whatever is wrong, inserting all words and one jump to the end mend it.
    assert high == (inf if name in ENDLESS else 2.0 if name == "cder" else 1.0)


@examples(6)
@given(corpus=st.lists(strategies.permutations(0, 70), min_size=1, max_size=5))
@each_of_permutations
def test_scores_of_permutations_stay_within_its_range(name: str, corpus: list[list[int]]) -> None:
    made = batch(corpus)
    for variant in variants(name):
        assert isinstance(variant, PermutationMetric)
        if variant.empty:
            continue
        scores = variant.permutation_scores(made)
        assert scores.shape == (len(corpus),)
        assert scores.dtype == np.float64
        assert within(scores, variant)


@examples(40)
@given(
    corpus=st.lists(strategies.permutations(0, 70), max_size=6),
    chance=st.randoms(use_true_random=False),
)
@each_of_permutations
def test_scores_of_permutations_do_not_depend_on_their_order(
    name: str, corpus: list[list[int]], chance: Any
) -> None:
    order = list(range(len(corpus)))
    chance.shuffle(order)
    made = permutation_metric(name)
    straight = made.permutation_scores(batch(corpus))
    mixed = made.permutation_scores(batch([corpus[s] for s in order]))
    assert straight[order].tolist() == mixed.tolist()
    alone = [made.permutation_scores(batch([values]))[0] for values in corpus]
    assert straight.tolist() == alone


@every_of_permutations
def test_no_words_score_empty_and_a_single_word_scores_one(name: str) -> None:
    corpus = batch([[], [0], [], [0]])
    for variant in variants(name):
        assert isinstance(variant, PermutationMetric)
        empty = variant.empty
        assert variant.permutation_scores(corpus).tolist() == [empty, 1.0, empty, 1.0]
    assert permutation_metric(name).empty == 0.0


@every_of_permutations
def test_the_identity_scores_one(name: str) -> None:
    lengths = (1, 2, 3, 30, 64, 65, 100)
    scores = permutation_metric(name).permutation_scores(batch([range(each) for each in lengths]))
    assert scores.tolist() == [1.0] * len(lengths)


@every_of_permutations
def test_the_penalty_multiplies_by_the_brevity_of_the_links(name: str) -> None:
    made = permutation_metric(name)
    assert made.penalty
    hypotheses, reference = [["a", "c", "b"]] * 2, [["a", "b", "c", "d"]] * 2
    links = [[[(0, 0), (1, 2), (2, 1)], []]]
    whole = texts.evaluation(hypotheses, reference, links=links)
    bare = made.permutation_scores(batch([[0, 2, 1]]))[0]
    assert replace(made, penalty=False).measure(whole).scores.tolist() == [bare, 0.0]
    expected = [bare * np.exp(1 - 4 / 3), 0.0]
    assert made.measure(whole).scores.tolist() == pytest.approx(expected)


@examples(15)
@given(
    corpus=st.lists(texts.segments(1, one_to_one=False), min_size=1, max_size=4),
    rule=st.sampled_from(sorted(oracle.RULES)),
)
@each_of_permutations
def test_the_order_of_a_rule_is_scored_with_the_penalty_of_linked_words(
    name: str, corpus: list[texts.Segment], rule: str
) -> None:
    made = permutation_metric(name)
    expected = []
    for segment in corpus:
        (links,), (reference,) = segment.links, segment.references
        groups = oracle.reorder(len(segment.hypothesis), links, *oracle.RULES[rule])
        order = [word for group in groups for word in group]
        places = [order.index(word) for word in sorted(order)]
        bare = made.permutation_scores(batch([places]))[0] if links else made.empty
        expected.append(bare * brevity(len({first for first, _ in links}), len(reference)))
    whole = texts.evaluation_of(corpus, references=1, rule=rule)
    assert made.measure(whole).scores.tolist() == pytest.approx(expected)


@every_of_permutations
def test_a_segment_without_links_scores_empty_under_every_rule(name: str) -> None:
    made = replace(permutation_metric(name), empty=0.25, penalty=False)
    for rule in ("one-to-one", *RULES):
        whole = texts.evaluation([["a", "b"]], [["a", "b"]], links=[[[]]], rule=rule)
        assert made.measure(whole).scores.tolist() == [0.25]


@every_of_permutations
def test_it_is_changed_by_making_another(name: str) -> None:
    made = permutation_metric(name)
    assert replace(made, empty=0.5) != made
    assert replace(made, empty=0.5).specification() == f"{name}:empty=0.5"


@examples(20)
@given(corpus=st.lists(texts.segments(2), min_size=1, max_size=3))
@each
def test_the_steps_of_a_segment_lead_to_its_score(name: str, corpus: list[texts.Segment]) -> None:
    whole = texts.evaluation_of(corpus)
    for made in neighbours(name):
        scores = made.measure(whole).scores.tolist()
        for segment, score in enumerate(scores):
            working = made.working(whole, segment)
            assert working is not None
            # To the last bit, where there is a score.
            assert working.score == score or isnan(score), made.specification()
            assert working.steps[-1].name == "score"
            followed(working)


@examples(10)
@given(corpus=st.lists(texts.segments(2), min_size=1, max_size=3))
@each
def test_the_reference_of_a_working_is_the_one_that_counts(
    name: str, corpus: list[texts.Segment]
) -> None:
    made = metric(name)
    whole = texts.evaluation_of(corpus)
    for segment, score in enumerate(made.measure(whole).scores.tolist()):
        working = made.working(whole, segment)
        assert working is not None
        if working.reference is None or name in POOLED:
            continue
        place = working.reference
        alone = replace(
            whole,
            references=(whole.references[place],),
            links=(whole.links[place],),
            reference_links=(whole.reference_links[place],),
            kept={},
        )
        assert made.measure(alone).scores[segment] == score or isnan(score)


@examples(10)
@given(
    corpus=st.lists(texts.segments(1, one_to_one=False), min_size=1, max_size=3),
    rule=st.sampled_from(RULES),
)
@each
def test_steps_lead_to_the_score_under_every_rule_of_links(
    name: str, corpus: list[texts.Segment], rule: str
) -> None:
    made = metric(name)
    if made.link_use is LinkUse.ONE_TO_ONE:
        return
    whole = texts.evaluation_of(corpus, references=1, rule=rule)
    for segment, score in enumerate(made.measure(whole).scores.tolist()):
        working = made.working(whole, segment)
        assert working is not None
        assert working.score == score or isnan(score)
        followed(working)


def test_a_metric_that_does_not_tell_has_no_working() -> None:
    class Silent(PermutationMetric):
        name = "silent"

        def _scores(self, permutations: Any) -> NDArray[np.float64]:
            return np.ones(len(permutations))

    whole = texts.evaluation([["a"]], [["a"]], links=[[[(0, 0)]]])
    assert Silent().working(whole, 0) is None
