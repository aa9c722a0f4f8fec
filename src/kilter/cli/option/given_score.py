"""What commands over files of scores share."""

from __future__ import annotations

import click

lower_is_better_option = click.option(
    "--lower-is-better",
    multiple=True,
    metavar="NAME",
    help="A metric of --scores where less is better; may be repeated. Those of Kilter are known.",
)
