"""The description of a study: a TOML file. Sections 12.4 and 12.5"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.errors import OptionError
from kilter.formats.toml_table import TomlTable, inside, read_table
from kilter.options.choice import Choice
from kilter.perturbations.perturbation import DEGREES, PUBLISHED_TYPES, PerturbationType
from kilter.survey.instrument.instrument import Instrument, read_instrument
from kilter.survey.instrument.interface import Documents, Interface, read_documents, read_interface
from kilter.survey.instrument.question import Question, read_questions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

STUDY_FILE = "study.toml"
RANDOM = "random"
MOST_PER_BASE = 2
_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}")
_NAME = re.compile(r"[a-z]+[0-9]*")
_GROUP = re.compile(r"\w[\w .+-]{0,59}")
_SYSTEM = re.compile(r"[\w.+-]+")


class ItemKind(Choice):
    """What an item shows as its hypothesis."""

    TRANSLATION = "translation"
    PERMUTATION = "permutation"
    PAIR = "pair"
    IDENTICAL = "identical"
    SHUFFLED = "shuffled"


CONTROLS = (ItemKind.IDENTICAL, ItemKind.SHUFFLED)


class Presentation(Choice):
    """In which order items are shown."""

    RANDOM = "random"
    LISTED = "listed"


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionRow:
    """One row of the composition: so many items of a kind, shared by all questionnaires or not."""

    items: int
    kind: ItemKind
    type: str = ""
    same_base: bool = False
    shared: bool = False


def _published() -> tuple[CompositionRow, ...]:
    rows = []
    for shared, translations, others in ((True, 10, 2), (False, 15, 7)):
        rows.append(CompositionRow(items=translations, kind=ItemKind.TRANSLATION, shared=shared))
        rows.extend(
            CompositionRow(
                items=2, kind=ItemKind.PERMUTATION, type=str(kind), same_base=True, shared=shared
            )
            for kind in PUBLISHED_TYPES
        )
        rows.append(
            CompositionRow(items=others, kind=ItemKind.PERMUTATION, type=RANDOM, shared=shared)
        )
    return tuple(rows)


PUBLISHED = _published()
"""The composition of [TH]: 50 items, 20 of them shared, half translations, half permutations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFiles:
    """One system's translations with everything that belongs to them."""

    system: str
    pair: str
    year: int | None
    hypothesis: Path
    reference: Path
    source: Path | None
    trees_reference: Path | None
    trees_hypothesis: Path | None

    @property
    def name(self) -> str:
        """How sentences of this corpus are called."""
        return f"{self.system}.{self.pair}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """A shared item picked by hand: a line of a corpus, perhaps perturbed, with tags."""

    corpus: str
    line: int
    type: str = ""
    degree: int = 0
    tags: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recruitment:
    """Who may take part: people with a link, and, if it is open, anybody up to a limit.

    `groups` are the labels that links may have; if there are none, any.
    """

    open: bool
    limit: int
    groups: tuple[str, ...] = ()

    def checked_group(self, name: str) -> str:
        """Return the label of a group; one that links cannot have is an `OptionError`."""
        if self.groups and name not in self.groups:
            raise OptionError(
                f"--group is {name!r}; {STUDY_FILE} has the groups {', '.join(self.groups)}"
            )
        if not is_group(name):
            raise OptionError(
                f"--group is {name!r}; write up to 60 letters, digits, blanks and . _ + -"
            )
        return name


def is_group(name: str) -> bool:
    """Return whether a recruitment group may be called so."""
    return _GROUP.fullmatch(name) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Everything that the file says."""

    folder: Path
    name: str
    title: str
    seed: int
    questionnaires: int
    languages: tuple[str, ...]
    instrument: Instrument
    questions: tuple[Question, ...]
    presentation: Presentation
    recruitment: Recruitment
    fields: Mapping[str, str]
    pool: int
    degrees: range
    corpora: tuple[CorpusFiles, ...]
    composition: tuple[CompositionRow, ...]
    picks: tuple[Pick, ...]

    @property
    def size(self) -> int:
        """The number of items of a questionnaire."""
        return sum(row.items for row in self.composition)

    def interfaces(self) -> dict[str, Interface]:
        """Return the interface in each language of the study, the first being the usual one."""
        return {language: read_interface(language, self.folder) for language in self.languages}

    def documents(self) -> dict[str, Documents]:
        """Return the documents in each language of the study."""
        fields = {
            **self.fields,
            "title": self.title,
            "items": self.size,
            "questions": len(self.instrument.questions),
        }
        return {
            language: read_documents(language, self.folder, fields) for language in self.languages
        }


def read_study(folder: Path) -> Study:
    """Return the study in a folder; the first thing that is wrong is an `InputError`."""
    table = read_table(folder / STUDY_FILE, schema="kilter.study/1")
    languages = table.texts("interface", ("en",))
    pool = table.table("pool")
    recruitment = table.table("recruitment")
    documents = table.table("documents")
    name = table.text("name")
    if not _NAME.fullmatch(name):
        raise table.error(
            f"name is {name!r}; write small letters and perhaps a number, such as wmt14"
        )
    low = pool.whole("first_degree", DEGREES[0], low=1)
    study = Study(
        folder=folder,
        name=name,
        title=table.text("title"),
        seed=table.whole("seed", 1, high=2**53),
        questionnaires=table.whole("questionnaires", low=1, high=10_000),
        languages=languages,
        instrument=read_instrument(
            table.text("instrument", "word-order"), folder, languages=languages
        ),
        questions=read_questions(
            table.text("participant_questions", "about-you"), folder, languages=languages
        ),
        presentation=Presentation(
            table.one_of("presentation", Presentation, str(Presentation.RANDOM))
        ),
        recruitment=Recruitment(
            open=recruitment.flag("open", default=False),
            limit=recruitment.whole("limit", 0),
            groups=_groups(recruitment),
        ),
        fields={key: documents.text(key) for key in documents.names()},
        pool=pool.whole("sentences", 450, low=1),
        degrees=range(low, pool.whole("last_degree", DEGREES[-1], low=low) + 1),
        corpora=_corpora(table, folder),
        composition=_composition(table),
        picks=tuple(_pick(entry) for entry in table.tables("pick")),
    )
    for part in (table, pool, recruitment):
        part.finish()
    _check(study, table)
    return study


def _groups(table: TomlTable) -> tuple[str, ...]:
    groups = table.texts("groups", ())
    if len({*groups}) != len(groups) or not all(map(is_group, groups)):
        raise table.error(
            "groups must be different names of up to 60 letters, digits, blanks and . _ + -"
        )
    return groups


def _corpora(table: TomlTable, folder: Path) -> tuple[CorpusFiles, ...]:
    corpora = []
    for entry in table.tables("corpus"):
        files = {
            key: None if name is None else inside(folder, name, where=entry.where)
            for key in ("source", "trees_reference", "trees_hypothesis")
            for name in [entry.text(key, None)]
        }
        required = {
            key: inside(folder, entry.text(key), where=entry.where)
            for key in ("hypothesis", "reference")
        }
        system, pair = entry.text("system"), entry.text("pair")
        if not _SYSTEM.fullmatch(system) or not _PAIR.fullmatch(pair):
            raise entry.error(
                f"system is {system!r} and pair {pair!r}; write a name without blanks, and languages "
                "such as de-en"
            )
        year = entry.whole("year", None, low=1900, high=2200)
        entry.finish()
        corpora.append(CorpusFiles(system=system, pair=pair, year=year, **required, **files))
    names = [corpus.name for corpus in corpora]
    if not corpora or len({*names}) != len(names):
        raise table.error("needs corpora, each with a system and pair of its own; write [[corpus]]")
    return tuple(corpora)


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
        )
        entry.finish()
        if row.same_base and (row.items > MOST_PER_BASE or row.type == RANDOM):
            raise entry.error(
                f"permutations of one base sentence are at most {MOST_PER_BASE}, and of one type; "
                "write several rows"
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


def _check(study: Study, table: TomlTable) -> None:
    study.interfaces()
    study.documents()
    names = {corpus.name for corpus in study.corpora}
    for pick in study.picks:
        if pick.corpus not in names:
            raise table.error(
                f"picks a sentence of {pick.corpus!r}, which is no corpus; there are "
                f"{', '.join(sorted(names))}"
            )
    pairs = any(row.kind is ItemKind.PAIR for row in study.composition)
    if pairs != ("second" in study.instrument.shows):
        raise table.error(
            'items of kind "pair" and an instrument that shows a second hypothesis belong together'
        )
    for part in (True, False):
        rows = [row for row in study.composition if row.shared is part]
        bases = sum(row.same_base for row in rows)
        places = sum(row.items for row in rows if row.kind is ItemKind.TRANSLATION)
        if bases > places:
            raise table.error(
                f"{bases} rows with same_base need the translations of as many base sentences, but "
                f"there is room for {places}; add translations"
            )
