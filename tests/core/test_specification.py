"""A name and options in one text."""

import pytest

from kilter.core.errors import OptionError
from kilter.core.registry import split_specification, value_of_text


def test_a_name_stands_before_its_options() -> None:
    assert split_specification("pef", "metric") == ("pef", {})
    assert split_specification("pef:", "metric") == ("pef", {})
    assert split_specification("pef:beta=0.5,mode=a=b", "metric") == (
        "pef",
        {"beta": "0.5", "mode": "a=b"},
    )


@pytest.mark.parametrize(
    ("specification", "message"),
    [
        ("thing:size", "write options as name=value, not 'size'"),
        ("thing:size=1,size=2", "option size is given twice"),
        (7, "an ape is named by a text, not by 7"),
    ],
)
def test_what_is_no_specification_is_refused(specification: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        split_specification(specification, "ape")


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("true", bool, True),
        ("no", bool, False),
        ("-12", int, -12),
        (".5", float, 0.5),
        ("1E2", float, 100.0),
        ("007", str, "007"),
    ],
)
def test_text_is_read_as_the_type_of_its_option(text: str, kind: type, value: object) -> None:
    read = value_of_text(text, kind, "thing: part")
    assert (type(read), read) == (kind, value)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("True", bool, "thing: part is 'True'; it can be true or false"),
        ("1e2", int, "thing: part is '1e2', which is no number"),
        ("", float, "thing: part is '', which is no number"),
        ("1_000", int, "thing: part is '1_000', which is no number"),
        ("inf", float, "thing: part is 'inf', which is no number"),
    ],
)
def test_text_of_another_type_is_refused(text: str, kind: type, message: str) -> None:
    with pytest.raises(OptionError) as raised:
        value_of_text(text, kind, "thing: part")
    assert str(raised.value) == message
