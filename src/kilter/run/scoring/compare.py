"""Systems compared: measured, and resampled for intervals and paired tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.core.settings import checked_value, taken, takes
from kilter.results.comparison import Comparison, SignificanceTest
from kilter.run.scoring.corpus import Texts, texts_from_api
from kilter.run.scoring.links import GivenLinks, Links
from kilter.run.scoring.measurement import measure
from kilter.run.scoring.score import zero_notes
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.significance import baseline_of, compare_measured
from kilter.run.scoring.text_note import transposition_note
from kilter.run.scoring.trees import Trees
from kilter.stats.significance import MarkRule, resample_note

if TYPE_CHECKING:
    from collections.abc import Callable


@takes(Settings)
def compare(  # noqa: PLR0913 - what is compared, and how; all but texts by name
    hypotheses: object,
    references: object,
    *,
    baseline: str | None = None,
    tests: Sequence[SignificanceTest | str] = tuple(SignificanceTest),
    marks: MarkRule | str = MarkRule.CORRECTED,
    source: object = None,
    links: Links | GivenLinks | None = None,
    trees: Trees | None = None,
    settings: Settings | None = None,
    **keywords: object,
) -> Comparison:
    """Return intervals, paired tests and effect sizes of several systems (a mapping of lists of strings).

    The baseline is the first system unless another is named; the first of `tests` is the one that tables
    show, and whose corrected p-values the marks follow; with `marks="share"` they follow the share of
    resamples, as published. Everything else is as in `score`.

    >>> lines = [f"word {n} stands here" for n in range(40)]
    >>> turned = [" ".join(reversed(line.split())) for line in lines]
    >>> found = compare({"kept": lines, "turned": turned}, lines, metrics="kendall")
    >>> pair = found.metrics[0].pair("kept", "turned")
    >>> pair.difference
    -1.0
    """
    options = taken(Settings, settings, keywords)
    chosen = options
    texts = texts_from_api(hypotheses, references, source, links=links, trees=trees)
    if len(texts.systems) < 2:
        raise InputError(
            "is one system; a comparison needs two or more, in a mapping from their names",
            where="hypotheses",
        )
    named = checked_value("baseline", baseline, str | None)
    wanted = checked_value("tests", tests, _TESTS)
    rule = checked_value("marks", marks, MarkRule)
    found = compare_texts(texts, chosen, baseline=named, tests=wanted, marks=rule)
    note = transposition_note(texts)
    return replace(found, notes=(note, *found.notes)) if note else found


_TESTS = tuple[SignificanceTest, ...]


def compare_texts(
    texts: Texts,
    settings: Settings,
    *,
    baseline: str | None = None,
    tests: Sequence[SignificanceTest] = tuple(SignificanceTest),
    marks: MarkRule = MarkRule.CORRECTED,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Return the comparison of texts that are already read; see `compare`."""
    baseline = baseline_of([*texts.systems], baseline)  # before anything is measured
    measurement = measure(texts, settings, progress=progress)
    found = compare_measured(
        measurement.systems,
        measurement.measured,
        baseline=baseline,
        tests=tests,
        resampling=settings.resampling,
        marks=marks,
    )
    alone = resample_note(settings.resampling.count)
    said = (*measurement.notes, *zero_notes(measurement), *found.missing_notes, *found.notes)
    return replace(found, notes=(*said, *([alone] if alone else [])))
