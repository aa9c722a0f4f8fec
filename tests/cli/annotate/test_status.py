"""`kilter annotate status`."""

from dataclasses import replace
from pathlib import Path

from kilter.study.annotation.store.annotation_store import open_project
from tests.cli.annotate.annotated import ONE, annotated, elsewhere
from tests.cli.command import kilter


def test_a_database_may_be_elsewhere(tmp_path: Path) -> None:
    project = annotated(tmp_path)
    copy = elsewhere(project)
    running = open_project(project)
    running.store.annotations.save(replace(ONE, sentence=2, done=False))
    running.store.close()
    first = kilter("annotate", "status", str(project)).out.splitlines()
    assert first[1].split() == ["A", "3", "1", "1", "1", "4.0", "0", "0", "0"]
    assert first[2].split() == ["B", "3", "1", "0", "2", "6.0", "1", "0", "0"]
    other = kilter("annotate", "status", str(project), "--database", copy).out.splitlines()
    assert other[1].split() == ["A", "3", "1", "0", "2", "4.0", "0", "0", "0"]
