"""A project with annotations, as commands see it."""

import shutil
from dataclasses import replace
from pathlib import Path

from kilter.study.annotation.annotation import Annotation
from kilter.study.annotation.drawn_link import DrawnLink
from kilter.study.annotation.project import ADJUDICATED
from kilter.study.annotation.store.annotation_store import DATABASE_FILE
from tests.study.annotation.projects import created

ONE = Annotation(
    account="A",
    sentence=1,
    version=0,
    translation="x y",
    links=(DrawnLink(0, 0), DrawnLink(1, 1)),
    done=True,
    seconds=4.0,
)
OTHER = replace(ONE, account="B", links=(DrawnLink(0, 0),), seconds=6.0, findings=1)


def annotated(folder: Path, *annotations: Annotation) -> Path:
    """Return the folder of a project in which these were saved, or else those of A and B."""
    with created(folder) as running:
        running.store.annotations.enter(annotations or [ONE, OTHER])
    return folder / "project"


def elsewhere(project: Path) -> str:
    """Return the address of a copy of a project's database, to which something was added since."""
    copy = project.parent / "copy.db"
    shutil.copy(project / DATABASE_FILE, copy)
    return f"sqlite:///{copy}"


DECIDED = replace(ONE, account=ADJUDICATED)
