"""`kilter survey status`, on both databases."""

import json

from tests.cli.survey.typed import Captured, Study, rows
from tests.survey.conftest import database, postgresql_server  # noqa: F401 - fixtures


def test_status_counts_people_answers_and_agreement(study: Study, capsys: Captured) -> None:
    assert study.imported(rows("a", "b", "c", "d")) == 0
    capsys.readouterr()
    assert study.run("status") == 0
    text = capsys.readouterr().out
    assert "            1             2        1          1          0     15/15         -" in text
    assert "Krippendorff's alpha of holistic on shared items: " in text
    assert study.run("status", "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "kilter.survey-status/1"
    assert [row["submitted"] for row in found["questionnaires"]] == [1, 1, 1, 1]
    assert found["participants_answering"] == 4
    assert -1 <= found["agreement"]["holistic"] <= 1
