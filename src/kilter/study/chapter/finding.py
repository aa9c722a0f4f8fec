"""What a study found, on one page. Section 13"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.page.sub_report import SubReport
from kilter.study.chapter.results_page import Findings, StudyFinding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.chapter.results_page import Section

_SENTENCES = {
    "participants": ("Participants", slice(0, 1)),
    "times": ("Time", slice(0, 1)),
    "careless": ("Care", slice(0, 1)),
    "kinds": ("Answers by kind of sentence", slice(0, None)),
    "questions": ("The two questions", slice(0, 1)),
    "agreement": ("Agreement", slice(0, 1)),
    "adjustment": ("Participants as judges", slice(0, 1)),
    "correlation-translation": ("Tools on translations", slice(0, None)),
    "hypotheses": ("Hypotheses", slice(0, 2)),
    "subgroups": ("Groups of participants", slice(-1, None)),
    "power": ("The next study", slice(-1, None)),
}
"""Sub-reports whose sentences stand on the first page, what these are about, and which of them."""
_FIGURES = {"kinds": "figure", "overview": "figure-best"}


def study_findings(sections: Sequence[Section]) -> Findings:
    """Return the first page: what sub-reports say in short, and the figures that show most of it."""
    reports = {report.name: report for section in sections for report in section.reports}
    listed = tuple(
        StudyFinding(subject=subject, text=" ".join(reports[name].text[chosen]), report=name)
        for name, (subject, chosen) in _SENTENCES.items()
        if name in reports
    )
    return Findings(listed=listed, report=findings_report(listed, reports))


def findings_report(listed: Sequence[StudyFinding], reports: dict[str, SubReport]) -> SubReport:
    """Return the findings as a sub-report of their own, with figures of others."""
    return SubReport(
        name="findings",
        title="Findings",
        text=tuple(f"{each.subject}. {each.text}" for each in listed),
        data=Table(
            columns=("subject", "text", "report"),
            rows=tuple((each.subject, each.text, each.report) for each in listed),
            left=3,
        ),
        shown=(),
        figures=tuple(
            replace(figure, name=f"figure-{name}")
            for name, wanted in _FIGURES.items()
            if name in reports
            for figure in reports[name].figures
            if figure.name == wanted
        ),
        notes=(
            (
                f"n: {counted(len(listed), 'finding')}; each section says how many values are missing, and how it was "
                "computed."
            ),
        ),
    )
