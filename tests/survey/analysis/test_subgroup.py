"""Groups of participants."""

from kilter.statistics.undefined import Undefined
from kilter.survey.analysis.judged_correlation import Correlation
from kilter.survey.analysis.judgment_study import (
    JudgedSentence,
)
from kilter.survey.analysis.subgroup import published_splits, split_by
from kilter.survey.analysis.tool_correlation import tool_correlations
from kilter.survey.design.study import ItemKind
from tests.survey.analysis.correlated import STUDY, _groups
from tests.survey.analysis.studies import crossed, permutation, translation


def test_subgroups_are_correlated_on_their_own_judgments() -> None:
    young, old = _groups(split_by(STUDY, "age", threshold=30)).groups
    assert (young.name, young.participants, young.judgments) == ("age < 30", 1, 25)
    assert (old.name, old.participants) == ("age >= 30", 2)
    found = tool_correlations(STUDY, rows=old.rows, group=old.name)
    value = found[0].configurations["one"]
    assert isinstance(value, Correlation)
    assert value.judgments == 40
    assert {entry.group for entry in found} == {"age >= 30"}


def test_judgments_of_a_subgroup_are_those_that_are_analysed() -> None:
    control = JudgedSentence(id="k", kind=ItemKind.SHUFFLED, reference="a", hypothesis="a")
    listed = [translation("t"), permutation("o", "order", 1), control]
    fields = {0: {"age": "20"}, 1: {"age": "50"}, 2: {"age": "50"}}
    made = crossed([[1, 2, 5]] * 3, sentences=listed, fields=fields)
    young, old = _groups(split_by(made, "age", threshold=50)).groups
    assert (young.participants, young.judgments, int(young.rows.sum())) == (1, 2, 3)
    assert (old.participants, old.judgments, int(old.rows.sum())) == (2, 4, 6)


def test_the_published_splits() -> None:
    found = published_splits(STUDY)
    education = _groups(found["education"])
    assert [group.name for group in education.groups] == [
        "education up to undergraduate",
        "education masters or higher",
    ]
    assert [group.participants for group in education.groups] == [1, 1]
    assert education.missing == 4
    assert _groups(found["age"]).missing == 3
    assert found["language_points"] == Undefined(
        "no participant can be placed by language_points: nobody gave a number"
    )
    assert isinstance(split_by(STUDY, "shoe_size"), Undefined)
    values = _groups(split_by(STUDY, "education"))
    assert [group.name for group in values.groups] == [
        "education Masters",
        "education undergraduate",
    ]


def test_a_group_without_participants_is_named_and_undefined() -> None:
    _, old = _groups(split_by(STUDY, "age", threshold=90)).groups
    assert old.participants == 0
    found = tool_correlations(STUDY, rows=old.rows, group=old.name)
    assert all(isinstance(entry.highest, Undefined) for entry in found)
