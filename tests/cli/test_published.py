"""`kilter published`."""

import json
from pathlib import Path

import kilter as package
from tests.cli.command import kilter


def test_the_list_has_every_table_and_says_where_data_comes_from() -> None:
    said = kilter("published", "list").out
    document = json.loads(kilter("published", "list", "--format", "json").out)
    assert [each["table"] for each in document] == [each.name for each in package.published_list()]
    for each in document:
        assert f"\n{each['table']} " in said
        assert f"{each['publication']} " in said.split("\n\n")[1]
        assert all(data["source"].split()[0] in said for data in each["needs"])


def test_the_document_is_that_of_the_function() -> None:
    document = json.loads(kilter("published", "th-5.1", "--format", "json").out)
    assert document == package.published("th-5.1").to_dict()


def test_missing_data_ends_with_code_3_and_says_what_to_get(tmp_path: Path) -> None:
    for given in ([], ["--data", str(tmp_path)]):
        ended = kilter("published", "lr-2", *given)
        assert (ended.code, ended.out) == (3, "")
        assert "wmt12-into-english/rankings.csv" in ended.err
        assert "https://www.statmt.org/wmt12/" in ended.err
        assert ended.err.count("\n") == 1


def test_without_data_the_message_names_the_option() -> None:
    assert "--data DIR" in kilter("published", "pc-2").err


def test_an_unknown_table_is_wrong_use() -> None:
    ended = kilter("published", "pc-9")
    assert (ended.code, ended.out) == (2, "")
    assert "there are: pc-1" in ended.err
