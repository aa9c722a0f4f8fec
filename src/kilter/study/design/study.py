"""The description of a study: a TOML file. Sections 12.4 and 12.5"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.core.language import language_code
from kilter.core.settings import Choice
from kilter.preordering.perturbations.perturbation import PUBLISHED_TYPES, PerturbationType
from kilter.preordering.perturbations.word_dependency_tree import TagColumn
from kilter.study.design.hypothesis import Hypotheses
from kilter.study.instrument.interface import Documents, Interface, read_documents, read_interface

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kilter.study.instrument.instrument import Instrument
    from kilter.study.instrument.question import Question


STUDY_FILE = "study.toml"
COUNTED_FIELDS = ("title", "items", "questions", "language")
"""What documents may speak of and a study knows, whatever [documents] says."""
RANDOM = "random"
ANY_PAIR = "any"
"""What a row of the composition says to mix target languages on purpose."""
MOST_PER_BASE = 2
_GROUP = re.compile(r"\w[\w .+-]{0,59}")


class ItemKind(Choice):
    """What an item shows as its hypothesis."""

    TRANSLATION = "translation"
    PERMUTATION = "permutation"
    PAIR = "pair"
    TOGETHER = "together"
    IDENTICAL = "identical"
    SHUFFLED = "shuffled"


CONTROLS = (ItemKind.IDENTICAL, ItemKind.SHUFFLED)


class Presentation(Choice):
    """In which order items are shown."""

    RANDOM = "random"
    LISTED = "listed"


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionRow:
    """One row of the composition: so many items of a kind, shared by all questionnaires or not.

    `systems` are the translations of an item that shows several together; 0 stands for all there are. `pair` is
    the language pair of its sentences; "" and `ANY_PAIR` stand for all there are.
    """

    items: int
    kind: ItemKind
    type: str = ""
    same_base: bool = False
    shared: bool = False
    systems: int = 0
    pair: str = ""

    def takes(self, pair: str) -> bool:
        """Return whether its sentences may be of a language pair."""
        return self.pair in ("", ANY_PAIR, pair)

    @property
    def label(self) -> str:
        """What the row asks for, in messages."""
        return " ".join(filter(None, [str(self.kind), self.type, self.pair]))


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
    rankings: Path | None = None
    ranked_as: str = ""
    """How the rankings call the system."""

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

    `groups` are the labels that links may have; if there are none, any. `advertised` says how many people of
    a group were asked, where that is known.
    """

    open: bool
    limit: int
    groups: tuple[str, ...] = ()
    advertised: Mapping[str, int] = field(default_factory=dict)

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


_ENGLISH = "first_language_english"
"""A question that studies in other languages have no use for."""


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
    tags: TagColumn = TagColumn.UPOS
    corpora: tuple[CorpusFiles, ...]
    composition: tuple[CompositionRow, ...]
    picks: tuple[Pick, ...]
    hypotheses: Hypotheses = field(default_factory=Hypotheses)
    comments: bool = False
    """Whether participants may comment on each item."""
    items_per_rater: int = 0
    """How many items anybody judges at most; 0 is as many as the composition has."""

    @property
    def size(self) -> int:
        """The number of items that somebody is shown at most."""
        whole = sum(row.items for row in self.composition)
        return min(whole, self.items_per_rater) if self.items_per_rater else whole

    @property
    def drawn_types(self) -> tuple[PerturbationType, ...]:
        """The types that `random` draws: those published, and that of the pilot study where a row asks for it."""
        pilot = PerturbationType.BOTH
        asked = any(row.type == pilot for row in self.composition)
        return (*PUBLISHED_TYPES, pilot) if asked else PUBLISHED_TYPES

    @property
    def target_languages(self) -> tuple[str, ...]:
        """The languages of the sentences that are judged, by their codes."""
        pairs = [
            corpus.pair
            for corpus in self.corpora
            if any(row.takes(corpus.pair) for row in self.composition)
        ]
        return tuple(dict.fromkeys(language_code(pair.partition("-")[2]) for pair in pairs))

    def question_notes(self) -> list[str]:
        """Return that participants are asked about English where sentences are in other languages."""
        others = [code for code in self.target_languages if code != "en"]
        if not others or all(question.name != _ENGLISH for question in self.questions):
            return []
        note = (
            f"participants are asked how well they know English, and sentences are in {'/'.join(others)}; ask about "
            "that by participant_questions = a .toml file"
        )
        return [note]

    def interfaces(self) -> dict[str, Interface]:
        """Return the interface in each language of the study, the first being the usual one."""
        return {language: read_interface(language, self.folder) for language in self.languages}

    def documents(self, *, for_paper: bool = False) -> dict[str, Documents]:
        """Return the documents in each language of the study, as pages on the web or paper have them."""
        fields = {
            **self.fields,
            "title": self.title,
            "items": self.size,
            "questions": len(self.instrument.questions),
        }
        return {
            language: read_documents(
                language,
                self.folder,
                {**fields, "language": self._named_languages(interface)},
                for_paper=for_paper,
            )
            for language, interface in self.interfaces().items()
        }

    def _named_languages(self, interface: Interface) -> str:
        """Return what an interface calls the languages of the study's sentences."""
        return "/".join(map(interface.language_name, self.target_languages))
