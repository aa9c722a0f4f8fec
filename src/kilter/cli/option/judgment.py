"""Options that the commands over human judgments share, and the files behind them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kilter.cli.option.execution import jobs_option, quiet_option, resamples_option, seed_option
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.finite_number import FiniteNumber
from kilter.cli.option.form import choice, format_option
from kilter.cli.option.given_score import score_files
from kilter.cli.option.input_text import (
    column_option,
    references_option,
    source_option,
    with_columns,
)
from kilter.cli.option.option_list import option_list
from kilter.cli.option.setting import setting_option
from kilter.cli.option.text import read_files, structure_files, structure_options
from kilter.cli.talk.standard_error import say
from kilter.core.errors import OptionError
from kilter.core.judgments import Repeated, Unscored
from kilter.core.settings import spelled_fields
from kilter.io.judgments.reader import JudgmentFormat
from kilter.io.judgments.survey_export import DEFAULT_QUESTION
from kilter.io.stream import is_folder
from kilter.run.meta.evaluation_inputs import EvaluationInputs, Identical, JudgmentPolicy
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kilter.cli.option.option_list import Options

_OF_WORDS = [name for name in spelled_fields(Settings) if name not in {"metrics", "jobs"}]
word_options = option_list(*(setting_option(Settings, name) for name in _OF_WORDS))
"""The options that say how text becomes words, links and trees, as for score."""
judgment_options = option_list(
    click.option("--judgments", type=FILE_NAME, metavar="FILE|DIR", help="Human judgments, in any known format."),
    references_option(),
    click.option("--systems", multiple=True, type=FILE_NAME, metavar="DIR|FILE",
                 help="The systems' outputs: a folder of them, or a file; may be repeated."),
    source_option(),
    column_option("hypothesis", "reference", "source"),
    click.option("--pair", metavar="NAME", help="Language pair, where the judgments hold several."),
    click.option("--judgment-format", type=choice(JudgmentFormat),
                 default="auto", show_default=True, help="How the judgments are written."),
    click.option("--judgment-name", metavar="NAME",
                 help="Which human scores of an mt-metrics-eval folder."),
    click.option("--question", metavar="NAME",
                 help=f"Which question of a survey export.  [default: {DEFAULT_QUESTION}]"),
    click.option("--threshold", default=0.0, show_default=True, type=FiniteNumber(0),
                 help="Human scores no further apart than this are a tie."),
    click.option("--unscored", type=choice(Unscored), default="stop",
                 show_default=True, help="A judged system without output: stop, or skip its judgments."),
    click.option("--repeated", type=choice(Repeated), default="count",
                 show_default=True, help="A pair judged again: count it again, or the first time only."),
    click.option("--min-agreement", default=0.0, show_default=True, type=FiniteNumber(0, 1), metavar="SHARE",
                 help="Only pairs judged several times of whose judgments this share says the same."),
    click.option("--identical", type=choice(Identical), default="keep",
                 show_default=True, help="Pairs of identical outputs: keep or drop them."),
    structure_options,
    word_options,
)  # fmt: skip
"""The options that say where judgments and texts are."""
run_options = option_list(
    seed_option,
    jobs_option,
    quiet_option,
    format_option,
)
"""The options of chance, threads, talk and format."""
resample_options = option_list(resamples_option, run_options)
"""The same, and the number of resamples."""


def evaluation_inputs(options: Options, settings: Settings, **extra: Any) -> EvaluationInputs:
    """Return the files that the options name, to be scored under these settings."""
    if not options["judgments"] and not extra.get("ratings"):
        raise OptionError("name the human judgments with --judgments FILE")
    columns, source = options["columns"], options["source"]
    return EvaluationInputs(
        judgments=options["judgments"],
        references=tuple(with_columns(options["references"], columns, "reference")),
        systems=tuple(with_columns(options["systems"], columns, "hypothesis")),
        source=next(iter(with_columns([source] if source else [], columns, "source")), None),
        pair=options["pair"],
        judgment_format=JudgmentFormat(options["judgment_format"]),
        judgment_name=options["judgment_name"],
        question=options["question"],
        threshold=options["threshold"],
        settings=settings,
        **vars(structure_files(options)),
        **extra,
    )


def judged_files(options: Options) -> list[str]:
    """Return every file that the options of judgments name, and those of folders of systems."""
    others = (options[name] for name in ("judgments", "ratings", "evaluation") if options.get(name))
    named = [*others, *score_files(options.get("scores", ())).values(), *read_files(options)]
    return [*named, *listed_files(options["systems"])]


def listed_files(paths: Iterable[str]) -> list[str]:
    """Return the files of folders."""
    folders = (Path(path) for path in paths if is_folder(path))
    return [str(file) for folder in folders for file in sorted(folder.iterdir())]


def word_settings(options: Options, **extra: Any) -> Settings:
    """Return how the options say that text becomes words and links, with more settings beside it."""
    given = {name: options[name] for name in _OF_WORDS if options[name] != ()}
    return Settings(**given, jobs=options["jobs"], **extra)


def judgment_policy(options: Options) -> JudgmentPolicy:
    """Return what becomes of judgments that do not count by themselves."""
    return JudgmentPolicy(
        unscored=Unscored(options["unscored"]),
        repeated=Repeated(options["repeated"]),
        identical=Identical(options["identical"]),
        min_agreement=options["min_agreement"],
    )


def tell(notes: Iterable[str], *, quiet: bool) -> None:
    """Write notes on standard error, unless nobody wants them."""
    if not quiet:
        for note in notes:
            say(note)
