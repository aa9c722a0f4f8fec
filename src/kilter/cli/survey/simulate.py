"""`kilter survey simulate`: judgments of a study that nobody was asked for."""

from __future__ import annotations

from pathlib import Path

from kilter.cli.command import settings_command
from kilter.cli.survey.study import ExportOptions, needs_extra, tell_written
from kilter.core.settings import argument, like, setting
from kilter.stats.resampling import Resampling
from kilter.study.design.item import read_design
from kilter.study.design.study_file import read_study
from kilter.study.simulation.effect import PARTICIPANTS, read_effects


@settings_command("simulate")
def command(
    *,
    study: Path = argument(),
    export: ExportOptions,
    seed: int = like(
        Resampling,
        "seed",
        low=0,
        high=2**63 - 1,
        description="Random seed.",
    ),
    participants: int = setting(
        default=PARTICIPANTS,
        low=1,
        high=10_000,
        description="Number of participants.",
    ),
    effects: Path | None = setting(
        default=None,
        metavar="FILE",
        description="TOML file with the simulated effects.",
    ),
) -> None:
    """Write judgments of simulated participants of a created STUDY, in the format of 'export'.

    Every file says that the data is simulated; truth holds what is true of each participant.

    \b
    Examples:
      kilter survey simulate study/ --seed 1 -o simulated/
      kilter survey simulate study/ --effects careless.toml -o simulated/ -m kendall
    """
    with needs_extra("survey"):
        from kilter.study.judgments.export_folder import write_simulation
        from kilter.study.simulation.simulation import simulate

    described = read_study(study)
    items, questionnaires = read_design(study)
    simulation = simulate(
        described,
        items,
        questionnaires,
        seed=seed,
        effects=None if effects is None else read_effects(effects),
        participants=participants,
    )
    written = write_simulation(
        simulation,
        export.output,
        form=export.format,
        metrics=export.metrics,
        ratings=export.ratings,
    )
    if not export.quiet:
        tell_written(export.output, export.format, written)
