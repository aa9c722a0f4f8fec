"""Every option of every command changes what the command says."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import click
import pytest

from kilter.cli.main import cli
from tests.cli.demonstrated import DEMONSTRATED
from tests.cli.demonstration import (
    THREADS,
    Demonstration,
    Elsewhere,
    Outcome,
    outcome,
    watched_threads,
)
from tests.cli.option_files import write_inputs
from tests.docs.pages import ROOT
from tests.thorough import some


def walk(command: click.Command = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield the name of every command with the long name of each of its options."""
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield " ".join(path), max(parameter.opts, key=len)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from walk(found, (*path, name))


LONG = ("survey analyse", "survey check", "survey create", "survey print")
"""Commands that take a second."""
OPTIONS = [*walk()]
"""Every command with each of its options."""


def option_of(command: str, name: str) -> click.Option:
    found: click.Command = cli
    for part in command.split():
        assert isinstance(found, click.Group)
        below = found.get_command(click.Context(found), part)
        assert below is not None
        found = below
    (option,) = (each for each in found.params if name in each.opts)
    assert isinstance(option, click.Option)
    return option


Run = tuple[tuple[str, ...], bool, str]
"""Arguments, whether somebody looks at standard error, and what standard input is."""


class Bench:
    """Where commands are run: each in a folder of its own, and once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.inputs = write_inputs(folder / "inputs")
        self.kept: dict[Run, Outcome] = {}
        self.steady: set[Run] = set()

    def run(self, run: Run) -> Outcome:
        if run not in self.kept:
            self.kept[run] = self.anew(run)
        return self.kept[run]

    def anew(self, run: Run) -> Outcome:
        place = self.folder / str(len([*self.folder.iterdir()]))
        arguments, terminal, stdin = run
        return outcome([*arguments], place, self.inputs, terminal=terminal, stdin=stdin)

    def check_steady(self, run: Run) -> None:
        """Assert that two equal runs are equal: what differs there would differ between any."""
        if run not in self.steady:
            self.steady.add(run)
            assert self.anew(run) == self.run(run)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("options"))


@pytest.fixture(autouse=True)
def quick_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reports simulate few studies and draw no dots: no option says how much of either."""
    monkeypatch.setattr("kilter.study.analysis.power.REPETITIONS", 10)
    monkeypatch.setattr(
        "kilter.render.chart.picture_file.png_bytes", lambda picture: picture.encode()
    )


def values_of(option: click.Option, demonstration: Demonstration) -> tuple[str, ...]:
    """Return the values that are compared; of an option with choices, all of them."""
    choices = tuple(option.type.choices) if isinstance(option.type, click.Choice) else ()
    found = demonstration.values or choices or (("", "given") if option.is_flag else ())
    assert len(found) > 1, "say which values make a difference"
    assert {*choices} <= {*found}
    return found


def asked(demonstration: Demonstration, name: str, option: click.Option, value: str) -> Run:
    """Return a run with the option: not given, as a flag, or once for each word of a value, or with all."""
    given = demonstration.arguments.split()
    if option.is_flag:
        given += [option.secondary_opts[0] if option.secondary_opts else name] if value else []
    elif option.nargs > 1:
        given += [name, *value.split()]
    else:
        given += [part for word in value.split() for part in (name, word)]
    return tuple(given), demonstration.terminal, demonstration.stdin


def test_every_option_is_demonstrated_and_every_demonstration_is_of_an_option() -> None:
    listed = [(command, option) for command, options in DEMONSTRATED.items() for option in options]
    assert sorted(listed) == sorted(OPTIONS)


JSON = [
    command
    for command, name in OPTIONS
    if name == "--format" and "json" in getattr(option_of(command, name).type, "choices", ())
]


@pytest.mark.parametrize("command", JSON)
def test_json_is_written_alike_by_every_command(command: str, bench: Bench) -> None:
    demonstration = DEMONSTRATED[command]["--format"]
    assert isinstance(demonstration, Demonstration)
    option = option_of(command, "--format")
    lines = bench.run(asked(demonstration, "--format", option, "json")).out.splitlines()
    assert lines[0].startswith(("{", "["))
    assert [line for line in lines if line[:1].isspace()] == []
    # Of rows that are written one by one, a line for each.
    assert len(lines) == 1 or lines[0].endswith("[")


def test_the_help_of_every_option_says_what_it_is_for_and_its_default() -> None:
    for command, name in OPTIONS:
        option = option_of(command, name)
        assert option.help, (command, name)
        given = isinstance(option.default, str | int | float) and not option.is_flag
        if given:
            _, described = option.get_help_record(click.Context(cli)) or ("", "")
            assert f"[default: {option.default}" in " ".join(described.split()), (command, name)


def shown_here(kind: str) -> list[tuple[str, str]]:
    """Return the options whose demonstration is of a kind."""
    return [
        (command, name)
        for command, name in OPTIONS
        if kind_of(DEMONSTRATED.get(command, {}).get(name)) == kind
    ]


def kind_of(demonstration: Demonstration | Elsewhere | None) -> str:
    if not isinstance(demonstration, Demonstration):
        return "elsewhere" if demonstration else "missing"
    return "threads" if demonstration.threads else "apart" if demonstration.apart else "plain"


def of_kind(kind: str) -> pytest.MarkDecorator:
    found = shown_here(kind)
    quick = [(command, name) for command, name in found if command not in LONG][::12]
    return pytest.mark.parametrize(
        ("command", "name"), some(found, quick=quick, rows=True), ids=map(" ".join, found)
    )


def demonstrated(command: str, name: str) -> Demonstration:
    found = DEMONSTRATED[command][name]
    assert isinstance(found, Demonstration)
    return found


@of_kind("plain")
def test_an_option_makes_a_difference(command: str, name: str, bench: Bench) -> None:
    option, demonstration = option_of(command, name), demonstrated(command, name)
    runs = {
        value: asked(demonstration, name, option, value)
        for value in values_of(option, demonstration)
    }
    bench.check_steady(next(iter(runs.values())))
    results = {value: bench.run(run) for value, run in runs.items()}
    for value, found in results.items():
        assert found.code in (0, 2, 3, 5)
        assert (found.code != 0) == (value in demonstration.errors), found
    for first, second in combinations(results, 2):
        same = (first, second) in demonstration.same
        assert (results[first] == results[second]) == same, (first, second)


@of_kind("apart")
def test_what_one_choice_can_read_another_cannot(command: str, name: str, bench: Bench) -> None:
    option, demonstration = option_of(command, name), demonstrated(command, name)
    values = values_of(option, demonstration)
    for value in values:
        here = replace(demonstration, arguments=demonstration.arguments.replace("{}", value))
        found = bench.run(asked(here, name, option, value))
        assert found.code == 0, (value, found)
        others = (bench.run(asked(here, name, option, each)) for each in values if each != value)
        assert any(other != found for other in others), value


@of_kind("threads")
def test_threads_are_as_many_as_asked_for_and_change_no_result(
    command: str, name: str, bench: Bench
) -> None:
    option, demonstration = option_of(command, name), demonstrated(command, name)
    alone = bench.run(asked(demonstration, name, option, ""))
    assert alone.code == 0
    for count in (1, THREADS):
        with watched_threads() as numbers:
            found = bench.anew(asked(demonstration, name, option, str(count)))
        assert found == alone
        assert (THREADS in numbers) == (count == THREADS)


@of_kind("elsewhere")
def test_the_test_that_shows_an_option_exists_and_names_it(command: str, name: str) -> None:
    found = DEMONSTRATED[command][name]
    assert isinstance(found, Elsewhere)
    text = (ROOT / found.path).read_text(encoding="utf-8")
    _, there, rest = text.partition(f"\ndef {found.test}(")
    assert there, f"{found.path} has no test {found.test}"
    assert f'"{name}"' in rest.partition("\ndef ")[0]
