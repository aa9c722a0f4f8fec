"""One-to-one links between equal words, equal stems and synonyms: specification, section 1.7."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter import _core
from kilter.aligners.aligner import Aligner, check_pairs
from kilter.aligners.offered_pair import (
    MODEL_LANGUAGE,
    NumberedPairs,
    OfferedPairs,
    free_word_pairs,
    learned_pairs,
)
from kilter.aligners.stemmer import LACKING, NO_STEMMER, UNSTEMMED, check_language, stemmer
from kilter.aligners.word_key import (
    SINGLE,
    WordKeys,
    WordKeySets,
    read_synonyms,
    similar_pairs,
    word_keys,
)
from kilter.core.corpus import row_offsets
from kilter.core.errors import OptionError
from kilter.core.links import LinkBatch
from kilter.core.registry import option
from kilter.core.taught_pairs import TaughtPairs, word_digests
from kilter.parsers.encoder.encoder import network_identity
from kilter.parsers.encoder.model_folder import model_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from kilter.aligners.aligner import Progress
    from kilter.core.corpus import TokenColumn, Vocabulary

SEARCH_BOUND = 1 << 24
"""Steps of the search in one stage of one segment; where they do not suffice, the segment is `bounded`."""

MOST_EQUAL_WORDS = 2_000_000
"""Equal words of a segment, on either side: as many take some seconds."""

TRIALS = 256
"""Choices tried one by one before branch and bound takes over; no result depends on it."""

EMBEDDING = "embedding"
STAGES = ("exact", "stem", "synonym", "similar", "learned", EMBEDDING)

CROSSINGS_A_CHUNK = 5
"""Crossings that weigh as much as a chunk. Chosen on the training part of Edinburgh++."""

CERTAINTY = {"exact": 1.0, "stem": 0.7, "synonym": 0.6}
"""How certain the links of a stage are; those of the other stages have a certainty each."""


class MatchCase(StrEnum):
    """Whether words match in any case, or only as they are written."""

    FOLD = "fold"
    KEEP = "keep"


class MatchRule(StrEnum):
    """What decides between link sets of equally many links."""

    BALANCED = "balanced"
    CHUNKS = "chunks"
    CROSSINGS = "crossings"


_SAME = {"nb": "no"}
"""Codes of languages that another code's stemmer is of."""


@dataclass(frozen=True, kw_only=True)
class Match(Aligner):
    """Links each word at most once, in stages; a stage links words that earlier ones left free.

    Of all link sets with the most links, a stage takes the one with the fewest chunks, then the least sum
    of |hypothesis - reference| positions, then the smallest sorted link list; or the one with the fewest
    crossings first; or, by the rule `balanced`, whichever of these two has fewer chunks + crossings / 5. Chunks (maximal groups of
    links adjacent and in the same order on both sides) are counted over all links, those of earlier stages
    included, as METEOR's penalty counts them. The choice is exact; a segment whose search takes more
    than `SEARCH_BOUND` steps, or that has more than 65,536 pairs of words that may be linked, is named in
    `LinkBatch.bounded` and has good links, not necessarily the best. The stage `embedding` links words whose vectors
    are each other's most similar, among those that are free.

    >>> from kilter.core.corpus import Vocabulary
    >>> vocabulary = Vocabulary()
    >>> hypothesis = vocabulary.column(["the mat had sat on the cat".split()])
    >>> reference = vocabulary.column(["cats had sat on a mat".split()])
    >>> Match().align(hypothesis, reference, vocabulary).segment(0)
    [(1, 5), (2, 1), (3, 2), (4, 3), (6, 0)]
    """

    name: ClassVar[str] = "match"
    summary: ClassVar[str] = (
        "one-to-one links between equal words, stems, synonyms, similar words and learned pairs"
    )
    monolingual: ClassVar[bool] = True
    tells_certainty: ClassVar[bool] = True
    places: ClassVar[frozenset[str]] = frozenset({"synonyms"})

    stages: str = option(
        "exact+stem",
        "what links words, in this order: exact, stem, synonym, similar, learned, embedding",
    )
    language: str = option("en", f"language of the stemmer, or {NO_STEMMER}")
    synonyms: str = option("", "a file with one group of synonyms a line, or a WordNet folder")
    case: MatchCase = option(MatchCase.FOLD, "match words in any case, or only as they are written")
    rule: MatchRule = option(
        MatchRule.BALANCED,
        "among most links: fewest chunks, fewest crossings, or a balance of both",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        listed = self.stages.split("+")
        if listed != [stage for stage in STAGES if stage in listed]:
            raise OptionError(
                f"match: stages is {self.stages!r}; join some of {', '.join(STAGES)} with +, "
                "each once and in this order"
            )
        check_language(self.language)
        if ("synonym" in listed) != bool(self.synonyms):
            raise OptionError(
                "match: the stage synonym and the option synonyms go together; write, for example, "
                "match:stages=exact+stem+synonym,synonyms=/usr/share/wordnet"
            )

    @property
    def assumed_language(self) -> str | None:
        """The language of the stems, where they are looked at."""
        stems = "stem" in self.stages.split("+") and self.language != NO_STEMMER
        return self.language if stems else None

    @property
    def lacks_stemmer(self) -> bool:
        """Whether stems are looked for, and words have none but themselves."""
        return "stem" in self.stages.split("+") and self.language == NO_STEMMER

    @classmethod
    def language_options(cls, language: str) -> dict[str, str]:
        """Return the stemmer of a language, or none where the language is known to have none."""
        none = language in UNSTEMMED or language in LACKING
        return {"language": NO_STEMMER if none else _SAME.get(language, language)}

    def align(
        self,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> LinkBatch:
        """Return the links between the words of each pair of segments."""
        return self._aligned(first, second, vocabulary, jobs, None)[0]

    def align_after(
        self,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        earlier: TaughtPairs,
        *,
        jobs: int = 1,
    ) -> tuple[LinkBatch, TaughtPairs]:
        """Return the links, learned from pairs of earlier runs too, and the pairs that later runs learn from."""
        links, before = self._aligned(first, second, vocabulary, jobs, earlier)
        digests = word_digests(map(self._normal, vocabulary.words))
        taught = TaughtPairs(
            digests[first.ids], first.offsets, digests[second.ids], second.offsets, before
        )
        return links, taught

    @property
    def _normal(self) -> Callable[[str], str]:
        return str.casefold if self.case is MatchCase.FOLD else str

    def _aligned(
        self,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        jobs: int,
        earlier: TaughtPairs | None,
    ) -> tuple[LinkBatch, LinkBatch]:
        """Return the links of all stages, and those of the stages before words are learned."""
        check_pairs(first, second, equal=MOST_EQUAL_WORDS)
        if self.synonyms:  # what is wrong with the file is told also where no stage comes to it
            read_synonyms(self.synonyms, fold=self.case is MatchCase.FOLD)
        links = LinkBatch(
            np.zeros((0, 2), dtype=np.int32), np.zeros(len(first) + 1, dtype=np.int64)
        )
        before = links
        certainty = np.zeros(len(first.ids))  # by word of the first text, 0 for one without a link
        for stage in self.stages.split("+"):
            if stage == "stem" and self.language == NO_STEMMER:
                continue
            words = _free_words(first, second, links, len(vocabulary))
            if not words.size:
                break
            offered = self._offered(stage, first, second, links, vocabulary, words, jobs, earlier)
            links = self._extend(links, first, second, offered, jobs)
            before = before if stage == "learned" else links
            places = first.offsets[links.segments()] + links.links[:, 0]
            new = np.flatnonzero(certainty[places] == 0)
            certainty[places[new]] = (
                offered.certainty_of(places[new], links.links[new, 1], first)
                if isinstance(offered, OfferedPairs)
                else CERTAINTY[stage]
            )
        places = first.offsets[links.segments()] + links.links[:, 0]
        return replace(links, certainty=certainty[places]), before

    @property
    def learns_from_all(self) -> bool:
        """Whether links of one pair of texts depend on the others: those of the stage `learned` do."""
        return "learned" in self.stages.split("+")

    @property
    def only_language(self) -> str | None:  # type: ignore[override]
        """The language of the model, for the stage `embedding`."""
        return MODEL_LANGUAGE if self._has_model else None

    @property
    def _has_model(self) -> bool:
        return EMBEDDING in self.stages.split("+")

    def identity(self) -> str | None:
        """Return options and model, where a model makes links worth keeping."""
        if not self._has_model or self.learns_from_all or self.synonyms:
            return None
        return f"{super().signature().removesuffix(')')},{network_identity('')})"

    def signature(self) -> str:
        """Return the name with every option, and the version of the model where one is used."""
        made = super().signature()
        return (
            f"{made.removesuffix(')')},{model_folder('').signature('')})"
            if self._has_model
            else made
        )

    def one_to_one(self) -> Match:
        """Return the aligner itself."""
        return self

    def _offered(
        self,
        stage: str,
        first: TokenColumn,
        second: TokenColumn,
        links: LinkBatch,
        vocabulary: Vocabulary,
        words: NDArray[np.int32],
        jobs: int,
        earlier: TaughtPairs | None,
    ) -> OfferedPairs | tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return what a stage may link: keys of words, or pairs of places."""
        if stage == EMBEDDING:
            return free_word_pairs(first, second, links, vocabulary, jobs=jobs)
        if stage == "similar":
            fold = self.case is MatchCase.FOLD
            return similar_pairs(first, second, links, vocabulary, fold=fold, jobs=jobs)
        if stage == "learned":
            every = np.arange(len(vocabulary), dtype=np.int32)
            _, keys = self._keys("exact", every, vocabulary)
            if earlier is not None and len(earlier):
                forms = map(self._normal, vocabulary.words)
                known = dict(zip(word_digests(forms).tolist(), keys.tolist(), strict=True))
                more = NumberedPairs.of(earlier, known, int(keys.max(initial=-1)) + 1)
                return learned_pairs(first, second, links, keys, jobs=jobs, earlier=more)
            return learned_pairs(first, second, links, keys, jobs=jobs)
        return self._keys(stage, words, vocabulary)

    def _keys(
        self, stage: str, words: NDArray[np.int32], vocabulary: Vocabulary
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        normal = self._normal
        if stage == "exact":
            kept = word_keys(vocabulary, (stage, normal), lambda: WordKeys(normal))
            return SINGLE, kept.of(words, vocabulary)
        if stage == "stem":
            kept = word_keys(
                vocabulary, (stage, normal, self.language), lambda: self._stems(normal)
            )
            return SINGLE, kept.of(words, vocabulary)
        classes = read_synonyms(self.synonyms, fold=self.case is MatchCase.FOLD)
        sets = word_keys(vocabulary, (stage, normal, classes), lambda: WordKeySets(normal, classes))
        return sets.of(words, vocabulary)

    def _stems(self, normal: Callable[[str], str]) -> WordKeys:
        return WordKeys(normal, stemmer(self.language))

    def _extend(
        self,
        links: LinkBatch,
        first: TokenColumn,
        second: TokenColumn,
        offered: OfferedPairs | tuple[NDArray[np.int64], NDArray[np.int32]],
        jobs: int,
    ) -> LinkBatch:
        if self.rule is not MatchRule.BALANCED:
            crossings = self.rule is MatchRule.CROSSINGS
            return _extended(links, first, second, offered, crossings=crossings, jobs=jobs)
        by_chunks, by_crossings = (
            _extended(links, first, second, offered, crossings=each, jobs=jobs)
            for each in (False, True)
        )
        return _balanced(by_chunks, by_crossings, jobs=jobs)


def _extended(
    links: LinkBatch,
    first: TokenColumn,
    second: TokenColumn,
    offered: OfferedPairs | tuple[NDArray[np.int64], NDArray[np.int32]],
    *,
    crossings: bool,
    jobs: int,
) -> LinkBatch:
    """Return the links with those of a stage, of fewest crossings or of fewest chunks."""
    texts = first.ids, first.offsets, second.ids, second.offsets, links.links, links.offsets
    if isinstance(offered, OfferedPairs):
        pairs, left_out = (offered.cells, offered.offsets), offered.left_out
        found, found_offsets, bounded = _core.match_cells(
            *texts, *pairs, crossings, SEARCH_BOUND, TRIALS, jobs
        )
    else:
        found, found_offsets, bounded = _core.match(
            *texts, *offered, crossings, SEARCH_BOUND, TRIALS, jobs
        )
        left_out = ()
    hit = {*links.bounded, *np.flatnonzero(bounded).tolist(), *left_out}
    return LinkBatch(found, found_offsets, tuple(sorted(hit)))


def _balanced(by_chunks: LinkBatch, by_crossings: LinkBatch, *, jobs: int) -> LinkBatch:
    """Return of each segment the links with fewer chunks + crossings / 5, those of fewest chunks if both have as many."""
    costs = []
    for links in (by_chunks, by_crossings):
        owner, rows = links.segments(), links.links
        joined = (np.diff(owner) == 0) & (np.diff(rows, axis=0) == 1).all(axis=1)
        chunks = links.counts - np.bincount(owner[1:][joined], minlength=len(links))
        crossings = links.pair_counts(jobs=jobs)[:, 1]
        costs.append(CROSSINGS_A_CHUNK * chunks + crossings)
    other = costs[1] < costs[0]
    bounded = tuple(sorted({*by_chunks.bounded, *by_crossings.bounded}))
    both = (by_chunks, by_crossings)
    kept = [links.links[np.repeat(other == bool(k), links.counts)] for k, links in enumerate(both)]
    owners = [
        np.repeat(np.arange(len(other)), np.where(other == bool(k), links.counts, 0))
        for k, links in enumerate(both)
    ]
    order = np.argsort(np.concatenate(owners), kind="stable")
    counts = np.where(other, by_crossings.counts, by_chunks.counts)
    return LinkBatch(np.concatenate(kept)[order], row_offsets(counts), bounded)


def _free_words(
    first: TokenColumn, second: TokenColumn, links: LinkBatch, size: int
) -> NDArray[np.int32]:
    """Return the words that have no link yet, in segments with such words on both sides."""
    owner = links.segments()
    both: NDArray[np.bool_] = (first.lengths > links.counts) & (second.lengths > links.counts)
    wanted = np.zeros(size, dtype=np.bool_)
    for side, column in ((0, first), (1, second)):
        free = np.repeat(both, column.lengths)
        free[column.offsets[owner] + links.links[:, side]] = False
        wanted[column.ids[free]] = True
    return np.flatnonzero(wanted).astype(np.int32)
