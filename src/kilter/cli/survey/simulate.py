"""`kilter survey simulate`: judgments of a study that nobody was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kilter.cli.command import settings_command
from kilter.cli.survey.study import ExportOptions, needs_extra, tell_written
from kilter.core.settings import argument, like, setting
from kilter.stats.resampling import Resampling
from kilter.study.design.item import read_design
from kilter.study.design.study_file import read_study
from kilter.study.simulation.effect import PARTICIPANTS, read_effects


@dataclass(frozen=True, kw_only=True)
class SimulateOptions:
    """Who judges what, and by which effects."""

    study: Path = argument()
    export: ExportOptions
    seed: int = like(
        Resampling,
        "seed",
        low=0,
        high=2**63 - 1,
        description="The same seed gives the same judgments.",
    )
    participants: int = setting(
        default=PARTICIPANTS,
        low=1,
        high=10_000,
        description="How many take part; they take the questionnaires in turn.",
    )
    effects: Path | None = setting(
        default=None,
        metavar="FILE",
        description="TOML file that says what participants notice.  [default: effects.toml in the result "
        "shows what is usual]",
    )


@settings_command("simulate")
def command(options: SimulateOptions) -> None:
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

    described = read_study(options.study)
    items, questionnaires = read_design(options.study)
    simulation = simulate(
        described,
        items,
        questionnaires,
        seed=options.seed,
        effects=None if options.effects is None else read_effects(options.effects),
        participants=options.participants,
    )
    written = write_simulation(
        simulation,
        options.export.output,
        form=options.export.format,
        metrics=options.export.metrics,
        ratings=options.export.ratings,
    )
    if not options.export.quiet:
        tell_written(options.export.output, options.export.format, written)
