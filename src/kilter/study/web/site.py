"""One study on the web: its texts, its answers, its secrets, and the templates of its pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.study.instrument.data_file import DATA
from kilter.study.instrument.interface import read_interface
from kilter.study.page_template import templates_in
from kilter.study.store.attempt import AttemptKind
from kilter.study.web.guard import AddressLimit
from kilter.study.web.site_address import SiteAddress
from kilter.study.web.site_base import SHARED_TEMPLATES, BaseSite

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from subprocess import Popen

    from kilter.study.design.item import Item
    from kilter.study.design.study import Study
    from kilter.study.instrument.interface import Documents, Interface
    from kilter.study.store.running_study import RunningStudy
    from kilter.study.store.store import Store
    from kilter.study.store.study_course import StudyCourse

    Pictures = Callable[[StudyCourse, Callable[[str], str]], Sequence[str]]

JOINS_AN_HOUR = 120


@dataclass(slots=True, kw_only=True)
class Site(BaseSite):
    """Everything that pages of a survey need."""

    running: RunningStudy
    interfaces: dict[str, Interface]
    documents: dict[str, Documents]
    english: Interface
    joins: AddressLimit
    pictures: Pictures | None = None
    analyse: Callable[[float], Popen[bytes]] | None = None
    _questionnaires: dict[int, list[Item]] = field(init=False)

    def __post_init__(self) -> None:
        """Look up the items of every questionnaire."""
        self._questionnaires = {
            entry.number: [self.running.items[name] for name in entry.items]
            for entry in self.running.questionnaires
        }

    @property
    def study(self) -> Study:
        """What the study's file says."""
        return self.running.study

    @property
    def store(self) -> Store:
        """The answers."""
        return self.running.store

    @property
    def links_end(self) -> bool:
        """Whether anybody was promised that links to answers end with the study."""
        return any(form.links_end for form in self.documents.values())

    def questionnaire(self, number: int) -> list[Item]:
        """Return the items of a questionnaire in their order."""
        return self._questionnaires[number]

    def interface(self, wanted: Sequence[str]) -> Interface:
        """Return the interface in the first language that it has."""
        known = [language for language in wanted if language in self.interfaces]
        return self.interfaces[known[0] if known else self.study.languages[0]]

    def link(self, token: str) -> str:
        """Return the personal link with a token."""
        return f"{self.address}/p/{token}"


def site_of(
    running: RunningStudy,
    *,
    address: str,
    is_public: bool = False,
    joins: int = JOINS_AN_HOUR,
    processes: int = 1,
    pictures: Pictures | None = None,
    analyse: Callable[[float], Popen[bytes]] | None = None,
) -> Site:
    """Return the site of a created study, reached at an address, and at no other if it is public.

    `joins` is how many people may join an open study from one address in an hour; `processes` serve it;
    `pictures` draws how the study went; `analyse` starts a process that analyses it.
    """
    attempts = running.store.attempts
    return Site(
        running=running,
        address=SiteAddress.parse(address),
        is_public=is_public,
        interfaces=running.study.interfaces(),
        documents=running.study.documents(),
        english=read_interface("en", DATA),
        wrong_links=AddressLimit(attempts, AttemptKind.WRONG_LINK, most=30, seconds=60),
        joins=AddressLimit(attempts, AttemptKind.JOIN, most=joins, seconds=3600),
        processes=processes,
        secret=running.keys.secret,
        templates=templates_in(SHARED_TEMPLATES),
        pictures=pictures,
        analyse=analyse,
    )
