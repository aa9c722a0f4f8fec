"""Segments explained: what is linked with what, in which order, and how each score comes about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.corpus import TextColumn
from kilter.core.dependency_tree_column import DependencyTreeColumn, GivenDependencyTrees
from kilter.core.errors import InputError, SeveralLinksError
from kilter.core.evaluation import Evaluation
from kilter.core.permutation import Permutation
from kilter.core.settings import checked_value, taken, takes
from kilter.core.table import PAGE
from kilter.results.explanation import ExplainedScore, Explanation, RepairStep
from kilter.run.explanation.order_errors import (
    coarse_note,
    costed_metrics,
    locate_errors,
    missing_order_note,
)
from kilter.run.explanation.repair import Repairs
from kilter.run.explanation.segment_choice import (
    ErrorChoice,
    GivenSegmentScores,
    SegmentChoice,
    error_choice,
)
from kilter.run.explanation.source_order import source_order_notes, with_scored_links
from kilter.run.scoring.corpus import ALONE, Texts, texts_from_api
from kilter.run.scoring.links import GivenLinks, Links, several_links
from kilter.run.scoring.measurement import measure_block
from kilter.run.scoring.run import Run, SystemEvaluations
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.text_note import warn_of_texts
from kilter.run.scoring.trees import Trees

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from kilter.core.dependency_tree import DependencyTree
    from kilter.metrics.metric import Metric
    from kilter.metrics.permutation_metric import OrderMetric
    from kilter.results.explanation import OrderErrors
    from kilter.results.measure import Working

_LINKING = "aligned"
"""A metric that takes any links: it has them made where no other looks at links."""


class ShownExplanation(Explanation):
    """An explanation that prints as a terminal shows it, and that a notebook shows as a page with pictures."""

    def __str__(self) -> str:
        from kilter.render.explanation.terminal import TerminalPage  # noqa: PLC0415 - where one is printed

        return TerminalPage(width=PAGE, colour=False).text(self).rstrip("\n")

    def _repr_html_(self) -> str:
        from kilter.render.explanation.page import explanation_part  # noqa: PLC0415 - for notebooks

        return explanation_part(self)


@takes(Settings)
def explain(
    hypothesis: str,
    reference: object,
    *,
    links: Links | GivenLinks | None = None,
    trees: Trees | None = None,
    every: bool = True,
    ignore: Sequence[str] = (),
    settings: Settings | None = None,
    **keywords: object,
) -> Explanation:
    """Return one sentence explained against its reference, or against the best of several.

    It has `every` order error, or those worth a look, without those of classes of words to `ignore`, as in
    `order_errors`. Options are those of `Settings`. In a notebook the result shows itself with pictures.

    >>> found = explain("the mat sat on the cat", "the cat sat on the mat", metrics="kendall")
    >>> found.permutation, found.metrics["kendall"].score
    (Permutation.from_one_based([5, 6, 3, 4, 1, 2]), 0.2)
    >>> [f"{step.name} = {step.value:g}" for step in found.metrics["kendall"].working.steps[1:3]]
    ['C = 3', 'P = 15']
    """
    options = taken(Settings, settings, keywords)
    sentence = checked_value("hypothesis", hypothesis, str, empty=True)
    references = [reference] if isinstance(reference, str) else reference
    texts = texts_from_api([sentence], [references], links=links, trees=trees)
    if len(texts.references) == 1:
        texts = replace(texts, references={"reference": next(iter(texts.references.values()))})
    called = replace(texts, files={ALONE: "hypothesis"})
    choice = error_choice(every=every, ignore=ignore)
    (found,) = explain_texts(sentences(called), options, errors=choice)
    return replace(found, system=None, segment=None)


@takes(Settings)
def explain_segments(  # noqa: PLR0913 - what is explained, and how; all but texts by name
    hypotheses: object,
    references: object,
    *,
    source: object = None,
    links: Links | GivenLinks | None = None,
    trees: Trees | None = None,
    segments: int | Sequence[int] | SegmentChoice = (),
    every: bool = False,
    ignore: Sequence[str] = (),
    settings: Settings | None = None,
    **keywords: object,
) -> tuple[Explanation, ...]:
    """Return segments of one system or several explained; texts are given as to `score`.

    `segments` are their numbers, counted from 1, or a `SegmentChoice`: the worst of each system by the
    first metric (kilter, where none is named), those that lose most by order errors, or those in which two
    systems differ most. `every` and `ignore` choose errors as in `order_errors`.

    >>> texts = ["b a", "a b"], ["a b", "a b"]
    >>> worst = SegmentChoice(worst=1)
    >>> [each.segment for each in explain_segments(*texts, segments=worst, metrics="kendall")]
    [1]
    """
    options = taken(Settings, settings, keywords)
    chosen = segments
    if not isinstance(chosen, SegmentChoice):
        numbers = checked_value("segments", segments, int | Sequence[int])
        chosen = SegmentChoice(segments=(numbers,) if isinstance(numbers, int) else tuple(numbers))
    texts = texts_from_api(hypotheses, references, source, links=links, trees=trees)
    errors = error_choice(every=every, ignore=ignore)
    warn_of_texts(texts)
    return explain_texts(texts, options, chosen, errors=errors)


def sentences(texts: Texts) -> Texts:
    """Return texts of one sentence each, checked: one without a word is an `InputError`."""
    for name, lines in texts.named():
        if not lines[0].strip():
            raise InputError("has no words; give a sentence of one word or more", where=name)
    return texts


def explain_texts(
    texts: Texts,
    settings: Settings,
    choice: SegmentChoice | None = None,
    *,
    errors: ErrorChoice | None = None,
    given: Callable[[Sequence[str], int], GivenSegmentScores] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Explanation, ...]:
    """Return the chosen segments of texts that are already read; see `explain_segments`.

    Where scores of another metric are `given` for systems and so many segments, the worst and the largest differences are by it.
    """
    settings.check_single("an explanation follows")
    measured = _MeasuredRun.of(texts, settings, errors or ErrorChoice(), progress)
    names = [system.name for system in measured.run.corpus.systems]
    first = measured.first()
    places = range(len(names))
    choice = choice or SegmentChoice()
    scores = [measured.scores[first, place] for place in places]
    higher_is_better, by = measured.run.metrics[first].higher_is_better, first
    if given is not None:
        others = given(names, len(scores[0]))
        scores, higher_is_better, by = [*others.scores], others.higher_is_better, others.metric
    chosen = choice.chosen(
        names,
        scores,
        higher_is_better=higher_is_better,
        losses=[] if choice.worst_order is None else [measured.losses(p, first) for p in places],
    )
    if not chosen:
        lacking = f"a score by {by}" if choice.worst_order is None else "an order error to show"
        lacking += " for both systems" if choice.largest_difference is not None else ""
        raise InputError(f"no segment has {lacking}, so that none can be chosen by it")
    return tuple(measured.explained(system, segment, first) for system, segment in chosen)


@dataclass(frozen=True, kw_only=True, eq=False)
class _MeasuredRun:
    """A run with the scores of all segments, and what metrics looked at."""

    run: Run
    evaluations: list[SystemEvaluations]
    shown: list[str]
    """The metrics that were asked for and could be measured."""
    choice: ErrorChoice
    scores: dict[tuple[str, int], NDArray[np.float64]]
    """By metric and place of the system."""
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        texts: Texts,
        settings: Settings,
        choice: ErrorChoice,
        progress: Callable[[int, int], None] | None,
    ) -> _MeasuredRun:
        """Return the run of texts and settings, measured."""
        run = Run.of(texts, settings)
        shown = list(run.metrics)
        if not run.runs_aligner and not run.links.hypothesis_reference:
            linking = replace(settings, metrics=(*settings.specifications, _LINKING))
            scored = with_scored_links(run, settings)
            if scored is run.texts:  # the aligner of order, in which errors have their costs
                linking = replace(linking, aligner=[each.decided() for each in run.aligners])
            run = Run.of(scored, linking)
        evaluations = [SystemEvaluations(run, place) for place in range(len(run.corpus.systems))]
        block = measure_block(run, evaluations=evaluations, progress=progress)
        return cls(
            run=run,
            evaluations=evaluations,
            shown=[name for name in shown if name not in block.left_out],
            choice=choice,
            scores={key: np.asarray(result.scores) for key, result in block.results.items()},
            notes=[note for _, note in block.left_out.values()],
        )

    def evaluation(self, metric: Metric, system: int) -> Evaluation:
        """Return what a metric looks at."""
        return self.evaluations[system].of(self.run.use(metric).configurations[0])

    def first(self) -> str:
        """Return the metric that segments are chosen by: the first."""
        return self.shown[0]

    def losses(self, system: int, first: str) -> NDArray[np.float64]:
        """Return what the segments of a system lose by order errors, by the first metric of order.

        NaN where nothing is shown to be out of order, and where the metric has no score of a segment.
        """
        configuration = self.run.first_configuration
        evaluation = self.evaluations[system].of(configuration)
        costed = self.costed(first)
        try:
            every = locate_errors(evaluation, costed, system=evaluation.hypothesis.name)
            scores = next(iter(costed.values())).measure(evaluation).scores
            losses = self.choice.chosen(every, evaluation).shown_losses()
            return np.where(np.isnan(scores) | (losses <= 0.0), np.nan, losses)
        except SeveralLinksError as error:
            made = None if self.run.links.hypothesis_reference else configuration.aligner
            raise several_links(error, next(iter(costed.values())), made) from None

    def costed(self, first: str) -> dict[str, OrderMetric]:
        """Return the metrics in which order errors have a cost, the first of them first."""
        names = dict.fromkeys((first, *self.shown))
        return costed_metrics({name: self.run.metrics[name] for name in names})

    def explained(self, system: int, segment: int, first: str) -> Explanation:
        """Return one segment of one system."""
        run, corpus = self.run, self.run.corpus
        workings = {
            name: metric.working(self.evaluation(metric, system), segment)
            for name, metric in run.metrics.items()
            if name in self.shown
        }
        place = _reference(workings, first)
        configuration = run.first_configuration
        evaluation = self.evaluations[system].of(configuration)
        texts = corpus.systems[system], corpus.references[place]
        words = [tuple(corpus.vocabulary.text(text.tokens, segment)) for text in texts]
        own = evaluation.links[place].only(segment)
        links = tuple(own.segment(0))
        metrics = {name: run.metrics[name] for name in self.shown}
        notes = [
            *self.notes,
            *source_order_notes(run, metrics, evaluation, segment, workings),
        ]
        if not links and all(words):
            notes.append(
                "no word of the hypothesis is linked with the reference; another aligner, or links of your "
                "own, may find some"
            )
        trees = _trees(evaluation, place, segment) if "trees" in run.offered else None
        alone = _alone(evaluation, place, segment, trees)
        order: Permutation | None = None
        located: OrderErrors | None = None
        costed = self.costed(first)
        words_only = next(iter(costed.values())).words_only
        try:
            made = alone.word_permutations(0) if words_only else alone.permutations(0)
            order = Permutation(made[0])
        except SeveralLinksError as error:
            notes.append(
                f"there is no order of the words, because {error.fault}; another rule of links makes one, such "
                "as mean"
            )
        else:
            every = locate_errors(alone, costed, system=texts[0].name)
            located = self.choice.chosen(every, alone)
            if len(located.coarse_segments()):
                notes.append(coarse_note(located, 0))
            if not located.evidence[0]:
                notes.append(missing_order_note(located.metrics[0]))
            elif located.moves.permutations[0].tolist() != order.values.tolist():
                notes.append(
                    "equal words are linked crosswise: metrics of order see that, but it is no order error, "
                    "because nobody can tell the words apart"
                )
        ordering = alone.word_links(0).segment(0) if words_only else links
        linked = tuple(sorted({word for word, _ in ordering}))
        whole = order is not None and len(order) != len(linked)  # a rule may order all words
        ordered = tuple(range(len(words[0]))) if whole else linked
        return ShownExplanation(
            hypothesis=words[0],
            reference=words[1],
            reference_name=texts[1].name,
            links=links,
            certainty=None if own.certainty is None else tuple(own.certainty.tolist()),
            permutation=order,
            ordered=ordered,
            errors=None if located is None else located.segment(0),
            repair=() if located is None else _repair(located, ordered),
            metrics={
                name: self._score(name, system, segment, working)
                for name, working in workings.items()
            },
            trees=trees,
            system=texts[0].name,
            segment=segment + 1,
            notes=tuple(notes),
        )

    def _score(
        self, name: str, system: int, segment: int, working: Working | None
    ) -> ExplainedScore:
        metric, references = self.run.metrics[name], self.run.corpus.references
        place = None if working is None else working.reference
        evaluation = self.evaluation(metric, system)
        return ExplainedScore(
            name=name,
            score=float(self.scores[name, system][segment]),
            signature=self.run.signature(metric, evaluation, self.run.use(metric).configurations),
            higher_is_better=metric.higher_is_better,
            working=working,
            reference=None if place is None else references[place].name,
        )


def _reference(workings: dict[str, Working | None], first: str) -> int:
    """Return the reference that is shown: that of the first metric, or of another that chooses one."""
    for name in (first, *workings):
        working = workings[name]
        if working is not None and working.reference is not None:
            return working.reference
    return 0


def _alone(
    whole: Evaluation,
    place: int,
    segment: int,
    trees: tuple[DependencyTree, DependencyTree] | None,
) -> Evaluation:
    """Return one segment and one reference of an evaluation, so that no other is looked at."""
    chosen = np.array([segment])
    texts = [
        TextColumn(text.name, (text.lines[segment],), text.tokens.chosen(chosen))
        for text in (whole.hypothesis, whole.references[place])
    ]
    columns = {} if trees is None else dict(zip(texts, trees, strict=True))
    return Evaluation(
        vocabulary=whole.vocabulary,
        hypothesis=texts[0],
        references=(texts[1],),
        links=(whole.links[place].only(segment),),
        rule=whole.rule,
        trees=GivenDependencyTrees(
            {text: DependencyTreeColumn.of([tree]) for text, tree in columns.items()}
        )
        if columns
        else None,
    )


def _trees(
    evaluation: Evaluation, place: int, segment: int
) -> tuple[DependencyTree, DependencyTree]:
    """Return the best parses of both sides."""
    texts = evaluation.hypothesis, evaluation.references[place]
    first, second = (evaluation.trees_of(text).segment(segment)[0] for text in texts)
    return first, second


def _repair(located: OrderErrors, ordered: tuple[int, ...]) -> tuple[RepairStep, ...]:
    """Return the ordered words as they are, and after the repair of each error."""
    order = located.moves.permutations[0].tolist()
    slots = {place: slot for slot, place in enumerate(ordered)}
    words = dict(zip(order, ordered, strict=True))
    moved = [error.moved for error in located.segment(0).errors]
    repairs = Repairs.of(
        located.moves.permutations, [[[slots[place] for place in own] for own in moved]]
    )
    steps = np.arange(len(moved) + 1)
    put = repairs.orders(np.zeros_like(steps), np.zeros_like(steps), steps)
    return tuple(
        RepairStep(tuple(words[rank] for rank in put[step].tolist()), own)
        for step, own in enumerate([(), *moved])
    )
