"""An annotation project: its sentences, its people, and the files that hold both."""

from __future__ import annotations

import json
import re
import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kilter.core.errors import InputError, KilterWarning
from kilter.core.settings import Choice
from kilter.io.json_text import parse_json
from kilter.io.stream import ByteSource, is_file
from kilter.io.tokenizer import tokenizer
from kilter.io.toml_table import inside, read_toml
from kilter.study.annotation.drawn_link import DrawnLink

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from kilter.results.document import Document

PROJECT_FILE = "project.toml"
SENTENCE_FILE = "sentences.jsonl"
KEY_FILE = "keys.json"
LINK_FILE = "links.txt"
MOST_WORDS = 500
"""More words than a sentence has; what pages compute grows with their square."""
LONGEST_TRANSLATION = 10_000
ADJUDICATED = "adjudicated"
"""Whose the links are that adjudicators have decided on; no annotator has this name."""
_NAME = re.compile(r"\w[\w.@+-]{0,59}")


class Role(Choice):
    """What somebody does in a project."""

    ANNOTATOR = "annotator"
    ADJUDICATOR = "adjudicator"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSentence:
    """A sentence to annotate; numbers count from 1, words from 0.

    `translation` is empty if annotators write it. `annotators` are the names of those who have it.
    """

    number: int
    source: str
    words: tuple[str, ...]
    translation: str
    proposals: tuple[DrawnLink, ...]
    annotators: tuple[str, ...]

    def to_dict(self) -> Document:
        """Return a line of the file of sentences."""
        return {
            "number": self.number,
            "source": self.source,
            "words": list(self.words),
            "translation": self.translation,
            "links": [[link.source, link.target, link.certainty] for link in self.proposals],
            "annotators": list(self.annotators),
        }


@dataclass(frozen=True, kw_only=True)
class Project:
    """What `project.toml` says, and the sentences beside it, which never change."""

    folder: Path
    title: str
    source_language: str = ""
    target_language: str = ""
    tokenize: str = "none"
    target_tokenize: str = "none"
    fixed_translation: bool = False
    possible: bool = False
    proposals: str = ""
    public_url: str = ""
    annotators: tuple[str, ...] = ()
    adjudicators: tuple[str, ...] = ()
    sentences: tuple[ProjectSentence, ...] = field(default=(), repr=False)

    @cached_property
    def _split(self) -> Callable[[str], list[str]]:
        return tokenizer(self.target_tokenize)

    def target_words(self, translation: str) -> list[str]:
        """Return the words of a translation."""
        return self._split(translation)

    def sentence(self, number: int) -> ProjectSentence:
        """Return a sentence by its number."""
        return self.sentences[number - 1]

    def dealt(self, name: str) -> list[int]:
        """Return the numbers of an annotator's sentences, or of all for what was adjudicated."""
        return [
            each.number for each in self.sentences if name == ADJUDICATED or name in each.annotators
        ]

    def people(self) -> list[tuple[str, Role]]:
        """Return everybody with their role, annotators first."""
        return [(name, Role.ANNOTATOR) for name in self.annotators] + [
            (name, Role.ADJUDICATOR) for name in self.adjudicators
        ]

    def toml(self) -> str:
        """Return the text of the project's file."""
        entries: list[tuple[str, str, object]] = [
            ("title", "what pages are headed by", self.title),
            ("source_language", "chooses what the linter knows, and guidelines", self.source_language),
            ("target_language", "", self.target_language),
            ("tokenize", "how the source was split into words", self.tokenize),
            ("target_tokenize", "how translations are split into words", self.target_tokenize),
            ("fixed_translation", "true: annotators link, and change no translation", self.fixed_translation),
            ("possible", "true: possible links count for reorderings and findings, too", self.possible),
            ("proposals", "what proposed the links; nothing if nothing did", self.proposals),
            ("public_url", "how people reach the pages: what personal links begin with", self.public_url),
            ("annotators", "", list(self.annotators)),
            ("adjudicators", "", list(self.adjudicators)),
        ]  # fmt: skip
        lines = [
            "# An annotation project. Sentences are in sentences.jsonl, links in the database."
        ]
        for name, comment, value in entries:
            written = json.dumps(value, ensure_ascii=False)
            lines.append(f"{name} = {written}" + (f"  # {comment}" if comment else ""))
        return "\n".join([*lines, ""])


def name_fault(name: str) -> str | None:
    """Return what is wrong with the name of an annotator or adjudicator, if anything.

    >>> name_fault("Ada"), name_fault("a b")
    (None, "'a b' is no name; write up to 60 letters, digits and . _ @ + - without blanks")
    """
    if not _NAME.fullmatch(name):
        return f"{name!r} is no name; write up to 60 letters, digits and . _ @ + - without blanks"
    if name == ADJUDICATED:
        return f"{name!r} is what adjudicators decide on; choose another name"
    return None


def read_project(folder: Path) -> Project:
    """Return the project in a folder; whatever is wrong with its files is an `InputError`."""
    if not is_file(folder / PROJECT_FILE):
        raise InputError(
            f"holds no {PROJECT_FILE}; name the folder of a project, made by 'kilter annotate create'",
            where=str(folder),
        )
    table = read_toml(inside(folder, PROJECT_FILE, where=str(folder)), needs="a project")
    entries: dict[str, Any] = {
        "title": table.text("title"),
        **{
            name: table.take(name, str, "")
            for name in ("source_language", "target_language", "proposals", "public_url")
        },
        **{name: table.text(name, "none") for name in ("tokenize", "target_tokenize")},
        **{
            name: table.take(name, bool, default=False)
            for name in ("fixed_translation", "possible")
        },
        **{
            name: tuple(map(str, table.take(name, list, [])))
            for name in ("annotators", "adjudicators")
        },
    }
    table.finish()
    for name in (*entries["annotators"], *entries["adjudicators"]):
        fault = name_fault(name)
        if fault:
            raise table.error(fault)
    tokenizer(entries["target_tokenize"])
    sentences = _read_sentences(inside(folder, SENTENCE_FILE, where=str(folder)))
    project = Project(folder=folder, sentences=sentences, **entries)
    _warn_of_dealing(project)
    return project


def _warn_of_dealing(project: Project) -> None:
    """Warn of annotators without sentences, and of sentences whose annotators are not there."""
    dealt = {name for each in project.sentences for name in each.annotators}
    idle = [name for name in project.annotators if name not in dealt]
    gone = sorted(dealt - {*project.annotators})
    said = []
    if idle:
        said.append(f"no sentence is dealt to {', '.join(idle)}")
    if gone:
        said.append(f"sentences are dealt to {', '.join(gone)}, who is not in {PROJECT_FILE}")
    if said:
        warnings.warn(
            f"{project.folder}: {', and '.join(said)}; {SENTENCE_FILE} says who annotates which, under "
            "annotators",
            KilterWarning,
            stacklevel=3,
        )


def _read_sentences(path: Path) -> tuple[ProjectSentence, ...]:
    data = b"".join(ByteSource(str(path)).chunks())
    sentences = []
    for number, line in enumerate(data.decode(errors="replace").splitlines(), start=1):
        try:
            sentences.append(_sentence(parse_json(line), number))
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            raise InputError(
                f"is no sentence of a project: {error}; take the file from a backup",
                where=f"{path}:{number}",
            ) from error
    return tuple(sentences)


def _sentence(entry: Document, number: int) -> ProjectSentence:
    if entry["number"] != number:
        raise ValueError(f"its number is {entry['number']}")
    return ProjectSentence(
        number=number,
        source=str(entry["source"]),
        words=tuple(map(str, entry["words"])),
        translation=str(entry["translation"]),
        proposals=tuple(
            DrawnLink(int(source), int(target), proposed=True, certainty=certainty)
            for source, target, certainty in entry["links"]
        ),
        annotators=tuple(map(str, entry["annotators"])),
    )


def dealt_sentences(
    count: int, annotators: Sequence[str], per_sentence: int
) -> list[tuple[str, ...]]:
    """Return for each sentence who annotates it: as many as asked for, everybody about equally often.

    >>> dealt_sentences(3, ["A", "B", "C"], 2)
    [('A', 'B'), ('A', 'C'), ('B', 'C')]
    """
    size = len(annotators)
    return [
        tuple(
            annotators[place]
            for place in sorted(
                (number * per_sentence + step) % size for step in range(per_sentence)
            )
        )
        for number in range(count)
    ]
