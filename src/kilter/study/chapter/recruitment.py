"""To how many people a study was advertised, and how many responded. [TH] table 6.4"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.table import Table
from kilter.render.page.sub_report import Cell, SubReport
from kilter.study.analysis.judgment_study import RecruitedGroup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.analysis.judgment_study import JudgmentStudy

OTHER_GROUPS = "other groups"


def recruitment_report(study: JudgmentStudy, *, smallest: int) -> SubReport:
    """Return the sub-report of recruitment groups; those of fewer than `smallest` who responded are put together."""
    groups = _put_together(study.recruitment, smallest)
    whole = _sum("all", study.recruitment)
    rows = [
        (each.name, each.advertised, each.responded, _share(each), each.judged) for each in groups
    ]
    # Where some who responded are of groups that nobody counted, the sum has no share.
    known = all(each.advertised is not None for each in study.recruitment)
    share = _share(whole) if known else None
    rows.append((whole.name, whole.advertised, whole.responded, share, whole.judged))
    return SubReport(
        name="recruitment",
        title="Recruitment",
        text=(_text(study.recruitment),),
        data=Table(
            columns=("group", "advertised to", "responded", "share", "judged"),
            rows=tuple(rows),
        ),
        notes=(
            (
                "n: people. advertised to: what the description of the study says; a dash where it says nothing. "
                "responded: those who consented or judged; judged: those with a judgment."
            ),
            *(
                [
                    (
                        f"Groups of which fewer than {smallest} responded are put together as {OTHER_GROUPS}; it is said to "
                        "how many these were advertised if it is known of all."
                    )
                ]
                if smallest > 1
                else []
            ),
        ),
    )


def _text(groups: Sequence[RecruitedGroup]) -> str:
    counted = [each for each in groups if each.advertised is not None]
    asked, came = sum(each.advertised or 0 for each in counted), sum(e.responded for e in counted)
    share = f" ({came / asked:.1%})" if asked else ""
    return f"Of {asked} people that the study was advertised to, {came} responded{share}."


def _share(group: RecruitedGroup) -> Cell:
    return group.responded / group.advertised if group.advertised else None


def _put_together(groups: Sequence[RecruitedGroup], smallest: int) -> list[RecruitedGroup]:
    small = [each for each in groups if 0 < each.responded < smallest]
    kept = [each for each in groups if each not in small]
    while small and kept and sum(each.responded for each in small) < smallest:
        least = min(kept, key=lambda each: (each.responded == 0, each.responded, each.name))
        kept.remove(least)
        small.append(least)
    if not small:
        return kept
    known = all(each.advertised is not None for each in small)
    merged = _sum(OTHER_GROUPS, small, advertised=known)
    return [*kept, merged]


def _sum(name: str, groups: Sequence[RecruitedGroup], *, advertised: bool = True) -> RecruitedGroup:
    return RecruitedGroup(
        name=name,
        advertised=sum(each.advertised or 0 for each in groups) if advertised else None,
        responded=sum(each.responded for each in groups),
        judged=sum(each.judged for each in groups),
    )
