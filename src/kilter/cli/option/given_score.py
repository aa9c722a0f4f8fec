"""What commands over files of scores share."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.core.errors import OptionError

lower_is_better_option = click.option(
    "--lower-is-better",
    multiple=True,
    metavar="NAME",
    help="A metric of --scores where less is better; may be repeated. Those of Kilter are known.",
)
scores_option = click.option(
    "--scores",
    multiple=True,
    metavar="[NAME=]FILE",
    help="Segment scores of any metric, SYSTEM SEGMENT SCORE; may be repeated.",
)


def score_files(given: tuple[str, ...]) -> dict[str, str]:
    """Return files of scores by the names that they are given, or those of the files."""
    files: dict[str, str] = {}
    for entry in given:
        name, equals, path = entry.partition("=")
        if not equals:
            name, path = Path(entry).name.partition(".")[0], entry
        if name in files:
            raise OptionError(f"two files of scores are called {name!r}; write --scores NAME=FILE")
        files[name] = path
    return files
