"""Options of every run: threads, chance, and what is said beside the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kilter.cli.option.option_list import option_list
from kilter.cli.option.setting import setting_option
from kilter.pipeline.scoring.settings import Settings
from kilter.statistics.resampling import Resampling

if TYPE_CHECKING:
    from kilter.cli.option.option_list import Decorator


def quiet_flag(description: str) -> Decorator:
    """Return the flag that silences a command, where that means something of its own."""
    return click.option("-q", "--quiet", is_flag=True, help=description)


jobs_option = setting_option(Settings, "jobs")
seed_option = setting_option(Resampling, "seed")
resamples_option = setting_option(Resampling, "resamples")
quiet_option = quiet_flag("Say nothing on standard error but errors.")
resampling_options = option_list(resamples_option, seed_option, jobs_option)
