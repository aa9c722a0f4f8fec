"""Looking at a sentence and saving it: versions, carried links, what stays open."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kilter.study.annotation.drawn_link import DrawnLink
from kilter.study.annotation.store.annotation_store import RunningProject
from tests.study.annotation.projects import Visitor, created, texts

LINKS = [{"source": 0, "target": 0, "sure": True}, {"source": 2, "target": 2, "sure": False}]
WORDS = ["私", "は", "本", "を", "読む"]


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningProject]:
    (tmp_path / "links").write_text("0-0\n0-0\n\n", encoding="utf-8")
    new = replace(texts(tmp_path), links=str(tmp_path / "links"), link_format="pharaoh")
    with created(tmp_path, new) as made:
        yield made


def test_a_new_sentence_has_what_is_given_and_proposed(running: RunningProject) -> None:
    data = Visitor(running, "A").data("/sentence/1")
    assert data["source"] == ["I", "read", "books"]
    assert data["target"] == WORDS
    assert data["links"] == [
        {"source": 0, "target": 0, "sure": True, "proposed": True, "certainty": None}
    ]
    assert (data["state"], data["version"], data["seconds"]) == ("open", 0, 0.0)
    assert (data["number"], data["count"]) == (1, 3)
    assert (data["editable"], data["possible"], data["tokenize"]) == (True, False, "none")
    assert (data["previous"], data["next"], data["next_open"]) == (None, 2, 2)
    assert {each["kind"] for each in data["findings"]} == {"unaligned", "particle"}


def test_a_look_carries_links_to_a_changed_translation_and_saves_nothing(
    running: RunningProject,
) -> None:
    visitor = Visitor(running, "A")
    answer = visitor.post(
        "/sentence/1/look", translation="私 も 古い 本 を 読む", target=WORDS, links=LINKS
    ).json()
    assert answer["target"] == ["私", "も", "古い", "本", "を", "読む"]
    assert [(link["source"], link["target"], link["sure"]) for link in answer["links"]] == [
        (0, 0, True),
        (2, 3, False),
    ]
    assert answer["dropped"] == 0
    shorter = visitor.post("/sentence/1/look", translation="は 本", links=LINKS).json()
    assert (len(shorter["links"]), shorter["dropped"]) == (1, 1)
    assert shorter["reordering"]["words"] == ["I", "read", "books"]
    assert running.store.annotations.all() == []


def test_what_is_saved_is_there_for_its_annotator_alone(running: RunningProject) -> None:
    visitor = Visitor(running, "A")
    first = visitor.save("/sentence/1", comment="why?", bookmark=True, done=False).json()
    assert (first["saved"], first["version"], first["state"]) == (True, 1, "begun")
    second = visitor.save("/sentence/1", version=1, seconds=2).json()
    assert (second["version"], second["state"], second["seconds"]) == (2, "done", 3.5)
    assert second["next_open"] == 2
    data = visitor.data("/sentence/1")
    assert (data["translation"], data["state"], data["version"]) == ("x y", "done", 2)
    assert [link["target"] for link in data["links"]] == [1]
    stored = running.store.annotations.find("A", 1)
    assert stored is not None
    assert stored.findings == len(data["findings"]) > 0
    assert Visitor(running, "B").data("/sentence/1")["state"] == "open"


def test_a_save_over_another_version_is_a_conflict_with_what_is_stored(
    running: RunningProject,
) -> None:
    tabs = Visitor(running, "A"), Visitor(running, "A")
    assert tabs[0].save("/sentence/1", translation="first one").status_code == 200
    late = tabs[1].save("/sentence/1", translation="lost words")
    assert late.status_code == 409
    answer = late.json()
    assert (answer["saved"], answer["reason"], answer["version"]) == (False, "conflict", 1)
    assert answer["translation"] == "first one"
    assert tabs[1].save("/sentence/1", version=1, translation="kept words").status_code == 200


def test_an_open_proposal_stays_one_and_keeps_a_sentence_from_being_done(
    running: RunningProject,
) -> None:
    visitor = Visitor(running, "A")
    proposed = [{"source": 0, "target": 1, "sure": True, "proposed": True, "certainty": 0.5}]
    refused = visitor.save("/sentence/1", links=proposed)
    assert (refused.status_code, refused.json()["reason"]) == (422, "open_proposals")
    assert visitor.save("/sentence/1", links=proposed, done=False).json()["links"] == proposed
    stored = running.store.annotations.find("A", 1)
    assert stored is not None
    assert stored.links == (DrawnLink(0, 1, proposed=True, certainty=0.5),)
    assert stored.drawn == ()


def test_without_a_translation_nothing_is_done(running: RunningProject) -> None:
    visitor = Visitor(running, "A")
    answer = visitor.save("/sentence/1", translation=" ", target=[], links=[])
    assert (answer.status_code, answer.json()["reason"]) == (422, "no_translation")
    assert visitor.save("/sentence/1", translation="", target=[], links=[], done=False).is_success


def test_a_fixed_translation_cannot_be_changed(tmp_path: Path) -> None:
    with created(tmp_path, replace(texts(tmp_path), fixed_translation=True)) as running:
        visitor = Visitor(running, "A")
        assert visitor.data("/sentence/1")["editable"] is False
        answer = visitor.save("/sentence/1")
        assert (answer.status_code, answer.json()["reason"]) == (422, "not_editable")
        kept = visitor.save("/sentence/1", translation=" ".join(WORDS), target=WORDS)
        assert kept.status_code == 200


def test_sentences_of_others_and_numbers_that_are_none_are_not_there(tmp_path: Path) -> None:
    with created(tmp_path, replace(texts(tmp_path), per_sentence=1)) as running:
        visitor = Visitor(running, "A")
        assert visitor.data("/sentence/1")["next"] == 3
        for number in ("2", "0", "4", "x", "9" * 5000, "-1", "%D9%A1"):
            assert visitor.get(f"/sentence/{number}").status_code == 404
            assert visitor.save(f"/sentence/{number}").status_code == 404
        assert running.store.annotations.all() == []
