"""How scores were computed, in words that a paper can take over, and whom to cite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter import __version__
from kilter.core.counted import counted
from kilter.metrics.citation import PUBLICATIONS
from kilter.metrics.kilter import Kilter
from kilter.metrics.version_two import VERSION_TWO
from kilter.results.comparison import SignificanceTest

if TYPE_CHECKING:
    from kilter.results.reported_systems import ReportedSystems

_TESTS = {
    SignificanceTest.BOOTSTRAP: "paired bootstrap",
    SignificanceTest.RANDOMISATION: "approximate randomisation",
    SignificanceTest.PERMUTATION: "sign-flip permutation",
}


def methods_text(report: ReportedSystems) -> str:
    """Return a paragraph on scores, intervals and tests."""
    comparison, corpus = report.comparison, report.corpus
    drawn = comparison.resampling
    systems, references = len(comparison.systems), len(corpus.references)
    text = (
        f"We scored {counted(systems, 'system')} on {counted(report.count, 'segment')} with "
        f"{counted(references, 'reference')} by {_listed(list(report.metrics))}, with Kilter "
        f"{__version__}; texts were tokenised by {corpus.tokenizer}"
        f"{' and lower-cased' if corpus.lowercase else ''}. Intervals are percentile bootstrap "
        f"intervals of {100 * drawn.level:g}% from {counted(drawn.count, 'resample')} of segments "
        f"(seed {drawn.seed})."
    )
    weighted = [
        name
        for name, facts in report.metrics.items()
        if facts.tool == Kilter.name and f"weights={VERSION_TWO}" in facts.variant
    ]
    if weighted:
        text += (
            f" {_listed(weighted)} {'weighs' if len(weighted) == 1 else 'weigh'} parts otherwise in scores of "
            "systems than in those of segments."
        )
    if systems > 1:
        text += (
            f" Differences were tested by {_TESTS[comparison.tests[0]]}; p-values are corrected by "
            "Holm's method over all systems set against the baseline, metric by metric."
        )
    return text


def signatures_text(report: ReportedSystems) -> str:
    """Return the signature of each metric, one a line."""
    return "\n".join(facts.signature for facts in report.metrics.values())


def citations_text(report: ReportedSystems) -> str:
    """Return the BibTeX of the metrics, each publication once."""
    keys = dict.fromkeys(key for facts in report.metrics.values() for key in facts.citations)
    return "\n\n".join(PUBLICATIONS.get(key, key) for key in keys)


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
