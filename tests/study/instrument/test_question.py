"""Questions: kinds, scales and languages."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.io.toml_table import read_toml_of_schema
from kilter.study.instrument.question import (
    JUDGED,
    Condition,
    QuestionKind,
    questions_of,
    read_questions,
)
from tests.study.design.example import LANGUAGES


def test_the_published_participant_questions_are_all_there(tmp_path: Path) -> None:
    questions = read_questions("about-you", tmp_path, languages=LANGUAGES)
    assert [question.name for question in questions] == [
        "first_language_english", "years_fluent", "languages", "gender", "nationality", "education",
        "disability", "grammar_attention", "age",
    ]  # fmt: skip
    assert questions[2].kind is QuestionKind.LANGUAGES


def _questions(folder: Path, text: str) -> str:
    (folder / "own.toml").write_text(f'schema = "kilter.questions/1"\n{text}', encoding="utf-8")
    return "own.toml"


def _question(folder: Path, kind: str, *, name: str = "one", more: str = "") -> str:
    return _questions(
        folder,
        f'[[question]]\nname = "{name}"\nkind = "{kind}"\n{more}\n[question.en]\nask = "What?"\n',
    )


@pytest.mark.parametrize(
    ("kind", "more", "values"),
    [
        ("boxes", "", range(1, 6)),
        ("boxes", "boxes = 7", range(1, 8)),
        ("boxes", "boxes = 7\nlow = 0", range(7)),
        ("slider", "", range(101)),
        ("number", "low = -3\nhigh = 3", range(-3, 4)),
    ],
)
def test_a_scale_runs_from_the_worst_to_the_best(
    kind: str, more: str, values: range, tmp_path: Path
) -> None:
    (question,) = read_questions(_question(tmp_path, kind, more=more), tmp_path, languages=["en"])
    assert question.kind is QuestionKind(kind)
    assert question.values == values


def test_options_are_numbered_from_1_and_labelled_in_every_language(tmp_path: Path) -> None:
    file = _questions(
        tmp_path,
        '[[question]]\nname = "better"\nkind = "options"\noptions = ["first", "second", "same"]\n'
        '[question.en]\nask = "Which?"\nlabels = ["the first", "the second", "both"]\n',
    )
    (question,) = read_questions(file, tmp_path, languages=["en"])
    assert (question.values, question.text("en").labels[0]) == (range(1, 4), "the first")
    text = (tmp_path / file).read_text(encoding="utf-8").replace(', "both"', "")
    (tmp_path / file).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="has 2 labels for 3 options; write one for each"):
        read_questions(file, tmp_path, languages=["en"])


@pytest.mark.parametrize(
    ("kind", "name", "more", "message"),
    [
        ("thumbs", "one", "", "kind is 'thumbs'; it can be boxes, slider, options, number"),
        ("boxes", "not a name", "", "name is 'not a name'; write letters, digits and _"),
        ("boxes", "seconds", "", "name is 'seconds'; write letters, digits and _, and none of"),
        ("boxes", "one", "boxes = 12", "boxes is 12; it must lie between 2 and 11"),
        ("slider", "one", "low = 5\nhigh = 5", "high is 5; it must lie between 6 and"),
        ("options", "one", 'options = ["a", "a"]', "at least two different answers"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(
    kind: str, name: str, more: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        read_questions(_question(tmp_path, kind, name=name, more=more), tmp_path, languages=["en"])


def test_a_question_is_written_in_every_language_of_the_study(tmp_path: Path) -> None:
    file = _question(tmp_path, "text")
    with pytest.raises(InputError, match=r"question one is not written in de; add \[question.de\]"):
        read_questions(file, tmp_path, languages=["en", "de"])


def test_two_questions_of_one_name_are_refused_and_none_at_all(tmp_path: Path) -> None:
    file = _question(tmp_path, "text")
    text = (tmp_path / file).read_text(encoding="utf-8")
    (tmp_path / file).write_text(text + text[text.index("[[") :], encoding="utf-8")
    with pytest.raises(InputError, match="each with a name of its own"):
        read_questions(file, tmp_path, languages=["en"])
    with pytest.raises(InputError, match="needs questions"):
        read_questions(_questions(tmp_path, ""), tmp_path, languages=["en"])


@pytest.mark.parametrize(
    ("kind", "name", "low", "high"),
    [
        ("boxes", "boxes", 2, 11),
        ("slider", "low", -(10**6), 10**6 - 1),
        ("number", "high", 1, 10**6),
        ("text", "longest", 1, 5000),
        ("text", "rows", 1, 20),
    ],
)
def test_a_number_is_taken_up_to_its_bounds_and_refused_beyond_them(
    kind: str, name: str, low: int, high: int, tmp_path: Path
) -> None:
    beside = f"\nhigh = {10**6}" if name == "low" else ""
    for value in (low, high):
        file = _question(tmp_path, kind, more=f"{name} = {value}{beside}")
        (question,) = read_questions(file, tmp_path, languages=["en"])
        assert getattr(question, "high" if name == "boxes" else name) == value
    for value in (low - 1, high + 1):
        file = _question(tmp_path, kind, more=f"{name} = {value}{beside}")
        with pytest.raises(InputError, match="must lie between"):
            read_questions(file, tmp_path, languages=["en"])


def test_what_a_question_does_not_say_is_as_usual(tmp_path: Path) -> None:
    (question,) = read_questions(_question(tmp_path, "text"), tmp_path, languages=["en"])
    assert (question.longest, question.rows) == (200, 1)


DESCRIBED = (
    '[[question]]\nname = "one"\nkind = "options"\noptions = ["no", "yes"]\ntext_with = "yes"\n'
    '[question.en]\nask = "What?"\nlabels = ["no", "yes"]\nmore = "Which?"\n'
)


def test_an_option_may_ask_for_a_description(tmp_path: Path) -> None:
    (question,) = read_questions(_questions(tmp_path, DESCRIBED), tmp_path, languages=["en"])
    assert (question.text_with, question.text_name) == ("yes", "one_text")
    assert question.text("en").more == "Which?"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('text_with = "yes"', 'text_with = "perhaps"', "text_with is 'perhaps'; it can be no, yes"),
        ('more = "Which?"', "", "more is missing; add it"),
        ('name = "one"', 'name = "group"', "is called group, as a column of exported participants"),
        ('name = "one"', 'name = "consent_x"', "give it another name"),
    ],
)
def test_a_description_needs_its_option_and_a_name_of_its_own(
    old: str, new: str, fault: str, tmp_path: Path
) -> None:
    file = _questions(tmp_path, DESCRIBED.replace(old, new))
    with pytest.raises(InputError, match=fault):
        read_questions(file, tmp_path, languages=["en"])


def test_a_description_does_not_share_its_name_with_a_question(tmp_path: Path) -> None:
    other = '[[question]]\nname = "one_text"\nkind = "text"\n[question.en]\nask = "What?"\n'
    with pytest.raises(InputError, match="each with a name of its own"):
        read_questions(_questions(tmp_path, DESCRIBED + other), tmp_path, languages=["en"])


AFTER = (
    '[[question]]\nname = "one"\nkind = "options"\noptions = ["no", "yes"]\n'
    '[question.en]\nask = "Any?"\nlabels = ["no", "yes"]\n'
    '[[question]]\nname = "two"\nkind = "number"\nasked_if = { one = "yes" }\n'
    '[question.en]\nask = "If yes: how many?"\n'
)


def test_a_question_may_depend_on_an_option_of_an_earlier_one(tmp_path: Path) -> None:
    first, second = read_questions(_questions(tmp_path, AFTER), tmp_path, languages=["en"])
    assert first.is_asked({})
    assert second.condition == Condition(question="one", option="yes", number=2)
    asked = [second.is_asked({"one": value}) for value in ("yes", 2, "no", 1, None)]
    assert asked == [True, True, False, False, False]
    assert not second.is_asked({})
    assert second.of(3).is_asked({"one.3": 2, "one": 1})


@pytest.mark.parametrize(
    ("condition", "fault"),
    [
        ('{ one = "perhaps" }', "one is 'perhaps'; it can be no, yes"),
        ('{ two = "yes" }', "there are one"),
        ('{ one = "yes", two = "no" }', "a question before this one and one of its options"),
        ("{}", "a question before this one"),
    ],
)
def test_a_condition_names_an_earlier_question_and_its_option(
    condition: str, fault: str, tmp_path: Path
) -> None:
    file = _questions(tmp_path, AFTER.replace('{ one = "yes" }', condition))
    with pytest.raises(InputError, match=fault):
        read_questions(file, tmp_path, languages=["en"])


def test_nothing_is_described_about_items(tmp_path: Path) -> None:
    table = read_toml_of_schema(
        tmp_path / _questions(tmp_path, DESCRIBED), schema="kilter.questions/1"
    )
    with pytest.raises(InputError, match="participants write about themselves"):
        questions_of(table, ["en"], allowed=JUDGED)
