"""Links and translations of files, added to what an annotator has made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.io.links import read_links, told_together
from kilter.io.stream import ByteSource, display_name
from kilter.io.text_file import read_text_file
from kilter.study.annotation.annotation import Annotation
from kilter.study.annotation.carried_link import carried
from kilter.study.annotation.drawn_link import DrawnLink
from kilter.study.annotation.examination import examine
from kilter.study.annotation.project import ADJUDICATED, LONGEST_TRANSLATION, MOST_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.study.annotation.project import Project


def read_annotations(
    project: Project,
    account: str,
    known: Mapping[int, Annotation],
    *,
    links: str | None,
    translations: str | None,
    link_format: str | None = None,
    replace: bool = False,
    done: bool = False,
) -> list[Annotation]:
    """Return what files add to an account: a line for each sentence of the project, in their order.

    Lines of sentences that the account does not have are empty. Without `translations` the ones that are
    there stay; without `links`, links go with their words. Whatever is there already is an `InputError`,
    unless it is to be replaced; everything that is wrong is told at once.
    """
    if account not in (*project.annotators, ADJUDICATED):
        listed = ", ".join(project.annotators)
        raise OptionError(f"there is no annotator {account!r}; there are {listed}")
    if links is None and translations is None:
        raise OptionError("there is nothing to import; give --links, --translations, or both")
    dealt = {*project.dealt(account)}
    texts = _translations(project, known, translations)
    problems = _misplaced(project, account, dealt, translations, texts) if translations else []
    words = [project.target_words(text) for text in texts]
    drawn = _links(project, words, links, link_format)
    numbers = [
        number
        for number in sorted(dealt)
        if words[number - 1] and (drawn is None or drawn[number - 1] or translations)
    ]
    if drawn is not None:
        problems += [
            InputError(
                f"sentence {number} is not one of {account}'s; its line must be empty",
                where=display_name(str(links)),
            )
            for number, found in enumerate(drawn, start=1)
            if found and number not in dealt
        ]
    if not replace:
        problems += [
            InputError(f"{account} has begun sentence {number} already; say --replace to lose that",
                       where=str(project.folder))
            for number in numbers if number in known
        ]  # fmt: skip
    if problems:
        raise told_together(problems)
    return [
        _annotation(
            project, account, number, texts[number - 1], known.get(number), drawn, done=done
        )
        for number in numbers
    ]


def _translations(project: Project, known: Mapping[int, Annotation], path: str | None) -> list[str]:
    if path is None:
        return [
            known[each.number].translation if each.number in known else each.translation
            for each in project.sentences
        ]
    lines = read_text_file(path)
    if len(lines) != len(project.sentences):
        raise InputError(
            f"has {counted(len(lines), 'line')} for {counted(len(project.sentences), 'sentence')}; each "
            "needs one, empty where there is nothing to import",
            where=display_name(path),
        )
    return list(lines)


def _misplaced(
    project: Project, account: str, dealt: set[int], path: str, texts: Sequence[str]
) -> list[InputError]:
    problems = []
    for number, text in enumerate(texts, start=1):
        where = f"{display_name(path)}:{number}"
        words = project.target_words(text)
        if words and number not in dealt:
            problems.append(
                InputError(
                    f"sentence {number} is not one of {account}'s; leave the line empty",
                    where=where,
                )
            )
        if len(words) > MOST_WORDS or len(text) > LONGEST_TRANSLATION:
            problems.append(
                InputError(
                    f"is longer than {counted(MOST_WORDS, 'word')} or {LONGEST_TRANSLATION} characters",
                    where=where,
                )
            )
        if project.fixed_translation and text not in ("", project.sentence(number).translation):
            problems.append(
                InputError("the translations of this project cannot be changed", where=where)
            )
    return problems


def _links(
    project: Project, words: Sequence[Sequence[str]], path: str | None, form: str | None
) -> list[tuple[DrawnLink, ...]] | None:
    if path is None:
        return None
    lengths = (
        np.array([len(each.words) for each in project.sentences], np.int64),
        np.array([len(line) for line in words], np.int64),
    )
    file = read_links(ByteSource(path), form=form, lengths=lengths, sides=("source", "translation"))
    return [
        tuple(
            sorted(
                [DrawnLink(*pair) for pair in file.sure.segment(place)]
                + [DrawnLink(*pair, sure=False) for pair in file.possible.segment(place)],
                key=lambda link: link.pair,
            )
        )
        for place in range(len(words))
    ]


def _annotation(
    project: Project,
    account: str,
    number: int,
    text: str,
    before: Annotation | None,
    drawn: Sequence[tuple[DrawnLink, ...]] | None,
    *,
    done: bool,
) -> Annotation:
    sentence = project.sentence(number)
    target = project.target_words(text)
    if drawn is not None:
        links = drawn[number - 1]
    else:
        start = sentence if before is None else before
        own = sentence.proposals if before is None else before.links
        links = carried(own, project.target_words(start.translation), target).links
    if done and any(link.proposed for link in links):
        raise InputError(
            f"sentence {number} has proposed links that nobody has accepted; import links, too, or leave "
            "out --done",
            where=str(project.folder),
        )
    return Annotation(
        account=account,
        sentence=number,
        version=0,
        translation=text,
        links=links,
        comment="" if before is None else before.comment,
        bookmark=before is not None and before.bookmark,
        done=done,
        findings=len(examine(project, sentence.words, target, links).remarks),
    )
