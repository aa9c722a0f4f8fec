"""One project on the web: its sentences, and what people do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kilter.study.page_template import templates_in
from kilter.study.store.attempt import AttemptKind
from kilter.study.web.guard import AddressLimit
from kilter.study.web.site_address import SiteAddress
from kilter.study.web.site_base import SHARED_TEMPLATES, BaseSite

if TYPE_CHECKING:
    from kilter.study.annotation.project import Project
    from kilter.study.annotation.store.annotation_store import AnnotationStore, RunningProject

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(slots=True, kw_only=True)
class AnnotationSite(BaseSite):
    """Everything that pages of a project need."""

    running: RunningProject

    @property
    def project(self) -> Project:
        """The sentences and the people."""
        return self.running.project

    @property
    def store(self) -> AnnotationStore:
        """What people do."""
        return self.running.store


def site_of(
    running: RunningProject, *, address: str, is_public: bool = False, processes: int = 1
) -> AnnotationSite:
    """Return the site of a project, reached at an address, and at no other if it is public."""
    attempts = running.store.attempts
    return AnnotationSite(
        running=running,
        address=SiteAddress.parse(address),
        is_public=is_public,
        wrong_links=AddressLimit(attempts, AttemptKind.WRONG_LINK, most=30, seconds=60),
        processes=processes,
        secret=running.secret,
        templates=templates_in(_TEMPLATES, SHARED_TEMPLATES),
    )
