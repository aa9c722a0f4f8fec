"""Options that the commands over human judgments share, and the files behind them."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.talk.standard_error import say
from kilter.cli.talk.terminal import page_width
from kilter.errors import OptionError
from kilter.judgments.reader import JudgmentFormat
from kilter.judgments.survey_export import SurveyQuestion
from kilter.pipeline.agreement.evaluation_pair import Identical, JudgmentPolicy, StudyInputs
from kilter.reports.table.long_table import LONG_FORMATS, write_long
from kilter.reports.table.table import TableFormat
from kilter.statistics.resampling import Resampling
from kilter.structures.judgment.judgments import Repeated, Unscored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from kilter.reports.table.long_table import LongTable

_FORMATS = ["text", "json", "jsonl", "tsv", "csv", "md", "latex"]
_WORDS = [
    click.option("--aligner", default="match", show_default=True, metavar="NAME[:OPTION=VALUE,...]",
                 help="What makes the links."),
    click.option("--tokenize", metavar="NAME", help="How text is split into words, as for score."),
    click.option("-l", "--language", metavar="LANG", help="Language of the systems."),
    click.option("--lowercase", is_flag=True, help="Lower-case everything."),
]  # fmt: skip
_FILES = [
    click.option("--judgments", type=FILE_NAME, metavar="FILE|DIR", help="Human judgments, in any known format."),
    click.option("-r", "--reference", "references", multiple=True, type=FILE_NAME, metavar="FILE",
                 help="The reference; once for each, if there are several."),
    click.option("--systems", multiple=True, type=FILE_NAME, metavar="DIR|FILE",
                 help="The systems' outputs: a folder of them, or a file; may be repeated."),
    click.option("-s", "--source", type=FILE_NAME, metavar="FILE", help="The source text."),
    click.option("--pair", metavar="NAME", help="Language pair, where the judgments hold several."),
    click.option("--judgment-format", type=click.Choice([str(form) for form in JudgmentFormat]),
                 default="auto", show_default=True, help="How the judgments are written."),
    click.option("--judgment-name", metavar="NAME",
                 help="Which human scores of an mt-metrics-eval folder."),
    click.option("--question", type=click.Choice([str(question) for question in SurveyQuestion]),
                 default="order", show_default=True, help="Which answer of a survey."),
    click.option("--threshold", default=0.0, show_default=True, type=click.FloatRange(0),
                 help="Human scores no further apart than this are a tie."),
    click.option("--unscored", type=click.Choice([str(policy) for policy in Unscored]), default="stop",
                 show_default=True, help="A judged system without output: stop, or skip its judgments."),
    click.option("--repeated", type=click.Choice([str(policy) for policy in Repeated]), default="count",
                 show_default=True, help="A pair judged again: count it again, or the first time only."),
    click.option("--identical", type=click.Choice([str(policy) for policy in Identical]), default="keep",
                 show_default=True, help="Pairs of identical outputs: keep or drop them."),
    *_WORDS,
]  # fmt: skip
_CHANCE = [
    click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 2**64 - 1),
                 help="Seed of chance."),
    click.option("-j", "--jobs", default=1, show_default=True, type=click.IntRange(1),
                 help="Threads; the result is the same for every number."),
    click.option("-q", "--quiet", is_flag=True, help="Say nothing on standard error but errors."),
]  # fmt: skip
_RUN = [
    *_CHANCE,
    click.option("--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True,
                 help="How to write the result."),
]  # fmt: skip
_RESAMPLES = [
    click.option("--resamples", default=1000, show_default=True, type=click.IntRange(1),
                 help="Bootstrap samples."),
]  # fmt: skip


def judgment_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say where judgments and texts are."""
    return _added(function, _FILES)


def word_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how text becomes words and links."""
    return _added(function, _WORDS)


def run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of chance, threads, talk and format."""
    return _added(function, _RUN)


def resample_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the same, and the number of resamples."""
    return _added(function, [*_RESAMPLES, *_RUN])


def chance_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of resampling, threads and talk, where the format is no question."""
    return _added(function, [*_RESAMPLES, *_CHANCE])


def metric_option(text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option that names metrics."""
    return click.option(
        "-m", "--metric", "metrics", multiple=True, metavar="NAME[:OPTION=VALUE,...]", help=text
    )


def _added(function: Callable[..., Any], options: Sequence[Any]) -> Callable[..., Any]:
    for option in reversed(options):
        function = option(function)
    return function


def study_inputs(options: dict[str, Any], **extra: Any) -> StudyInputs:
    """Return the files that the options name."""
    if not options["judgments"]:
        raise OptionError("name the human judgments with --judgments FILE")
    return StudyInputs(
        judgments=options["judgments"],
        references=options["references"],
        systems=options["systems"],
        source=options["source"],
        pair=options["pair"],
        judgment_format=JudgmentFormat(options["judgment_format"]),
        judgment_name=options["judgment_name"],
        question=SurveyQuestion(options["question"]),
        threshold=options["threshold"],
        aligner=options["aligner"],
        tokenize=options["tokenize"],
        language=options["language"],
        lowercase=options["lowercase"],
        **extra,
    )


def judgment_policy(options: dict[str, Any]) -> JudgmentPolicy:
    """Return what becomes of judgments that do not count by themselves."""
    return JudgmentPolicy(
        unscored=Unscored(options["unscored"]),
        repeated=Repeated(options["repeated"]),
        identical=Identical(options["identical"]),
    )


def resampling(options: dict[str, Any]) -> Resampling:
    """Return how chance is drawn."""
    return Resampling(resamples=options["resamples"], seed=options["seed"], jobs=options["jobs"])


def tell(notes: Iterable[str], *, quiet: bool) -> None:
    """Write notes on standard error, unless nobody wants them."""
    if not quiet:
        for note in notes:
            say(note)


def write_result(
    document: dict[str, Any],
    form: str,
    *,
    rows: Callable[[dict[str, Any]], LongTable],
    pages: Callable[..., None],
) -> None:
    """Write a result to standard output: as JSON, in rows for programs, or on pages for people."""
    if form == TableFormat.JSON:
        json.dump(document, sys.stdout, ensure_ascii=False)
        sys.stdout.write("\n")
    elif form in LONG_FORMATS:
        write_long(rows(document), sys.stdout, form=form)
    else:
        pages(document, sys.stdout, form=TableFormat(form), width=page_width())
