"""`kilter align`: word links between two texts, one line a segment."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from kilter.aligners.registry import ALIGNERS, BILINGUAL, MONOLINGUAL
from kilter.cli.option.execution import jobs_option, quiet_option
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.form import choice, form_option
from kilter.cli.option.input_text import Columns, column_option, with_columns
from kilter.cli.option.setting import setting_option
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.standard_error import say
from kilter.counted import counted
from kilter.formats.link_format import LinkFormat
from kilter.formats.link_writer import write_links
from kilter.formats.stream import display_name
from kilter.formats.text_file import read_text_file
from kilter.pipeline.align import align_texts
from kilter.pipeline.link_agreement import link_agreement
from kilter.pipeline.scoring.settings import Settings
from kilter.reports.table.link_comparison import write_link_comparisons
from kilter.reports.table.table import TableFormat
from kilter.statistics.resampling import Resampling

if TYPE_CHECKING:
    from collections.abc import Mapping

_ALIGNING = {
    "aligner": "--aligner",
    "language": "--language",
    "form": "--format, or name the format of these with --link-format and of the result with --table",
    "certainty": "--certainty",
    "cache": "--cache",
}
_COMPARING = {
    "link_format": "--link-format",
    "possible": "--possible",
    "intervals": "--intervals",
    "table_form": "--table",
}


@click.command("align")
@click.argument("system", required=False, type=FILE_NAME)
@click.option(
    "-r", "--reference", type=FILE_NAME, metavar="FILE", help="Align SYSTEM with this reference."
)
@click.option("--source", type=FILE_NAME, metavar="FILE", help="Align this text ...")
@click.option("--target", type=FILE_NAME, metavar="FILE", help="... with this translation of it.")
@column_option("hypothesis", "reference", "source", "target")
@setting_option(
    Settings,
    "aligner",
    multiple=False,
    help=f"One of {', '.join(ALIGNERS.names())}.  [default: {MONOLINGUAL} for a reference, "
    f"{BILINGUAL} for a target]",
)
@setting_option(
    Settings,
    "tokenize",
    default="none",
    show_default=True,
    help="Links count words: those of the text as it stands, or of a tokeniser.",
)
@setting_option(Settings, "language", help="Language of the system: chooses the stemmer.")
@setting_option(Settings, "lowercase")
@form_option(LinkFormat, "pharaoh", "How to write the links.")
@click.option(
    "--certainty",
    is_flag=True,
    help="Write how certain each link is, in the formats naacl and meteor; match, hmm and ibm1 say it.",
)
@click.option("--agreement", type=FILE_NAME, nargs=2, metavar="A B",
              help="Compare the links of file A with those of file B, which are taken as right.")  # fmt: skip
@click.option("--link-format", type=choice(LinkFormat),
              help="How the files of --agreement are written.  [default: found out]")  # fmt: skip
@click.option("--possible", is_flag=True,
              help="Possible links make orders, too (FRS of --agreement).")  # fmt: skip
@click.option("--intervals", is_flag=True,
              help="Add bootstrap intervals over segments, of 95%, to --agreement.")  # fmt: skip
@form_option(TableFormat, "text", "How to write what --agreement finds.", name="--table",
             argument="table_form")  # fmt: skip
@setting_option(Settings, "cache")
@jobs_option
@quiet_option
def command(
    *,
    system: str | None,
    reference: str | None,
    source: str | None,
    target: str | None,
    columns: Columns,
    aligner: str | None,
    form: str,
    certainty: bool,
    agreement: tuple[str, str] | None,
    link_format: str | None,
    possible: bool,
    intervals: bool,
    table_form: str,
    quiet: bool,
    **settings: Any,
) -> None:
    """Write word links: of SYSTEM and a reference, or of a source and a target text.

    With --agreement, compare two files of links instead; the texts that they join say how many words there
    are, which kappa and FRS need.

    \b
    Examples:
      kilter align -r reference.txt system.txt
      kilter align --source text.de --target text.en --aligner hmm
      kilter align --agreement hmm.links gold.links --source text.de --target text.en
    """
    if agreement is not None:
        if system is not None or reference is not None:
            raise click.UsageError(
                "--agreement goes with --source and --target, or without any text"
            )
        _check_unused(_ALIGNING, "--agreement compares links that are there; leave out {}")
        found = link_agreement(
            *agreement,
            source=source if source is None else with_columns([source], columns, "source")[0],
            target=target if target is None else with_columns([target], columns, "target")[0],
            tokenize=settings["tokenize"],
            lowercase=settings["lowercase"],
            link_format=link_format,
            possible=possible,
            resampling=Resampling(jobs=settings["jobs"]) if intervals else None,
        )
        write_link_comparisons([found], sys.stdout, form=TableFormat(table_form))
        return
    _check_unused(_COMPARING, "{} goes with --agreement")
    monolingual = system is not None and reference is not None
    bilingual = source is not None and target is not None
    given = [name for name in (system, reference, source, target) if name is not None]
    if monolingual == bilingual or len(given) != 2:
        raise click.UsageError("give either SYSTEM with -r FILE, or --source with --target")
    first, second = (system, reference) if monolingual else (source, target)
    if first is None or second is None or first == second == "-":
        raise click.UsageError("name two texts; only one can come from standard input")
    roles = ("hypothesis", "reference") if monolingual else ("source", "target")
    (first,), (second,) = (
        with_columns([path], columns, role)
        for path, role in zip((first, second), roles, strict=True)
    )
    with progress_bar("training", quiet=quiet) as progress:
        links, words = align_texts(
            (display_name(first), read_text_file(first)),
            (display_name(second), read_text_file(second)),
            aligner=aligner or (MONOLINGUAL if monolingual else BILINGUAL),
            certainty=certainty,
            progress=progress,
            **settings,
        )
    for line in write_links(links, form=form, texts=words, certainty=certainty):
        sys.stdout.write(line + "\n")
    if links.bounded and not quiet:
        say(
            f"the aligner hit its search bound in {counted(len(links.bounded), 'segment')}, the first is "
            f"{links.bounded[0] + 1}; their links may not be the best possible"
        )


def _check_unused(options: Mapping[str, str], message: str) -> None:
    """Refuse an option that was given and would mean nothing."""
    context = click.get_current_context()
    for argument, name in options.items():
        if context.get_parameter_source(argument) is ParameterSource.COMMANDLINE:
            raise click.UsageError(message.format(name))
