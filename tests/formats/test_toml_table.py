"""Tables of TOML files: every entry is taken once, and every fault names its place."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kilter.errors import InputError
from kilter.formats.toml_table import Table, inside, read_table


def read(folder: Path, text: str) -> Table:
    path = folder / "file.toml"
    path.write_bytes(text.encode("latin-1"))
    return read_table(path, schema="things-1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = ", "is no TOML"),
        ('schema = "\xe4"', "is not UTF-8; convert it"),
        ("a = 1", 'does not begin with schema = "things-1"'),
        ('schema = "things-2"', 'does not begin with schema = "things-1"'),
    ],
)
def test_a_file_of_something_else_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message) as raised:
        read(tmp_path, text)
    assert raised.value.where == str(tmp_path / "file.toml")
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_table(tmp_path / "none.toml", schema="things-1")


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
def test_an_entry_that_cannot_be_is_refused(take: Callable[[Table], Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as raised:
        take(Table(dict(ENTRIES), where="here"))
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
    with pytest.raises(InputError, match="leads out of the study's folder"):
        inside(tmp_path, name, where="here")
    assert inside(tmp_path, "a/b", where="here") == tmp_path / "a" / "b"
