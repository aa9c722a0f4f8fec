"""`kilter spans score`: sets of spans against what people marked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.cli.command import settings_command
from kilter.cli.console import print_notes, print_result
from kilter.cli.fields import format_setting, quiet_setting
from kilter.cli.spans.files import SpanFiles
from kilter.core.settings import Group, InputFile, argument, flag, setting
from kilter.core.spans import Spans
from kilter.io.stream import display_name, refuse_repeated
from kilter.io.tokenizer import DEFAULT_TOKENIZER
from kilter.render.table.table import TableFormat
from kilter.run.span_scores import DEFAULT_MEASURES, score_spans
from kilter.stats.resampling import Resampling
from kilter.stats.span_score import SpanMeasure

if TYPE_CHECKING:
    from kilter.core.spans import MarkedSegment


@dataclass(frozen=True, kw_only=True)
class SpanScoreOptions:
    """What is compared with what, and by which measures."""

    gold: InputFile = argument(description="What people marked.")
    predicted: tuple[InputFile, ...] = argument(default=(), description="Files of spans.")
    files: SpanFiles = field(default_factory=SpanFiles)
    measures: tuple[SpanMeasure, ...] = setting(
        "--measure",
        default=DEFAULT_MEASURES,
        description="A measure of agreement; repeatable.",
    )
    tokenize: str = setting(
        default=DEFAULT_TOKENIZER,
        metavar="NAME",
        description="Tokeniser that finds the words of the measure words.",
    )
    no_controls: bool = flag(description="Leave out the controls.")
    resampling: Resampling = field(default_factory=Resampling)
    format: TableFormat = format_setting()
    quiet: bool = quiet_setting()


@settings_command("score", heading=Group.SCORING)
def command(options: SpanScoreOptions) -> None:
    """Score spans against what people marked: precision, recall and F1, with intervals, tests and controls.

    Without PREDICTED, each annotator is compared with the others. Gamma tells how far annotators agree.

    \b
    Examples:
      kilter spans score marked.jsonl xcomet.json spans.jsonl
      kilter spans score marked.jsonl --measure mpp --measure severity
    """
    paths = [options.gold, *options.predicted]
    refuse_repeated(paths)
    gold = options.files.read(options.gold)
    others = SpanFiles(
        form=options.files.form, text=options.files.text, system=options.files.system
    )
    predicted = {
        name: spans
        for path in options.predicted
        for name, spans in _by_annotator(display_name(path), others.read(path)).items()
    }
    result = score_spans(
        gold,
        predicted,
        measures=options.measures,
        tokenize=options.tokenize,
        controls=not options.no_controls,
        called=display_name(options.gold),
        resampling=options.resampling,
    )
    print_result(result, options.format)
    print_notes(result.notes, quiet=options.quiet)


def _by_annotator(name: str, spans: Spans) -> dict[str, Spans]:
    """Return a set of spans for each annotator of a file."""
    found: dict[str, list[MarkedSegment]] = {}
    for each in spans:
        found.setdefault(each.annotator, []).append(each)
    if len(found) < 2:
        return {name: spans}
    return {f"{name}: {who or 'no name'}": Spans(tuple(own)) for who, own in found.items()}
