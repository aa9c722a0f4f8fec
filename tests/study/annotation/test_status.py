"""How far everybody is."""

from dataclasses import replace

from kilter.study.annotation.annotation import Annotation
from kilter.study.annotation.project import ADJUDICATED
from kilter.study.annotation.status import annotation_status
from tests.study.annotation.projects import project

BEGUN = Annotation(
    account="A", sentence=1, version=1, translation="", links=(), findings=2, seconds=50.0
)


def test_sentences_seconds_and_findings_are_counted() -> None:
    done = replace(BEGUN, sentence=2, done=True, seconds=4.0, bookmark=True, comment="c")
    later = replace(BEGUN, sentence=3, done=True, seconds=9.0)
    status = annotation_status(project(), [BEGUN, done, later])
    ada, bo, adjudicated = status.annotators
    assert (ada.sentences, ada.done, ada.begun, ada.open) == (3, 2, 1, 0)
    assert (ada.median_seconds, ada.findings, ada.bookmarks, ada.comments) == (6.5, 6, 1, 1)
    assert (bo.name, bo.done, bo.open, bo.median_seconds) == ("B", 0, 3, None)
    assert (adjudicated.name, adjudicated.sentences) == (ADJUDICATED, 3)


def test_what_was_imported_has_no_time() -> None:
    done = replace(BEGUN, done=True, seconds=0.0)
    assert annotation_status(project(), [done]).annotators[0].median_seconds is None
