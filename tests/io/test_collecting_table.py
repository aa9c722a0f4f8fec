"""Tables that keep all of their faults."""

from collections.abc import Callable
from typing import Any

import pytest

from kilter.core.errors import InputError
from kilter.io.toml_table import CollectingTable, TomlTable

ENTRIES: dict[str, Any] = {
    "text": " ", "whole": 11, "flag": 1, "word": "c", "texts": [1], "many": [1], "one": 3,
}  # fmt: skip
TAKEN: list[tuple[Callable[[TomlTable], Any], Any]] = [
    (lambda table: table.text("text"), ""),
    (lambda table: table.text("none"), ""),
    (lambda table: table.whole("whole", low=2, high=10), 2),
    (lambda table: table.flag("flag", default=True), False),
    (lambda table: table.one_of("word", "ab"), "a"),
    (lambda table: table.one_of("whole", "ab"), "a"),
    (lambda table: table.texts("texts"), ()),
    (lambda table: table.tables("many"), []),
]


@pytest.mark.parametrize(("take", "stand_in"), TAKEN)
def test_a_fault_is_kept_once_as_a_plain_table_would_raise_it(
    take: Callable[[TomlTable], Any], stand_in: object
) -> None:
    with pytest.raises(InputError) as raised:
        take(TomlTable(ENTRIES, where="here"))
    table = CollectingTable(ENTRIES, where="here")
    assert take(table) == stand_in
    assert [str(fault) for fault in table.faults] == [str(raised.value)]


def test_what_is_right_is_taken_as_by_a_plain_table() -> None:
    entries = {"a": "x", "b": 3, "c": True, "d": ["y"], "e": {"f": "z"}, "g": [{"h": 1}]}
    table = CollectingTable(entries, where="here")
    assert (table.text("a"), table.whole("b"), table.flag("c"), table.texts("d")) == (
        "x", 3, True, ("y",),
    )  # fmt: skip
    assert table.table("e").text("f") == "z"
    assert [each.whole("h") for each in table.tables("g")] == [1]
    assert (table.text("none", "n"), table.one_of("a", "xy")) == ("n", "x")
    table.finish()
    assert table.faults == []


def test_faults_of_tables_inside_are_kept_by_the_whole() -> None:
    table = CollectingTable({"e": {"f": 1, "g": 2}, "h": [{"i": "x"}], "one": 3}, where="here")
    inner = table.table("e")
    inner.text("f")
    inner.finish()
    table.tables("h")[0].whole("i")
    assert table.table("one").names() == []
    table.finish()
    assert [str(fault) for fault in table.faults] == [
        "here: [e]: f is 1; it must be a text",
        "here: [e]: g is unknown; there are f",
        "here: [[h]] 1: i is 'x'; it must be a whole number",
        "here: one is 3; it must be a table",
    ]


def test_what_depends_on_a_faulty_entry_is_not_refused_again() -> None:
    table = CollectingTable({"a": 1, "b": "x"}, where="here")
    table.text("a")
    table.text("b")
    table.refuse("a and b do not fit", "a", "b")
    assert table.attempt(lambda: 1 // 0, "a") is None
    table.refuse("b does not fit", "b")
    assert [str(fault) for fault in table.faults] == [
        "here: a is 1; it must be a text", "here: b does not fit",
    ]  # fmt: skip


def test_a_fault_from_elsewhere_is_kept_and_any_other_error_is_not() -> None:
    def fail() -> int:
        raise InputError("is gone", where="there")

    table = CollectingTable({}, where="here")
    assert table.attempt(fail, "b") is None
    assert table.attempt(lambda: 7, "c") == 7
    table.refuse("b does not fit", "b")
    assert [str(fault) for fault in table.faults] == ["there: is gone"]
    with pytest.raises(ZeroDivisionError):
        table.attempt(lambda: 1 // 0)
