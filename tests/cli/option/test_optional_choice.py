"""Options whose value may be left out."""

import click
import pytest

from kilter.cli.option.optional_choice import OptionalChoice

TREE = click.Option(["--tree"], type=OptionalChoice(["text", "svg"]))


def test_a_choice_is_taken() -> None:
    assert TREE.type.convert("svg", TREE, None) == "svg"


def test_a_file_behind_the_option_is_told_where_it_belongs() -> None:
    with pytest.raises(click.BadParameter) as raised:
        TREE.type.convert("orders.txt", TREE, None)
    assert raised.value.message == (
        "'orders.txt' is not one of text, svg; put the file before --tree, or write --tree=text"
    )
