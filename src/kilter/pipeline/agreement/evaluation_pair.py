"""One language pair of a study: judgments, texts and scores of the same systems, read and matched."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kilter.agreement.scored import Scored
from kilter.counted import counted
from kilter.errors import InputError, OptionError
from kilter.formats.file_name import check_name
from kilter.formats.score_file import read_metric_scores, score_matrix
from kilter.formats.stream import ByteSource
from kilter.formats.text import read_text
from kilter.judgments.reader import JudgmentFormat, read_judgments
from kilter.judgments.survey_export import SurveyQuestion
from kilter.metrics.registry import metric
from kilter.options.argument import check_fields
from kilter.options.choice import Choice
from kilter.pipeline.scoring.corpus import Texts, check_counts
from kilter.pipeline.scoring.measurement import Measurement, measure
from kilter.pipeline.scoring.metric_choice import available, choose_metrics
from kilter.pipeline.scoring.settings import Settings
from kilter.structures.judgment.judgments import Judgments, Repeated, Unscored

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.formats.score_file import ScoreRow
    from kilter.metrics.metric import Metric
    from kilter.pipeline.scoring.significance import Measured

    Floats = NDArray[np.float64]

_SUFFIXES = (".gz", ".xz", ".txt")


class Identical(Choice):
    """What to do with judged pairs whose two outputs are the same text: keep or leave them out."""

    KEEP = "keep"
    DROP = "drop"


@dataclass(frozen=True, kw_only=True)
class StudyInputs:
    """The files of one language pair, and how to read them."""

    judgments: str
    references: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    """Files, or folders whose files are the systems."""
    source: str | None = None
    scores: Mapping[str, str] = field(default_factory=dict)
    """Files of segment scores by the name of their metric."""
    lower_is_better: tuple[str, ...] = ()
    """Metrics of these files where less is better; those that Kilter has too are known to it."""
    judgment_format: JudgmentFormat = JudgmentFormat.AUTO
    judgment_name: str | None = None
    pair: str | None = None
    question: SurveyQuestion = SurveyQuestion.ORDER
    threshold: float = 0.0
    aligner: str | None = None
    tokenize: str | None = None
    language: str | None = None
    lowercase: bool = False
    published: str | None = None

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, kw_only=True)
class JudgmentPolicy:
    """What becomes of judgments that do not count by themselves."""

    unscored: Unscored = Unscored.STOP
    repeated: Repeated = Repeated.COUNT
    identical: Identical = Identical.KEEP

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, kw_only=True)
class Matched:
    """Judgments and the metrics' scores of the same systems and segments."""

    judgments: Judgments = field(repr=False)
    segments: int
    metrics: tuple[Scored, ...] = field(repr=False)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class MatchedTexts:
    """Judgments and the texts of the judged systems."""

    judgments: Judgments = field(repr=False)
    texts: Texts = field(repr=False)


def read_study(
    inputs: StudyInputs,
    specifications: Sequence[str],
    *,
    policy: JudgmentPolicy | None = None,
    controls: bool = True,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Matched:
    """Return what a study compares: metrics by specification, and those that files hold scores of."""
    chosen = policy or JudgmentPolicy()
    files = _score_files(inputs)
    if not specifications and not files:
        raise OptionError("there is no metric; name one, or give a file of scores")
    if not specifications:
        return _from_scores(inputs, files, chosen)
    matched = match_texts(inputs, chosen)
    texts, judgments = matched.texts, matched.judgments
    segments = len(next(iter(texts.references.values())))
    wanted = choose_metrics(specifications, available(texts))
    names = _with_controls(wanted) if controls else dict.fromkeys(wanted)
    settings = Settings(
        metrics=tuple(names),
        aligner=inputs.aligner,
        tokenize=inputs.tokenize,
        language=inputs.language,
        lowercase=inputs.lowercase,
        jobs=jobs,
    )
    measurement = measure(texts, settings, progress=progress)
    metrics = [_scored(measurement, each, names[each.name]) for each in measurement.measured]
    metrics += _external(inputs, files, judgments.systems, segments)
    return Matched(
        judgments=judgments,
        segments=segments,
        metrics=tuple(metrics),
        notes=(*measurement.notes, *_passed_over(files, judgments.systems)),
    )


def match_texts(inputs: StudyInputs, policy: JudgmentPolicy) -> MatchedTexts:
    """Return the judgments, and the texts of the systems that they judge."""
    if not inputs.references or not inputs.systems:
        raise OptionError(
            "metrics over text need a reference and systems; files of scores need neither"
        )
    texts = Texts(
        systems={name: _lines(path) for name, path in system_files(inputs.systems).items()},
        references={path: _lines(path) for path in inputs.references},
        source=(inputs.source, _lines(inputs.source)) if inputs.source else None,
    )
    check_counts(texts)
    segments = len(next(iter(texts.references.values())))
    judgments = _judgments(inputs, texts.systems, segments, policy)
    judged = sorted(judged_systems(judgments))
    texts = replace(
        texts, systems={name: texts.systems[name] for name in _named(texts.systems, judged)}
    )
    judgments = _only(judgments, list(texts.systems), segments)
    same = _identical(texts, judgments)
    if policy.identical is Identical.DROP:
        judgments = judgments.without(same, "identical")
    else:
        judgments = replace(
            judgments, counts={**judgments.counts, "identical": int(np.count_nonzero(same))}
        )
    return MatchedTexts(judgments=_not_empty(judgments), texts=texts)


def judged_systems(judgments: Judgments) -> set[int]:
    """Return the numbers of the systems that appear in judgments."""
    columns = (judgments.pairs.first, judgments.pairs.second, judgments.scores.system)
    return {int(number) for column in columns for number in np.unique(column)}


def system_files(paths: Sequence[str]) -> dict[str, str]:
    """Return the files of systems by name; a folder stands for the files in it."""
    found: dict[str, str] = {}
    for path in paths:
        folder = Path(path)
        try:
            files = (
                sorted(entry for entry in folder.iterdir() if entry.is_file())
                if folder.is_dir()
                else [folder]
            )
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=path) from error
        if not files:
            raise InputError("holds no file", where=path)
        for file in files:
            if file.name.startswith("."):
                continue
            check_name(str(file))
            name = _stem(file.name)
            if name in found:
                raise InputError(
                    f"is called {name} as {found[name]} is; rename one", where=str(file)
                )
            found[name] = str(file)
    return found


def _stem(name: str) -> str:
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def _named(systems: Mapping[str, Sequence[str]], places: Sequence[int]) -> list[str]:
    names = list(systems)
    return [names[place] for place in places]


def _lines(path: str) -> tuple[str, ...]:
    return read_text(ByteSource(path))


def _judgments(
    inputs: StudyInputs,
    outputs: Mapping[str, Sequence[str]],
    segments: int,
    policy: JudgmentPolicy,
) -> Judgments:
    found = read_judgments(
        inputs.judgments,
        form=inputs.judgment_format,
        outputs=outputs,
        pair=inputs.pair,
        name=inputs.judgment_name,
        question=inputs.question,
    )
    matched = found.of_systems(list(outputs), segments, unscored=policy.unscored)
    return _not_empty(matched.once(policy.repeated).with_pairs(threshold=inputs.threshold))


def _not_empty(judgments: Judgments) -> Judgments:
    if not len(judgments.pairs) and not len(judgments.scores):
        raise InputError(
            "no judgment is left: all were of systems without output, or of identical outputs",
            where=judgments.source,
        )
    return judgments


def _only(judgments: Judgments, systems: Sequence[str], segments: int) -> Judgments:
    """Return the judgments renumbered along the judged systems, without counting them again."""
    place = {name: number for number, name in enumerate(judgments.systems)}
    kept = [place[name] for name in systems]
    number = np.full(len(judgments.systems), -1, dtype=np.int64)
    number[kept] = np.arange(len(kept))
    assert judgments.segments <= segments  # noqa: S101 - checked when they were matched
    return replace(
        judgments,
        systems=tuple(systems),
        pairs=replace(
            judgments.pairs,
            first=number[judgments.pairs.first],
            second=number[judgments.pairs.second],
        ),
        scores=replace(judgments.scores, system=number[judgments.scores.system]),
    )


def _identical(texts: Texts, judgments: Judgments) -> NDArray[np.bool_]:
    """Return which judged pairs are two copies of one text."""
    number: dict[str, int] = {}
    ids = np.array(
        [
            [number.setdefault(line, len(number)) for line in lines]
            for lines in texts.systems.values()
        ]
    )
    pairs = judgments.pairs
    return np.asarray(ids[pairs.first, pairs.segment] == ids[pairs.second, pairs.segment])


def _with_controls(wanted: Mapping[str, Metric]) -> dict[str, str | None]:
    """Return the names of metrics, each followed by its control, with the control of each."""
    names: dict[str, str | None] = {}
    for name, made in wanted.items():
        control = made.control()
        names[name] = None if control is None else control.specification()
        if control is not None:
            names.setdefault(control.specification(), None)
    return names


def _scored(measurement: Measurement, measured: Measured, control: str | None) -> Scored:
    made, name = measured.metric, measured.name
    scores = np.stack([measurement.scores[name, system] for system in measurement.systems])
    sign = 1.0 if made.higher_is_better else -1.0
    return Scored(
        name=name,
        signature=measured.signature,
        scores=sign * np.where(np.isfinite(scores), scores, np.nan),
        statistics=np.stack(measured.statistics),
        corpus_score=lambda sums: sign * made.corpus_score(sums),
        control=control,
    )


_Files = dict[str, tuple[str, list["ScoreRow"]]]


def _score_files(inputs: StudyInputs) -> _Files:
    """Return the rows of every metric of every file, with the file."""
    found: _Files = {}
    for name, path in inputs.scores.items():
        source = ByteSource(path)
        for called, rows in read_metric_scores(source, name=name).items():
            if called in found:
                raise InputError(
                    f"holds scores of {called}, and so does {found[called][0]}", where=source.name
                )
            found[called] = (source.name, rows)
    return found


def _external(
    inputs: StudyInputs, files: _Files, systems: Sequence[str], segments: int
) -> list[Scored]:
    for name in inputs.lower_is_better:
        if name not in files:
            raise OptionError(
                f"there are no scores of {name!r}, of which less is to be better; there are scores of: "
                f"{', '.join(files) or 'nothing'}"
            )
    return [
        Scored.external(
            name,
            score_matrix(rows, systems, segments, where=where),
            lower_is_better=name in inputs.lower_is_better or _falls(name),
        )
        for name, (where, rows) in files.items()
    ]


def _falls(name: str) -> bool:
    """Return whether less is better of a metric that Kilter has, such as ter."""
    try:
        return not metric(name).higher_is_better
    except OptionError:
        return False


def _passed_over(files: _Files, systems: Sequence[str]) -> list[str]:
    """Return how many systems of each file nobody judged, or have no output."""
    notes = []
    for where, rows in dict(files.values()).items():
        others = {row.system for row in rows} - set(systems)
        if others:
            notes.append(
                f"{where}: scores of {counted(len(others), 'system')} left out: nobody judged "
                f"{'it' if len(others) == 1 else 'them'}"
            )
    return notes


def _from_scores(inputs: StudyInputs, files: _Files, policy: JudgmentPolicy) -> Matched:
    """Return a study of score files alone: systems and segments are those that they name."""
    systems = list(dict.fromkeys(row.system for _, rows in files.values() for row in rows))
    segments = 1 + max(row.segment for _, rows in files.values() for row in rows)
    judgments = _judgments(inputs, dict.fromkeys(systems, ()), segments, policy)
    names = _named(dict.fromkeys(systems, ()), sorted(judged_systems(judgments)))
    judgments = _only(judgments, names, segments)
    return Matched(
        judgments=judgments,
        segments=segments,
        metrics=tuple(_external(inputs, files, names, segments)),
    )
