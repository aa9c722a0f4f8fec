"""Options of commands over files of scores."""

import click

from kilter.cli.compare import command as compare
from kilter.cli.meta import command as meta


def _option(command: click.Command) -> dict[str, object]:
    return next(each for each in command.params if each.name == "lower_is_better").to_info_dict()


def test_less_is_better_is_asked_for_alike_by_every_command() -> None:
    assert _option(compare) == _option(meta)
