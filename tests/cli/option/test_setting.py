"""Options that are fields of settings."""

import click
import pytest
from click.testing import CliRunner

from kilter.cli.option.setting import (
    chosen_settings,
    metric_option,
    setting_option,
    settings_options,
)
from kilter.cli.score import command as score
from kilter.core.settings import spelled_fields
from kilter.run.scoring.corpus import EmptyLines
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling


def settings_from(*arguments: str) -> Settings:
    """Return the settings that a command line of nothing but options makes."""
    made: list[Settings] = []

    def body(**options: object) -> None:
        made.append(chosen_settings(options))

    command = click.command()(body)
    for option in settings_options():
        option(command)
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return made[0]


@pytest.mark.parametrize("kind", [Settings, Resampling])
def test_every_field_that_is_spelled_is_an_option_of_score_with_its_help(kind: type) -> None:
    listed = {option.name: option for option in score.params if isinstance(option, click.Option)}
    for name, (_, spelling) in spelled_fields(kind).items():
        assert tuple(listed[name].opts) == spelling.flags
        assert listed[name].help == spelling.description


def test_every_field_of_settings_is_spelled_but_the_one_that_holds_others() -> None:
    assert {*Settings.__dataclass_fields__} - {*spelled_fields(Settings)} == {"resampling"}


def test_a_command_line_without_options_makes_the_usual_settings() -> None:
    assert settings_from() == Settings()


def test_every_option_reaches_its_field() -> None:
    given = (
        "-m pef -m bleu --aligner ribes --parser model --tokenize none -l en --lowercase "
        "--empty stop --rule birch --resamples 7 --seed 3 -j 2"
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


def test_what_a_command_says_otherwise_replaces_what_the_field_says_and_nothing_else() -> None:
    @click.command()
    @setting_option(Settings, "aligner", multiple=False, default="match", help="Links.")
    @metric_option("One.")
    def command() -> None: ...

    aligner, metric = command.params
    assert isinstance(aligner, click.Option)
    assert isinstance(metric, click.Option)
    assert (aligner.help, aligner.multiple, aligner.default) == ("Links.", False, "match")
    assert aligner.metavar == metric.metavar == spelled_fields(Settings)["metrics"][1].metavar
    assert (metric.help, metric.multiple) == ("One.", True)
