"""What commands that serve web pages share: where they listen, and who is before them."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_network
from typing import TYPE_CHECKING

from kilter.cli.console import print_message
from kilter.cli.fields import quiet_setting
from kilter.core.settings import Group, setting
from kilter.study.web.site_address import SiteAddress

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_ALL_CONNECTIONS = (
    80  # PostgreSQL has 100 unless it is told otherwise, three of them for administrators
)
_MOST_CONNECTIONS = 40


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """Where pages are served, and who is before the server."""

    host: str = setting(default="127.0.0.1", description="Address to listen on.")
    port: int = setting(default=8000, low=1, high=65535, description="Port to listen on.")
    public_url: str | None = setting(
        default=None,
        metavar="URL",
        description="Address of the pages, if not HOST:PORT; may include a path.",
    )
    proxies: tuple[str, ...] = setting(
        "--proxy",
        default=(),
        metavar="ADDRESS",
        group=Group.ADVANCED,
        description="Trusted reverse proxy (X-Forwarded-For); repeatable.",
    )
    workers: int = setting(
        default=1,
        low=1,
        high=64,
        group=Group.ADVANCED,
        description="Processes that serve the pages.",
    )
    connections: int | None = setting(
        default=None,
        low=4,
        high=500,
        group=Group.ADVANCED,
        description="Database connections per process.  [default: 40, at most 80]",
    )
    quiet: bool = quiet_setting("Do not print the address of the pages.")

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield proxies that are no addresses: nobody would be believed, and all people behind one counted as one."""
        for address in self.proxies:
            try:
                ip_network(address)
            except ValueError:
                yield (
                    f"--proxy is {address!r}; write an address such as 127.0.0.1, or a network such as 10.0.0.0/8"
                )

    @property
    def address(self) -> str:
        """How people reach the pages."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return str(SiteAddress.parse(self.public_url or f"http://{name}:{self.port}"))

    @property
    def is_public(self) -> bool:
        """Whether that is a public address, the only one then."""
        return self.public_url is not None

    @property
    def connections_each(self) -> int:
        """How many connections each process has: as asked for, or of what a database gives."""
        return self.connections or min(_MOST_CONNECTIONS, max(4, _ALL_CONNECTIONS // self.workers))


LOCAL = "http://127.0.0.1:8000"
"""How pages are reached that `serve` serves without any option."""


def note_local() -> None:
    """Say that personal links lead to this machine, and what makes them lead elsewhere."""
    print_message(
        f"links begin with {LOCAL}, where pages are served without an option; give --public-url URL if they are "
        "reached elsewhere, such as by another --port"
    )
