"""Figures of sentences and participants show the numbers of their analyses."""

import numpy as np
import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis.demographics import (
    FieldDescription,
    answer_counts,
    demographics,
    demographics_figures,
)
from kilter.study.analysis.sentence_length import (
    language_figures,
    length_figure,
    length_scatter_figure,
    sentence_lengths,
)
from kilter.study.analysis.summary import summarise
from kilter.study.analysis.uniformity import quality_by_position, quality_figure
from tests.render.picture import parsed, texts
from tests.study.analysis.studies import crossed, study, translation


def test_curves_follow_the_means_of_positions() -> None:
    made = crossed([[1, 3, 5], [1, 3, 5]])
    picture = quality_figure(quality_by_position(made), by="position", simulated=False)
    holistic = parsed(picture).findall(".//{*}polyline")[0].get("points", "").split()
    heights = [float(point.split(",")[1]) for point in holistic]
    assert heights[0] > heights[1] > heights[2]  # counted downwards
    assert heights[0] - heights[1] == heights[1] - heights[2]
    assert "position (n = 6 judgments)" in texts(picture)
    note = next(text for text in texts(picture) if text.startswith("rank score"))
    assert "at 3 of 3 positions: undefined: there is no value" in note


def test_sentences_of_the_same_lengths_are_one_larger_circle() -> None:
    sentences = [
        translation(f"s{k}", reference="a b c", hypothesis="a b c" if k else "a") for k in range(5)
    ]
    report = sentence_lengths(study([(0, k, 1, 1) for k in range(5)], sentences))
    assert report.pairs == {(3, 1): 1, (3, 3): 4}
    picture = length_scatter_figure(report, simulated=False)
    small, large = (float(dot.get("r", "")) for dot in parsed(picture).findall(".//{*}circle")[1:])
    assert small < large
    assert any("Regression: undefined: 5 sentences" in text for text in texts(picture))
    columns = length_figure(report, simulated=False)
    assert "n = 5; median 3" in texts(columns)
    assert min(float(text) for text in texts(columns) if text.removeprefix("-").isdigit()) == 0


def test_the_line_of_regression_says_its_numbers() -> None:
    sentences = [
        translation(f"s{k}", reference="a " * k, hypothesis="b " * (2 * k + 1))
        for k in range(1, 16)
    ]
    report = sentence_lengths(study([(0, k, 1, 1) for k in range(15)], sentences))
    shown = texts(length_scatter_figure(report, simulated=False))
    assert "hypothesis = 1.00 + 2.00 * reference" in shown
    assert "Pearson's r = 1.000 of 15 sentences." in shown


def test_bars_of_languages_are_as_long_as_their_counts() -> None:
    (picture,) = language_figures({"de": 30, "cs": 10}, simulated=False)
    background, *bars = parsed(picture).findall("{*}rect")
    assert background.get("fill") == "#fff"
    long, short = (float(bar.get("width", "")) for bar in bars)
    assert abs(long - 3 * short) < 0.1
    assert {"30 (75%)", "10 (25%)", "sentences (n = 40)"} <= set(texts(picture))
    (nothing,) = language_figures({}, simulated=False)
    assert "undefined: there is no sentence" in texts(nothing)


def test_many_ages_are_counted_in_steps_and_gaps_are_said() -> None:
    fields = {k: {"age": str(20 + k), "gender": "female"} for k in range(30)} | {30: {}}
    made = study([(k, 0, 1, 1) for k in range(31)], fields=fields)
    found = demographics(made)
    assert isinstance(found["nationality"], Undefined)
    shown = texts(*demographics_figures(found, simulated=False))
    assert "age (n = 30, 1 missing, mean 34.5, standard deviation 8.8)" in shown
    assert {"20 to under 25", "45 to under 50", "5 (17%)"} <= set(shown)
    assert "undefined: no participant said anything about nationality" in shown


@pytest.mark.parametrize(
    ("lowest", "highest", "step"), [(100, 111, 1), (100, 112, 2), (100, 123, 2), (100, 124, 5)]
)
def test_many_numbers_are_counted_in_the_smallest_steps_that_make_few_groups(
    lowest: int, highest: int, step: int
) -> None:
    values = [lowest, *(lowest + share / 20 for share in range(1, 20)), highest]
    described = FieldDescription(
        field="age",
        answered=len(values),
        missing=0,
        counts={str(value): 1 for value in values},
        summary=summarise(np.array(values)),
    )
    groups = answer_counts(described)
    assert next(iter(groups)) == f"{lowest} to under {lowest + step}"
    assert sum(groups.values()) == len(values)


def described(field: str, counts: dict[str, int]) -> FieldDescription:
    numbers = [float(value) for value in counts] if field == "age" else None
    return FieldDescription(
        field=field,
        answered=sum(counts.values()),
        missing=0,
        counts=counts,
        summary=None if numbers is None else summarise(np.array(numbers)),
    )


@pytest.mark.parametrize(
    ("counts", "smallest", "expected"),
    [
        ({"a": 4, "b": 3, "c": 1}, 1, {"a": 4, "b": 3, "c": 1}),
        ({"a": 4, "b": 3, "c": 2, "d": 1}, 3, {"a": 4, "b": 3, "other answers": 3}),
        ({"a": 4, "b": 3, "c": 1}, 3, {"a": 4, "other answers": 4}),
        ({"a": 2, "b": 1}, 3, {"all answers": 3}),
    ],
)
def test_answers_of_few_are_put_together_until_they_are_enough(
    counts: dict[str, int], smallest: int, expected: dict[str, int]
) -> None:
    """What is left over must not say how a single person answered."""
    assert answer_counts(described("gender", counts), smallest=smallest) == expected


def test_numbers_of_few_are_put_together_with_their_neighbours() -> None:
    few = described("age", {"20": 1, "21": 2, "22": 3, "40": 1})
    assert answer_counts(few) == {"20": 1, "21": 2, "22": 3, "40": 1}
    assert answer_counts(few, smallest=3) == {"up to 21": 3, "22 or more": 4}
    many = described("age", {str(20 + k): 1 for k in range(30)})
    found = answer_counts(many, smallest=6)
    assert found == {"under 30": 10, "30 to under 40": 10, "40 or more": 10}
    assert answer_counts(few, smallest=9) == {"all answers": 7}
    common = described("age", {"20": 5, "21": 1, "30": 2, "31": 6})
    assert answer_counts(common, smallest=3) == {"20": 5, "21 to 30": 3, "31": 6}
