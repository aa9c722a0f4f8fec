"""How far the people of a project are."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from kilter.results.study import AnnotationStatus, AnnotatorProgress
from kilter.study.annotation.project import ADJUDICATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kilter.study.annotation.annotation import Annotation
    from kilter.study.annotation.project import Project


def annotation_status(project: Project, annotations: Iterable[Annotation]) -> AnnotationStatus:
    """Return how far every annotator is, and what was adjudicated."""
    by_account: dict[str, list[Annotation]] = {}
    for each in annotations:
        by_account.setdefault(each.account, []).append(each)
    return AnnotationStatus(
        title=project.title,
        sentences=len(project.sentences),
        annotators=tuple(
            _progress(name, len(project.dealt(name)), by_account.get(name, ()))
            for name in (*project.annotators, ADJUDICATED)
        ),
    )


def _progress(name: str, sentences: int, made: Sequence[Annotation]) -> AnnotatorProgress:
    done = [each for each in made if each.done]
    seconds = [
        each.seconds for each in done if each.seconds > 0
    ]  # of imports nobody knows the time
    return AnnotatorProgress(
        name=name,
        sentences=sentences,
        done=len(done),
        begun=len(made) - len(done),
        open=sentences - len(made),
        median_seconds=median(seconds) if seconds else None,
        findings=sum(each.findings for each in made),
        bookmarks=sum(each.bookmark for each in made),
        comments=sum(bool(each.comment) for each in made),
    )
