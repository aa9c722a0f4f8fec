"""What metrics measure: statistics and segment scores of every system, before anything is resampled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import SeveralLinksError
from kilter.metrics.metric import LinkUse
from kilter.run.scoring.effect import effect_notes
from kilter.run.scoring.label_note import LabelCounts, all_label_notes
from kilter.run.scoring.links import several_links
from kilter.run.scoring.measured import Measured
from kilter.run.scoring.run import Run, SystemEvaluations
from kilter.run.scoring.text_note import run_language_notes, tell_two_languages, text_notes
from kilter.run.scoring.trees import joined_roots, tree_notes
from kilter.stats.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.metrics.metric import Metric
    from kilter.results.measure import ScoreParts
    from kilter.run.scoring.corpus import Texts
    from kilter.run.scoring.settings import Configuration, Settings
    from kilter.run.scoring.trees import JoinedRoots


@dataclass(frozen=True, kw_only=True, eq=False)
class Measurement:
    """Every metric's statistics and segment scores of every system."""

    systems: tuple[str, ...]
    segments: int
    measured: tuple[Measured, ...] = field(repr=False)
    scores: dict[tuple[str, str], NDArray[np.float64]] = field(repr=False)
    """Scores of all segments by metric and system."""
    margins: dict[tuple[str, str], NDArray[np.float64]] = field(default_factory=dict, repr=False)
    """Margins of all segments by metric and system, of metrics that tell."""
    notes: tuple[str, ...] = ()


def measure(
    texts: Texts, settings: Settings, *, progress: Callable[[int, int], None] | None = None
) -> Measurement:
    """Return what the metrics of the settings measure in these texts."""
    return measure_run(Run.of(texts, settings), settings, progress=progress)


def measure_run(
    run: Run,
    settings: Settings,
    *,
    evaluations: Sequence[SystemEvaluations] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Measurement:
    """Return what the metrics of a run measure, which was made under these settings.

    Whoever needs links afterwards brings the `evaluations` of all systems, and keeps them.
    """
    return found_measurement(
        run, settings, measure_columns(run, evaluations=evaluations, progress=progress)
    )


def found_measurement(run: Run, settings: Settings, found: Found) -> Measurement:
    """Return what was found in the texts of a run as a measurement."""
    columns = found.columns
    names = tuple(system.name for system in run.corpus.systems)
    measured = tuple(column.measured() for column in columns)
    return Measurement(
        systems=names,
        segments=len(run.corpus),
        measured=measured,
        scores={
            (each.name, name): scores
            for each, column in zip(measured, columns, strict=True)
            for name, scores in zip(names, column.segments, strict=True)
        },
        margins={
            (each.name, name): margins
            for each, column in zip(measured, columns, strict=True)
            for name, margins in zip(names, column.margins, strict=False)
        },
        notes=(
            *first_notes(
                run,
                settings,
                texts=run.texts.target_texts(),
                source=run.texts.source,
                segments=len(run.corpus),
                joined=joined_roots(run.texts.trees),
            ),
            *found.notes(names),
            *found.label_notes(run.texts),
        ),
    )


def first_notes(
    run: Run,
    settings: Settings,
    *,
    texts: Sequence[tuple[str, Iterable[str]]],
    source: tuple[str, Iterable[str]] | None,
    segments: int,
    joined: Mapping[int, JoinedRoots],
) -> list[str]:
    """Return what is said of texts (references first), trees and settings, whatever is measured."""
    many = len(run.texts.references)
    few = evidence_note(segments)
    told = text_notes(texts[:many], texts[many:], source, case=not settings.lowercase)
    # To name a language helps nobody whose texts are of two.
    assumed = () if tell_two_languages(told) else texts
    return [
        *run.texts.notes,
        *told,
        *tree_notes(joined),
        *run_language_notes(run, settings.language, assumed),
        *effect_notes(run, settings),
        *([few] if few else []),
    ]


class Bound(NamedTuple):
    """In how many segments an aligner hit its search bound, and the first of them, from 0."""

    segments: int
    first: int


@dataclass(slots=True, eq=False)
class Found:
    """What was found in texts: columns of results, and what is to be said of them."""

    columns: list[MeasuredColumn]
    left_out: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Metrics without a result, with the place of the system that they cannot take, and why."""
    bounds: dict[tuple[int, int], Bound] = field(default_factory=dict)
    """By the place of a system and the number of its links."""
    labels: dict[tuple[int, int], LabelCounts] = field(default_factory=dict)
    """Of trees that metrics looked at, where some are given: by parser, and by place among systems and
    references."""

    def notes(self, systems: Sequence[str]) -> Iterator[str]:
        """Yield what is to be said, system by system."""
        for place, system in enumerate(systems):
            for which, note in self.left_out.values():
                if which == place:
                    yield note
            for (which, _), bound in self.bounds.items():
                if which == place:
                    yield (
                        f"{system}: the aligner hit its search bound in {counted(bound.segments, 'segment')} "
                        f"(the first is {bound.first + 1}); their links may not be the best possible"
                    )

    def label_notes(self, texts: Texts) -> list[str]:
        """Return how labels and tags of trees differ."""
        systems = [texts.called(name) for name in texts.systems]
        return all_label_notes(self.labels, systems=systems, references=[*texts.references])


def measure_columns(
    run: Run,
    *,
    evaluations: Sequence[SystemEvaluations] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Found:
    """Return what the metrics of a run find in its texts."""
    found, systems = Found(result_columns(run)), run.corpus.systems
    for place in range(len(systems)):
        own = SystemEvaluations(run, place) if evaluations is None else evaluations[place]
        for specification, metric in run.metrics.items():
            mine = [column for column in found.columns if column.metric is metric]
            optional = specification in run.optional
            note = _measure_system(run, mine, own, optional=optional)
            if note:
                found.columns = [each for each in found.columns if each.metric is not metric]
                found.left_out[specification] = (place, note)
        for number, batch in enumerate(own.all_links()):
            if batch.bounded:
                found.bounds[place, number] = Bound(len(batch.bounded), batch.bounded[0])
        if progress is not None:
            progress(place + 1, len(systems))
    found.labels = _label_counts(run)
    return found


@dataclass(slots=True, eq=False)
class MeasuredColumn:
    """What a metric measured, system by system, in one or several configurations."""

    called: str
    metric: Metric
    used: tuple[Configuration, ...]
    label: str = ""
    """The configuration, where the metric has several and this is one of them."""
    signature: str = ""
    statistics: list[NDArray[np.float64]] = field(default_factory=list)
    segments: list[NDArray[np.float64]] = field(default_factory=list)
    parts: list[tuple[ScoreParts, ...]] = field(default_factory=list)
    margins: list[NDArray[np.float64]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The metric with its options, and its configuration where there are several."""
        return self.measured().name

    def measured(self) -> Measured:
        """Return what resampling needs."""
        return Measured(
            metric=self.metric,
            statistics=self.statistics,
            signature=self.signature,
            configurations=len(self.used),
            configuration=self.label,
            called=self.called,
            parts=self.parts,
        )


def result_columns(run: Run) -> list[MeasuredColumn]:
    """Return the columns of results: a metric in each of its configurations, then their mean."""
    found = []
    for called, chosen in run.metrics.items():
        used = run.uses(chosen)
        if len(used) > 1:
            found += [MeasuredColumn(called, chosen, (one,), one.label(used)) for one in used]
        found.append(MeasuredColumn(called, chosen, used))
    return found


def _measure_system(
    run: Run, columns: list[MeasuredColumn], evaluations: SystemEvaluations, *, optional: bool
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
        mine = [measured[one] for one in column.used]
        column.statistics.append(np.hstack([each.statistics for each in mine]))
        column.segments.append(np.mean([each.scores for each in mine], axis=0))
        parts = tuple(each.parts for each in mine if each.parts is not None)
        if len(parts) == len(mine):
            column.parts.append(parts)
        margins = [each.margins for each in mine if each.margins is not None]
        if len(margins) == len(mine):
            column.margins.append(np.mean(margins, axis=0))
        # Once links are made: a model may be new.
        if not column.signature:
            column.signature = run.signature(found, evaluations.of(column.used[0]), column.used)
    return None


def _label_counts(run: Run) -> dict[tuple[int, int], LabelCounts]:
    """Return the labels and tags of trees that metrics looked at, if some were given."""
    if not run.texts.trees:
        return {}
    texts = [*run.corpus.systems, *run.corpus.references]
    looked_at = [  # trees depend on parsers alone, so that one aligner tells them all
        {} if one.trees is None else one.trees.looked_at() for one in run.configurations[0]
    ]
    return {
        (parser, place): LabelCounts.of(trees[text])
        for parser, trees in enumerate(looked_at)
        for place, text in enumerate(texts)
        if text in trees
    }
