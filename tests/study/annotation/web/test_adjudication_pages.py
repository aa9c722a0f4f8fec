"""Adjudication: what annotators made side by side, a start from what they agree on, live agreement."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kilter.study.annotation.project import ADJUDICATED
from kilter.study.annotation.store.annotation_store import RunningProject
from tests.study.annotation.projects import Visitor, created


def link(source: int, target: int, *, sure: bool = True) -> dict[str, object]:
    return {"source": source, "target": target, "sure": sure}


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningProject]:
    with created(tmp_path) as made:
        yield made


def test_the_start_is_what_all_agree_on(running: RunningProject) -> None:
    ada, bo = Visitor(running, "A"), Visitor(running, "B")
    ada.save("/sentence/1", links=[link(0, 0), link(1, 1), link(2, 1)], comment="hm")
    bo.save("/sentence/1", links=[link(0, 0), link(1, 1, sure=False)])
    judge = Visitor(running, "adjudicator")
    data = judge.data("/adjudicate/1")
    assert data["adjudicating"] is True
    assert (data["base"], data["translation"], data["state"]) == ("A", "x y", "open")
    chosen = [(each["source"], each["target"], each["sure"]) for each in data["links"]]
    assert chosen == [(0, 0, True), (1, 1, False)]
    assert [(each["name"], len(each["links"])) for each in data["annotators"]] == [
        ("A", 3),
        ("B", 2),
    ]
    assert data["annotators"][0]["comment"] == "hm"
    answer = judge.post(
        "/adjudicate/1/look", translation="x y", target=["x", "y"], links=[link(0, 1)]
    )
    assert answer.json()["target"] == ["x", "y"]
    assert judge.save("/adjudicate/1").json()["state"] == "done"
    stored = running.store.annotations.find(ADJUDICATED, 1)
    assert stored is not None
    assert [each.pair for each in stored.links] == [(0, 1)]
    mine = ada.data("/sentence/1")
    assert len(mine["links"]) == 3


def test_of_different_translations_the_first_is_the_base_and_begun_work_is_shown(
    running: RunningProject,
) -> None:
    Visitor(running, "A").save("/sentence/1", done=False)
    Visitor(running, "B").save(
        "/sentence/1", translation="other words", target=["other", "words"], links=[link(1, 0)]
    )
    data = Visitor(running, "adjudicator").data("/adjudicate/1")
    assert data["base"] == "B"
    assert [(each["source"], each["target"]) for each in data["links"]] == [(1, 0)]
    assert [each["state"] for each in data["annotators"]] == ["begun", "done"]


def test_two_adjudicators_share_what_is_decided(running: RunningProject) -> None:
    one, other = Visitor(running, "adjudicator"), Visitor(running, "adjudicator")
    assert one.save("/adjudicate/2").status_code == 200
    assert other.save("/adjudicate/2").status_code == 409


def test_agreement_is_shown_while_work_goes_on(running: RunningProject) -> None:
    judge = Visitor(running, "adjudicator")
    before = judge.get("/agreement").text
    for name, links in (("A", [link(0, 0), link(1, 1)]), ("B", [link(0, 0)])):
        Visitor(running, name).save("/sentence/1", links=links)
    text = judge.get("/agreement").text
    assert text != before
    assert "0.6667" in text  # F1 of a half and one


def test_before_anybody_is_done_the_start_is_what_is_given(running: RunningProject) -> None:
    data = Visitor(running, "adjudicator").data("/adjudicate/3")
    assert (data["base"], data["annotators"]) == (None, [])
    assert data["translation"] == "私たち は 歌う"
