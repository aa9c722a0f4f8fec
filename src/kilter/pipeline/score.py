"""Scores of systems: read, align, measure, resample."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import __version__
from kilter.errors import OptionError, SeveralLinksError
from kilter.metrics.metric import LinkUse
from kilter.metrics.registry import metric, metric_class, metric_names
from kilter.pipeline.align import language_aligner
from kilter.pipeline.by_metric import ByMetric
from kilter.pipeline.corpus import EmptyLines, Texts, build_corpus, texts_from_api
from kilter.pipeline.links import (
    Links,
    aligned_by,
    check_link_options,
    corpus_links,
    several_links,
)
from kilter.pipeline.significance import Measured, score_intervals
from kilter.pipeline.transposition import transposition_note
from kilter.structures.counted import counted
from kilter.structures.evaluation import Evaluation
from kilter.structures.link_rule import LinkRule, OrderRule
from kilter.structures.resampling import Resampling
from kilter.structures.score_table import ScoreTable
from kilter.structures.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.align.aligner import Aligner
    from kilter.metrics.metric import Metric
    from kilter.pipeline.links import CorpusLinks
    from kilter.structures.comparison import Interval
    from kilter.structures.corpus import Corpus
    from kilter.structures.link_batch import LinkBatch

DEFAULT_ALIGNER = "match"
DEFAULT_METRICS = ("bleu", "kendall", "spearman", "ulam", "fuzzy", "pef", "ribes")


@dataclass(frozen=True, kw_only=True)
class MetricScore:
    """One metric's score of one system, with its bootstrap interval and signature."""

    score: float | None
    """None where the metric is undefined; the bounds also where there is only one segment."""
    low: float | None
    high: float | None
    segments: int
    signature: str


@dataclass(frozen=True, kw_only=True)
class ScoreResult:
    """Everything that was measured: corpus scores of every system, and segment scores on request."""

    systems: dict[str, ByMetric[MetricScore]]
    metrics: ByMetric[Metric]
    signatures: ByMetric[str]
    count: int
    seed: int
    measured: tuple[Measured, ...] = field(repr=False)
    segment_arrays: dict[tuple[str, str], NDArray[np.float64]] = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def system(self) -> ByMetric[MetricScore]:
        """The scores of the first system, for the common case of only one."""
        return next(iter(self.systems.values()))

    @property
    def segments(self) -> ScoreTable:
        """Every metric x system x segment (one-based) as a long table."""
        names, systems, arrays = [], [], []
        for name in self.metrics:
            for system in self.systems:
                array = self.segment_arrays[name, system]
                names.append(np.full(len(array), name, dtype=object))
                systems.append(np.full(len(array), system, dtype=object))
                arrays.append(array)
        total = len(self.metrics) * len(self.systems)
        return ScoreTable(
            {
                "system": np.concatenate(systems),
                "segment": np.tile(np.arange(1, self.count + 1), total),
                "metric": np.concatenate(names),
                "score": np.concatenate(arrays),
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document `kilter.score/1`."""
        return {
            "schema": "kilter.score/1",
            "version": __version__,
            "segments": self.count,
            "seed": self.seed,
            "metrics": {
                name: {
                    "signature": self.signatures[name],
                    "higher_is_better": chosen.higher_is_better,
                    # JSON has no infinity: a bound that does not exist is null.
                    "range": [bound if isfinite(bound) else None for bound in chosen.range],
                }
                for name, chosen in self.metrics.items()
            },
            "systems": [
                {
                    "name": system,
                    "scores": {
                        name: {
                            "score": found.score,
                            "low": found.low,
                            "high": found.high,
                            "segments": found.segments,
                        }
                        for name, found in scores.items()
                    },
                }
                for system, scores in self.systems.items()
            ],
        }


def score(  # noqa: PLR0913 - every knob of a run
    hypotheses: Any,
    references: Any,
    *,
    metrics: str | Sequence[str] = DEFAULT_METRICS,
    source: Any = None,
    aligner: str | None = None,
    tokenize: str | None = None,
    language: str | None = None,
    lowercase: bool = False,
    empty: str = EmptyLines.KEEP,
    links: Links | None = None,
    rule: str = LinkRule.ONE_TO_ONE,
    resampling: Resampling | None = None,
    jobs: int = 1,
) -> ScoreResult:
    """Return the scores of one system (a list of strings) or several (a mapping of such lists).

    `references` holds one string, or a list of strings, per hypothesis; where the words say that it is
    the other way round, `notes` of the result say so. `metrics` are specifications such as "pef" or
    "pef:beta=0.5", or one of them; "all" is every metric that the inputs allow. `rule` makes orders of
    links; a word with several links needs another than the default.

    >>> result = score(["the mat sat on the cat"], ["the cat sat on the mat"], metrics=["kendall"])
    >>> f"{result.system['kendall'].score:.4f}"
    '0.2000'
    """
    texts = texts_from_api(hypotheses, references, source)
    result = score_texts(
        texts,
        metrics=metrics,
        aligner=aligner,
        tokenize=tokenize,
        language=language,
        lowercase=lowercase,
        empty=EmptyLines(empty),
        links=links,
        rule=rule,
        resampling=resampling,
        jobs=jobs,
    )
    note = transposition_note(texts)
    return replace(result, notes=(note, *result.notes)) if note else result


def score_texts(  # noqa: PLR0913 - every knob of a run
    texts: Texts,
    *,
    metrics: str | Sequence[str] = DEFAULT_METRICS,
    aligner: str | None = None,
    tokenize: str | None = None,
    language: str | None = None,
    lowercase: bool = False,
    empty: EmptyLines = EmptyLines.KEEP,
    links: Links | None = None,
    rule: str = LinkRule.ONE_TO_ONE,
    resampling: Resampling | None = None,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> ScoreResult:
    """Return the scores of texts that are already read; see `score`."""
    _check_types(jobs, links, resampling)
    chosen_aligner = language_aligner(DEFAULT_ALIGNER if aligner is None else aligner, language)
    chosen_rule = OrderRule.parse(rule)
    given = links or Links()
    check_link_options(given, aligner)
    offered = available(texts, given)
    chosen = choose_metrics(metrics, offered)
    if tokenize is None and given.any():
        tokenize = "none"  # the indices of given links refer to the words as they stand
    corpus = build_corpus(
        texts,
        tokenize=tokenize,
        language=language,
        lowercase=lowercase,
        empty=empty,
        words=any(found.uses_words() for found in chosen.values()),
    )
    run = _Run(
        texts=texts,
        corpus=corpus,
        metrics=chosen,
        offered=offered,
        optional=set(chosen) - named_metrics(metrics),
        aligner=chosen_aligner,
        links=corpus_links(given, corpus),
        rule=chosen_rule,
        context=_context(corpus, given, chosen_rule),
        jobs=jobs,
    )
    if run.runs_aligner:
        chosen_aligner.check_pairs_of_texts(len(corpus.systems) * len(corpus.references))
    return _measure(run, resampling or Resampling(), progress)


def _check_types(jobs: Any, links: Any, resampling: Any) -> None:
    """Raise an `OptionError` for arguments that the command line cannot get wrong."""
    if not isinstance(jobs, int) or jobs < 1:
        raise OptionError(f"jobs is {jobs!r}; it must be a whole number, at least 1")
    for name, value, kind in (("links", links, Links), ("resampling", resampling, Resampling)):
        if value is not None and not isinstance(value, kind):
            raise OptionError(f"{name} is {value!r}; it must be a kilter {kind.__name__}, or None")


@dataclass(frozen=True, kw_only=True)
class _Run:
    """What is measured, and with what."""

    texts: Texts
    corpus: Corpus
    metrics: dict[str, Metric]
    offered: set[str]
    """What the inputs hold, in the words of `Metric.needs`."""
    optional: set[str]
    """Metrics that are there because all were asked for."""
    aligner: Aligner
    links: CorpusLinks
    rule: OrderRule
    context: dict[str, str]
    """What of the whole run shows in signatures, but for an aligner that runs."""
    jobs: int

    def evaluation(self, place: int) -> Evaluation:
        """Return what metrics look at to score one system."""
        given, corpus = self.links, self.corpus
        system = corpus.systems[place]
        links: tuple[LinkBatch, ...] = ()
        if given.hypothesis_reference:
            links = given.hypothesis_reference[place]
        elif self.runs_aligner:
            called = self.texts.called(system.name)
            links = aligned_by(self.aligner, corpus, system, called=called, jobs=self.jobs)
        return Evaluation(
            vocabulary=corpus.vocabulary,
            hypothesis=system,
            references=corpus.references,
            source=corpus.source,
            links=links,
            source_links=given.source_hypothesis[place] if given.source_hypothesis else None,
            reference_links=given.source_reference,
            rule=self.rule,
            jobs=self.jobs,
        )

    @cached_property
    def runs_aligner(self) -> bool:
        """Whether a metric looks at links that are not given."""
        takers = any(self._takes_links(found) for found in self.metrics.values())
        return takers and not self.links.hypothesis_reference

    @cached_property
    def _signed(self) -> dict[str, str]:
        """What of the whole run shows in signatures, once links are made: a model may be new."""
        made = {"aligner": self.aligner.signature()} if self.runs_aligner else {}
        return self.context | made

    def signature(self, found: Metric, evaluation: Evaluation) -> str:
        """Return the signature of a metric with what of the run applies to it."""
        applying = {k: value for k, value in self._signed.items() if self._applies(k, found)}
        return found.resolved(evaluation).signature(applying)

    def _takes_links(self, found: Metric) -> bool:
        return "links" in found.needed(self.offered)

    def _applies(self, key: str, found: Metric) -> bool:
        """Return whether something of the whole run decides the scores of a metric."""
        if key == "rule":
            return self._takes_links(found) and found.link_use is LinkUse.ORDER
        if key == "aligner":
            return self._takes_links(found)
        if key == "refs":  # lexical scores pool references in their own ways
            return "links" in found.needs
        return key != "tok" or "text" not in found.needs  # what reads raw lines has its own words


@dataclass(slots=True)
class _Column:
    """What a metric measured, system by system."""

    metric: Metric
    signature: str = ""
    statistics: list[NDArray[np.float64]] = field(default_factory=list)
    segments: list[NDArray[np.float64]] = field(default_factory=list)


def _measure(
    run: _Run, resampling: Resampling, progress: Callable[[int, int], None] | None
) -> ScoreResult:
    corpus = run.corpus
    columns = {name: _Column(found) for name, found in run.metrics.items()}
    few = evidence_note(len(corpus))
    notes = [few] if few else []
    for place, system in enumerate(corpus.systems):
        evaluation = run.evaluation(place)
        for name in list(columns):
            note = _measure_system(run, columns[name], evaluation, optional=name in run.optional)
            if note:
                del columns[name]
                notes.append(note)
        notes.extend(_bound_notes(system.name, evaluation))
        if progress is not None:
            progress(place + 1, len(corpus.systems))
    return _result(run, columns, resampling, notes)


def _measure_system(
    run: _Run, column: _Column, evaluation: Evaluation, *, optional: bool
) -> str | None:
    """Measure one system; where an optional metric cannot take its links, return a note instead."""
    found = column.metric
    try:
        column.statistics.append(found.statistics(evaluation))
        column.segments.append(found.segment_scores(evaluation))
    except SeveralLinksError as error:
        if optional and found.link_use is LinkUse.ONE_TO_ONE:
            return f"{found.name} is left out, because it takes one link a word: {error.where}: {error.fault}"
        made_by = None if run.links.hypothesis_reference else run.aligner
        raise several_links(error, found, made_by) from None
    column.signature = run.signature(found, evaluation)
    return None


def _result(
    run: _Run, columns: dict[str, _Column], resampling: Resampling, notes: list[str]
) -> ScoreResult:
    corpus = run.corpus
    measured = tuple(
        Measured(metric=column.metric, statistics=column.statistics, signature=column.signature)
        for column in columns.values()
    )
    systems = {text.name: ByMetric[MetricScore]() for text in corpus.systems}
    for name, entry in zip(columns, measured, strict=True):
        intervals = score_intervals(entry, resampling=resampling)
        for text, interval in zip(corpus.systems, intervals, strict=True):
            systems[text.name][name] = _metric_score(interval, entry.signature, len(corpus))
    return ScoreResult(
        systems=systems,
        metrics=ByMetric((name, column.metric) for name, column in columns.items()),
        signatures=ByMetric((name, column.signature) for name, column in columns.items()),
        count=len(corpus),
        seed=resampling.seed,
        measured=measured,
        segment_arrays={
            (name, text.name): scores
            for name, column in columns.items()
            for text, scores in zip(corpus.systems, column.segments, strict=True)
        },
        notes=tuple(notes),
    )


def _metric_score(interval: Interval, signature: str, segments: int) -> MetricScore:
    return MetricScore(
        score=interval.score,
        low=interval.low,
        high=interval.high,
        segments=segments,
        signature=signature,
    )


def _bound_notes(system: str, evaluation: Evaluation) -> Iterator[str]:
    for batch in evaluation.links:
        if batch.bounded:
            first = batch.bounded[0] + 1
            yield (
                f"{system}: the aligner hit its search bound in {counted(len(batch.bounded), 'segment')} "
                f"(the first is {first}); their links may not be the best possible"
            )


def available(texts: Texts, links: Links) -> set[str]:
    """Return what the inputs offer to metrics, in the words of `Metric.needs`."""
    offered = {"words", "text", "links"}
    if texts.source is not None:
        offered.add("source")
    if links.source_hypothesis:
        offered.add("source-links")
    if links.source_reference:
        offered.add("reference-links")
    return offered


def choose_metrics(specifications: str | Sequence[str], offered: set[str]) -> dict[str, Metric]:
    """Return the metrics by specification; one that needs what is not given is an `OptionError`."""
    chosen: dict[str, Metric] = {}
    if not isinstance(specifications, Iterable):
        raise OptionError(f"metrics is {specifications!r}; name a metric, or several in a list")
    listed = (specifications,) if isinstance(specifications, str) else specifications
    for specification in listed:
        if specification == "all":
            for name in metric_names():
                found = metric_class(name)()
                if found.in_all and set(found.needed(offered)) <= offered:
                    chosen.setdefault(name, found)
            continue
        made = metric(specification)
        missing = sorted(set(made.needed(offered)) - offered)
        if missing:
            raise OptionError(f"{made.name} needs {_lacking(missing)}")
        chosen[made.specification()] = made
    if not chosen:
        raise OptionError("there is no metric to compute; name at least one, or all")
    return chosen


_INPUTS = {
    "source": "the source text",
    "source-links": "links of source and hypothesis",
    "reference-links": "links of source and reference",
}


def _lacking(missing: Sequence[str]) -> str:
    """Return what is not given, in words."""
    verb = "are" if len(missing) > 1 or missing[0].endswith("s") else "is"
    words = [f"{need} ({_INPUTS[need]})" if need in _INPUTS else need for need in missing]
    return f"{' and '.join(words)}, which {verb} not given"


def named_metrics(specifications: str | Sequence[str]) -> set[str]:
    """Return the names of metrics that are asked for one by one, not as all of them."""
    listed = (specifications,) if isinstance(specifications, str) else specifications
    return {metric(each).specification() for each in listed if each != "all"}


def _context(corpus: Corpus, given: Links, rule: OrderRule) -> dict[str, str]:
    """Return what of the whole run shows in signatures, but for an aligner that runs."""
    context = {"aligner": "through-source" if given.through_source else "given"}
    if rule != OrderRule():
        context["rule"] = rule.signature()
    if len(corpus.references) > 1:
        context["nrefs"] = str(len(corpus.references))
        context["refs"] = "best"
    context["tok"] = corpus.tokenizer
    if corpus.lowercase:
        context["case"] = "lower"
    return context
