"""`kilter survey serve`: the web survey of a study."""

from __future__ import annotations

from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.cli.option.execution import quiet_flag
from kilter.cli.option.survey import database_option, needs_extra, running_study
from kilter.errors import OptionError
from kilter.survey.web.site_address import SiteAddress

if TYPE_CHECKING:
    from kilter.survey.web.site import Site
    from kilter.survey.web.tally import Tally

_ALL_CONNECTIONS = (
    80  # PostgreSQL has 100 unless it is told otherwise, three of them for administrators
)
_MOST_CONNECTIONS = 40


@click.command("serve")
@click.argument("folder", type=click.Path(path_type=Path))
@database_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(1, 65535),
    help="Port to listen on.",
)
@click.option("--public-url", metavar="URL",
              help="How participants reach the survey, if not through host and port; may end in a path.")  # fmt: skip
@click.option("--proxy", "proxies", metavar="ADDRESS", multiple=True,
              help="A web server before this one, whose X-Forwarded-For is believed; may be repeated.")  # fmt: skip
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64),
              help="Processes that serve the study.")  # fmt: skip
@click.option("--connections", type=click.IntRange(4, 500),
              help="Connections of each process to the database.  [default: 40, of all processes 80]")  # fmt: skip
@click.option("--joins", default=120, show_default=True, type=click.IntRange(1, 1_000_000),
              help="How many people may join an open study from one address in an hour.")  # fmt: skip
@quiet_flag("Do not say where the survey is.")
def command(
    *,
    folder: Path,
    database: str | None,
    host: str,
    port: int,
    public_url: str | None,
    proxies: tuple[str, ...],
    workers: int,
    connections: int | None,
    joins: int,
    quiet: bool,
) -> int:
    """Serve the web survey of the study in FOLDER until interrupted.

    Put it behind a web server that encrypts connections, and say --public-url https://...

    \b
    Examples:
      kilter survey serve study/
      kilter survey serve study/ --database postgresql://survey@localhost/survey --workers 4
    """
    with needs_extra("survey"):
        from kilter.pipeline.survey.analysis_process import start_analysis
        from kilter.reports.study.study_course import course_pictures
        from kilter.survey.store.running_study import open_study
        from kilter.survey.web.server import application, serve
        from kilter.survey.web.site import site_of
    for proxy in proxies:
        _check_proxy(proxy)
    name = f"[{host}]" if ":" in host else host
    address = str(SiteAddress.parse(public_url or f"http://{name}:{port}"))
    is_public = public_url is not None
    with running_study(folder, database) as running:
        application(
            site_of(running, address=address, is_public=is_public)
        )  # so that errors are said here
    if not quiet:
        click.echo(f"participants: {address}/", err=True)
        click.echo(f"researchers:  {address}/research", err=True)
    most = connections or min(_MOST_CONNECTIONS, max(4, _ALL_CONNECTIONS // workers))

    def open_site(tally: Tally) -> Site:
        opened = open_study(folder, database=database, connections=most)
        return site_of(
            opened,
            address=address,
            is_public=is_public,
            joins=joins,
            tally=tally,
            pictures=course_pictures,
            analyse=partial(start_analysis, folder, database),
        )

    return serve(open_site, host=host, port=port, workers=workers, proxies=proxies)


def _check_proxy(address: str) -> None:
    """Refuse what is no address: nobody would be believed, and all people behind a proxy counted as one."""
    try:
        ip_network(address)
    except ValueError as error:
        raise OptionError(
            f"--proxy is {address!r}; write an address such as 127.0.0.1, or a network such as 10.0.0.0/8"
        ) from error
