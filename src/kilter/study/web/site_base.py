"""What every site has: its address, its templates, and who may send forms to it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kilter.study.web.guard import headers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Environment

    from kilter.study.web.guard import AddressLimit
    from kilter.study.web.site_address import SiteAddress

SHARED_TEMPLATES = Path(__file__).parent / "templates"
"""Templates that every site may extend."""


@dataclass(slots=True, kw_only=True)
class BaseSite:
    """Where a site is, and what it writes its pages with; nothing in it changes while the server runs."""

    address: SiteAddress
    is_public: bool
    wrong_links: AddressLimit
    processes: int
    secret: bytes
    """What links, codes and tokens of forms are derived from."""
    templates: Environment

    @property
    def headers(self) -> dict[str, str]:
        """What every response has, whatever it says."""
        return headers_of(self.address)

    def is_own_origin(self, given: Sequence[str], host: str) -> bool:
        """Return whether a browser says that a form comes from a page of ours."""
        return self.address.is_own_origin(given, host, is_public=self.is_public)

    def path(self, page: str) -> str:
        """Return the path by which browsers reach a page."""
        return self.address.prefix + page

    def render(self, template: str, **values: object) -> str:
        """Return a page; whatever comes from outside is escaped."""
        return self.templates.get_template(template).render(site=self, **values)
