"""Figures of correlations: bars are the largest, strokes the smallest, stars where all are significant."""

import numpy as np

from kilter.render.chart.drawing import AXIS
from kilter.render.chart.row_chart import PAGE
from kilter.run.meta.hypothesis import hypotheses
from kilter.study.analysis.external_tool import external_correlations
from kilter.study.analysis.judgment_study import JudgmentStudy, SentenceGroup
from kilter.study.analysis.tool_correlation import tool_correlations
from kilter.study.chapter.correlation_figure import configuration_figures, correlation_figures
from kilter.study.chapter.external_tool import external_figures
from kilter.study.chapter.hypothesis_table import hypothesis_figures
from kilter.study.chapter.tool_family import ToolFamily, family_colour
from tests.render.picture import overlaps, parsed, texts
from tests.study.analysis.studies import crossed, scores

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
