"""Options of every run: threads, chance, and what is said beside the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kilter.cli.option.form import choice
from kilter.cli.option.option_list import option_list
from kilter.cli.option.setting import setting_option
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling
from kilter.stats.significance import MarkRule

if TYPE_CHECKING:
    from kilter.cli.option.option_list import Decorator


def quiet_flag(description: str) -> Decorator:
    """Return the flag that silences a command, where that means something of its own."""
    return click.option("-q", "--quiet", is_flag=True, help=description)


jobs_option = setting_option(Settings, "jobs")
seed_option = setting_option(Resampling, "seed")
resamples_option = setting_option(Resampling, "resamples")
marks_option = click.option(
    "--marks",
    type=choice(MarkRule),
    default="corrected",
    show_default=True,
    help="What marks follow: corrected p-values, or the share of resamples as published.",
)
quiet_option = quiet_flag("Say nothing on standard error but errors.")
resampling_options = option_list(resamples_option, seed_option, jobs_option)
