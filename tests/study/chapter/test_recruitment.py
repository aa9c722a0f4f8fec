"""Columns hold what they name: whom a study was advertised to, and who responded. [TH] table 6.4"""

from dataclasses import replace

from kilter.study.analysis.judgment_study import RecruitedGroup
from kilter.study.chapter.recruitment import recruitment_report
from tests.render.cases import case
from tests.render.study_table import STUDY

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
