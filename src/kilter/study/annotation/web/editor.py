"""What the editor of a sentence shows, and what becomes of what it sends."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse

from kilter.results.document import Document, document
from kilter.study.annotation.annotation import Annotation, SentenceState
from kilter.study.annotation.carried_link import carried
from kilter.study.annotation.examination import examine
from kilter.study.annotation.project import ADJUDICATED
from kilter.study.annotation.store.annotation_table import OtherVersionError
from kilter.study.annotation.web.request import RefusedError
from kilter.study.annotation.web.sentence_form import save_form, sentence_form
from kilter.study.web.call import PageError, whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.responses import Response

    from kilter.study.annotation.project import ProjectSentence
    from kilter.study.annotation.web.request import AnnotationCall

_CONFLICT = (
    "Somebody has saved this sentence meanwhile, perhaps in another tab. This is what is stored."
)


class Editor:
    """One sentence before somebody: an annotator, or an adjudicator with a start of their own."""

    def __init__(
        self,
        call: AnnotationCall,
        account: str,
        *,
        start: Annotation | None = None,
        more: Mapping[str, object] | None = None,
    ) -> None:
        self.call = call
        self.account = account
        self.project = call.site.project
        self.sentence = sentence_of(call, account)
        self._start = start or begun(self.sentence, account)
        self._more = more or {}

    def _stored(self) -> Annotation | None:
        return self.call.site.store.annotations.find(self.account, self.sentence.number)

    def data(self, stored: Annotation | None = None) -> Document:
        """Return what the page holds of the sentence."""
        found = stored or self._stored()
        shown = found or self._start
        number = self.sentence.number
        dealt = self.project.dealt(self.account)
        place = dealt.index(number)
        return {
            "number": number,
            "count": len(self.project.sentences),
            "source": list(self.sentence.words),
            "translation": shown.translation,
            "editable": not self.project.fixed_translation,
            "tokenize": self.project.target_tokenize,
            "possible": self.project.possible,
            "adjudicating": self.account == ADJUDICATED,
            "source_language": self.project.source_language,
            "target_language": self.project.target_language,
            "state": str(SentenceState.OPEN if found is None else found.state),
            "bookmark": shown.bookmark,
            "comment": shown.comment,
            "seconds": shown.seconds,
            "version": shown.version,
            "previous": dealt[place - 1] if place else None,
            "next": dealt[place + 1] if place + 1 < len(dealt) else None,
            "next_open": self._next_open(dealt, place),
            **self._examined(shown, 0),
            **self._more,
        }

    def _next_open(self, dealt: Sequence[int], place: int) -> int | None:
        """Return the next sentence that is not done, from the beginning again after the last one."""
        done = self.call.site.store.annotations.done(self.account)
        others = [*dealt[place + 1 :], *dealt[:place]]
        return next((number for number in others if number not in done), None)

    def _examined(self, annotation: Annotation, dropped: int) -> Document:
        target = self.project.target_words(annotation.translation)
        found = examine(self.project, self.sentence.words, target, annotation.links)
        return {
            "target": target,
            "links": document(annotation.links),
            "dropped": dropped,
            "reordering": found.reordering(),
            "findings": document(found.remarks),
        }

    def _sent(self, stored: Annotation) -> tuple[Annotation, int]:
        """Return what the form makes of the sentence, and how many links lost their words."""
        form = sentence_form(
            self.call.form,
            self.project,
            words=self.sentence.words,
            stored=self.project.target_words(stored.translation),
        )
        if self.project.fixed_translation and form.translation != self.sentence.translation:
            raise RefusedError(
                422, "not_editable", "The translations of this project cannot be changed."
            )
        found = carried(form.links, form.before, form.target)
        return replace(stored, translation=form.translation, links=found.links), found.dropped

    def look(self) -> Response:
        """Return what a translation and links amount to; nothing is saved."""
        sent, dropped = self._sent(self._stored() or self._start)
        return JSONResponse(self._examined(sent, dropped))

    def save(self) -> Response:
        """Save what is sent, if nobody else has done so since; answer when it is on disk."""
        form = save_form(self.call.form)
        sent, dropped = self._sent(self._stored() or self._start)
        if form.done and any(link.proposed for link in sent.links):
            raise RefusedError(
                422, "open_proposals", "Accept or reject every proposed link before you are done."
            )
        if form.done and not sent.translation.strip():
            raise RefusedError(422, "no_translation", "Write a translation before you are done.")
        examined = self._examined(sent, dropped)
        annotation = replace(
            sent,
            version=form.version,
            comment=form.comment,
            bookmark=form.bookmark,
            done=form.done,
            seconds=form.seconds,
            findings=len(examined["findings"]),
        )
        try:
            saved = self.call.site.store.annotations.save(annotation)
        except OtherVersionError as error:
            raise RefusedError(409, "conflict", _CONFLICT, **self.data(error.stored)) from None
        dealt = self.project.dealt(self.account)
        state = {
            "saved": True,
            "version": saved.version,
            "state": str(saved.state),
            "seconds": saved.seconds,
            "next_open": self._next_open(dealt, dealt.index(saved.sentence)),
        }
        return JSONResponse({**examined, **state})


def sentence_of(call: AnnotationCall, account: str) -> ProjectSentence:
    """Return the sentence that a path names, if it is among those of an account."""
    number = whole_number(call.request.path_params["number"])
    project = call.site.project
    if number is None or not 1 <= number <= len(project.sentences):
        raise PageError(404, "not_found")
    sentence = project.sentence(number)
    if account != ADJUDICATED and account not in sentence.annotators:
        raise PageError(404, "not_found")
    return sentence


def begun(sentence: ProjectSentence, account: str) -> Annotation:
    """Return a sentence as it is before anybody has worked on it: as given, with what is proposed."""
    return Annotation(
        account=account,
        sentence=sentence.number,
        version=0,
        translation=sentence.translation,
        links=sentence.proposals,
    )
