"""A project of links to annotate, made of texts: sentences dealt, links proposed, people invited."""

from __future__ import annotations

import json
import re
import secrets
import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.aligners.lint import LINT_WORDS
from kilter.aligners.registry import ALIGNERS
from kilter.core.counted import counted
from kilter.core.errors import InputError, KilterError, KilterWarning, OptionError
from kilter.core.language import base_language
from kilter.core.registry import split_specification
from kilter.io.links import checked_links
from kilter.io.output import check_new_folder, new_folder, write_file
from kilter.io.stream import ByteSource, display_name, exists, is_standard_input
from kilter.io.text_file import checked_text_file
from kilter.io.tokenizer import check_spaced, tokenizer
from kilter.run.align import align_texts
from kilter.study.annotation.drawn_link import DrawnLink
from kilter.study.annotation.project import (
    KEY_FILE,
    LONGEST_TRANSLATION,
    MOST_WORDS,
    PROJECT_FILE,
    SENTENCE_FILE,
    Project,
    ProjectSentence,
    Role,
    dealt_sentences,
    name_fault,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from kilter.core.links import LinkBatch

_SHOWN = 20
_CODE = re.compile(r"[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})*")
MOST_SENTENCES = 100_000


@dataclass(frozen=True, kw_only=True)
class NewProject:
    """What a project is made of: names of files, people, and how words are found."""

    source: str
    target: str | None = None
    links: str | None = None
    link_format: str | None = None
    annotators: tuple[str, ...] = ("annotator-1",)
    adjudicators: tuple[str, ...] = ("adjudicator",)
    per_sentence: int | None = None
    tokenize: str = "none"
    target_tokenize: str | None = None
    source_language: str | None = None
    target_language: str | None = None
    title: str | None = None
    fixed_translation: bool = False
    possible: bool = False
    public_url: str = ""


class _Problems(list[KilterError]):
    """Everything that is wrong, so that it is told at once."""

    def check(self, step: Callable[[], object]) -> None:
        try:
            step()
        except KilterError as error:
            self.append(error)

    def tell(self) -> None:
        if not self:
            return
        first, *others = self
        for other in others[: _SHOWN - 1]:
            first.add_note(other.for_command())
        if len(others) >= _SHOWN:
            first.add_note(f"and {counted(len(others) - _SHOWN + 1, 'problem')} more")
        raise first


def create_project(
    folder: Path,
    new: NewProject,
    *,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Project:
    """Write a project into a new folder, and return it; everything that is wrong is told at once.

    The error is the first problem, the others are its notes; nothing is written then.
    """
    problems = _Problems()
    problems.check(lambda: check_new_folder(folder))
    _check_people(new, problems)
    _check_languages(new, problems)
    target_tokenize = new.target_tokenize or new.tokenize
    for name in dict.fromkeys((new.tokenize, target_tokenize)):
        problems.check(lambda name=name: tokenizer(name))  # type: ignore[misc]
    aligner = _aligner(new, problems)
    source = _read(new.source, problems)
    target = None if new.target is None else _read(new.target, problems)
    if new.fixed_translation and new.target is None:
        problems.append(
            OptionError("--fixed-translation goes with -t: without it there is nothing to keep")
        )
    if source is not None and target is not None and len(source) != len(target):
        problems.append(
            InputError(
                f"has {counted(len(target), 'line')}, but {display_name(new.source)} has {len(source)}; both "
                "need one line per sentence",
                where=display_name(str(new.target)),
            )
        )
    problems.tell()
    source = source or ()
    words = _words(new.source, source, new.tokenize, problems)
    targets: list[list[str]] = [[] for _ in source]
    if target is not None:
        targets = _words(str(new.target), target, target_tokenize, problems)
    _check_sentences(new, source, words, targets, problems)
    proposed = _proposals(new, aligner, words, targets, problems, jobs=jobs, progress=progress)
    problems.tell()
    dealt = dealt_sentences(len(source), new.annotators, new.per_sentence or len(new.annotators))
    project = Project(
        folder=folder,
        title=new.title or f"Word links of {display_name(new.source)}",
        source_language=new.source_language or "",
        target_language=new.target_language or "",
        tokenize=new.tokenize,
        target_tokenize=target_tokenize,
        fixed_translation=new.fixed_translation,
        possible=new.possible,
        proposals=new.links or "",
        public_url=new.public_url,
        annotators=new.annotators,
        adjudicators=new.adjudicators,
        sentences=tuple(
            ProjectSentence(
                number=place + 1,
                source=line,
                words=tuple(words[place]),
                translation="" if target is None else target[place],
                proposals=proposed[place],
                annotators=dealt[place],
            )
            for place, line in enumerate(source)
        ),
    )
    _write(project, folder)
    return project


def _write(project: Project, folder: Path) -> None:
    lines = [json.dumps(each.to_dict(), ensure_ascii=False) for each in project.sentences]
    with new_folder(folder) as temporary:
        write_file(temporary / PROJECT_FILE, replace(project, folder=folder).toml())
        write_file(temporary / SENTENCE_FILE, "\n".join([*lines, ""]))
        key = json.dumps({"secret": secrets.token_hex(32)}) + "\n"
        write_file(temporary / KEY_FILE, key, private=True)


def _check_people(new: NewProject, problems: _Problems) -> None:
    people = [*new.annotators, *new.adjudicators]
    for name in dict.fromkeys(people):
        fault = name_fault(name)
        if fault is not None:
            problems.append(OptionError(fault))
        elif people.count(name) > 1:
            problems.append(
                OptionError(f"the name {name} stands there twice; each needs one of its own")
            )
    if not new.annotators:
        problems.append(OptionError("nobody annotates; give --annotators a number or names"))
    elif new.per_sentence is not None and not 1 <= new.per_sentence <= len(new.annotators):
        problems.append(
            OptionError(
                f"--per-sentence is {new.per_sentence}; there are {counted(len(new.annotators), 'annotator')}"
            )
        )


def _check_languages(new: NewProject, problems: _Problems) -> None:
    """Refuse what is no code of a language; warn of one that the linter knows no words of."""
    for option, given in (
        ("--source-language", new.source_language),
        ("--target-language", new.target_language),
    ):
        if given is None:
            continue
        if not _CODE.fullmatch(given):
            problems.append(
                OptionError(f"{option} is {given!r}; write a code such as en, de, ja or zh-Hant")
            )
        elif base_language(given) not in LINT_WORDS:
            warnings.warn(
                f"{option} {given}: the linter has no words of this language, and looks at links alone; "
                f"it knows {', '.join(LINT_WORDS)}",
                KilterWarning,
                stacklevel=3,
            )


def _aligner(new: NewProject, problems: _Problems) -> str | None:
    """Return the aligner that proposes links, if it is not a file that does."""
    if new.links is None:
        return None
    if new.target is None:
        problems.append(
            OptionError("--links needs -t: links can be proposed to translations that are there")
        )
    name = new.links.partition(":")[0]
    if name not in ALIGNERS.names():
        if not is_standard_input(new.links) and not exists(new.links):
            listed = ", ".join(ALIGNERS.names())
            problems.append(
                OptionError(f"--links is {new.links!r}: there is no such file, and no such aligner; aligners "
                            f"are {listed}")
            )  # fmt: skip
        return None
    problems.check(lambda: split_specification(str(new.links), "aligner"))
    problems.check(lambda: ALIGNERS.specified(str(new.links)))
    if new.link_format is not None:
        problems.append(OptionError("--link-format is for links of a file; leave it out"))
    return new.links


def _read(path: str, problems: _Problems) -> tuple[str, ...] | None:
    lines, faults = checked_text_file(path)
    problems += faults
    return lines


def _words(path: str, lines: Sequence[str], name: str, problems: _Problems) -> list[list[str]]:
    problems.check(lambda: check_spaced(lines, where=display_name(path), name=name))
    split = tokenizer(name)
    return [split(line) for line in lines]


def _check_sentences(
    new: NewProject,
    source: Sequence[str],
    words: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    problems: _Problems,
) -> None:
    name = display_name(new.source)
    if not source:
        problems.append(InputError("holds no sentence; write one a line", where=name))
    if len(source) > MOST_SENTENCES:
        problems.append(
            InputError(
                f"holds {len(source)} sentences; a project has up to {MOST_SENTENCES}", where=name
            )
        )
    sides = [(name, words)]
    if new.target is not None:
        sides.append((display_name(new.target), targets))
    for side, lines in sides:
        for number, line in enumerate(lines, start=1):
            where = f"{side}:{number}"
            if not line and (side == name or new.fixed_translation):
                problems.append(InputError("is empty; every sentence needs words", where=where))
            if len(line) > MOST_WORDS:
                problems.append(
                    InputError(
                        f"has {counted(len(line), 'word')}; up to {MOST_WORDS} are possible",
                        where=where,
                    )
                )
            if sum(map(len, line)) + len(line) > LONGEST_TRANSLATION:
                problems.append(
                    InputError(f"is longer than {LONGEST_TRANSLATION} characters", where=where)
                )


def _proposals(
    new: NewProject,
    aligner: str | None,
    words: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    problems: _Problems,
    *,
    jobs: int,
    progress: Callable[[int, int], None] | None,
) -> list[tuple[DrawnLink, ...]]:
    nothing: list[tuple[DrawnLink, ...]] = [()] * len(words)
    if new.links is None or problems:
        return nothing
    if aligner is None:
        lengths = tuple(
            np.array([len(line) for line in side], np.int64) for side in (words, targets)
        )
        file, faults = checked_links(
            ByteSource(new.links),
            form=new.link_format,
            lengths=(lengths[0], lengths[1]),
            sides=("source", "translation"),
        )
        problems += faults
        return nothing if file is None else _drawn(file.sure, file.possible)
    texts = [[" ".join(line) for line in side] for side in (words, targets)]
    links, _ = align_texts(
        (display_name(new.source), texts[0]),
        (display_name(str(new.target)), texts[1]),
        aligner=aligner,
        certainty=True,
        # Stems are those of one language: none is named if the texts are in two.
        language=new.source_language if new.source_language == new.target_language else None,
        jobs=jobs,
        progress=progress,
    )
    return _drawn(links, None)


def _drawn(sure: LinkBatch, possible: LinkBatch | None) -> list[tuple[DrawnLink, ...]]:
    found = []
    for segment in range(len(sure)):
        begin = int(sure.offsets[segment])
        links = [
            DrawnLink(
                *pair,
                proposed=True,
                certainty=None if sure.certainty is None else float(sure.certainty[begin + place]),
            )
            for place, pair in enumerate(sure.segment(segment))
        ]
        if possible is not None:
            links += [
                DrawnLink(*pair, sure=False, proposed=True) for pair in possible.segment(segment)
            ]
        found.append(tuple(sorted(links, key=lambda link: link.pair)))
    return found


def named_people(given: str, role: Role) -> tuple[str, ...]:
    """Return the names of people: those that are listed with commas, or so many numbered ones.

    >>> named_people("2", Role.ANNOTATOR), named_people("Ada,Bo", Role.ANNOTATOR)
    (('annotator-1', 'annotator-2'), ('Ada', 'Bo'))
    """
    if given.isascii() and given.isdigit():
        count = int(given) if len(given) <= 4 else 10_000
        if count > 1000:
            raise OptionError(f"there are {given} people; a project has up to 1000")
        if role is Role.ADJUDICATOR and count == 1:
            return (str(role),)
        return tuple(f"{role}-{number}" for number in range(1, count + 1))
    return tuple(name.strip() for name in given.split(","))
