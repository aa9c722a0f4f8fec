"""`kilter annotate export`."""

from pathlib import Path

from kilter.study.annotation.store.annotation_store import open_project
from kilter.study.store.action import ActionKind
from tests.cli.annotate.annotated import DECIDED, annotated, elsewhere
from tests.cli.command import kilter


def test_what_was_written_and_left_out_is_said(tmp_path: Path) -> None:
    project = annotated(tmp_path)
    done = kilter("annotate", "export", str(project), "-o", str(tmp_path / "out"), "--agreed")
    assert done.err == f"{tmp_path / 'out'}: 1 sentence written, 2 sentences empty\n"
    assert (tmp_path / "out" / "links.txt").read_text(encoding="utf-8") == "0-0\n\n\n"
    dense = kilter(
        "annotate", "export", str(project), "-o", str(tmp_path / "dense"), "--agreed", "--dense"
    )
    assert dense.err == f"{tmp_path / 'dense'}: 1 sentence written, 2 sentences left out\n"
    assert (tmp_path / "dense" / "links.txt").read_text(encoding="utf-8") == "0-0\n"
    running = open_project(project)
    action, _ = running.store.actions.all()
    running.store.close()
    assert (action.kind, action.detail) == (ActionKind.EXPORT, "agreed")


def test_a_database_may_be_elsewhere(tmp_path: Path) -> None:
    project = annotated(tmp_path)
    copy = elsewhere(project)
    running = open_project(project)
    running.store.annotations.save(DECIDED)
    running.store.close()
    given = ["annotate", "export", str(project), "--adjudicated", "-o"]
    assert kilter(*given, str(tmp_path / "one")).code == 0
    other = kilter(*given, str(tmp_path / "other"), "--database", copy)
    assert (other.code, "no sentence is done" in other.err) == (3, True)
    assert not (tmp_path / "other").exists()


def test_wrong_choices_are_refused(tmp_path: Path) -> None:
    project, out = str(annotated(tmp_path)), str(tmp_path / "out")
    nobody = kilter("annotate", "export", project, "-o", out, "--annotator", "C")
    assert (nobody.code, "there are A, B" in nobody.err) == (2, True)
    both = kilter("annotate", "export", project, "-o", out, "--annotator", "A", "--agreed")
    assert (both.code, "one of" in both.err) == (2, True)
    full = kilter("annotate", "export", project, "-o", project, "--annotator", "A")
    assert (full.code, "not empty" in full.err) == (3, True)
