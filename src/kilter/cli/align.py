"""`kilter align`: word links between two texts, one line a segment."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from kilter.aligners.registry import BILINGUAL, MONOLINGUAL, default_aligner
from kilter.cli.command import settings_command
from kilter.cli.console import print_message, progress_bar
from kilter.cli.fields import (
    Columns,
    columns_setting,
    format_setting,
    jobs_setting,
    quiet_setting,
    with_columns,
)
from kilter.cli.resumed import ResumedOutput, end_parts, kept_parts, written_texts
from kilter.core.language import has_dotless_i
from kilter.core.registry import option_values
from kilter.core.settings import Group, InputFile, argument, flag, like, setting
from kilter.io.link_format import LinkFormat
from kilter.io.output import check_output
from kilter.io.text_file import TextStream
from kilter.io.tokenizer import DEFAULT_TOKENIZER, default_tokenizer
from kilter.render.table.segment_file import row_form
from kilter.render.table.table import TableFormat
from kilter.run.engine.choice import EngineChoice, chosen_engine
from kilter.run.engine.run import run_batches
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kilter.run.align import AlignedLines, TextPair


_ALIGNING = {
    "aligner": "--aligner",
    "language": "--language",
    "format": "--format, or name the format of these with --link-format and of the result with --table",
    "certainty": "--probabilities",
    "cache": "--cache",
    "output": "--output",
    "resume": "--resume",
    "engine": "--engine",
    "workers": "--workers",
}


@dataclass(frozen=True, kw_only=True)
class AlignOptions:
    """What is aligned or compared, by what, and where links go."""

    system: InputFile | None = argument(
        default=None, description="Translations to align with -r FILE."
    )
    reference: InputFile | None = setting(
        "-r", "--reference", default=None, description="Reference to align SYSTEM with."
    )
    source: InputFile | None = setting(
        default=None, description="Source text to align with --target."
    )
    target: InputFile | None = setting(default=None, description="Translation of the source.")
    columns: Columns = columns_setting("hypothesis", "reference", "source", "target")
    aligner: str | None = like(
        Settings,
        "aligner",
        description=f"Aligner, such as embedding.  [default: {MONOLINGUAL}, with --target {BILINGUAL}]",
    )
    tokenize: str | None = like(
        Settings,
        "tokenize",
        description="Tokeniser whose words links count.  [default: by language]",
    )
    language: str | None = like(
        Settings,
        "language",
        description="Language of the system; sets tokeniser, stemmer, lowercasing.",
    )
    lowercase: bool = like(Settings, "lowercase")
    agreement: tuple[InputFile, InputFile] | None = setting(
        default=None,
        metavar="A B",
        description="Compare the links of A with those of B, the gold standard.",
    )
    link_format: LinkFormat | None = setting(
        default=None,
        needs="agreement",
        group=Group.INPUT,
        description="Format of the files of --agreement.  [default: detected]",
    )
    possible: bool = flag(
        needs="agreement", description="With --agreement: possible links count for FRS as well."
    )
    intervals: bool = flag(
        needs="agreement",
        description="With --agreement: add 95% bootstrap intervals (segments).",
    )
    format: LinkFormat = format_setting(
        default=LinkFormat.PHARAOH, description="Format of the links."
    )
    certainty: bool = flag(
        "--probabilities",
        old=("--certainty",),
        group=Group.OUTPUT,
        description="Write a probability for each link (formats naacl, meteor).",
    )
    table: TableFormat = format_setting(
        "--table", needs="agreement", description="With --agreement: output format."
    )
    resumed: ResumedOutput = field(default_factory=ResumedOutput)
    cache: str | None = like(Settings, "cache")
    engine: EngineChoice = field(default_factory=EngineChoice)
    jobs: int = jobs_setting()
    quiet: bool = quiet_setting()

    @property
    def monolingual(self) -> bool:
        """Whether a system is aligned with its reference."""
        return self.system is not None

    def problems(self, given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        if self.agreement is not None:
            if self.system is not None or self.reference is not None:
                yield "--agreement goes with --source and --target, or without any text"
            for name, called in _ALIGNING.items():
                if name in given:
                    yield f"--agreement compares links that are there; leave out {called}"
            return
        named = [
            each is not None for each in (self.system, self.reference, self.source, self.target)
        ]
        if named not in ([True, True, False, False], [False, False, True, True]):
            yield "give either SYSTEM with -r FILE, or --source with --target"


@settings_command("align")
def command(options: AlignOptions) -> None:
    """Write word links: of SYSTEM and a reference, or of a source and a target text.

    With --agreement, compare two files of links instead; the texts that they join say how many words there
    are, which kappa and FRS need.

    \b
    Examples:
      kilter align -r reference.txt system.txt
      kilter align --source text.de --target text.en --aligner hmm -o de-en.links --resume
      kilter align --agreement hmm.links gold.links --source text.de --target text.en
    """
    if options.agreement is not None:
        _compare(options, *options.agreement)
        return
    columns, language, quiet = options.columns, options.language, options.quiet
    pair = {"source": options.source, "target": options.target}
    if options.monolingual:
        pair = {"hypothesis": options.system, "reference": options.reference}
    inputs = [
        path
        for role, named in pair.items()
        if named is not None
        for path in with_columns([named], columns, role)
    ]
    output = options.resumed.check(inputs)
    if output is not None:
        check_output(output, option_values(options.aligner), called=f"--output {output}")
    from kilter.run.align import AlignedLines, TextPair, bound_note, chosen_aligner

    usual = default_aligner(language) if options.monolingual else BILINGUAL
    task = AlignedLines(
        aligner=chosen_aligner(options.aligner or usual, language),
        form=options.format,
        turkic=options.monolingual and has_dotless_i(language),
        certainty=options.certainty,
        tokenize=options.tokenize or default_tokenizer(language),
        lowercase=options.lowercase,
        cache=options.cache,
        jobs=options.jobs,
    )
    if output is not None and row_form(output) is not None and task.form.blocks:
        raise click.UsageError(
            f"{options.format} does not write a line for each segment, as a table has rows; name a file of text"
        )
    texts = TextPair(first=TextStream(inputs[0]), second=TextStream(inputs[1]))
    bounded = _aligned(texts, task, output, options)
    if bounded and not quiet:
        print_message(bound_note(bounded))


def _compare(options: AlignOptions, links: str, right: str) -> None:
    """Write how far two files of links agree."""
    from kilter.cli.console import print_result
    from kilter.results.links import LinkComparisons
    from kilter.run.link_agreement import link_agreement

    source, target = (
        None if path is None else with_columns([path], options.columns, role)[0]
        for role, path in (("source", options.source), ("target", options.target))
    )
    found = link_agreement(
        links,
        right,
        source=source,
        target=target,
        tokenize=options.tokenize or DEFAULT_TOKENIZER,
        lowercase=options.lowercase,
        link_format=options.link_format,
        possible=options.possible,
        resampling=Resampling(jobs=options.jobs) if options.intervals else None,
    )
    print_result(LinkComparisons([found]), options.table)


def _aligned(
    texts: TextPair, task: AlignedLines, output: str | None, options: AlignOptions
) -> list[int]:
    """Write the links of two texts; return the segments in which a search bound was hit."""
    language, quiet, resume = options.language, options.quiet, options.resumed.resume
    from kilter.run.align import AlignedBlock

    whole = texts.whole_because(task)
    if whole is not None and resume:
        raise click.UsageError(
            f"{whole}, so that there are no parts to go on with; leave --resume out"
        )
    texts.check(task, language=language)
    bounded: list[int] = []
    with ExitStack() as stack:
        ready = stack.enter_context(
            _taught(texts, task, alone=options.engine.in_process, quiet=quiet)
        )
        # Not before: training may have written the model that a run goes on with.
        parts = kept_parts(
            output,
            lambda: _made_of(texts, task),
            AlignedBlock.packed,
            AlignedBlock.unpacked,
            resume=resume,
        )
        progress = stack.enter_context(progress_bar("aligning", quiet=quiet, unit="segments"))
        chosen = stack.enter_context(chosen_engine(options.engine))
        write = stack.enter_context(written_texts(output, "links", end="\n"))
        batches = texts.batches(task)
        for block in run_batches(chosen, ready, batches, parts=parts, progress=progress):
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
