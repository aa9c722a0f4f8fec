"""`kilter align`: word links between two texts, one line a segment."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from kilter.aligners.registry import ALIGNERS, BILINGUAL, MONOLINGUAL, default_aligner
from kilter.cli.option.engine import engine_options
from kilter.cli.option.execution import jobs_option, quiet_option
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.form import choice, form_option
from kilter.cli.option.input_text import Columns, column_option, with_columns
from kilter.cli.option.resumed import (
    check_resumed_output,
    end_parts,
    kept_parts,
    resumed_output_options,
    written_texts,
)
from kilter.cli.option.setting import setting_option
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.standard_error import say
from kilter.core.language import has_dotless_i
from kilter.core.registry import option_values
from kilter.io.link_format import LinkFormat
from kilter.io.output import check_output
from kilter.io.text_file import TextStream
from kilter.io.tokenizer import DEFAULT_TOKENIZER, default_tokenizer
from kilter.render.table.segment_file import row_form
from kilter.render.table.table import TableFormat
from kilter.run.engine.choice import chosen_engine
from kilter.run.engine.run import run_batches
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kilter.run.align import AlignedLines, TextPair
    from kilter.run.engine.choice import EngineChoice

_ALIGNING = {
    "aligner": "--aligner",
    "language": "--language",
    "form": "--format, or name the format of these with --link-format and of the result with --table",
    "certainty": "--certainty",
    "cache": "--cache",
    "output": "--output",
    "resume": "--resume",
    "engine": "--engine",
    "workers": "--workers",
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
    help="Links count words: those of a tokeniser, as kilter score has them, or with none those between "
    "blanks.  [default: 13a, or as the language asks]",
)
@setting_option(
    Settings,
    "language",
    help="Language of the system: chooses tokeniser, stemmer, and lower case (tr, az).",
)
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
@resumed_output_options
@setting_option(Settings, "cache")
@engine_options
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
    output: str | None,
    resume: bool,
    engine: EngineChoice,
    quiet: bool,
    **settings: Any,
) -> None:
    """Write word links: of SYSTEM and a reference, or of a source and a target text.

    With --agreement, compare two files of links instead; the texts that they join say how many words there
    are, which kappa and FRS need.

    \b
    Examples:
      kilter align -r reference.txt system.txt
      kilter align --source text.de --target text.en --aligner hmm -o de-en.links --resume
      kilter align --agreement hmm.links gold.links --source text.de --target text.en
    """
    if agreement is not None:
        if system is not None or reference is not None:
            raise click.UsageError(
                "--agreement goes with --source and --target, or without any text"
            )
        _check_unused(_ALIGNING, "--agreement compares links that are there; leave out {}")
        from kilter.cli.talk.terminal import print_result
        from kilter.results.links import LinkComparisons
        from kilter.run.link_agreement import link_agreement

        found = link_agreement(
            *agreement,
            source=source if source is None else with_columns([source], columns, "source")[0],
            target=target if target is None else with_columns([target], columns, "target")[0],
            tokenize=settings["tokenize"] or DEFAULT_TOKENIZER,
            lowercase=settings["lowercase"],
            link_format=link_format,
            possible=possible,
            resampling=Resampling(jobs=settings["jobs"]) if intervals else None,
        )
        print_result(LinkComparisons([found]), table_form)
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
    inputs = [first, second]
    output = check_resumed_output(output, inputs, resume=resume)
    if output is not None:
        check_output(output, option_values(aligner), called=f"--output {output}")
    from kilter.run.align import AlignedLines, TextPair, bound_note, chosen_aligner

    task = AlignedLines(
        aligner=chosen_aligner(
            aligner or (default_aligner(settings["language"]) if monolingual else BILINGUAL),
            settings["language"],
        ),
        form=LinkFormat(form),
        turkic=monolingual and has_dotless_i(settings["language"]),
        certainty=certainty,
        tokenize=settings["tokenize"] or default_tokenizer(settings["language"]),
        **{name: settings[name] for name in ("lowercase", "cache", "jobs")},
    )
    if output is not None and row_form(output) is not None and task.form.blocks:
        raise click.UsageError(
            f"{form} does not write a line for each segment, as a table has rows; name a file of text"
        )
    texts = TextPair(first=TextStream(first), second=TextStream(second))
    bounded = _aligned(
        texts,
        task,
        output,
        language=settings["language"],
        resume=resume,
        engine=engine,
        quiet=quiet,
    )
    if bounded and not quiet:
        say(bound_note(bounded))


def _aligned(
    texts: TextPair,
    task: AlignedLines,
    output: str | None,
    *,
    language: str | None,
    resume: bool,
    engine: EngineChoice,
    quiet: bool,
) -> list[int]:
    """Write the links of two texts; return the segments in which a search bound was hit."""
    from kilter.run.align import AlignedBlock

    whole = texts.whole_because(task)
    if whole is not None:
        if resume:
            raise click.UsageError(
                f"{whole}, so that there are no parts to go on with; leave --resume out"
            )
        with progress_bar("aligning", quiet=quiet) as progress:
            found = texts.aligned_whole(task, language=language, progress=progress)
        with written_texts(output, "links", end="\n") as write:
            write(found.lines)
        return found.bounded
    texts.check(task, language=language)
    bounded: list[int] = []
    with ExitStack() as stack:
        ready = stack.enter_context(_taught(texts, task, alone=engine.in_process, quiet=quiet))
        # Not before: training may have written the model that a run goes on with.
        parts = kept_parts(
            output,
            lambda: _made_of(texts, task),
            AlignedBlock.packed,
            AlignedBlock.unpacked,
            resume=resume,
        )
        progress = stack.enter_context(progress_bar("aligning", quiet=quiet, unit="segments"))
        chosen = stack.enter_context(chosen_engine(engine))
        write = stack.enter_context(written_texts(output, "links", end="\n"))
        for block in run_batches(chosen, ready, texts.batches(), parts=parts, progress=progress):
            write(block.lines)
            bounded += block.bounded
    end_parts(parts, output, quiet=quiet)
    return bounded


@contextmanager
def _taught(
    texts: TextPair, task: AlignedLines, *, alone: bool, quiet: bool
) -> Iterator[AlignedLines]:
    """Yield the task with an aligner that has learned what it needs; a bar shows the iterations only."""
    from kilter.run.align import taught

    with ExitStack() as stack:
        with progress_bar("training", quiet=quiet) as progress:
            ready = stack.enter_context(taught(task, texts, alone=alone, progress=progress))
        yield ready


def _made_of(texts: TextPair, task: AlignedLines) -> dict[str, object]:
    from kilter.run.tool_file import tool_files

    return {
        "input": [texts.first.digest(), texts.second.digest()],
        "choice of options": {
            "aligner": task.aligner.signature(),
            "tokenize": task.tokenize,
            "lowercase": task.lowercase,
            "format": str(task.form),
            "certainty": task.certainty,
            **({"case": "turkish"} if task.turkic else {}),
        },
        **tool_files([task.aligner]),
    }


def _check_unused(options: Mapping[str, str], message: str) -> None:
    """Refuse an option that was given and would mean nothing."""
    context = click.get_current_context()
    for argument, name in options.items():
        if context.get_parameter_source(argument) is ParameterSource.COMMANDLINE:
            raise click.UsageError(message.format(name))
