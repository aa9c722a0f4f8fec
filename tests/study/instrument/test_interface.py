"""Texts of pages and documents, in every language."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.study.design.study_file import read_study
from kilter.study.instrument.data_file import DATA
from kilter.study.instrument.interface import read_documents, read_interface
from tests.study.design.example import LANGUAGES
from tests.study.generated import write_study


def test_documents_name_the_items_and_the_questions_about_each(tmp_path: Path) -> None:
    rest = '[[composition]]\nitems = 7\nkind = "translation"\n'
    sheet = " ".join(read_study(write_study(tmp_path, rest=rest)).documents()["en"].information)
    assert "You will read 7 pairs of sentences in English and answer 2 short questions" in sheet


@pytest.mark.parametrize("language", LANGUAGES)
def test_interface_and_documents_are_complete(language: str, tmp_path: Path) -> None:
    english = read_interface("en", tmp_path)
    assert {*read_interface(language, tmp_path).text} == {*english.text}
    assert {*read_interface(language, tmp_path).research} == {*english.research}
    fields = dict.fromkeys(
        (
            "researcher",
            "institution",
            "items",
            "questions",
            "language",
            "minutes",
            "reward",
            "contact",
            "complaints",
        ),
        "x",
    )
    documents = read_documents(language, tmp_path, fields)
    assert [*documents.consent] == [*read_documents("en", tmp_path, fields).consent]
    assert len(documents.consent) == 8


def test_a_study_may_bring_a_language_of_its_own_but_must_complete_it(tmp_path: Path) -> None:
    english = (DATA / "interface" / "en.toml").read_text(encoding="utf-8")
    (tmp_path / "interface").mkdir()
    own = tmp_path / "interface" / "ar.toml"
    own.write_text(english.replace('"ltr"', '"rtl"'), encoding="utf-8")
    assert read_interface("ar", tmp_path).direction == "rtl"
    own.write_text(english.replace("{number} of {total}", "{number}"), encoding="utf-8")
    with pytest.raises(InputError, match="must have the same fields"):
        read_interface("ar", tmp_path)
    own.write_text(english.replace("\nsubmit =", "\nsubmits ="), encoding="utf-8")
    with pytest.raises(InputError, match="the text submit is missing"):
        read_interface("ar", tmp_path)
    with pytest.raises(InputError, match="there are no texts in 'xx'"):
        read_interface("xx", tmp_path)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("for_paper", [False, True])
def test_lines_on_data_protection_end_the_sheet_of_a_study_that_fills_them_in(
    language: str, tmp_path: Path, *, for_paper: bool
) -> None:
    names = "researcher institution items questions language minutes reward contact complaints"
    fields = dict.fromkeys(names.split(), "x")
    plain = read_documents(language, tmp_path, fields, for_paper=for_paper)
    told = {"legal_basis": "law 1", "retention": "2 years", "data_protection": "o@example.org"}
    whole = read_documents(language, tmp_path, fields | told, for_paper=for_paper)
    assert whole.information[: len(plain.information)] == plain.information
    added = whole.information[len(plain.information) :]
    assert [value in line for value, line in zip(told.values(), added, strict=True)] == [True] * 3
    assert "{" not in "".join(plain.information + whole.information)
    assert whole.version != plain.version
    with pytest.raises(InputError, match=r"^s.toml: lacks retention, data_protection in its table"):
        read_documents(language, tmp_path, fields | {"legal_basis": "law 1"}, where="s.toml")
    own = tmp_path / "documents" / f"{language}.toml"
    own.parent.mkdir()
    own.write_bytes((DATA / "documents" / own.name).read_bytes())
    with pytest.raises(InputError, match=rf"which the documents of {own} ask for; add contact = "):
        read_documents(language, tmp_path, {name: "x" for name in fields if name != "contact"})
