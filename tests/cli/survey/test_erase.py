"""`kilter survey erase`, on both databases."""

import json

import pytest

from kilter.study.password import new_token
from kilter.study.store import participant_table
from kilter.study.store.running_study import open_study
from tests.cli.survey.typed import HEADER, Captured, Study
from tests.study.conftest import database, postgresql_server  # noqa: F401 - fixtures
from tests.study.running import Person, running


def test_erasing_says_what_is_left(study: Study, capsys: Captured) -> None:
    with running(study.folder, database=study.address) as server, Person(server.address) as person:
        link = person.join()
        person.reach_items(nationality="Atlantean")
        person.post("/item/1", holistic="2", order="2", action="next")
        assert study.run("erase", server.address + link) == 0
        assert "left: 2 answers about items, without any link" in capsys.readouterr().out
        assert person.get(link).status_code == 404
    assert study.run("status", "--format", "json") == 0
    status = json.loads(capsys.readouterr().out)["questionnaires"]
    (row,) = [row for row in status if row["withdrawn"]]
    assert (row["answered"], row["expected"]) == (1, 15)
    files = study.exported("out")
    (someone,) = files["participants"]
    assert (someone["nationality"], someone["withdrawn"]) == ("", "yes")
    assert study.run("erase", someone["participant"], "--judgments") == 0
    said = capsys.readouterr().out
    assert "erased: 2 answers" in said
    assert "left: 0 answers" in said
    assert study.exported("again")["judgments"] == []
    assert study.run("erase", "nobody") == 3
    assert "nobody has this link, token or code" in capsys.readouterr().err


def test_answers_on_paper_are_erased_by_the_code_of_the_questionnaire(
    study: Study, capsys: Captured
) -> None:
    assert study.imported(f"{HEADER}example-1-7,1,1,2,3\nexample-1-8,1,1,2,3\n") == 0
    assert study.run("erase", "example-1-7", "--judgments") == 0
    assert "erased: 2 answers" in capsys.readouterr().out
    assert len(study.exported("out")["judgments"]) == 15
    assert study.run("erase", "example-1-7") == 3
    assert "nobody has this link, token or code" in capsys.readouterr().err


def test_a_token_may_begin_with_a_hyphen(
    study: Study, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One in 64 does."""
    for token, order in (
        ("-hIRBFdSqo4Yerbx4G09jNEUbBfmBD9q", ("{}", "--judgments")),
        ("--judgments_A1B2C3D4E5F6G7H8I9J0", ("--judgments", "{}")),
    ):
        assert len(token) == len(new_token())
        with monkeypatch.context() as patched:
            patched.setattr(participant_table, "new_token", lambda token=token: token)
            opened = open_study(study.folder, database=study.address)
            assert opened.store.participants.join() == token
            opened.store.close()
        assert study.run("erase", *(part.format(token) for part in order)) == 0
        assert "erased: 0 answers" in capsys.readouterr().out
        assert study.run("erase", token) == 3
        assert "nobody has this link" in capsys.readouterr().err
