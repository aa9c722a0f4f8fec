"""Answers typed in from paper, row by row."""

from pathlib import Path

import pytest

from kilter.study.design.item import read_design
from kilter.study.design.study import Study
from kilter.study.design.study_file import read_study
from kilter.study.exchange.intake import Intake

HEADER = "participant,questionnaire,position,holistic,order\n"


@pytest.fixture(scope="module")
def study(created: Path) -> Study:
    return read_study(created)


@pytest.fixture
def intake(study: Study) -> Intake:
    _, questionnaires = read_design(study.folder)
    return Intake.of(study, questionnaires)


def said(intake: Intake) -> list[str]:
    return [str(problem) for problem in intake.problems]


def people(**cells: str) -> str:
    """Return a row about participants with all columns, empty but for those that are given."""
    parts = ("name", "fluency", "qualifications")
    languages = [f"languages_{row}_{part}" for row in range(1, 6) for part in parts]
    names = ["participant", "first_language_english", "years_fluent", *languages, "gender",
             "nationality", "education", "disability", "disability_text", "grammar_attention", "age"]  # fmt: skip
    return ",".join(names) + "\n" + ",".join(cells.get(name, "") for name in names) + "\n"


@pytest.mark.parametrize("position", ["1", "15", " 7 "])
def test_positions_of_the_questionnaire_are_taken(intake: Intake, position: str) -> None:
    intake.read_judgments(f"{HEADER}a,4,{position},2,\n".encode(), "x.csv")
    assert said(intake) == []
    assert intake.people["a"].answers == {int(position): {"holistic": 2, "order": None}}
    assert intake.people["a"].questionnaire == 4


@pytest.mark.parametrize("position", ["0", "16", "-1", "1.0", "", "\u0661", "999999999"])
def test_other_positions_are_refused(intake: Intake, position: str) -> None:
    intake.read_judgments(f"{HEADER}a,1,{position},2,3\n".encode(), "x.csv")
    assert said(intake) == [
        f"x.csv:2: position is {position!r}; it lies between 1 and 15",
    ]


def test_a_name_has_at_most_a_hundred_characters(intake: Intake) -> None:
    for name in ("n" * 100, "n" * 101):
        intake.read_judgments(f"{HEADER}{name},1,1,2,3\n".encode(), "x.csv")
    assert [*intake.people] == ["n" * 100]
    assert len(said(intake)) == 1


def test_a_byte_order_mark_and_empty_rows_are_nothing(intake: Intake) -> None:
    text = f"\ufeff{HEADER}\na,1,1,2,3\n,,,,\n a ,1,2,4,5\n\n"
    intake.read_judgments(text.encode(), "x.csv")
    assert said(intake) == []
    assert intake.people["a"].answers == {
        1: {"holistic": 2, "order": 3},
        2: {"holistic": 4, "order": 5},
    }


def test_what_is_no_utf_8_is_refused(intake: Intake) -> None:
    intake.read_judgments(b"participant\xff", "x.csv")
    assert said(intake) == ["x.csv: is not UTF-8; save it as CSV in UTF-8"]


def test_participants_say_things_about_themselves_once(intake: Intake) -> None:
    intake.read_judgments(f"{HEADER}a,1,1,2,3\n".encode(), "x.csv")
    text = people(participant="a", age="33", nationality="Swiss")
    intake.read_participants((text + text.splitlines()[1] + "\n").encode(), "p.csv")
    assert said(intake) == ["p.csv:3: a is there twice; keep one of the rows"]
    assert intake.people["a"].personal == {"age": 33, "nationality": "Swiss"}


def test_only_people_with_judgments_or_held_back_say_things(study: Study) -> None:
    _, questionnaires = read_design(study.folder)
    intake = Intake.of(study, questionnaires, held_back={"later"})
    for name in ("later", "nobody"):
        intake.read_participants(people(participant=name, age="33").encode(), "p.csv")
    assert said(intake) == ["p.csv:2: 'nobody' has no judgments; check the name"]
    assert intake.people == {}


@pytest.mark.parametrize(
    ("cells", "wrong"),
    [
        ({"nationality": "x" * 100}, ""),
        ({"nationality": "x" * 101}, "nationality"),
        ({"nationality": "a\x07b"}, "nationality"),
        ({"nationality": "a\tb"}, ""),
        ({"age": "16"}, ""),
        ({"age": "15"}, "age"),
        ({"age": "120"}, ""),
        ({"age": "121"}, "age"),
        ({"gender": "robot"}, "gender"),
        ({"languages_5_name": "Czech", "languages_5_fluency": "native"}, ""),
        ({"languages_1_name": "Czech", "languages_1_fluency": "perfect"}, "languages"),
        ({"languages_1_name": "Czech"}, ""),
        ({"languages_1_fluency": "native"}, "languages"),
        ({"languages_3_qualifications": "a certificate"}, "languages"),
        ({"languages_1_name": "Czech", "languages_2_fluency": "native"}, "languages"),
    ],
)
def test_what_people_say_must_be_possible(
    intake: Intake, cells: dict[str, str], wrong: str
) -> None:
    intake.read_judgments(f"{HEADER}a,1,1,2,3\n".encode(), "x.csv")
    intake.read_participants(people(participant="a", **cells).encode(), "p.csv")
    assert [problem.split()[1] for problem in said(intake)] == ([wrong] if wrong else [])


def test_answers_that_are_numbers_already_are_taken_as_typed_ones_are(study: Study) -> None:
    _, questionnaires = read_design(study.folder)
    typed, taken = (Intake.of(study, questionnaires) for _ in range(2))
    typed.read_judgments(f"{HEADER}a,4,2,5,\na,4,3,1,2\n".encode(), "x.csv")
    answers: dict[int, dict[str, int | None]] = {
        2: {"holistic": 5, "order": None},
        3: {"holistic": 1, "order": 2},
    }
    taken.take("a", 4, answers, where="pages")
    assert taken.people == typed.people
    assert said(typed) == said(taken) == []


def test_answers_that_are_numbers_already_are_checked_as_typed_ones_are(intake: Intake) -> None:
    row = {"holistic": 5, "order": None}
    intake.take("a", 1, {1: row, 16: row}, where="pages")
    intake.take("a", 1, {1: row}, where="pages")
    intake.take("a", 2, {2: row}, where="pages")
    intake.take(" ", 1, {1: row}, where="pages")
    intake.take("b", 99, {1: row}, where="pages")
    assert [problem.partition(";")[0] for problem in said(intake)] == [
        "pages: position is '16'",
        "pages: a has item 1 twice",
        "pages: a answers questionnaire 1 in an earlier row",
        "pages: participant needs a name or number of at most 100 characters",
        "pages: questionnaire is '99'",
    ]
    assert intake.people["a"].answers == {1: row}


def with_consent(**cells: str) -> bytes:
    """Return a row about the participant a with more columns than those of questions."""
    head, row, *_ = people(participant="a", age="33").splitlines()
    return f"{','.join([head, *cells])}\n{','.join([row, *cells.values()])}\n".encode()


@pytest.mark.parametrize(
    ("cells", "kept"),
    [
        ({}, None),
        ({"consent": ""}, None),
        ({"consent_archiving": "No"}, {"archiving": False}),
        ({"consent_archiving": "yes", "consent_risks": ""}, {"archiving": True}),
    ],
)
def test_consent_on_paper_is_kept_line_by_line(
    intake: Intake, cells: dict[str, str], kept: dict[str, bool] | None
) -> None:
    intake.read_judgments(f"{HEADER}a,1,1,2,3\n".encode(), "x.csv")
    intake.read_participants(with_consent(**cells), "p.csv")
    assert said(intake) == []
    assert intake.people["a"].consent == kept
    assert intake.people["a"].personal == {"age": 33}


def test_a_signed_form_agrees_to_all_that_is_not_voluntary(intake: Intake, study: Study) -> None:
    documents = study.documents()["en"]
    assert documents.optional == {"archiving"}
    intake.read_judgments(f"{HEADER}a,1,1,2,3\n".encode(), "x.csv")
    intake.read_participants(with_consent(consent="yes", consent_archiving="no"), "p.csv")
    assert said(intake) == []
    assert intake.people["a"].consent == {line: line != "archiving" for line in documents.consent}


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"consent": "no"}, "a has not consented (consent); leave out all of their answers"),
        ({"consent": "yes", "consent_risks": "no"}, "a has not consented (consent_risks)"),
        ({"consent": "perhaps"}, "consent is 'perhaps'; write yes, no or nothing"),
        ({"consent_mood": "yes"}, "the header has consent_mood"),
    ],
)
def test_whoever_has_not_consented_is_not_imported(
    intake: Intake, cells: dict[str, str], message: str
) -> None:
    intake.read_judgments(f"{HEADER}a,1,1,2,3\n".encode(), "x.csv")
    intake.read_participants(with_consent(**cells), "p.csv")
    (problem,) = said(intake)
    assert message in problem
