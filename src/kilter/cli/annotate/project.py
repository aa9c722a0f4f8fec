"""What commands of the annotation of links share: a project with its database, the forms of its links."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kilter.cli.survey import study
from kilter.cli.survey.study import needs_extra
from kilter.core.errors import InputError
from kilter.results.study import AnnotatorLink

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kilter.study.annotation.store.annotation_store import RunningProject


def database_setting() -> Any:
    """Declare where annotations are."""
    return study.database_setting("annotations.db")


WHAT = "kilter annotate"
"""What needs packages that may be missing."""


@contextmanager
def running_project(
    folder: Path, database: str | None, *, new: bool = False
) -> Iterator[RunningProject]:
    """Give a created project with its database, which a new one may lack."""
    with needs_extra("survey", what=WHAT):
        from sqlalchemy.exc import SQLAlchemyError

        from kilter.study.annotation.store.annotation_store import open_project
        from kilter.study.store.fault import fault_kind
    running = open_project(folder, database=database, new=new)
    try:
        yield running
    except SQLAlchemyError as error:
        raise InputError(
            f"the database failed: {fault_kind(error)}; see what it says in its own log, and try again",
            where=running.store.name,
        ) from None
    finally:
        running.store.close()


def annotator_links(running: RunningProject, address: str) -> list[AnnotatorLink]:
    """Return the personal link of everybody in a project."""
    project, people = running.project, running.store.people
    return [
        AnnotatorLink(
            name=person.name,
            role=str(person.role),
            sentences=len(project.sentences)
            if person.adjudicates
            else len(project.dealt(person.name)),
            opened=person.opened_at is not None,
            link=f"{address}/a/{people.token(person.name)}",
        )
        for person in people.all()
    ]
