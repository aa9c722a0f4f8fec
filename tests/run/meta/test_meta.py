"""Agreement over language pairs: averages, N/B/D, which test is made, what a reader is told."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import kilter
from kilter.core.errors import OptionError
from kilter.core.judgments import Judgments
from kilter.results.meta_result import (
    RATING_MEASURES,
    AgreementMeasure,
    MetaResult,
    PairResult,
    Resample,
    Verdict,
    ranked_metrics,
)
from kilter.run.meta.evaluation_inputs import EvaluationInputs
from kilter.run.meta.matched_metrics import MatchedMetrics
from kilter.run.meta.meta import (
    MetaSettings,
    evaluate,
    meta,
    new_baseline_draw,
    over_pairs,
)
from kilter.run.meta.metric_test import MetricTest
from kilter.run.meta.scored_metric import ScoredMetric
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling
from tests.cli.judged_sample import RANKINGS
from tests.cli.sample import PATHS, REFERENCE
from tests.docs.pages import ROOT
from tests.oracles import meta as oracle
from tests.run.meta.samples import judged, random_judgments, random_metric

DRAWN = Resampling(resamples=40)
NAMES = ("one", "two", "three")


def matched(
    seed: int, *metrics: ScoredMetric, judgments: Judgments | None = None
) -> MatchedMetrics:
    made = metrics or tuple(random_metric(name, 10 * seed + k) for k, name in enumerate(NAMES))
    return MatchedMetrics(judgments=judgments or random_judgments(seed), segments=12, metrics=made)


def result(*seeds: int, baselines: tuple[str, ...] = (), **options: object) -> MetaResult:
    settings = MetaSettings(**options)  # type: ignore[arg-type]
    pairs = [evaluate(f"pair{seed}", matched(seed), settings, resampling=DRAWN) for seed in seeds]
    return over_pairs(pairs, settings, resampling=DRAWN, baselines=baselines)


def test_averages_are_those_of_ranks_and_scores_over_language_pairs() -> None:
    made = result(1, 2, 3)
    found = made.averages[AgreementMeasure.SEGMENT_TAU]
    for name in NAMES:
        ranks, values = [], []
        for pair in made.pairs:
            value = pair.value(AgreementMeasure.SEGMENT_TAU, name)
            others = [pair.value(AgreementMeasure.SEGMENT_TAU, other) for other in NAMES]
            assert value is not None
            above = sum(other is not None and other > value for other in others)
            ranks.append(above + (1 + others.count(value)) / 2)
            values.append(value)
        assert found[name].rank == pytest.approx(sum(ranks) / 3)
        assert found[name].score == pytest.approx(sum(values) / 3)


def test_a_metric_without_a_value_somewhere_is_in_no_average() -> None:
    settings = MetaSettings()
    flat = ScoredMetric.external("two", np.ones((5, 12)))
    metrics = tuple(flat if m.name == "two" else m for m in matched(2).metrics)
    pairs = [
        evaluate(name, made, settings, resampling=DRAWN)
        for name, made in {"whole": matched(1), "broken": matched(2, *metrics)}.items()
    ]
    found = over_pairs(pairs, settings, resampling=DRAWN)
    assert set(found.averages[AgreementMeasure.SEGMENT_TAU]) == {"one", "three"}
    assert set(found.table(AgreementMeasure.SEGMENT_TAU)) == {"one", "three"}
    assert all(len(row) == 2 for row in found.table(AgreementMeasure.SEGMENT_TAU).values())


def test_controls_take_no_rank() -> None:
    made = result(1, 2)
    pairs = tuple(
        replace(pair, metrics=tuple(replace(m, control="three" if m.name == "one" else None)
                                    for m in pair.metrics))
        for pair in made.pairs
    )  # fmt: skip
    assert ranked_metrics(pairs) == ["one", "two"]
    assert ranked_metrics(made.pairs) == ["one", "two", "three"]
    assert set(over_pairs(pairs, MetaSettings(), resampling=DRAWN).averages[AgreementMeasure.SEGMENT_TAU]) == {
        "one", "two"
    }  # fmt: skip


def decided(pair: PairResult, baseline: str, new: str) -> Verdict:
    """Return who is better on a pair as the comparison that was made says, whoever stood first in it."""
    for found in pair.comparisons[AgreementMeasure.SEGMENT_TAU]:
        if {found.first, found.second} == {baseline, new}:
            if not found.significant or found.difference is None:
                return Verdict.DRAW
            better = found.second if found.difference > 0 else found.first
            return Verdict.NEW if better == new else Verdict.BASELINE
    raise AssertionError


def test_new_baseline_and_draw_are_counted_whoever_stood_first() -> None:
    rows = [(segment, 0, 1, 1, segment) for segment in range(12)]
    good = np.vstack([np.ones(12), np.zeros(12), np.zeros((3, 12))])
    metrics = (
        ScoredMetric.external("good", good), ScoredMetric.external("bad", -good),
        ScoredMetric.external("same", 2 * good),
    )  # fmt: skip
    settings = MetaSettings()
    pair = evaluate("x", matched(1, *metrics, judgments=judged(rows)), settings, resampling=DRAWN)
    for baseline, expected in {
        "good": {"bad": "0/2/0", "same": "0/0/2"},
        "bad": {"good": "2/0/0", "same": "2/0/0"},
        "same": {"good": "0/0/2", "bad": "0/2/0"},
    }.items():
        made = over_pairs([pair, pair], settings, resampling=DRAWN, baselines=(baseline,))
        table = made.new_baseline_draw[AgreementMeasure.SEGMENT_TAU]
        assert {new: str(row[baseline]) for new, row in table.items()} == expected
        for new, (number, each) in product(expected, enumerate(Verdict)):
            verdicts = [decided(p, baseline, new) for p in made.pairs]
            assert table[new][baseline][number] == verdicts.count(each)


def test_what_was_not_compared_cannot_be_counted() -> None:
    made = result(
        1,
        2,
        measures=(AgreementMeasure.SEGMENT_TAU, AgreementMeasure.SOFT_ACCURACY),
        baselines=("one",),
    )
    pairs = tuple(
        replace(pair, comparisons={AgreementMeasure.SEGMENT_TAU: []}) for pair in made.pairs
    )
    with pytest.raises(OptionError, match="segment_tau was not compared between one and two"):
        new_baseline_draw(pairs, AgreementMeasure.SEGMENT_TAU, ("one",))
    assert "soft_accuracy" not in made.to_dict()["new_baseline_draw"]


@pytest.mark.parametrize("test", list(MetricTest))
def test_each_measure_is_tested_as_asked_where_it_can_be(test: MetricTest) -> None:
    measures = (
        AgreementMeasure.SEGMENT_TAU,
        AgreementMeasure.SYSTEM_PEARSON,
        AgreementMeasure.PEARSON,
    )
    asked = result(1, measures=measures, test=test).pairs[0].comparisons
    plain = result(1, measures=measures).pairs[0].comparisons
    for measure in measures:
        same = [pair.p for pair in asked[measure]] == [pair.p for pair in plain[measure]]
        falls_back = test is MetricTest.PERMUTATION and measure is AgreementMeasure.PEARSON
        assert same is (test is MetricTest.PERCENTILE or falls_back)


@pytest.mark.parametrize("resample", list(Resample))
def test_a_comparison_says_what_was_drawn_for_it(resample: Resample) -> None:
    measures = (
        AgreementMeasure.SEGMENT_TAU,
        AgreementMeasure.SYSTEM_PEARSON,
        AgreementMeasure.PEARSON,
    )
    document = result(1, measures=measures, resample=resample).to_dict()
    drawn = {entry["measure"]: entry["resample"] for entry in document["comparisons"]}
    # Differences on pairs and correlations of segment scores are always drawn from segments.
    assert drawn == {
        "segment_tau": "segments", "system_pearson": str(resample), "pearson": "segments",
    }  # fmt: skip


def test_language_pairs_are_resampled_alike() -> None:
    inputs = {
        name: EvaluationInputs(judgments="j", settings=Settings(resampling=Resampling(seed=seed)))
        for seed, name in enumerate(("de-en", "cs-en"))
    }
    with pytest.raises(OptionError, match="de-en and cs-en are resampled differently"):
        meta(inputs)


def test_an_option_that_does_not_fit_names_its_language_pair() -> None:
    right = EvaluationInputs(
        judgments=RANKINGS,
        references=(REFERENCE,),
        systems=tuple(PATHS),
        settings=Settings(metrics="f1", resampling=DRAWN),
    )
    wrong = replace(right, links=("one",))
    with pytest.raises(OptionError, match="1 file of links for") as raised:
        meta({"de-en": right, "cs-en": wrong})
    assert raised.value.__notes__ == ["this was the language pair cs-en"]
    with pytest.raises(OptionError, match="1 file of links for") as alone:
        meta(wrong)
    assert not hasattr(alone.value, "__notes__")


def test_one_language_pair_needs_no_name_and_takes_baselines() -> None:
    inputs = EvaluationInputs(
        judgments=RANKINGS,
        references=(REFERENCE,),
        systems=tuple(PATHS),
        settings=Settings(metrics="f1", resampling=DRAWN),
    )
    settings = MetaSettings(measures=(AgreementMeasure.CONSISTENCY,))
    alone, named = meta(inputs, settings), meta({"de-en": inputs}, settings)
    assert alone.to_dict() == named.to_dict()
    assert (alone.pairs[0].name, named.pairs[0].name) == ("", "de-en")
    assert (alone.averages, alone.new_baseline_draw) == ({}, {})
    against = meta(inputs, settings, baselines=["f1"])
    assert (against.baselines, against.new_baseline_draw) == (("f1",), {})
    with pytest.raises(OptionError, match="the baseline 'bleu' is none of the metrics: f1"):
        meta(inputs, settings, baselines=["bleu"])


def test_ratings_are_compared_and_correlated_with_scores_by_sentence_and_by_system() -> None:
    path = str(ROOT / "examples" / "ratings.tsv")
    inputs = EvaluationInputs(
        ratings=path,
        references=(REFERENCE,),
        systems=tuple(PATHS),
        settings=Settings(metrics=("kendall", "sen"), resampling=DRAWN),
    )
    found = meta(inputs, MetaSettings(measures=RATING_MEASURES, controls=False))
    (pair,) = found.pairs
    rated: dict[tuple[str, int], list[int]] = {}
    for line in Path(path).read_text(encoding="utf-8").splitlines()[1:]:
        system, segment, _, value = line.split("\t")
        rated.setdefault((system, int(segment)), []).append(int(value))
    means = {key: sum(values) / len(values) for key, values in rated.items()}
    texts = {Path(each).name: Path(each).read_text("utf-8").splitlines() for each in PATHS}
    lines = Path(REFERENCE).read_text("utf-8").splitlines()
    scored = kilter.score(texts, lines, metrics=["kendall", "sen"], resampling=DRAWN)
    for name in ("kendall", "sen"):
        human = [means[system, k] for system in texts for k in range(1, 49)]
        ours = [value for system in texts for value in scored.segment_arrays[name, system]]
        of_systems = [sum(means[system, k] for k in range(1, 49)) / 48 for system in texts]
        systems = [scored.systems[system][name].score or 0.0 for system in texts]
        for measure, expected in (
            (AgreementMeasure.PEARSON, oracle.pearson(human, ours)),
            (AgreementMeasure.SPEARMAN, oracle.spearman(human, [round(v, 10) for v in ours])),
            (AgreementMeasure.SYSTEM_PEARSON, oracle.pearson(of_systems, systems)),
            (AgreementMeasure.SYSTEM_SPEARMAN, oracle.spearman(of_systems, systems)),
        ):
            assert pair.value(measure, name) == pytest.approx(expected, abs=1e-7)
    alone = kilter.compare_scores(path, resampling=DRAWN)
    assert pair.ratings is not None
    assert pair.ratings.to_dict() == alone.to_dict() == found.to_dict()["ratings"]
    assert "ratings: 5 raters; a translation has the mean of 3 ratings" in found.notes
    rankings = replace(inputs, ratings=None, judgments=RANKINGS)
    assert "ratings" not in meta(rankings).to_dict()
