"""Texts of the interface and the documents of a study, in every language, as data."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.core.language import language_code
from kilter.io.stream import is_file
from kilter.io.toml_table import TomlTable, inside, read_toml_of_schema
from kilter.study.instrument.data_file import DATA

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Interface:
    """The words that pages are written with, in one language.

    `paper` are those of printed pages, `research` those of pages for researchers; a language may do without
    either.
    """

    language: str
    name: str
    direction: str
    text: Mapping[str, str]
    paper: Mapping[str, str]
    research: Mapping[str, str]
    languages: Mapping[str, str]

    def say(self, key: str, **fields: object) -> str:
        """Return a text with its fields filled in."""
        return filled(self.text[key], fields)

    def write(self, key: str, **fields: object) -> str:
        """Return a text for paper with its fields filled in."""
        return filled(self.paper[key], fields)

    def tell(self, key: str, **fields: object) -> str:
        """Return a text for researchers with its fields filled in."""
        return filled(self.research[key], fields)

    def language_name(self, code: str) -> str:
        """Return what a language is called, or its code."""
        return self.languages.get(language_code(code), code)


@dataclass(frozen=True, slots=True)
class Documents:
    """Information sheet, consent form and debriefing in one language.

    `optional` are the lines of the consent form that may be declined; `links_end` says whether people are promised
    that nothing leads from them to their answers once the study is closed, `has_paper` whether there is a wording for
    paper.
    """

    information: tuple[str, ...]
    coding: str
    consent: Mapping[str, str]
    debriefing: tuple[str, ...]
    optional: frozenset[str] = frozenset()
    links_end: bool = False
    has_paper: bool = True

    @property
    def version(self) -> str:
        """A checksum of what somebody reads before they consent: the information sheet and the lines of the form."""
        read: list[object] = [list(self.information), self.coding, dict(self.consent)]
        if self.optional:  # checksums of forms without such lines stay as they were
            read.append(sorted(self.optional))
        return hashlib.sha256(json.dumps(read, ensure_ascii=False).encode()).hexdigest()


def filled(text: str, fields: Mapping[str, object]) -> str:
    """Return a text with {names} replaced by values; braces around other names stay.

    >>> filled("{a} of {b}", {"a": 1})
    '1 of {b}'
    """
    return _FIELD.sub(lambda found: str(fields.get(found[1], found[0])), text)


def interface_languages() -> list[str]:
    """Return the languages that the interface is written in."""
    return sorted(path.stem for path in (DATA / "interface").glob("*.toml"))


def read_interface(language: str, folder: Path) -> Interface:
    """Return the interface in a language; a file interface/LANGUAGE.toml of the study comes first.

    Every text of the English interface must be there, with the same fields; those for paper and for researchers,
    the tables [paper] and [research], may be missing all together.
    """
    table = _read("interface", language, folder, "kilter.interface/1")
    parts = {name: table.table(name) for name in ("text", "paper", "research", "languages")}
    interface = Interface(
        language,
        table.text("name"),
        table.one_of("direction", ("ltr", "rtl")),
        **{name: {key: part.text(key) for key in part.names()} for name, part in parts.items()},
    )
    table.finish()
    if language != "en":
        model = read_interface("en", DATA)
        _compare(model.text, interface.text, table)
        for part in ("paper", "research"):
            if getattr(interface, part):
                _compare(getattr(model, part), getattr(interface, part), table)
    return interface


def _compare(model: Mapping[str, str], interface: Mapping[str, str], table: TomlTable) -> None:
    for key, text in model.items():
        if key not in interface:
            raise table.error(f"the text {key} is missing; the English one is {text!r}")
        if {*_FIELD.findall(text)} != {*_FIELD.findall(interface[key])}:
            raise table.error(f"the text {key} must have the same fields in braces as {text!r}")


def read_documents(
    language: str,
    folder: Path,
    fields: Mapping[str, object],
    *,
    for_paper: bool = False,
    where: str | None = None,
) -> Documents:
    """Return the documents of a study with its fields filled in; one left open is an `InputError`.

    `where` is the file that fills them in, which is at fault then.

    For paper, texts of the table [paper] take the place of those that pages on the web have. Lines on data protection
    end the information sheet if the study fills in one of their fields, and then it must fill in all.
    """
    table = _read("documents", language, folder, "kilter.documents/1")
    lines = [
        (entry.text("name"), entry.text("text"), entry.flag("optional", default=False))
        for entry in table.tables("consent")
    ]
    parts: dict[str, tuple[str, ...]] = {
        key: table.texts(key) for key in ("information", "debriefing")
    }
    parts["data_protection"] = table.texts("data_protection", ())
    coding = table.text("coding")
    links_end = table.flag("links_end", default=False)
    paper = table.table("paper")
    has_paper = bool(paper.names())
    printed = {key: paper.texts(key, parts[key]) for key in parts}
    printed_coding = paper.text("coding", coding)
    paper.finish()
    table.finish()
    for entry in (parts, printed):
        asked = {name for text in entry["data_protection"] for name in _FIELD.findall(text)}
        if asked.isdisjoint(fields):
            entry["data_protection"] = ()
    texts = [text for entry in (parts, printed) for key in parts for text in entry[key]]
    texts += [coding, printed_coding, *(text for _, text, _ in lines)]
    spoken_of = dict.fromkeys(name for text in texts for name in _FIELD.findall(text))
    missing = [name for name in spoken_of if name not in fields]
    if missing:
        added = ", ".join(f'{name} = "..."' for name in missing)
        raise InputError(
            f"lacks {', '.join(missing)} in its table [documents], which {_said(table, language)} ask for; add "
            f"{added}",
            where=where or str(folder),
        )
    if for_paper:
        parts, coding = printed, printed_coding
    return Documents(
        tuple(filled(text, fields) for text in parts["information"] + parts["data_protection"]),
        filled(coding, fields),
        {name: filled(text, fields) for name, text, _ in lines},
        tuple(filled(text, fields) for text in parts["debriefing"]),
        frozenset(name for name, _, is_optional in lines if is_optional),
        links_end,
        has_paper,
    )


def _said(table: TomlTable, language: str) -> str:
    """Return what documents are called in messages: those of a study by their file."""
    own = not table.where.startswith(str(DATA))
    return f"the documents of {table.where}" if own else f"the bundled documents in {language!r}"


def _read(kind: str, language: str, folder: Path, schema: str) -> TomlTable:
    own = inside(folder, f"{kind}/{language}.toml", where=str(folder))
    bundled = DATA / kind / f"{language}.toml"
    path = own if is_file(own) else bundled
    if not path.is_file():
        known = ", ".join(interface_languages())
        raise InputError(
            f"there are no texts in {language!r}; choose {known}, or write {kind}/{language}.toml",
            where=str(folder),
        )
    return (
        _bundled(path, schema).copy()
        if path == bundled
        else read_toml_of_schema(path, schema=schema)
    )


@cache
def _bundled(path: Path, schema: str) -> TomlTable:
    """Return a table of the package, which nobody changes while it runs, to take from a copy of it."""
    return read_toml_of_schema(path, schema=schema)
