"""Names that are completed."""

import click

from kilter.cli.option.offered_name import COMPLETIONS
from kilter.metrics.registry import metric_names


def test_every_name_is_offered_and_only_those_that_begin_so() -> None:
    context = click.Context(click.Command("score"))
    option = click.Option(["-m"])

    def offered(begun: str) -> list[str]:
        return [item.value for item in COMPLETIONS["metrics"](context, option, begun)]

    assert offered("") == [*metric_names(), "all"]
    assert offered("ular") == []
    assert offered("ul") == ["ulam"]
