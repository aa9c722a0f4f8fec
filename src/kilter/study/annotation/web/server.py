"""The web server of a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.routing import Route

from kilter.study.annotation.store.annotation_store import open_project
from kilter.study.annotation.web import adjudication_pages as adjudication
from kilter.study.annotation.web import pages
from kilter.study.annotation.web.request import AnnotationCall
from kilter.study.annotation.web.site import site_of
from kilter.study.web.call import endpoint, refusing
from kilter.study.web.monitoring import monitoring_routes
from kilter.study.web.server import STATIC as SURVEY_STATIC
from kilter.study.web.service import application_of, static_route

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.applications import Starlette
    from starlette.responses import Response

    from kilter.study.annotation.web.site import AnnotationSite

_STATIC = Path(__file__).parent / "static"
_SHARED = ("survey.css", "icon.svg")


def application(site: AnnotationSite) -> Starlette:
    """Return the web application of a project."""

    def route(path: str, handler: Callable[[AnnotationCall], Response], *methods: str) -> Route:
        return Route(
            path, endpoint(AnnotationCall, site, handler), methods=list(methods or ("GET",))
        )

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
        no_page=refusing(AnnotationCall, site, 404),
        no_method=refusing(AnnotationCall, site, 405),
    )


def open_application(
    folder: Path, *, database: str | None, connections: int, **site: Any
) -> Starlette:
    """Return the web application of a project with a database of its own; `site` is for `site_of`."""
    return application(
        site_of(open_project(folder, database=database, connections=connections), **site)
    )
