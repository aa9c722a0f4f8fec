"""Tables of TOML files: every entry is taken once, and every fault names its place."""

from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

import pytest

from kilter.core.errors import InputError
from kilter.io.toml_table import TomlTable, inside, parse_toml, read_toml, read_toml_of_schema


def read(folder: Path, text: str) -> TomlTable:
    path = folder / "file.toml"
    path.write_bytes(text.encode("latin-1"))
    return read_toml_of_schema(path, schema="things-1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = ", "is no TOML"),
        (f"a = {'9' * 5000}", "is no TOML: Exceeds the limit"),
        ("a = 1", 'does not begin with schema = "things-1"'),
        ('schema = "things-2"', 'does not begin with schema = "things-1"'),
    ],
)
def test_a_file_of_something_else_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message) as raised:
        read(tmp_path, text)
    assert raised.value.where == str(tmp_path / "file.toml")
    with pytest.raises(InputError, match="cannot be opened: No such file"):
        read_toml_of_schema(tmp_path / "none.toml", schema="things-1")


ENTRIES = {"text": " ", "whole": 11, "real": 1.5, "flag": 1, "word": "c", "texts": [1], "many": [1]}


@pytest.mark.parametrize(
    ("take", "message"),
    [
        (lambda table: table.text("text"), "text is empty; write something"),
        (lambda table: table.text("none"), "none is missing; add it"),
        (lambda table: table.text("whole"), "whole is 11; it must be a text"),
        (lambda table: table.whole("whole", high=10), "whole is 11; it must lie between 0 and 10"),
        (lambda table: table.whole("flagged"), "flagged is missing; add it"),
        (lambda table: table.real("real"), "real is 1.5; it must lie between 0 and 1"),
        (lambda table: table.flag("flag", default=True), "flag is 1; it must be true or false"),
        (lambda table: table.one_of("word", "ab"), "word is 'c'; it can be a, b"),
        (lambda table: table.texts("texts"), "texts must be a list of texts"),
        (
            lambda table: table.tables("many"),
            r"many must be tables; write \[\[many\]\] before each",
        ),
    ],
)
def test_an_entry_that_cannot_be_is_refused(take: Callable[[TomlTable], Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as raised:
        take(TomlTable(dict(ENTRIES), where="here"))
    assert raised.value.where == "here"


def test_tables_inside_know_their_place_and_what_nobody_took_is_refused(tmp_path: Path) -> None:
    table = read(tmp_path, 'schema = "things-1"\n[one]\nsize = true\n[[many]]\nnaem = "x"\n')
    with pytest.raises(InputError, match="size is True; it must be a whole number") as raised:
        table.table("one").whole("size")
    assert str(raised.value.where).endswith("file.toml: [one]")
    (entry,) = table.tables("many")
    assert entry.text("name", "") == ""
    with pytest.raises(InputError, match=r"naem is unknown; did you mean name\?") as unknown:
        entry.finish()
    assert str(unknown.value.where).endswith("file.toml: [[many]] 1")
    table.finish()


@pytest.mark.parametrize("name", ["/etc/passwd", "../other", "a\\b", "a/../../b"])
def test_no_path_leads_out_of_a_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="leads out of the folder"):
        inside(tmp_path, name, where="here")
    assert inside(tmp_path, "a/b", where="here") == tmp_path / "a" / "b"


def test_entries_are_returned_by_their_type() -> None:
    table = parse_toml(
        'name = "a"\nsize = 3\nshare = 1\nopen = true\nlist = ["a", "b"]\n[[row]]\nx = 1\n',
        where="x",
    )
    assert table.text("name") == "a"
    assert table.whole("size") == 3
    assert table.real("share") == 1.0
    assert table.flag("open", default=False) is True
    assert table.texts("list") == table.words("list") == ("a", "b")
    assert table.words("name") == ("a",)
    assert table.words("other", ("z",)) == ("z",)
    assert [row.where for row in table.tables("row")] == ["x: [[row]] 1"]
    assert [row.where for row in table.tables("row", lambda number, _: f"r{number}")] == ["x: r1"]
    assert "name" in table
    assert "other" not in table
    table.finish()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("key = 3", "x: key is 3; it must be a text or a list of texts"),
        ("key = []", r"x: key is \[\]; it must be a text or a list of texts"),
        ('key = ["a", " "]', r"x: key is \['a', ' '\]; it must be a text"),
        ("", "x: key is missing; it must be a text or a list of texts"),
    ],
)
def test_words_are_a_text_or_texts(text: str, message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        parse_toml(text, where="x").words("key")


def test_an_unknown_entry_is_answered_with_the_nearest_name_or_with_all() -> None:
    with pytest.raises(InputError, match=r"^x: nam is unknown; did you mean name\?"):
        parse_toml("nam = 1", where="x").allow(["name", "size"])
    with pytest.raises(InputError, match=r"^x: colour is unknown; there are name, size"):
        parse_toml("colour = 1", where="x").allow(["name", "size"])
    asked = parse_toml("name = 'a'\ncolour = 1", where="x")
    asked.text("name")
    with pytest.raises(InputError, match=r"^x: colour is unknown; there are name$"):
        asked.finish()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b" \n", "t.toml: the file is empty; write a name"),
        (b"a = 1\nb = '\xff'", "t.toml:2: byte 0xff in column 6 is not UTF-8"),
        (b"a = ", "t.toml: is no TOML: "),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "t.toml"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_toml(path, needs="write a name")
    assert str(caught.value).startswith(f"{tmp_path}/{message}")


def test_lines_may_end_as_those_of_windows_do(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_bytes(b'schema = "a/1"\r\nname = "b"\r\n')
    assert read_toml_of_schema(path, schema="a/1").text("name") == "b"


def test_named_tables_know_their_whole_name() -> None:
    table = parse_toml("[pairs.one]\na = 1\n[pairs.two]\n", where="t.toml")
    pairs = table.named_tables("pairs")
    assert {name: pair.where for name, pair in pairs.items()} == {
        "one": "t.toml: [pairs.one]",
        "two": "t.toml: [pairs.two]",
    }
    assert parse_toml("", where="t.toml").named_tables("pairs") == {}
    with pytest.raises(InputError, match=r"pairs.one is 3; write a table \[pairs.one\]"):
        parse_toml("pairs.one = 3", where="t.toml").named_tables("pairs")


def test_true_is_no_number_and_a_number_without_upper_bound_says_so() -> None:
    table = parse_toml("a = true\nb = -1", where="t.toml")
    with pytest.raises(InputError, match=r"a is True; it must be a number$"):
        table.real("a")
    with pytest.raises(InputError, match=r"b is -1; it must be at least 0$"):
        table.real("b", high=inf)


def test_what_is_written_like_a_default_is_checked_all_the_same() -> None:
    table = parse_toml('a = 0\nb = ""', where="t.toml")
    with pytest.raises(InputError, match=r"a is 0; it must lie between 1 and 9$"):
        table.whole("a", 0, low=1, high=9)
    with pytest.raises(InputError, match=r"b is empty; write something$"):
        table.text("b", "")
    assert (table.whole("none", 0, low=1), table.text("none", "")) == (0, "")


def test_a_copy_is_taken_from_on_its_own() -> None:
    table = parse_toml("a = 1\nb = 2", where="file.toml")
    table.whole("a")
    copied = table.copy()
    copied.whole("b")
    copied.finish()
    with pytest.raises(InputError, match="b is unknown"):
        table.finish()
    assert copied.where == "file.toml"
