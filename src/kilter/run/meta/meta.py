"""Metrics against human judgments: what `kilter meta` computes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.core.settings import check_fields, checked, setting
from kilter.io.published import published_values
from kilter.results.meta_result import (
    DEFAULT_MEASURES,
    PAIRWISE,
    SYSTEM_LEVEL,
    AgreementMeasure,
    ComparedMetric,
    MetaResult,
    PairAverage,
    PairResult,
    Resample,
    pair_table,
    ranked_metrics,
    shared_metrics,
)
from kilter.run.engine.engine import Engine
from kilter.run.meta.agreement import HumanTies, JudgedMetrics
from kilter.run.meta.evaluation_inputs import EvaluationInputs, JudgmentPolicy
from kilter.run.meta.language_pairs import count_verdicts, pair_averages
from kilter.run.meta.matched_metrics import MatchedMetrics, match_metrics
from kilter.run.meta.matched_texts import check_policy
from kilter.run.meta.metric_test import T_TEST_WARNING, MetricTest, compare_metrics
from kilter.run.meta.note import (
    coarse_notes,
    evidence_notes,
    left_out,
    undefined_notes,
    unprinted_notes,
    unscored_notes,
)
from kilter.run.meta.pair_count import TieRule
from kilter.run.scoring.given_score import compare_scores

if TYPE_CHECKING:
    from kilter.core.judgments import Judgments
    from kilter.results.comparison import Comparison
    from kilter.results.meta_result import NewBaselineDraw
    from kilter.stats.resampling import Resampling

_ONE = ""
"""The name of a language pair that nobody named: there is no other to tell it from."""


@dataclass(frozen=True, kw_only=True)
class MetaSettings:
    """How metrics are compared with people; how they are computed is said by the settings of inputs."""

    measures: tuple[AgreementMeasure, ...] = setting(
        "--measure",
        default=DEFAULT_MEASURES,
        description="Measure of agreement; repeatable.  [default: see the docs]",
    )
    tie_rule: TieRule = setting(
        "--tau", default=TieRule.WMT13, description="How pairs count that only the metric ties."
    )
    human_ties: HumanTies = setting(
        default=HumanTies.LEAVE,
        description="Human ties in win ratios: leave out or count.",
    )
    resample: Resample = setting(
        default=Resample.SEGMENTS, description="What bootstrap samples are drawn from."
    )
    test: MetricTest = setting(
        default=MetricTest.PERCENTILE, description="Test of differences between metrics."
    )
    controls: bool = setting(
        "--controls/--no-controls",
        default=True,
        description="Add a control without order for each metric.",
    )
    policy: JudgmentPolicy = field(default_factory=JudgmentPolicy)

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.measures:
            raise OptionError("there is no measure of agreement; name at least one")


@checked
def meta(
    inputs: EvaluationInputs | Mapping[str, EvaluationInputs],
    settings: MetaSettings | None = None,
    *,
    baselines: Sequence[str] = (),
    engine: Engine | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> MetaResult:
    """Return the agreement of metrics with judgments on one language pair, or several by name.

    An `engine` measures several systems at once.
    """
    chosen = settings or MetaSettings()
    named = {_ONE: inputs} if isinstance(inputs, EvaluationInputs) else inputs
    if not named:
        raise OptionError("there is no language pair to evaluate metrics on")
    resampling = _resampling(named)
    pairs, judgments = [], []
    for name, files in named.items():
        rated = _rated(files, resampling)
        try:
            matched = match_metrics(
                files,
                chosen.policy,
                shared=len(named) > 1,
                controls=chosen.controls,
                engine=engine,
                progress=progress,
            )
        except OptionError as error:  # what is wrong with data names its file
            if len(named) > 1:
                error.add_note(f"this was the language pair {name}")
            raise
        judgments.append(matched.judgments)
        if len(judgments) == len(named):
            _check_judged(chosen, judgments)
        pair = evaluate(name, matched, chosen, resampling=resampling, published=files.published)
        pairs.append(pair if rated is None else with_ratings(pair, rated))
    return over_pairs(pairs, chosen, resampling=resampling, baselines=baselines)


def _check_judged(settings: MetaSettings, judgments: Sequence[Judgments]) -> None:
    """Raise an `OptionError` for what is said of pairs where nobody judged pairs."""
    check_policy(settings.policy, judgments)
    if settings.human_ties is HumanTies.COUNT and not any(each.has_pairs for each in judgments):
        raise OptionError(
            f"human ties are to count in win ratios, but {judgments[0].source} holds scores, whose mean "
            "counts; leave 'count' out"
        )


def _rated(files: EvaluationInputs, resampling: Resampling) -> Comparison | None:
    """Return what ratings say of systems by themselves, if judgments are ratings."""
    return None if files.ratings is None else compare_scores(files.ratings, resampling=resampling)


def with_ratings(pair: PairResult, rated: Comparison) -> PairResult:
    """Return a language pair with what its ratings say by themselves, and what is to be known of them."""
    said = [note for note in rated.notes if note.startswith(f"{rated.metrics[0].name}: ")]
    return replace(pair, ratings=rated, notes=(*pair.notes, *said))


def _resampling(inputs: Mapping[str, EvaluationInputs]) -> Resampling:
    """Return how chance is drawn; tables over language pairs have one answer to that."""
    (first, drawn), *others = ((name, each.settings.resampling) for name, each in inputs.items())
    for name, other in others:
        if other != drawn:
            raise OptionError(
                f"{first} and {name} are resampled differently; give all language pairs the same "
                "Resampling"
            )
    return drawn


def evaluate(
    name: str,
    matched: MatchedMetrics,
    settings: MetaSettings,
    *,
    resampling: Resampling,
    published: str | None = None,
) -> PairResult:
    """Return the agreement of metrics and judgments that are already matched."""
    judged = JudgedMetrics(
        judgments=matched.judgments,
        segments=matched.segments,
        metrics=matched.metrics,
        resampling=resampling,
        resample=settings.resample,
        tie_rule=settings.tie_rule,
        human_ties=settings.human_ties,
    )
    names = [metric.name for metric in matched.metrics]
    printed = published_values(published, names) if published else {}
    agreements = {measure: judged.agreement(measure) for measure in settings.measures}
    return PairResult(
        name=name,
        metrics=tuple(
            ComparedMetric(name=each.name, signature=each.signature, control=each.control)
            for each in matched.metrics
        ),
        systems=matched.judgments.systems,
        segments=matched.segments,
        counts=matched.judgments.counts,
        agreements=agreements,
        comparisons={
            measure: compare_metrics(judged, measure, test=_test(settings.test, measure))
            for measure in settings.measures
            if measure is not AgreementMeasure.SOFT_ACCURACY
        },
        published=printed,
        resample=settings.resample,
        notes=(
            *evidence_notes(judged, matched),
            *undefined_notes(names, agreements, resampling.count),
            *unscored_notes(judged),
            *coarse_notes(judged),
            *left_out(matched.judgments.counts),
            *unprinted_notes(published, printed, settings.measures),
        ),
    )


def _test(test: MetricTest, measure: AgreementMeasure) -> MetricTest:
    """Return the test for a measure: correlations of segment scores have no permutation test."""
    testable = measure in PAIRWISE or measure in SYSTEM_LEVEL
    return test if testable or test is not MetricTest.PERMUTATION else MetricTest.PERCENTILE


def over_pairs(
    pairs: Sequence[PairResult],
    settings: MetaSettings,
    *,
    resampling: Resampling,
    baselines: Sequence[str] = (),
) -> MetaResult:
    """Return language pairs together, with the tables over them if there are several."""
    several = len(pairs) > 1
    names = shared_metrics(pairs)
    for name in baselines:
        if name not in names:
            raise OptionError(f"the baseline {name!r} is none of the metrics: {', '.join(names)}")
    return MetaResult(
        measures=settings.measures,
        resample=settings.resample,
        resamples=resampling.count,
        seed=resampling.seed,
        tie_rule=settings.tie_rule,
        test=settings.test,
        pairs=tuple(pairs),
        averages=_averages(pairs, settings.measures) if several else {},
        new_baseline_draw={
            measure: new_baseline_draw(pairs, measure, baselines)
            for measure in settings.measures
            if baselines and several and measure is not AgreementMeasure.SOFT_ACCURACY
        },
        baselines=tuple(dict.fromkeys(baselines)),
        notes=(
            *([T_TEST_WARNING] if settings.test is MetricTest.T_TEST else []),
            *(f"{pair.name}: {note}" if several else note for pair in pairs for note in pair.notes),
        ),
    )


def _averages(
    pairs: Sequence[PairResult], measures: Sequence[AgreementMeasure]
) -> dict[AgreementMeasure, dict[str, PairAverage]]:
    tables = {measure: pair_table(pairs, measure) for measure in measures}
    return {measure: pair_averages(table) if table else {} for measure, table in tables.items()}


def new_baseline_draw(
    pairs: Sequence[PairResult], measure: AgreementMeasure, baselines: Sequence[str]
) -> dict[str, dict[str, NewBaselineDraw]]:
    """Return N/B/D of every other metric against each baseline. Section 14.5"""
    names = ranked_metrics(pairs)
    counts: dict[str, dict[str, NewBaselineDraw]] = {}
    for new, baseline in product(names, baselines):
        if new in baselines:
            continue
        compared = [pair.comparison(measure, baseline, new) for pair in pairs]
        verdicts = [each.verdict for each in compared if each is not None]
        if len(verdicts) < len(pairs):
            raise OptionError(f"{measure} was not compared between {baseline} and {new}")
        counts.setdefault(new, {})[baseline] = count_verdicts(verdicts)
    return counts
