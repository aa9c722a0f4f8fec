"""Errors say where and what, and carry their exit codes."""

import copy
import pickle
from collections.abc import Callable

import pytest

from kilter.core.errors import (
    InputError,
    KilterError,
    MissingToolError,
    OptionError,
    Remedy,
    Setting,
    SeveralLinksError,
)


@pytest.mark.parametrize(
    ("error", "code", "kind"),
    [
        (KilterError("x"), 1, Exception),
        (InputError("x"), 3, ValueError),
        (OptionError("x"), 2, ValueError),
        (MissingToolError("x", install="y"), 4, ImportError),
    ],
)
def test_errors_have_exit_codes_and_familiar_bases(
    error: KilterError, code: int, kind: type[Exception]
) -> None:
    assert error.exit_code == code
    assert isinstance(error, kind)
    assert isinstance(error, KilterError)


def test_an_input_error_names_its_place_first() -> None:
    error = InputError("1 at position 2", where="orders.txt:7")
    assert (str(error), error.where) == ("orders.txt:7: 1 at position 2", "orders.txt:7")
    assert (str(InputError("alone")), InputError("alone").where) == ("alone", None)


def test_a_missing_tool_carries_its_install_command() -> None:
    error = MissingToolError("Drawing", install="pip install 'kilter[draw]'")
    assert str(error) == (
        "Drawing needs an optional package; install it with: pip install 'kilter[draw]'"
    )


@pytest.mark.parametrize(
    ("setting", "argument", "option"),
    [
        (Setting("tokenize", "zh"), "tokenize='zh'", "--tokenize zh"),
        (Setting("zero_based", value=True), "zero_based=True", "--zero-based"),
        (Remedy("links=Links()", "--links FILE"), "links=Links()", "--links FILE"),
    ],
)
def test_a_setting_is_spelled_as_python_or_as_the_command_line_does(
    setting: Setting | Remedy, argument: str, option: str
) -> None:
    assert (setting.argument, setting.option) == (argument, option)


@pytest.mark.parametrize("kind", [KilterError, OptionError, InputError])
def test_advice_is_an_argument_in_python_and_an_option_for_the_command(
    kind: type[KilterError],
) -> None:
    error = kind("has no blanks; try", advice=Setting("tokenize", "char"))
    assert str(error) == "has no blanks; try tokenize='char'"
    assert error.for_command() == "has no blanks; try --tokenize char"
    assert kind("plain").for_command() == str(kind("plain")) == "plain"


def test_advice_follows_the_place() -> None:
    error = InputError("try", where="a.txt", advice=Setting("empty", "keep"))
    assert (str(error), error.for_command()) == (
        "a.txt: try empty='keep'",
        "a.txt: try --empty keep",
    )


def test_a_missing_tool_is_told_alike_in_python_and_to_the_command() -> None:
    error = MissingToolError("Drawing", install="y")
    assert error.for_command() == str(error)


@pytest.mark.parametrize("form", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])  # noqa: S301 - our own bytes
@pytest.mark.parametrize(
    "error",
    [
        InputError("try", where="a.txt", advice=Setting("empty", "keep")),
        SeveralLinksError("word 2 has two", where="a.links:7"),
        MissingToolError("Drawing", install="y"),
        OptionError("x"),
    ],
)
def test_errors_survive_copying(
    error: KilterError, form: Callable[[KilterError], KilterError]
) -> None:
    again = form(error)
    assert type(again) is type(error)
    assert (str(again), again.for_command()) == (str(error), error.for_command())
    assert vars(again) == vars(error)
