"""What metrics measure of blocks of segments and of whole texts, before anything is resampled."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError, SeveralLinksError
from kilter.io.spool import Spool
from kilter.metrics.metric import LinkUse
from kilter.results.measure import Measure, ScoreParts, Term
from kilter.run.engine.engine import Batch, InProcess
from kilter.run.engine.run import run_batches
from kilter.run.scoring.links import LinkReach, several_links
from kilter.run.scoring.measured import Beside, Measured
from kilter.run.scoring.run import Run, SystemEvaluations, Tools, effect_notes
from kilter.run.scoring.text_note import run_language_notes, tell_two_languages, text_notes
from kilter.run.scoring.trees import (
    JoinedRoots,
    LabelCounts,
    all_label_notes,
    joined_roots,
    tree_notes,
)
from kilter.stats.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.metrics.metric import Metric
    from kilter.results.measure import Rows
    from kilter.run.engine.engine import Engine
    from kilter.run.engine.run import KeptParts
    from kilter.run.scoring.corpus import Texts
    from kilter.run.scoring.settings import Configuration, Settings
    from kilter.run.scoring.text_streams import TextForm, TextStreams

    Progress = Callable[[int, int], None]
    Floats = NDArray[np.float64]
    PartShape = dict[str, Any]
    """Parts of a score in one configuration, as JSON with names of columns in place of numbers."""


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


class Key(NamedTuple):
    """The name of a column of numbers: a column of results, the place of a system, and what it is of these."""

    result: str
    system: int
    kind: str


class Bound(NamedTuple):
    """In how many segments of a text an aligner hit its search bound, and in which first."""

    segments: int
    first: int


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuredBlock:
    """What was found in some segments, or in all of them: numbers, and what is to be said."""

    rows: int
    signatures: dict[str, str] = field(default_factory=dict)
    """By the names of columns of results."""
    left_out: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Metrics without a result, with the place of the system that they cannot take, and why."""
    bounds: dict[tuple[int, int], Bound] = field(default_factory=dict)
    """By the place of a system and the number of its links; segments count from the first of the texts."""
    joined: dict[int, JoinedRoots] = field(default_factory=dict)
    """By the place of a file of trees."""
    labels: dict[tuple[int, int], LabelCounts] = field(default_factory=dict)
    """Of trees that metrics looked at, where some are given: by parser, and by place among systems and references."""
    reaches: list[LinkReach] = field(default_factory=list)
    """Of links that are given, where it has to be asked which words they count."""
    results: dict[tuple[str, int], Measure] = field(default_factory=dict, repr=False)
    """By the name of a column of results and the place of a system."""

    def measured(self, results: Iterable[Measured], systems: int) -> tuple[Measured, ...]:
        """Return columns of results with what was found in each of so many systems, but those that are left out."""
        found = []
        for result in results:
            if result.asked not in self.left_out:
                own = [self.results[result.name, place] for place in range(systems)]
                complete = replace(
                    result,
                    signature=self.signatures[result.name],
                    statistics=[each.statistics for each in own],
                    scores=[each.scores for each in own],
                    margins=[each.margins for each in own if each.margins is not None],
                    parts=[each.parts for each in own if each.parts],
                )
                found.append(complete)
        return tuple(found)

    def columns(self) -> tuple[dict[Key, Floats], dict[str, list[PartShape]]]:
        """Return all numbers as columns by name, and the shapes of parts by column of results."""
        columns: dict[Key, Floats] = {}
        shapes: dict[str, list[PartShape]] = {}
        for (name, system), result in self.results.items():
            named, shapes[name] = _columns(result)
            for kind, rows in named.items():
                columns[Key(name, system, kind)] = np.asarray(rows, dtype=np.float64)
        return columns, shapes

    def notes(self, systems: Sequence[str], metrics: Iterable[str]) -> Iterator[str]:
        """Yield what is to be said of metrics and aligners, system by system."""
        order = [*metrics]
        for place, system in enumerate(systems):
            for name in order:
                which, note = self.left_out.get(name, (-1, ""))
                if which == place:
                    yield note
            for (which, _), bound in sorted(self.bounds.items()):
                if which == place:
                    yield (
                        f"{system}: the aligner hit its search bound in {counted(bound.segments, 'segment')} "
                        f"(the first is {bound.first + 1}); their links may not be the best possible"
                    )

    def packed(self) -> bytes:
        """Return all of it as bytes: a line of JSON, then the numbers of every column."""
        columns, shapes = self.columns()
        head = {
            "rows": self.rows,
            "signatures": self.signatures,
            "parts": shapes,
            "left_out": self.left_out,
            "bounds": [[*key, *bound] for key, bound in self.bounds.items()],
            "joined": [[place, *found] for place, found in self.joined.items()],
            "labels": [[*key, each.labels, each.tags] for key, each in self.labels.items()],
            "reaches": self.reaches,
            "columns": [*columns],
        }
        numbers = b"".join(rows.tobytes() for rows in columns.values())
        return json.dumps(head, ensure_ascii=False).encode() + b"\n" + numbers

    @classmethod
    def unpacked(cls, content: bytes) -> MeasuredBlock:
        """Return what was packed."""
        line, _, numbers = content.partition(b"\n")
        head = json.loads(line)
        keys = [Key(*each) for each in head["columns"]]
        columns = np.frombuffer(numbers).reshape(len(keys), head["rows"])
        return cls(
            rows=head["rows"],
            signatures=head["signatures"],
            left_out={name: (place, note) for name, (place, note) in head["left_out"].items()},
            bounds={(key[0], key[1]): Bound(*key[2:]) for key in head["bounds"]},
            joined={place: JoinedRoots(*found) for place, *found in head["joined"]},
            labels={
                (key[0], key[1]): LabelCounts(labels=Counter(key[2]), tags=Counter(key[3]))
                for key in head["labels"]
            },
            reaches=[LinkReach(*each) for each in head["reaches"]],
            results=_results(dict(zip(keys, columns, strict=True)), head["parts"]),
        )


def _results(
    columns: Mapping[Key, Rows], shapes: Mapping[str, list[PartShape]]
) -> dict[tuple[str, int], Measure]:
    """Return results by name and system of columns of numbers."""
    held: dict[tuple[str, int], dict[str, Rows]] = {}
    for key, rows in columns.items():
        held.setdefault((key.result, key.system), {})[key.kind] = rows
    return {(name, system): _measure(named, shapes[name]) for (name, system), named in held.items()}


def gather(blocks: Iterable[MeasuredBlock]) -> MeasuredBlock:
    """Return what was found in all blocks; the numbers of several are set aside on disk as they come."""
    following = iter(blocks)
    first = next(following)
    spool: Spool[Key] | None = None
    shapes: dict[str, list[PartShape]] = {}
    rows = first.rows
    for block in following:
        if spool is None:
            spool = Spool()
            columns, shapes = first.columns()
            spool.add(columns)
        columns, more = block.columns()
        spool.add(columns)
        shapes = more | shapes
        rows += block.rows
        first.signatures.update(block.signatures | first.signatures)
        for name, (place, note) in block.left_out.items():
            # Systems are measured one after another: the first that cannot be is told.
            if name not in first.left_out or place < first.left_out[name][0]:
                first.left_out[name] = (place, note)
        for key, bound in block.bounds.items():
            before = first.bounds.get(key, Bound(0, bound.first))
            first.bounds[key] = Bound(before.segments + bound.segments, before.first)
        for place, roots in block.joined.items():
            earlier = first.joined.get(place, JoinedRoots(0, roots.first))
            first.joined[place] = JoinedRoots(earlier.trees + roots.trees, earlier.first)
        for key, counts in block.labels.items():
            first.labels.setdefault(key, LabelCounts.none()).add(counts)
        first.reaches[:] = [
            one + other for one, other in zip(first.reaches, block.reaches, strict=True)
        ]
    if spool is None:
        return first
    return replace(first, rows=rows, results=_results(spool.columns(), shapes))


def beside(systems: Iterable[MeasuredBlock]) -> MeasuredBlock:
    """Return what was found in the same segments of systems that were measured apart from one another."""
    listed = [*systems]
    left_out: dict[str, tuple[int, str]] = {}
    for place, block in enumerate(listed):
        for name, (_, note) in block.left_out.items():
            left_out.setdefault(name, (place, note))
    return MeasuredBlock(
        rows=listed[0].rows,
        signatures={k: v for block in reversed(listed) for k, v in block.signatures.items()},
        left_out=left_out,
        bounds={
            (place, number): bound
            for place, block in enumerate(listed)
            for (_, number), bound in block.bounds.items()
        },
        results={
            (name, place): result
            for place, block in enumerate(listed)
            for (name, _), result in block.results.items()
        },
    )


def results_of(run: Tools) -> list[tuple[Measured, tuple[Configuration, ...]]]:
    """Return the columns of results: a metric in each of its configurations, then their mean."""
    found = []
    for called, metric in run.metrics.items():
        used = run.use(metric).configurations
        single = [((one,), one.label(used)) for one in used] if len(used) > 1 else []
        for some, label in [*single, (used, "")]:
            result = Measured(
                metric=metric,
                statistics=(),
                signature="",
                configurations=len(some),
                configuration=label,
                called=called,
            )
            found.append((result, some))
    return found


def measure_block(
    run: Run,
    *,
    evaluations: Sequence[SystemEvaluations] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> MeasuredBlock:
    """Return what the metrics of a run find in its texts.

    Whoever needs links afterwards brings the `evaluations` of all systems, and keeps them.
    """
    systems, results = run.corpus.systems, results_of(run)
    found = MeasuredBlock(
        rows=len(run.corpus),
        joined=joined_roots(run.texts.trees),
        reaches=[*run.reaches],
    )
    measured: dict[tuple[str, int], Measure] = {}
    for place in range(len(systems)):
        own = SystemEvaluations(run, place) if evaluations is None else evaluations[place]
        for name in run.metrics:
            if name not in found.left_out:
                mine = [each for each in results if each[0].asked == name]
                measured |= _metric_results(run, mine, place, own, found)
        for number, batch in enumerate(own.all_links()):
            if batch.bounded:
                bound = Bound(len(batch.bounded), batch.bounded[0] + run.texts.before)
                found.bounds[place, number] = bound
        if progress is not None:
            progress(place + 1, len(systems))
    gone = {result.name for result, _ in results if result.asked in found.left_out}
    kept = {key: result for key, result in measured.items() if key[0] not in gone}
    return replace(found, labels=_label_counts(run), results=kept)


def _metric_results(
    run: Run,
    results: Sequence[tuple[Measured, tuple[Configuration, ...]]],
    system: int,
    evaluations: SystemEvaluations,
    found: MeasuredBlock,
) -> dict[tuple[str, int], Measure]:
    """Return the results of a metric in all its configurations; what else there is of it goes to what was found."""
    (last, every), metric = results[-1], results[-1][0].computed
    measures = _measures(run, metric, evaluations, every, optional=last.asked in run.optional)
    if isinstance(measures, str):
        found.left_out[last.asked] = system, measures
        return {}
    made: dict[tuple[str, int], Measure] = {}
    for result, used in results:
        made[result.name, system] = Measure.averaged([measures[one] for one in used])
        # Once links are made: a model may be new.
        if result.name not in found.signatures:
            signature = run.signature(metric, evaluations.of(used[0]), used)
            found.signatures[result.name] = signature
    return made


def _measures(
    run: Run,
    metric: Metric,
    evaluations: SystemEvaluations,
    used: Sequence[Configuration],
    *,
    optional: bool,
) -> dict[Configuration, Measure] | str:
    """Return what a metric measures in each of its configurations.

    Where an optional metric cannot take the links, return a note instead.
    """
    measures = {}
    for one in used:
        try:
            measures[one] = metric.measure(evaluations.of(one))
        except SeveralLinksError as error:
            error.count_from(run.texts.before)
            if optional and metric.link_use is LinkUse.ONE_TO_ONE:
                return f"{metric.name} is left out, because it takes one link a word: {error.where}: {error.fault}"
            made_by = None if run.links.hypothesis_reference else one.aligner
            raise several_links(error, metric, made_by) from None
    return measures


def _columns(measure: Measure) -> tuple[dict[str, Rows], list[PartShape]]:
    """Return every column of numbers of a system by its name, and the shapes of the parts."""
    statistics = np.asarray(measure.statistics).T
    named: dict[str, Rows] = {"score": measure.scores}
    named |= {f"statistic {k}": column for k, column in enumerate(statistics)}
    if measure.margins is not None:
        named["margin"] = measure.margins
    shapes = []
    for number, each in enumerate(measure.parts):
        shape, numbers = _named_parts(each, f"parts {number}")
        shapes.append(shape)
        named |= numbers
    return named, shapes


def _measure(columns: Mapping[str, Rows], shapes: Sequence[PartShape]) -> Measure:
    """Return what columns hold, in memory or on disk."""
    numbers = cast("Mapping[str, Any]", columns)  # those on disk slice as arrays do
    statistics = [rows for name, rows in numbers.items() if name.startswith("statistic ")]
    in_memory = all(isinstance(column, np.ndarray) for column in statistics)
    held: Any = np.column_stack(statistics) if in_memory else Beside(statistics)
    parts = tuple(_parts(shape, columns) for shape in shapes)
    return Measure(held, numbers["score"], parts, numbers.get("margin"))


def _named_parts(parts: ScoreParts, start: str) -> tuple[PartShape, dict[str, Rows]]:
    """Return parts of a score with names that begin so in place of numbers, and the numbers by name."""
    numbers: dict[str, Any] = {f"{start} sizes": parts.sizes, f"{start} evidence": parts.evidence}
    terms = []
    for place, term in enumerate(parts.terms):
        names = {name: f"{start} {place} {name}" for name in term.factors}
        numbers |= {names[name]: values for name, values in term.factors.items()}
        terms.append([term.weight, names])
    flags = {name: getattr(parts, name) for name in ("added", "shown", "neutral")}
    shape = {"sizes": f"{start} sizes", "evidence": f"{start} evidence", "terms": terms, **flags}
    return shape, numbers


def _parts(shape: PartShape, held: Mapping[str, Rows]) -> ScoreParts:
    """Return parts of a score with numbers in place of their names."""
    numbers = cast("Mapping[str, Any]", held)  # those on disk slice as arrays do
    terms = tuple(
        Term(weight, {name: numbers[kind] for name, kind in names.items()})
        for weight, names in shape["terms"]
    )
    named = {name: numbers[shape[name]] for name in ("sizes", "evidence")}
    return ScoreParts(**{**shape, **named, "terms": terms})


def _label_counts(run: Run) -> dict[tuple[int, int], LabelCounts]:
    """Return the labels and tags of trees that metrics looked at, if some were given."""
    if not run.texts.trees:
        return {}
    texts = [*run.corpus.systems, *run.corpus.references]
    looked_at = [  # trees depend on parsers alone, so that one aligner tells them all
        {} if source is None else source.looked_at() for source in run.trees.values()
    ]
    return {
        (parser, place): LabelCounts.of(trees[text])
        for parser, trees in enumerate(looked_at)
        for place, text in enumerate(texts)
        if text in trees
    }
