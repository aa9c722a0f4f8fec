"""Human judgments that commands compare metrics with: files as options, and what they hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kilter.cli.command import read_files
from kilter.cli.fields import (
    Columns,
    columns_setting,
    references_setting,
    source_setting,
    with_column,
    with_columns,
)
from kilter.cli.texts import link_problems
from kilter.core.errors import OptionError
from kilter.core.settings import Group, InputFile, setting
from kilter.io.judgments.reader import JudgmentFormat
from kilter.io.judgments.survey_export import DEFAULT_QUESTION
from kilter.io.stream import is_folder
from kilter.run.meta.evaluation_inputs import EvaluationInputs
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.structure_files import StructureFiles

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator


@dataclass(frozen=True, kw_only=True)
class JudgedFiles:
    """Where judgments and the judged texts are, and how to read them."""

    judgments: InputFile | None = setting(
        default=None, metavar="FILE|DIR", description="Human judgments, in any supported format."
    )
    references: tuple[InputFile, ...] = references_setting()
    systems: tuple[InputFile, ...] = setting(
        default=(),
        metavar="DIR|FILE",
        description="Outputs of systems: a folder, or a file; repeatable.",
    )
    source: InputFile | None = source_setting()
    columns: Columns = columns_setting("hypothesis", "reference", "source")
    pair: str | None = setting(
        default=None,
        metavar="NAME",
        group=Group.INPUT,
        description="Language pair to use, when judgments cover several.",
    )
    judgment_format: JudgmentFormat = setting(
        default=JudgmentFormat.AUTO, group=Group.INPUT, description="Format of the judgments."
    )
    judgment_name: str | None = setting(
        default=None,
        metavar="NAME",
        group=Group.INPUT,
        description="Human scores to use from an mt-metrics-eval folder.",
    )
    question: str | None = setting(
        default=None,
        metavar="NAME",
        group=Group.INPUT,
        description=f"Question of a survey export.  [default: {DEFAULT_QUESTION}]",
    )
    threshold: float = setting(
        default=0.0, low=0, description="Treat human scores this close as ties."
    )
    structures: StructureFiles = field(default_factory=StructureFiles)

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across files."""
        yield from link_problems(self.structures)

    def inputs(self, settings: Settings, **extra: Any) -> EvaluationInputs:
        """Return the files, to be scored under these settings."""
        if not self.judgments and not extra.get("ratings"):
            raise OptionError("name the human judgments with --judgments FILE")
        return EvaluationInputs(
            judgments=self.judgments,
            references=tuple(with_columns(self.references, self.columns, "reference")),
            systems=tuple(with_columns(self.systems, self.columns, "hypothesis")),
            source=with_column(self.source, self.columns, "source"),
            pair=self.pair,
            judgment_format=self.judgment_format,
            judgment_name=self.judgment_name,
            question=self.question,
            threshold=self.threshold,
            settings=settings,
            **vars(self.structures),
            **extra,
        )


def judged_files(options: object, files: JudgedFiles) -> list[str]:
    """Return every file that options name, and those of folders of systems."""
    return [*read_files(options), *listed_files(files.systems)]


def listed_files(paths: Iterable[str]) -> list[str]:
    """Return the files of folders."""
    folders = (Path(path) for path in paths if is_folder(path))
    return [str(file) for folder in folders for file in sorted(folder.iterdir())]
