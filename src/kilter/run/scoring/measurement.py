"""What metrics measure: statistics and segment scores of every system, before anything is resampled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.errors import InputError, OptionError
from kilter.run.engine.engine import Batch, InProcess
from kilter.run.engine.run import run_batches
from kilter.run.scoring.measured_block import (
    MeasuredBlock,
    beside,
    gather,
    measure_block,
    results_of,
)
from kilter.run.scoring.run import Run, Tools, effect_notes
from kilter.run.scoring.text_note import run_language_notes, tell_two_languages, text_notes
from kilter.run.scoring.trees import all_label_notes, tree_notes
from kilter.stats.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.run.engine.engine import Engine
    from kilter.run.engine.run import KeptParts
    from kilter.run.scoring.corpus import Texts
    from kilter.run.scoring.measured import Measured
    from kilter.run.scoring.run import SystemEvaluations
    from kilter.run.scoring.settings import Settings
    from kilter.run.scoring.text_streams import TextForm, TextStreams

    Progress = Callable[[int, int], None]
    Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Measurement:
    """Every metric's statistics and segment scores of every system."""

    systems: tuple[str, ...]
    segments: int
    measured: tuple[Measured, ...] = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def scores(self) -> dict[tuple[str, str], Floats]:
        """Scores of all segments by metric and system."""
        return {
            (each.name, system): np.asarray(rows)
            for each in self.measured
            for system, rows in zip(self.systems, each.scores, strict=True)
        }


def measure(
    texts: Texts,
    settings: Settings,
    *,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> Measurement:
    """Return what the metrics of the settings measure in these texts.

    They are one block, unless an `engine` works on each system apart from the others. Trees of files are an
    `OptionError` then: what is said of their labels looks at all systems.
    """
    if engine is None:
        return measure_run(Run.of(texts, settings), settings, progress=progress)
    if texts.trees:
        raise OptionError(
            "workers look at one system each, and trees of files are compared over systems; leave "
            "out the engine and the workers, or the trees"
        )
    run = Run.of(texts, settings)
    task = MeasureTask(settings=settings)
    measured = run_batches(engine, task, _systems(texts), progress=progress)  # type: ignore[arg-type] # all is known
    block = beside(measured)
    return _measurement(block, run, texts, settings)


def measure_run(
    run: Run,
    settings: Settings,
    *,
    evaluations: Sequence[SystemEvaluations] | None = None,
    progress: Progress | None = None,
) -> Measurement:
    """Return what the metrics of a run measure, which was made under these settings.

    Whoever needs links afterwards brings the `evaluations` of all systems, and keeps them.
    """
    block = measure_block(run, evaluations=evaluations, progress=progress)
    return _measurement(block, run, run.texts, settings)


def measure_streams(
    streams: TextStreams,
    settings: Settings,
    *,
    engine: Engine | None = None,
    parts: KeptParts[MeasuredBlock] | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> Measurement:
    """Return what metrics measure in texts of any size; `progress` gets (segments done, segments)."""
    tools = Tools.of(streams.unread(), settings)
    task = MeasureTask(settings=settings, form=streams.form)
    batches = streams.batches()
    try:
        streams.check_corpus(settings)
        blocks = run_batches(engine or InProcess(), task, batches, parts=parts, progress=progress)
        block = gather(blocks)
        for reach in block.reaches:
            reach.check(streams.tokenizer(settings))
    except InputError as error:
        if error.where is not None:  # else it is about a worker
            streams.check_whole(settings)  # what is said of a segment may depend on all of them
        raise
    return _measurement(block, tools, streams, settings)


@dataclass(frozen=True, kw_only=True)
class MeasureTask:
    """Measures a batch of texts, in any worker; those that are not made yet have a `form`."""

    settings: Settings
    form: TextForm | None = None

    def __call__(self, batch: Batch[Any]) -> MeasuredBlock:
        """Return what is found; errors and notes name segments as they are numbered in all texts."""
        try:
            texts = batch.data if self.form is None else self.form.texts(batch)
            return measure_block(Run.of(texts, self.settings, part=self.form is not None))
        except InputError as error:
            error.count_from(0 if self.form is None else batch.first - 1)
            raise


def _systems(texts: Texts) -> Iterator[Batch[Texts]]:
    for place, name in enumerate(texts.systems, start=1):
        yield Batch(
            data=texts.of_systems([name]), first=place, rows=1, share=place / len(texts.systems)
        )


def _measurement(
    block: MeasuredBlock, tools: Tools, texts: Texts | TextStreams, settings: Settings
) -> Measurement:
    """Return what was found in all segments, with what is to be said of them."""
    names, references = tuple(texts.systems), [*texts.references]
    results = [result for result, _ in results_of(tools)]
    targets = texts.target_texts()
    told = text_notes(
        targets[: len(references)],
        targets[len(references) :],
        texts.source,
        case=not settings.lowercase,
    )
    few = evidence_note(block.rows)
    notes = (
        *texts.notes,
        *told,
        *tree_notes(block.joined),
        # To name a language helps nobody whose texts are of two.
        *run_language_notes(tools, settings.language, () if tell_two_languages(told) else targets),
        *effect_notes(tools, settings),
        *([few] if few else []),
        *block.notes(names, tools.metrics),
        *all_label_notes(
            block.labels, systems=[texts.called(name) for name in names], references=references
        ),
    )
    return Measurement(
        systems=names,
        segments=block.rows,
        measured=block.measured(results, len(names)),
        notes=notes,
    )
