"""Checks inputs against one another and lists every problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from kilter.aligners.registry import MONOLINGUAL
from kilter.aligners.registry import aligner as make_aligner
from kilter.core.corpus import Vocabulary
from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.link_rule import LinkRule, OrderRule, joined_links
from kilter.core.links import HYPOTHESIS_REFERENCE
from kilter.core.settings import checked, like, mixed, taken, takes
from kilter.core.table import Table, html_table
from kilter.io.conllu import checked_trees
from kilter.io.link_format import LinkFormat
from kilter.io.links import checked_links
from kilter.io.stream import ByteSource, display_name, is_file, repeated_files
from kilter.io.text import LongTextError, count_together, most_bytes
from kilter.io.text_file import TextStream, checked_text_file, text_part
from kilter.io.tokenizer import check_spaced, check_tokenizer, default_tokenizer, token_column
from kilter.metrics.metric import LinkUse, Metric
from kilter.metrics.registry import is_group
from kilter.metrics.registry import metric as make_metric
from kilter.parsers.registry import parser as make_parser
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.links import ANOTHER_RULE, MEAN_RULE, LinkPath, Links, check_link_options
from kilter.run.scoring.metric_choice import available
from kilter.run.scoring.run import Run
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.structure_files import StructureFiles
from kilter.run.scoring.text_note import notes_of_texts
from kilter.run.scoring.trees import Trees

if TYPE_CHECKING:
    from kilter.core.corpus import TokenColumn
    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.core.links import LinkBatch


@dataclass(slots=True)
class ValidationReport:
    """What was found: problems as the command tells them, `file:line: what`, and counts."""

    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What stops nothing, but seems to be wrong: other texts than were meant, or ones that are written in another way."""
    files: int = 0
    segments: int = 0
    empty: int = 0

    @property
    def verdict(self) -> str:
        """Whether files fit one another, in a sentence."""
        size = f" with {counted(self.segments, 'segment')}" if self.segments else ""
        found = counted(len(self.problems), "problem") if self.problems else "no problem"
        text = f"{found} in {counted(self.files, 'file')}{'' if self.problems else size}"
        if self.notes and not self.problems:
            text = f"{counted(self.files, 'file')}{size} can be scored, but see the notes"
        if self.empty and not self.problems:
            text += f"; {counted(self.empty, 'line is', plural='lines are')} empty"
        return text

    def __str__(self) -> str:
        return "\n".join([self.verdict, *self.problems, *self.notes])

    def _repr_html_(self) -> str:
        return html_table(Table(notes=str(self).splitlines()))


@dataclass(frozen=True, kw_only=True)
class ValidationSettings:
    """What comes with texts, and how they will be scored."""

    structures: StructureFiles = field(default_factory=StructureFiles)
    metrics: str | Metric | Sequence[str | Metric] | None = like(
        Settings,
        "metrics",
        default=None,
        description="Metric that will be computed; repeatable.  [default: any]",
    )
    settings: Settings = mixed(
        Settings,
        without=("metrics", "lowercase", "resampling", "cache", "jobs"),
        aligner="Aligner that will be used; repeatable.  [default: match]",
        parser="Parser that will be used; repeatable.  [default: model]",
        tokenize="Tokeniser that will be used.  [default: by language]",
        language="Language of the texts.",
    )


@checked
@takes(ValidationSettings)
def validate(
    systems: Sequence[str] = (),
    references: Sequence[str] = (),
    *,
    source: str | None = None,
    settings: ValidationSettings | None = None,
    **keywords: object,
) -> ValidationReport:
    """Return everything that would stop these files from being scored, less what aligners and parsers say.

    Under the rule one-to-one, words with several links between hypothesis and reference are a problem,
    because metrics of order refuse them; any other rule takes them, and so do metrics that are named and
    look at no order. Metrics that ask for what is not given are an `OptionError`, as they are to `score`.
    """
    options = taken(ValidationSettings, settings, keywords)
    files, scoring, metrics = options.structures, options.settings, options.metrics
    through_source = files.through_source
    links, trees, trees_reference = files.links, files.trees, files.trees_reference
    source_hypothesis, source_reference = files.source_hypothesis, files.source_reference
    trees_source, language, tokenize = files.trees_source, scoring.language, scoring.tokenize
    if not any(
        (systems, references, source, links, source_hypothesis, source_reference)
    ) and not any((trees, trees_reference, trees_source)):
        raise OptionError("there is nothing to check; name at least one file")
    if metrics is not None:
        scoring = replace(scoring, metrics=metrics)
    given = Links(
        source_hypothesis=tuple(map(LinkPath, source_hypothesis)),
        source_reference=tuple(map(LinkPath, source_reference)),
        hypothesis_reference=((*map(LinkPath, links),),) if links else (),
        through_source=through_source,
    )
    check_link_options(given, scoring.aligners)
    for each in scoring.aligners or (MONOLINGUAL,):
        make_aligner(each, language=language)  # a language that no run takes
    for each in scoring.parsers:
        make_parser(each)
    parsed = any((trees, trees_reference, trees_source))
    name = tokenize or ("none" if parsed else default_tokenizer(language))
    checks = _Checks(
        files.form,
        one_to_one=_one_to_one(scoring, given, named=metrics is not None),
    )
    for paths in (references, systems):
        checks.report.problems.extend(
            f"{display_name(path)}: {fault}" for path, fault in repeated_files(paths)
        )
    checks.read_texts([*references, *([source] if source else []), *systems], name)
    pairs = [(system, reference) for system in systems for reference in references]
    direct = checks.read_links(
        HYPOTHESIS_REFERENCE,
        links,
        pairs,
        f"{_systems(systems)} and {_references(references)}",
    )
    from_source = [
        checks.read_source_links(source, (sides, paths), texts, expected)
        for sides, paths, texts, expected in (
            ("hypothesis", source_hypothesis, systems, _systems(systems)),
            ("reference", source_reference, references, _references(references)),
        )
    ]
    if through_source:
        checks.join_links(*from_source)
    columns = [
        checks.read_trees(noun, paths, texts)
        for noun, paths, texts in (
            ("system", trees, systems),
            ("reference", trees_reference, references),
            ("source text", [trees_source] if trees_source else [], [source] if source else []),
        )
    ]
    if systems and references:
        if trees_source and not source:
            checks.report.problems.append("trees of the source need the source text; add -s FILE")
        found = (direct, *from_source)
        checks.make_run(
            (systems, references, source),
            found,
            columns,
            replace(scoring, tokenize=tokenize),
            through_source=through_source,
        )
    checks.report.notes += files.link_notes()
    return checks.report


def _one_to_one(settings: Settings, given: Links, *, named: bool) -> bool:
    """Return whether a word with several links stops a run: one of named metrics, or of any."""
    if OrderRule.parse(settings.rule).rule is not LinkRule.ONE_TO_ONE:
        return False
    if not named or any(map(is_group, settings.specifications)):
        return True
    offered = available(Texts(systems={}, references={}, links=given))
    wanted = [make_metric(each, language=settings.language) for each in settings.specifications]
    return any(
        "links" in each.needed(offered) and each.link_use is not LinkUse.ANY for each in wanted
    )


def _systems(systems: Sequence[str]) -> str:
    return counted(len(systems), "system")


def _references(references: Sequence[str]) -> str:
    return counted(len(references), "reference")


@dataclass(slots=True)
class _Checks:
    """What was read so far, and what is wrong with it."""

    form: LinkFormat
    one_to_one: bool
    report: ValidationReport = field(default_factory=ValidationReport)
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    words: dict[str, TokenColumn] = field(default_factory=dict)
    """The words of each text that could be read."""
    lines: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def read_texts(self, paths: Sequence[str], tokenizer_name: str) -> None:
        """Read texts, the first of which says how many segments there are."""
        check_tokenizer(tokenizer_name)
        try:
            count_together([TextStream(path) for path in paths if is_file(text_part(path).path)])
        except LongTextError as error:
            self.report.files += len({*paths})
            self.report.problems.append(error.for_command())
            return
        except InputError:  # which is told with all others
            pass
        for path in dict.fromkeys(paths):
            self.report.files += 1
            lines = self._lines(path)
            if lines is None:
                continue
            self.lines[path] = lines
            self.words[path] = token_column(lines, tokenizer_name, self.vocabulary)
            try:
                check_spaced(lines, where=display_name(path), name=tokenizer_name)
            except InputError as error:
                self.report.problems.append(error.for_command())
            self.report.empty += sum(not line.strip() for line in lines)
        self._check_counts()

    def _lines(self, path: str) -> tuple[str, ...] | None:
        lines, faults = checked_text_file(path)
        self.report.problems.extend(fault.for_command() for fault in faults)
        return lines

    def _check_counts(self) -> None:
        if not self.words:
            return
        first, expected = next((path, len(column)) for path, column in self.words.items())
        self.report.segments = expected
        for path, column in self.words.items():
            if len(column) != expected:
                self.report.problems.append(
                    f"{display_name(path)}: has {counted(len(column), 'line')}, but "
                    f"{display_name(first)} has {expected}; every text must have the same segments"
                )

    def read_links(
        self,
        sides: tuple[str, str],
        paths: Sequence[str],
        pairs: Sequence[tuple[str, str]],
        expected: str,
    ) -> list[LinkBatch | None]:
        """Read the links of pairs of texts; None stands for a file with a problem."""
        if not paths:
            return []
        if len(paths) != len(pairs):
            self.report.problems.append(
                f"{counted(len(paths), 'file')} of {sides[0]}-{sides[1]} links for {expected}; give "
                f"{len(pairs)}"
            )
            return []
        found = [self._links(path, pair, sides) for path, pair in zip(paths, pairs, strict=True)]
        if sides[0] != "source":
            for batch in found:
                self._check_shared_words(batch)
        return found

    def _links(self, path: str, pair: tuple[str, str], sides: tuple[str, str]) -> LinkBatch | None:
        self.report.files += 1
        first, second = (self.words.get(text) for text in pair)
        # Where a text could not be read, the links are still checked by themselves.
        lengths = None
        if first is not None and second is not None and len(first) == len(second):
            lengths = first.lengths, second.lengths
        segments = None if lengths else self.report.segments or None
        if self.form is LinkFormat.NAACL and lengths is None and segments is None:
            return None  # the format does not say how many segments there are, and no text does
        file, faults = checked_links(
            ByteSource(path), form=self.form, segments=segments, lengths=lengths, sides=sides
        )
        self.report.problems.extend(fault.for_command() for fault in faults)
        return file.sure if file is not None else None

    def read_source_links(
        self,
        source: str | None,
        given: tuple[str, Sequence[str]],
        texts: Sequence[str],
        expected: str,
    ) -> list[LinkBatch | None]:
        """Read the links of the source with each of some texts."""
        side, paths = given
        if paths and source is None:
            self.report.problems.append(f"source-{side} links need the source text; add -s FILE")
            return []
        pairs = [(source or "", text) for text in texts]
        return self.read_links(("source", side), paths, pairs, expected)

    def read_trees(
        self, noun: str, paths: Sequence[str], texts: Sequence[str]
    ) -> list[DependencyTreeColumn]:
        """Read the trees of texts; those whose text is not there are still checked by themselves."""
        if paths and texts and len(paths) != len(texts):
            self.report.problems.append(
                f"{counted(len(paths), 'file')} of trees for {counted(len(texts), noun)}; give "
                f"{len(texts)}"
            )
            texts = ()
        self.report.files += len(paths)
        columns = []
        for path, text in zip_longest(paths, texts[: len(paths)]):
            column, faults = checked_trees(
                ByteSource(path),
                words=self.words.get(text),
                vocabulary=self.vocabulary,
                text=display_name(text) if text else "the text",
                most=self._most_bytes(),
            )
            self.report.problems.extend(fault.for_command() for fault in faults)
            columns += [] if column is None else [column]
        return columns

    def _most_bytes(self) -> int | None:
        """Return how large a file may be that comes with the texts, if there are any."""
        if not self.words:
            return None
        return most_bytes(self.report.segments, max(len(each.ids) for each in self.words.values()))

    def make_run(
        self,
        texts: tuple[Sequence[str], Sequence[str], str | None],
        found: Sequence[Sequence[LinkBatch | None]],
        columns: Sequence[Sequence[DependencyTreeColumn]],
        settings: Settings,
        *,
        through_source: bool,
    ) -> None:
        """Make the run that score makes, unless something is wrong already; what stops it is a problem."""
        if self.report.problems:
            return
        systems, references, source = texts
        direct, *from_source = ([each for each in links if each is not None] for links in found)
        wide = len(references)
        links = Links(
            hypothesis_reference=tuple(
                tuple(direct[start : start + wide]) for start in range(0, len(direct), wide)
            ),
            source_hypothesis=tuple(from_source[0]),
            source_reference=tuple(from_source[1]),
            through_source=through_source,
        )
        given = Texts(
            systems={path: self.lines[path] for path in systems},
            references={path: self.lines[path] for path in references},
            source=(source, self.lines[source]) if source else None,
            links=links,
            trees=Trees(
                systems=columns[0], references=columns[1], source=next(iter(columns[2]), None)
            ),
        )
        self.report.notes = notes_of_texts(given)
        try:
            Run.of(given, settings)
        except InputError as error:
            self.report.problems.append(error.for_command())

    def join_links(
        self, to_hypotheses: Sequence[LinkBatch | None], to_references: Sequence[LinkBatch | None]
    ) -> None:
        """Check the hypothesis-reference links that source links make."""
        for one in to_hypotheses:
            for other in to_references:
                if one is not None and other is not None and len(one) == len(other):
                    self._check_shared_words(joined_links(one, other))

    def _check_shared_words(self, links: LinkBatch | None) -> None:
        """Report the first word with several links, once for all segments of a file."""
        if links is None or not self.one_to_one:
            return
        shared = links.shared_segments()
        if shared.size:
            segment, advice = int(shared[0]), MEAN_RULE
            more = (
                f" (and in {counted(shared.size - 1, 'more segment')})" if shared.size > 1 else ""
            )
            self.report.problems.append(
                f"{links.origin.where(segment)}: {links.shared_word(segment)}{more}; metrics of order take "
                f"one link a word under the rule one-to-one; {ANOTHER_RULE} {advice.option}"
            )
