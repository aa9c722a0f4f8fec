"""Participants, counted by hand."""

import json
from dataclasses import replace

import numpy as np
import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis import demographics as module
from kilter.study.analysis.demographics import (
    FieldDescription,
    answer_counts,
    demographics,
    demographics_figures,
    recruitment_report,
)
from kilter.study.analysis.sentence_length import (
    language_figures,
    length_figure,
    length_scatter_figure,
    sentence_lengths,
)
from kilter.study.analysis.summary import summarise
from kilter.study.analysis.uniformity import quality_by_position, quality_figure
from kilter.study.judgments.judgment_study import RecruitedGroup
from tests.render.cases import case
from tests.render.distinct import Book, check_row
from tests.render.picture import parsed, texts
from tests.render.study_table import STUDY, SUMMARY, faked
from tests.study.analysis.counted import MADE
from tests.study.analysis.studies import crossed, study, translation


def test_demographics_count_answers_and_what_is_missing() -> None:
    found = demographics(MADE)
    age, gender = found["age"], found["gender"]
    assert isinstance(age, FieldDescription)
    assert (age.answered, age.missing) == (1, 1)
    assert age.summary is not None
    assert age.summary.mean == 29.0
    assert isinstance(gender, FieldDescription)
    assert (gender.counts, gender.summary) == ({"female": 2}, None)
    languages = found["number_of_languages"]
    assert isinstance(languages, FieldDescription)
    assert languages.counts == {"1": 1, "2": 1}
    assert found["nationality"] == Undefined("no participant said anything about nationality")


def test_answers_are_listed_by_how_often_they_were_given_then_by_name() -> None:
    said = ["b", "c", "a", "c", "b", "c"]
    fields = {k: {"gender": value, "age": "9"} for k, value in enumerate(said)}
    gender = demographics(study([(k, 0, 1, 1) for k in range(6)], fields=fields))["gender"]
    assert isinstance(gender, FieldDescription)
    assert [*gender.counts.items()] == [("c", 3), ("b", 2), ("a", 1)]
    even = {k: {"gender": value} for k, value in enumerate("ba")}
    gender = demographics(study([(k, 0, 1, 1) for k in range(2)], fields=even))["gender"]
    assert isinstance(gender, FieldDescription)
    assert [*gender.counts] == ["a", "b"]


def test_first_language_disability_and_group_are_there_if_anybody_has_one() -> None:
    """Of a disability only yes or no is counted, whatever was written about it."""
    said: list[dict[str, str | None]] = [
        {
            "disability": "no",
            "group": "students",
            "first_language_english": "yes",
            "years_fluent": None,
        },
        {
            "disability": "No",
            "group": "students",
            "first_language_english": "no",
            "years_fluent": "7",
        },
        {"disability": "yes: dyslexia", "group": "staff", "first_language_english": "no"},
        {"disability": "I read slowly", "group": None},
        {"disability": None},
    ]
    found = demographics(study([(k, 0, 1, 1) for k in range(5)], fields=dict(enumerate(said))))
    disability, group, years = found["disability"], found["group"], found["years_fluent"]
    assert isinstance(disability, FieldDescription)
    assert (disability.counts, disability.missing) == ({"no": 2, "yes": 2}, 1)
    assert isinstance(group, FieldDescription)
    assert (group.counts, group.missing) == ({"students": 2, "staff": 1}, 2)
    assert isinstance(years, FieldDescription)
    assert years.summary is not None
    assert years.summary.mean == 7.0
    assert not {"disability", "group", "first_language_english", "years_fluent"} & {
        *demographics(MADE)
    }


@case("participant_report")
def test_columns_of_participant_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = {name: book.make(FieldDescription, name, field=name) for name in ("age", "degree")}
    faked(module, monkeypatch, demographics=lambda _: fields, _rounded=lambda _, cells: cells)
    report = module.participant_report(STUDY)
    for row in report.data.rows:
        made = fields[str(row[0])]
        count = made.counts[str(row[1])]
        assert dict(zip(report.data.names, row, strict=True)) == {
            "field": made.field, "answer": row[1], "participants": count,
            "share": count / made.answered, "answered": made.answered, "missing": made.missing,
        }  # fmt: skip
    summaries, again = report.tables
    assert again is report.data
    for row in summaries.rows:
        check_row(book, summaries.names[1:], row[1:], titles=SUMMARY)
        assert book.places[row[1]][0] == row[0]


def test_no_number_about_fewer_participants_than_allowed_is_shown() -> None:
    """Neither the mean nor the ends of what two people said, in any table, sentence or figure."""
    fields = {0: {"age": "47"}, 1: {"age": "53"}} | {k: {"gender": "female"} for k in range(2, 8)}
    report = module.participant_report(crossed([[1]] * 8, fields=fields), smallest=5)
    everything = json.dumps(
        [
            report.text,
            [
                [list(map(str, row)) for row in table.rows]
                for table in (report.data, *report.tables)
            ],
            [texts(figure.svg) for figure in report.figures],
            [figure.svg for figure in report.figures],
        ]
    )
    for number in ("47", "53", "50.0", "4.24", "4.2 "):
        assert number not in everything, number
    assert "age is not shown: 2 participants said it, and fewer than 5 are not shown" in everything
    ages = [row for row in report.data.rows if row[0] == "age"]
    assert [row[1:3] for row in ages] == [("all answers", 2)]


def test_ends_are_shown_if_enough_participants_gave_them() -> None:
    ages = [19, *[23] * 5, *[40] * 5]
    fields = {k: {"age": str(age)} for k, age in enumerate(ages)}
    made = crossed([[1]] * len(ages), fields=fields)
    (row,) = module.participant_report(made, smallest=5).tables[0].rows
    named = dict(zip(module.participant_report(made).tables[0].names, row, strict=True))
    assert named["lowest"] == Undefined("fewer than 5 participants gave it")
    assert named["highest"] == "40"
    assert named["mean"] == f"{sum(ages) / len(ages):.0f}"  # years are whole numbers
    (all_shown,) = module.participant_report(made).tables[0].rows
    assert dict(zip(named, all_shown, strict=True))["lowest"] == "19"


GROUPS = (
    RecruitedGroup(name="students", advertised=120, responded=30, judged=28),
    RecruitedGroup(name="staff", advertised=40, responded=6, judged=6),
    RecruitedGroup(name="friends", advertised=None, responded=2, judged=1),
)


@case("recruitment_report")
def test_columns_of_recruitment_report_hold_what_they_name() -> None:
    report = recruitment_report(replace(STUDY, recruitment=GROUPS), smallest=1)
    assert report.data.names == ("group", "advertised to", "responded", "share", "judged")
    assert report.data.rows == (
        ("students", 120, 30, 0.25, 28),
        ("staff", 40, 6, 0.15, 6),
        ("friends", None, 2, None, 1),
        ("all", 160, 38, None, 35),
    )
    assert report.text == ("Of 160 people that the study was advertised to, 36 responded (22.5%).",)


def test_groups_of_few_are_put_together() -> None:
    report = recruitment_report(replace(STUDY, recruitment=GROUPS), smallest=7)
    assert report.data.rows == (
        ("students", 120, 30, 0.25, 28),
        ("other groups", None, 8, None, 7),
        ("all", 160, 38, None, 35),
    )
    assert "fewer than 7" in report.notes[-1]


def test_a_group_that_nobody_came_from_has_a_share_of_nothing() -> None:
    empty = RecruitedGroup(name="list", advertised=10, responded=0, judged=0)
    report = recruitment_report(replace(STUDY, recruitment=(empty,)), smallest=1)
    assert report.data.rows == (("list", 10, 0, 0.0, 0), ("all", 10, 0, 0.0, 0))


# Figures of sentences and participants show the numbers of their analyses.


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
    assert "age (n = 30, 1 missing, mean 34, standard deviation 9)" in shown
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
