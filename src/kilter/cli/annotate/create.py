"""`kilter annotate create`: a project of texts."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.annotate.project import (
    WHAT,
    annotator_links,
    database_setting,
    running_project,
)
from kilter.cli.command import settings_command
from kilter.cli.console import progress_bar
from kilter.cli.fields import (
    jobs_setting,
    quiet_setting,
)
from kilter.cli.survey.serving import LOCAL
from kilter.cli.survey.study import needs_extra
from kilter.core.counted import counted
from kilter.core.settings import InputFile, argument, flag, setting
from kilter.io.link_format import LinkFormat
from kilter.io.output import write_file
from kilter.study.annotation.creation import NewProject, create_project, named_people
from kilter.study.annotation.project import LINK_FILE, Role
from kilter.study.web.site_address import SiteAddress


@settings_command("create")
def command(
    *,
    folder: Path = argument(),
    source: InputFile = setting("-s", "--source", description="Sentences, one per line."),
    target: InputFile | None = setting(
        "-t",
        "--target",
        default=None,
        description="Their translations; annotators fill empty lines.",
    ),
    links: str | None = setting(
        default=None,
        metavar="ALIGNER|FILE",
        description="Aligner or link file that proposes links to annotators.",
    ),
    link_format: LinkFormat | None = setting(
        default=None, description="Format of the file of --links.  [default: detected]"
    ),
    annotators: str = setting(
        default="1",
        metavar="N|NAMES",
        description="Number of annotators, or their names: Ada,Ben.",
    ),
    adjudicators: str = setting(
        default="1", metavar="N|NAMES", description="Number of adjudicators, or their names."
    ),
    per_sentence: int | None = setting(
        default=None,
        metavar="K",
        low=1,
        description="Annotators per sentence.  [default: all]",
    ),
    tokenize: str = setting(
        default="none", metavar="NAME", description="Tokeniser of the sentences."
    ),
    target_tokenize: str | None = setting(
        default=None,
        metavar="NAME",
        description="Tokeniser of the translations.  [default: as --tokenize]",
    ),
    source_language: str | None = setting(
        default=None,
        metavar="CODE",
        description="Language of the sentences, for the linter and guidelines.",
    ),
    target_language: str | None = setting(
        default=None, metavar="CODE", description="Language of the translations."
    ),
    title: str | None = setting(
        default=None,
        metavar="TEXT",
        description="Title of the pages.  [default: the source's name]",
    ),
    fixed_translation: bool = flag(
        description="Annotators only link words; translations stay fixed."
    ),
    possible: bool = flag(description="Count possible links in reorderings and findings."),
    public_url: str = setting(
        default=LOCAL,
        metavar="URL",
        description="Address of the pages.",
    ),
    database: str | None = database_setting(),
    jobs: int = jobs_setting(),
    quiet: bool = quiet_setting(),
) -> None:
    """Make a project in FOLDER: sentences to link with their translations, and a link for everybody.

    Whoever has a personal link can see and change what was done with it: they are written to standard
    output and to links.txt, which only its owner reads. Everything that is wrong is told at once.

    \b
    Examples:
      kilter annotate create project/ -s text.en -t text.ja --links hmm --annotators 2
      kilter annotate create project/ -s text.en --annotators Ada,Bo --source-language en
    """
    address = str(SiteAddress.parse(public_url))
    new = NewProject(
        source=source,
        target=target,
        links=links,
        public_url=address,
        annotators=named_people(annotators, Role.ANNOTATOR),
        adjudicators=named_people(adjudicators, Role.ADJUDICATOR),
        link_format=link_format,
        per_sentence=per_sentence,
        tokenize=tokenize,
        target_tokenize=target_tokenize,
        source_language=source_language,
        target_language=target_language,
        title=title,
        fixed_translation=fixed_translation,
        possible=possible,
    )
    _check_database(database, folder)
    with progress_bar("aligning", quiet=quiet) as progress:
        project = create_project(folder, new, jobs=jobs, progress=progress)
    with running_project(folder, database, new=True) as running:
        found = annotator_links(running, address)
    lines = [f"{each.name}\t{each.role}\t{each.link}" for each in found]
    write_file(folder / LINK_FILE, "\n".join([*lines, ""]), private=True)
    if not quiet:
        proposed = sum(len(each.proposals) for each in project.sentences)
        said = (
            f"{counted(len(project.sentences), 'sentence')}, {counted(proposed, 'proposed link')}"
        )
        bare = sum(not each.proposals for each in project.sentences)
        if links is not None and bare:
            said += f", none for {counted(bare, 'sentence')}"
        click.echo(f"{said}; personal links, also in {folder / LINK_FILE}:", err=True)
    for line in lines:
        click.echo(line)


def _check_database(database: str | None, folder: Path) -> None:
    """Refuse a database that cannot be used, or packages that lack, before there is a project without one."""
    with needs_extra("survey", what=WHAT):
        from kilter.study.annotation.store.annotation_store import MIGRATIONS
        from kilter.study.store.database import open_database
    if database is not None:
        open_database(database, folder, migrations=MIGRATIONS).close()
