"""What commands that serve web pages share: where they listen, and who is before them."""

from __future__ import annotations

from ipaddress import ip_network
from typing import TYPE_CHECKING

import click

from kilter.cli.option.execution import quiet_flag
from kilter.cli.option.option_list import option_list
from kilter.cli.talk.standard_error import say
from kilter.core.errors import OptionError
from kilter.study.web.site_address import SiteAddress

if TYPE_CHECKING:
    from collections.abc import Sequence

_ALL_CONNECTIONS = (
    80  # PostgreSQL has 100 unless it is told otherwise, three of them for administrators
)
_MOST_CONNECTIONS = 40

server_options = option_list(
    click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535),
                 help="Port to listen on."),
    click.option("--public-url", metavar="URL",
                 help="How people reach the pages, if not through host and port; may end in a path."),
    click.option("--proxy", "proxies", metavar="ADDRESS", multiple=True,
                 help="A web server before this one, whose X-Forwarded-For is believed; may be repeated."),
    click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64),
                 help="Processes that serve the pages."),
    click.option("--connections", type=click.IntRange(4, 500),
                 help="Connections of each process to the database.  [default: 40, of all processes 80]"),
    quiet_flag("Do not say where the pages are."),
)  # fmt: skip
"""The options of commands that serve pages."""

LOCAL = "http://127.0.0.1:8000"
"""How pages are reached that `serve` serves without any option."""


def note_local() -> None:
    """Say that personal links lead to this machine, and what makes them lead elsewhere."""
    say(
        f"links begin with {LOCAL}, where pages are served without an option; give --public-url URL if they are "
        "reached elsewhere, such as by another --port"
    )


def site_address(host: str, port: int, public_url: str | None) -> tuple[str, bool]:
    """Return how people reach the pages, and whether that is a public address, the only one then."""
    name = f"[{host}]" if ":" in host else host
    return str(SiteAddress.parse(public_url or f"http://{name}:{port}")), public_url is not None


def connections_of(workers: int, connections: int | None) -> int:
    """Return how many connections each process has: as asked for, or of what a database gives."""
    return connections or min(_MOST_CONNECTIONS, max(4, _ALL_CONNECTIONS // workers))


def check_proxies(proxies: Sequence[str]) -> None:
    """Refuse what is no address: nobody would be believed, and all people behind a proxy counted as one."""
    for address in proxies:
        try:
            ip_network(address)
        except ValueError as error:
            raise OptionError(
                f"--proxy is {address!r}; write an address such as 127.0.0.1, or a network such as 10.0.0.0/8"
            ) from error
