"""Quality by place in the questionnaire and by questionnaire: means near 0.5 if all are alike. Section 13.1"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from statistics import stdev
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.chart.chart import Curve, curve_chart
from kilter.render.chart.frame import Caption, statement
from kilter.render.page.sub_report import Figure, SubReport
from kilter.stats.undefined import Undefined
from kilter.study.analysis.summary import Summary, prefixed, summarise, summary_cells
from kilter.study.judgments.judgment_study import DEGREE_TOOL, RANK_TOOL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.study.judgments.judgment_study import JudgmentStudy


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceQuality:
    """One position, or one questionnaire: items by kind, and summaries of the quality measures."""

    place: int
    judgments: int
    kinds: Mapping[str, int]
    rank_score: Summary
    degree_score: Summary
    answers: Mapping[str, Summary]


def quality_by_position(study: JudgmentStudy) -> tuple[PlaceQuality, ...]:
    """Return the quality of what stands at each position of the questionnaires, from 1."""
    return _by(study, study.position)


def quality_by_questionnaire(study: JudgmentStudy) -> tuple[PlaceQuality, ...]:
    """Return the quality of each questionnaire, by number."""
    return _by(study, study.questionnaire)


def _by(study: JudgmentStudy, place: NDArray[np.int64]) -> tuple[PlaceQuality, ...]:
    kinds = np.array([str(sentence.kind) for sentence in study.sentences], dtype=object)
    analysed = study.rows()
    rank, degree = (study.values_of(tool)[study.sentence] for tool in (RANK_TOOL, DEGREE_TOOL))
    scores = {question.name: study.scores(question.name) for question in study.questions}
    translated, permuted = kinds == "translation", kinds == "permutation"
    places = []
    for number in np.unique(place).tolist():
        rows = place == number
        sentence = study.sentence[rows]
        places.append(
            PlaceQuality(
                place=number,
                judgments=int(rows.sum()),
                kinds=dict(sorted(Counter(kinds[sentence].tolist()).items())),
                rank_score=summarise(rank[rows & translated[study.sentence]]),
                degree_score=summarise(degree[rows & permuted[study.sentence]]),
                answers={
                    name: summarise(values[rows & analysed]) for name, values in scores.items()
                },
            )
        )
    return tuple(places)


_MOST_NAMED = 30


def position_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of quality by position."""
    return _uniformity(study, quality_by_position(study), "position")


def questionnaire_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of quality by questionnaire."""
    return _uniformity(study, quality_by_questionnaire(study), "questionnaire")


def _uniformity(study: JudgmentStudy, places: Sequence[PlaceQuality], by: str) -> SubReport:
    questions = [question.name for question in study.questions]
    kinds = sorted({kind for place in places for kind in place.kinds})
    rows = tuple(
        (
            place.place,
            place.judgments,
            *(place.kinds.get(kind, 0) for kind in kinds),
            *summary_cells(place.rank_score),
            *summary_cells(place.degree_score),
            *(cell for name in questions for cell in summary_cells(place.answers[name])),
        )
        for place in places
    )
    columns = (
        by, "judgments", *kinds, *prefixed("rank_score"), *prefixed("degree_score"),
        *(column for name in questions for column in prefixed(name)),
    )  # fmt: skip
    shown = Table(
        columns=(by, *kinds, "rank score", "degree score", *questions),
        rows=tuple(
            (
                place.place,
                *(place.kinds.get(kind, 0) for kind in kinds),
                place.rank_score.mean,
                place.degree_score.mean,
                *(place.answers[name].mean for name in questions),
            )
            for place in places
        ),
        left=0,
        title=f"Judgments by kind of sentence, and mean quality, by {by}",
    )
    missing = {name: sum(place.answers[name].missing for place in places) for name in questions}
    return SubReport(
        name=by,
        title=f"Quality by {by}",
        text=tuple(
            _range(places, name, by, summarise(study.scores(name)[study.rows()]))
            for name in questions
        ),
        data=Table(columns=columns, rows=rows, left=0),
        shown=(shown,),
        figures=(Figure(svg=quality_figure(places, by=by, simulated=study.simulated)),),
        notes=(
            f"n: {counted(len(study), 'judgment')}; missing answers: "
            + ", ".join(f"{count} {name}" for name, count in missing.items())
            + "; they are left out of the means.",
            (
                "Rank scores are those of translations, degree scores those of permutations; answers go from 0, "
                "the worst, to 1."
            ),
        ),
    )


def _range(places: Sequence[PlaceQuality], question: str, by: str, everything: Summary) -> str:
    """Return how far means differ, and how far they would by chance alone."""
    means = [m for place in places if isinstance(m := place.answers[question].mean, float)]
    if not means:
        return f"There is no answer to the question {question}."
    text = (
        f"Mean {question} scores by {by} lie between {min(means):.3f} and {max(means):.3f}, on average "
        f"{sum(means) / len(means):.3f}"
    )
    if len(means) < 2 or isinstance(everything.deviation, Undefined):
        return f"{text}."
    chance = everything.deviation * sqrt(len(means) / everything.count)
    return (
        f"{text}. Their standard deviation is {stdev(means):.3f}; independent judgments that differ by chance alone "
        f"would give {chance:.3f}."
    )


def quality_figure(places: Sequence[PlaceQuality], *, by: str, simulated: bool) -> str:
    """Return mean answers, rank scores and degree scores by `position` or by `questionnaire`."""
    title = f"Quality by {by}"
    if not places:
        nothing = Undefined("there is no judgment")
        return statement(Caption(title=title, simulated=simulated), nothing)
    measures = {name: [place.answers[name] for place in places] for name in places[0].answers}
    measures["rank score (translations)"] = [place.rank_score for place in places]
    measures["degree score (permutations)"] = [place.degree_score for place in places]
    named = len(places) <= _MOST_NAMED
    at = [float(number if named else place.place) for number, place in enumerate(places)]
    curves, notes = list[Curve](), list[str]()
    for name, summaries in measures.items():
        points = _means(at, summaries)
        if points:
            curves.append(Curve(name=name, points=points))
        if len(points) < len(places):
            notes.append(_left_out(name, summaries, by))
    kinds: dict[str, int] = {}
    for place in places:
        for kind, count in place.kinds.items():
            kinds[kind] = kinds.get(kind, 0) + count
    items = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    notes.append(f"Judged items: {items}. The dashed line is 0.5, the middle of every scale.")
    total = sum(place.judgments for place in places)
    return curve_chart(
        curves,
        caption=Caption(title=title, notes=notes, simulated=simulated),
        x=f"{by} (n = {counted(total, 'judgment')})",
        y="mean, from 0 to 1",
        labels=[str(place.place) for place in places] if named else (),
        reach=(0.0, 1.0),
        rule=0.5,
    )


def _means(at: Sequence[float], summaries: Sequence[Summary]) -> list[tuple[float, float]]:
    return [
        (place, summary.mean)
        for place, summary in zip(at, summaries, strict=True)
        if not isinstance(summary.mean, Undefined)
    ]


def _left_out(name: str, summaries: Sequence[Summary], by: str) -> str:
    missing = [summary.mean for summary in summaries if isinstance(summary.mean, Undefined)]
    where = f"at {len(missing)} of {counted(len(summaries), by)}"
    return f"{name}, {where}: {missing[0]}"
