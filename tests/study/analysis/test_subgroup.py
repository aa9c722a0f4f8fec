"""Groups of participants."""

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis import subgroup
from kilter.study.analysis.judged_correlation import (
    Correlation,
    ToolCorrelation,
    tool_correlations,
)
from kilter.study.analysis.subgroup import (
    Split,
    Subgroup,
    further_splits,
    published_splits,
    split_by,
)
from kilter.study.analysis.tool_correlation import Correction
from kilter.study.design.study import ItemKind
from kilter.study.judgments.judgment_study import JudgedSentence, SentenceGroup
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.study_table import (
    QUESTIONS,
    check_correlations,
    check_report,
    faked,
    ranges,
    tool_rows,
)
from tests.study.analysis.correlated import STUDY, _groups
from tests.study.analysis.studies import crossed, permutation, translation


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


SAID = ["a", "a", "a", "b", "b", "c", "d", None]
GROUPED = crossed(
    [[1, 2, 3]] * 8, fields={k: {"group": v, "age": str(20 + k)} for k, v in enumerate(SAID)}
)


def sizes(smallest: int) -> dict[str, int]:
    split = _groups(split_by(GROUPED, "group", smallest=smallest))
    found = {
        group.name.removeprefix("recruitment group "): group.participants for group in split.groups
    }
    assert sum(found.values()) + split.missing + split.hidden == 8
    return found


def test_groups_below_the_smallest_size_are_put_together_or_hidden() -> None:
    assert sizes(1) == {"a": 3, "b": 2, "c": 1, "d": 1}
    assert sizes(2) == {"a": 3, "b": 2, "other answers": 2}
    assert sizes(3) == {"a": 3, "other answers": 4}
    nothing = split_by(GROUPED, "group", smallest=9)
    assert nothing == Undefined(
        "fewer than two groups by recruitment group have 9 participants, and smaller ones are not shown"
    )
    rows = _groups(split_by(GROUPED, "group", smallest=3)).groups[1].rows
    assert {*GROUPED.participant[rows].tolist()} == {3, 4, 5, 6}


def test_one_small_group_is_hidden_and_one_group_alone_is_no_comparison() -> None:
    """What is left of one person must not be shown under another name, nor follow from the others."""
    fields = {k: {"group": v} for k, v in enumerate("aabbc")}
    split = _groups(split_by(crossed([[1]] * 5, fields=fields), "group", smallest=2))
    names = [group.name for group in split.groups]
    assert names == ["recruitment group a", "recruitment group b"]
    assert split.hidden == 1
    two = {k: {"group": v} for k, v in enumerate("aab")}
    assert isinstance(split_by(crossed([[1]] * 3, fields=two), "group", smallest=2), Undefined)
    assert isinstance(split_by(GROUPED, "age", threshold=22, smallest=3), Undefined)
    sides = _groups(split_by(GROUPED, "age", threshold=23, smallest=3))
    assert [group.participants for group in sides.groups] == [3, 5]
    published = published_splits(GROUPED, smallest=99)
    assert all(isinstance(split, Undefined) for split in published.values())


def test_fields_in_which_participants_differ_are_compared_too() -> None:
    assert [*further_splits(GROUPED)] == ["group"]
    fields = {k: {"group": "a", "disability": "x" if k else "no"} for k in range(3)}
    splits = further_splits(crossed([[1]] * 3, fields=fields))
    names = [group.name for group in _groups(splits["disability"]).groups]
    assert ([*splits], names) == (["disability"], ["disability no", "disability yes"])


def split(book: Book) -> Split:
    groups = tuple(book.make(Subgroup, "split", "groups", str(k)) for k in range(2))
    made: Split = book.make(Split, "split", groups=groups)
    return made


def correlation(group: str, rho: float) -> ToolCorrelation:
    return ToolCorrelation(
        question="order", sentences=SentenceGroup.TRANSLATION, adjusted=False, group=group,
        tool="dted", variant="", configurations={}, highest=rho, lowest=rho,
        is_starred=False, missing=0, judged=30, external=False,
    )  # fmt: skip


def test_a_sentence_names_the_largest_and_the_smallest_difference() -> None:
    splits = {name: Undefined("not split") for name in ("age", "education", "group")}
    best = correlation("everybody", 0.5)
    values = {"age": (0.7, 0.5, 0.4), "education": (0.6, 0.55), "group": (0.3, 0.45)}
    rows = {
        name: [correlation(f"{name} {k}", rho) for k, rho in enumerate(rhos)]
        for name, rhos in values.items()
    }
    *_, text = subgroup.split_report(splits, rows, best=best, participants=4).text
    assert text == (
        "The largest correlation of dted c with order on translations differs most by age (age 0: 0.700, age 2: 0.400) "
        "and least by education (education 0: 0.600, education 1: 0.550). No difference between groups is tested."
    )
    *_, alone = subgroup.split_report(splits, {"age": rows["age"]}, best=best, participants=4).text
    assert "differs by age (age 0: 0.700, age 2: 0.400)." in alone
    *_, none = subgroup.split_report(splits, {}, best=best, participants=4).text
    assert none == "No two groups can be compared."


@case("split_report")
def test_columns_of_split_report_hold_what_they_name(book: Book) -> None:
    report = subgroup.split_report({"age": split(book)}, participants=7)
    check_report(book, report, titles={"group": "name"})


@case("subgroup_report")
def test_columns_of_subgroup_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(subgroup, monkeypatch)
    made = split(book)
    rows = [row for group in made.groups for row in tool_rows(book, group.name)]
    report = subgroup.subgroup_report(
        "age", made, rows, adjusted=True, correction=Correction.NONE, simulated=False
    )
    check_correlations(report.data, rows, intervals=False)
    for table, question in zip(report.tables, QUESTIONS, strict=True):
        sides = [(group.name, side) for group in made.groups for side in (False, True)]
        assert table.names == (
            "tool", *(f"{name}, adjusted" if side else name for name, side in sides)
        )  # fmt: skip
        for tool, *cells in table.rows:
            for (name, side), cell in zip(sides, cells, strict=True):
                (row,) = [r for r in rows if r.adjusted is side
                          and (r.question, r.group, r.tool) == (question, name, tool)]  # fmt: skip
                assert ranges(cell) == (row.highest, row.lowest)
