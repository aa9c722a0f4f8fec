"""The table of consent forms."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.study.paper.scan.consent_table import ConsentRecord, ConsentTable

LINES = ["risks", "archiving"]


def record(picture: str, *, signed: bool | None = True, **answers: bool | None) -> ConsentRecord:
    return ConsentRecord(picture, "texts", signed, {"risks": True, "archiving": True} | answers)


def test_a_table_is_read_as_it_was_written_and_takes_a_picture_once(tmp_path: Path) -> None:
    path = tmp_path / "consent.csv"
    table = ConsentTable(path, LINES)
    assert table.add([record("b", archiving=False), record("a", risks=None, signed=False)]) == 2
    assert path.read_text(encoding="utf-8") == (
        "picture,texts,signed,risks,archiving\na,texts,no,none,yes\nb,texts,yes,yes,no\n"
    )
    again = ConsentTable(path, LINES)
    assert len(again) == 2
    assert "a" in again
    assert "c" not in again
    assert again.add([record("a"), record("c")]) == 1
    assert ConsentTable(path, LINES).said([]) == [
        "3 consent forms, 2 signed",
        "risks: 2 yes, 0 no, 1 without an answer",
        "archiving: 2 yes, 1 no, 0 without an answer",
    ]


def test_lines_that_all_agree_to_are_told_only_if_they_are_voluntary(tmp_path: Path) -> None:
    table = ConsentTable(tmp_path / "consent.csv", LINES)
    table.add([record("a")])
    assert table.said(["archiving"]) == [
        "1 consent form, 1 signed",
        "archiving: 1 yes, 0 no, 0 without an answer",
    ]


def test_a_form_of_several_pages_counts_once_and_its_lines_where_they_are(tmp_path: Path) -> None:
    table = ConsentTable(tmp_path / "consent.csv", LINES)
    first = ConsentRecord("a", "texts", None, {"risks": True})
    last = ConsentRecord("b", "texts", signed=True, answers={"archiving": False})
    table.add([first, last])
    told = table.said(["archiving"])
    assert told[0] == "1 consent form, 1 signed"
    assert "archiving: 0 yes, 1 no, 0 without an answer" in told


def test_a_table_with_nothing_new_is_not_written(tmp_path: Path) -> None:
    assert ConsentTable(tmp_path / "consent.csv", LINES).add([]) == 0
    assert not (tmp_path / "consent.csv").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("picture,texts,signed,risks\n", "the header must be picture,texts,signed,risks,archiving"),
        ("", "the header must be"),
        (
            "picture,texts,signed,risks,archiving\na,t,yes,maybe,no\n",
            "with yes, no, none or nothing",
        ),
        ("picture,texts,signed,risks,archiving\na,t,yes\n", "a cell for each column"),
    ],
)
def test_a_table_that_was_changed_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "consent.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        ConsentTable(path, LINES)
    assert message in str(raised.value)
