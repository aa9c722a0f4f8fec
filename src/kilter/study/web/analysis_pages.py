"""Pages with the analysis of a study so far: begun by a click, made elsewhere, shown when it is there."""

from __future__ import annotations

import base64
import hashlib
import re
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, Response

from kilter.study.store.action import ActionKind
from kilter.study.store.fault import fault
from kilter.study.web.call import PageError
from kilter.study.web.log import LOG
from kilter.study.web.researcher_pages import note, researchers_only

if TYPE_CHECKING:
    from subprocess import Popen

    from kilter.study.web.request import Call
    from kilter.study.web.site import Site

_TYPES = {
    "html": "text/html",
    "csv": "text/csv",
    "json": "application/json",
    "md": "text/markdown",
    "tex": "text/plain",
    "svg": "image/svg+xml",
    "toml": "text/plain",
}
_NOTHING = "'none'"
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


@researchers_only
def analysis(call: Call) -> Response:
    """Begin an analysis, or say how far it is; one that is there is led to."""
    site = call.site
    if site.analyse is None:
        raise PageError(404, "not_found")
    if call.request.method == "POST":
        began = site.store.analyses.begin()
        if began is not None:
            note(call, ActionKind.ANALYSE)
            try:
                _follow(site, site.analyse(began), began)
            except (OSError, RuntimeError) as error:  # no process, or no thread to wait for it
                LOG.error("the analysis cannot be started: %s", fault(error))
                site.store.analyses.fail(began, "the analysis could not be started")
        return call.go("/research/analysis")
    run = site.store.analyses.last()
    if call.wants_json:
        return JSONResponse({"running": run is not None and run.is_running})
    if run is None:
        return call.go("/research")
    if run.ended_at is not None and run.problem is None:
        return call.go("/research/analysis/index.html")
    began_at = datetime.fromtimestamp(run.began_at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    return call.page("analysis.html", run=run, began_at=began_at)


def _follow(site: Site, process: Popen[bytes], began: float) -> None:
    """Wait for a process in a thread; one that was killed leaves a reason."""

    def wait() -> None:
        if process.wait():
            site.store.analyses.fail(began, f"the analysis ended with {process.returncode}")
        if process.stdin is not None:
            process.stdin.close()

    threading.Thread(target=wait, daemon=True).start()


@researchers_only
def analysis_file(call: Call) -> Response:
    """Send a file of the analysis; its page may have the styles that are in it, and no script."""
    path = call.request.path_params["path"]
    content = call.site.store.analyses.file(path)
    if content is None:
        raise PageError(404, "not_found")
    kind = _TYPES.get(path.rpartition(".")[2], "application/octet-stream")
    text = "; charset=utf-8" if kind != "application/octet-stream" else ""
    headers = {"Content-Security-Policy": _policy(content)} if kind == "text/html" else {}
    return Response(content, media_type=kind + text, headers=headers)


def _policy(page: bytes) -> str:
    styles = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}'"
        for style in _STYLE.findall(page.decode())
    )
    return (
        f"default-src 'none'; style-src {styles or _NOTHING}; img-src data:; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
