"""What shells are told, and what they complete."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from kilter.cli.main import cli
from tests.cli.command import KILTER, kilter
from tests.docs.test_completeness import commands

FILES = re.compile("FILE|FOLDER|DIR")


def completed(*words: str) -> list[str]:
    """Return what click completes the last word to."""
    from click.shell_completion import ShellComplete

    found = ShellComplete(cli, {}, "kilter", "_X").get_completions([*words[:-1]], words[-1])
    return [item.value if item.type == "plain" else item.type for item in found]


def test_commands_options_and_names_are_completed() -> None:
    assert completed("sc") == ["score"]
    assert completed("survey", "ch") == ["check"]
    assert completed("score", "-m", "pe") == ["pet-size", "pet-count", "pef", "pet", "per"]
    assert completed("metrics", "fu") == ["fuzzy", "full"]
    assert completed("align", "--aligner", "i") == ["ibm1"]
    assert completed("parse", "--parser", "co") == ["conllu"]
    assert completed("score", "--tokenize", "i") == ["intl"]
    assert completed("score", "--links-source-r") == ["--links-source-reference"]
    assert completed("permutation", "--format", "ma") == []


@pytest.mark.parametrize("name", commands())
def test_files_and_folders_are_completed_wherever_they_are_meant(name: str) -> None:
    command = commands()[name]
    context = click.Context(command)
    for parameter in command.params:
        if isinstance(parameter.type, click.Choice):
            continue
        shown = parameter.make_metavar(context)
        kinds = {item.type for item in parameter.shell_complete(context, "")}
        if FILES.match(parameter.metavar or "") or isinstance(parameter.type, click.Path):
            assert kinds <= {"file", "dir"}, (parameter.name, shown)
            assert kinds, (parameter.name, shown)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_what_a_shell_is_told_is_something_it_can_read(shell: str) -> None:
    told = kilter("completion", shell)
    assert told.code == 0
    assert f"_KILTER_COMPLETE={shell}_complete" in told.out
    if (found := shutil.which(shell)) is None:
        pytest.skip(f"{shell} is not installed")
    subprocess.run([found, "-n"], input=told.out.encode(), check=True)


def test_bash_completes_a_metric(tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    script = tmp_path / "kilter.bash"
    script.write_text(kilter("completion", "bash").out, encoding="utf-8")
    asked = (
        f"source {script}; COMP_WORDS=(kilter score -m ful); COMP_CWORD=3; "
        "_kilter_completion kilter; echo ${COMPREPLY[*]}"
    )
    programs = f"{Path(KILTER).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", asked],  # noqa: S607 - any bash will do
        env={**os.environ, "PATH": programs},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "full\n"
