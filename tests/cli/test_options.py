"""Options that commands share mean the same everywhere."""

from pathlib import Path

import click
import pytest

from kilter.cli.main import cli, run
from kilter.cli.survey.study import tell_written
from tests.cli.sample import written


def _commands(group: click.Group, name: str = "") -> dict[str, click.Command]:
    context = click.Context(group)
    found: dict[str, click.Command] = {}
    for part in group.list_commands(context):
        command = group.get_command(context, part)
        assert command is not None
        called = f"{name} {part}".strip()
        found |= (
            _commands(command, called) if isinstance(command, click.Group) else {called: command}
        )
    return found


def every(option_name: str) -> pytest.MarkDecorator:
    """Return a mark that gives a test this option of each command that has it."""
    found = [
        pytest.param(option, id=name)
        for name, command in _commands(cli).items()
        for option in command.params
        if option.name == option_name
    ]
    assert len(found) > 5
    return pytest.mark.parametrize("option", found)


@every("jobs")
def test_at_least_one_thread_works(option: click.Option) -> None:
    assert option.type_cast_value(_context(), "1") == 1
    with pytest.raises(click.BadParameter, match="0 is not in the range"):
        option.type_cast_value(_context(), "0")


@every("quiet")
def test_quiet_takes_no_value(option: click.Option) -> None:
    assert option.is_flag
    assert {*option.opts} == {"-q", "--quiet"}


@pytest.mark.parametrize("missing", ["--rules", "--reference"])
@pytest.mark.parametrize("command", ["analyse", "select"])
def test_rules_are_measured_by_a_reference(
    command: str, missing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [part for name in ("--rules", "--reference") if name != missing for part in (name, "x")]
    assert run(["preorder", command, *given, "trees.conllu"]) == 2
    assert f"Missing option '-{missing[2] if missing == '--rules' else 'R'}' / '{missing}'" in (
        capsys.readouterr().err
    )


def test_source_and_references_do_not_both_come_from_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system = written(tmp_path, "system", "a b\n")
    assert run(["reorder", "score", "-", system, "--source", "-"]) == 2
    assert "only one input can come from standard input" in capsys.readouterr().err


def test_every_written_file_is_told_with_its_rows(capsys: pytest.CaptureFixture[str]) -> None:
    tell_written(Path("out"), "csv", {"answers": 3, "items": 12})
    captured = capsys.readouterr()
    assert captured.err == "out/answers.csv: 3 rows\nout/items.csv: 12 rows\n"
    assert captured.out == ""


def _context() -> click.Context:
    return click.Context(click.Command("any"))
