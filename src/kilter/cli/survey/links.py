"""`kilter survey links`: personal links, and the groups that people are recruited by."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from kilter.cli.option.form import format_option
from kilter.cli.option.number_range import number_range
from kilter.cli.option.serving import LOCAL, note_local
from kilter.cli.option.survey import database_option, running_study
from kilter.cli.talk.terminal import print_result
from kilter.core.settings import INT32
from kilter.results.study import PersonalLink, personal_link_table
from kilter.study.web.site_address import SiteAddress

_MOST_NEW = 10_000


@click.command("links")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--group", metavar="NAME",
              help="Only links of this recruitment group; with --add or --label, the group they get.")  # fmt: skip
@click.option("--add", type=click.IntRange(1, _MOST_NEW), metavar="N",
              help="Make so many more links, and write only these.")  # fmt: skip
@click.option("--label", metavar="N[-N]",
              help="Give the links with these numbers the group of --group, and write only these.")  # fmt: skip
@click.option("--public-url", metavar="URL", default=LOCAL, show_default=True,
              help="How participants reach the survey.")  # fmt: skip
@database_option
@format_option
@click.pass_context
def command(
    context: click.Context,
    /,
    *,
    folder: Path,
    group: str | None,
    add: int | None,
    label: str | None,
    public_url: str,
    database: str | None,
    form: str,
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
    if context.get_parameter_source("public_url") is ParameterSource.DEFAULT:
        note_local()
    print_result(personal_link_table(links), form)
