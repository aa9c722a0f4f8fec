"""Columns hold what they name: correlations of judgments with every tool. Section 13.3"""

from dataclasses import replace

import numpy as np
import pytest

from kilter.render.chart.drawing import AXIS
from kilter.render.chart.row_chart import PAGE
from kilter.render.page.sub_report import SubReport
from kilter.run.meta.hypothesis import hypotheses
from kilter.stats.undefined import Undefined
from kilter.study.analysis import tool_correlation
from kilter.study.analysis.external_tool import external_correlations, external_figures
from kilter.study.analysis.hypothesis_table import hypothesis_figures
from kilter.study.analysis.judged_correlation import Correlation, ToolCorrelation, tool_correlations
from kilter.study.analysis.tool_correlation import (
    Correction,
    best_sentence,
    configuration_figures,
    correlation_figures,
    range_text,
    stars,
)
from kilter.study.analysis.tool_name import ToolFamily, family_colour
from kilter.study.judgments.judgment_study import JudgmentStudy, SentenceGroup
from tests.render.cases import case
from tests.render.distinct import Book, check_row
from tests.render.picture import overlaps, parsed, texts
from tests.render.study_table import (
    CORRELATION,
    QUESTIONS,
    check_correlations,
    faked,
    ranges,
    tool_rows,
)
from tests.study.analysis.studies import crossed, scores


@case("correlation_table", "correlation_cells")
def test_columns_of_correlation_table_and_correlation_cells_hold_what_they_name(book: Book) -> None:
    rows = tool_rows(book)
    for intervals in (False, True):
        table = tool_correlation.correlation_table(rows, intervals=intervals)
        check_correlations(table, rows, intervals=intervals)
    value = book.make(Correlation, "alone")
    cells = tool_correlation.correlation_cells(value)
    check_row(book, tool_correlation.COLUMNS, cells, titles=CORRELATION)


@case("correlation_reports", "by_family_rows")
def test_columns_of_correlation_reports_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(tool_correlation, monkeypatch)
    rows = tool_rows(book)
    (report, *others) = tool_correlation.correlation_reports(
        rows, adjusted=True, correction=Correction.HOLM, simulated=False
    )
    check_correlations(report.data, rows, intervals=True)
    assert not any(other.data.rows for other in others)
    by_column = {
        (f"{row.question}{', adjusted' if row.adjusted else ''}", row.tool): row for row in rows
    }
    (table,) = report.tables
    listed = [dict(zip(table.names, cells, strict=True)) for cells in table.rows]
    families = [named["tool"] for named in listed if not any([*named.values()][1:])]
    assert families == ["baselines", "external tools"]
    for named in listed:
        if named["tool"] in families:
            continue
        tool = named.pop("tool")
        used = [
            v
            for q in QUESTIONS
            for v in by_column[f"{q}, adjusted", str(tool)].configurations.values()
        ]
        for column, attribute in (("n", "judgments"), ("sentences", "sentences")):
            counts = [getattr(value, attribute) for value in used]
            assert named.pop(column) == f"{min(counts)}-{max(counts)}"
        assert set(named) == {column for column, of in by_column if of == tool}
        for column, cell in named.items():
            row = by_column[column, str(tool)]
            assert ranges(cell) == (row.highest, row.lowest)


NOTHING = Undefined("all these sentences have the same score")
SURE = Correlation(
    rho=0.5, judgments=90, sentences=30, p=0.01, holm=0.02, sentence_p=0.03, sentence_holm=0.04,
    low=0.1, high=0.7,
)  # fmt: skip
OPEN = replace(SURE, rho=0.1, p=0.3, holm=1.0, sentence_p=0.4, sentence_holm=1.0)


@pytest.mark.parametrize("correction", Correction)
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([SURE], "**"),
        ([SURE, SURE], "**"),
        ([SURE, NOTHING], ""),
        ([NOTHING], ""),
        ([], ""),
        ([SURE, OPEN], ""),
        ([replace(SURE, p=0.05)], ""),
        ([replace(SURE, p=NOTHING)], ""),
        ([SURE, replace(SURE, p=NOTHING)], ""),
        ([replace(SURE, sentence_p=NOTHING, sentence_holm=NOTHING)], "*"),
        ([SURE, replace(SURE, sentence_p=NOTHING, sentence_holm=NOTHING)], "*"),
        ([replace(SURE, sentence_p=0.05, sentence_holm=0.05)], "*"),
        ([SURE, replace(SURE, sentence_p=0.2, sentence_holm=0.3)], "*"),
    ],
)
def test_all_configurations_must_be_defined_and_significant(
    values: list[Correlation | Undefined], expected: str, correction: Correction
) -> None:
    assert stars(values, correction) == expected


def test_the_second_star_asks_for_the_corrected_test_where_one_corrects() -> None:
    between = replace(SURE, sentence_p=0.04, sentence_holm=0.06)
    assert stars([between], Correction.HOLM) == "*"
    assert stars([between], Correction.NONE) == "**"


def row(judged: int = 30, **configurations: Correlation | Undefined) -> ToolCorrelation:
    rhos = [value.rho for value in configurations.values() if isinstance(value, Correlation)]
    nothing = Undefined("no configuration has a correlation")
    return ToolCorrelation(
        question="order", sentences=SentenceGroup.TRANSLATION, adjusted=False, group="all",
        tool="dted", variant="", configurations=configurations,
        highest=max(rhos, default=nothing), lowest=min(rhos, default=nothing),
        is_starred=False, missing=0, judged=judged, external=False,
    )  # fmt: skip


def test_a_range_shows_the_largest_first_and_no_star_beside_an_undefined_configuration() -> None:
    low = replace(SURE, rho=0.25)
    assert range_text(row(one=low, two=SURE), Correction.HOLM) == "0.500 (0.250)**"
    assert range_text(row(one=SURE), Correction.HOLM) == "0.500**"
    assert range_text(row(one=SURE, two=NOTHING), Correction.HOLM) == "0.500 (0.500)"
    assert range_text(row(one=NOTHING), Correction.HOLM) is NOTHING
    assert range_text(row(), Correction.HOLM) == Undefined("there is no score")


WIDE = replace(SURE, low=Undefined("not asked for"), high=Undefined("not asked for"))


def test_a_sentence_names_the_best_tool_and_counts_those_that_are_significant() -> None:
    first, second = row(one=WIDE, two=replace(WIDE, rho=0.3)), row(one=replace(WIDE, rho=0.6))
    found = best_sentence([replace(first, tool="derp"), replace(second, is_starred=True), row()])
    assert found == (
        "With answers to order, dted c correlates most: rho = 0.600. Significant: 1 of 2 tools in tests on judgments "
        "(uncorrected), 2 in tests on means of sentences (corrected)."
    )
    turned = best_sentence([replace(first, tool="derp", is_starred=True)])
    assert "rho = 0.500 (0.300 in the worst configuration). Significant: 1 of 1 tool in" in turned
    assert best_sentence([row(one=NOTHING)]).endswith(f"({NOTHING.reason}).")


def test_a_tool_with_four_sentences_never_heads_a_sentence_about_all() -> None:
    """However high its correlation: it is named as one that cannot be compared."""
    few = replace(row(one=replace(WIDE, rho=0.99, sentences=4)), tool="few", is_starred=True)
    most = row(one=replace(WIDE, sentences=27))
    found = best_sentence([few, most])
    assert found.startswith(
        "With answers to order, dted c correlates most: rho = 0.500. Significant: 0 of 1 tool in"
    )
    assert found.endswith("less than nine in ten sentences: few (4 of 30).")
    alone = best_sentence([few])
    assert alone == "No tool scored nine in ten of the sentences; few (4 of 30) cannot be compared."
    nearly = row(one=replace(WIDE, sentences=26))
    assert not nearly.covers_all
    assert most.covers_all
    named = best_sentence([replace(few, tool=f"few{k}") for k in range(5)] + [most])
    assert named.endswith("few0 (4 of 30), few1 (4 of 30), few2 (4 of 30), 2 more.")


def test_the_unadjusted_value_and_the_interval_stand_beside_the_largest_correlation() -> None:
    best = replace(row(one=SURE), adjusted=True)
    others = [replace(row(one=replace(SURE, rho=rho)), tool=f"t{rho}") for rho in (0.05, 0.1, 0.4)]
    plain = [replace(row(one=replace(SURE, rho=0.45)), adjusted=False)]
    found = best_sentence([best, *others], plain)
    assert (
        "rho = 0.500 (0.450 unadjusted; 95% interval 0.100 to 0.700, which contains 2 other tools)"
        in found
    )
    assert "0.100 to 0.700)" in best_sentence([best], plain)


TRANSLATION = SentenceGroup.TRANSLATION
LEVELS = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 2]


def made(few: int = 5) -> JudgmentStudy:
    good = np.array(LEVELS, dtype=float)
    noisy = good + np.tile([0.0, 1.5], 8)
    return crossed(
        [LEVELS, LEVELS],
        tools=[
            scores("tau", good, configuration="match"),
            scores("tau", noisy, configuration="ribes"),
            scores("flat", np.ones(16)),
            scores("comet", good, external=True),
            scores("few", np.where(np.arange(16) < few, good, np.nan), external=True),
        ],
    )


def test_a_bar_is_the_largest_correlation_and_the_stroke_the_smallest() -> None:
    rows = tool_correlations(made(few=15))
    (tau,) = [
        row
        for row in rows
        if (row.tool, row.question, row.sentences) == ("tau", "order", TRANSLATION)
    ]
    (picture,) = correlation_figures(rows, sentences=TRANSLATION, adjusted=False, simulated=False)
    shown = texts(picture)
    assert f"1.000 (min {tau.lowest:.3f}) *" in shown
    assert shown.count("undefined: flat gives all these sentences the same score") == 2
    bars = [bar for bar in parsed(picture).findall("{*}rect") if bar.get("height") == "12"]
    strokes = [
        line for line in parsed(picture).findall("{*}line") if line.get("stroke-width") == "2"
    ]
    first = bars[5]  # the legend has two questions and three families
    start, length = (float(first.get(side, "")) for side in ("x", "width"))
    at = float(strokes[1].get("x1", ""))
    assert abs((at - start) / length - float(str(tau.lowest))) < 0.01
    assert any("(n = 30 to 32 judgments)" in text for text in shown)


def test_tools_have_the_colour_of_their_family_and_the_published_ones_stand_first() -> None:
    rows = tool_correlations(made(few=15))
    (picture,) = correlation_figures(rows, sentences=TRANSLATION, adjusted=False, simulated=False)
    bars = [bar for bar in parsed(picture).findall("{*}rect") if bar.get("height") == "12"]
    families = [ToolFamily.BASELINE, ToolFamily.OTHER, ToolFamily.EXTERNAL]
    colours = [family_colour(family) for family in families]
    assert [bar.get("stroke") for bar in bars[2:5]] == colours
    # tau; comet and few, each with both questions; flat has no correlation.
    assert [bar.get("stroke") for bar in bars[5:]] == [colours[0]] * 2 + [colours[2]] * 4
    assert {"baselines", "other metrics", "external tools"} <= {*texts(picture)}


def test_many_tools_are_drawn_on_pages_that_can_be_printed() -> None:
    """Those of [TH] stand by themselves; pages of the others have the same scale."""
    names = [("dted", f"variant={name}{flat}") for name in "bc" for flat in ("", ",flat=true")]
    names += [(f"tool{k}", "") for k in range(40)]
    good = np.array(LEVELS, dtype=float)
    tools = [
        scores(tool, good * (-1) ** k, variant=variant) for k, (tool, variant) in enumerate(names)
    ]
    rows = tool_correlations(crossed([LEVELS, LEVELS], tools=tools))
    first, *others = correlation_figures(
        rows, sentences=TRANSLATION, adjusted=False, simulated=False
    )
    assert len(others) > 1
    for page in (first, *others):
        assert float(parsed(page).get("height", "")) <= PAGE
        assert overlaps(page) == []
    titles = [parsed(page).findtext("{*}title") or "" for page in (first, *others)]
    assert titles[0].endswith("translations (unadjusted), published tools")
    assert titles[1].endswith(f"other tools (1 of {len(others)})")
    assert {"dted b", "dted fc"} <= {*texts(first)}
    assert "tool0" not in texts(first)
    assert {tool for tool, _ in names[4:]} <= {text for page in others for text in texts(page)}
    ends = [
        [line.get("x2") for line in parsed(page).findall("{*}line") if line.get("stroke") == AXIS]
        for page in others
    ]
    assert len({tuple(end) for end in ends}) == 1


def test_nothing_correlated_is_told() -> None:
    (picture,) = correlation_figures((), sentences=TRANSLATION, simulated=False)
    assert "undefined: no tool was correlated with these judgments" in texts(picture)


def test_every_configuration_has_its_stroke() -> None:
    (picture,) = configuration_figures(
        tool_correlations(made()),
        question="order",
        sentences=TRANSLATION,
        adjusted=False,
        simulated=False,
    )
    assert any(text.endswith("to 1.000 (of 2)") for text in texts(picture))


def test_external_tools_show_coverage_and_reasons() -> None:
    shown = texts(*external_figures(external_correlations(made()), simulated=False))
    assert "comet (16 sentences, 100%)" in shown
    assert "few (5 sentences, 31%)" in shown
    assert "undefined: 5 sentences with answer and score; a correlation needs 15" in shown


def test_hypotheses_show_margins_once_and_reasons() -> None:
    results = hypotheses({"b": [0.4, 0.5], "fb": [0.1, 0.2]}, {"b": [0.6]}, {"bleu": [0.3]})
    shown = texts(*hypothesis_figures(results, simulated=False))
    assert shown.count("+0.100") == 3  # b above bleu, and the spreads of b and fb
    assert "EVAL: some variant outperforms every baseline: null rejected" in shown
    assert any("(margins: see STRUC)" in text for text in shown)
    assert "undefined: no variant of DERP and baseline to compare" in shown


@case("further_reports")
def test_further_metrics_stand_in_an_appendix_where_there_are_many(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(tool_correlation, monkeypatch)

    def correlated(*tools: str) -> list[ToolCorrelation]:
        return [
            book.make(
                ToolCorrelation, "all", "order", tool, question="order", tool=tool, variant="",
                sentences=SentenceGroup.TRANSLATION, adjusted=False, group="all", external=False,
            )
            for tool in tools
        ]  # fmt: skip

    def reports(rows: list[ToolCorrelation]) -> tuple[SubReport, ...]:
        return tool_correlation.further_reports(
            rows, adjusted=False, correction=Correction.HOLM, simulated=False
        )

    few = correlated("bleu", "kendall", "ulam")
    assert reports(few) == ()
    assert tool_correlation.without_further(few) == (few, [])
    names = ("kendall", "ulam", "pef", "fuzzy", "hamming", "spearman")
    only = correlated(*names)
    assert tool_correlation.without_further(only) == (only, [])
    many = [*few[:1], *only]
    (report,) = reports(many)
    assert report.name == "correlation-further"
    check_correlations(report.data, only, intervals=True)
    assert [row[0] for row in report.tables[0].rows] == [*names]
    main = tool_correlation.correlation_reports(
        many, adjusted=False, correction=Correction.HOLM, simulated=False
    )[0]
    check_correlations(main.data, many, intervals=True)
    assert [row[0] for row in main.tables[0].rows] == ["bleu"]
