"""Printed tables of agreement with people, from judgments and texts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.estimate import Estimate
from kilter.core.settings import changed
from kilter.io.link_writer import write_links
from kilter.io.output import make_folder, write_file
from kilter.io.text import read_text
from kilter.results.meta_result import AgreementMeasure
from kilter.run.align import align
from kilter.run.meta.matched_texts import system_files
from kilter.run.meta.meta import MetaSettings, meta
from kilter.run.meta.option_search import SearchMethod, TuneSettings
from kilter.run.meta.tune import tune
from kilter.run.meta.tuning import Objective
from kilter.run.published.recipe import Figure, RecipeResult
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from kilter.results.meta_result import PairResult
    from kilter.run.meta.evaluation_inputs import EvaluationInputs
    from kilter.run.published.recipe import RecipeRun

Figures = dict[tuple[str, str], Figure]
_STEPS = 10
"""Steps of a curve from 0 to 1."""


def agreement_table(run: RecipeRun) -> RecipeResult:
    """Return the agreement of the metrics of all rows, on each column whose data is known."""
    table = run.table
    measure = AgreementMeasure(str(table.measure))
    figures: Figures = {}
    notes: list[str] = []
    signatures: list[str] = []
    for column in table.data:
        data, folder = run.data_set(column)
        metrics = tuple(row.given["metric"] for row in table.rows)
        inputs = data.inputs(folder, column, _settings(run, metrics=metrics, aligner=CHUNKS))
        pair = _agreement(inputs, measure)
        for row in table.rows:
            figures[row.name, column] = _figure(pair, measure, row.given["metric"])
        notes.append(_size(column, pair))
        signatures += [each.signature for each in pair.metrics]
    return RecipeResult(figures=figures, notes=tuple(notes), signatures=tuple(signatures))


def tuned_table(run: RecipeRun) -> RecipeResult:
    """Return the consistency of LRscore through the source, its alpha tuned on each column. [LR] table 2

    Rows without alpha are measured as they are.
    """
    figures: Figures = {}
    notes: list[str] = []
    for column in run.table.data:
        data, folder = run.data_set(column)
        with TemporaryDirectory() as links:
            inputs = linked_through_source(run, data.inputs(folder, column, _settings(run)), links)
            found, note = _tuned_column(run, inputs)
        figures |= {(row, column): figure for row, figure in found.items()}
        notes.append(f"{column}: {note}")
    return RecipeResult(figures=figures, notes=tuple(notes))


def _tuned_column(run: RecipeRun, inputs: EvaluationInputs) -> tuple[dict[str, Figure], str]:
    """Return the figures of a column, and what alpha was found for each row."""
    specifications = {row.name: row.given["metric"] for row in run.table.rows}
    said = []
    for name, metric in specifications.items():
        if not metric.startswith("lr"):
            continue
        found = tune(
            replace(inputs, settings=replace(inputs.settings, metrics=metric)),
            TuneSettings(
                options=("alpha",),
                method=SearchMethod.HILL_CLIMBING,
                objective=Objective.CONSISTENCY,
                seed=run.resampling.seed,
            ),
        )
        specifications[name] = found.specification
        held = "undefined" if found.held_out is None else f"{found.held_out:.2f}"
        start = "undefined" if found.start_value is None else f"{found.start_value:.2f}"
        said.append(f"{name} alpha {found.values[0]:.3g}, held out {held}, with alpha 0.5 {start}")
    metrics = tuple(specifications.values())
    pair = _agreement(
        replace(inputs, settings=replace(inputs.settings, metrics=metrics)),
        AgreementMeasure.CONSISTENCY,
    )
    figures = {
        name: _figure(pair, AgreementMeasure.CONSISTENCY, metric)
        for name, metric in specifications.items()
    }
    return figures, "; ".join([*said, f"{pair.counts['pairs']} pairs"])


def linked_through_source(
    run: RecipeRun, inputs: EvaluationInputs, folder: str
) -> EvaluationInputs:
    """Return inputs with links of the source to every text, made by an aligner into a folder."""
    given = run.table.given
    assert inputs.source is not None  # noqa: S101 - the data of tables names it
    source = read_text(inputs.source)
    hypotheses = Path(folder) / "hypotheses"
    make_folder(hypotheses)
    made = {
        str(Path(folder) / "reference"): inputs.references[0],
        **{str(hypotheses / name): path for name, path in system_files(inputs.systems).items()},
    }
    for path, text in made.items():
        links = align(
            source,
            read_text(text),
            aligner=given["aligner"],
            tokenize=given["tokenize"],
            jobs=run.jobs,
        )
        write_file(path, "".join(f"{line}\n" for line in write_links(links)))
    return replace(
        inputs,
        source_hypothesis=(str(hypotheses),),
        source_reference=(str(Path(folder) / "reference"),),
        settings=replace(inputs.settings, tokenize=given["tokenize"]),
    )


def curve_table(run: RecipeRun) -> RecipeResult:
    """Return the agreement along options of a metric, each column one of them. [PEF] figures"""
    table = run.table
    figures: Figures = {}
    notes = []
    for column in table.columns:
        data, folder = run.data_set(column)
        (pair,) = data.pairs
        found = tune(
            data.inputs(
                folder, pair, _settings(run, metrics=table.given["metric"], aligner=CHUNKS)
            ),
            TuneSettings(
                options=(table.given[column],),
                method=SearchMethod.GRID,
                objective=Objective.TAU,
                steps=_STEPS,
                folds=0,
            ),
        )
        (curve,) = found.curves.values()
        figures |= {(f"{point.value:.1f}", column): point.agreement for point in curve}
        notes.append(f"{column} is best at {found.values[0]:g}")
    return RecipeResult(figures=figures, notes=tuple(notes))


CHUNKS = "match:rule=chunks"
"""Links of fewest chunks, as METEOR makes them, whose links the publications take."""


def _settings(run: RecipeRun, **chosen: object) -> Settings:
    return changed(
        Settings(), {"language": "en", "resampling": run.resampling, "jobs": run.jobs, **chosen}
    )


def _agreement(inputs: EvaluationInputs, measure: AgreementMeasure) -> PairResult:
    (pair,) = meta(inputs, MetaSettings(measures=(measure,), controls=False)).pairs
    return pair


def _figure(pair: PairResult, measure: AgreementMeasure, metric: str) -> Figure:
    found = pair.agreement(measure, metric)
    return Estimate(found.value, found.low, found.high)


def _size(column: str, pair: PairResult) -> str:
    systems, pairs = (
        counted(len(pair.systems), "system"),
        counted(pair.counts["pairs"], "judged pair"),
    )
    return f"{column}: {systems}, {pairs}"
