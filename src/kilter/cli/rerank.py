"""`kilter rerank`: the best candidates of an n-best list."""

from __future__ import annotations

import sys
from typing import Any

import click
import numpy as np

from kilter.cli.command import FILE_NAME
from kilter.cli.nbest import linked_texts, read_beside, read_lists, texts_of
from kilter.cli.option.execution import jobs_option
from kilter.cli.option.form import form_option
from kilter.cli.option.input_text import (
    Columns,
    column_option,
    references_option,
    source_option,
)
from kilter.cli.option.setting import setting_option
from kilter.cli.option.text import given_link_options, structure_files
from kilter.core.errors import OptionError
from kilter.io.nbest import NbestEntry, NbestForm, write_nbest
from kilter.io.stream import display_name
from kilter.metrics.registry import metric_names
from kilter.run.scoring.nbest import best_candidates
from kilter.run.scoring.settings import Settings

_SCORE = "score"
_SETTINGS = ("aligner", "tokenize", "language", "lowercase", "jobs")


@click.command("rerank")
@click.argument("nbest", metavar="NBEST", type=FILE_NAME)
@click.option("-w", "--weight", "weights", multiple=True, required=True, metavar="NAME[=WEIGHT]",
              help="A feature of the list, its score, or a metric (NAME:OPTION=VALUE), and its weight in the "
                   "sum; may be repeated.  [default weight: 1]")  # fmt: skip
@references_option("A reference, which metrics need; once for each, if there are several.")
@source_option()
@column_option("reference", "source")
@given_link_options
@setting_option(Settings, "aligner")
@setting_option(Settings, "tokenize")
@setting_option(Settings, "language")
@setting_option(Settings, "lowercase")
@form_option(
    NbestForm, "text", "How to write the best candidates: their texts alone, or as lists have them."
)
@jobs_option
def command(
    *,
    nbest: str,
    weights: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    columns: Columns,
    form: str,
    **options: Any,
) -> None:
    """Write the best candidate of each segment, by a weighted sum of features and metrics.

    \b
    Examples:
      kilter rerank list.nbest -w score
      kilter rerank list.nbest -r reference.txt -w lr -w lm=0.2
    """
    named = [(name, _number(weight, text)) for text in weights for name, weight in [_split(text)]]
    if len({name for name, _ in named}) != len(named):
        raise OptionError("--weight names something twice; once is enough")
    if [nbest, source, *references].count("-") > 1:
        raise OptionError("only one file can come from standard input")
    beside = read_beside(references, source, columns)
    segments = None if beside is None else len(next(iter(beside.references.values())))
    groups = read_lists(nbest, segments)
    lists = texts_of(groups)
    given = {name: options[name] for name in _SETTINGS if options[name] not in ((), None)}
    settings = Settings(**given)
    texts = None
    if beside is not None:
        metrics = [name for name, _ in named if name in metric_names() or ":" in name]
        texts = linked_texts(groups, beside, structure_files(options), metrics)
    elif structure_files(options).any():
        raise OptionError("links are looked at by metrics only; give references with -r FILE")
    best = best_candidates(
        lists,
        texts,
        dict(named),
        _features(
            [each for group in groups for each in group],
            [name for name, _ in named],
            nbest,
            measured=beside is not None,
        ),
        settings,
    )
    chosen = [group[place] for group, place in zip(groups, best, strict=True)]
    sys.stdout.writelines(line + "\n" for line in write_nbest(chosen, NbestForm(form)))


def _split(text: str) -> tuple[str, str]:
    """Return name and weight; an equals sign of a metric's own option comes before that of the weight."""
    name, sign, weight = text.rpartition("=")
    options = text.partition(":")[2]
    return (name, weight) if sign and options.count("=") != options.count(",") + 1 else (text, "1")


def _number(weight: str, text: str) -> float:
    try:
        value = float(weight)
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise OptionError(f"--weight is {text!r}; write NAME or NAME=WEIGHT with a number")
    return value


def _features(
    candidates: list[NbestEntry], names: list[str], path: str, *, measured: bool
) -> dict[str, Any]:
    """Return the features that are weighed, and the score of the list; one that some lack is an error."""
    known = {name for each in candidates for name in each.features}
    features = {}
    for name in names:
        if not measured and name not in {*known, _SCORE}:
            raise OptionError(
                f"{name!r} is no feature of {display_name(path)}, which has {', '.join(sorted(known)) or 'none'}; "
                "a metric needs references, -r FILE"
            )
        if name in known or (name == _SCORE and any(each.score is not None for each in candidates)):
            values = [
                each.features.get(name, each.score if name == _SCORE else None)
                for each in candidates
            ]
            for each, value in zip(candidates, values, strict=True):
                if value is None:
                    raise OptionError(
                        f"{display_name(path)}:{each.line}: has no {name}; give every candidate one"
                    )
            features[name] = np.array(values, dtype=np.float64)
    return features
