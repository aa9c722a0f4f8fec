"""`kilter preorder ratings`: what people's ratings say of systems, and scores against them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.cli.command import settings_command
from kilter.cli.console import print_result
from kilter.cli.fields import format_setting, lower_is_better_setting, scores_setting
from kilter.cli.reorderings import read_orders
from kilter.cli.texts import system_names
from kilter.core.settings import InputFile, argument, setting
from kilter.io.reordering import read_reorderings
from kilter.io.stream import ByteSource, refuse_repeated
from kilter.metrics.tied_order import Matching
from kilter.render.table.table import TableFormat
from kilter.stats.resampling import Resampling

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from kilter.results.score_result import ScoreResult


@dataclass(frozen=True, kw_only=True)
class RatingsOptions:
    """Whose ratings are told, and what is set against them."""

    ratings: InputFile = argument(description="Table with system, segment, rater and rating.")
    systems: tuple[InputFile, ...] = argument(
        default=(), description="Source sentences as each system reordered them."
    )
    references: tuple[InputFile, ...] = setting(
        "-R",
        "--reference",
        default=(),
        description="Reference reorderings to score SYSTEMS with; repeatable.",
    )
    scores: Mapping[str, str] = scores_setting()
    lower_is_better: tuple[str, ...] = lower_is_better_setting()
    matching: Matching = field(default_factory=Matching)
    resampling: Resampling = field(default_factory=Resampling)
    format: TableFormat = format_setting()

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        if bool(self.systems) != bool(self.references):
            yield "reordered sources are scored by references; give both SYSTEMS and -R, or neither"
        if len(self.systems) == 1:
            yield "give the order of every rated system; there are two or more"


@settings_command("ratings")
def command(options: RatingsOptions) -> None:
    """Tell what ratings of several systems' translations say: RATINGS has system, segment, rater and rating.

    RATINGS may also be the folder that 'kilter survey export --ratings' wrote. SYSTEMS are the sources as each
    system has reordered them, in files that are called as the rated systems.

    \b
    Examples:
      kilter preorder ratings ratings.csv
      kilter preorder ratings export/ -R manual.jsonl -R automatic.jsonl P1R1.txt P1R2.txt P1R3.txt
      kilter preorder ratings ratings.tsv --scores bleu.tsv --scores comet=comet.tsv
    """
    from kilter.run.meta.rated_systems import rated_systems
    from kilter.run.reordering.score import score_reorderings

    systems, references = options.systems, options.references
    refuse_repeated(systems)
    refuse_repeated(references)
    orders: dict[str, ScoreResult] = {}
    if systems:
        read = read_orders(system_names(systems), systems, None)
        names = system_names(references) if len(references) > 1 else ["reference"]
        for name, path in zip(names, references, strict=True):
            orders[name.partition(".")[0]] = score_reorderings(
                read_reorderings(ByteSource(path)),
                read,
                metrics=options.matching.metrics(pooled=False),
                resampling=options.resampling,
                jobs=options.resampling.jobs,
            )
    result = rated_systems(
        options.ratings,
        orders=orders,
        scores=options.scores,
        lower_is_better=options.lower_is_better,
        resampling=options.resampling,
    )
    print_result(result, options.format)
