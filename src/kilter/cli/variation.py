"""`kilter variation`: how several translations of one source differ."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kilter.cli.command import read_files, settings_command
from kilter.cli.console import print_result
from kilter.cli.fields import format_setting, segments_setting, source_setting
from kilter.cli.texts import system_names
from kilter.core.corpus import word_counts
from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.core.settings import Group, InputFile, OutputFile, argument, flag, setting
from kilter.io.conllu import read_trees
from kilter.io.link_format import LinkFormat
from kilter.io.links import read_links
from kilter.io.stream import ByteSource, refuse_repeated
from kilter.io.text_file import read_text_file
from kilter.render.table.table import TableFormat
from kilter.run.variation import Translation, read_translations, variation
from kilter.stats.resampling import Resampling

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


@dataclass(frozen=True, kw_only=True)
class VariationOptions:
    """What is compared, and how files are written."""

    translations: tuple[InputFile, ...] = argument(
        description="Translations of one source, words between blanks; without -s tables of CRITT TPR-DB."
    )
    source: InputFile | None = source_setting("The source text, words separated by spaces.")
    links: tuple[InputFile, ...] = setting(
        "-a", "--links", default=(), needs="source",
        description="Links of source and translation, one file for each translation.",
    )  # fmt: skip
    link_format: LinkFormat = setting(
        default=LinkFormat.PHARAOH,
        group=Group.INPUT,
        needs="source",
        description="How links are written.",
    )
    possible: bool = flag(
        group=Group.INPUT, needs="source", description="Use links that are only possible, too."
    )
    trees: InputFile | None = setting(
        default=None, description="Dependency trees of the source: which constructions vary most."
    )
    trees_target: tuple[InputFile, ...] = setting(
        default=(), needs="trees",
        description="Dependency trees of the translations, one file for each: SACr.",
    )  # fmt: skip
    people: tuple[str, ...] = setting(
        default=(),
        metavar="NAME",
        description="Human translation; give two or more for a ceiling.",
    )
    segments: OutputFile | None = segments_setting("segment values")
    words: OutputFile | None = segments_setting("source words")
    figure: OutputFile | None = setting(
        default=None,
        description="Draw translations by literality and variation: .svg, .png or .pdf.",
    )
    resampling: Resampling = field(default_factory=Resampling)
    format: TableFormat = format_setting()

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across options."""
        texts = counted(len(self.translations), "file")
        if self.source is not None and len(self.links) != len(self.translations):
            yield f"give {texts} of links with -a, one per translation"
        if self.trees_target and len(self.trees_target) != len(self.translations):
            yield f"give {texts} of trees with --trees-target, one per translation"
        if self.trees_target and self.source is None:
            yield "--trees-target needs texts and links: tables of TPR-DB do not hold links"


@settings_command("variation", heading=Group.SCORING)
def command(options: VariationOptions) -> None:
    """Measure how translations of one source vary: order, words, and how literal each is.

    \b
    Examples:
      kilter variation -s text.en -a a.links -a b.links a.de b.de --trees text.conllu
      kilter variation P01_T1.st P02_T1.st P03_T1.st
    """
    from kilter.render.chart.picture_file import check_picture_path, write_picture
    from kilter.render.chart.variation_picture import variation_picture
    from kilter.render.table.segment_file import check_segments_path, write_segments

    inputs = read_files(options)
    for path, name in ((options.segments, "segments"), (options.words, "words")):
        if path is not None:
            check_segments_path(path, inputs, called=f"--{name} {path}")
    if options.figure is not None:
        check_picture_path(options.figure, inputs, called=f"--figure {options.figure}")
    trees = None if options.trees is None else read_trees(options.trees)
    result = variation(
        _translations(options), trees=trees, people=options.people, resampling=options.resampling
    )
    if options.segments is not None:
        write_segments(result.segment_table(), options.segments)
    if options.words is not None:
        write_segments(result.word_table(), options.words)
    if options.figure is not None:
        write_picture(options.figure, variation_picture(result))
    print_result(result, options.format)


def _translations(options: VariationOptions) -> dict[str, Translation]:
    found: dict[str, Translation] = {}
    refuse_repeated(options.translations)
    names = system_names(options.translations)
    if options.source is None:
        for name, path in zip(names, options.translations, strict=True):
            for session, each in read_translations(ByteSource(path), name=name).items():
                if session in found:
                    raise OptionError(f"two tables hold the session {session}; leave one out")
                found[session] = each
        return found
    source = read_text_file(options.source)
    trees = None if options.trees is None else read_trees(options.trees)
    for place, (name, path) in enumerate(zip(names, options.translations, strict=True)):
        lines = read_text_file(path)
        file = read_links(
            ByteSource(options.links[place]),
            lengths=(word_counts(source), np.asarray(word_counts(lines))),
            form=options.link_format,
            sides=("source", "translation"),
        )
        both = None
        if options.trees_target and trees is not None:
            both = trees, read_trees(options.trees_target[place])
        links = file.all() if options.possible else file.sure
        found[name] = Translation.of(lines, source, links, trees=both, name=name)
    return found
