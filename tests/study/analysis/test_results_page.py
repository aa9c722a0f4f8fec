"""The page of a report: escaped, numbered, self-contained."""

import re
from dataclasses import replace

from kilter.core.table import Table
from kilter.render.page.sub_report import Figure, SubReport
from kilter.stats.undefined import Undefined
from kilter.study.analysis.results_page import (
    LONG_TABLE,
    Findings,
    Section,
    StudyFinding,
    appendix_page,
    results_page,
)
from tests.cli.analysed import Page

SVG = "<svg><title>T</title><desc>what it shows, in more than twenty letters</desc></svg>"
ODD = '<script>alert("&")</script>'


def page(*, simulated: bool = False, png: bool = True) -> str:
    table = Table(columns=("name", "r"), rows=((ODD, 0.5), ("b", Undefined(ODD))))
    report = SubReport(
        name="one", title=ODD, text=(ODD,), data=table, notes=(ODD,), figures=(Figure(svg=SVG),)
    )
    empty = SubReport(
        name="two", title="Two", text=("Nothing.",), data=Table(columns=("a",), rows=()), notes=()
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


def report(name: str, rows: int = 1, figures: tuple[Figure, ...] = ()) -> SubReport:
    table = Table(columns=("name", "r"), rows=tuple((f"row{k}", 0.5) for k in range(rows)))
    return SubReport(
        name=name, title=name.upper(), text=(f"{name} says.",), data=table, notes=(), figures=figures
    )  # fmt: skip


def chapter() -> tuple[str, str]:
    """Return the chapter, and the page of its appendices."""
    hidden = Figure(svg=SVG, name="figure-more", folded=True)
    sections = [
        Section(name="body", title="Body", text="", reports=(report("b1"), report("b2", LONG_TABLE + 1))),
        Section(name="behind", title="Behind", text="", reports=(report("x1", LONG_TABLE + 1, (hidden,)),), appendix=True),
        Section(name="next", title="Next", text="", reports=(report("n1", figures=(hidden,)),)),
    ]  # fmt: skip
    found = Findings(
        listed=(StudyFinding(subject="Subject", text="0.5 <of> all.", report="n1"),),
        report=replace(report("findings", figures=(Figure(svg=SVG),)), shown=()),
    )
    return results_page(
        sections, findings=found, title="Title", summary=["Summary."], settings={"seed": "1"},
        simulated=False, png=False,
    ), appendix_page(sections, title="Title", simulated=False, png=False)  # fmt: skip


def test_the_page_starts_with_findings_and_where_each_comes_from() -> None:
    text, _ = chapter()
    page = Page()
    page.feed(text)
    page.check()
    first = text.partition('<section id="findings"')[2].partition("</section>")[0]
    assert text.index('id="findings"') < text.index("<nav") < text.index('id="body"')
    assert "<strong>Subject.</strong> 0.5 &lt;of&gt; all." in first
    assert '<a href="#n1">Section 2.1</a>' in first
    assert first.count("<img") == 1


def test_contents_have_two_levels_and_appendices_stand_on_a_page_of_their_own() -> None:
    text, behind = chapter()
    contents = text.partition("<nav")[2].partition("</nav>")[0]
    assert re.findall(r'<a href="([^"]+)">([^<]+)</a>', contents) == [
        ("#findings", "FINDINGS"),
        ("#body", "1 Body"), ("#b1", "1.1 B1"), ("#b2", "1.2 B2"),
        ("#next", "2 Next"), ("#n1", "2.1 N1"),
        ("appendix.html#behind", "Appendix A Behind"), ("appendix.html#x1", "A.1 X1"),
        ("#settings", "How this was computed"),
    ]  # fmt: skip
    assert contents.count("<ul>") == 4
    assert 'id="behind"' not in text
    assert "Appendix A. Behind</h2>" in behind
    own = behind.partition("<nav")[2].partition("</nav>")[0]
    assert re.findall(r'<a href="([^"]+)">', own) == ["#behind", "#x1"]


def test_the_chapter_folds_long_tables_and_links_further_figures_and_appendices_show_all() -> None:
    text, behind = chapter()

    def section(page: str, name: str) -> str:
        return page.partition(f'<section id="{name}"')[2].partition("</section>")[0]

    assert "<summary>" not in section(text, "b1")
    assert f"<summary>Table 2. B2 ({LONG_TABLE + 1} rows)</summary>" in section(text, "b2")
    assert '<p>Further figures: <a href="n1/figure-more.svg">T</a>.</p>' in section(text, "n1")
    assert "<img" not in section(text, "n1")
    assert "<summary>" not in behind
    assert section(behind, "x1").count("<img") == 1


def test_a_row_of_one_cell_is_the_heading_of_those_below() -> None:
    table = Table(columns=("tool", "r", "n"), rows=(("family", "", ""), ("a", 0.5, 3)))
    grouped = replace(report("g1"), data=table)
    section = Section(name="s", title="S", text="", reports=(grouped,))
    text = results_page([section], title="T", summary=[], settings={}, simulated=False, png=False)
    assert '<tr class="group"><th scope="rowgroup" colspan="3">family</th></tr>' in text
    assert '<tr><th scope="row">a</th><td>0.5000</td><td>3</td></tr>' in text
