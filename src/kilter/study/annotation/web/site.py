"""One project on the web: its sentences, what people do, and the templates of its pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from kilter.core.language import writing_direction
from kilter.study.store.attempt import AttemptKind
from kilter.study.web.guard import AddressLimit, headers_of
from kilter.study.web.site_address import SiteAddress

if TYPE_CHECKING:
    from kilter.study.annotation.project import Project
    from kilter.study.annotation.store.annotation_store import AnnotationStore, RunningProject

_TEMPLATES = Path(__file__).parent / "templates"


@cache
def _environment() -> Environment:
    """Return the templates, which are compiled once for all sites of a process."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["direction"] = writing_direction
    return environment


@dataclass(slots=True)
class AnnotationSite:
    """Everything that pages need; nothing in it changes while the server runs, but the store."""

    running: RunningProject
    address: SiteAddress
    is_public: bool
    wrong_links: AddressLimit
    processes: int
    _templates: Environment = field(default_factory=_environment)

    @property
    def project(self) -> Project:
        """The sentences and the people."""
        return self.running.project

    @property
    def store(self) -> AnnotationStore:
        """What people do."""
        return self.running.store

    @property
    def headers(self) -> dict[str, str]:
        """What every response has, whatever it says."""
        return headers_of(self.address)

    def path(self, page: str) -> str:
        """Return the path by which browsers reach a page."""
        return self.address.prefix + page

    def render(self, template: str, **values: object) -> str:
        """Return a page; whatever comes from outside is escaped."""
        return self._templates.get_template(template).render(**values)


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
    )
