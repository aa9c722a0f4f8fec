"""What the commands over trees and rules share."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.cli.console import print_message, progress_bar
from kilter.cli.fields import quiet_setting, source_setting
from kilter.core.corpus import Vocabulary
from kilter.core.counted import counted
from kilter.core.dependency_tree import NO_NAME
from kilter.core.errors import InputError
from kilter.core.settings import Group, InputFile, argument, flag, like, setting
from kilter.io.compression import uncompressed_name
from kilter.io.conllu import holds_trees, read_trees
from kilter.io.reordering import ReorderingForm, form_of, read_reorderings
from kilter.io.stream import ByteSource, display_name, refuse_repeated
from kilter.io.text_file import read_text_file
from kilter.io.tokenizer import check_spaced, token_column
from kilter.parsers.registry import parser as make_parser
from kilter.preordering.dependency_tree_order import fires, head_tags
from kilter.run.parse import parse_sentences
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.preordering.rule_set import RuleSet


@dataclass(frozen=True, kw_only=True)
class ParsedSource:
    """Trees of one source: files, and parsers that are run; gold trees to measure parsers by."""

    trees: tuple[InputFile, ...] = argument(
        default=(), description="Parses of the source (CoNLL-U)."
    )
    parser: tuple[str, ...] = like(
        Settings,
        "parser",
        default=(),
        group=Group.INPUT,
        description="Parser to run besides TREES, or instead; repeatable.",
    )
    source: InputFile | None = source_setting("Source text for --parser and --lowercase-trees.")
    gold: InputFile | None = setting(
        default=None, description="Gold trees: add the accuracy of each parser."
    )
    lowercase_trees: bool = flag(
        group=Group.INPUT,
        description="TREES were parsed in lower case; restore the case.",
    )
    cache: str | None = like(
        Settings,
        "cache",
        description="Folder where parses are kept for later runs.",
    )
    quiet: bool = quiet_setting()

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        if not self.trees and not self.parser:
            yield "give TREES, or a parser to run with --parser"
        elif self.source is not None and not self.parser and not self.lowercase_trees:
            yield "--source is what --parser parses; name a parser"

    def read(
        self, reference: str, *, jobs: int, details: bool = False
    ) -> tuple[dict[str, DependencyTreeColumn], DependencyTreeColumn | None]:
        """Return the first parse of every sentence by parser, and gold trees if there are any; `details` as `read_first_parses` has it.

        Words of lower-cased trees come from the source, the gold trees or the references.
        """
        chosen = [make_parser(text) for text in self.parser]
        for place, parser in enumerate(chosen):
            if parser in chosen[:place]:
                raise click.UsageError(f"--parser {self.parser[place]} is given twice")
        quiet = self.quiet
        parses = {
            name: read_first_parses(path, quiet=quiet, details=details)
            for name, path in zip(parser_names(self.trees), self.trees, strict=True)
        }
        gold = None if self.gold is None else read_first_parses(self.gold, quiet=quiet)
        if self.lowercase_trees:
            text, cased = _cased(self.source, gold, reference)
            parses = {name: column.with_words(cased, text=text) for name, column in parses.items()}
        if chosen:
            sentences = _sentences(self.source, gold, parses, reference)
            for parser in chosen:
                with progress_bar(f"parsing with {parser.name}", quiet=quiet) as progress:
                    parses[parser.signature()] = parse_sentences(
                        sentences, parser, cache=self.cache, jobs=jobs, progress=progress
                    )
        note_joined(parses.values(), quiet=quiet)
        return parses, gold


def note_joined(columns: Iterable[DependencyTreeColumn], *, quiet: bool) -> None:
    """Say which trees had several roots; all but the first of them were attached to it."""
    for column in columns:
        if column.joined and not quiet:
            print_message(column.joined_note())


def note_idle(
    columns: Iterable[DependencyTreeColumn], rule_sets: Iterable[RuleSet], *, quiet: bool
) -> None:
    """Say which rule sets do nothing with some trees, because no rule is for the tags of their heads."""
    if quiet:
        return
    for column, rules in product(columns, rule_sets):
        if fires(column, rules):
            continue
        tags = head_tags(column)
        tagged = (
            "no tags, column UPOS is empty" if tags == [NO_NAME] else f"the tags {' '.join(tags)}"
        )
        named = "the trees" if column.origin is None else column.origin.name
        print_message(
            f"{named}: no rule of {rules.name} fires, all words stay in place; heads have {tagged}, and "
            f"the rules are for {' '.join(rule.name for rule in rules.rules)}"
        )


def read_first_parses(path: str, *, quiet: bool, details: bool = False) -> DependencyTreeColumn:
    """Return the first parse of every sentence of a file, and say if there are more.

    With `details` they have lemmas and fine tags, for rules that look at them.
    """
    column = read_trees(ByteSource(path), details=details)
    further = column.trees - len(column)
    if further and not quiet:
        print_message(
            f"{display_name(path)}: the first parse of each sentence counts; "
            f"{counted(further, 'further one')} left out"
        )
    return column.first_parses()


def parsed_text(
    path: str, parser: str, *, tokenize: str, cache: str | None, jobs: int, quiet: bool
) -> DependencyTreeColumn:
    """Return the trees of a text by a parser that is run on the spot."""
    chosen = make_parser(parser)
    lines = read_text_file(path)
    if holds_trees(lines):
        raise InputError(
            "holds trees in CoNLL-U, and --parser parses a text; leave --parser out, or give the text",
            where=display_name(path),
        )
    vocabulary = Vocabulary()
    words = token_column(lines, tokenize, vocabulary)
    check_spaced(lines, where=display_name(path), name=tokenize)
    names = vocabulary.words
    sentences = [[names[number] for number in words[k].tolist()] for k in range(len(words))]
    with progress_bar(f"parsing with {chosen.name}", quiet=quiet) as progress:
        return parse_sentences(sentences, chosen, cache=cache, jobs=jobs, progress=progress)


def split_lines(path: str) -> list[list[str]]:
    """Return the words of each line of a text, between blanks."""
    return [line.split() for line in read_text_file(path)]


def _cased(
    source: str | None, gold: DependencyTreeColumn | None, reference: str
) -> tuple[str, Sequence[Sequence[str]]]:
    """Return the words of a text as they are written, and what messages call it."""
    if source is not None:
        return display_name(source), split_lines(source)
    if gold is not None:
        return "the gold trees", gold.sentences()
    found = _reference_sources(reference)
    if found is not None:
        return display_name(reference), found
    raise click.UsageError(
        "--lowercase-trees needs the text as it is written; give --source FILE, --gold FILE, or references as .jsonl"
    )


def _sentences(
    source: str | None,
    gold: DependencyTreeColumn | None,
    parses: dict[str, DependencyTreeColumn],
    reference: str,
) -> Sequence[Sequence[str]]:
    if source is not None:
        return split_lines(source)
    given = next(iter(parses.values()), None) if gold is None else gold
    if given is not None:
        return given.sentences()
    found = _reference_sources(reference)
    if found is None:
        raise click.UsageError(
            "--parser needs a text to parse; give it with --source FILE, or references as .jsonl"
        )
    return found


def _reference_sources(reference: str) -> Sequence[Sequence[str]] | None:
    """Return the words that references say they reorder, which those of a .jsonl do."""
    if reference == "-" or form_of(reference) is not ReorderingForm.JSONL:
        return None
    return read_reorderings(ByteSource(reference)).sources


def parser_names(paths: Sequence[str]) -> list[str]:
    """Return what parsers are called: as their files, without folders and suffixes where that will do.

    >>> parser_names(["trees/malt.conllu.gz", "stanza.conllu"])
    ['malt', 'stanza']
    """
    refuse_repeated(paths)
    short = [_stem(path) for path in paths]
    return short if len(set(short)) == len(short) else [display_name(path) for path in paths]


def _stem(path: str) -> str:
    if path == "-":
        return "stdin"
    return uncompressed_name(Path(path).name).removesuffix(".conllu")


def changes(paths: Sequence[str], *, wait: float = 0.2) -> Iterator[str]:
    """Yield the path of a file whenever it has changed, for ever; a file that is gone is waited for."""
    known = {path: _stamp(path) for path in paths}
    while True:
        time.sleep(wait)
        for path in paths:
            stamp = _stamp(path)
            if stamp not in (None, known[path]):
                known[path] = stamp
                yield path


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
