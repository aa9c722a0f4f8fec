"""What was asked, of whom, and how each system's translations were judged in each language pair. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.estimate import Estimate
from kilter.core.table import Column, Table
from kilter.render.page.sub_report import SubReport
from kilter.stats.resampling import USUAL, Resampling, bootstrap_indices
from kilter.study.judgments.judgment_study import SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.study.judgments.judgment_study import JudgmentStudy

LEAST_SENTENCES = 5
"""With fewer sentences, resampling them says little of how far a mean may be off."""
ENDS = (0.025, 0.975)
"""The quantiles of resamples that bound an interval."""
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemAnswer:
    """Answers, from 0 to 1, to one question about the translations of one system in one language pair."""

    question: str
    system: str
    pair: str
    mean: Estimate
    judgments: int
    sentences: int


def system_answers(
    study: JudgmentStudy, *, resampling: Resampling = USUAL
) -> tuple[SystemAnswer, ...]:
    """Return mean answers by question, system and language pair, with intervals over sentences."""
    translated = study.rows(SentenceGroup.TRANSLATION)
    names = [(each.system or UNKNOWN, each.pair or UNKNOWN) for each in study.sentences]
    judged = dict.fromkeys(names[place] for place in study.sentence[translated].tolist())
    found = []
    for question in study.questions:
        scores = study.scores(question.name)
        for system, pair in sorted(judged):
            own = np.array([name == (system, pair) for name in names], dtype=np.bool_)
            rows = translated & own[study.sentence] & ~np.isnan(scores)
            sums = np.zeros(len(names))
            np.add.at(sums, study.sentence[rows], scores[rows])
            counts = np.bincount(study.sentence[rows], minlength=len(names))
            heard = counts > 0
            found.append(
                SystemAnswer(
                    question=question.name,
                    system=system,
                    pair=pair,
                    mean=ratio_of_sums(sums[heard], counts[heard], resampling=resampling),
                    judgments=int(rows.sum()),
                    sentences=int(heard.sum()),
                )
            )
    return tuple(found)


def ratio_of_sums(
    parts: NDArray[np.float64], wholes: NDArray[np.int64], *, resampling: Resampling
) -> Estimate:
    """Return the sum of parts over that of wholes, one of each by sentence, with its interval over sentences.

    >>> ratio_of_sums(np.array([1.0, 0.5]), np.array([2, 1]), resampling=USUAL).reason
    '2 sentences; an interval needs 5'
    """
    count = len(parts)
    if not count:
        return Estimate(n=0, reason="there is no answer")
    value = float(parts.sum() / wholes.sum())
    if count < LEAST_SENTENCES:
        return Estimate(value, n=count, reason=too_few_sentences(count))
    weights = resampled_weights(count, resampling)
    low, high = np.quantile((weights @ parts) / (weights @ wholes), ENDS)
    return Estimate(value, float(low), float(high), n=count)


def too_few_sentences(count: int) -> str:
    """Return why so few sentences have no interval."""
    return f"{counted(count, 'sentence')}; an interval needs {LEAST_SENTENCES}"


def resampled_weights(count: int, resampling: Resampling) -> NDArray[np.float64]:
    """Return how often each resample draws each of so many sentences."""
    drawn = bootstrap_indices(count, resamples=resampling.count, seed=resampling.seed)
    rows = np.arange(len(drawn))[:, np.newaxis] * count + drawn
    weights = np.bincount(rows.ravel(), minlength=len(drawn) * count)
    return weights.reshape(len(drawn), count).astype(np.float64)


def design_report(study: JudgmentStudy, answers: Sequence[SystemAnswer]) -> SubReport:
    """Return the sub-report of what was asked, of whom, and of the systems' means."""
    pairs = list(dict.fromkeys(each.pair for each in answers))
    return SubReport(
        name="design",
        title="What was asked, and of whom",
        text=(asked_text(study), *_wordings(study), *_best(answers)),
        data=Table(
            columns=("question", "system", "pair", "mean", "low", "high", "judgments", "sentences"),
            rows=tuple(
                (each.question, each.system, each.pair, *each.mean.triple, each.judgments, each.sentences)
                for each in answers
            ),
            left=3,
        ),
        shown=tuple(
            Table(
                columns=("system", *pairs),
                rows=_by_system([each for each in answers if each.question == question], pairs),
                title=f"Mean answers to {question} by system and language pair",
            )
            for question in dict.fromkeys(each.question for each in answers)
        ),
        notes=(
            (
                "n: answers about translations, from 0, the worst, to 1; missing answers are left out. In brackets: 95% interval of the mean over "
                f"sentences (bootstrap), of {LEAST_SENTENCES} sentences or more; behind it the number of judgments."
            ),
        ),
    )  # fmt: skip


def asked_text(study: JudgmentStudy) -> str:
    """Return how many people judged what."""
    judged = [study.sentences[place] for place in sorted({*study.sentence.tolist()})]
    systems = sorted({each.system for each in judged if each.system} | {
        each.second_system for each in judged if each.second_system
    })  # fmt: skip
    pairs = sorted({each.pair for each in judged if each.pair})
    asked = counted(len(study.questions) + len(study.preferences), "question")
    text = (
        f"{counted(len(study.participants), 'participant')} gave {counted(len(study), 'judgment')} of "
        f"{counted(len(judged), 'item')}, and each judgment answers {asked}."
    )
    if systems:
        text += f" The translations are those of {_listed(systems, 'system')}"
        text += f", {', '.join(pairs)}." if pairs else "."
    return text


def _listed(names: Sequence[str], noun: str) -> str:
    return f"{counted(len(names), noun)} ({', '.join(names)})"


def _wordings(study: JudgmentStudy) -> tuple[str, ...]:
    """Return the questions as they were put, where the data has a dictionary."""
    asked = study.wording.get("judgments", {})
    names = [*(question.name for question in study.questions), *study.preferences]
    return tuple(f"{name}: {_as_put(asked[name])}" for name in names if name in asked)


def _as_put(meaning: str) -> str:
    """Return a question without what a dictionary says of empty cells.

    >>> _as_put("Which is better? (1 = first, 2 = second, or the words themselves; empty = no answer)")
    'Which is better? (1 = first, 2 = second)'
    >>> _as_put("How good? (empty = no answer)")
    'How good?'
    """
    for ending in (", or the words themselves; empty = no answer)", "; empty = no answer)"):
        if meaning.endswith(ending):
            return meaning.removesuffix(ending) + ")"
    return meaning.removesuffix(" (empty = no answer)")


def _best(answers: Sequence[SystemAnswer]) -> tuple[str, ...]:
    """Return for each question and language pair which system was judged best."""
    found = []
    for question, pair in dict.fromkeys((each.question, each.pair) for each in answers):
        listed = [
            (each.mean.value, each.system)
            for each in answers
            if (each.question, each.pair) == (question, pair) and each.mean.value is not None
        ]
        if len(listed) > 1:
            ranked = ", ".join(f"{name} {mean:.2f}" for mean, name in sorted(listed, reverse=True))
            found.append(f"Mean answers to {question}, {pair}: {ranked}.")
    return tuple(found)


def _by_system(
    answers: Sequence[SystemAnswer], pairs: Sequence[str]
) -> tuple[tuple[str | None, ...], ...]:
    cells = {(each.system, each.pair): each for each in answers}
    shown = Column("mean", ".3f[]")
    return tuple(
        (
            system,
            *(
                f"{shown.text(found.mean)} ({found.judgments})"
                if (found := cells.get((system, pair)))
                else None
                for pair in pairs
            ),
        )
        for system in dict.fromkeys(each.system for each in answers)
    )
