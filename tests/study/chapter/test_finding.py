"""The first page of a chapter."""

from kilter.core.table import Table
from kilter.render.page.sub_report import Figure, SubReport
from kilter.study.chapter.finding import findings_report, study_findings
from kilter.study.chapter.results_page import Section, StudyFinding
from tests.render.cases import case
from tests.render.distinct import Book


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
