"""Metrics against human judgments: what `kilter meta` computes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import __version__
from kilter.agreement.agreement import (
    DEFAULT_MEASURES,
    PAIRWISE,
    SYSTEM_LEVEL,
    Agreement,
    HumanTies,
    Measure,
    Resample,
    Study,
    drawn_of,
)
from kilter.agreement.language_pairs import Average, NewBaselineDraw, averages, count_verdicts
from kilter.agreement.metric_test import T_TEST_WARNING, MetricPair, MetricTest, compare_metrics
from kilter.agreement.pairwise import PairKind, TieRule
from kilter.agreement.published import PublishedValue, printed_metrics, published_values
from kilter.counted import counted
from kilter.errors import OptionError
from kilter.options.argument import check_fields, checked
from kilter.pipeline.agreement.evaluation_pair import (
    JudgmentPolicy,
    Matched,
    StudyInputs,
    read_study,
)
from kilter.statistics.resampling import Resampling
from kilter.statistics.rounding import rounding
from kilter.statistics.significance import FEW_RESAMPLES, evidence_note

if TYPE_CHECKING:
    from kilter.agreement.scored import Scored

META_METRICS = ("bleu", "f1", "sen", "full", "kendall", "spearman", "ulam", "fuzzy", "pef")


@dataclass(frozen=True, kw_only=True)
class MetaSettings:
    """Every knob of a study that is not a file."""

    metrics: tuple[str, ...] = META_METRICS
    measures: tuple[Measure, ...] = DEFAULT_MEASURES
    tie_rule: TieRule = TieRule.WMT13
    human_ties: HumanTies = HumanTies.LEAVE
    resample: Resample = Resample.SEGMENTS
    test: MetricTest = MetricTest.PERCENTILE
    controls: bool = True
    policy: JudgmentPolicy = field(default_factory=JudgmentPolicy)
    resampling: Resampling = field(default_factory=Resampling)

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.measures:
            raise OptionError("there is no measure of agreement; name at least one")


@dataclass(frozen=True, kw_only=True)
class PairResult:
    """Agreement on one language pair: by measure, metric after metric; comparisons by measure."""

    name: str
    metrics: tuple[Scored, ...] = field(repr=False)
    systems: tuple[str, ...]
    segments: int
    counts: Mapping[str, int]
    agreements: Mapping[Measure, Sequence[Agreement]]
    comparisons: Mapping[Measure, Sequence[MetricPair]]
    published: Mapping[str, Mapping[str, PublishedValue]]
    resample: Resample = Resample.SEGMENTS
    notes: tuple[str, ...] = ()

    def value(self, measure: Measure, metric: str) -> float | None:
        """Return one metric's agreement."""
        names = [each.name for each in self.metrics]
        return self.agreements[measure][names.index(metric)].value

    def to_dict(self) -> dict[str, Any]:
        """Return the part of the JSON document that is about this language pair."""
        return {
            "systems": len(self.systems),
            "segments": self.segments,
            "judgments": dict(self.counts),
            "metrics": {
                metric.name: self._metric(place, metric)
                for place, metric in enumerate(self.metrics)
            },
            "comparisons": [
                {
                    "measure": str(measure),
                    "resample": str(
                        Resample.SEGMENTS
                        if measure in PAIRWISE
                        else drawn_of(measure, self.resample)
                    ),
                    **_comparison(pair),
                }
                for measure, pairs in self.comparisons.items()
                for pair in pairs
            ],
        }

    def _metric(self, place: int, metric: Scored) -> dict[str, Any]:
        found: dict[str, Any] = {
            str(measure): _agreement(rows[place]) for measure, rows in self.agreements.items()
        }
        for measure, printed in self.published.items():
            if metric.name in printed and measure in found:
                found[measure]["published"] = printed[metric.name].value
                found[measure]["publication"] = printed[metric.name].publication
        return {"signature": metric.signature, "control": metric.control, **found}


@dataclass(frozen=True, kw_only=True)
class MetaResult:
    """A study: one language pair or several, with the tables over them."""

    settings: MetaSettings
    pairs: tuple[PairResult, ...]
    baselines: tuple[str, ...] = ()
    """Metrics that all others are compared with in N/B/D tables."""

    @property
    def names(self) -> list[str]:
        """The metrics that every language pair has, in order."""
        common = [{metric.name for metric in pair.metrics} for pair in self.pairs]
        return [m.name for m in self.pairs[0].metrics if all(m.name in names for names in common)]

    @property
    def ranked(self) -> list[str]:
        """The metrics that compete: controls stand beside them, and take no rank from them."""
        controls = {metric.control for pair in self.pairs for metric in pair.metrics}
        return [name for name in self.names if name not in controls]

    def averages(self, measure: Measure) -> dict[str, Average]:
        """Return mean rank and score over language pairs of metrics defined on all. Section 14.6"""
        table = self.table(measure)
        return averages(table) if table else {}

    def table(self, measure: Measure) -> dict[str, list[float]]:
        """Return the values of metrics that have one on every language pair."""
        rows = {name: [pair.value(measure, name) for pair in self.pairs] for name in self.ranked}
        return {
            name: [value for value in row if value is not None]
            for name, row in rows.items()
            if None not in row
        }

    def new_baseline_draw(self, measure: Measure) -> dict[str, dict[str, NewBaselineDraw]]:
        """Return N/B/D of every other metric against each baseline. Section 14.5"""
        found: dict[str, dict[str, NewBaselineDraw]] = {}
        for new, baseline in product(self.ranked, self.baselines):
            if new in self.baselines:
                continue
            verdicts = [_pair_of(pair, measure, baseline, new).verdict for pair in self.pairs]
            found.setdefault(new, {})[baseline] = count_verdicts(verdicts)
        return found

    def notes(self) -> list[str]:
        """Return what a reader should know: undefined values, left out judgments, a doubtful test."""
        found = [T_TEST_WARNING] if self.settings.test is MetricTest.T_TEST else []
        several = len(self.pairs) > 1
        for pair in self.pairs:
            before = f"{pair.name}: " if several else ""
            found += [before + note for note in pair.notes]
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document `kilter.meta/1`."""
        settings = self.settings
        head = {
            "schema": "kilter.meta/1",
            "version": __version__,
            "resample": str(settings.resample),
            "resamples": settings.resampling.resamples,
            "seed": settings.resampling.seed,
            "tie_rule": str(settings.tie_rule),
            "test": str(settings.test),
        }
        if len(self.pairs) == 1:
            return {**head, **self.pairs[0].to_dict(), "notes": self.notes()}
        return {
            **head,
            "pairs": {pair.name: pair.to_dict() for pair in self.pairs},
            "averages": {
                str(measure): {
                    name: {"rank": each.rank, "score": each.score}
                    for name, each in self.averages(measure).items()
                }
                for measure in settings.measures
            },
            "new_baseline_draw": {
                str(measure): {
                    new: {baseline: str(cell) for baseline, cell in row.items()}
                    for new, row in self.new_baseline_draw(measure).items()
                }
                for measure in settings.measures
                if self.baselines and measure is not Measure.SOFT_ACCURACY
            },
            "notes": self.notes(),
        }


@checked
def meta(
    inputs: Mapping[str, StudyInputs],
    settings: MetaSettings | None = None,
    *,
    baselines: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> MetaResult:
    """Return the agreement of metrics with judgments on one language pair, or several by name."""
    chosen = settings or MetaSettings()
    if not inputs:
        raise OptionError("there is no language pair to study")
    if baselines and len(inputs) == 1:
        raise OptionError("a baseline is for studies of several language pairs; leave it out")
    pairs = []
    for name, files in inputs.items():
        matched = read_study(
            files,
            chosen.metrics,
            policy=chosen.policy,
            controls=chosen.controls,
            jobs=chosen.resampling.jobs,
            progress=progress,
        )
        pairs.append(evaluate(name, matched, chosen, published=files.published))
    result = MetaResult(settings=chosen, pairs=tuple(pairs), baselines=tuple(baselines))
    for name in baselines:
        if name not in result.names:
            raise OptionError(
                f"the baseline {name!r} is none of the metrics: {', '.join(result.names)}"
            )
    return result


def evaluate(
    name: str, matched: Matched, settings: MetaSettings, *, published: str | None = None
) -> PairResult:
    """Return the agreement of metrics and judgments that are already matched."""
    study = Study(
        judgments=matched.judgments,
        segments=matched.segments,
        metrics=matched.metrics,
        resampling=settings.resampling,
        resample=settings.resample,
        tie_rule=settings.tie_rule,
        human_ties=settings.human_ties,
    )
    names = [metric.name for metric in matched.metrics]
    printed = published_values(published, names) if published else {}
    agreements = {measure: study.agreement(measure) for measure in settings.measures}
    return PairResult(
        name=name,
        metrics=matched.metrics,
        systems=matched.judgments.systems,
        segments=matched.segments,
        counts=matched.judgments.counts,
        agreements=agreements,
        comparisons={
            measure: compare_metrics(study, measure, test=_test(settings.test, measure))
            for measure in settings.measures
            if measure is not Measure.SOFT_ACCURACY
        },
        published=printed,
        resample=settings.resample,
        notes=(
            *_evidence(study, matched),
            *_undefined(names, agreements, settings.resampling.resamples),
            *_unscored(study),
            *_coarse(study),
            *left_out(matched.judgments.counts),
            *_unprinted(published, printed, settings.measures),
        ),
    )


def _test(test: MetricTest, measure: Measure) -> MetricTest:
    """Return the test for a measure: correlations of segment scores have no permutation test."""
    testable = measure in PAIRWISE or measure in SYSTEM_LEVEL
    return test if testable or test is not MetricTest.PERMUTATION else MetricTest.PERCENTILE


def _evidence(study: Study, matched: Matched) -> list[str]:
    """Return how rough intervals are, and what scoring said of anything else."""
    drawn = study.resampling.resamples
    few = f"{counted(drawn, 'resample')} {'is' if drawn == 1 else 'are'} few: intervals and tests"
    notes = [
        evidence_note(study.judged_segments, noun="judged segment"),
        f"{few} are rough below {FEW_RESAMPLES}" if drawn < FEW_RESAMPLES else None,
    ]
    # Judged segments are among all: what scoring says of their number is said here.
    said = [note for note in matched.notes if note != evidence_note(matched.segments)]
    return [*(note for note in notes if note), *said]


def _undefined(
    names: Sequence[str], agreements: Mapping[Measure, Sequence[Agreement]], resamples: int
) -> list[str]:
    notes = []
    for measure, rows in agreements.items():
        without = [name for name, row in zip(names, rows, strict=True) if row.value is None]
        if without:
            listed = ", ".join(without)
            notes.append(f"{measure} is undefined for {listed}: all is tied, or nothing is left")
        most = max((row.undefined for row in rows if row.low is not None), default=0)
        if most:
            notes.append(
                f"{measure} is undefined in up to {most} of {counted(resamples, 'resample')}; they are "
                "left out of its intervals"
            )
    return notes


def _unscored(study: Study) -> list[str]:
    """Return of each metric how many pairs have no score, and whether its systems lack different ones."""
    notes = []
    judged = np.unique(study.judgments.pairs.segment)
    for metric, kinds in zip(study.metrics, study.kinds, strict=True):
        left = int(np.count_nonzero(kinds == PairKind.UNSCORED))
        if left:
            notes.append(
                f"{metric.name}: {left} of {counted(len(kinds), 'pair')} left out: a score is missing"
            )
        missing = np.isnan(metric.scores[study.judged][:, judged])
        if (missing != missing[:1]).any():
            each = missing.sum(axis=1)
            notes.append(
                f"{metric.name}: systems lack scores of different segments, {each.min()} to "
                f"{each.max()} of {len(judged)} judged ones; their system scores are not of the same"
            )
    return notes


def _coarse(study: Study) -> list[str]:
    """Return which scores have one so large that beside it differences of others are rounding."""
    columns = {"human scores": study.judgments.scores.value}
    columns |= {metric.name: metric.scores for metric in study.metrics}
    notes = []
    for name, scores in columns.items():
        size = np.abs(scores[~np.isnan(scores) & (scores != 0)])
        if len(size) and rounding(scores) > _COARSE * float(np.median(size)):
            notes.append(
                f"{name}: differences up to {rounding(scores):.2g} are ties, because one score is as "
                f"large as {size.max():.2g}"
            )
    return notes


_COARSE = 1e-6
_LEFT_OUT = {
    "unscored": ("judgment left out", "judgments left out", " because a system has no output"),
    "repeated_left_out": ("repeated pair left out", "repeated pairs left out", ""),
    "missing": ("missing rank or score", "missing ranks or scores", ""),
    "identical_in_task": ("pair of systems judged as one", "pairs of systems judged as one", ""),
    "systems_without_judgment": ("system left out", "systems left out", ": without judgment"),
}


def left_out(counts: Mapping[str, int]) -> list[str]:
    """Return what of the judgments and systems was not used, a note for each reason."""
    return [
        counted(counts[key], one, plural=several) + reason
        for key, (one, several, reason) in _LEFT_OUT.items()
        if counts.get(key)
    ]


def _unprinted(
    data_set: str | None,
    printed: Mapping[str, Mapping[str, PublishedValue]],
    measures: Sequence[Measure],
) -> list[str]:
    """Return a note if nothing that is shown is printed about the data set."""
    if data_set is None or any(printed.get(measure) for measure in measures):
        return []
    listed = "; ".join(
        f"{measure} of {', '.join(names)}" for measure, names in printed_metrics(data_set).items()
    )
    return [f"none of this is printed about {data_set}; printed are {listed}"]


def _agreement(found: Agreement) -> dict[str, Any]:
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        **found.counts,
        "undefined_resamples": found.undefined,
    }


def _comparison(pair: MetricPair) -> dict[str, Any]:
    return {
        "first": pair.first,
        "second": pair.second,
        "first_value": pair.first_value,
        "second_value": pair.second_value,
        "difference": pair.difference,
        "low": pair.low,
        "high": pair.high,
        "p": pair.p,
        "significant": pair.significant,
        "shared": pair.shared,
    }


def _pair_of(pair: PairResult, measure: Measure, baseline: str, new: str) -> MetricPair:
    """Return two metrics of a language pair with the baseline first, as verdicts take them."""
    for found in pair.comparisons[measure]:
        if (found.first, found.second) == (baseline, new):
            return found
        if (found.first, found.second) == (new, baseline):
            return found.reversed()
    raise OptionError(f"{measure} was not compared between {baseline} and {new}")
