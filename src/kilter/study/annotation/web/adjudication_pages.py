"""Pages for adjudicators: what annotators made of a sentence side by side, and how well they agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.results.document import Document, document
from kilter.study.annotation.agreed_link import agreed_links
from kilter.study.annotation.annotation import Annotation
from kilter.study.annotation.annotator_agreement import annotator_agreement
from kilter.study.annotation.examination import examine
from kilter.study.annotation.guideline import guidelines
from kilter.study.annotation.project import ADJUDICATED
from kilter.study.annotation.web.editor import Editor, begun, sentence_of
from kilter.study.annotation.web.pages import resume_at, sentence_row
from kilter.study.web.call import PageError

if TYPE_CHECKING:
    from starlette.responses import Response

    from kilter.results.links import LinkComparison
    from kilter.study.annotation.web.request import AnnotationCall


def _check_adjudicator(call: AnnotationCall) -> None:
    if not call.someone().adjudicates:
        raise PageError(404, "not_found")


def sentences(call: AnnotationCall) -> Response:
    """Show all sentences, how many annotators are done with each, and what is decided."""
    _check_adjudicator(call)
    every = call.site.store.annotations.all()
    decided = {each.sentence: each for each in every if each.account == ADJUDICATED}
    rows = []
    for sentence in call.site.project.sentences:
        done = {each.account for each in every if each.sentence == sentence.number and each.done}
        finished = len(done & {*sentence.annotators})
        row = sentence_row(sentence, decided.get(sentence.number))
        rows.append(row | {"finished": finished, "annotators": len(sentence.annotators)})
    ready = [row for row in rows if row["finished"] == row["annotators"]]
    return call.page("sentences.html", rows=rows, resume=resume_at(ready), adjudicating=True)


def _editor(call: AnnotationCall) -> Editor:
    """Return the editor of a sentence that starts from what all annotators agree on."""
    _check_adjudicator(call)
    sentence = sentence_of(call, ADJUDICATED)
    project = call.site.project
    by_account = call.site.store.annotations.of_sentence(sentence.number)
    known = [by_account[name] for name in sentence.annotators if name in by_account]
    done = [each for each in known if each.done]
    start, base = begun(sentence, ADJUDICATED), None
    if done:
        base = done[0].account
        words = project.target_words(done[0].translation)
        same = [each for each in done if project.target_words(each.translation) == words]
        start = Annotation(
            account=ADJUDICATED,
            sentence=sentence.number,
            version=0,
            translation=done[0].translation,
            links=agreed_links([each.drawn for each in same]),
        )
    return Editor(
        call,
        ADJUDICATED,
        start=start,
        more={"base": base, "annotators": [_beside(call, each) for each in known]},
    )


def _beside(call: AnnotationCall, annotation: Annotation) -> Document:
    project = call.site.project
    words = project.sentence(annotation.sentence).words
    target = project.target_words(annotation.translation)
    found = examine(project, words, target, annotation.drawn)
    return {
        "name": annotation.account,
        "state": str(annotation.state),
        "translation": annotation.translation,
        "target": target,
        "links": document(annotation.drawn),
        "comment": annotation.comment,
        "findings": document(found.remarks),
        "reordering": found.reordering(),
    }


def sentence(call: AnnotationCall) -> Response:
    """Show what annotators made of a sentence, and the editor of what is decided."""
    editor = _editor(call)
    return call.page("editor.html", data=editor.data(), guidelines=guidelines(), adjudicating=True)


def look(call: AnnotationCall) -> Response:
    """Say what a translation and links amount to."""
    return _editor(call).look()


def save(call: AnnotationCall) -> Response:
    """Save what is decided."""
    return _editor(call).save()


def agreement(call: AnnotationCall) -> Response:
    """Show how well annotators agree now."""
    _check_adjudicator(call)
    found = annotator_agreement(call.site.project, call.site.store.annotations.all())
    rows = [_row(each) for each in found]
    return call.page("agreement.html", rows=rows)


def _row(comparison: LinkComparison) -> Document:
    row: Document = {
        name: getattr(comparison, name) for name in ("first", "second", "sentences", "compared")
    }
    return row | {name: found.value for name, found in comparison.measures().items()}
