"""What differences consist of: definitions by loops over resamples, laws, and systems equal in order."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from math import fsum
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.metrics.kendall import Kendall
from kilter.results.comparison import Comparison, Pair, SignificanceTest
from kilter.results.measure import Ordering, ScoreParts
from kilter.run.scoring.difference_parts import corpus_parts
from kilter.run.scoring.measured import Measured
from kilter.run.scoring.significance import compare_measured
from kilter.stats.resampling import Resampling, bootstrap_indices
from tests.oracles import parts as parts_oracle
from tests.oracles import resampling as oracle
from tests.run.scoring.scored import sample
from tests.thorough import examples, tried

FEW = Resampling(resamples=60, seed=3)
BOOTSTRAP, RANDOMISATION, PERMUTATION = SignificanceTest
Side = tuple[float, float, bool]
SIDE = st.one_of(
    st.tuples(st.floats(0, 1), st.floats(0, 1)).map(lambda both: (*both, True)),
    st.just((0.0, 0.0, False)),
)
SYSTEMS = st.integers(2, 12).flatmap(
    lambda segments: st.tuples(*[st.lists(SIDE, min_size=segments, max_size=segments)] * 2)
)


def measured_of(*systems: list[Side]) -> Measured:
    """Return systems whose segments have this order and coverage, and whether they have a link."""
    parts = []
    for rows in systems:
        order, coverage, evidence = (np.array(column) for column in zip(*rows, strict=True))
        ordering = Ordering(order, coverage, evidence)
        parts.append((ScoreParts((ordering.term(),), evidence, np.ones(len(rows))),))
    statistics = [
        np.array([(order * coverage, 1.0) for order, coverage, _ in rows]) for rows in systems
    ]
    return Measured(metric=Kendall(), statistics=statistics, signature="kendall", parts=parts)


def compared(*systems: list[Side], resampling: Resampling = FEW) -> Pair:
    names = [str(k) for k in range(len(systems))]
    return (
        compare_measured(names, [measured_of(*systems)], resampling=resampling).metrics[0].pairs[0]
    )


def drawn(count: int, seed: int) -> list[list[Side]]:
    random = np.random.default_rng(seed)
    return [
        [(*random.random(2).tolist(), True) if random.random() < 0.9 else (0.0, 0.0, False) for _ in range(count)]
        for _ in range(2)
    ]  # fmt: skip


@pytest.mark.parametrize(("count", "seed"), [(5, 1), (18, 2), (40, 3)])
def test_parts_with_intervals_and_tests_are_those_of_their_definitions(
    count: int, seed: int
) -> None:
    first, second = drawn(count, seed)
    pair = compared(first, second)
    segments = [parts_oracle.segment_parts(*both) for both in zip(first, second, strict=True)]
    for place, part in enumerate(pair.parts):
        values = [float(each[place]) for each in segments]
        observed = fsum(values) / count
        assert part.difference == pytest.approx(observed, abs=1e-15)
        resampled = [
            fsum(values[k] for k in row) / count
            for row in bootstrap_indices(count, resamples=60, seed=3).tolist()
        ]
        bounds = [oracle.percentile(resampled, Fraction(p)) for p in ("2.5", "97.5")]
        assert [part.low, part.high] == pytest.approx(bounds, abs=1e-11)
        far = sum(abs(value - observed) >= abs(observed) - 1e-11 for value in resampled)
        assert part.p[BOOTSTRAP] == pytest.approx((1 + far) / 61)
        far = 0
        for resample in range(60):
            turned = set(oracle.subset(count, 3, oracle.SWAPS, resample))
            total = fsum(-v if k in turned else v for k, v in enumerate(values)) / count
            far += abs(total) >= abs(observed) - 1e-11
        assert part.p[RANDOMISATION] == pytest.approx((1 + far) / 61)
        if count == 5:
            assert part.p[PERMUTATION] == oracle.sign_flip_p([each[place] for each in segments])


@given(SYSTEMS)
def test_parts_add_up_and_exchanging_systems_turns_signs_only(
    systems: tuple[list[Side], list[Side]],
) -> None:
    there, back = compared(*systems), compared(*systems[::-1])
    assert [part.name for part in there.parts] == ["order", "coverage"]
    total = fsum(part.difference for part in there.parts)
    assert total == pytest.approx(there.difference, abs=1e-16)
    for one, other in zip(there.parts, back.parts, strict=True):
        assert one.difference == -other.difference
        assert one.p == other.p
        assert (one.low, one.high) == pytest.approx(
            (-(other.high or 0), -(other.low or 0)), abs=1e-15
        )


@given(st.lists(SIDE, min_size=2, max_size=12))
def test_parts_of_equal_systems_are_nothing(rows: list[Side]) -> None:
    for part in compared(rows, rows).parts:
        assert part.difference == part.low == part.high == 0.0
        assert set(part.p.values()) == {1.0}


def test_a_difference_that_is_order_alone_has_the_tests_of_its_part() -> None:
    random = np.random.default_rng(8)
    first, second = ([(float(o), 1.0, True) for o in random.random(50)] for _ in range(2))
    pair = compared(first, second)
    order, coverage = pair.parts
    assert (order.difference, order.p, order.holm) == (pair.difference, pair.p, pair.holm)
    assert (order.low, order.high) == pytest.approx((pair.low, pair.high), abs=1e-12)
    assert (coverage.difference, set(coverage.p.values())) == (0.0, {1.0})


def test_one_segment_has_parts_without_interval_and_test() -> None:
    for part in compared([(0.5, 0.5, True)], [(1.0, 0.5, True)]).parts:
        assert (part.low, part.high, set(part.p.values())) == (None, None, {None})


def test_p_values_of_parts_are_corrected_over_the_pairs_of_the_metric() -> None:
    systems = [rows for seed in (1, 2) for rows in drawn(30, seed)]
    found = compare_measured([*"abcd"], [measured_of(*systems)], resampling=FEW)
    pairs = found.metrics[0].pairs
    for place in range(2):
        raw = [pair.parts[place].p[BOOTSTRAP] for pair in pairs]
        known = [p for p in raw if p is not None]
        assert [pair.parts[place].holm[BOOTSTRAP] for pair in pairs] == pytest.approx(
            oracle.holm(known)
        )
        corrected = [pair.parts[place].holm_baseline for pair in pairs]
        assert [each and each[BOOTSTRAP] for each in corrected[:3]] == pytest.approx(
            oracle.holm(known[:3])
        )
        assert corrected[3:] == [None] * 3


def of_sample(*metrics: str, **options: Any) -> Comparison:
    systems = {name: sample(f"{name}.en") for name in ("verb", "lexical", "phrase", "local")}
    return kilter.compare(
        systems, options.pop("references", sample("reference.en")), metrics=[*metrics],
        resampling=FEW, **options,
    )  # fmt: skip


PENALISED = ("kendall", "spearman", "hamming", "ulam", "fuzzy", "pef", "pet", "pet-size", "max-op")


@pytest.mark.parametrize("aligners", [["match"], ["match", "ribes"]])
def test_parts_of_a_corpus_add_up_to_the_last_bit_for_every_metric_that_has_them(
    aligners: list[str],
) -> None:
    combined = ("sen", "sen:alpha=0.3,order=kendall", "full", "full:alpha=0.8")
    found = of_sample(*PENALISED, *combined, aligner=aligners)
    for metric in found.metrics:
        names = ["order", "coverage"]
        if metric.name.startswith(("sen", "full")):
            names.append("words")
        for pair in metric.pairs:
            assert [part.name for part in pair.parts] == names
            assert sum(part.difference for part in pair.parts) == pair.difference


FACTORS = {
    "lr": ["order", "words"],
    "lr:alpha=0.2,lexical=wer": ["order", "words"],
    "meteor": ["order", "words"],
    "meteor:corpus=mean": ["order", "words"],
    "ribes": ["order", "words", "length"],
}


@pytest.mark.parametrize("aligners", [["match"], ["match", "ribes:repeats=false"]])
def test_parts_of_published_scores_add_up_to_the_last_bit(aligners: list[str]) -> None:
    found = of_sample(*FACTORS, aligner=aligners)
    for metric in found.metrics:
        for pair in metric.pairs:
            assert [part.name for part in pair.parts] == FACTORS[metric.name.partition("@")[0]]
            assert sum(part.difference for part in pair.parts) == pair.difference
    plain = kilter.score(sample("verb.en"), sample("reference.en"), metrics=[*FACTORS])
    assert not any(each.parts for each in plain.system.values())


def test_parts_of_lr_are_those_of_its_order_and_of_its_words_alone() -> None:
    whole, order, words = of_sample("lr:alpha=0.3", "lr:alpha=1", "lr:alpha=0").metrics
    for pair, first, second in zip(whole.pairs, order.pairs, words.pairs, strict=True):
        for part, weight, alone in zip(pair.parts, (0.3, 0.7), (first, second), strict=True):
            assert part.difference == pytest.approx(weight * (alone.difference or 0.0))
            assert part.low == pytest.approx(weight * (alone.low or 0.0))
            assert part.high == pytest.approx(weight * (alone.high or 0.0))
            for test in (BOOTSTRAP, RANDOMISATION):
                assert part.p[test] == alone.p[test]
            assert part.p[PERMUTATION] is None


def test_parts_of_meteor_are_those_of_summed_matches_and_chunks() -> None:
    systems = {name: sample(f"{name}.en") for name in ("verb", "local")}
    whole, mean = (
        [kilter.score(lines, sample("reference.en"), metrics=[name]).system[name].score or 0.0
         for lines in systems.values()]
        for name in ("meteor", "meteor:weight=0")
    )  # fmt: skip
    kept = [score / without for score, without in zip(whole, mean, strict=True)]
    (metric,) = kilter.compare(systems, sample("reference.en"), metrics="meteor").metrics
    order, words = metric.pairs[0].parts
    assert order.difference == pytest.approx((kept[1] - kept[0]) * (mean[0] + mean[1]) / 2)
    assert words.difference == pytest.approx((mean[1] - mean[0]) * (kept[0] + kept[1]) / 2)


@pytest.mark.parametrize("name", ["ribes", "meteor", "meteor:corpus=mean"])
def test_a_segment_without_a_match_says_nothing_of_order(name: str) -> None:
    systems = {"one": ["x y z", "a b c"], "other": ["a b c", "a b c"]}
    (metric,) = kilter.compare(systems, ["a b c", "a b c"], metrics=name, resampling=FEW).metrics
    (pair,) = metric.pairs
    parts = {part.name: part.difference for part in pair.parts}
    assert parts["order"] == pytest.approx(
        0.0, abs=0.01
    )  # one chunk of three matches costs METEOR a little
    assert parts["words"] == pytest.approx(pair.difference, abs=0.01)


def test_parts_of_combined_metrics_are_weighed_as_their_segments_are() -> None:
    # Segments of one, two and three words, so that weights by length show.
    references = ["a", "a b", "a b c"]
    systems = {"one": ["x", "b a", "a b c"], "other": ["a", "a x", "a c b"]}
    found = kilter.compare(
        systems, references, metrics=["sen:alpha=0.25,order=kendall"], resampling=FEW
    )
    weak = float(np.exp(-1.0))
    # order, coverage, whether a word is linked, and F1
    first = [(0.0, 0.0, False, 0.0), (0.0, 1.0, True, 1.0), (1.0, 1.0, True, 1.0)]
    second = [(1.0, 1.0, True, 1.0), (1.0, weak, True, 0.5), (2 / 3, 1.0, True, 1.0)]
    expected = [Fraction(0)] * 3
    for length, one, other in zip((1, 2, 3), first, second, strict=True):
        order, coverage = parts_oracle.segment_parts(one[:3], other[:3])
        words = Fraction(other[3]) - Fraction(one[3])
        for place, share in enumerate((order * 3 / 4, coverage * 3 / 4, words / 4)):
            expected[place] += share * length / 6
    (pair,) = found.metrics[0].pairs
    assert [part.difference for part in pair.parts] == pytest.approx([float(e) for e in expected])


def test_parts_of_several_configurations_are_the_mean_of_theirs() -> None:
    found = of_sample("pef", "sen", aligner=["match:stages=exact", "ribes"])
    for place in (0, 3):
        one, other, mean = (metric.pairs for metric in found.metrics[place : place + 3])
        for pair, others, means in zip(one, other, mean, strict=True):
            for part, beside, middle in zip(pair.parts, others.parts, means.parts, strict=True):
                both = (part.difference + beside.difference) / 2
                assert middle.difference == pytest.approx(both, abs=1e-15)
        assert any(
            abs(pair.parts[0].difference - others.parts[0].difference) > 1e-4
            for pair, others in zip(one, other, strict=True)
        )


def test_what_is_not_penalised_or_not_order_has_no_parts() -> None:
    for metric in of_sample("coverage", "kendall:penalty=false", "bleu", "f1", "tau").metrics:
        assert {pair.parts for pair in metric.pairs} == {()}


def test_the_parts_of_several_references_are_those_of_each_segments_best() -> None:
    both = [
        [one, other] for one, other in zip(sample("reference.en"), sample("local.en"), strict=True)
    ]
    (pef,) = of_sample("pef", references=both).metrics
    pair = pef.pair("verb", "local")
    assert pair is not None
    order, coverage = pair.parts
    assert order.difference + coverage.difference == pair.difference
    assert order.difference > 0.0


def test_systems_that_weigh_segments_differently_have_no_exact_split() -> None:
    # The best reference of a segment is longer for one system, so that the segment weighs more there.
    references = [["a b c d", "a b"], ["a b c", "a b c"]]
    systems = {"long": ["a b c d", "a c b"], "short": ["a b", "a b c"]}
    found = kilter.compare(systems, references, metrics=["sen", "pef"], resampling=FEW)
    sen, pef = (metric.pairs[0].parts for metric in found.metrics)
    assert sen == ()
    assert [part.name for part in pef] == ["order", "coverage"]


def test_scores_come_with_the_means_of_their_parts() -> None:
    result = kilter.score(
        ["a c b", "x y", "a b"], ["a b c", "a b", "a b c d"], metrics=["kendall", "bleu"]
    )
    half = float(np.exp(-1.0))
    assert result.system["kendall"].parts == pytest.approx(
        {"order": (2 / 3 + 1.0) / 2, "coverage": (1.0 + 0.0 + half) / 3}
    )
    assert result.system["kendall"].score == pytest.approx((2 / 3 + half) / 3)
    assert result.system["bleu"].parts == {}


def test_the_means_of_several_configurations_are_the_mean_of_theirs() -> None:
    one, other = (measured_of([(order, 0.5, True)]).parts[0][0] for order in (0.2, 0.4))
    none = measured_of([(0.0, 0.0, False)]).parts[0][0]
    assert corpus_parts((one, other)) == pytest.approx({"order": 0.3, "coverage": 0.5})
    assert corpus_parts((one, none)) == pytest.approx({"order": 0.2, "coverage": 0.25})
    assert corpus_parts(()) == {}


def test_systems_that_differ_in_words_alone_do_not_differ_in_order() -> None:
    # The order of `lexical` is that of the reference: whatever the difference, no part of it is order.
    systems = {"reference": sample("reference.en"), "lexical": sample("lexical.en")}
    found = kilter.compare(
        systems, sample("reference.en"), metrics=[*PENALISED[:7], "kilter", "order"], resampling=FEW
    )
    *penalised, overall, pure = (metric.pairs[0] for metric in found.metrics)
    assert [part.difference for part in overall.parts if part.name == "order"] == [0.0]
    assert (overall.difference or 0.0) < 0.0 == pure.difference
    for pair in penalised:
        order, coverage = pair.parts
        assert (order.difference, order.low, order.high) == (0.0, 0.0, 0.0)
        assert set(order.p.values()) == {1.0}
        assert coverage.difference == pair.difference


@pytest.mark.parametrize("test", [BOOTSTRAP, RANDOMISATION])
def test_of_systems_equal_in_order_few_differ_in_order_by_chance(test: SignificanceTest) -> None:
    # Both have orders from one distribution, and one has fewer links: their differences are due to coverage.
    trials = tried(400, quick=60)
    random = np.random.default_rng(17)
    alarms = {"order": 0, "coverage": 0}
    for trial in range(trials):
        drawing = Resampling(resamples=200, seed=trial)
        first, second = (
            [(float(random.beta(8, 2)), float(min(1.0, random.beta(7, 3) + more)), True) for _ in range(60)]
            for more in (0.0, 0.1)
        )  # fmt: skip
        pair = compare_measured(["a", "b"], [measured_of(first, second)], tests=[test], resampling=drawing).metrics[0].pairs[0]  # fmt: skip
        for part in pair.parts:
            alarms[part.name] += (part.p[test] or 0.0) < 0.05
    # 5%, and twice the standard error of a share of so many trials.
    assert alarms["order"] / trials <= 0.05 + 2 * (0.05 * 0.95 / trials) ** 0.5
    assert alarms["coverage"] / trials > 0.8


def test_of_systems_that_differ_in_words_alone_few_differ_in_order() -> None:
    # Both have the order of one text, which is not that of the reference, and other words in other places.
    trials = tried(100, quick=8)
    reference = sample("reference.en")
    alarms: dict[str, list[bool]] = defaultdict(list)
    for base in ("local", "verb", "phrase"):
        for trial in range(trials):
            random = np.random.default_rng(trial)
            systems = {name: other_words(sample(f"{base}.en"), random) for name in ("one", "other")}
            found = kilter.compare(
                systems, reference, metrics=["kilter", "order", "pef"], tests=[RANDOMISATION],
                resampling=Resampling(resamples=200, seed=trial),
            )  # fmt: skip
            for metric in found.metrics:
                (pair,) = metric.pairs
                order = next((part for part in pair.parts if part.name == "order"), pair)
                alarms[metric.name].append((order.p[RANDOMISATION] or 0.0) < 0.05)
    for seen in alarms.values():
        assert np.mean(seen) <= 0.05 + 2 * (0.05 * 0.95 / len(seen)) ** 0.5


def other_words(lines: list[str], random: np.random.Generator) -> list[str]:
    """Return lines in which about each seventh word is another one, which no text has."""
    return [
        " ".join(f"x{word[::-1]}" if random.random() < 0.15 else word for word in line.split())
        for line in lines
    ]


def test_of_segments_dealt_out_at_random_few_differ_in_any_part() -> None:
    # Who wrote which segment is chance, so that neither system is better in anything.
    trials = tried(200, quick=20)
    random = np.random.default_rng(23)
    verb, phrase, reference = (sample(f"{name}.en") for name in ("verb", "phrase", "reference"))
    alarms = {"order": 0, "coverage": 0, "words": 0}
    for trial in range(trials):
        dealt = [
            (one, other) if coin else (other, one)
            for one, other, coin in zip(verb, phrase, random.random(48) < 0.5, strict=True)
        ]
        first, second = ([pair[k] for pair in dealt] for k in (0, 1))
        pair = kilter.compare(
            {"a": first, "b": second}, reference, metrics=["sen"], tests=["randomisation"],
            resampling=Resampling(resamples=200, seed=trial),
        ).metrics[0].pairs[0]  # fmt: skip
        for part in pair.parts:
            alarms[part.name] += (part.p[RANDOMISATION] or 0.0) < 0.05
    for count in alarms.values():
        assert count / trials <= 0.05 + 2 * (0.05 * 0.95 / trials) ** 0.5


@examples(30)
@given(SYSTEMS, SYSTEMS)
def test_parts_do_not_depend_on_other_systems(
    one: tuple[list[Side], list[Side]], other: tuple[list[Side], list[Side]]
) -> None:
    more = (other[0] * len(one[0]))[: len(one[0])]
    assert compared(*one).parts == _uncorrected(compared(*one, more), compared(*one))


def _uncorrected(pair: Pair, alone: Pair) -> tuple[Any, ...]:
    """Return the parts with the correction of another comparison, which alone depends on the others."""
    return tuple(
        replace(part, holm=mine.holm, holm_baseline=mine.holm_baseline)
        for part, mine in zip(pair.parts, alone.parts, strict=True)
    )
