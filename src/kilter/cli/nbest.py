"""N-best lists as commands read them, beside their references and source."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from kilter.cli.console import print_notes, progress_bar
from kilter.cli.fields import with_column, with_columns
from kilter.core.errors import OptionError
from kilter.core.links import LinkBatch, LinkOrigin
from kilter.io.nbest import grouped, read_nbest
from kilter.io.stream import ByteSource, display_name, refuse_repeated
from kilter.io.text_file import read_text_file
from kilter.metrics.registry import is_group, metric
from kilter.render.table.table import FULL_FORMATS, TableFormat, table_writer
from kilter.run.scoring.corpus import ALONE, Texts
from kilter.run.scoring.measurement import measure
from kilter.run.scoring.metric_choice import REFERENCE_LINKS, SOURCE_LINKS
from kilter.run.scoring.nbest import nbest_table, nbest_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.cli.texts import TextFiles
    from kilter.io.nbest import NbestEntry
    from kilter.run.scoring.settings import Settings
    from kilter.run.scoring.structure_files import StructureFiles


def read_lists(path: str, segments: int | None) -> list[list[NbestEntry]]:
    """Return the candidates of each segment; as many segments as there are, or as the list itself names."""
    candidates = read_nbest(ByteSource(path))
    count = 1 + max(each.segment for each in candidates) if segments is None else segments
    return grouped(candidates, count, where=display_name(path))


def read_beside(
    references: Sequence[str], source: str | None, columns: Mapping[str, str]
) -> Texts | None:
    """Return references and source of a list; None where there are no references."""
    refuse_repeated(references)
    references = with_columns(references, columns, "reference")
    source = with_column(source, columns, "source")
    if not references:
        if source:
            raise OptionError(
                "a source alone is looked at by nothing; give references with -r FILE"
            )
        return None
    return Texts(
        systems={},
        references={display_name(path): read_text_file(path) for path in references},
        source=(display_name(source), read_text_file(source)) if source else None,
    )


def texts_of(lists: Sequence[Sequence[NbestEntry]]) -> list[list[str]]:
    """Return the translations of each segment."""
    return [[each.text for each in group] for group in lists]


def linked_texts(
    groups: Sequence[Sequence[NbestEntry]],
    beside: Texts,
    files: StructureFiles,
    metrics: Sequence[str],
) -> Texts:
    """Return every candidate as a segment, with links from files or, where a metric asks, from the list itself.

    Files have a line for each candidate, in the order of the list.
    """
    links = files.named_links(replace(beside, systems={ALONE: ()}))
    candidates = [each for group in groups for each in group]
    if (
        beside.source is not None
        and not links.source_hypothesis
        and all(each.links is not None for each in candidates)
        and _takes_source_links(metrics, reference=bool(links.source_reference))
    ):
        by_line = sorted(candidates, key=lambda each: each.line)
        own = LinkBatch.of([each.links or () for each in by_line])
        named = replace(own, origin=LinkOrigin("the alignment field of the list"))
        links = replace(links, source_hypothesis=(named,))
    rows = [each.line - 1 for each in candidates]
    return nbest_texts(texts_of(groups), beside, links, rows=rows)


def _takes_source_links(metrics: Sequence[str], *, reference: bool) -> bool:
    """Return whether a metric looks at links of source and hypothesis, if there are any."""
    offered = {"words", "text", "links", "source", SOURCE_LINKS}
    offered |= {REFERENCE_LINKS} if reference else set()
    return any(is_group(name) or SOURCE_LINKS in metric(name).needed(offered) for name in metrics)


def write_nbest_scores(
    files: TextFiles, settings: Settings, form: TableFormat, *, quiet: bool
) -> None:
    """Write the scores and statistics of every candidate of a list."""
    if len(files.systems) != 1:
        raise OptionError("--nbest takes one list at a time")
    if files.structures.any_trees():
        raise OptionError("trees are those of texts, not of n-best lists; leave them out")
    beside = read_beside(files.references, files.source, files.columns)
    if beside is None:
        raise OptionError("give references with -r FILE")
    segments = len(next(iter(beside.references.values())))
    groups = read_lists(files.systems[0], segments)
    lists = texts_of(groups)
    texts = linked_texts(groups, beside, files.structures, settings.specifications)
    with progress_bar("scoring candidates", quiet=quiet) as progress:
        found = measure(texts, settings, progress=progress)
    table = nbest_table(found, lists)
    written = form if form in FULL_FORMATS else TableFormat.TSV
    writer = table_writer(written, sys.stdout, table.names, header={"system": ALONE})
    writer.start()
    columns = {name: table[name] for name in table.names}
    writer.rows(
        {name: each.tolist() if each.dtype == object else each for name, each in columns.items()}
    )
    writer.end()
    print_notes(found.notes, quiet=quiet)
