"""Scores of a study's sentences by every tool, variant and configuration. Section 13.4"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.aligners.stemmer import ALGORITHMS, LACKING, NO_STEMMER, UNSTEMMED
from kilter.core.counted import counted
from kilter.core.language import language_code, not_english
from kilter.metrics.registry import is_group, metric
from kilter.parsers.registry import parser
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.measurement import measure
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.text_note import ENGLISH
from kilter.run.scoring.trees import TREE_NEEDS
from kilter.study.judgments.judgment_study import ToolScores

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from kilter.study.judgments.judgment_study import JudgedSentence, JudgmentStudy


UNKNOWN = ""
"""A language that is not English, and of which nothing else is known."""
ALIGNERS = ("match", "ribes")
PARSERS = ("model", "perceptron")
BASELINES = ("aligned", "tau", "bleu", "meteor", "meteor-chunk")
TREE_METRICS = (
    *(f"dted:variant={variant}" for variant in ("b", "c", "co", "cl")),
    *(f"dted:variant={variant},flat=true" for variant in ("b", "c", "co", "cl")),
    "derp",
    "derp:flat=true",
)
ORDER_METRICS = ("kendall", "spearman", "ulam", "fuzzy", "pef", "ribes")
STUDY_METRICS = (*BASELINES, *TREE_METRICS, *ORDER_METRICS)
"""The tools of [TH], and metrics of order that came later."""


def study_scores(
    study: JudgmentStudy,
    *,
    metrics: Sequence[str] = STUDY_METRICS,
    aligners: Sequence[str] = ALIGNERS,
    parsers: Sequence[str] = PARSERS,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[ToolScores, ...]:
    """Return scores of hypotheses against references, a column for each configuration that matters.

    A configuration is named by what differs: `match+model` for trees and links, `match` for links only,
    nothing for a metric that looks at words. An undefined score is NaN. Sentences of each language are scored
    with the parsers that know it, and without metrics of trees where none does.
    """
    columns: dict[tuple[str, str, str], NDArray[np.float64]] = {}
    for language, places in _by_language(study).items():
        fitting = _fitting(parsers, language)
        wanted = [each for each in metrics if fitting or not _takes_trees(each)]
        if not wanted:
            continue
        measured = _measured(
            [study.sentences[place] for place in places],
            Settings(
                metrics=tuple(wanted),
                aligner=tuple(aligners),
                parser=tuple(fitting) or None,
                language=scoring_language(language),
                jobs=jobs,
            ),
            progress,
        )
        # A parser that is alone here need not be among all sentences.
        alone = fitting[0] if len(fitting) == 1 < len(parsers) else ""
        for (tool, variant, configuration), values in measured.items():
            plain = _without_language(configuration, scoring_language(language))
            makers = [plain, alone if _takes_trees(_named(tool, variant)) else ""]
            key = tool, variant, "+".join(filter(None, makers))
            columns.setdefault(key, np.full(len(study.sentences), np.nan))[places] = values
    return tuple(
        ToolScores(tool=tool, variant=variant, configuration=configuration, values=values)
        for (tool, variant, configuration), values in columns.items()
    )


def unparsed_notes(
    study: JudgmentStudy, *, metrics: Sequence[str], parsers: Sequence[str]
) -> tuple[str, ...]:
    """Return for which sentences there are no metrics of trees, since no parser knows their language."""
    if not any(is_group(each) or _takes_trees(each) for each in metrics):
        return ()
    return tuple(
        f"{counted(len(places), 'sentence')} {'is' if len(places) == 1 else 'are'} in "
        f"{'another language than English' if language == UNKNOWN else language}, which {' and '.join(parsers)} "
        f"{'does' if len(parsers) == 1 else 'do'} not know: metrics of trees are left out for them; name a parser of "
        "that language"
        for language, places in _by_language(study).items()
        if parsers and not _fitting(parsers, language)
    )


def _by_language(study: JudgmentStudy) -> dict[str, list[int]]:
    """Return the sentences of each language: that of their pair, or what those without one seem to be."""
    unnamed = [sentence.reference for sentence in study.sentences if sentence.pair is None]
    guess = not_english(unnamed)
    assumed = ENGLISH if guess is None else guess.code or UNKNOWN
    places: dict[str, list[int]] = {}
    for place, sentence in enumerate(study.sentences):
        language = sentence.target_language
        places.setdefault(assumed if language is None else language_code(language), []).append(
            place
        )
    return places


def _fitting(parsers: Sequence[str], language: str) -> list[str]:
    """Return the parsers that know a language, or do not say which they know."""
    return [each for each in parsers if parser(each).known_language in (None, language)]


def scoring_language(language: str) -> str | None:
    """Return a language as settings take it: none for English, which is usual, or where nothing is known of it.

    Of a code that no tokeniser or stemmer knows, words are taken as they are.

    >>> scoring_language("en"), scoring_language("de"), scoring_language("gsw")
    (None, 'de', 'none')
    """
    if language in (ENGLISH, UNKNOWN):
        return None
    known = language in ALGORITHMS or language in LACKING or language in UNSTEMMED
    return language if known else NO_STEMMER


def _without_language(configuration: str, language: str | None) -> str:
    """Return a configuration under the name that it has for every language: stems do not make another of it."""
    if language is None:
        return configuration
    named = f"language={language if language in ALGORITHMS else NO_STEMMER}"
    for start, end in ((":", ","), (":", ""), (",", "")):
        configuration = configuration.replace(f"{start}{named}{end}", start if end else "")
    return configuration


def _named(tool: str, variant: str) -> str:
    return f"{tool}:{variant}" if variant else tool


def _takes_trees(specification: str) -> bool:
    return not is_group(specification) and bool(TREE_NEEDS & {*metric(specification).needed(set())})


def _measured(
    sentences: Sequence[JudgedSentence],
    settings: Settings,
    progress: Callable[[int, int], None] | None,
) -> dict[tuple[str, str, str], NDArray[np.float64]]:
    texts = Texts(
        systems={"items": tuple(sentence.hypothesis for sentence in sentences)},
        references={"reference": tuple(sentence.reference for sentence in sentences)},
    )
    measurement = measure(texts, settings, progress=progress)
    return {
        (
            each.computed.name,
            each.computed.changed_options(),
            each.configuration,
        ): measurement.scores[each.name, system]
        for each in measurement.measured
        if each.configurations == 1
        for system in measurement.systems
    }
