"""`kilter annotate create`: a project of texts."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.command import FILE_NAME
from kilter.cli.option.annotation import (
    WHAT,
    annotator_links,
    database_option,
    running_project,
)
from kilter.cli.option.execution import jobs_option, quiet_option
from kilter.cli.option.form import choice
from kilter.cli.option.serving import LOCAL
from kilter.cli.option.survey import needs_extra
from kilter.cli.talk.progress import progress_bar
from kilter.core.counted import counted
from kilter.io.link_format import LinkFormat
from kilter.io.output import write_file
from kilter.study.annotation.creation import NewProject, create_project, named_people
from kilter.study.annotation.project import LINK_FILE, Role
from kilter.study.web.site_address import SiteAddress


@click.command("create")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("-s", "--source", required=True, type=FILE_NAME, metavar="FILE",
              help="Sentences, one a line.")  # fmt: skip
@click.option("-t", "--target", type=FILE_NAME, metavar="FILE",
              help="Their translations; annotators write those of empty lines.  [default: all of them]")  # fmt: skip
@click.option("--links", metavar="ALIGNER|FILE",
              help="What proposes links: an aligner such as hmm, embedding or match, or a file of links.")  # fmt: skip
@click.option("--link-format", type=choice(LinkFormat),
              help="How the file of --links is written.  [default: found out]")  # fmt: skip
@click.option("--annotators", default="1", show_default=True, metavar="N|NAMES",
              help="How many people annotate, or their names with commas between.")  # fmt: skip
@click.option("--adjudicators", default="1", show_default=True, metavar="N|NAMES",
              help="How many people adjudicate, or their names.")  # fmt: skip
@click.option("--per-sentence", type=click.IntRange(1), metavar="K",
              help="How many annotators each sentence has.  [default: all]")  # fmt: skip
@click.option("--tokenize", default="none", show_default=True, metavar="NAME",
              help="How sentences are split into words.")  # fmt: skip
@click.option("--target-tokenize", metavar="NAME",
              help="How translations are split into words.  [default: as --tokenize]")  # fmt: skip
@click.option("--source-language", metavar="CODE",
              help="Language of the sentences: what the linter knows, and guidelines.")  # fmt: skip
@click.option("--target-language", metavar="CODE", help="Language of the translations.")
@click.option(
    "--title", metavar="TEXT", help="What pages are headed by.  [default: names the source]"
)
@click.option("--fixed-translation", is_flag=True,
              help="Annotators link words, and change no translation.")  # fmt: skip
@click.option("--possible", is_flag=True,
              help="Possible links count for reorderings and findings, too.")  # fmt: skip
@click.option("--public-url", metavar="URL", default=LOCAL, show_default=True,
              help="How annotators reach the pages; kept in project.toml.")  # fmt: skip
@database_option
@jobs_option
@quiet_option
def command(
    *,
    folder: Path,
    source: str,
    target: str | None,
    links: str | None,
    annotators: str,
    adjudicators: str,
    public_url: str,
    database: str | None,
    jobs: int,
    quiet: bool,
    **settings: object,
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
        **settings,  # type: ignore[arg-type]
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
