"""A sanity check of metrics: references whose words were moved, dropped or replaced, and what metrics say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.settings import checked, taken, takes
from kilter.io.output import new_folder, write_file
from kilter.io.text import text_lines
from kilter.results.comparison import Comparison, SignificanceTest
from kilter.results.ladder_result import LadderResult, MetricLadder, Rung
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.given_score import compare_scores
from kilter.run.scoring.measurement import measure
from kilter.run.scoring.run import chosen_tokenizer
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.significance import compare_measured
from kilter.stats.resampling import Resampling
from kilter.stats.significance import LIKELY, decision_note, smallest_corrected

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kilter.results.comparison import MetricComparison

REFERENCE = "reference"
"""What the references themselves are called among the rungs."""
RUNGS = {
    "swap": "every two neighbours swapped",
    "half-swap": "every other such pair swapped",
    "shuffle": "words shuffled",
    "reverse": "words reversed",
    "halves": "halves exchanged",
    "drop": "every fifth word dropped",
    "substitute": "every fifth word replaced by one of another sentence",
}
"""What is done to references, by name; the first five move words, and the last two change which there are."""
_FIFTH = 5
_SEED = 7
_CHARACTERS = ("char", "zh", "ja-mecab")
"""Tokenisers of languages without blanks between words: there characters are moved."""


def ladder(reference: Sequence[str], tokenize: str | None = None) -> dict[str, list[str]]:
    """Return the rungs of a text: its words, or characters, moved, dropped or replaced.

    >>> ladder(["a b c d e"])["swap"], ladder(["a b c d e"])["halves"]
    (['b a d c e'], ['c d e a b'])
    """
    characters = tokenize in _CHARACTERS
    random, joint = Random(_SEED), "" if characters else " "  # noqa: S311 - not for secrets
    split = [list(line.replace(" ", "")) if characters else line.split() for line in reference]
    every = [word for words in split for word in words]
    rungs: dict[str, list[str]] = {name: [] for name in RUNGS}
    for words in split:
        shuffled = [*words]
        random.shuffle(shuffled)
        half = len(words) // 2
        moved = {
            "swap": _swapped(words, 2),
            "half-swap": _swapped(words, 4),
            "shuffle": shuffled,
            "reverse": words[::-1],
            "halves": words[half:] + words[:half],
            "drop": [word for k, word in enumerate(words) if k % _FIFTH != _FIFTH - 1],
            "substitute": [
                random.choice(every) if k % _FIFTH == _FIFTH - 1 else word
                for k, word in enumerate(words)
            ],
        }
        for name, changed in moved.items():
            rungs[name].append(joint.join(changed))
    return rungs


def _swapped(words: list[str], step: int) -> list[str]:
    """Return words with every two neighbours swapped that begin at a multiple of the step."""
    swapped = [*words]
    for place in range(0, len(words) - 1, step):
        swapped[place], swapped[place + 1] = words[place + 1], words[place]
    return swapped


@takes(Settings)
def metric_ladder(
    references: object, *, settings: Settings | None = None, **keywords: object
) -> LadderResult:
    """Return what metrics say of references whose words were moved, dropped or replaced: what they notice.

    `references` are the sentences, one string each; the other options are those of `Settings`.

    >>> lines = [f"the cat number {k} sat on a mat" for k in range(30)]
    >>> (found,) = metric_ladder(lines, metrics="order").metrics
    >>> [rung.name for rung in found.rungs if not rung.noticed]
    ['substitute', 'drop']
    """
    lines = text_lines(references, where="references")
    return ladder_of_texts(lines, taken(Settings, settings, keywords))


def ladder_of_texts(
    lines: Sequence[str],
    settings: Settings,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> LadderResult:
    """Return the ladder of sentences that are already read; see `metric_ladder`."""
    if not any(line.strip() for line in lines):
        raise InputError("have no word; there is nothing to move", where="references")
    rungs = ladder(lines, chosen_tokenizer(settings, trees=False))
    texts = Texts(systems={REFERENCE: lines, **rungs}, references={"references": lines})
    measurement = measure(texts, settings, progress=progress)
    compared = compare_measured(
        measurement.systems,
        measurement.measured,
        tests=[SignificanceTest.RANDOMISATION],
        resampling=settings.resampling,
    )
    return _result(compared)


def write_ladder(lines: Sequence[str], settings: Settings, folder: Path) -> None:
    """Write the references and their rungs into a new folder, a text each, for another tool to score."""
    texts = {REFERENCE: lines, **ladder(lines, chosen_tokenizer(settings, trees=False))}
    with new_folder(folder) as place:
        for name, own in texts.items():
            write_file(place / f"{name}.txt", "".join(f"{line}\n" for line in own))


@checked
def ladder_of_scores(
    scores: str | Mapping[str, Sequence[float | None]],
    *,
    lower_is_better: Sequence[str] = (),
    resampling: Resampling | None = None,
) -> LadderResult:
    """Return the ladder of scores that somebody gave to the rungs, of which `ladder` makes the texts.

    Systems are called as the rungs, and `reference` as the references themselves.
    """
    compared = compare_scores(
        scores,
        baseline=REFERENCE,
        tests=[SignificanceTest.RANDOMISATION],
        lower_is_better=lower_is_better,
        resampling=resampling,
    )
    unknown = [name for name in compared.systems if name != REFERENCE and name not in RUNGS]
    if unknown:
        raise InputError(
            f"scores a system {unknown[0]!r}, which is no rung; rungs are {', '.join(RUNGS)}",
            where=scores if isinstance(scores, str) else "scores",
        )
    return _result(compared)


def _result(compared: Comparison) -> LadderResult:
    return LadderResult(
        segments=compared.segments,
        metrics=tuple(_metric_ladder(compared, each) for each in compared.metrics),
        notes=(
            f"{counted(compared.segments, 'reference')}; {_method(compared)}",
            *(filter(None, [decision_note(len(compared.systems) - 1, compared.resampling.count)])),
        ),
    )


def _method(compared: Comparison) -> str:
    return (
        f"paired approximate randomisation, {compared.resampling.count} resamples, seed {compared.resampling.seed}; p "
        "corrected for the rungs of a metric (Holm)"
    )


def _metric_ladder(compared: Comparison, metric: MetricComparison) -> MetricLadder:
    """Return the rungs of a metric, from the one that it likes best down."""
    sign = 1.0 if metric.higher_is_better else -1.0
    scores = dict(zip(compared.systems, metric.intervals, strict=True))
    rungs = []
    smallest = smallest_corrected(len(compared.systems) - 1, compared.resampling.count)
    decidable = smallest < LIKELY
    for name in compared.systems:
        pair = metric.pair(REFERENCE, name)
        if pair is None:
            continue
        p = (
            None
            if pair.holm_baseline is None
            else pair.holm_baseline[SignificanceTest.RANDOMISATION]
        )
        moved = 0.0 if pair.difference is None else sign * pair.difference
        if moved and not decidable:
            p = None
        effect = pair.effect
        rungs.append(
            Rung(
                name=name,
                change=RUNGS[name],
                score=scores[name],
                worse=effect.worse / compared.segments,
                better=effect.better / compared.segments,
                p=p,
                noticed=p is not None and p < LIKELY and moved < 0.0,
                preferred=p is not None and p < LIKELY and moved > 0.0,
            )
        )
    worst = float("-inf")
    rungs.sort(key=lambda rung: worst if rung.score.value is None else sign * rung.score.value)
    return MetricLadder(
        name=metric.name,
        signature=metric.signature,
        higher_is_better=metric.higher_is_better,
        reference=scores[REFERENCE],
        rungs=tuple(reversed(rungs)),
    )
