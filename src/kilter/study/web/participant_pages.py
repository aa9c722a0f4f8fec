"""Pages for participants, in the order in which they come."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse

from kilter.study.design.item_text import asked, item_parts, item_sentences
from kilter.study.instrument.answer_form import (
    InvalidAnswerError,
    applicable,
    judgment,
    personal_answers,
    said,
)
from kilter.study.store.admission import NotAdmittedError, Step, refusal
from kilter.study.store.answer import Timing
from kilter.study.store.participant import FullError, Stage
from kilter.study.web.call import LONGEST_TOKEN, VISITOR, PageError, whole_number
from kilter.study.web.request import LINK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.responses import Response

    from kilter.study.design.item import Item
    from kilter.study.instrument.question import Question
    from kilter.study.store.participant import Participant
    from kilter.study.store.participant_session import Visit
    from kilter.study.web.request import Call

_PAGES = {
    Stage.INFORMATION: "/information",
    Stage.CONSENT: "/consent",
    Stage.ABOUT: "/about",
    Stage.SAMPLE: "/sample",
    Stage.SUBMITTED: "/thanks",
}
_LONGEST_VISIT = 24 * 3600
LONGEST_COMMENT = 2000  # characters


def welcome(call: Call) -> Response:
    """The first page: what this is, and a way in if recruitment is open."""
    state = call.site.store.state()
    is_open = call.site.study.recruitment.open
    is_full = is_open and not call.site.store.participants.has_place()
    closed = state.closed_at is not None
    return call.page(
        "welcome.html", is_open=is_open, is_full=is_full, paused=state.paused, closed=closed
    )


def join(call: Call) -> Response:
    """Take part without an invitation, as long as there are places."""
    if call.participant is not None and call.participant.stage is not Stage.WITHDRAWN:
        return call.go("/continue")
    if not call.site.joins.attempt(call.client):
        raise PageError(429, "too_many")
    try:
        token = call.site.store.participants.join()
    except FullError:
        if call.site.store.state().closed_at is not None:
            raise PageError(410, "study_closed") from None
        raise PageError(403, "full") from None
    person = call.site.store.participants.find(token)
    if person is None:
        raise PageError(404, "not_found")
    call.begin_visit(person, token)
    return call.go("/continue")


def personal_link(call: Call) -> Response:
    """Open a personal link: a visit begins, and the token is out of the address."""
    token = call.request.path_params["token"][:LONGEST_TOKEN]
    person = call.site.store.participants.find(token)
    if person is None:
        # A right link always leads on: its neighbours at the same address may have wrong ones.
        if not call.site.wrong_links.attempt(call.client):
            raise PageError(429, "too_many")
        if call.site.store.state().closed_at is not None:
            raise PageError(410, "study_closed")
        raise PageError(404, "not_found")
    present = call.participant
    other = present is not None and present.stage is not Stage.WITHDRAWN and present.id != person.id
    if other and call.request.method != "POST":
        # Any page elsewhere can lead here: nobody's answers may become another's unseen.
        return call.page("exchange.html")
    call.begin_visit(person, token)
    return call.go("/continue")


def resume(call: Call) -> Response:
    """Go where the participant left off."""
    visit = call.somebody()
    person = visit.participant
    if person.stage is Stage.WITHDRAWN:
        raise PageError(404, "not_found")
    if person.stage is not Stage.ITEMS:
        return call.go(_PAGES[person.stage])
    size = len(call.site.questionnaire(person.questionnaire))
    open_items = [place for place in range(1, size + 1) if place not in visit.answers]
    return call.go(f"/item/{open_items[0]}" if open_items else "/review")


def _at(call: Call, *stages: Stage) -> Participant:
    """Return the participant if this page is for them now; a paused study has no pages."""
    return _visit_at(call, *stages).participant


def _visit_at(call: Call, *stages: Stage) -> Visit:
    """Return the visit if this page is for its participant now."""
    visit = call.somebody()
    reason = refusal(visit.participant, visit.state, stages)
    if reason is not None:
        raise NotAdmittedError(reason)
    return visit


def information(call: Call) -> Response:
    """Show the information sheet."""
    person = _at(call, *Stage)
    if call.request.method == "POST":
        if person.stage is Stage.INFORMATION:
            _advance(call, person, Stage.INFORMATION, informed_at=time.time())
        call.cookies[LINK] = None
        return call.go("/continue")
    token = call.cookie(LINK)
    own = call.site.store.participants.find(token) if token else None
    is_own = own is not None and own.id == person.id and own.stage is Stage.INFORMATION
    return call.page("information.html", link=call.site.link(token) if is_own else "")


def _advance(call: Call, person: Participant, *stages: Stage, **values: object) -> None:
    """Write down a step of somebody who may still take it."""
    call.site.store.participants.advance(person.id, Step(stages, call.token), **values)


def consent(call: Call) -> Response:
    """Ask for consent, line by line; only a yes to all that are not voluntary leads on."""
    person = _at(call, Stage.CONSENT)
    lines = call.documents.consent
    if call.request.method != "POST":
        given = person.consent or {}
        return call.page("consent.html", given=given, problem="")
    given = {name: call.form.get(name) == "yes" for name in lines if call.form.get(name)}
    if len(given) < len(lines):
        return call.page("consent.html", status=422, given=given, problem="consent_missing")
    if not all(agreed or name in call.documents.optional for name, agreed in given.items()):
        _advance(call, person, Stage.CONSENT, consent=given)
        return call.page("consent.html", given=given, problem="consent_refused")
    _advance(
        call,
        person,
        Stage.CONSENT,
        consent=given,
        consented_at=time.time(),
        consent_version=call.documents.version,
    )
    return call.go("/continue")


def about(call: Call) -> Response:
    """Ask participants about themselves."""
    stages = (Stage.ABOUT, Stage.SAMPLE, Stage.ITEMS)
    person = _at(call, *stages)
    questions = call.site.study.questions
    if call.request.method != "POST":
        return call.page(
            "about.html", questions=questions, given=_flat(questions, person), problems={}
        )
    try:
        answers = personal_answers(questions, lambda name: call.form.get(name, ""))
    except InvalidAnswerError as error:
        problems = {error.question.name: error.said(call.interface)}
        return call.page(
            "about.html", status=422, questions=questions, given=call.form, problems=problems
        )
    done = person.described_at or time.time()
    _advance(call, person, *stages, personal=answers, described_at=done)
    return call.go("/continue")


def _flat(questions: Sequence[Question], person: Participant) -> dict[str, str]:
    """Return personal answers as the fields of their form."""
    flat: dict[str, str] = {}
    answers = [said(question, person.personal or {}) for question in questions]
    for name, value in ((name, value) for given in answers for name, value in given.items()):
        if not isinstance(value, list):
            flat[name] = "" if value is None else str(value)
            continue
        for row, entry in enumerate(value, start=1):
            flat |= {f"{name}_{row}_{part}": text for part, text in entry.items()}
    return flat


def sample(call: Call) -> Response:
    """Show the sample item, whose answers are not kept."""
    person = _at(call, Stage.SAMPLE, Stage.ITEMS)
    instrument = call.site.study.instrument
    if call.request.method == "POST" or instrument.sample is None:
        if person.stage is Stage.SAMPLE:
            _advance(call, person, Stage.SAMPLE, sampled_at=time.time())
        return call.go("/continue")
    return call.page(
        "item.html",
        parts=item_parts(instrument, None),
        sentences=item_sentences(instrument, None),
        answers={},
        item=None,
        problems={},
        explanation=instrument.sample.explained(call.interface.language),
    )


def item(call: Call) -> Response:
    """Show an item and its questions; keep answers as soon as they come."""
    visit = _visit_at(call, Stage.ITEMS)
    items = call.site.questionnaire(visit.participant.questionnaire)
    number = whole_number(call.request.path_params["number"])
    if number is None or not 1 <= number <= len(items):
        raise PageError(404, "not_found")
    if call.request.method != "POST":
        return _item_page(call, visit, number)
    try:
        answers = _given(call, items[number - 1])
    except InvalidAnswerError as error:
        if call.wants_json:
            return JSONResponse({"saved": False, "reason": "invalid"}, status_code=422)
        problems = {error.question.name: error.said(call.interface)}
        return _item_page(call, visit, number, problems=problems)
    call.site.store.answers.save(
        visit.participant.id,
        number,
        answers,
        comment=_comment(call),
        timing=_timing(call),
        step=Step((Stage.ITEMS,), call.token),
    )
    return _saved(call, number, len(items))


def _item_page(
    call: Call, visit: Visit, number: int, *, problems: dict[str, str] | None = None
) -> Response:
    items = call.site.questionnaire(visit.participant.questionnaire)
    shown, instrument = items[number - 1], call.site.study.instrument
    return call.page(
        "item.html",
        status=422 if problems else 200,
        parts=item_parts(instrument, shown),
        sentences=item_sentences(instrument, shown),
        answers=visit.answers.get(number, {}),
        item=shown,
        number=number,
        total=len(items),
        comment=_kept_comment(call, visit, number),
        done=len(visit.answers),
        visit=secrets.token_hex(8),
        opened=str(round(time.time(), 3)),
        problems=problems or {},
        explanation="",
    )


def _given(call: Call, shown: Item) -> dict[str, int | None]:
    """Return the answers to an item that the form holds."""
    questions = asked(call.site.study.instrument, shown)
    given = {
        question.name: judgment(question, call.form[question.name])
        for question in questions
        if question.name in call.form
    }
    return applicable(questions, given)


def _comment(call: Call) -> str | None:
    """Return the comment that the form holds, None if there is no place for one."""
    if not call.site.study.comments or "comment" not in call.form:
        return None
    text = str(call.form["comment"]).replace("\r\n", "\n")
    return text.strip()[:LONGEST_COMMENT]


def _kept_comment(call: Call, visit: Visit, number: int) -> str:
    """Return what somebody has written about an item."""
    if not call.site.study.comments:
        return ""
    key = visit.participant.id, number
    return call.site.store.answers.comments(visit.participant.id).get(key, "")


def _saved(call: Call, number: int, total: int) -> Response:
    """Lead on from an item whose answers are kept."""
    target = {
        "back": f"/item/{number - 1}" if number > 1 else "/sample",
        "review": "/review",
        "save": f"/item/{number}",
    }.get(call.form.get("action", ""), f"/item/{number + 1}" if number < total else "/review")
    return call.go(target)


def _timing(call: Call) -> Timing | None:
    """Return which look at the item this is; times that cannot be are left out."""
    visit = call.form.get("visit", "")
    try:
        opened = float(call.form.get("opened", ""))
    except ValueError:
        return None
    now = time.time()
    if not visit.isalnum() or len(visit) > 40 or not now - _LONGEST_VISIT < opened <= now:
        return None
    return Timing(visit, opened)


def review(call: Call) -> Response:
    """Show which items have answers, before they are submitted."""
    visit = _visit_at(call, Stage.ITEMS)
    items = call.site.questionnaire(visit.participant.questionnaire)
    states = {}
    for number, shown in enumerate(items, start=1):
        answers = visit.answers.get(number, {})
        answered = len(answers)
        wanted = [
            each for each in asked(call.site.study.instrument, shown) if each.is_asked(answers)
        ]
        whole = answered == len(wanted)
        states[number] = "complete" if whole else "partly" if answered else "empty"
    return call.page("review.html", states=states)


def submit(call: Call) -> Response:
    """Close the answers."""
    person = _at(call, Stage.ITEMS)
    call.site.store.participants.submit(person.id, Step((Stage.ITEMS,), call.token))
    return call.go("/thanks")


def thanks(call: Call) -> Response:
    """Show the debriefing."""
    _at(call, Stage.SUBMITTED)
    return call.page("thanks.html")


def withdraw(call: Call) -> Response:
    """Let participants withdraw, at any time, and choose what is erased."""
    person = call.somebody().participant
    if person.stage is Stage.WITHDRAWN:
        raise PageError(404, "not_found")
    if call.request.method != "POST":
        return call.page("withdraw.html")
    choice = call.form.get("erase")
    if choice not in ("personal", "all"):
        return call.page("withdraw.html", status=422)
    erased = call.site.store.erase(person.id, judgments=choice == "all")
    call.end_visit()
    return call.page("withdrawn.html", erased=erased)


def leave(call: Call) -> Response:
    """Let participants end their visit, so that whoever uses the browser next sees nothing of it."""
    if call.request.method != "POST":
        call.somebody()
        return call.page("leave.html")
    call.end_visit()
    call.cookies[VISITOR] = None  # forms of pages that are still open are no longer taken
    return call.page("message.html", title="left", text="left_text")
