"""Pages for researchers: login, progress, quality, agreement, links, export."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from starlette.responses import Response

from kilter.core.errors import OptionError
from kilter.study.design.account import accounts, login_account
from kilter.study.exchange.export import export_files
from kilter.study.password import participant_code
from kilter.study.store.action import ActionKind, ActionWay
from kilter.study.store.attempt import KEPT_SECONDS, AttemptKind
from kilter.study.store.collected_data import ARCHIVING
from kilter.study.store.study_course import study_course
from kilter.study.store.study_warning import study_warnings
from kilter.study.web.call import PageError, whole_number
from kilter.study.web.guard import login_delay
from kilter.study.web.request import RESEARCHER

if TYPE_CHECKING:
    from collections.abc import Callable

    from kilter.study.web.request import Call

_MOST_NEW = 1000


def note(call: Call, kind: ActionKind, detail: str = "") -> None:
    """Write down what the researcher has done."""
    actions = call.site.store.actions
    actions.add(kind, way=ActionWay.WEB, detail=detail, account=call.account)


def login(call: Call) -> Response:
    """Ask for the password; after a few wrong ones from an address, wrong ones are answered late.

    The right one is answered at once, whoever else has tried from this address.
    """
    # Read again each time: accounts may have been changed since the server began.
    folder = call.site.study.folder
    several = len(accounts(folder)) > 1
    if call.request.method != "POST":
        return call.page("login.html", problem="", several=several)
    name, password = call.form.get("account", ""), call.form.get("password", "")
    account = login_account(folder, name, password)
    if account is None:
        attempts, kind = call.site.store.attempts, AttemptKind.WRONG_PASSWORD
        call.delay = login_delay(attempts.count(kind, call.client, seconds=KEPT_SECONDS))
        attempts.add(kind, call.client)
        problem = "wrong_account" if several else "wrong_password"
        return call.page("login.html", status=403, problem=problem, several=several)
    call.account = account
    call.cookies[RESEARCHER] = call.site.store.sessions.begin(account)
    note(call, ActionKind.LOGIN)
    return call.go("/research")


def researchers_only(handler: Callable[[Call], Response]) -> Callable[[Call], Response]:
    """Return a page that sends everybody else to the login."""

    def guarded(call: Call) -> Response:
        token = call.cookie(RESEARCHER)
        account = call.site.store.sessions.holder(token) if token else None
        # Whatever the database says: an account that was removed opens nothing.
        if account is None or account not in accounts(call.site.study.folder):
            return call.go("/research/login")
        call.account = account
        return handler(call)

    return guarded


@researchers_only
def logout(call: Call) -> Response:
    """End the session."""
    call.site.store.sessions.end(call.request.cookies[RESEARCHER])
    note(call, ActionKind.LOGOUT)
    call.cookies[RESEARCHER] = None
    return call.go("/research/login")


@researchers_only
def dashboard(call: Call) -> Response:
    """Show how the study stands."""
    return _dashboard(call)


def _dashboard(call: Call, *, problem: str = "") -> Response:
    data = call.site.running.collected()
    tell = call.researcher.tell
    course = study_course(data.participants, call.site.store.answers.moments())
    draw = call.site.pictures
    codes = {
        person.id: participant_code(call.site.secret, person.code_name)
        for person in data.participants
    }
    return call.page(
        "dashboard.html",
        status=422 if problem else 200,
        problem=problem,
        links_end=call.site.links_end,
        can_analyse=call.site.analyse is not None,
        analysed_at=_analysed_at(call),
        state=call.site.store.state(),
        pictures=draw(course, tell) if course is not None and draw is not None else (),
        warnings=study_warnings(data),
        counts=call.site.store.counts(),
        progress=data.progress(),
        groups=data.groups(),
        agreement=data.agreement(),
        quality=data.quality(),
        codes=codes,
        files=[name for name, _ in export_files(data, secret=call.site.secret)],
        can_archive=all(ARCHIVING in form.consent for form in call.site.documents.values()),
    )


def _analysed_at(call: Call) -> str:
    run = call.site.store.analyses.last()
    if run is None or run.ended_at is None or run.problem is not None:
        return ""
    return datetime.fromtimestamp(run.began_at, UTC).strftime("%Y-%m-%d %H:%M UTC")


@researchers_only
def links(call: Call) -> Response:
    """Show links to copy that nobody has opened, and what became of the others."""
    people = [person for person in call.site.store.participants.all() if person.link is not None]
    rows = [
        (person, call.site.link(call.site.store.participants.link_token(person.link or 0)))
        for person in people
    ]
    note(call, ActionKind.LINKS)
    return call.page("links.html", rows=rows)


@researchers_only
def pause(call: Call) -> Response:
    """Pause the study, or go on."""
    _check_open(call)
    paused = call.form.get("paused") == "yes"
    call.site.store.pause(paused=paused)
    note(call, ActionKind.PAUSE if paused else ActionKind.RESUME)
    return call.go("/research")


@researchers_only
def extend(call: Call) -> Response:
    """Add links, and places for open recruitment."""
    _check_open(call)
    counts = {}
    for name in ("links", "open_places"):
        number = whole_number(call.form.get(name, "") or "0")
        if number is None or number > _MOST_NEW:
            raise PageError(422, "invalid_option")
        counts[name] = number
    group = call.form.get("group", "").strip() or None
    if group is not None:
        try:
            call.site.study.recruitment.checked_group(group)
        except OptionError:
            raise PageError(422, "invalid_option") from None
    call.site.store.extend(links=counts["links"], open_places=counts["open_places"], group=group)
    detail = f"{counts['links']} + {counts['open_places']}"
    note(call, ActionKind.EXTEND, f"{detail} {group}" if group else detail)
    return call.go("/research/links" if counts["links"] else "/research")


def _check_open(call: Call) -> None:
    if call.site.store.state().closed_at is not None:
        raise PageError(409, "study_closed")


@researchers_only
def close(call: Call) -> Response:
    """Close the study for good, once its name was written to confirm that."""
    if call.request.method != "POST":
        return call.go("/research")  # where the page that follows is read in another language
    _check_open(call)
    if call.form.get("name", "").strip() != call.site.study.name:
        return _dashboard(call, problem="close_unconfirmed")
    closing = call.site.store.close_study(unlink=call.site.links_end)
    note(call, ActionKind.CLOSE, f"{closing.unlinked} links destroyed")
    return call.page("closed.html", closing=closing)


@researchers_only
def export(call: Call) -> Response:
    """Send one file of the export, as the data is now."""
    wanted = call.request.path_params["file"]
    archive = call.request.query_params.get("archive") == "yes"
    data = call.site.running.collected()
    for name, write in export_files(
        data.archivable() if archive else data, secret=call.site.secret
    ):
        if name == wanted:
            note(call, ActionKind.EXPORT, f"{name} for an archive" if archive else name)
            saved = f"archive-{name}" if archive else name
            return Response(
                write(),
                media_type="text/csv; charset=utf-8",
                headers={"Content-Disposition": f'attachment; filename="{saved}"'},
            )
    raise PageError(404, "not_found")


@researchers_only
def actions(call: Call) -> Response:
    """Show what researchers have done, the newest first."""
    rows = [
        (datetime.fromtimestamp(action.done_at, UTC).strftime("%Y-%m-%d %H:%M:%S"), action)
        for action in reversed(call.site.store.actions.all())
    ]
    return call.page("actions.html", rows=rows)
