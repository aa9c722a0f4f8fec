"""The sections of a results chapter, on a study in which every analysis has something to show."""

import re
from dataclasses import replace
from functools import cache
from unittest.mock import patch

from kilter.core.table import Table
from kilter.render.page.sub_report import Cell, Figure, SubReport
from kilter.stats.resampling import Resampling
from kilter.study.analysis.chapter import findings_report, study_findings, study_sections
from kilter.study.analysis.results_page import Section, StudyFinding
from kilter.study.analysis.settings import AnalysisSettings
from kilter.study.judgments.judgment_study import RecruitedGroup
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.test_judgment_figures import rich


@cache
def tables() -> dict[str, Table]:
    """Return every table of the chapter by its section, report and place."""
    settings = AnalysisSettings(resampling=Resampling(resamples=20), smallest_group=1)
    with patch("kilter.study.analysis.power.REPETITIONS", 10):
        sections = [made() for made in study_sections(rich(), settings)]
    return {
        f"{section.name} {report.name} {place}": table
        for section in sections
        for report in section.reports
        for place, table in enumerate((report.data, *report.tables))
        if table.rows
    }


def is_number(cell: Cell) -> bool:
    """Return whether a cell holds a number, one that is written out, or why there is none."""
    if isinstance(cell, bool | None):
        return False
    return not isinstance(cell, str) or re.match(r"[-<]?\d", cell) is not None


def test_columns_of_words_come_first_and_are_flush_left() -> None:
    for name, table in tables().items():
        columns = [*zip(*table.rows, strict=True)]
        for cells in columns[: table.left]:
            numbers = [cell for cell in cells if isinstance(cell, int | float) and is_number(cell)]
            assert numbers == [], name
        assert table.left == len(columns) or any(map(is_number, columns[table.left])), name


def test_every_section_is_there_once() -> None:
    names = [name.split()[0] for name in tables()]
    assert list(dict.fromkeys(names)) == [
        "asked", "sample", "sentences", "answers", "care", "judges", "correlations", "outcome", "groups",
        "planning", "places", "people", "tools", "types", "by-group",
    ]  # fmt: skip


def test_hypotheses_are_tested_on_permutations_and_variants_shown_by_configuration() -> None:
    """[TH] 7.1.1 and table 7.3."""
    permuted = tables()["outcome hypotheses-permutations 0"]
    kinds = dict.fromkeys(row[0] for row in permuted.rows)
    assert [*kinds] == ["permutation", "order", "swap", "phrase", "choice"]
    assert "outcome configurations 0" in tables()


def test_wording_shared_sentences_and_recruitment_are_in_the_chapter() -> None:
    """[TH] table 6.4 and the questionnaire of its appendix; recruitment only where something is said of it."""
    told = replace(
        rich(),
        wording={"judgments": {"order": "How much?"}},
        recruitment=(RecruitedGroup(name="staff", advertised=9, responded=5, judged=5),),
    )
    names = {}
    for study in (rich(), told):
        steps = {step.__name__: step for step in study_sections(study, AnalysisSettings())}
        names[study] = [r.name for part in ("sample", "places") for r in steps[part]().reports]
    assert names[told] == [
        "participants", "recruitment", "wording", "shared", "position", "questionnaire",
    ]  # fmt: skip
    assert "recruitment" not in next(iter(names.values()))


def report(name: str, *text: str, figures: tuple[Figure, ...] = ()) -> SubReport:
    return SubReport(
        name=name, title=name, text=text, data=Table(columns=("a",), rows=()), notes=(), figures=figures
    )  # fmt: skip


@case("findings_report")
def test_columns_of_findings_report_hold_what_they_name(book: Book) -> None:
    listed = [book.make(StudyFinding, str(k)) for k in range(2)]
    found = findings_report(listed, {})
    assert found.data.names == ("subject", "text", "report")
    assert [*found.data.rows] == [(each.subject, each.text, each.report) for each in listed]


def test_findings_are_the_sentences_and_figures_of_the_sections() -> None:
    drawn = (Figure(svg="<svg>1</svg>", name="figure-best"), Figure(svg="<svg>2</svg>"))
    reports = (
        report("kinds", "One.", "Two.", figures=(Figure(svg="<svg>0</svg>"),)),
        report("agreement", "Alpha.", "Kappa."),
        report("overview", "Best.", figures=drawn),
        report("subgroups", "Sizes.", "Differences."),
    )
    found = study_findings([Section(name="s", title="S", text="", reports=reports)])
    assert [(each.report, each.text) for each in found.listed] == [
        ("kinds", "One. Two."),
        ("agreement", "Alpha."),
        ("subgroups", "Differences."),
    ]
    assert [figure.name for figure in found.report.figures] == ["figure-kinds", "figure-overview"]
    assert [figure.svg for figure in found.report.figures] == ["<svg>0</svg>", "<svg>1</svg>"]
