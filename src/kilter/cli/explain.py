"""`kilter explain`: one segment in full, in words, numbers and pictures."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from enum import StrEnum
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from kilter.cli.command import FILE_NAME, WholeNumber
from kilter.cli.option.form import choice, form_option
from kilter.cli.option.input_text import references_option
from kilter.cli.option.setting import chosen_settings
from kilter.cli.option.text import measured_text_options, read_files, read_inputs, structure_files
from kilter.cli.permutation.structure import ChosenPermutationTrees, WhichPermutationTrees
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.standard_error import say
from kilter.cli.talk.terminal import page_width, shows_colour
from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.io.output import check_output, written
from kilter.render.explanation.picture import PictureName, picture
from kilter.run.explanation.segment_choice import FEW, SegmentChoice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kilter.cli.option.option_list import Options
    from kilter.results.document import Document
    from kilter.results.explanation import Explanation
    from kilter.run.explanation.segment_choice import ErrorChoice
    from kilter.run.explanation.system_errors import SystemErrors


class ExplainForm(StrEnum):
    """How an explanation is written."""

    TEXT = "text"
    JSON = "json"
    SVG = "svg"
    HTML = "html"
    SPANS = "spans"
    TAGS = "tags"
    BINARY_TAGS = "binary-tags"


_NARROWEST = 30
"""Columns below which lines are broken no further."""
_OF_ALL = (ExplainForm.SPANS, ExplainForm.TAGS, ExplainForm.BINARY_TAGS)
"""What is written of all segments."""


@click.command("explain")
@click.argument("texts", nargs=-1, required=True, metavar="HYPOTHESIS REFERENCE | SYSTEMS...")
@references_option("The reference of SYSTEMS; once for each, if there are several.")
@click.option("--segment", "segments", multiple=True, type=click.IntRange(min=1), metavar="N",
              help="A segment by its number, counted from 1; may be repeated.")  # fmt: skip
@click.option("--worst", type=WholeNumber("worst"), metavar="N",
              help="The N segments of each system that score worst by the first metric (kilter, if none is named).")  # fmt: skip
@click.option("--worst-order", type=WholeNumber("worst_order"), metavar="N",
              help="The N segments of each system that lose most by order errors, and not by missing words.")  # fmt: skip
@click.option("--largest-difference", nargs=2, metavar="A B",
              help="The segments in which these systems differ most by the first metric.")  # fmt: skip
@click.option("--count", type=click.IntRange(min=1), default=FEW, show_default=True, metavar="N",
              help="With --largest-difference: how many segments; with --summary: how many rows of a table.")  # fmt: skip
@click.option("--summary", is_flag=True,
              help="Sum up the order errors of all segments: by word, distance, length, and with trees by their labels.")  # fmt: skip
@click.option("--all", "every", is_flag=True,
              help="Show doubtful errors too, not only those that are worth a look.")  # fmt: skip
@click.option("--ignore", "ignored", multiple=True, metavar="CLASS",
              help="Leave out errors of words that are all short (fewer than 4 letters), numbers, or of a tag such as ADV (with trees); repeatable.")  # fmt: skip
@measured_text_options
@click.option("--permutation-trees", "which", type=choice(WhichPermutationTrees), default="flattened",
              show_default=True, help="Show one permutation tree, all of them, or all weak factorizations.")  # fmt: skip
@click.option("--most", default=1000, show_default=True, type=click.IntRange(min=1),
              help="With --permutation-trees: a permutation with more of them is an error.")  # fmt: skip
@form_option(
    ExplainForm, "text", "How to write the explanation; json is an object a line, for each segment."
)
@click.option("--picture", type=choice(PictureName), default="links", show_default=True,
              help="With --format svg: which picture.")  # fmt: skip
@click.option(
    "-o", "--output", type=FILE_NAME, metavar="FILE", help="Write to a file.  [default: -]"
)
@click.option("--no-color", is_flag=True, help="Write without colours, as where NO_COLOR is set.")
@click.pass_context
def command(
    context: click.Context,
    /,
    *,
    texts: tuple[str, ...],
    summary: bool,
    form: str,
    which: str,
    most: int,
    picture: str,
    output: str | None,
    no_color: bool,
    **options: Any,
) -> None:
    """Explain a segment: what is linked, what is out of order, and how each score comes about.

    Two sentences by themselves, or segments of files: then -r names the reference.

    What is out of order is the fewest moves of blocks of words that restore the order of the reference. A move is
    a swap of two neighbours; a word or a phrase that stands elsewhere, where one of the two blocks that change
    places is clearly the smaller; an inversion, where both have several words and the longer less than one and a
    half times as many as the shorter; or complex, where no block moves alone.

    \b
    Examples:
      kilter explain "the mat sat on the cat" "the cat sat on the mat"
      kilter explain -r reference.txt system.txt --segment 3 -m kendall -m pef
      kilter explain -r reference.txt a.txt b.txt --largest-difference a b -m bleu
      kilter explain -r reference.txt system.txt --worst-order 5 --format html -o worst.html
      kilter explain -r reference.txt a.txt b.txt --summary
      kilter explain -r reference.txt system.txt --format spans > spans.jsonl
    """
    _check_use(context, form)
    options["systems"] = texts
    if output is not None:
        check_output(
            output, read_files(options) if options["references"] else (), called=f"-o {output}"
        )
    if summary or form in _OF_ALL:
        located = _located(options)
        _write(_all_errors(located, form, options["count"]), output)
        if not options["quiet"]:
            hidden = [] if summary else [system.left_out_note for system in located]
            for note in (*hidden, *(note for system in located for note in system.notes)):
                if note:
                    say(note)
        return
    explanations = _explained(texts, options)
    trees = ChosenPermutationTrees(which=WhichPermutationTrees(which), branching=None, most=most)
    if form == ExplainForm.JSON:
        result = "".join(_json(explanation.to_dict()) for explanation in explanations)
    elif form == ExplainForm.SVG:
        result = _drawn(explanations, PictureName(picture))
    elif form == ExplainForm.HTML:
        from kilter.render.explanation.page import explanation_page

        result = explanation_page(explanations)
    else:
        from kilter.render.explanation.terminal import TerminalPage

        page = TerminalPage(
            width=page_width(narrowest=_NARROWEST),
            colour=output is None and shows_colour(refused=no_color),
        )
        result = "\n".join(page.text(each, _trees(each, trees)) for each in explanations)
    _write([result], output)


def _write(parts: Iterable[str], output: str | None) -> None:
    if output is None:
        sys.stdout.writelines(parts)
    else:
        with written(output) as out:
            for part in parts:
                out.write(part.encode())


def _check_use(context: click.Context, form: str) -> None:
    """Raise an `OptionError` for an option that nobody would look at."""
    whole = context.params["summary"] or form in _OF_ALL
    chooses = "explanations of segments; --summary, spans and tags are of all segments"
    several = "--largest-difference or --summary"
    for option, fits, goes_with in (
        ("summary", form in (ExplainForm.TEXT, ExplainForm.JSON), "--format text or json"),
        ("segments", not whole, chooses),
        ("worst", not whole, chooses),
        ("worst_order", not whole, chooses),
        ("largest_difference", not whole, chooses),
        ("picture", form == ExplainForm.SVG, "--format svg"),
        ("which", form == ExplainForm.TEXT and not whole, "--format text"),
        ("no_color", form == ExplainForm.TEXT and not whole, "--format text"),
        ("most", context.params["which"] != "flattened", "--permutation-trees all or weak"),
        ("count", bool(context.params["largest_difference"]) or context.params["summary"], several),
    ):
        given = context.get_parameter_source(option) is ParameterSource.COMMANDLINE
        if given and not fits:
            (named,) = (each.opts[-1] for each in context.command.params if each.name == option)
            raise OptionError(f"{named} goes with {goes_with}")


def _located(options: Options) -> tuple[SystemErrors, ...]:
    if not options["references"]:
        raise OptionError("--summary, spans and tags are of files; name the reference with -r")
    from kilter.run.explanation.system_errors import locate_texts

    inputs = read_inputs(options)
    with progress_bar("locating errors", quiet=options["quiet"]) as progress:
        return locate_texts(
            inputs.texts, inputs.settings, _error_choice(options), progress=progress
        )


def _all_errors(systems: Sequence[SystemErrors], form: str, count: int) -> Iterator[str]:
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
        from kilter.render.table.error_summary import write_error_summaries

        page = StringIO()
        summaries = [system.summary for system in systems]
        write_error_summaries(summaries, page, most=count, width=page_width())
        yield page.getvalue()


def _explained(texts: Sequence[str], options: Options) -> Sequence[Explanation]:
    largest = options["largest_difference"]
    chosen = SegmentChoice(
        segments=tuple(options["segments"]),
        worst=options["worst"],
        worst_order=options["worst_order"],
        largest_difference=tuple(largest) if largest else None,
        count=options["count"],
    )
    if not options["references"]:
        if chosen != SegmentChoice():
            raise OptionError(
                "segments are chosen of files; name the reference with -r, or leave the choice out"
            )
        return [replace(_of_sentences(texts, options), system=None, segment=None)]
    from kilter.run.explanation.explain import explain_texts

    inputs = read_inputs(options)
    with progress_bar("scoring systems", quiet=options["quiet"]) as progress:
        return explain_texts(
            inputs.texts,
            inputs.settings,
            chosen,
            errors=_error_choice(options),
            progress=progress,
        )


def _of_sentences(texts: Sequence[str], options: Options) -> Explanation:
    if len(texts) != 2:
        raise click.UsageError(
            f"{counted(len(texts), 'argument')} and no reference: give a hypothesis and a reference, each in "
            "quotes, or files with -r"
        )
    if all(text and _is_file(text) for text in texts):
        raise OptionError(
            f"{texts[0]} and {texts[1]} are files, and would be read as sentences; name the reference with -r"
        )
    for name in ("source", "columns", "names"):
        if options[name]:
            raise OptionError(
                f"--{name.removesuffix('s')} goes with files; two sentences have none"
            )
    from kilter.run.explanation.explain import explain_texts, sentences
    from kilter.run.scoring.corpus import ALONE, Texts

    pair = Texts(systems={ALONE: (texts[0],)}, references={"reference": (texts[1],)},
                 files={ALONE: "hypothesis"})  # fmt: skip
    given = structure_files(options).beside(sentences(pair))
    (found,) = explain_texts(
        given, chosen_settings(options), errors=_error_choice({**options, "every": True})
    )
    return found


def _error_choice(options: Options) -> ErrorChoice:
    from kilter.run.explanation.segment_choice import ErrorChoice

    return ErrorChoice(every=options["every"], ignored=tuple(options["ignored"]))


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
