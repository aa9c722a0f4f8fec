"""The web server of a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starlette.routing import Route

from kilter.study.annotation.web import adjudication_pages as adjudication
from kilter.study.annotation.web import pages
from kilter.study.annotation.web.request import endpoint, endpoint_for
from kilter.study.web import service
from kilter.study.web.monitoring import monitoring_routes
from kilter.study.web.server import STATIC as SURVEY_STATIC
from kilter.study.web.service import application_of, static_route

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.applications import Starlette
    from starlette.responses import Response

    from kilter.study.annotation.web.request import AnnotationCall
    from kilter.study.annotation.web.site import AnnotationSite
    from kilter.study.web.tally import Tally

_STATIC = Path(__file__).parent / "static"
_SHARED = ("survey.css", "icon.svg")


def application(site: AnnotationSite) -> Starlette:
    """Return the web application of a project."""

    def route(path: str, handler: Callable[[AnnotationCall], Response], *methods: str) -> Route:
        return Route(path, endpoint(site, handler), methods=list(methods or ("GET",)))

    both = ("GET", "POST")
    files = {name: SURVEY_STATIC / name for name in _SHARED}
    routes = [
        route("/", pages.welcome),
        route("/a/{token}", pages.personal_link, *both),
        route("/leave", pages.leave, *both),
        route("/sentences", pages.sentences),
        route("/sentence/{number}", pages.sentence),
        route("/sentence/{number}/look", pages.look, "POST"),
        route("/sentence/{number}/save", pages.save, "POST"),
        route("/guidelines", pages.guidelines),
        route("/guidelines/{name}", pages.guideline),
        route("/adjudicate", adjudication.sentences),
        route("/adjudicate/{number}", adjudication.sentence),
        route("/adjudicate/{number}/look", adjudication.look, "POST"),
        route("/adjudicate/{number}/save", adjudication.save, "POST"),
        route("/agreement", adjudication.agreement),
        static_route(files | {path.name: path for path in sorted(_STATIC.iterdir())}),
        *monitoring_routes(site),
    ]
    return application_of(
        site,
        routes,
        no_page=endpoint_for(site, 404),
        no_method=endpoint_for(site, 405),
    )


def serve(
    open_site: Callable[[Tally], AnnotationSite],
    *,
    ready: Callable[[], None],
    host: str,
    port: int,
    workers: int = 1,
    proxies: Sequence[str] = (),
) -> int:
    """Serve a project until the process is interrupted, and return an exit code; `ready` is called once the port is ours."""

    def opened(tally: Tally) -> tuple[Starlette, dict[str, str]]:
        site = open_site(tally)
        return application(site), site.headers

    return service.serve(
        opened, ready=ready, host=host, port=port, workers=workers, proxies=proxies
    )
