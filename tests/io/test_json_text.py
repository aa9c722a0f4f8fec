"""JSON that Python's own reader tells of in three ways."""

import json

import pytest

from kilter.io.json_text import parse_json


@pytest.mark.parametrize("text", ["[" * 5000, '{"a":' * 5000, "1" * 5000, "", "[1,]", b"[1,]"])
def test_whatever_is_wrong_with_json_is_one_error(text: str | bytes) -> None:
    with pytest.raises(json.JSONDecodeError):
        parse_json(text)


def test_bytes_that_are_no_utf_8_are_told_as_such() -> None:
    with pytest.raises(UnicodeDecodeError):
        parse_json(b'"\xff"')


def test_sound_json_is_what_it_says() -> None:
    assert parse_json(b'{"a": [1, null]}') == {"a": [1, None]}


@pytest.mark.parametrize("text", ['{"b": 1, "a": 1, "a": 2}', '[{"a": {"a": 1, "a": 1}}]'])
def test_a_key_that_stands_twice_in_one_object_is_refused_by_name(text: str) -> None:
    with pytest.raises(json.JSONDecodeError) as error:
        parse_json(text)
    assert str(error.value) == "the key 'a' stands twice in one object; keep one"
    assert parse_json('[{"a": {"a": 1}}, {"a": 2}]') == [{"a": {"a": 1}}, {"a": 2}]
