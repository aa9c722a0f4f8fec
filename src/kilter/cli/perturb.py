"""`kilter perturb`: sentences with their words moved, exchanged or replaced."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from kilter import __version__
from kilter.cli.command import settings_command
from kilter.cli.console import print_message
from kilter.cli.fields import format_setting, number_range, quiet_setting
from kilter.core.errors import OptionError
from kilter.core.settings import BOUNDS, InputFile, argument, flag, mixed, setting
from kilter.io.compression import format_suffix
from kilter.io.conllu import read_conllu
from kilter.io.stream import ByteSource, display_name
from kilter.io.text import most_bytes, read_text
from kilter.io.text_file import read_text_file
from kilter.preordering.perturbations.perturbation import (
    DEGREES,
    PUBLISHED_TYPES,
    PerturbationType,
)
from kilter.preordering.perturbations.word import ends_in_punctuation
from kilter.preordering.perturbations.word_dependency_tree import (
    treebank_texts,
    word_trees,
)
from kilter.render.table.table import TableFormat, table_writer
from kilter.run.perturb import PerturbSettings, check_inputs, parsed_trees, perturb_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kilter.core.dependency_tree import DependencyTree
    from kilter.io.conllu import Treebank
    from kilter.run.perturb import PerturbedRow

_BLOCK = 1000
_COLUMNS = ("segment", "type", "degree", "variant", "text", "steps", "permutation", "reason")


@settings_command("perturb")
def command(
    *,
    text: InputFile = argument(description="Text, one sentence per line, or a CoNLL-U file."),
    types: tuple[str, ...] = setting(
        "-t",
        "--type",
        default=("order",),
        choices=(*map(str, PerturbationType), "all"),
        description="Kind of change; repeatable.  [default: order]",
    ),
    degrees: str = setting(
        "-d",
        "--degree",
        default="1-18",
        metavar="N[-N]",
        description="Number of words affected: N, or a range N-N.",
    ),
    settings: PerturbSettings = mixed(PerturbSettings),
    trees: InputFile | None = setting(default=None, description="Trees of the text (CoNLL-U)."),
    hypothesis: InputFile | None = setting(
        default=None, description="Translations that replacement words come from (choice)."
    ),
    trees_hypothesis: InputFile | None = setting(
        default=None, description="Trees of these translations (CoNLL-U)."
    ),
    case_files: tuple[InputFile, ...] = setting(
        "--case-from",
        default=(),
        description="Text that shows which words are capitalised; repeatable.",
    ),
    possible_only: bool = flag(description="Leave out changes that are impossible."),
    format: TableFormat = format_setting(default=TableFormat.JSONL),
    quiet: bool = quiet_setting(),
) -> None:
    """Move, swap or replace words of sentences; the degree is the number of words affected.

    TEXT has one sentence a line, or is a CoNLL-U file. The same seed gives the same result.
    In the result, steps count positions from 0, segment, variant and permutation from 1.

    \b
    Examples:
      kilter perturb reference.txt --degree 3
      kilter perturb reference.txt -t phrase --degree 3 --parser model
      kilter perturb reference.conllu -t swap -t phrase --degree 2-6 --variants 5
    """
    kinds = _kinds(types)
    asked = number_range(
        degrees,
        option="--degree",
        most=BOUNDS["degrees"][1],
        example=f"{DEGREES[0]}-{DEGREES[-1]}",
    )
    parser = settings.parser
    named = sum(name is not None for name in (hypothesis, trees_hypothesis))
    if named == 1 and not _holds_trees(hypothesis or "") and (parser is None or not hypothesis):
        raise OptionError(
            "--hypothesis and --trees-hypothesis belong together; give both, or the first with --parser"
        )
    check_inputs(
        kinds,
        trees=trees is not None or _holds_trees(text) or parser is not None,
        hypotheses=hypothesis is not None,
    )
    makes = _DependencyTreeMaker(settings)
    references, parsed = _read(text, trees, makes)
    others = None if hypothesis is None else _read(hypothesis, trees_hypothesis, makes)
    if parser is not None and not makes.used:
        raise OptionError(
            f"the parser {parser} would have nothing to do, because the trees are given; leave out the "
            "trees, or --parser"
        )
    rows = perturb_texts(
        references,
        kinds,
        trees=parsed,
        hypotheses=None if others is None or others[1] is None else (others[0], others[1]),
        case_texts=[line for name in case_files for line in read_text(name)] or None,
        drawing=replace(settings.drawing, degrees=asked),
    )
    missing = _write(rows, format, possible_only=possible_only)
    if not quiet:
        _report(missing)
        _tell_apart(references, display_name(text))


def _holds_trees(name: str) -> bool:
    return format_suffix(name) == ".conllu"


def _kinds(types: Sequence[str]) -> list[PerturbationType]:
    named = [str(kind) for kind in PUBLISHED_TYPES] if "all" in types else []
    return [PerturbationType(name) for name in dict.fromkeys([*named, *types]) if name != "all"]


@dataclass(slots=True)
class _DependencyTreeMaker:
    """How texts get trees: the parser, if there is one, and which tags count."""

    settings: PerturbSettings
    used: bool = False

    def of_treebank(
        self, treebank: Treebank, texts: Sequence[str], name: str
    ) -> tuple[DependencyTree, ...]:
        return word_trees(treebank, texts, text_name=name, tags=self.settings.tags)

    def of_texts(self, texts: Sequence[str], name: str) -> tuple[DependencyTree, ...] | None:
        if self.settings.parser is None:
            return None
        self.used = True
        return parsed_trees(
            texts,
            self.settings.parser,
            text_name=name,
            tags=self.settings.tags,
            cache=self.settings.cache,
            jobs=self.settings.jobs,
        )


def _read(
    name: str, trees: str | None, makes: _DependencyTreeMaker
) -> tuple[tuple[str, ...], tuple[DependencyTree, ...] | None]:
    """Return sentences and, where there are any, their trees."""
    if _holds_trees(name):
        if trees is not None:
            raise OptionError(f"{name} holds trees itself; leave the other file of trees out")
        treebank = read_conllu(ByteSource(name))
        texts = treebank_texts(treebank)
        return texts, makes.of_treebank(treebank, texts, name)
    texts = read_text_file(name)
    if trees is None:
        return texts, makes.of_texts(texts, display_name(name))
    most = most_bytes(len(texts), sum(map(len, texts)))
    treebank = read_conllu(ByteSource(trees), most=most)
    return texts, makes.of_treebank(treebank, texts, display_name(name))


def _write(
    rows: Iterator[PerturbedRow], form: TableFormat, *, possible_only: bool
) -> Counter[tuple[str, int]]:
    """Write rows, of text the sentences alone, and return how often each type and degree was impossible."""
    missing = Counter[tuple[str, int]]()

    def wanted() -> Iterator[PerturbedRow]:
        for row in rows:
            result = row.result
            if result.text is None:
                missing[str(result.type), result.degree] += 1
            if result.text is not None or not (possible_only or form is TableFormat.TEXT):
                yield row

    if form is TableFormat.TEXT:
        sys.stdout.writelines(f"{row.result.text}\n" for row in wanted())
    else:
        _write_table(wanted(), form)
    return missing


def _write_table(rows: Iterator[PerturbedRow], form: TableFormat) -> None:
    header = {"schema": "kilter.perturbation/1", "version": __version__}
    writer = table_writer(form, sys.stdout, _COLUMNS, header=header)
    writer.start()
    while block := [row.to_dict() for row in islice(rows, _BLOCK)]:
        writer.rows({name: [row[name] for row in block] for name in _COLUMNS})
    writer.end()


def _report(missing: Counter[tuple[str, int]]) -> None:
    by_type: dict[str, list[str]] = {}
    for (kind, degree), count in sorted(missing.items()):
        by_type.setdefault(kind, []).append(f"{count} of degree {degree}")
    for kind, said in by_type.items():
        print_message(f"impossible for {kind}: {', '.join(said)}")


def _tell_apart(texts: Sequence[str], name: str) -> None:
    """Say how many sentences end in punctuation that stands apart, because it does not stay at the end."""
    places = [place for place, text in enumerate(texts, start=1) if ends_in_punctuation(text)]
    if places:
        ends = "sentence ends" if len(places) == 1 else "sentences end"
        said = texts[places[0] - 1].split()
        print_message(
            f"{name}: {len(places)} {ends} in punctuation by itself, the first is sentence {places[0]}; it counts "
            f"as a word and moves as others do; to keep it at the end, write it without a blank: "
            f"{''.join(said[-2:])}"
        )
