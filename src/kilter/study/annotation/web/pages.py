"""Pages for annotators: the way in, the list of sentences, the editor, guidelines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.study.annotation.guideline import guideline as guideline_of
from kilter.study.annotation.guideline import guidelines as all_guidelines
from kilter.study.annotation.web.editor import Editor
from kilter.study.web.call import LONGEST_TOKEN, PageError

if TYPE_CHECKING:
    from starlette.responses import Response

    from kilter.results.document import Document
    from kilter.study.annotation.annotation import Annotation
    from kilter.study.annotation.project import ProjectSentence
    from kilter.study.annotation.store.person import Person
    from kilter.study.annotation.web.request import AnnotationCall


def welcome(call: AnnotationCall) -> Response:
    """Lead whoever has a visit to their work, and tell others how to begin one."""
    if call.person is None:
        text = (
            "These pages open with the personal link that you were given. If you have none, ask whoever invited you; "
            "'kilter annotate links' lists the links of a project."
        )
        return call.page("message.html", heading="Open your personal link", text=text)
    return call.go("/adjudicate" if call.person.adjudicates else "/sentences")


def personal_link(call: AnnotationCall) -> Response:
    """Open a personal link: a visit begins, and the token is out of the address."""
    token = call.request.path_params["token"][:LONGEST_TOKEN]
    person = call.site.store.people.find(token)
    if person is None:
        # A right link always leads on: its neighbours at the same address may have wrong ones.
        if not call.site.wrong_links.attempt(call.client):
            raise PageError(429, "too_many")
        raise PageError(404, "no_link")
    other = call.person is not None and call.person.id != person.id
    if other and call.request.method != "POST":
        # Any page elsewhere can lead here: nobody's links may become another's unseen.
        return call.page("exchange.html")
    call.begin_visit(person)
    return call.go("/")


def leave(call: AnnotationCall) -> Response:
    """Let people end their visit, so that whoever uses the browser next sees nothing of it."""
    if call.request.method == "POST":
        call.end_visit()
        text = "Your work is saved. To go on, open your personal link again."
        return call.page("message.html", heading="You have left", text=text)
    call.someone()
    return call.go("/")


def annotator(call: AnnotationCall) -> Person:
    """Return who asks if it is an annotator."""
    person = call.someone()
    if person.adjudicates:
        raise PageError(404, "not_found")
    return person


def sentences(call: AnnotationCall) -> Response:
    """Show all sentences of an annotator and how far they are."""
    name = annotator(call).name
    project = call.site.project
    known = call.site.store.annotations.of_account(name)
    rows = [
        sentence_row(project.sentence(number), known.get(number)) for number in project.dealt(name)
    ]
    return call.page("sentences.html", rows=rows, resume=resume_at(rows), adjudicating=False)


def sentence_row(sentence: ProjectSentence, annotation: Annotation | None) -> Document:
    """Return a line of the list of sentences."""
    return {
        "number": sentence.number,
        "text": sentence.source,
        "state": "open" if annotation is None else str(annotation.state),
        "bookmark": annotation is not None and annotation.bookmark,
        "comment": annotation is not None and bool(annotation.comment),
        "findings": 0 if annotation is None else annotation.findings,
        "seconds": 0.0 if annotation is None else annotation.seconds,
    }


def resume_at(rows: list[Document]) -> int | None:
    """Return where to go on: at a sentence that is begun, or else at the first that is open."""
    for state in ("begun", "open"):
        for row in rows:
            if row["state"] == state:
                number: int = row["number"]
                return number
    return None


def sentence(call: AnnotationCall) -> Response:
    """Show the editor of a sentence."""
    editor = Editor(call, annotator(call).name)
    return call.page(
        "editor.html", data=editor.data(), guidelines=all_guidelines(), adjudicating=False
    )


def look(call: AnnotationCall) -> Response:
    """Say what a translation and links amount to."""
    return Editor(call, annotator(call).name).look()


def save(call: AnnotationCall) -> Response:
    """Save a sentence."""
    return Editor(call, annotator(call).name).save()


def guidelines(call: AnnotationCall) -> Response:
    """List the guidelines."""
    call.someone()
    return call.page("guidelines.html", guidelines=all_guidelines())


def guideline(call: AnnotationCall) -> Response:
    """Show one of the guidelines, in the frame of a page or, for the editor, without it."""
    call.someone()
    found = guideline_of(call.request.path_params["name"])
    if found is None:
        raise PageError(404, "not_found")
    panel = call.request.query_params.get("panel") == "1"
    return call.page("guideline.html", guideline=found, panel=panel)
