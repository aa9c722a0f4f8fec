"""Commands of settings: options that are fields, their types, their checks and their help."""

from dataclasses import dataclass

import click
import pytest
from click.testing import CliRunner

from kilter.cli.command import (
    COMPLETIONS,
    FILE_NAME,
    FiniteNumber,
    OptionalChoice,
    WholeNumber,
    settings_command,
)
from kilter.cli.fields import format_setting, metrics_setting
from kilter.cli.main import run
from kilter.cli.score import command as score
from kilter.core.settings import BOUNDS, Group, InputFile, argument, declared, flag, like, setting
from kilter.metrics.registry import metric_names
from kilter.render.table.table import TableFormat
from kilter.run.scoring.corpus import EmptyLines
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling
from tests.docs.test_completeness import commands


def test_a_name_is_taken_as_it_is() -> None:
    for name in ("-", "a b.txt", "./-", "/dev/stdin"):
        assert FILE_NAME.convert(name, None, None) == name


def test_what_an_unset_shell_variable_leaves_is_refused() -> None:
    with pytest.raises(click.BadParameter, match="the file name is empty"):
        FILE_NAME.convert("", None, None)


@pytest.mark.parametrize("text", ["nan", "inf", "-1", "0.6", "x"])
def test_what_is_no_number_within_the_bounds_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        FiniteNumber(0, 0.5).convert(text, None, None)


def test_infinity_is_refused_where_nothing_bounds_it() -> None:
    with pytest.raises(click.BadParameter, match="inf is not a finite number"):
        FiniteNumber(0).convert("inf", None, None)
    assert FiniteNumber(0).convert("2.5", None, None) == 2.5


@pytest.mark.parametrize("name", BOUNDS)
def test_an_option_takes_the_numbers_that_python_takes(name: str) -> None:
    low, high = BOUNDS[name]
    kind = WholeNumber(name)
    assert [kind.convert(str(bound), None, None) for bound in (low, high)] == [low, high]
    for beyond in (low - 1, high + 1):
        with pytest.raises(click.BadParameter):
            kind.convert(str(beyond), None, None)


def test_a_number_that_is_too_great_is_an_error_of_usage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["permutation", "orders.txt", "--jobs", "2147483648"]) == 2
    assert "2147483648 is more than 2147483647" in capsys.readouterr().err


def test_more_resamples_than_anybody_needs_are_refused_with_the_most(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["score", "-r", "reference", "system", "--resamples", "2147483647"]) == 2
    assert "2147483647 is more than 1000000; write a number from 1 to 1000000" in (
        capsys.readouterr().err
    )


TREE = click.Option(["--tree"], type=OptionalChoice(["text", "svg"]))


def test_a_choice_is_taken() -> None:
    assert TREE.type.convert("svg", TREE, None) == "svg"


def test_a_file_behind_the_option_is_told_where_it_belongs() -> None:
    with pytest.raises(click.BadParameter) as raised:
        TREE.type.convert("orders.txt", TREE, None)
    assert raised.value.message == (
        "'orders.txt' is not one of text, svg; put the file before --tree, or write --tree=text"
    )


def test_every_name_is_offered_and_only_those_that_begin_so() -> None:
    context = click.Context(click.Command("score"))
    option = click.Option(["-m"])

    def offered(begun: str) -> list[str]:
        return [item.value for item in COMPLETIONS["metrics"](context, option, begun)]

    assert offered("") == [*metric_names(), "all", "order-metrics", "published"]
    assert offered("ular") == []
    assert offered("ul") == ["ulam"]


def settings_from(*arguments: str) -> Settings:
    """Return the settings that a command line of nothing but options makes."""
    made: list[Settings] = []

    @settings_command("any")
    def command(settings: Settings) -> None:
        made.append(settings)

    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return made[0]


@pytest.mark.parametrize("kind", [Settings, Resampling])
def test_every_setting_is_an_option_of_score_with_its_help(kind: type) -> None:
    listed = {option.name: option for option in score.params if isinstance(option, click.Option)}
    for name, each in declared(kind).items():
        assert tuple(listed[name].opts) == each.flags
        assert listed[name].help == each.spelling.description


def test_every_field_of_settings_is_declared_but_the_one_that_holds_others() -> None:
    assert {*Settings.__dataclass_fields__} - {*declared(Settings)} == {"resampling"}


def test_a_command_line_without_options_makes_the_usual_settings() -> None:
    assert settings_from() == Settings()


def test_every_option_reaches_its_field() -> None:
    given = (
        "-m pef -m bleu --aligner ribes --parser model --tokenize none -l en --lowercase "
        "--empty stop --order-rule birch --resamples 7 --seed 3 -j 2"
    )
    assert settings_from(*given.split()) == Settings(
        metrics=("pef", "bleu"),
        aligner=("ribes",),
        parser=("model",),
        tokenize="none",
        language="en",
        lowercase=True,
        empty=EmptyLines.STOP,
        rule="birch",
        resampling=Resampling(resamples=7, seed=3, jobs=2),
        jobs=2,
    )


@dataclass(frozen=True, kw_only=True)
class Shown:
    """An option of each group, and of each type."""

    texts: tuple[InputFile, ...] = argument(description="What is read.")
    aligner: str | None = like(Settings, "aligner", description="Links.")
    metrics: tuple[str, ...] = metrics_setting("Several.")
    share: float = setting(default=0.5, low=0, high=1, description="A share.")
    pair: tuple[str, str] | None = setting(default=None, metavar="A B", description="Two.")
    format: TableFormat = format_setting()
    many: str | None = setting(
        default=None,
        choices=tuple(f"{letter}{letter}" for letter in "abcdefghijklmnop"),
        description="",
    )
    now: int = setting(default=1, old=("--former",), description="Renamed.")
    late: bool = flag(group=Group.ADVANCED, description="Later.")


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        (["published"], "list|NAME"),
        (["perturb"], "TEXT"),
        (["survey", "import"], "FOLDER"),
        (["survey", "erase", "folder"], "TOKEN"),
    ],
)
def test_an_argument_that_is_missing_is_asked_for_by_its_name(
    capsys: pytest.CaptureFixture[str], arguments: list[str], missing: str
) -> None:
    assert run(arguments) == 2
    assert f"Missing argument '{missing}'" in capsys.readouterr().err


@settings_command("shown", heading=Group.SCORING)
def shown(options: Shown) -> None:
    """Show."""
    click.echo(options)


def test_help_lists_options_in_groups() -> None:
    help_text = CliRunner().invoke(shown, ["--help"]).output
    rows = [line.split()[0] for line in help_text.splitlines() if line.startswith(("  -", "  T"))]
    heads = [line for line in help_text.splitlines() if line.endswith(":") and line[0] != " "]
    assert heads == ["Input:", "Scoring:", "Output:", "Advanced:"]
    assert rows[0] == "TEXTS..."
    assert rows[-1] == "--late"
    assert "--share NUMBER" in help_text
    assert "A share.  [default: 0.5]" in help_text
    assert "--many [aa|bb|...]" in help_text


def test_an_old_name_still_works_and_is_not_shown() -> None:
    given = ["a", "--former", "7"]
    assert "now=7" in CliRunner().invoke(shown, given).output
    assert CliRunner().invoke(shown, ["a", "--now", "7"]).output == (
        CliRunner().invoke(shown, given).output
    )
    assert "--former" not in CliRunner().invoke(shown, ["--help"]).output


OLD_NAMES = {
    "score": {"--rule", "--through-source", "--margins"},
    "align": {"--certainty"},
    "explain": {"--rule", "--through-source", "--most"},
    "metrics": {"--longest"},
    "permutation": {"--most"},
    "preorder search": {"--fewest", "--caution", "--reference-form"},
    "reorder make": {"--rule"},
    "reorder score": {"--form", "--reference-form"},
    "survey analyse": {"--smallest-group"},
}


@pytest.mark.parametrize("name", OLD_NAMES)
def test_options_that_were_renamed_keep_their_old_names(name: str) -> None:
    known: set[str] = set()
    for parameter in commands()[name].params:
        known.update(getattr(parameter, "old", ()))
    assert known == OLD_NAMES[name]


def test_help_of_an_option_is_one_line() -> None:
    wrapped = []
    for name, command in commands().items():
        context = click.Context(command, info_name=name)
        for option in command.params:
            record = option.get_help_record(context)
            if record is not None and len(record[1]) > 68:
                wrapped.append((name, *record))
    assert wrapped == []


def test_a_field_makes_the_value_of_its_type() -> None:
    given = ["a", "--aligner", "hmm", "-m", "pef", "--pair", "x", "y", "--format", "md"]
    expected = Shown(
        texts=("a",), aligner="hmm", metrics=("pef",), pair=("x", "y"), format=TableFormat.MD
    )
    assert CliRunner().invoke(shown, given).output == f"{expected}\n"
