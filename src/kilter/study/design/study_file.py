"""The file that describes a study, read with everything that is wrong with it. Sections 12.4 and 12.5"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.language import language_code
from kilter.io.stream import is_file
from kilter.io.toml_table import CollectingTable, inside, read_toml_of_schema
from kilter.preordering.perturbations.perturbation import DEGREES, PerturbationType
from kilter.preordering.perturbations.word_dependency_tree import TagColumn
from kilter.study.design.hypothesis import hypotheses_of
from kilter.study.design.study import (
    ANY_PAIR,
    COUNTED_FIELDS,
    MOST_PER_BASE,
    PUBLISHED,
    RANDOM,
    STUDY_FILE,
    CompositionRow,
    CorpusFiles,
    ItemKind,
    Pick,
    Presentation,
    Recruitment,
    Study,
    is_group,
)
from kilter.study.instrument.instrument import read_instrument
from kilter.study.instrument.interface import read_documents, read_interface
from kilter.study.instrument.question import read_questions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kilter.io.toml_table import TomlTable
    from kilter.study.instrument.instrument import Instrument
    from kilter.study.instrument.question import Question

_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}")
_NAME = re.compile(r"[a-z]+[0-9]*")
_SYSTEM = re.compile(r"[\w.+-]+")


class StudyFileError(InputError):
    """What is wrong with the description of a study: `problems` holds all of it, each with its place.

    `corpora` are those that could be read in spite of it.
    """

    exit_code = 2

    def __init__(self, problems: Sequence[InputError], corpora: Sequence[CorpusFiles] = ()) -> None:
        first, *others = problems
        more = (
            f" (and {counted(len(others), 'more problem')}, which 'kilter survey check' lists)"
            if others
            else ""
        )
        super().__init__(f"{first}{more}")
        self.where = first.where
        self.problems, self.corpora = tuple(problems), tuple(corpora)


def read_study(folder: Path) -> Study:
    """Return the study in a folder; what is wrong with its file is a `StudyFileError`."""
    path = inside(folder, STUDY_FILE, where=str(folder))
    try:
        whole = read_toml_of_schema(path, schema="kilter.study/1")
    except InputError as fault:
        if not is_file(path):
            raise
        raise StudyFileError([fault]) from fault
    table = CollectingTable({**whole.entries, "schema": "kilter.study/1"}, where=whole.where)
    table.text("schema")
    read = _StudyReader(folder, table)
    study = read.study()
    if study is None or table.faults:
        raise StudyFileError(table.faults, read.corpora)
    return study


class _StudyReader:
    """Reads the parts of a study one after another, whatever is wrong with the others."""

    def __init__(self, folder: Path, table: CollectingTable) -> None:
        self.folder = folder
        self.table = table
        self.corpora: tuple[CorpusFiles, ...] = ()

    def study(self) -> Study | None:
        """Return the study if nothing is wrong."""
        table, folder = self.table, self.folder
        languages = table.texts("interface", ("en",))
        name = table.text("name")
        if not _NAME.fullmatch(name):
            table.refuse(
                f"name is {name!r}; write small letters and perhaps a number, such as wmt14", "name"
            )
        told: dict[str, Any] = {
            "title": table.text("title"),
            "seed": table.whole("seed", 1, high=2**53),
            "questionnaires": table.whole("questionnaires", low=1, high=10_000),
            "comments": table.flag("comments", default=False),
            "items_per_rater": table.whole("items_per_rater", 0, low=1, high=10_000),
        }
        asked = table.text("instrument", "word-order")
        instrument = table.attempt(
            lambda: read_instrument(asked, folder, languages=languages), "instrument", "interface"
        )
        about = table.text("participant_questions", "about-you")
        questions = table.attempt(
            lambda: read_questions(about, folder, languages=languages),
            "participant_questions",
            "interface",
        )
        if not table.flag("box_numbers", default=True):
            instrument, questions = _without_numbers(instrument, questions)
        presentation = table.one_of("presentation", Presentation, str(Presentation.RANDOM))
        documents = table.table("documents")
        told |= {
            "recruitment": _recruitment(table.table("recruitment")),
            "fields": {key: documents.text(key) for key in documents.names()},
            **_pool(table.table("pool")),
        }
        self.corpora = _corpora(table, folder)
        composition = _composition(table)
        picks = tuple(_pick(entry) for entry in table.tables("pick"))
        hypotheses = hypotheses_of(table)
        table.finish()
        self._check_texts(languages, told["fields"])
        if instrument is None or questions is None:
            return None
        study = Study(
            folder=folder,
            name=name,
            languages=languages,
            instrument=instrument,
            questions=questions,
            presentation=Presentation(presentation),
            corpora=self.corpora,
            composition=composition,
            picks=picks,
            hypotheses=hypotheses,
            **told,
        )
        _check(study, table)
        return study

    def _check_texts(self, languages: Sequence[str], fields: Mapping[str, str]) -> None:
        """Keep what is missing of the interface and the documents in each language."""
        known = {**fields, **dict.fromkeys(COUNTED_FIELDS, "")}
        for language in languages:
            self.table.attempt(partial(read_interface, language, self.folder))
            self.table.attempt(
                partial(read_documents, language, self.folder, known, where=self.table.where)
            )


def _without_numbers(
    instrument: Instrument | None, questions: tuple[Question, ...] | None
) -> tuple[Instrument | None, tuple[Question, ...] | None]:
    """Return what is asked with boxes that show no numbers; None stays None."""
    if instrument is not None:
        instrument = replace(instrument, questions=_plain(instrument.questions))
    return instrument, None if questions is None else _plain(questions)


def _plain(questions: Sequence[Question]) -> tuple[Question, ...]:
    return tuple(replace(question, numbered=False) for question in questions)


def _recruitment(table: TomlTable) -> Recruitment:
    groups = table.texts("groups", ())
    if len({*groups}) != len(groups) or not all(map(is_group, groups)):
        table.refuse(
            "groups must be different names of up to 60 letters, digits, blanks and . _ + -",
            "groups",
        )
    advertised = table.table("advertised", wanted="numbers by group, such as { students = 120 }")
    others = [name for name in advertised.names() if name not in groups]
    if others:
        table.refuse(
            f"advertised names {others[0]}, which is none of groups; there are: {', '.join(groups) or 'none'}",
            "advertised",
        )
    found = Recruitment(
        open=table.flag("open", default=False),
        limit=table.whole("limit", 0),
        groups=groups,
        advertised={name: advertised.whole(name, high=10**9) for name in advertised.names()},
    )
    table.finish()
    return found


def _pool(table: TomlTable) -> dict[str, Any]:
    low = table.whole("first_degree", DEGREES[0], low=1)
    found = {
        "pool": table.whole("sentences", 450, low=1),
        "degrees": range(low, table.whole("last_degree", DEGREES[-1], low=low) + 1),
        "tags": TagColumn(table.one_of("tags", TagColumn, str(TagColumn.UPOS))),
    }
    table.finish()
    return found


def _corpora(table: TomlTable, folder: Path) -> tuple[CorpusFiles, ...]:
    corpora = [corpus for entry in table.tables("corpus") if (corpus := _corpus(entry, folder))]
    names = [corpus.name for corpus in corpora]
    if "corpus" not in table or len({*names}) != len(names):
        table.refuse(
            "needs corpora, each with a system and pair of its own; write [[corpus]]", "corpus"
        )
    return tuple(corpora)


def _corpus(entry: TomlTable, folder: Path) -> CorpusFiles | None:
    """Return a corpus with the paths of its files, or None where something is wrong with them."""
    optional = ("source", "trees_reference", "trees_hypothesis", "rankings")
    names = {key: entry.text(key) for key in ("hypothesis", "reference")}
    names |= {key: name for key in optional if (name := entry.text(key, None)) is not None}
    paths = {key: _inside(entry, folder, key, name) for key, name in names.items()}
    system, pair = entry.text("system"), entry.text("pair")
    if not _SYSTEM.fullmatch(system) or not _PAIR.fullmatch(pair):
        entry.refuse(
            f"system is {system!r} and pair {pair!r}; write a name without blanks, and languages "
            "such as de-en",
            "system",
            "pair",
        )
    year = entry.whole("year", None, low=1900, high=2200)
    ranked_as = entry.text("ranked_as", system)
    if "ranked_as" in entry and "rankings" not in names:
        entry.refuse("ranked_as says how rankings call the system; name rankings, too")
    entry.finish()
    hypothesis, reference = paths["hypothesis"], paths["reference"]
    if hypothesis is None or reference is None:
        return None
    return CorpusFiles(
        system=system,
        pair=pair,
        year=year,
        hypothesis=hypothesis,
        reference=reference,
        **{key: paths.get(key) for key in optional},
        ranked_as=ranked_as,
    )


def _inside(entry: TomlTable, folder: Path, key: str, name: str) -> Path | None:
    """Return the file that an entry names, unless it is faulty or leads out of the folder."""
    if not name:
        return None
    try:
        return inside(folder, name, where=entry.where)
    except InputError as fault:
        entry.refuse(str(fault).removeprefix(f"{entry.where}: "), key)
        return None


def _composition(table: TomlTable) -> tuple[CompositionRow, ...]:
    rows = []
    for entry in table.tables("composition"):
        kind = ItemKind(entry.one_of("kind", ItemKind))
        permuted = kind is ItemKind.PERMUTATION
        row = CompositionRow(
            items=entry.whole("items", low=1, high=1000),
            kind=kind,
            type=entry.one_of("type", [*map(str, PerturbationType), RANDOM]) if permuted else "",
            same_base=entry.flag("same_base", default=False) if permuted else False,
            shared=entry.flag("shared", default=False),
            systems=entry.whole("systems", 0, low=2, high=26) if kind is ItemKind.TOGETHER else 0,
            pair=entry.text("pair", ""),
        )
        entry.finish()
        if row.same_base and (row.items > MOST_PER_BASE or row.type == RANDOM):
            entry.refuse(
                f"permutations of one base sentence are at most {MOST_PER_BASE}, and of one type; "
                "write several rows",
                "items",
                "type",
            )
        rows.append(row)
    return tuple(rows) or PUBLISHED


def _pick(entry: TomlTable) -> Pick:
    tags = {
        key: entry.one_of(key, allowed, "")
        for key, allowed in (
            ("length", ("short", "medium", "long")),
            ("quality", ("high", "medium", "low")),
            ("role", ("slight", "equal", "prime")),
        )
    }
    kind = entry.one_of("type", [str(kind) for kind in PerturbationType], "")
    pick = Pick(
        corpus=entry.text("corpus"),
        line=entry.whole("line", low=1, high=10**9),
        type=kind,
        degree=entry.whole("degree", low=1) if kind else 0,
        tags={key: value for key, value in tags.items() if value},
    )
    entry.finish()
    return pick


def _check(study: Study, table: CollectingTable) -> None:
    """Keep what contradicts itself."""
    names = {corpus.name for corpus in study.corpora}
    for pick in study.picks if names else ():
        if pick.corpus not in names:
            table.refuse(
                f"picks a sentence of {pick.corpus!r}, which is no corpus; there are "
                f"{', '.join(sorted(names))}",
                "corpus",
            )
    _check_pairs(study, table)
    _check_sources(study, table)
    pairs = any(row.kind is ItemKind.PAIR for row in study.composition)
    if pairs != ("second" in study.instrument.shows):
        table.refuse(
            'items of kind "pair" and an instrument that shows a second hypothesis belong together'
        )
    together = any(row.kind is ItemKind.TOGETHER for row in study.composition)
    if together != study.instrument.is_together:
        table.refuse(
            'items of kind "together" and an instrument that shows translations belong together'
        )
    common = sum(row.items for row in study.composition if row.shared)
    if study.items_per_rater and common >= study.items_per_rater:
        table.refuse(
            f"items_per_rater is {study.items_per_rater}, but {common} items are shared by all; allow "
            "more, or share fewer",
            "items_per_rater",
        )
    for part in (True, False):
        rows = [row for row in study.composition if row.shared is part]
        translations = [row for row in rows if row.kind is ItemKind.TRANSLATION]
        for pair in dict.fromkeys(row.pair for row in rows if row.same_base):
            bases = sum(row.same_base and row.pair == pair for row in rows)
            places = sum(
                row.items for row in translations if pair in ("", ANY_PAIR) or row.takes(pair)
            )
            if bases > places:
                table.refuse(
                    f"{bases} rows with same_base need the translations of as many base sentences, but "
                    f"there is room for {places}; add translations"
                )


def _check_sources(study: Study, table: CollectingTable) -> None:
    """Keep corpora without a source where the instrument shows it."""
    for corpus in study.corpora if "source" in study.instrument.shows else ():
        if corpus.source is None:
            table.refuse(
                f"the instrument shows the source, of which {corpus.name} has none; add source = a file",
                "source",
            )


def _check_pairs(study: Study, table: CollectingTable) -> None:
    """Keep pairs of rows that no corpus has."""
    pairs = list(dict.fromkeys(corpus.pair for corpus in study.corpora))
    for row in study.composition if pairs else ():
        if row.pair not in ("", ANY_PAIR, *pairs):
            table.refuse(
                f"[[composition]]: pair is {row.pair!r}, of which there is no corpus; it can be "
                f"{', '.join(pairs)}, or {ANY_PAIR}",
            )


def mixed_languages(study: Study) -> list[InputError]:
    """Return that questionnaires would mix target languages by accident, or nothing.

    It is asked when questionnaires are drawn: a study that runs already has its questionnaires.
    """
    pairs = list(dict.fromkeys(corpus.pair for corpus in study.corpora))
    targets = dict.fromkeys(language_code(pair.partition("-")[2]) for pair in pairs)
    if len(targets) < 2 or all(row.pair for row in study.composition):
        return []
    named = " or ".join(f'"{pair}"' for pair in pairs)
    return [
        InputError(
            f"corpora are in {' and '.join(targets)}, and a questionnaire would mix them; write pair = {named} in "
            f'each row of [[composition]], or pair = "{ANY_PAIR}" to mix them on purpose',
            where=str(study.folder / STUDY_FILE),
        )
    ]
