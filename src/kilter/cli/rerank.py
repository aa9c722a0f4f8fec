"""`kilter rerank`: the best candidates of an n-best list."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.cli.command import settings_command
from kilter.cli.fields import (
    Columns,
    columns_setting,
    format_setting,
    references_setting,
    source_setting,
)
from kilter.cli.nbest import linked_texts, read_beside, read_lists, texts_of
from kilter.cli.texts import link_problems
from kilter.core.errors import OptionError
from kilter.core.settings import InputFile, argument, mixed, setting
from kilter.io.nbest import NbestEntry, NbestForm, write_nbest
from kilter.io.stream import display_name
from kilter.metrics.registry import metric_names
from kilter.run.scoring.nbest import best_candidates
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.structure_files import StructureFiles

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_SCORE = "score"


@dataclass(frozen=True, kw_only=True)
class RerankOptions:
    """Which list is reranked, and by what."""

    nbest: InputFile = argument(description="N-best list.")
    weights: tuple[str, ...] = setting(
        "-w",
        "--weight",
        metavar="NAME[=WEIGHT]",
        description="Feature, score or metric, with its weight; repeatable.",
    )
    references: tuple[InputFile, ...] = references_setting("Reference, for metrics; repeatable.")
    source: InputFile | None = source_setting()
    columns: Columns = columns_setting("reference", "source")
    structures: StructureFiles = mixed(
        StructureFiles, without=("trees", "trees_reference", "trees_source")
    )
    settings: Settings = mixed(
        Settings, without=("metrics", "parser", "empty", "rule", "resampling", "cache")
    )
    format: NbestForm = format_setting(
        default=NbestForm.TEXT,
        description="Output: texts only, or entries of the list.",
    )

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        yield from link_problems(self.structures)


@settings_command("rerank")
def command(options: RerankOptions) -> None:
    """Write the best candidate of each segment, by a weighted sum of features and metrics.

    \b
    Examples:
      kilter rerank list.nbest -w score
      kilter rerank list.nbest -r reference.txt -w lr -w lm=0.2
    """
    nbest, structures = options.nbest, options.structures
    named = [
        (name, _number(weight, text)) for text in options.weights for name, weight in [_split(text)]
    ]
    if len({name for name, _ in named}) != len(named):
        raise OptionError("--weight names something twice; once is enough")
    beside = read_beside(options.references, options.source, options.columns)
    segments = None if beside is None else len(next(iter(beside.references.values())))
    groups = read_lists(nbest, segments)
    lists = texts_of(groups)
    texts = None
    if beside is not None:
        metrics = [name for name, _ in named if name in metric_names() or ":" in name]
        texts = linked_texts(groups, beside, structures, metrics)
    elif structures.any():
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
        options.settings,
    )
    chosen = [group[place] for group, place in zip(groups, best, strict=True)]
    sys.stdout.writelines(line + "\n" for line in write_nbest(chosen, options.format))


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
                f"{name!r} is not a feature of {display_name(path)}, which has {', '.join(sorted(known)) or 'none'}; "
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
