"""Commands are imported when they are used, and no earlier; an option that takes one value is given once."""

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from kilter.cli.group import LazyGroup, OnceGroup

GROUP = LazyGroup("survey", summaries={"import": "take in", "status": "tell"}, prefix="survey.")
CONTEXT = click.Context(GROUP)


def test_a_command_is_the_one_of_the_module_of_its_name() -> None:
    # A module cannot be called by a word of Python: import_.py.
    for name in ("import", "status"):
        command = GROUP.get_command(CONTEXT, name)
        assert command is not None
        assert command.name == name
    assert GROUP.get_command(CONTEXT, "export") is None  # it is there, but not listed


def test_help_lists_commands_in_their_order_and_imports_none() -> None:
    code = (
        "import sys\nfrom kilter.cli.main import run\nrun(['survey', '--help'])\n"
        "print([name for name in sys.modules if name.startswith('kilter.cli.survey.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert done.stdout.index("create") < done.stdout.index("serve") < done.stdout.index("analyse")


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
