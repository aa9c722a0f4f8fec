"""How participants reach a survey: scheme, host and the path before all of its pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from kilter.core.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

_PORTS = {"http": 80, "https": 443}
_SEGMENT = re.compile(r"[A-Za-z0-9_~-][A-Za-z0-9._~-]*")  # which no proxy spells in another way
_REMEDY = "write it as https://survey.example.org or https://example.org/survey"


@dataclass(frozen=True, slots=True)
class SiteAddress:
    """An address in the spelling of browsers.

    `origin` is scheme and host, `prefix` what comes before the path of each page: empty, or begins with a
    slash and does not end with one.

    >>> SiteAddress.parse("HTTPS://Uni.Example:443/survey/")
    SiteAddress(origin='https://uni.example', prefix='/survey')
    """

    origin: str
    prefix: str

    @classmethod
    def parse(cls, text: str) -> SiteAddress:
        """Return the address that a text spells; refuse what no page could be reached by."""
        origin = origin_of(text)
        if origin is None:
            raise OptionError(f"--public-url is {text!r}; {_REMEDY}")
        parts = urlsplit(text)
        segments = [segment for segment in parts.path.split("/") if segment]
        if parts.query or parts.fragment or not all(map(_SEGMENT.fullmatch, segments)):
            raise OptionError(
                f"--public-url is {text!r}: only letters, digits and . _ ~ - are possible after the host; {_REMEDY}"
            )
        return cls(origin, "".join(f"/{segment}" for segment in segments))

    def __str__(self) -> str:
        """Return the address without a slash at its end."""
        return self.origin + self.prefix

    @property
    def is_secure(self) -> bool:
        """Whether connections are encrypted."""
        return self.origin.startswith("https://")

    def inner_path(self, path: str) -> str:
        """Return the path of a page, whether or not a proxy has left the prefix before it."""
        if self.prefix and (path + "/").startswith(self.prefix + "/"):
            return path[len(self.prefix) :] or "/"
        return path

    def is_own_origin(self, given: Sequence[str], host: str, *, is_public: bool) -> bool:
        """Return whether a browser says that a form comes from a page of ours; old browsers say nothing.

        Without a public address, pages are reached by whatever name the request has.
        """
        if len(given) != 1:
            return not given
        origin = origin_of(given[0])
        if is_public:
            return origin == self.origin
        return origin is not None and origin in (
            origin_of(f"http://{host}"),
            origin_of(f"https://{host}"),
        )

    def hides(self, pattern: str) -> bool:
        """Return whether a page with this pattern would be taken for the prefix.

        >>> SiteAddress("https://uni.example", "/research").hides("/research/links")
        True
        """
        wanted = self.prefix.split("/")[1:]
        page = pattern.split("/")[1 : len(wanted) + 1]
        return (
            bool(wanted)
            and len(page) == len(wanted)
            and all(
                mine == theirs or mine.startswith("{")
                for mine, theirs in zip(page, wanted, strict=True)
            )
        )


def origin_of(text: str) -> str | None:
    """Return scheme and host of an address as browsers spell them; None if there is no such origin."""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
        if parts.scheme not in _PORTS or not host or parts.username is not None:
            return None
        host = host.encode("idna").decode() if not host.isascii() else host
    except ValueError:  # UnicodeError is one, too
        return None
    if any(character in host for character in " %/\\@<>\"'"):
        return None
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + (
        f":{port}" if port is not None and port != _PORTS[parts.scheme] else ""
    )
