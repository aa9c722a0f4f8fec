"""`kilter spans convert`: error spans in the format of another tool."""

from __future__ import annotations

import sys

from kilter.cli.command import settings_command
from kilter.cli.console import print_notes
from kilter.cli.fields import quiet_setting
from kilter.cli.spans.files import SpanFiles
from kilter.core.errors import OptionError
from kilter.core.settings import InputFile, OutputFile, argument, mixed, setting
from kilter.io.output import check_output, written
from kilter.io.spans.entry import SpanFormatName
from kilter.io.spans.format import lost, write_spans
from kilter.run.span_scores import contested


@settings_command("convert")
def command(
    *,
    file: InputFile = argument(description="A file of spans."),
    to: SpanFormatName = setting(description="Format to write."),
    files: SpanFiles = mixed(SpanFiles),
    most_contested: int | None = setting(
        "--contested",
        default=None,
        low=1,
        metavar="N",
        description="Write the N segments with the least agreement, unmarked.",
    ),
    output: OutputFile | None = setting(
        "-o", "--output", default=None, description="Write to a file.  [default: -]"
    ),
    quiet: bool = quiet_setting(),
) -> None:
    """Write error spans in the format of another tool; what it has no room for is told.

    Offsets are checked against the text and counted as the format counts them.

    \b
    Examples:
      kilter spans convert mqm.tsv --to pearmut -o campaign.json
      kilter spans convert annotations.jsonl --to wmt --annotator ann
      kilter spans convert annotations.jsonl --contested 50 --to pearmut -o again.json
      kilter spans convert system.tags --from tags --text system.txt --to label-studio
    """
    if output is not None:
        check_output(output, [file, *filter(None, [files.text])], called=f"-o {output}")
    spans = files.read(file)
    if most_contested is not None:
        spans = contested(spans, most_contested)
        if not spans.segments:
            raise OptionError(
                "--contested needs segments that several annotators marked otherwise; there is none"
            )
    parts = write_spans(spans, form=to)
    if output is None:
        sys.stdout.writelines(parts)
    else:
        with written(output) as out:
            for part in parts:
                out.write(part.encode())
    print_notes(lost(spans, to), quiet=quiet)
