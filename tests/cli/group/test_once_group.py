"""An option that takes one value is given once."""

import click
import pytest
from click.testing import CliRunner

from kilter.cli.group.once_group import OnceGroup


@click.group(cls=OnceGroup)
def group() -> None:
    """Stand for any group."""


@group.command()
@click.option("-n", "--number", type=int, default=0)
@click.option("--each", multiple=True)
@click.option("--loud", is_flag=True)
@click.option("-v", "verbose", count=True)
def command(*, number: int, each: tuple[str, ...], loud: bool, verbose: int) -> None:
    """Print what came through."""
    click.echo(f"{number} {each} {loud} {verbose}")


@pytest.mark.parametrize("spelled", [["-n", "1", "-n", "2"], ["-n1", "--number=1"]])
def test_a_second_value_is_refused_under_the_long_name(spelled: list[str]) -> None:
    done = CliRunner().invoke(group, ["command", *spelled])
    assert done.exit_code == 2
    assert "--number is given twice; it takes one value" in done.output


def test_what_may_be_repeated_is_repeated() -> None:
    arguments = ["command", "--each", "a", "--each", "b", "--loud", "--loud", "-v", "-v", "-n", "3"]
    assert CliRunner().invoke(group, arguments).output == "3 ('a', 'b') True 2\n"
