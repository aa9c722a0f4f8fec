"""Exports: what is read from them, and what is refused with file and line."""

import json
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.study.judgments.judgment_study import SentenceGroup
from kilter.study.judgments.score_file import read_scores
from kilter.study.judgments.study_table import read_export
from tests.study.analysis.studies import ITEMS, JUDGMENTS, PARTICIPANTS, write


def test_an_export_becomes_columns_of_judgments(tmp_path: Path) -> None:
    found = read_export(write(tmp_path))
    assert [person.id for person in found.participants] == ["p1", "p2"]
    assert found.idle == 1
    assert found.participants[0].fields["age"] == "25"
    assert found.participants[1].fields["age"] is None
    assert found.sentence.tolist() == [0, 2, 1, 0, 3]
    assert found.position.tolist() == [1, 2, 3, 1, 2]
    assert found.levels["holistic"].tolist() == [4, 2, 5, 3, 1]
    assert np.isnan(found.levels["order"]).tolist() == [False, True, False, False, False]
    assert found.scores("holistic").tolist() == [0.75, 0.25, 1.0, 0.5, 0.0]
    assert [sentence.degree_score for sentence in found.sentences] == [None, None, 1 - 1 / 3, 0.0]
    assert found.sentences[1].source_language == "cs"
    assert found.rows(SentenceGroup.ORDER).tolist() == [False, True, False, False, True]
    assert found.simulated is False
    assert [tool.name for tool in found.tools] == ["degree"]


def test_without_participants_nothing_is_known_of_them(tmp_path: Path) -> None:
    found = read_export(write(tmp_path, participants=None))
    assert [person.fields for person in found.participants] == [{}, {}]
    assert found.idle == 0


def test_people_who_judged_and_are_not_among_participants_are_counted(tmp_path: Path) -> None:
    lines = PARTICIPANTS.splitlines(keepends=True)
    assert read_export(write(tmp_path / "all")).unknown == 0
    found = read_export(write(tmp_path / "few", participants="".join([lines[0], lines[1]])))
    assert (found.unknown, found.idle) == (1, 0)


def test_a_question_of_the_dictionary_without_a_column_is_refused(tmp_path: Path) -> None:
    dictionary = "table,column,meaning,low,high\njudgments,grammar,x,1,5\n"
    with pytest.raises(InputError, match="the question grammar has no column in"):
        read_export(write(tmp_path, dictionary=dictionary))


def test_the_dictionary_says_which_levels_there_are(tmp_path: Path) -> None:
    dictionary = "table,column,meaning,low,high\njudgments,holistic,x,0,10\njudgments,order,x,,\n"
    found = read_export(write(tmp_path, dictionary=dictionary))
    assert [(q.name, q.low, q.high) for q in found.questions] == [("holistic", 0, 10)]
    assert found.scores("holistic")[0] == 0.4


def test_cells_that_were_guarded_for_spreadsheets_are_read_as_they_were(tmp_path: Path) -> None:
    found = read_export(write(tmp_path, items=ITEMS.replace("a c b", "'- a c b")))
    assert found.sentences[0].hypothesis == "- a c b"


def test_a_table_that_is_marked_makes_the_study_simulated(tmp_path: Path) -> None:
    lines = PARTICIPANTS.splitlines()
    text = "\n".join([f"{lines[0]},simulated", *(f"{line},yes" for line in lines[1:])]) + "\n"
    assert read_export(write(tmp_path, participants=text)).simulated is True


@pytest.mark.parametrize(
    ("table", "old", "new", "message"),
    [
        ("judgments", "p1,1,2,s3,2,", "p1,1,2,s9,2,", "judgments.csv:3: the sentence 's9' is not"),
        ("judgments", "s1,4,5", "s1,6,5", "judgments.csv:2: holistic is '6'; it is a whole number from 1"),
        ("judgments", "s1,4,5", "s1,4.5,5", "judgments.csv:2: holistic is '4.5'; it is a whole"),
        ("judgments", "s1,4,5", "s1,x,5", "judgments.csv:2: holistic is 'x', which is not a number"),
        ("judgments", "p1,1,2,s3", "p1,1,2,s1", "judgments.csv:3: participant p1 has the sentence 's1' tw"),
        ("judgments", "p1,1,2,s3", "p1,1,1,s3", "judgments.csv:3: participant p1 has the position '1' tw"),
        ("judgments", "p1,1,2,s3", "p1,1,0,s3", "judgments.csv:3: position is '0'; it must be a whole"),
        ("judgments", "position", "place", "judgments.csv:1: has no column 'position'"),
        ("judgments", "holistic,order", "seconds,segment", "judgments.csv:1: has no column of answers"),
        ("items", "s2,translation", "s2,poem", "items.csv:3: kind is 'poem'; it can be translation"),
        ("items", "s2,translation", "s1,translation", "items.csv:3: the sentence is called 's1', first at"),
        ("items", "order,2", "order,", "items.csv:4: is a permutation without type or degree"),
        ("items", "order,2", "order,x", "items.csv:4: degree is 'x'; it is counted from 1"),
        ("items", "order,2", "order," + "9" * 5000, "items.csv:4: degree is '999"),
        ("items", "2,yes", "2,perhaps", "items.csv:4: shared is 'perhaps'; it can be yes or no"),
        ("participants", "p2,2", "p1,2", "participants.csv:3: participant p1 is there twice"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_file_and_line(
    tmp_path: Path, table: str, old: str, new: str, message: str
) -> None:
    text = {"judgments": JUDGMENTS, "items": ITEMS, "participants": PARTICIPANTS}[table]
    assert old in text
    write(tmp_path, **{table: text.replace(old, new, 1)})
    with pytest.raises(InputError) as caught:
        read_export(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path}/{message}")


def test_folders_that_are_no_export_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is not a folder"):
        read_export(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"holds no judgments.csv and no judgments.jsonl"):
        read_export(tmp_path)
    write(tmp_path)
    (tmp_path / "items.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"items.csv: is beside items.jsonl"):
        read_export(tmp_path)


def test_json_lines_that_are_none_are_refused(tmp_path: Path) -> None:
    write(tmp_path, items=None)
    for text, message in (
        ("[1]\n", "is not a JSON object"),
        ("{", "is not JSON"),
        ("{}\n", "is not a JSON object"),
    ):
        (tmp_path / "items.jsonl").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=f"items.jsonl:1: {message}"):
            read_export(tmp_path)
    lines = [json.dumps({"sentence": "a"}), json.dumps({"kind": "b"})]
    (tmp_path / "items.jsonl").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError, match=r"items.jsonl:2: has the keys kind; the first line"):
        read_export(tmp_path)


@pytest.mark.parametrize("number", ["0", "2147483648", "-1", "1.0"])
@pytest.mark.parametrize("column", ["degree", "segment"])
def test_numbers_of_items_are_counted_from_1(tmp_path: Path, column: str, number: str) -> None:
    old, new = {
        "degree": ("order,2,yes,sys,de-en,1", f"order,{number},yes,sys,de-en,1"),
        "segment": ("order,2,yes,sys,de-en,1", f"order,2,yes,sys,de-en,{number}"),
    }[column]
    with pytest.raises(InputError, match=rf"items\.csv:4: {column} is '.*'; it is counted from 1"):
        read_export(write(tmp_path, items=ITEMS.replace(old, new)))


def test_an_export_without_judgments_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"judgments.csv: holds no judgment yet"):
        read_export(write(tmp_path, judgments=JUDGMENTS.splitlines()[0] + "\n"))


@pytest.mark.parametrize("cell", ["nan", "NA", "-", "none"])
def test_an_answer_that_is_no_level_is_refused_unless_empty(tmp_path: Path, cell: str) -> None:
    changed = JUDGMENTS.replace("p1,1,1,s1,4,5", f"p1,1,1,s1,4,{cell}")
    with pytest.raises(InputError, match=rf"judgments.csv:2: order is '{cell}'; it is a whole"):
        read_export(write(tmp_path, judgments=changed))


def test_what_a_participant_did_not_say_is_missing(tmp_path: Path) -> None:
    found = read_export(write(tmp_path, participants=PARTICIPANTS.replace(",25,", ",nan,")))
    assert found.participants[0].fields["age"] is None


def test_translations_that_were_shown_together_are_told_apart_by_their_slots(
    tmp_path: Path,
) -> None:
    head, *lines = [line.split(",") for line in JUDGMENTS.splitlines()]
    for line in lines:
        line[head.index("position")] = "1"

    def told(slots: str) -> str:
        rows = [[*line, slot] for line, slot in zip(lines, slots, strict=True)]
        return "\n".join(map(",".join, [[*head, "slot"], *rows])) + "\n"

    found = read_export(write(tmp_path, judgments=told("12345")))
    assert found.position.tolist() == [1] * 5
    assert [question.name for question in found.questions] == ["holistic", "order"]
    with pytest.raises(InputError, match="has the position '1' twice"):
        read_export(write(tmp_path / "again", judgments=told("11345")))


def test_rank_scores_of_items_are_a_tool(tmp_path: Path) -> None:
    lines = ITEMS.splitlines()
    text = "\n".join(
        [f"{lines[0]},rank_score", f"{lines[1]},0.75", *(f"{line}," for line in lines[2:])]
    )
    found = read_export(write(tmp_path, items=text + "\n"))
    values = found.values_of("wmt-rank")
    assert values[0] == 0.75
    assert np.isnan(values[1:]).all()
    for wrong in ("1.5", "x", "nan"):
        with pytest.raises(InputError, match=r"rank_score is .*; it is a number from 0 to 1"):
            read_export(write(tmp_path / wrong, items=text.replace("0.75", wrong) + "\n"))
    scores = tmp_path / "scores.csv"
    scores.write_text(
        f"sentence,tool,score\n{found.sentences[0].id},wmt-rank,0.5\n", encoding="utf-8"
    )
    with pytest.raises(InputError, match="the items of the study hold already"):
        read_scores(scores, found)


def test_the_dictionary_has_the_wording_of_questions(tmp_path: Path) -> None:
    dictionary = (
        "table,column,meaning,low,high\njudgments,sentence,id of the item,,\njudgments,holistic,How hard?,1,5\n"
        "judgments,order,How much?,1,5\nparticipants,group,recruited,,\nparticipants,age,How old?,,\n"
        "participants,consent_read,I have read,,\nitems,system,who,,\n"
    )
    found = read_export(write(tmp_path, dictionary=dictionary))
    assert found.wording == {
        "judgments": {"holistic": "How hard?", "order": "How much?"},
        "participants": {"age": "How old?"},
    }


def test_people_advertised_to_stand_beside_those_who_responded(tmp_path: Path) -> None:
    people = "participant,group\np1,students\np2,\np3,students\n"
    found = read_export(
        write(
            tmp_path, participants=people, recruitment="group,advertised\nstudents,120\nstaff,40\n"
        )
    )
    assert [*map(astuple, found.recruitment)] == [
        ("students", 120, 2, 1),
        ("staff", 40, 0, 0),
        ("without a group", None, 1, 1),
    ]
    assert read_export(write(tmp_path / "plain")).recruitment == ()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("group,advertised\nstaff,many\n", "recruitment.csv:2: advertised is 'many'"),
        (
            "group,advertised\nstaff,3\nstaff,4\n",
            "recruitment.csv:3: the group 'staff' is there twice",
        ),
    ],
)
def test_recruitment_that_makes_no_sense_is_refused(
    tmp_path: Path, table: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_export(write(tmp_path, recruitment=table))
