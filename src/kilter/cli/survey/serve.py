"""`kilter survey serve`: the web survey of a study."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.option.execution import quiet_flag
from kilter.cli.option.survey import database_option, needs_extra, running_study
from kilter.survey.web.site_address import SiteAddress


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
              help="How participants reach the survey, if not through host and port.")  # fmt: skip
@quiet_flag("Do not say where the survey is.")
def command(
    *,
    folder: Path,
    database: str | None,
    host: str,
    port: int,
    public_url: str | None,
    quiet: bool,
) -> None:
    """Serve the web survey of the study in FOLDER until interrupted.

    Put it behind a web server that encrypts connections, and say --public-url https://...

    \b
    Examples:
      kilter survey serve study/
      kilter survey serve study/ --database postgresql://survey@localhost/survey
    """
    with needs_extra("survey"):
        from kilter.survey.web.server import serve
        from kilter.survey.web.site import site_of
    name = f"[{host}]" if ":" in host else host
    address = str(SiteAddress.parse(public_url or f"http://{name}:{port}"))
    with running_study(folder, database) as running:
        if not quiet:
            click.echo(f"participants: {address}/", err=True)
            click.echo(f"researchers:  {address}/research", err=True)
        site = site_of(running, address=address, is_public=public_url is not None)
        serve(site, host=host, port=port)
