"""Pages for whoever keeps a server running: whether it works, and numbers that name nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route

from kilter.study.store.fault import fault
from kilter.study.web.gate import HAS_PREFIX
from kilter.study.web.log import LOG

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from kilter.study.store.request_counters import RequestCounters


_OF_PROXIES = ("x-forwarded-for", "forwarded", "via")


class Counting(Protocol):
    """A store that knows whether it works, and how much it holds."""

    def state(self) -> object:
        """Return anything at all, from the database."""

    @property
    def requests(self) -> RequestCounters:
        """How many requests there were."""

    def counts(self) -> dict[str, int]:
        """Return how much there is, by names."""


class Monitored(Protocol):
    """A site as these pages see it."""

    @property
    def store(self) -> Counting:
        """What the site keeps."""

    @property
    def processes(self) -> int:
        """How many processes serve it."""


def monitoring_routes(site: Monitored) -> list[Route]:
    """Return the routes of these pages."""

    def health(_request: Request) -> Response:
        try:
            site.store.state()
        except SQLAlchemyError as error:
            LOG.error("the database does not answer: %s", fault(error))
            return JSONResponse({"status": "the database does not answer"}, status_code=503)
        return JSONResponse({"status": "ok"})

    def metrics(request: Request) -> Response:
        # Whoever comes through a web server before this one is anybody.
        if request.scope.get(HAS_PREFIX) or any(name in request.headers for name in _OF_PROXIES):
            return PlainTextResponse("There is no such page.", 404)
        return PlainTextResponse(
            _metrics(site), media_type="text/plain; version=0.0.4; charset=utf-8"
        )

    return [Route("/health", health), Route("/metrics", metrics)]


def _metrics(site: Monitored) -> str:
    """Return all numbers in the text format of Prometheus."""
    responses, errors = site.store.requests.totals()
    lines = ["# TYPE kilter_responses_total counter"]
    for status, number in responses.items():
        lines.append(f'kilter_responses_total{{status="{status}"}} {number}')
    lines += ["# TYPE kilter_errors_total counter", f"kilter_errors_total {errors}"]
    for name, number in {**site.store.counts(), "processes": site.processes}.items():
        lines += [f"# TYPE kilter_{name} gauge", f"kilter_{name} {number}"]
    return "\n".join([*lines, ""])
