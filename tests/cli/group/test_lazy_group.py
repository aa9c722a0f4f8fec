"""Commands are imported when they are used, and no earlier."""

import subprocess
import sys

import click

from kilter.cli.group.lazy_group import LazyGroup

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
