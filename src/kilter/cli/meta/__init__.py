"""`kilter meta`: how well metrics agree with people."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from kilter.cli.command import settings_command
from kilter.cli.fields import (
    details_setting,
    format_setting,
    lower_is_better_setting,
    quiet_setting,
    scores_setting,
)
from kilter.cli.group import OnceGroup
from kilter.cli.judgments import JudgedFiles
from kilter.cli.meta.sensitivity import command as sensitivity
from kilter.core.settings import Group, InputFile, OutputFile, declared, flag, like, mixed, setting
from kilter.render.table.table import TableFormat
from kilter.results.meta_result import AgreementMeasure
from kilter.results.preset_result import MetaPreset
from kilter.run.engine.choice import EngineChoice
from kilter.run.meta.evaluation_file import PAIR_KEYS
from kilter.run.meta.meta import MetaSettings
from kilter.run.scoring.settings import Settings


@dataclass(frozen=True, kw_only=True)
class MetaOptions:
    """Which metrics are compared with which judgments, and how."""

    files: JudgedFiles = field(default_factory=JudgedFiles)
    ratings: InputFile | None = setting(
        default=None,
        description="Ratings by system, segment and rater, instead of --judgments.",
    )
    evaluation: InputFile | None = setting(
        default=None, description="TOML file that describes the data of language pairs."
    )
    scores: Mapping[str, str] = scores_setting()
    lower_is_better: tuple[str, ...] = lower_is_better_setting()
    settings: Settings = mixed(
        lambda: Settings(metrics=()),
        metrics="Metric, or all, order-metrics, published; repeatable.",
    )
    measures: tuple[AgreementMeasure, ...] = like(MetaSettings, "measures", default=())
    comparison: MetaSettings = mixed(MetaSettings, without=("measures",))
    baselines: tuple[str, ...] = setting(
        "--baseline",
        default=(),
        metavar="NAME",
        description="Metric to compare the others with; repeatable.",
    )
    preset: MetaPreset | None = setting(
        default=None,
        description="Rank metrics as a WMT metrics task did.",
    )
    ranks: bool = flag(
        needs="preset",
        description="With --preset: ranks of clusters, by the permutation test PERM-BOTH.",
    )
    published: str | None = setting(
        default=None,
        metavar="DATA",
        description="Show the printed numbers of this data set.",
    )
    plot: OutputFile | None = setting(
        default=None, description="Draw the first measure (.svg, .png or .pdf)."
    )
    format: TableFormat = format_setting()
    details: bool = details_setting("Add full signatures.")
    quiet: bool = quiet_setting()
    engine: EngineChoice = field(default_factory=EngineChoice)

    def problems(self, given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        if self.preset:
            for name in ("measures", "baselines", "plot", "published"):
                if name in given:
                    yield f"--preset says what is measured; leave {declared(MetaOptions)[name].called} out"
        for name in given if self.evaluation else ():
            if name in PAIR_KEYS:
                yield f"the evaluation file says what {declared(MetaOptions)[name].called} is for; leave it out"


@settings_command(
    "meta",
    kind=OnceGroup,
    heading=Group.SCORING,
    invoke_without_command=True,
    commands=[sensitivity],
)
def command(options: MetaOptions) -> None:
    """Compare metrics, or files of scores, with human judgments.

    \b
    Examples:
      kilter meta --judgments pairs.tsv -r reference.txt --systems outputs -m pef -m bleu
      kilter meta --judgments da.tsv --scores comet=comet.tsv --measure pearson_item
      kilter meta --evaluation evaluation.toml --baseline bleu --format md
    """
    from kilter.cli.meta.agreement import measure_agreement

    measure_agreement(options)
