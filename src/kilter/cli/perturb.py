"""`kilter perturb`: sentences with their words moved, exchanged or replaced."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import click

from kilter import __version__
from kilter.cli.command import FILE_NAME
from kilter.cli.number_range import number_range
from kilter.cli.option.execution import quiet_option, seed_option
from kilter.cli.option.form import choice, form_option
from kilter.cli.option.setting import setting_option
from kilter.cli.talk.standard_error import say
from kilter.core.errors import OptionError
from kilter.core.settings import BOUNDS
from kilter.io.conllu import read_conllu
from kilter.io.stream import ByteSource, display_name
from kilter.io.text import read_text
from kilter.io.text_file import read_text_file
from kilter.preordering.perturbations.perturbation import (
    ATTEMPTS,
    DEGREES,
    PUBLISHED_TYPES,
    PerturbationType,
)
from kilter.preordering.perturbations.word import ends_in_punctuation
from kilter.preordering.perturbations.word_dependency_tree import (
    TagColumn,
    treebank_texts,
    word_trees,
)
from kilter.render.table.table import TableFormat, table_writer
from kilter.run.perturb import DrawSettings, check_inputs, parsed_trees, perturb_texts
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kilter.core.dependency_tree import DependencyTree
    from kilter.io.conllu import Treebank
    from kilter.run.perturb import PerturbedRow

_CONLLU = (".conllu", ".conllu.gz", ".conllu.xz")
_BLOCK = 1000
_COLUMNS = ("segment", "type", "degree", "variant", "text", "steps", "permutation", "reason")


@click.command("perturb")
@click.argument("text", type=click.Path(allow_dash=True))
@click.option("-t", "--type", "types", multiple=True, default=("order",), show_default=True,
              type=click.Choice([*map(str, PerturbationType), "all"]),
              help="What happens to words; may be repeated. all: order, swap, phrase, choice.")  # fmt: skip
@click.option("-d", "--degree", "degrees", default="1-18", show_default=True, metavar="N[-N]",
              help="How many words are affected: one number, or a range.")  # fmt: skip
@click.option("--variants", default=1, show_default=True, type=click.IntRange(1),
              help="Different results for each sentence, type and degree.")  # fmt: skip
@click.option("--trees", type=FILE_NAME, metavar="FILE", help="Trees of the text in CoNLL-U.")
@click.option(
    "--hypothesis",
    type=FILE_NAME,
    metavar="FILE",
    help="Translations that choice takes words from.",
)
@click.option("--trees-hypothesis", type=FILE_NAME, metavar="FILE", help="Their trees in CoNLL-U.")
@setting_option(
    Settings, "parser", multiple=False, help="What makes the trees where none are given."
)
@click.option("--tags", default="upos", show_default=True, type=choice(TagColumn),
              help="Which tags say that two words are of one kind.")  # fmt: skip
@click.option("--case-from", "case_files", multiple=True, type=FILE_NAME, metavar="FILE",
              help="Sentences that say which words start with a capital; may be repeated.  [default: "
                   "the text]")  # fmt: skip
@click.option("--possible-only", is_flag=True, help="Leave out what is impossible.")
@click.option("--attempts", default=ATTEMPTS, show_default=True, type=click.IntRange(1),
              help="Draws before something counts as impossible.")  # fmt: skip
@seed_option
@form_option(TableFormat, "jsonl", "How to write the result.")
@setting_option(
    Settings,
    "cache",
    help="Folder that keeps what --parser makes for other runs; nothing is kept without it.",
)
@setting_option(
    Settings,
    "jobs",
    help="Threads of the parser; the result is the same for every number.",
)
@quiet_option
def command(
    *,
    text: str,
    types: tuple[str, ...],
    degrees: str,
    variants: int,
    trees: str | None,
    hypothesis: str | None,
    trees_hypothesis: str | None,
    parser: str | None,
    tags: str,
    case_files: tuple[str, ...],
    possible_only: bool,
    attempts: int,
    seed: int,
    form: str,
    cache: str | None,
    jobs: int,
    quiet: bool,
) -> None:
    """Move, exchange or replace words of sentences, by so many words as a degree says.

    TEXT has one sentence a line, or is a CoNLL-U file. The same seed gives the same result.

    \b
    Examples:
      kilter perturb reference.txt --degree 3
      kilter perturb reference.txt -t phrase --degree 3 --parser model
      kilter perturb reference.conllu -t swap -t phrase --degree 2-6 --variants 5
    """
    kinds = _kinds(types)
    asked = number_range(
        degrees, option="--degree", most=BOUNDS["degrees"][1], example=f"{DEGREES[0]}-{DEGREES[-1]}"
    )
    named = sum(name is not None for name in (hypothesis, trees_hypothesis))
    if (
        named == 1
        and not (hypothesis or "").endswith(_CONLLU)
        and (parser is None or not hypothesis)
    ):
        raise OptionError(
            "--hypothesis and --trees-hypothesis belong together; give both, or the first with --parser"
        )
    check_inputs(
        kinds,
        trees=trees is not None or text.endswith(_CONLLU) or parser is not None,
        hypotheses=hypothesis is not None,
    )
    makes = _DependencyTreeMaker(parser, TagColumn(tags), cache, jobs)
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
        drawing=DrawSettings(degrees=asked, variants=variants, seed=seed, attempts=attempts),
    )
    missing = _write(rows, TableFormat(form), possible_only=possible_only)
    if not quiet:
        _report(missing)
        _tell_apart(references, display_name(text))


def _kinds(types: Sequence[str]) -> list[PerturbationType]:
    named = [str(kind) for kind in PUBLISHED_TYPES] if "all" in types else []
    return [PerturbationType(name) for name in dict.fromkeys([*named, *types]) if name != "all"]


@dataclass(slots=True)
class _DependencyTreeMaker:
    """How texts get trees: the parser, if there is one, and which tags count."""

    parser: str | None
    tags: TagColumn
    cache: str | None
    jobs: int
    used: bool = False

    def of_treebank(
        self, treebank: Treebank, texts: Sequence[str], name: str
    ) -> tuple[DependencyTree, ...]:
        return word_trees(treebank, texts, text_name=name, tags=self.tags)

    def of_texts(self, texts: Sequence[str], name: str) -> tuple[DependencyTree, ...] | None:
        if self.parser is None:
            return None
        self.used = True
        return parsed_trees(
            texts,
            self.parser,
            text_name=name,
            tags=self.tags,
            cache=self.cache,
            jobs=self.jobs,
        )


def _read(
    name: str, trees: str | None, makes: _DependencyTreeMaker
) -> tuple[tuple[str, ...], tuple[DependencyTree, ...] | None]:
    """Return sentences and, where there are any, their trees."""
    if name.endswith(_CONLLU):
        if trees is not None:
            raise OptionError(f"{name} holds trees itself; leave the other file of trees out")
        treebank = read_conllu(ByteSource(name))
        texts = treebank_texts(treebank)
        return texts, makes.of_treebank(treebank, texts, name)
    texts = read_text_file(name)
    if trees is None:
        return texts, makes.of_texts(texts, display_name(name))
    return texts, makes.of_treebank(read_conllu(ByteSource(trees)), texts, display_name(name))


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
        say(f"impossible for {kind}: {', '.join(said)}")


def _tell_apart(texts: Sequence[str], name: str) -> None:
    """Say how many sentences end in punctuation that stands apart, because it does not stay at the end."""
    places = [place for place, text in enumerate(texts, start=1) if ends_in_punctuation(text)]
    if places:
        ends = "sentence ends" if len(places) == 1 else "sentences end"
        said = texts[places[0] - 1].split()
        say(
            f"{name}: {len(places)} {ends} in punctuation by itself, the first is sentence {places[0]}; it counts "
            f"as a word and moves as others do; to keep it at the end, write it without a blank: "
            f"{''.join(said[-2:])}"
        )
