"""`kilter annotate links`."""

import json
from pathlib import Path

from kilter.annotation.store.annotation_store import open_project
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
