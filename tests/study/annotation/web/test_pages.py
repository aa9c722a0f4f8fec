"""The way in, the list of sentences, guidelines, and the way out."""

from collections.abc import Iterator

import pytest

from kilter.study.annotation.guideline import guidelines
from kilter.study.annotation.store.annotation_store import RunningProject
from kilter.study.annotation.web.pages import resume_at
from tests.study.annotation.projects import Visitor, created


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningProject]:
    with created(tmp_path_factory.mktemp("pages")) as made:
        yield made


def test_a_personal_link_leads_to_the_sentences_and_is_out_of_the_address(
    running: RunningProject,
) -> None:
    visitor = Visitor(running, "A")
    assert visitor.opened.url.path == "/sentences"
    assert running.store.people.token("A") not in visitor.opened.text
    assert all(text in visitor.opened.text for text in ("I read books", "She sleeps here"))
    assert visitor.get("/").url.path == "/sentences"


def test_the_list_says_how_far_each_sentence_is(running: RunningProject) -> None:
    visitor = Visitor(running, "B")
    before = visitor.get("/sentences").text
    visitor.save("/sentence/2", done=False, bookmark=True, comment="<b>&")
    assert visitor.get("/sentences").text != before


def test_work_goes_on_at_what_is_begun_or_else_open() -> None:
    rows = [{"number": 1, "state": "done"}, {"number": 2, "state": "open"}]
    assert resume_at(rows) == 2
    assert resume_at([*rows, {"number": 3, "state": "begun"}]) == 3
    assert resume_at(rows[:1]) is None


def test_another_link_is_exchanged_only_when_the_person_says_so(running: RunningProject) -> None:
    visitor = Visitor(running, "A")
    link = f"/a/{running.store.people.token('B')}"
    assert visitor.get(link).url.path == link
    assert visitor.data("/sentence/1")["number"] == 1
    visitor.ask("POST", link, data={"form_token": visitor.token})
    person = running.store.people.visitor(visitor.cookies["kilter_annotator"])
    assert person is not None
    assert person.name == "B"


def test_a_page_of_one_person_saves_nothing_for_another(running: RunningProject) -> None:
    visitor = Visitor(running, "B")
    token = visitor.token
    link = f"/a/{running.store.people.token('A')}"
    visitor.ask("POST", link, data={"form_token": token})
    before = running.store.annotations.find("A", 3)
    late = visitor.save("/sentence/3", form_token=token)
    assert (late.status_code, late.json()["reason"]) == (403, "other_person")
    assert "This page is B's, but this browser is open for A now" in late.json()["message"]
    assert running.store.annotations.find("A", 3) == before
    assert visitor.save("/sentence/3").status_code == 200
    assert running.store.annotations.find("A", 3) is not None


def test_without_a_link_the_first_page_says_what_to_do(running: RunningProject) -> None:
    visitor = Visitor(running, "A")
    visitor.ask("POST", "/leave", data={"form_token": visitor.token})
    page = visitor.get("/")
    assert page.status_code == 200
    assert "Open your personal link" in page.text
    assert "ask whoever invited you" in page.text
    assert "kilter annotate links" in page.text
    assert visitor.get("/sentences").status_code == 404


def test_a_wrong_link_says_so_and_whom_to_ask(running: RunningProject) -> None:
    page = Visitor(running, "A").get("/a/mistyped")
    assert page.status_code == 404
    assert "This personal link is not valid" in page.text
    assert "Ask whoever invited you" in page.text


def test_whoever_leaves_has_to_open_the_link_again(running: RunningProject) -> None:
    visitor = Visitor(running, "A")
    assert visitor.get("/leave").url.path == "/sentences"
    visitor.ask("POST", "/leave", data={"form_token": visitor.token})
    assert visitor.get("/sentences").status_code == 404


def test_every_guideline_is_a_page_and_a_panel(running: RunningProject) -> None:
    visitor = Visitor(running, "A")
    assert guidelines()
    for each in guidelines():
        page = visitor.get(f"/guidelines/{each.name}")
        panel = visitor.get(f"/guidelines/{each.name}?panel=1")
        assert (page.status_code, panel.status_code) == (200, 200)
        assert "<html" in page.text
        assert "<html" not in panel.text
    assert visitor.get("/guidelines/nothing").status_code == 404
    assert all(each.name in visitor.get("/guidelines").text for each in guidelines())


def test_annotators_have_no_pages_of_adjudicators_and_the_other_way_round(
    running: RunningProject,
) -> None:
    annotator, adjudicator = Visitor(running, "A"), Visitor(running, "adjudicator")
    for path in ("/adjudicate", "/adjudicate/1", "/agreement"):
        assert annotator.get(path).status_code == 404
        assert adjudicator.get(path).status_code == 200
    for path in ("/sentences", "/sentence/1"):
        assert adjudicator.get(path).status_code == 404
    assert annotator.save("/adjudicate/1").status_code == 404
    assert adjudicator.save("/sentence/1").status_code == 404
