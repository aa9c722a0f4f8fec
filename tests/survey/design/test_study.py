"""Descriptions of studies: what they may say, and what is wrong with the others."""

from pathlib import Path

import pytest

from kilter.errors import InputError
from kilter.survey.design.creation import KEY_FILE, create, read_keys, write_example
from kilter.survey.design.item import read_design
from kilter.survey.design.study import Presentation, Recruitment, read_study
from kilter.survey.instrument.instrument import DATA, QuestionKind, read_instrument, read_questions
from kilter.survey.instrument.interface import interface_languages, read_documents, read_interface
from kilter.survey.password import derived_token, password_hash, password_matches, token_hash
from tests.survey.generated import edited, write_study

LANGUAGES = interface_languages()


def changed(folder: Path, old: str, new: str) -> Path:
    file = write_study(folder) / "study.toml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "', 'titel = "', "title is missing; add it"),
        ("questionnaires = 2", "questionnaires = 0", "must lie between 1 and 10000"),
        ("questionnaires = 2", 'questionnaires = "2"', "it must be a whole number"),
        ("questionnaires = 2", "questionnaires = true", "it must be a whole number"),
        ('name = "made"', 'name = "Made it"', "write small letters"),
        ("sentences = 450", "sentences = 450\nsentence = 3", "sentence is unknown; did you mean sentences?"),
        ('contact = "c@example.org"', "", r"speak of \{contact\}; add contact"),
        ('hypothesis = "sys0.en"', 'hypothesis = "../sys0.en"', "leads out of the study's folder"),
        ('hypothesis = "sys0.en"', 'hypothesis = "/etc/passwd"', "leads out of the study's folder"),
        ('system = "sys1"', 'system = "sys0"', "a system and pair of its own"),
        ('pair = "de-en"', 'pair = "German"', "languages such as de-en"),
        ("kilter.study/1", "kilter.study/9", 'schema = "kilter.study/1"'),
        ("schema =", "schema", "is no TOML"),
    ],
)  # fmt: skip
def test_a_fault_is_one_line_that_names_the_place(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message) as error:
        read_study(changed(tmp_path, old, new))
    assert str(error.value).startswith(str(tmp_path)) or str(DATA) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ('[[composition]]\nitems = 3\nkind = "permutation"\ntype = "order"\nsame_base = true\n',
         "at most 2, and of one type"),
        ('[[composition]]\nitems = 2\nkind = "permutation"\ntype = "order"\nsame_base = true\n',
         "there is room for 0; add translations"),
        ('[[composition]]\nitems = 2\nkind = "pair"\n', "belong together"),
        ('[[composition]]\nitems = 2\nkind = "permutation"\ntype = "both"\n', "it can be order, swap"),
        ('[[pick]]\ncorpus = "x"\nline = 1\n', "which is no corpus; there are sys0.de-en, sys1.de-en"),
    ],
)  # fmt: skip
def test_a_composition_that_contradicts_itself_is_refused(
    rest: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        read_study(write_study(tmp_path, rest=rest))


def test_what_a_study_does_not_say_is_as_published_and_closed(tmp_path: Path) -> None:
    study = read_study(edited(write_study(tmp_path), ("[pool]\nsentences = 450\n", "")))
    assert (study.pool, study.degrees) == (450, range(1, 19))
    assert study.recruitment == Recruitment(open=False, limit=0)
    assert (study.presentation, study.size) == (Presentation.RANDOM, 50)
    assert (study.languages, study.seed, study.picks) == (("en",), 1, ())


def test_documents_name_the_items_and_the_questions_about_each(tmp_path: Path) -> None:
    rest = '[[composition]]\nitems = 7\nkind = "translation"\n'
    sheet = " ".join(read_study(write_study(tmp_path, rest=rest)).documents()["en"].information)
    assert "You will read 7 pairs of sentences in English and answer 2 short questions" in sheet


@pytest.mark.parametrize("shared", ["true", "false"])
@pytest.mark.parametrize("translations", [1, 2])
def test_every_base_needs_a_place_among_the_translations_of_its_part(
    shared: str, translations: int, tmp_path: Path
) -> None:
    row = f'[[composition]]\nshared = {shared}\nkind = "permutation"\nsame_base = true\nitems = 2\n'
    rest = row + 'type = "order"\n' + row + 'type = "swap"\n'
    rest += f'[[composition]]\nshared = {shared}\nkind = "translation"\nitems = {translations}\n'
    other = "false" if shared == "true" else "true"
    rest += f'[[composition]]\nshared = {other}\nkind = "translation"\nitems = 9\n'
    folder = write_study(tmp_path, rest=rest)
    if translations == 2:
        assert read_study(folder).size == 15
        return
    with pytest.raises(InputError, match=r"2 rows with same_base .* there is room for 1"):
        read_study(folder)


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("secret\n", encoding="utf-8")
    folder = write_study(tmp_path / "study")
    (folder / "sys0.en").unlink()
    (folder / "sys0.en").symlink_to(outside)
    with pytest.raises(InputError, match="is a link out of the study's folder"):
        read_study(folder)


def test_texts_of_different_lengths_are_refused(tmp_path: Path) -> None:
    folder = write_study(tmp_path)
    (folder / "sys0.en").write_text("One line.\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"sys0.en: has 1 line, but .*reference.en has 40"):
        create(folder)


@pytest.mark.parametrize("path", sorted((DATA / "instruments").iterdir()), ids=lambda p: p.stem)
def test_every_instrument_is_written_in_every_language(path: Path, tmp_path: Path) -> None:
    instrument = read_instrument(path.stem, tmp_path, languages=LANGUAGES)
    assert instrument.sample is not None
    for question in instrument.questions:
        texts = {question.text(language).ask for language in LANGUAGES}
        assert len(texts) == len(LANGUAGES)
        assert len(question.values) >= 2


def test_the_published_instrument_asks_two_questions_with_five_boxes(tmp_path: Path) -> None:
    instrument = read_instrument("word-order", tmp_path, languages=LANGUAGES)
    assert instrument.shows == ("hypothesis", "reference")
    assert [(q.name, list(q.values)) for q in instrument.questions] == [
        ("holistic", [1, 2, 3, 4, 5]),
        ("order", [1, 2, 3, 4, 5]),
    ]


def test_the_published_participant_questions_are_all_there(tmp_path: Path) -> None:
    questions = read_questions("about-you", tmp_path, languages=LANGUAGES)
    assert [question.name for question in questions] == [
        "first_language_english", "years_fluent", "languages", "gender", "nationality", "education",
        "disability", "grammar_attention", "age",
    ]  # fmt: skip
    assert questions[2].kind is QuestionKind.LANGUAGES


def test_an_unknown_instrument_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="adequacy-fluency, direct-assessment, pairwise, word-order"
    ):
        read_instrument("mind-reading", tmp_path, languages=["en"])
    with pytest.raises(InputError, match="leads out"):
        read_instrument("../x.toml", tmp_path, languages=["en"])


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


def test_the_example_study_is_created_without_open_wishes(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    write_example(folder)
    created = create(folder)
    assert created.design.notes == ()
    items, questionnaires = read_design(folder)
    assert tuple(items.values()) == created.design.items
    assert questionnaires == created.design.questionnaires
    assert (folder / KEY_FILE).stat().st_mode & 0o077 == 0
    keys = read_keys(folder)
    assert created.password not in keys.password
    assert password_matches(created.password, keys.password)


def test_a_study_is_created_once_and_an_example_needs_a_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    write_example(folder)
    with pytest.raises(InputError, match="exists and is not empty"):
        write_example(folder)
    with pytest.raises(InputError, match="was not created yet; run 'kilter survey create"):
        read_keys(folder)
    with pytest.raises(InputError, match="at least 12 characters"):
        create(folder, password="short")
    create(folder, password="long enough to be safe")
    with pytest.raises(InputError, match="was created already"):
        create(folder)
    (folder / KEY_FILE).write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="is damaged"):
        read_keys(folder)


def test_damaged_designs_name_file_and_line(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    write_example(folder)
    create(folder)
    file = folder / "items.jsonl"
    good = file.read_text(encoding="utf-8")
    for text, message in (
        ("{", r"items.jsonl:1: is no JSON"),
        ("[]", r"items.jsonl:1: is no JSON object"),
        ('{"id": 1}', r"items.jsonl:1: is no item"),
        (good.split("\n", 1)[1], r"questionnaires.jsonl:1: names the item"),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            read_design(folder)


def test_passwords_and_tokens_are_told_apart() -> None:
    stored = password_hash("correct horse battery")
    assert password_matches("correct horse battery", stored)
    assert not password_matches("correct horse batterY", stored)
    assert not password_matches("x" * 201, stored)
    assert stored != password_hash("correct horse battery")
    first, second = (derived_token(b"secret", f"participant {n}") for n in (1, 2))
    assert first != second
    assert first != derived_token(b"Secret", "participant 1")
    assert len(first) == 32
    assert token_hash(first) != first
