"""The web server of a study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.routing import Route

from kilter.study.store.running_study import open_study
from kilter.study.web import analysis_pages as analyses
from kilter.study.web import participant_pages as pages
from kilter.study.web import researcher_pages as research
from kilter.study.web.call import endpoint, refusing
from kilter.study.web.monitoring import monitoring_routes
from kilter.study.web.request import Call
from kilter.study.web.service import SETTLE_SECONDS, application_of, static_route
from kilter.study.web.site import site_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.applications import Starlette
    from starlette.responses import Response

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

    def route(
        path: str, handler: Callable[[Call], Response], *methods: str, at_once: int | None = None
    ) -> Route:
        page = endpoint(Call, site, handler, at_once=at_once)
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
        no_page=refusing(Call, site, 404),
        no_method=refusing(Call, site, 405),
        settle_seconds=settle_seconds,
    )


def open_application(
    folder: Path, *, database: str | None, connections: int, **site: Any
) -> Starlette:
    """Return the web application of a created study with a database of its own; `site` is for `site_of`."""
    return application(
        site_of(open_study(folder, database=database, connections=connections), **site)
    )
