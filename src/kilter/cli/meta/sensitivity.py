"""`kilter meta sensitivity`: what metrics notice."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kilter.cli.command import settings_command
from kilter.cli.console import print_notes, print_result
from kilter.cli.fields import details_setting, format_setting, quiet_setting, source_setting
from kilter.cli.texts import link_problems
from kilter.core.errors import OptionError
from kilter.core.settings import Group, InputFile, argument, flag, mixed, setting
from kilter.render.table.table import TableFormat
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.structure_files import StructureFiles

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kilter.results.sensitivity_result import LabelResult, PerturbationResult


@dataclass(frozen=True, kw_only=True)
class SensitivityOptions:
    """Which changes or labels metrics are measured on."""

    files: tuple[InputFile, ...] = argument(
        description="Files of changes, or with --labels one table of outputs."
    )
    labels: bool = flag(
        group=Group.INPUT,
        description="FILES is one table of labelled outputs.",
    )
    tags: tuple[str, ...] = setting(
        "--tag",
        default=(),
        metavar="NAME",
        needs="labels",
        description="With --labels: tag of an order error; repeatable.",
    )
    lexical: tuple[str, ...] = setting(
        default=(),
        metavar="KIND",
        description="Kind of change that touches words, not order; repeatable.",
    )
    window: int = setting(
        default=1,
        low=0,
        needs="labels",
        description="With --labels: match lengths within N words.",
    )
    source: InputFile | None = source_setting("Source of the pairs, or of the labelled outputs.")
    structures: StructureFiles = field(default_factory=StructureFiles)
    settings: Settings = mixed(lambda: Settings(metrics=()), metrics="Metric; repeatable.")
    format: TableFormat = format_setting()
    details: bool = details_setting("Add full signatures.")
    quiet: bool = quiet_setting()

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        yield from link_problems(self.structures)
        if self.lexical and self.labels:
            yield "--lexical goes with files of changes, not with --labels"


@settings_command("sensitivity", heading=Group.SCORING)
def command(options: SensitivityOptions) -> None:
    """Say what metrics notice: changes to translations, or outputs with labelled errors.

    \b
    Examples:
      kilter meta sensitivity swapped.json.gz antonym.json.gz --lexical critical_id7_antonym
      kilter meta sensitivity --labels outputs.tsv -m pef -m kendall
    """
    from kilter.run.meta.sensitivity import (
        SENSITIVITY_METRICS,
        label_sensitivity,
        perturbation_sensitivity,
    )

    metrics = options.settings.metrics or SENSITIVITY_METRICS
    settings = replace(options.settings, metrics=metrics)
    source, structure = options.source, options.structures
    result: LabelResult | PerturbationResult
    if options.labels:
        if len(options.files) != 1:
            raise OptionError("--labels takes one file")
        result = label_sensitivity(
            options.files[0],
            settings,
            tag=options.tags,
            window=options.window,
            source=source,
            structure=structure,
        )
    else:
        result = perturbation_sensitivity(
            options.files, settings, lexical=options.lexical, source=source, structure=structure
        )
    print_result(result, options.format, details=options.details)
    print_notes(result.notes, quiet=options.quiet)
