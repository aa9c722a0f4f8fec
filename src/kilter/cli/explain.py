"""`kilter explain`: one segment in full, in words, numbers and pictures."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kilter.cli.command import given_names, read_files, settings_command
from kilter.cli.console import page_width, print_notes, progress_bar, shows_colour
from kilter.cli.fields import (
    format_setting,
    lower_is_better_setting,
    quiet_setting,
    scores_setting,
)
from kilter.cli.permutation.structure import ChosenPermutationTrees, WhichPermutationTrees
from kilter.cli.texts import TextFiles
from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.core.settings import Group, OutputFile, argument, declared, flag, mixed, setting
from kilter.core.spans import Spans
from kilter.io.output import check_output, written
from kilter.io.spans.entry import SpanFormatName
from kilter.render.explanation.picture import PictureName, picture
from kilter.run.explanation.segment_choice import ErrorChoice, GivenSegmentScores, SegmentChoice
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from kilter.results.document import Document
    from kilter.results.explanation import Explanation
    from kilter.run.explanation.system_errors import SystemErrors
    from kilter.run.scoring.corpus import Texts


class ExplainForm(StrEnum):
    """How an explanation is written."""

    TEXT = "text"
    JSON = "json"
    SVG = "svg"
    HTML = "html"
    NUMBERED = "numbered"
    SPANS = "spans"
    TAGS = "tags"
    BINARY_TAGS = "binary-tags"
    PEARMUT = "pearmut"
    ESA = "esa"
    MQM = "mqm"
    XCOMET = "xcomet"
    WMT = "wmt"
    MTME = "mtme"
    M2 = "m2"
    LABEL_STUDIO = "label-studio"
    DOCCANO = "doccano"


_NARROWEST = 30
"""Columns below which lines are broken no further."""
_OF_OTHERS = tuple(each for each in ExplainForm if each in [*SpanFormatName] and each != "tags")
"""How other tools write spans; see `kilter.io.spans`."""
_OF_ALL = (ExplainForm.SPANS, ExplainForm.TAGS, ExplainForm.BINARY_TAGS, *_OF_OTHERS)
"""What is written of all segments."""


@dataclass(frozen=True, kw_only=True)
class ExplainOptions:
    """What is explained, and how it is shown."""

    texts: tuple[str, ...] = argument(metavar="HYPOTHESIS REFERENCE | SYSTEMS...")
    files: TextFiles = mixed(
        TextFiles,
        without=("systems",),
        references="Reference of SYSTEMS; repeatable.",
    )
    choice: SegmentChoice = field(default_factory=SegmentChoice)
    scores: Mapping[str, str] = scores_setting(
        "Segment scores that --worst and --largest-difference use."
    )
    lower_is_better: tuple[str, ...] = lower_is_better_setting()
    summary: bool = flag(
        description="Summarise the order errors of all segments.", group=Group.OUTPUT
    )
    errors: ErrorChoice = field(default_factory=ErrorChoice)
    settings: Settings = mixed(Settings, without=("resampling",))
    which: WhichPermutationTrees = setting(
        "--permutation-trees",
        default=WhichPermutationTrees.FLATTENED,
        group=Group.OUTPUT,
        description="Which permutation trees to show.",
    )
    most: int = setting(
        "--max-trees",
        old=("--most",),
        default=1000,
        low=1,
        group=Group.OUTPUT,
        description="With --permutation-trees: maximum number.",
    )
    format: ExplainForm = format_setting(
        default=ExplainForm.TEXT,
        description="Output format.",
    )
    picture: PictureName = setting(
        default=PictureName.LINKS,
        group=Group.OUTPUT,
        description="With --format svg: what to draw.",
    )
    output: OutputFile | None = setting(
        "-o", "--output", default=None, description="Write to FILE."
    )
    work: bool = flag(
        group=Group.OUTPUT,
        description="Show how each score is computed (also: name it with -m).",
    )
    no_color: bool = flag(group=Group.OUTPUT, description="Print without colours.")
    quiet: bool = quiet_setting()

    def text_files(self) -> TextFiles:
        """Return the files of the systems, whose names are no sentences here."""
        return replace(self.files, systems=self.texts)

    def problems(self, given: Collection[str]) -> Iterator[str]:
        """Yield what was given and nobody would look at."""
        whole = self.summary or self.format in _OF_ALL
        is_text = self.format is ExplainForm.TEXT and not whole
        chooses = "explanations of segments; --summary, spans and tags are of all segments"
        several = "--largest-difference or --summary"
        counts = bool(self.choice.largest_difference) or self.summary
        by_score = bool(self.choice.worst or self.choice.largest_difference)
        if len(self.scores) > 1:
            yield "segments are chosen by one metric; give --scores once"
        flattened = self.which is WhichPermutationTrees.FLATTENED
        for name, fits, goes_with in (
            (
                "summary",
                self.format in (ExplainForm.TEXT, ExplainForm.JSON),
                "--format text or json",
            ),
            ("segments", not whole, chooses),
            ("worst", not whole, chooses),
            ("worst_order", not whole, chooses),
            ("largest_difference", not whole, chooses),
            ("picture", self.format is ExplainForm.SVG, "--format svg"),
            ("which", is_text, "--format text"),
            ("work", is_text, "--format text"),
            ("no_color", is_text, "--format text"),
            ("most", not flattened, "--permutation-trees all or weak"),
            ("count", counts, several),
            ("scores", by_score, "--worst or --largest-difference"),
        ):
            if name in given and not fits:
                yield f"{declared(ExplainOptions)[name].called} goes with {goes_with}"
        named = [*self.texts, *self.files.references, self.files.source]
        if self.files.references and "-" in self.texts and named.count("-") > 1:
            yield "only one input can come from standard input"


@settings_command("explain", heading=Group.SCORING)
def command(options: ExplainOptions) -> None:
    """Explain a segment: which words are out of order, where they belong, and how it scores.

    Give two sentences in quotes, or files with -r and a choice of segments.

    \b
    Examples:
      kilter explain "the mat sat on the cat" "the cat sat on the mat"
      kilter explain -r reference.txt system.txt --segment 3 -m kendall -m pef
      kilter explain -r reference.txt a.txt b.txt --largest-difference a b -m bleu
      kilter explain -r reference.txt system.txt --worst-order 5 --format html -o worst.html
      kilter explain -r reference.txt a.txt b.txt --summary
      kilter explain -r reference.txt system.txt --format spans > spans.jsonl
      kilter explain -r reference.txt -s source.txt system.txt --format pearmut > campaign.json
    """
    output, quiet = options.output, options.quiet
    if output is not None:
        inputs = [*read_files(options), *options.texts] if options.files.references else []
        check_output(output, inputs, called=f"-o {output}")
    if options.summary or options.format in _OF_ALL:
        texts, located = _located(options)
        if options.format in _OF_OTHERS:
            source = None if texts.source is None else texts.source[1]
            parts = _marked(located, options.format, source)
        else:
            parts = _all_errors(located, options.format, options.choice.count)
        _write(parts, output)
        hidden = [] if options.summary else [system.left_out_note for system in located]
        notes = [note for system in located for note in system.notes]
        print_notes(dict.fromkeys((*hidden, *notes)), quiet=quiet)
        return
    explanations = _explained(options)
    trees = ChosenPermutationTrees(which=options.which, branching=None, most=options.most)
    if options.format is ExplainForm.JSON:
        result = "".join(_json(explanation.to_dict()) for explanation in explanations)
    elif options.format is ExplainForm.SVG:
        result = _drawn(explanations, options.picture)
    elif options.format is ExplainForm.NUMBERED:
        from kilter.render.explanation.numbered_words import numbered_explanation

        result = "\n".join(map(numbered_explanation, explanations))
    elif options.format is ExplainForm.HTML:
        from kilter.render.explanation.page import explanation_page

        result = explanation_page(explanations)
    else:
        from kilter.render.explanation.terminal import TerminalPage

        page = TerminalPage(
            width=page_width(narrowest=_NARROWEST),
            colour=output is None and shows_colour(refused=options.no_color),
        )
        if options.work or {"metrics", "which"} & given_names():
            result = "\n".join(page.work(each, _trees(each, trees)) for each in explanations)
        else:
            result = "\n".join(map(page.text, explanations))
    _write([result], output)


def _write(parts: Iterable[str], output: str | None) -> None:
    if output is None:
        sys.stdout.writelines(parts)
    else:
        with written(output) as out:
            for part in parts:
                out.write(part.encode())


def _located(options: ExplainOptions) -> tuple[Texts, tuple[SystemErrors, ...]]:
    if not options.files.references:
        raise OptionError("--summary, spans and tags are of files; name the reference with -r")
    from kilter.run.explanation.system_errors import locate_texts

    texts = options.text_files().read()
    _say_text_notes(texts, quiet=options.quiet)
    with progress_bar("locating errors", quiet=options.quiet) as progress:
        return texts, locate_texts(texts, options.settings, options.errors, progress=progress)


def _say_text_notes(texts: Texts, *, quiet: bool) -> None:
    """Tell what seems to be wrong with the texts, as score and compare do."""
    from kilter.run.scoring.text_note import notes_of_texts

    print_notes((*texts.notes, *notes_of_texts(texts)), quiet=quiet)


def _marked(
    systems: Sequence[SystemErrors], form: ExplainForm, source: Sequence[str] | None
) -> Iterator[str]:
    """Yield the errors of all systems as a file of another tool."""
    from kilter.io.spans.format import write_spans

    segments = [each for system in systems for each in system.marked(source)]
    yield from write_spans(Spans(tuple(segments)), form=form)


def _all_errors(systems: Sequence[SystemErrors], form: ExplainForm, count: int) -> Iterator[str]:
    """Yield what is written about all segments, part by part."""
    if form in (ExplainForm.TAGS, ExplainForm.BINARY_TAGS):
        if len(systems) != 1:
            raise OptionError(
                f"there are {counted(len(systems), 'system')}, and lines of tags do not say whose they are; "
                "give one"
            )
        binary = form == ExplainForm.BINARY_TAGS
        yield from (f"{line}\n" for line in systems[0].tags(binary=binary))
    elif form == ExplainForm.SPANS:
        yield from (_json(document) for system in systems for document in system.spans())
    elif form == ExplainForm.JSON:
        yield from (_json(system.summary.to_dict()) for system in systems)
    else:
        from kilter.render.table.page import Page
        from kilter.render.table.table import TableFormat

        out = StringIO()
        for place, system in enumerate(systems):
            out.write("\n" if place else "")
            Page(out, TableFormat.TEXT, page_width()).write(system.summary.tables(count))
        yield out.getvalue()


def _explained(options: ExplainOptions) -> Sequence[Explanation]:
    if not options.files.references:
        if options.choice != SegmentChoice():
            raise OptionError(
                "segments are chosen of files; name the reference with -r, or leave the choice out"
            )
        return [replace(_of_sentences(options), system=None, segment=None)]
    from kilter.run.explanation.explain import explain_texts

    texts = options.text_files().read()
    _say_text_notes(texts, quiet=options.quiet)
    with progress_bar("scoring systems", quiet=options.quiet) as progress:
        return explain_texts(
            texts,
            options.settings,
            options.choice,
            errors=options.errors,
            given=_given_scores(options),
            progress=progress,
        )


def _given_scores(
    options: ExplainOptions,
) -> Callable[[Sequence[str], int], GivenSegmentScores] | None:
    """Return what reads the scores of another metric, if one is to choose segments."""
    if not options.scores:
        return None
    ((name, path),) = options.scores.items()

    def read(systems: Sequence[str], segments: int) -> GivenSegmentScores:
        given = GivenSegmentScores.read(
            path, systems, segments, name=name, lower_is_better=options.lower_is_better
        )
        print_notes(given.notes(), quiet=options.quiet)
        return given

    return read


def _of_sentences(options: ExplainOptions) -> Explanation:
    texts, files = options.texts, options.files
    if len(texts) != 2:
        raise click.UsageError(
            f"{counted(len(texts), 'argument')} and no reference: give a hypothesis and a reference, each in "
            "quotes, or files with -r"
        )
    if all(text and _is_file(text) for text in texts):
        raise OptionError(
            f"{texts[0]} and {texts[1]} are files, and would be read as sentences; name the reference with -r"
        )
    for name, given in (("source", files.source), ("column", files.columns), ("name", files.names)):
        if given:
            raise OptionError(f"--{name} goes with files; two sentences have none")
    from kilter.run.explanation.explain import explain_texts, sentences
    from kilter.run.scoring.corpus import ALONE, Texts

    pair = Texts(systems={ALONE: (texts[0],)}, references={"reference": (texts[1],)},
                 files={ALONE: "hypothesis"})  # fmt: skip
    given_texts = files.structures.beside(sentences(pair))
    every = replace(options.errors, every=True)
    (found,) = explain_texts(given_texts, options.settings, errors=every)
    return found


def _is_file(text: str) -> bool:
    """Return whether a sentence is the name of a file; most are too long for one."""
    try:
        return Path(text).is_file()
    except OSError:
        return False


def _trees(explanation: Explanation, trees: ChosenPermutationTrees) -> Any:
    if trees.which is WhichPermutationTrees.FLATTENED or not explanation.permutation:
        return ()
    place = f"segment {explanation.segment}" if explanation.segment else "the hypothesis"
    return trees.of(explanation.permutation, place)


def _json(document: Document) -> str:
    return json.dumps(document, ensure_ascii=False) + "\n"


def _drawn(explanations: Sequence[Explanation], name: PictureName) -> str:
    if len(explanations) != 1:
        raise OptionError(
            f"{counted(len(explanations), 'segment')} are chosen, and an SVG picture holds one; choose one "
            "with --segment, or write HTML"
        )
    return picture(explanations[0], name)
