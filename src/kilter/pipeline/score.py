"""Scores of systems: read, align, measure, resample."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import __version__
from kilter.errors import OptionError
from kilter.metrics.registry import metric, metric_class, metric_names
from kilter.pipeline.align import language_aligner
from kilter.pipeline.corpus import EmptyLines, Texts, build_corpus, texts_from_api
from kilter.pipeline.links import Links, check_link_options, corpus_links
from kilter.pipeline.significance import Measured, score_intervals
from kilter.structures.counted import counted
from kilter.structures.evaluation import Evaluation
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

    systems: dict[str, dict[str, MetricScore]]
    metrics: dict[str, Metric]
    signatures: dict[str, str]
    count: int
    seed: int
    measured: tuple[Measured, ...] = field(repr=False)
    segment_arrays: dict[tuple[str, str], NDArray[np.float64]] = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def system(self) -> dict[str, MetricScore]:
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
    aligner: str = "match",
    tokenize: str | None = None,
    language: str | None = None,
    lowercase: bool = False,
    empty: str = EmptyLines.KEEP,
    links: Links | None = None,
    resampling: Resampling | None = None,
    jobs: int = 1,
) -> ScoreResult:
    """Return the scores of one system (a list of strings) or several (a mapping of such lists).

    `references` holds one string, or a list of strings, per hypothesis. `metrics` are specifications
    such as "pef" or "pef:beta=0.5", or one of them; "all" is every metric that the inputs allow.

    >>> result = score(["the mat sat on the cat"], ["the cat sat on the mat"], metrics=["kendall"])
    >>> f"{result.system['kendall'].score:.4f}"
    '0.2000'
    """
    return score_texts(
        texts_from_api(hypotheses, references, source),
        metrics=metrics,
        aligner=aligner,
        tokenize=tokenize,
        language=language,
        lowercase=lowercase,
        empty=EmptyLines(empty),
        links=links,
        resampling=resampling,
        jobs=jobs,
    )


def score_texts(  # noqa: PLR0913 - every knob of a run
    texts: Texts,
    *,
    metrics: str | Sequence[str] = DEFAULT_METRICS,
    aligner: str = "match",
    tokenize: str | None = None,
    language: str | None = None,
    lowercase: bool = False,
    empty: EmptyLines = EmptyLines.KEEP,
    links: Links | None = None,
    resampling: Resampling | None = None,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> ScoreResult:
    """Return the scores of texts that are already read; see `score`."""
    if jobs < 1:
        raise OptionError(f"jobs is {jobs}; it must be at least 1")
    chosen_aligner = language_aligner(aligner, language)
    given = links or Links()
    check_link_options(given)
    chosen = choose_metrics(metrics, available(texts, given))
    if tokenize is None and given:
        tokenize = "none"  # the indices of given links refer to the words as they stand
    corpus = build_corpus(
        texts, tokenize=tokenize, language=language, lowercase=lowercase, empty=empty
    )
    checked = corpus_links(given, corpus)
    context = _context(corpus, chosen_aligner, given)
    return _measure(
        corpus, chosen, chosen_aligner, checked, context, resampling or Resampling(), jobs, progress
    )


def _measure(
    corpus: Corpus,
    chosen: dict[str, Metric],
    chosen_aligner: Aligner,
    given: CorpusLinks,
    context: dict[str, str],
    resampling: Resampling,
    jobs: int,
    progress: Callable[[int, int], None] | None,
) -> ScoreResult:
    signatures: dict[str, str] = {}
    statistics: dict[str, list[NDArray[np.float64]]] = {name: [] for name in chosen}
    segment_arrays: dict[tuple[str, str], NDArray[np.float64]] = {}
    wants_links = any("links" in found.needs for found in chosen.values())
    note = evidence_note(len(corpus))
    notes = [note] if note else []
    for place, system in enumerate(corpus.systems):
        evaluation = _evaluation(
            corpus, place, chosen_aligner if wants_links else None, given, jobs
        )
        for name, found in chosen.items():
            applying = {key: value for key, value in context.items() if _applies(key, found)}
            signatures[name] = found.resolved(evaluation).signature(applying)
            statistics[name].append(found.statistics(evaluation))
            segment_arrays[name, system.name] = found.segment_scores(evaluation)
        notes.extend(_bound_notes(system.name, evaluation))
        if progress is not None:
            progress(place + 1, len(corpus.systems))
    measured = tuple(
        Measured(metric=found, statistics=statistics[name], signature=signatures[name])
        for name, found in chosen.items()
    )
    systems: dict[str, dict[str, MetricScore]] = {column.name: {} for column in corpus.systems}
    for name, entry in zip(chosen, measured, strict=True):
        for column, interval in zip(
            corpus.systems, score_intervals(entry, resampling=resampling), strict=True
        ):
            systems[column.name][name] = _metric_score(interval, signatures[name], len(corpus))
    return ScoreResult(
        systems=systems,
        metrics=chosen,
        signatures=signatures,
        count=len(corpus),
        seed=resampling.seed,
        measured=measured,
        segment_arrays=segment_arrays,
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


def _evaluation(
    corpus: Corpus, place: int, chosen: Aligner | None, given: CorpusLinks, jobs: int
) -> Evaluation:
    system = corpus.systems[place]
    if given.hypothesis_reference:
        links = given.hypothesis_reference[place]
    elif chosen is not None:
        links = tuple(
            chosen.align(system.tokens, reference.tokens, corpus.vocabulary, jobs=jobs)
            for reference in corpus.references
        )
    else:
        links = ()
    return Evaluation(
        vocabulary=corpus.vocabulary,
        hypothesis=system,
        references=corpus.references,
        source=corpus.source,
        links=links,
        source_links=given.source_hypothesis[place] if given.source_hypothesis else None,
        reference_links=given.source_reference,
        jobs=jobs,
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
                found = metric_class(name)
                if found.in_all and set(found.needs) <= offered:
                    chosen.setdefault(name, found())
            continue
        made = metric(specification)
        missing = sorted(set(made.needs) - offered)
        if missing:
            raise OptionError(f"{made.name} needs {' and '.join(missing)}, which is not given")
        chosen[made.specification()] = made
    if not chosen:
        raise OptionError("there is no metric to compute; name at least one, or all")
    return chosen


def _context(corpus: Corpus, chosen: Aligner, given: Links) -> dict[str, str]:
    """Return what of the whole run shows in signatures."""
    context: dict[str, str] = {}
    context["aligner"] = _link_source(chosen, given)
    if len(corpus.references) > 1:
        context["nrefs"] = str(len(corpus.references))
        context["refs"] = "best"
    context["tok"] = corpus.tokenizer
    if corpus.lowercase:
        context["case"] = "lower"
    return context


def _link_source(chosen: Aligner, given: Links) -> str:
    if given.hypothesis_reference:
        return "given"
    return "through-source" if given.through_source else chosen.signature()


def _applies(key: str, found: Metric) -> bool:
    if key in ("aligner", "refs"):  # lexical scores pool references in their own ways
        return "links" in found.needs
    return key != "tok" or "text" not in found.needs  # what reads raw lines has its own words
