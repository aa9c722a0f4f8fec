"""`kilter survey links`: personal links, and the groups that people are recruited by."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.command import given_names, settings_command
from kilter.cli.console import print_result
from kilter.cli.fields import (
    format_setting,
    number_range,
)
from kilter.cli.survey.serving import LOCAL, note_local
from kilter.cli.survey.study import database_setting, running_study
from kilter.core.settings import INT32, argument, setting
from kilter.render.table.table import TableFormat
from kilter.results.study import PersonalLink, personal_link_table
from kilter.study.web.site_address import SiteAddress

_MOST_NEW = 10_000


@settings_command("links")
def command(
    *,
    folder: Path = argument(),
    group: str | None = setting(
        default=None,
        metavar="NAME",
        description="Recruitment group to list, or to give with --add or --label.",
    ),
    add: int | None = setting(
        default=None,
        metavar="N",
        low=1,
        high=_MOST_NEW,
        description="Create N more links and print only these.",
    ),
    label: str | None = setting(
        default=None,
        metavar="N[-N]",
        description="Put the links with these numbers into --group.",
    ),
    public_url: str = setting(default=LOCAL, metavar="URL", description="Address of the survey."),
    database: str | None = database_setting(),
    format: TableFormat = format_setting(),
) -> None:
    """Write the personal links of the study in FOLDER: number, group, questionnaire, whether it was opened.

    Whoever has a link can see and change the answers given with it: keep the list as carefully as keys.

    \b
    Examples:
      kilter survey links study/ --add 20 --group students --public-url https://survey.example.org
      kilter survey links study/ --label 1-4 --group colleagues
    """
    if add is not None and label is not None:
        raise click.UsageError("--add makes links and --label names old ones; choose one of them")
    if label is not None and group is None:
        raise click.UsageError("--label goes with --group")
    address = SiteAddress.parse(public_url)
    numbers = (
        None if label is None else number_range(label, option="--label", most=INT32, example="1-4")
    )
    with running_study(folder, database) as running:
        if group is not None:
            running.study.recruitment.checked_group(group)
        participants, before = running.store.participants, running.store.state().links
        if add is not None:
            running.store.extend(links=add, group=group)
        if numbers is not None:
            participants.label_links(numbers, group)
        people = [
            person
            for person in participants.all()
            if person.link is not None
            and (group is None or person.recruitment_group == group)
            and (add is None or person.link > before)
            and (numbers is None or person.link in numbers)
        ]
        links = [
            PersonalLink(
                number=number,
                group=person.recruitment_group,
                questionnaire=person.questionnaire,
                opened=person.informed_at is not None,
                link=f"{address}/p/{participants.link_token(number)}",
            )
            for person in people
            if (number := person.link) is not None
        ]
        changed = f"{add or len(people)} {'added' if add else 'labelled'} {group or ''}".strip()
        running.note("extend" if add else "links", changed if add or label else "")
    if "public_url" not in given_names():
        note_local()
    print_result(personal_link_table(links), format)
