"""Participants, counted by hand."""

from kilter.stats.undefined import Undefined
from kilter.study.analysis.demographics import FieldDescription, demographics
from tests.study.analysis.counted import MADE
from tests.study.analysis.studies import study


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
