"""Scores of systems: read, align, measure, resample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kilter import __version__
from kilter.errors import OptionError, Setting, SeveralLinksError
from kilter.metrics.metric import LinkUse
from kilter.metrics.registry import metric, metric_class, metric_names
from kilter.parse.registry import parser as make_parser
from kilter.pipeline.align import language_aligner
from kilter.pipeline.by_metric import ByMetric
from kilter.pipeline.configuration import Configuration, Configurations
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
from kilter.pipeline.trees import TREE_NEEDS, Trees, check_tree_options, tree_notes, tree_sources
from kilter.structures.argument import checked
from kilter.structures.counted import counted
from kilter.structures.evaluation import Evaluation
from kilter.structures.language import base_language, check_knows
from kilter.structures.link_rule import LinkRule, OrderRule
from kilter.structures.resampling import Resampling
from kilter.structures.score_table import ScoreTable
from kilter.structures.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kilter.align.aligner import Aligner
    from kilter.metrics.metric import Metric
    from kilter.pipeline.links import CorpusLinks
    from kilter.structures.comparison import Interval
    from kilter.structures.corpus import Corpus
    from kilter.structures.link_batch import LinkBatch

DEFAULT_ALIGNER = "match"
DEFAULT_PARSER = "model"
PARSED_LANGUAGE = "en"
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


@checked
def score(  # noqa: PLR0913 - every knob of a run
    hypotheses: Any,
    references: Any,
    *,
    metrics: str | Sequence[str] = DEFAULT_METRICS,
    source: Any = None,
    aligner: str | Sequence[str] | None = None,
    parser: str | Sequence[str] | None = None,
    tokenize: str | None = None,
    language: str | None = None,
    lowercase: bool = False,
    empty: EmptyLines | str = EmptyLines.KEEP,
    links: Links | None = None,
    rule: str = LinkRule.ONE_TO_ONE,
    trees: Trees | None = None,
    resampling: Resampling | None = None,
    jobs: int = 1,
) -> ScoreResult:
    """Return the scores of one system (a list of strings) or several (a mapping of such lists).

    `references` holds one string, or a list of strings, per hypothesis; where the words say that it is
    the other way round, `notes` of the result say so. `metrics` are specifications such as "pef" or
    "pef:beta=0.5", or one of them; "all" is every metric that the inputs allow. `rule` makes orders of
    links; a word with several links needs another than the default. `aligner` makes links and `parser`
    trees where none are given; with several of them, a metric has a score for each configuration, such as
    "dted@match+model", and under its own name their mean.

    >>> result = score(["the mat sat on the cat"], ["the cat sat on the mat"], metrics=["kendall"])
    >>> f"{result.system['kendall'].score:.4f}"
    '0.2000'
    """
    texts = texts_from_api(hypotheses, references, source)
    result = score_texts(
        texts,
        metrics=metrics,
        aligner=aligner,
        parser=parser,
        tokenize=tokenize,
        language=language,
        lowercase=lowercase,
        empty=EmptyLines(empty),
        links=links,
        rule=rule,
        trees=trees,
        resampling=resampling,
        jobs=jobs,
    )
    note = transposition_note(texts)
    return replace(result, notes=(note, *result.notes)) if note else result


@checked
def score_texts(  # noqa: PLR0913 - every knob of a run
    texts: Texts,
    *,
    metrics: str | Sequence[str] = DEFAULT_METRICS,
    aligner: str | Sequence[str] | None = None,
    parser: str | Sequence[str] | None = None,
    tokenize: str | None = None,
    language: str | None = None,
    lowercase: bool = False,
    empty: EmptyLines = EmptyLines.KEEP,
    links: Links | None = None,
    rule: str = LinkRule.ONE_TO_ONE,
    trees: Trees | None = None,
    resampling: Resampling | None = None,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> ScoreResult:
    """Return the scores of texts that are already read; see `score`."""
    run = _prepared(
        texts,
        metrics=metrics,
        aligner=aligner,
        parser=parser,
        tokenize=tokenize,
        language=language,
        lowercase=lowercase,
        empty=empty,
        links=links,
        rule=rule,
        trees=trees,
        jobs=jobs,
    )
    notes = list(tree_notes(trees)) if trees else []
    return _measure(run, resampling or Resampling(), notes, progress)


class Evaluations(NamedTuple):
    """What metrics look at for every system, and how a metric that does is signed."""

    systems: list[Evaluation]
    signature: Callable[[Metric], str]


@checked
def evaluations(
    texts: Texts,
    metrics: str | Sequence[str],
    *,
    aligner: str | None = None,
    parser: str | None = None,
    tokenize: str | None = None,
    language: str | None = None,
    lowercase: bool = False,
    jobs: int = 1,
) -> Evaluations:
    """Return what metrics look at for every system, to be scored again and again with other options."""
    run = _prepared(
        texts,
        metrics=metrics,
        aligner=aligner,
        parser=parser,
        tokenize=tokenize,
        language=language,
        lowercase=lowercase,
        jobs=jobs,
    )
    only = run.configurations.of(links=False, trees=False)[0]
    systems = [run.evaluations(place).of(only) for place in range(len(run.corpus.systems))]

    def signature(found: Metric) -> str:
        return run.signature(found, systems[0], run.uses(found))

    return Evaluations(systems, signature)


def _prepared(  # noqa: PLR0913 - every knob of a run
    texts: Texts,
    *,
    metrics: str | Sequence[str],
    aligner: str | Sequence[str] | None,
    parser: str | Sequence[str] | None,
    tokenize: str | None,
    language: str | None,
    lowercase: bool,
    empty: EmptyLines = EmptyLines.KEEP,
    links: Links | None = None,
    rule: str = LinkRule.ONE_TO_ONE,
    trees: Trees | None = None,
    jobs: int,
) -> _Run:
    """Return the run behind these settings; whatever is wrong with them is an error."""
    aligners, parsers = _listed(aligner, "aligner"), _listed(parser, "parser")
    chosen_rule = OrderRule.parse(rule)
    given, own_trees = links or Links(), trees or Trees()
    check_link_options(given, aligners)
    check_tree_options(own_trees, parsers)
    offered = available(texts, given) | own_trees.offered()
    if not parsers and not own_trees:
        parsers = default_parsers(metrics, offered, language)
    if parsers:
        offered |= TREE_NEEDS
    chosen = choose_metrics(metrics, offered)
    if tokenize is None and (given.any() or own_trees):
        tokenize = "none"  # given links and trees refer to the words as they stand
    made = [language_aligner(each, language) for each in aligners or (DEFAULT_ALIGNER,)]
    makers = [make_parser(each) for each in parsers]
    for maker in makers:
        check_knows(maker, maker.only_language, base_language(language))
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
        configurations=Configurations(
            aligners=tuple(made),
            parsers=tuple(makers),
            trees=tree_sources(corpus, own_trees, makers, called=texts.called, jobs=jobs),
        ),
        links=corpus_links(given, corpus),
        rule=chosen_rule,
        context=_context(corpus, given, chosen_rule),
        jobs=jobs,
    )
    if run.runs_aligner:
        for each in made:
            each.check_pairs_of_texts(len(corpus.systems) * len(corpus.references))
    return run


def _listed(names: str | Sequence[str] | None, noun: str) -> tuple[str, ...]:
    """Return what was chosen, one or several."""
    if names is None:
        return ()
    listed = (names,) if isinstance(names, str) else tuple(names)
    if not listed:
        raise OptionError(f"{noun} is an empty list; name at least one, or give None")
    for name in listed:
        if listed.count(name) > 1:
            raise OptionError(f"the {noun} {name} is chosen twice; once is enough")
    return listed


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
    configurations: Configurations
    links: CorpusLinks
    rule: OrderRule
    context: dict[str, str]
    """What of the whole run shows in signatures, but for an aligner that runs."""
    jobs: int

    def uses(self, found: Metric) -> tuple[Configuration, ...]:
        """Return the configurations that a metric is measured in; one, unless it depends on several."""
        needed = set(found.needed(self.offered))
        return self.configurations.of(
            links="links" in needed and not self.links.hypothesis_reference,
            trees=bool(needed & TREE_NEEDS),
        )

    @cached_property
    def runs_aligner(self) -> bool:
        """Whether a metric looks at links that are not given."""
        takers = any(self.takes_links(found) for found in self.metrics.values())
        return takers and not self.links.hypothesis_reference

    def evaluations(self, place: int) -> _Evaluations:
        """Return what metrics look at to score one system."""
        return _Evaluations(self, place)

    def signature(
        self, found: Metric, evaluation: Evaluation, used: Sequence[Configuration]
    ) -> str:
        """Return the signature of a metric with what of the run applies to it."""
        makers = {}
        if self.takes_links(found):  # an aligner that nobody looks at need not be there
            makers["aligner"] = _joined(each.aligner.signature() for each in used)
        if used[0].trees is not None:
            makers["trees"] = _joined(each.trees.signature() for each in used if each.trees)
        context = {**makers, **self.context}
        applying = {k: value for k, value in context.items() if self._applies(k, found)}
        return found.resolved(evaluation).signature(applying)

    def takes_links(self, found: Metric) -> bool:
        """Return whether a metric looks at links between hypothesis and reference."""
        return "links" in found.needed(self.offered)

    def _applies(self, key: str, found: Metric) -> bool:
        """Return whether something of the whole run decides the scores of a metric."""
        if key == "rule":
            return self.takes_links(found) and found.link_use is LinkUse.ORDER
        if key == "aligner":
            return self.takes_links(found)
        if key == "trees":
            return bool(TREE_NEEDS & set(found.needed(self.offered)))
        if key == "refs":  # lexical scores pool references in their own ways
            return "links" in found.needs
        return key != "tok" or "text" not in found.needs  # what reads raw lines has its own words


class _Evaluations:
    """Evaluations of one system by configuration; links are made once for each aligner."""

    def __init__(self, run: _Run, place: int) -> None:
        self._run = run
        self._place = place
        self._links: dict[Aligner, tuple[LinkBatch, ...]] = {}
        self._made: dict[Configuration, Evaluation] = {}

    def of(self, configuration: Configuration) -> Evaluation:
        """Return what metrics look at in a configuration."""
        if configuration not in self._made:
            run, corpus = self._run, self._run.corpus
            given = run.links.source_hypothesis
            self._made[configuration] = Evaluation(
                vocabulary=corpus.vocabulary,
                hypothesis=corpus.systems[self._place],
                references=corpus.references,
                source=corpus.source,
                links=self._links_by(configuration.aligner),
                source_links=given[self._place] if given else None,
                reference_links=run.links.source_reference,
                rule=run.rule,
                trees=configuration.trees,
                jobs=run.jobs,
            )
        return self._made[configuration]

    def _links_by(self, aligner: Aligner) -> tuple[LinkBatch, ...]:
        run = self._run
        if run.links.hypothesis_reference:
            return run.links.hypothesis_reference[self._place]
        if not run.runs_aligner:
            return ()
        if aligner not in self._links:
            system = run.corpus.systems[self._place]
            called = run.texts.called(system.name)
            self._links[aligner] = aligned_by(
                aligner, run.corpus, system, called=called, jobs=run.jobs
            )
        return self._links[aligner]

    def all_links(self) -> Iterator[LinkBatch]:
        """Yield all links that an aligner made."""
        for batches in self._links.values():
            yield from batches


@dataclass(slots=True)
class _Column:
    """What a metric measured, system by system, in one or several configurations."""

    metric: Metric
    used: tuple[Configuration, ...]
    label: str = ""
    """The configuration, where the metric has several and this is one of them."""
    signature: str = ""
    statistics: list[NDArray[np.float64]] = field(default_factory=list)
    segments: list[NDArray[np.float64]] = field(default_factory=list)

    def measured(self) -> Measured:
        """Return what resampling needs."""
        return Measured(
            metric=self.metric,
            statistics=self.statistics,
            signature=self.signature,
            parts=len(self.used),
            configuration=self.label,
        )


def _columns(run: _Run) -> list[_Column]:
    """Return the columns of results: a metric in each of its configurations, then their mean."""
    found = []
    for chosen in run.metrics.values():
        used = run.uses(chosen)
        if len(used) > 1:
            found += [_Column(chosen, (one,), run.configurations.label(one, used)) for one in used]
        found.append(_Column(chosen, used))
    return found


def _measure(
    run: _Run,
    resampling: Resampling,
    notes: list[str],
    progress: Callable[[int, int], None] | None,
) -> ScoreResult:
    corpus = run.corpus
    columns = _columns(run)
    few = evidence_note(len(corpus))
    notes += [few] if few else []
    for place, system in enumerate(corpus.systems):
        evaluations = run.evaluations(place)
        for specification, found in run.metrics.items():
            mine = [column for column in columns if column.metric is found]
            optional = specification in run.optional
            note = _measure_system(run, mine, evaluations, optional=optional)
            if note:
                columns = [column for column in columns if column.metric is not found]
                notes.append(note)
        notes.extend(_bound_notes(system.name, evaluations))
        if progress is not None:
            progress(place + 1, len(corpus.systems))
    return _result(run, columns, resampling, notes)


def _measure_system(
    run: _Run, columns: list[_Column], evaluations: _Evaluations, *, optional: bool
) -> str | None:
    """Measure one system by one metric in all its configurations.

    Where an optional metric cannot take its links, return a note instead.
    """
    if not columns:
        return None
    found, used = columns[-1].metric, columns[-1].used
    measured = {}
    for one in used:
        try:
            evaluation = evaluations.of(one)
            measured[one] = found.measure(evaluation)
        except SeveralLinksError as error:
            if optional and found.link_use is LinkUse.ONE_TO_ONE:
                return f"{found.name} is left out, because it takes one link a word: {error.where}: {error.fault}"
            made_by = None if run.links.hypothesis_reference else one.aligner
            raise several_links(error, found, made_by) from None
    for column in columns:
        parts = [measured[one] for one in column.used]
        column.statistics.append(np.hstack([part.statistics for part in parts]))
        column.segments.append(np.mean([part.scores for part in parts], axis=0))
        # Once links are made: a model may be new.
        if not column.signature:
            column.signature = run.signature(found, evaluations.of(column.used[0]), column.used)
    return None


def _result(
    run: _Run, columns: list[_Column], resampling: Resampling, notes: list[str]
) -> ScoreResult:
    corpus = run.corpus
    measured = tuple(column.measured() for column in columns)
    systems = {text.name: ByMetric[MetricScore]() for text in corpus.systems}
    for entry in measured:
        intervals = score_intervals(entry, resampling=resampling)
        for text, interval in zip(corpus.systems, intervals, strict=True):
            systems[text.name][entry.name] = _metric_score(interval, entry.signature, len(corpus))
    return ScoreResult(
        systems=systems,
        metrics=ByMetric((entry.name, entry.metric) for entry in measured),
        signatures=ByMetric((entry.name, entry.signature) for entry in measured),
        count=len(corpus),
        seed=resampling.seed,
        measured=measured,
        segment_arrays={
            (entry.name, text.name): scores
            for entry, column in zip(measured, columns, strict=True)
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


def _bound_notes(system: str, evaluations: _Evaluations) -> Iterator[str]:
    for batch in evaluations.all_links():
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
            if TREE_NEEDS & set(missing):
                raise OptionError(
                    f"{made.name} needs {_lacking(missing)}; give all of them, or let a parser make them:",
                    advice=Setting("parser", DEFAULT_PARSER),
                )
            raise OptionError(f"{made.name} needs {_lacking(missing)}")
        chosen[made.specification()] = made
    if not chosen:
        raise OptionError("there is no metric to compute; name at least one, or all")
    return chosen


def default_parsers(
    specifications: str | Sequence[str], offered: set[str], language: str | None
) -> tuple[str, ...]:
    """Return the embedded parser if a metric that is named needs trees that are not there, else none."""
    listed = (specifications,) if isinstance(specifications, str) else specifications
    for specification in listed:
        if specification != "all":
            made = metric(specification)
            if set(made.needed(offered)) & TREE_NEEDS - offered:
                if base_language(language) in (None, PARSED_LANGUAGE):
                    return (DEFAULT_PARSER,)
                raise OptionError(
                    f"{made.name} needs trees, and the embedded parser knows English only, not "
                    f"{language}; name another parser, or give trees"
                )
    return ()


_INPUTS = {
    "source": "the source text",
    "source-links": "links of source and hypothesis",
    "reference-links": "links of source and reference",
    "trees": "dependency trees of each system and reference",
    "reference-trees": "dependency trees of each reference",
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
    """Return what of the whole run shows in signatures, but for aligners and parsers that run."""
    context: dict[str, str] = {}
    if given.hypothesis_reference or given.through_source:
        context["aligner"] = "given" if given.hypothesis_reference else "through-source"
    if rule != OrderRule():
        context["rule"] = rule.signature()
    if len(corpus.references) > 1:
        context["nrefs"] = str(len(corpus.references))
        context["refs"] = "best"
    context["tok"] = corpus.tokenizer
    if corpus.lowercase:
        context["case"] = "lower"
    return context


def _joined(signatures: Iterable[str]) -> str:
    """Return what several configurations share once, else all of it."""
    return "+".join(dict.fromkeys(signatures))
