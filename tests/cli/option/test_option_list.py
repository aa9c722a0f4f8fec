"""Several options added by one decorator."""

import click

from kilter.cli.option.option_list import option_list


def test_options_stand_in_the_order_of_the_list_and_lists_may_hold_lists() -> None:
    first = option_list(click.option("--one"), click.option("--two"))

    @click.command()
    @option_list(first, click.option("--three"))
    @click.option("--four")
    def command() -> None: ...

    assert [parameter.name for parameter in command.params] == ["one", "two", "three", "four"]
