"""Small reports on sentences of our own."""

from kilter.pipeline.demo import sample_texts
from kilter.pipeline.explanation.report import report, report_texts
from kilter.pipeline.scoring.settings import Settings
from kilter.reports.page.system_report import SystemReport
from kilter.statistics.resampling import Resampling

METRICS = ("bleu", "f1", "kendall", "ulam", "fuzzy", "pef")
FEW = Resampling(resamples=20)


def sample_report() -> SystemReport:
    """Return the report on the bundled sample."""
    settings = Settings(metrics=METRICS, language="en", resampling=FEW)
    return report_texts(sample_texts(), settings)


def small_report(**systems: list[str]) -> SystemReport:
    """Return the report on some lines, whose reference is that of the system `right`."""
    references = systems["right"]
    return report(systems, references, metrics=["bleu", "kendall"], resampling=FEW)
