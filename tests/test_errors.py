"""Errors say where and what, and carry their exit codes."""

import pytest

from kilter.errors import InputError, KilterError, MissingToolError, OptionError


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
