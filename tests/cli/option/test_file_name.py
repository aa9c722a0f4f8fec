"""Names of files on the command line."""

import click
import pytest

from kilter.cli.option.file_name import FILE_NAME


def test_a_name_is_taken_as_it_is() -> None:
    for name in ("-", "a b.txt", "./-", "/dev/stdin"):
        assert FILE_NAME.convert(name, None, None) == name


def test_what_an_unset_shell_variable_leaves_is_refused() -> None:
    with pytest.raises(click.BadParameter, match="the file name is empty"):
        FILE_NAME.convert("", None, None)
