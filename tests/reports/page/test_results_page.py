"""The page of a report: escaped, numbered, self-contained."""

import re

from kilter.reports.page.results_page import Section, results_page
from kilter.reports.page.sub_report import Figure, ReportTable, SubReport
from kilter.statistics.undefined import Undefined
from tests.cli.analysed import Page

SVG = "<svg><title>T</title><desc>what it shows, in more than twenty letters</desc></svg>"
ODD = '<script>alert("&")</script>'


def page(*, simulated: bool = False, png: bool = True) -> str:
    table = ReportTable(columns=("name", "r"), rows=((ODD, 0.5), ("b", Undefined(ODD))))
    report = SubReport(
        name="one", title=ODD, text=(ODD,), data=table, notes=(ODD,), figures=(Figure(svg=SVG),)
    )
    empty = SubReport(
        name="two", title="Two", text=("Nothing.",), data=ReportTable(columns=("a",), rows=()), notes=()
    )  # fmt: skip
    section = Section(name="section", title="Section", text="About.", reports=(report, empty))
    return results_page(
        [section], title="Title", summary=["Summary."], settings={"seed": "1"},
        simulated=simulated, png=png,
    )  # fmt: skip


def test_whatever_names_hold_is_text() -> None:
    text = page()
    assert "<script" not in text
    found = Page()
    found.feed(text)
    found.check()
    assert found.tables == 2  # one of the report, one of the settings
    assert found.pictures == 1
    assert {"section", "one", "two", "settings", "results"} <= {*found.ids}


def test_nothing_is_loaded_from_elsewhere() -> None:
    text = page()
    assert not re.search(r"""(src|href)=["'](?!data:|#|\w+/(table|figure)\.)""", text)
    assert "default-src 'none'" in text
    assert "one/figure.png" in text
    assert "one/figure.png" not in page(png=False)


def test_simulated_data_is_marked_in_title_and_every_section() -> None:
    assert page(simulated=True).count("nobody was asked") == 2
    assert "<title>Title (simulated data)</title>" in page(simulated=True)
    assert "imulated" not in page()
