"""`kilter annotate agreement`."""

import json
from pathlib import Path

from kilter.study.annotation.store.annotation_store import open_project
from tests.cli.annotate.annotated import DECIDED, annotated, elsewhere
from tests.cli.command import kilter


def test_a_database_may_be_elsewhere(tmp_path: Path) -> None:
    project = annotated(tmp_path)
    copy = elsewhere(project)
    running = open_project(project)
    running.store.annotations.save(DECIDED)
    running.store.close()
    pairs = {}
    for name, database in (("here", []), ("copy", ["--database", copy])):
        done = kilter("annotate", "agreement", str(project), "--format", "json", *database)
        rows = json.loads(done.out)["comparisons"]
        pairs[name] = {(row["first"], row["second"]): row["recall"] for row in rows}
    assert pairs["copy"] == {("A", "B"): 1.0, ("B", "A"): 0.5}
    assert pairs["here"] == pairs["copy"] | {("A", "adjudicated"): 1.0, ("B", "adjudicated"): 0.5}
