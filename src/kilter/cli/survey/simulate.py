"""`kilter survey simulate`: judgments of a study that nobody was asked for."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.option.setting import setting_option
from kilter.cli.option.survey import export_options, needs_extra, tell_written
from kilter.stats.resampling import Resampling
from kilter.study.design.item import read_design
from kilter.study.design.study_file import read_study
from kilter.study.simulation.effect import PARTICIPANTS, read_effects


@click.command("simulate")
@click.argument("study", type=click.Path(path_type=Path))
@export_options
@setting_option(
    Resampling,
    "seed",
    type=click.IntRange(0, 2**63 - 1),
    help="The same seed gives the same judgments.",
)
@click.option("--participants", type=click.IntRange(1, 10_000), default=PARTICIPANTS, show_default=True,
              help="How many take part; they take the questionnaires in turn.")  # fmt: skip
@click.option("--effects", type=click.Path(path_type=Path), metavar="FILE",
              help="TOML file that says what participants notice.  [default: effects.toml in the result "
                   "shows what is usual]")  # fmt: skip
def command(
    *,
    study: Path,
    output: Path,
    form: str,
    metrics: tuple[str, ...],
    ratings: bool,
    quiet: bool,
    seed: int,
    participants: int,
    effects: Path | None,
) -> None:
    """Write judgments of simulated participants of a created STUDY, in the format of 'export'.

    Every file says that the data is simulated; truth holds what is true of each participant.

    \b
    Examples:
      kilter survey simulate study/ --seed 1 -o simulated/
      kilter survey simulate study/ --effects careless.toml -o simulated/ -m kendall
    """
    with needs_extra("survey"):
        from kilter.study.chapter.data import write_simulation
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
    written = write_simulation(simulation, output, form=form, metrics=metrics, ratings=ratings)
    if not quiet:
        tell_written(output, form, written)
