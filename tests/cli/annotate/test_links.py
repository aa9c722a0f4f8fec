"""`kilter annotate links`."""

import json
from pathlib import Path

from kilter.study.annotation.store.annotation_store import open_project
from tests.cli.annotate.annotated import annotated, elsewhere
from tests.cli.command import kilter


def test_links_are_of_one_database(tmp_path: Path) -> None:
    project = annotated(tmp_path)
    copy = elsewhere(project)
    running = open_project(project)
    running.store.people.begin_visit(running.store.people.all()[0])
    running.store.close()
    opened = {}
    for name, database in (("here", []), ("copy", ["--database", copy])):
        done = kilter("annotate", "links", str(project), "--format", "json", *database)
        rows = json.loads(done.out)
        assert [(row["name"], row["sentences"]) for row in rows] == [
            ("A", 3),
            ("B", 3),
            ("adjudicator", 3),
        ]
        opened[name] = [row["opened"] for row in rows]
    assert opened == {"here": [True, False, False], "copy": [False, False, False]}


def test_links_to_this_machine_are_told_with_what_makes_them_lead_elsewhere(tmp_path: Path) -> None:
    project = str(annotated(tmp_path))
    assert "give --public-url URL" in kilter("annotate", "links", project).err
    done = kilter("annotate", "links", project, "--public-url", "http://127.0.0.1:8791")
    assert done.err == ""
    assert "http://127.0.0.1:8791/" in done.out
