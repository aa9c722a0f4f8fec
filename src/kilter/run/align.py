"""Links between two texts by any aligner."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from kilter.aligners.aligner import Aligner
from kilter.aligners.em_aligner import EmAligner
from kilter.aligners.em_model import save
from kilter.aligners.registry import ALIGNERS, default_aligner
from kilter.aligners.registry import aligner as make_aligner
from kilter.core.corpus import TokenColumn, Vocabulary, row_offsets
from kilter.core.counted import counted
from kilter.core.errors import InputError, KilterWarning
from kilter.core.language import has_dotless_i, lowered
from kilter.core.links import LinkBatch
from kilter.core.settings import checked
from kilter.io.link_format import LinkFormat
from kilter.io.link_writer import write_links
from kilter.io.output import check_output
from kilter.io.text import count_together, text_lines
from kilter.io.tokenizer import (
    check_spaced,
    check_spaced_blocks,
    check_tokenizer,
    default_tokenizer,
    tokenizer,
)
from kilter.run.cache.cache_folder import cache_folder
from kilter.run.cache.kept_aligner import KeptAligner
from kilter.run.engine.engine import Batch
from kilter.run.scoring.corpus import Texts, check_counts, check_line_counts, label_notes
from kilter.run.scoring.text_note import ENGLISH, warn_of_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kilter.aligners.em_model import EmModel
    from kilter.io.text_file import TextStream

    Progress = Callable[[int, int], None]
    Sides = tuple[Sequence[str], Sequence[str]]

Named: TypeAlias = tuple[str, object]
"""What messages call a text, and its lines."""


@checked
def align(
    first: object,
    second: object,
    *,
    aligner: str | Aligner | None = None,
    tokenize: str | None = None,
    language: str | None = None,
    lowercase: bool = False,
    cache: str | None = None,
    jobs: int = 1,
) -> LinkBatch:
    """Return the links between two lists of strings; positions count words from 0.

    The texts are hypotheses and references, or, for an aligner such as `hmm`, sources and translations.
    Words are those of `score`: of the tokeniser 13a unless language or `tokenize` ask for another; "none"
    takes them as they stand between blanks. `cache` is a folder that keeps links for other runs.

    >>> align(["the mat sat on a cat"], ["a cat sat on the mat"]).segment(0)
    [(0, 4), (1, 5), (2, 2), (3, 3), (4, 0), (5, 1)]
    """
    for note in label_notes({"first": first}, ("second", second)):
        warnings.warn(note, KilterWarning, stacklevel=2)
    links, _ = align_texts(
        ("first", first),
        ("second", second),
        aligner=aligner,
        tokenize=tokenize,
        language=language,
        lowercase=lowercase,
        cache=cache,
        jobs=jobs,
    )
    return links


@checked
def align_texts(  # noqa: PLR0913 - every option of the command
    first: Named,
    second: Named,
    *,
    aligner: str | Aligner | None = None,
    tokenize: str | None = None,
    language: str | None = None,
    lowercase: bool = False,
    cache: str | None = None,
    certainty: bool = False,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[LinkBatch, tuple[list[list[str]], list[list[str]]]]:
    """Return the links between two named texts and the words that they count.

    With `certainty`, aligners that take longer to say how certain links are say it, too.
    """
    texts = [(name, text_lines(lines, where=name)) for name, lines in (first, second)]
    check_counts(Texts(systems=dict(texts[:1]), references=dict(texts[1:])))
    chosen = chosen_aligner(default_aligner(language) if aligner is None else aligner, language)
    task = AlignedLines(
        aligner=chosen,
        tokenize=tokenize or default_tokenizer(language),
        lowercase=lowercase,
        form=LinkFormat.PHARAOH,
        turkic=chosen.monolingual and has_dotless_i(language),
        certainty=certainty,
        cache=cache,
        jobs=jobs,
    )
    (_, one), (_, other) = texts
    words = task.words(one), task.words(other)
    for text, lines in texts:
        check_spaced(lines, where=text, name=task.tokenize)
    if language is None and chosen.assumed_language == ENGLISH:
        warn_of_language(texts, f"the stems of {chosen.name}")
    return task.links(*words, progress=progress), words


PAIRS = 2000
"""Segments that are aligned before their links are written."""


class AlignedBlock(NamedTuple):
    """Lines of a file of links, and the numbers of segments, from 1, in which a search bound was hit."""

    lines: list[str]
    bounded: list[int]

    def packed(self) -> bytes:
        """Return it as bytes."""
        return json.dumps(self._asdict(), ensure_ascii=False).encode()

    @classmethod
    def unpacked(cls, packed: bytes) -> AlignedBlock:
        """Return what was packed."""
        return cls(**json.loads(packed))


@dataclass(frozen=True, kw_only=True, eq=False)
class AlignedLines:
    """What a worker does with lines of two texts: it finds and writes their links.

    Tokeniser, model and cache are read by whoever works, once.
    """

    aligner: Aligner
    tokenize: str
    lowercase: bool
    form: LinkFormat
    turkic: bool = False
    """Whether the words are Turkish or Azerbaijani, which decides their lower case."""
    certainty: bool = False
    cache: str | None = None
    jobs: int = 1
    learned: EmModel | None = None
    """What the aligner learned, for whoever works in this process; others read a file."""

    def __call__(self, batch: Batch[Sides]) -> AlignedBlock:
        """Return the lines of a batch."""
        try:
            first, second, links = self.linked(batch.data)
        except InputError as error:
            error.count_from(batch.first - 1)
            raise
        written = write_links(
            links,
            form=self.form,
            texts=(first, second),
            certainty=self.certainty,
            first=batch.first,
        )
        return AlignedBlock(list(written), [batch.first + place for place in links.bounded])

    def linked(self, lines: Sides) -> tuple[list[list[str]], list[list[str]], LinkBatch]:
        """Return the words of both sides, and the links between them."""
        first, second = (self.words(side) for side in lines)
        return first, second, self.links(first, second)

    def words(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the words of lines."""
        split, turkic = self._split, self.turkic
        return [split(lowered(line, turkic=turkic) if self.lowercase else line) for line in lines]

    def links(
        self, first: list[list[str]], second: list[list[str]], *, progress: Progress | None = None
    ) -> LinkBatch:
        """Return the links between words; an aligner that knows no model yet learns it from them."""
        vocabulary, chosen, jobs = Vocabulary(turkic=self.turkic), self.aligner, self.jobs
        columns = vocabulary.column(first), vocabulary.column(second), vocabulary
        if self.learned is not None or (isinstance(chosen, EmAligner) and chosen.blocks):
            return self._em.links_by(self._model, *columns, certainty=self.certainty, jobs=jobs)
        if isinstance(chosen, EmAligner) and self.certainty:
            return chosen.align_with_certainty(*columns, jobs=jobs, progress=progress)
        links = self._kept.align(*columns, jobs=jobs, progress=progress)
        self._kept.forget()
        return links

    @cached_property
    def _split(self) -> Callable[[str], list[str]]:
        return tokenizer(self.tokenize)

    @cached_property
    def _kept(self) -> KeptAligner:
        return KeptAligner.of_words(
            self.aligner, self.cache, tokenizer=self.tokenize, lowercase=self.lowercase
        )

    @property
    def _em(self) -> EmAligner:
        assert isinstance(self.aligner, EmAligner)  # noqa: S101 - nobody else asks
        return self.aligner

    @cached_property
    def _model(self) -> EmModel:
        return self._em.loaded() if self.learned is None else self.learned


@dataclass(frozen=True, kw_only=True)
class TextPair:
    """Two texts of any size with the same number of segments."""

    first: TextStream
    second: TextStream

    def check(self, task: AlignedLines, *, language: str | None) -> None:
        """Raise for whatever is wrong with either text, and warn of a language that is not the aligner's."""
        count_together([self.second, self.first])
        if self.first.is_set and self.second.is_set:  # which say more than numbers of lines
            sides = [{text.name: text.lines()} for text in (self.first, self.second)]
            check_counts(Texts(systems=sides[0], references=sides[1]))
        check_line_counts([(text.name, text.count) for text in (self.second, self.first)])
        check_tokenizer(task.tokenize)
        cache_folder(task.cache)
        for text in (self.first, self.second):
            check_spaced_blocks(_blocks_of(text), where=text.name, name=task.tokenize)
        if language is None and task.aligner.assumed_language == ENGLISH:
            texts = [(text.name, text) for text in (self.first, self.second)]
            warn_of_language(texts, f"the stems of {task.aligner.name}")

    def batches(self, task: AlignedLines) -> Iterator[Batch[Sides]]:
        """Yield the lines of both texts, some segments at a time, or all where a task has to see them."""
        size = PAIRS if self.whole_because(task) is None else max(1, self.first.count)
        first = 1
        for sides in zip(self.first.blocks(size), self.second.blocks(size), strict=True):
            rows = len(sides[0])
            if len(sides[1]) != rows:
                raise InputError(
                    "has other lines than before; was it changed meanwhile?", where=self.second.name
                )
            share = (first - 1 + rows) / self.first.count
            yield Batch(data=sides, first=first, rows=rows, share=share)
            first += rows

    def whole_because(self, task: AlignedLines) -> str | None:
        """Return why all segments have to be in memory at once; None where they need not."""
        if self.first.is_set or self.second.is_set:
            return "a text is a set of segments (.sgm)"
        if not (task.aligner.blocks or isinstance(task.aligner, EmAligner)):
            return f"the aligner {task.aligner.name} learns from all segments"
        return None


def _blocks_of(text: TextStream) -> Callable[[], Iterator[Sequence[str]]]:
    return lambda: text.blocks(PAIRS)


def bound_note(bounded: Sequence[int]) -> str:
    """Return what users should know of segments, from 1, in which a search bound was hit."""
    return (
        f"the aligner hit its search bound in {counted(len(bounded), 'segment')}, the first is {bounded[0]}; their "
        "links may not be the best possible"
    )


def chosen_aligner(aligner: str | Aligner, language: str | None) -> Aligner:
    """Return the aligner of a specification, with what a language asks for."""
    return make_aligner(ALIGNERS.specified(aligner), language=language)


@contextmanager
def taught(
    task: AlignedLines, texts: TextPair, *, alone: bool, progress: Progress | None = None
) -> Iterator[AlignedLines]:
    """Yield the task with an aligner that knows its model, learned from both texts where it has none.

    Of the texts only the numbers of their words are in memory while it learns, and nothing afterwards. Where
    this process does not work `alone`, the others find the model in a file.
    """
    chosen = task.aligner
    if not isinstance(chosen, EmAligner) or chosen.blocks:
        yield task
        return
    if chosen.model:
        check_output(chosen.model)
    vocabulary = Vocabulary()
    first = _column(task, texts.first, vocabulary)
    second = _column(task, texts.second, vocabulary)
    model = chosen.train(first, second, vocabulary, jobs=task.jobs, progress=progress)
    del first, second, vocabulary
    if chosen.model:
        save(model, chosen.model)
    if alone or chosen.model:
        yield replace(task, learned=model if alone else None)
        return
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "model")
        save(model, path)
        yield replace(task, aligner=replace(chosen, model=path))


def _column(task: AlignedLines, text: TextStream, vocabulary: Vocabulary) -> TokenColumn:
    ids, lengths = [np.empty(0, np.int32)], [np.empty(0, np.int64)]
    for lines in text.blocks(PAIRS):
        column = vocabulary.column(task.words(lines))
        ids.append(column.ids)
        lengths.append(column.lengths)
    return TokenColumn(np.concatenate(ids), row_offsets(np.concatenate(lengths)))
