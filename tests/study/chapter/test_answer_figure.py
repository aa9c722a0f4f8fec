"""Figures of answers show shares, counts and means."""

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis.answer_distribution import LevelUse, level_use, question_table
from kilter.study.analysis.judgment_study import SentenceGroup
from kilter.study.analysis.permutation_degree import answers_by_degree
from kilter.study.analysis.summary import Summary, mean_interval
from kilter.study.chapter.answer_distribution import level_figures, question_table_figure
from kilter.study.chapter.permutation_degree import degree_figure
from tests.render.picture import parsed, rises, texts
from tests.study.analysis.studies import crossed, permutation, study


def test_shares_of_levels_fill_the_bar_in_percent() -> None:
    made = crossed([[1, 1, 1, 5], [3, None, 3, 3]])
    shown = texts(*level_figures(level_use(made), simulated=False))
    assert shown.count("75") == 2  # of the first participant, in both questions
    assert shown.count("25") == 2
    assert shown.count("n = 3, 1 missing") == 2
    assert {"level 1", "level 5", "all participants", "p0", "p1"} <= set(shown)


def test_somebody_without_answers_is_told_in_place() -> None:
    made = crossed([[1, 2], [None, None]])
    assert (
        texts(*level_figures(level_use(made), simulated=False)).count(
            "undefined: there is no answer"
        )
        == 2
    )


def test_sliders_have_too_many_levels_for_shares() -> None:
    use = LevelUse(
        participant=None,
        question="adequacy",
        answered=101,
        missing=0,
        shares=dict.fromkeys(range(101), 1 / 101),
        never_used=(),
    )
    shown = texts(*level_figures([use], simulated=False))
    assert "undefined: there are 101 levels, too many for shares of each" in shown


def test_cells_hold_their_counts_and_the_fullest_is_darkest() -> None:
    made = study([(0, 0, 1, 1), (0, 1, 1, 1), (0, 2, 1, 5), (0, 3, 5, 5), (0, 4, None, 2)])
    picture = question_table_figure(
        question_table(made, sentences=SentenceGroup.TRANSLATION), simulated=False
    )
    assert [texts(picture).count(count) for count in ("2", "0")] == [3, 22]  # two labels are 2
    fills = [cell.get("fill") for cell in parsed(picture).findall("{*}rect")]
    assert fills.count("#08306b") == 1
    assert any("n = 4 judgments with both answers, 1 without" in text for text in texts(picture))


def test_a_missing_question_is_told() -> None:
    table = question_table(crossed([[1]]), rows="style")
    shown = texts(question_table_figure(table, simulated=False))
    assert "undefined: the study has no question style on a scale" in shown


def test_means_of_degrees_have_intervals() -> None:
    sentences = [permutation("a", "order", 1), permutation("b", "order", 3)]
    made = study([(k, s, 1, 5 - 2 * s - k % 2) for k in range(4) for s in range(2)], sentences)
    picture = degree_figure(answers_by_degree(made), question="order", simulated=False)
    (curve,) = parsed(picture).findall(".//{*}polyline")
    assert len(curve.get("points", "").split()) == 2
    assert "order (n = 8 judgments)" in texts(picture)
    upright = [
        text.text
        for text in parsed(picture).findall(".//{*}text")
        if text.get("text-anchor") == "end"
    ]
    assert upright[0] == "0"
    assert "1" in upright  # the whole scale of answers, and no more than intervals need
    assert "1.5" not in upright
    assert "2" not in upright
    nothing = degree_figure((), question="order", simulated=False)
    assert "undefined: there is no judgment about a permutation" in texts(nothing)


def test_the_interval_of_a_mean_is_that_of_the_normal_distribution() -> None:
    summary = Summary(
        count=25, missing=0, mean=0.5, deviation=0.2, median=0.5, lowest=0.0, highest=1.0
    )
    found = mean_interval(summary)
    assert not isinstance(found, Undefined)
    assert (found.low, found.high) == pytest.approx((0.4216, 0.5784), abs=1e-4)


def test_curves_of_types_stand_on_both_sides_of_their_degree() -> None:
    kinds = ("order", "phrase", "swap")
    sentences = [permutation(kind, kind, 2) for kind in kinds]
    made = study([(k, s, 1, 1 + k) for k in range(4) for s in range(3)], sentences)
    picture = parsed(degree_figure(answers_by_degree(made), question="order", simulated=False))
    places = [
        float(curve.get("points", "").split(",")[0]) for curve in picture.findall(".//{*}polyline")
    ]
    (degree,) = [
        float(text.get("x", "")) for text in picture.findall(".//{*}text") if text.text == "2"
    ]
    assert len(places) == 3
    assert rises(places)
    assert sum(places) / 3 == pytest.approx(degree)
