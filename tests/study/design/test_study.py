"""What a study is made of."""

from pathlib import Path

import pytest

from kilter.core.errors import OptionError
from kilter.study.design.creation import draw_study
from kilter.study.design.study import PUBLISHED, Recruitment
from kilter.study.design.study_file import read_study
from tests.study.generated import edited, write_study


def test_the_published_composition_has_the_rows_of_the_table() -> None:
    types = ("order", "swap", "phrase", "choice")
    rows = [(row.items, str(row.kind), row.type, row.same_base, row.shared) for row in PUBLISHED]
    assert rows == [
        (10, "translation", "", False, True),
        *((2, "permutation", kind, True, True) for kind in types),
        (2, "permutation", "random", False, True),
        (15, "translation", "", False, False),
        *((2, "permutation", kind, True, False) for kind in types),
        (7, "permutation", "random", False, False),
    ]


def test_a_group_is_one_that_the_study_names_if_it_names_any() -> None:
    anybody = Recruitment(open=False, limit=0)
    assert anybody.checked_group("evening class") == "evening class"
    for name in ("", "=1", "a" * 61, "a\nb"):
        with pytest.raises(OptionError, match="write up to 60 letters"):
            anybody.checked_group(name)
    some = Recruitment(open=False, limit=0, groups=("staff",))
    assert some.checked_group("staff") == "staff"
    with pytest.raises(OptionError, match=r"study.toml has the groups staff"):
        some.checked_group("students")


@pytest.mark.parametrize(
    ("pairs", "english", "german"),
    [
        (["de-en"], "in English", "auf Englisch"),
        (["en-de"], "in German", "auf Deutsch"),
        (["eng-fra"], "in French", "auf Französisch"),
        (["de-en", "en-de"], "in English/German", "auf Englisch/Deutsch"),
        (["en-xx"], "in xx", "auf xx"),
    ],
)
def test_the_information_sheet_names_the_language_of_the_sentences(
    pairs: list[str], english: str, german: str, tmp_path: Path
) -> None:
    rest = '[[composition]]\nitems = 3\nkind = "translation"\npair = "any"\n'
    options = 'interface = ["en", "de"]'
    folder = write_study(tmp_path, systems=len(pairs), options=options, rest=rest)
    file = folder / "study.toml"
    text = file.read_text(encoding="utf-8")
    first, *corpora = text.split('pair = "de-en"')
    text = first + "".join(
        f'pair = "{pair}"{corpus}' for pair, corpus in zip(pairs, corpora, strict=True)
    )
    file.write_text(text, encoding="utf-8")
    study = read_study(folder)
    assert [corpus.pair for corpus in study.corpora] == pairs
    for for_paper in (True, False):
        documents = study.documents(for_paper=for_paper)
        for language, named in (("en", english), ("de", german)):
            sheet = " ".join(documents[language].information)
            assert f" {named} " in sheet
            assert "{" not in sheet


@pytest.mark.parametrize(("pair", "told"), [("de-en", []), ("en-de", ["de"])])
def test_questions_about_english_are_told_where_sentences_are_in_another_language(
    pair: str, told: list[str], tmp_path: Path
) -> None:
    rest = '[[composition]]\nitems = 3\nkind = "translation"\n'
    folder = edited(write_study(tmp_path, rest=rest), ('pair = "de-en"', f'pair = "{pair}"'))
    notes = draw_study(folder).design.notes
    assert [note.split("; ")[0] for note in notes if "English" in note] == [
        f"participants are asked how well they know English, and sentences are in {language}"
        for language in told
    ]
