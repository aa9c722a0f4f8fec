"""The web server of a study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.responses import PlainTextResponse
from starlette.routing import Route

from kilter.study.store.running_study import open_study
from kilter.study.web import analysis_pages as analyses
from kilter.study.web import participant_pages as pages
from kilter.study.web import researcher_pages as research
from kilter.study.web.monitoring import monitoring_routes
from kilter.study.web.request import PageError, endpoint
from kilter.study.web.service import SETTLE_SECONDS, application_of, static_route
from kilter.study.web.site import site_of

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

    from kilter.study.web.request import Call, Handler
    from kilter.study.web.service import ErrorHandler
    from kilter.study.web.site import Site

STATIC = Path(__file__).parent / "static"
"""Files that other sites of ours share."""
_FILES = (
    "survey.css",
    "instrument.css",
    "item.js",
    "slider.js",
    "condition.js",
    "analysis.js",
    "icon.svg",
)


def application(site: Site, *, settle_seconds: float = SETTLE_SECONDS) -> Starlette:
    """Return the web application of a study."""

    def route(path: str, handler: Handler, *methods: str, at_once: int | None = None) -> Route:
        page = endpoint(site, handler, at_once=at_once)
        return Route(path, page, methods=list(methods or ("GET",)))

    both = ("GET", "POST")
    routes = [
        # First, since routes are tried in their order, and this one is wanted most.
        route("/item/{number}", pages.item, *both),
        route("/", pages.welcome),
        route("/join", pages.join, "POST"),
        route("/p/{token}", pages.personal_link, *both),
        route("/continue", pages.resume),
        route("/information", pages.information, *both),
        route("/consent", pages.consent, *both),
        route("/about", pages.about, *both),
        route("/sample", pages.sample, *both),
        route("/review", pages.review),
        route("/submit", pages.submit, "POST"),
        route("/thanks", pages.thanks),
        route("/withdraw", pages.withdraw, *both),
        route("/leave", pages.leave, *both),
        # As many as there are hashes of passwords made at once: others would wait for them in a thread.
        route("/research/login", research.login, *both, at_once=2),
        route("/research/logout", research.logout, "POST"),
        route("/research", research.dashboard),
        route("/research/links", research.links),
        route("/research/actions", research.actions),
        route("/research/pause", research.pause, "POST"),
        route("/research/extend", research.extend, "POST"),
        route("/research/close", research.close, *both),
        route("/research/analysis", analyses.analysis, *both),
        route("/research/analysis/{path:path}", analyses.analysis_file),
        route("/research/export/{file}", research.export),
        static_route({name: STATIC / name for name in _FILES}),
        *monitoring_routes(site),
    ]
    return application_of(
        site,
        routes,
        no_page=endpoint_for(site, 404),
        no_method=endpoint_for(site, 405),
        settle_seconds=settle_seconds,
    )


def endpoint_for(site: Site, status: int) -> ErrorHandler:
    """Return what answers a request that no page answers."""

    def refuse(_call: Call) -> Response:
        # An error of its own for each call: it keeps every call that it was raised in.
        raise PageError(status, "not_found")

    answer = endpoint(site, refuse)

    async def handle(request: Request, _exception: Exception) -> Response:
        if request.method not in ("GET", "HEAD"):
            return PlainTextResponse("There is no such page.", status)
        return await answer(request)

    return handle


def open_application(
    folder: Path, *, database: str | None, connections: int, **site: Any
) -> Starlette:
    """Return the web application of a created study with a database of its own; `site` is for `site_of`."""
    return application(
        site_of(open_study(folder, database=database, connections=connections), **site)
    )
