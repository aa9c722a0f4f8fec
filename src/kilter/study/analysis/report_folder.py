"""Every analysis of a judgment study, as a folder of sub-reports and one page. Section 13"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

from kilter import __version__
from kilter.io.output import check_new_folder, make_folder, new_folder, write_file
from kilter.io.spreadsheet import csv_text
from kilter.render.chart.picture_file import check_raster, write_picture
from kilter.render.page.sub_report import report_csv, report_json, report_page
from kilter.render.table.table import TableFormat
from kilter.study.analysis.chapter import chapter_title, study_findings, study_sections
from kilter.study.analysis.results_page import APPENDIX, appendix_page, results_page
from kilter.study.judgments.tool_scores import study_scores, unparsed_notes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kilter.render.page.sub_report import SubReport
    from kilter.study.analysis.results_page import Findings, Section
    from kilter.study.analysis.settings import AnalysisSettings
    from kilter.study.judgments.judgment_study import JudgmentStudy

    Progress = Callable[[int, int], None]


_SCORES = ("sentence", "tool", "variant", "configuration", "value")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StudyAnalysis:
    """A study with its scores, what was found, and all sub-reports in sections."""

    study: JudgmentStudy
    settings: AnalysisSettings
    findings: Findings
    sections: tuple[Section, ...]


def scored(
    study: JudgmentStudy, settings: AnalysisSettings, *, progress: Progress | None = None
) -> JudgmentStudy:
    """Return the study with scores by every metric and configuration, in the place of those that it has."""
    made = study_scores(
        study,
        metrics=settings.metrics,
        aligners=settings.aligners,
        parsers=settings.parsers,
        jobs=settings.resampling.jobs,
        progress=progress,
    )
    computed = {tool.name for tool in made}
    kept = [tool for tool in study.tools if tool.external or tool.name not in computed]
    notes = unparsed_notes(study, metrics=settings.metrics, parsers=settings.parsers)
    return replace(study, tools=(*kept, *made), notes=notes)


def analyse_study(
    study: JudgmentStudy, settings: AnalysisSettings, *, progress: Progress | None = None
) -> StudyAnalysis:
    """Return every analysis of a study that has its scores."""
    steps = study_sections(study, settings)
    sections = []
    for done, step in enumerate(steps):
        if progress is not None:
            progress(done, len(steps))
        sections.append(step())
    return StudyAnalysis(
        study=study,
        settings=settings,
        findings=study_findings(sections),
        sections=tuple(sections),
    )


def write_analysis(
    analysis: StudyAnalysis, folder: Path, *, png: bool, progress: Progress | None = None
) -> int:
    """Write all sub-reports and the page into a new folder; return how many sub-reports there are."""
    study = analysis.study
    about = settings_text(analysis)
    header = {"simulated": study.simulated, "settings": about}
    reports = [
        analysis.findings.report,
        *(report for section in analysis.sections for report in section.reports),
    ]
    with new_folder(folder) as temporary:
        for done, report in enumerate(reports):
            if progress is not None:
                progress(done, len(reports))
            write_sub_report(report, temporary, header=header, png=png)
        title = f"{chapter_title(study)}: {about['data']}"
        page = results_page(
            analysis.sections,
            findings=analysis.findings,
            title=title,
            summary=_summary(study),
            settings=about,
            simulated=study.simulated,
            png=png,
        )
        write_file(temporary / "index.html", page)
        appendices = appendix_page(
            analysis.sections, title=title, simulated=study.simulated, png=png
        )
        write_file(temporary / APPENDIX, appendices)
        write_file(temporary / "scores.csv", _scores(study))
    return len(reports)


def settings_text(analysis: StudyAnalysis) -> dict[str, str]:
    """Return what the results depend on, in words."""
    settings = analysis.settings
    splits = [
        name if threshold is None else f"{name}={threshold:g}"
        for name, threshold in settings.splits
    ]
    return {
        "kilter": __version__,
        "data": Path(analysis.study.source).resolve().name,
        "metrics": " ".join(settings.metrics),
        "aligners": " ".join(settings.aligners),
        "parsers": " ".join(settings.parsers),
        "external tools": " ".join(
            sorted({tool.name for tool in analysis.study.tools if tool.external})
        )
        or "none",
        "adjustment": "none" if settings.adjustment is None else str(settings.adjustment),
        "effects from": str(settings.source),
        "predictor of answers": "each tool's scores" if settings.by_tool else "none",
        "further splits": " ".join(splits) or "none",
        "hypotheses": " ".join(
            [str(settings.hypotheses.preset), *(each.id for each in settings.hypotheses.stated)]
        ),
        "further baselines": " ".join(settings.baselines) or "none",
        "smallest group": str(settings.smallest_group),
        "correction": str(settings.correction),
        "resamples": str(settings.resampling.count),
        "seed": str(settings.resampling.seed),
    }


def _summary(study: JudgmentStudy) -> list[str]:
    names = [question.name for question in study.questions]
    scored = (
        f" Answers to {' and '.join(names)} are scores from 0, the worst, to 1." if names else ""
    )
    return [
        (
            "Where the data cannot give a number, the reason is in its place. Every table says how many values it "
            f"rests on, and how many are missing.{scored}"
        ),
        *(f"{note[0].upper()}{note[1:]}." for note in study.notes),
    ]


def _scores(study: JudgmentStudy) -> str:
    """Return all scores as read by --scores; a score that is undefined is empty."""
    names = [*_SCORES, *(["simulated"] if study.simulated else [])]
    rows = (
        {
            "sentence": sentence.id,
            "tool": tool.tool,
            "variant": tool.variant,
            "configuration": tool.configuration,
            "value": None if isnan(value) else value,
            "simulated": True,
        }
        for tool in study.tools
        for sentence, value in zip(study.sentences, tool.values.tolist(), strict=True)
    )
    return csv_text(names, rows)


def check_report_folder(folder: Path, *, png: bool) -> None:
    """Raise before anything is computed if a report cannot appear there, or PNG cannot be drawn."""
    check_new_folder(folder)
    if png:
        check_raster()


def write_sub_report(
    report: SubReport, folder: Path, *, header: Mapping[str, object], png: bool
) -> None:
    """Write one analysis into a folder of its own; `header` says whether the data is simulated."""
    own = folder / report.name
    make_folder(own)
    simulated = bool(header["simulated"])
    texts = {
        "table.csv": report_csv(report, simulated=simulated),
        "table.json": report_json(report, header=header),
        "table.md": report_page(report, form=TableFormat.MD, simulated=simulated),
        "table.tex": report_page(report, form=TableFormat.LATEX, simulated=simulated),
    }
    for name, text in texts.items():
        write_file(own / name, text)
    for figure in report.figures:
        for form in ("svg", "png") if png else ("svg",):
            write_picture(str(own / f"{figure.name}.{form}"), figure.svg)
