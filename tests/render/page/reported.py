"""Small reports on sentences of our own."""

from kilter.render.page.system_report import SystemReport
from kilter.run.demo import sample_texts
from kilter.run.explanation.report import report, report_texts
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling

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
