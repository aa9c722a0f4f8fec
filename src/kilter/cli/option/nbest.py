"""N-best lists as commands read them, beside their references and source."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from kilter.cli.option.input_text import with_columns
from kilter.cli.option.setting import chosen_settings
from kilter.cli.option.text import structure_files
from kilter.cli.talk.progress import progress_bar
from kilter.cli.talk.standard_error import say
from kilter.errors import OptionError
from kilter.formats.nbest import grouped, read_nbest
from kilter.formats.stream import ByteSource, display_name, refuse_repeated
from kilter.formats.text_file import read_text_file
from kilter.pipeline.scoring.corpus import ALONE, Texts
from kilter.pipeline.scoring.measurement import measure
from kilter.pipeline.scoring.nbest import nbest_table, nbest_texts
from kilter.pipeline.scoring.structure_files import StructureFiles
from kilter.reports.table.table import FULL_FORMATS, TableFormat, table_writer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.cli.option.option_list import Options
    from kilter.formats.nbest import NbestEntry


def read_lists(path: str, segments: int | None) -> list[list[NbestEntry]]:
    """Return the candidates of each segment; as many segments as there are, or as the list itself names."""
    candidates = read_nbest(ByteSource(path))
    count = 1 + max(each.segment for each in candidates) if segments is None else segments
    return grouped(candidates, count, where=display_name(path))


def read_beside(
    references: Sequence[str], source: str | None, columns: dict[str, str]
) -> Texts | None:
    """Return references and source of a list; None where there are no references."""
    refuse_repeated(references)
    references = with_columns(references, columns, "reference")
    sources = with_columns([source] if source else [], columns, "source")
    if not references:
        if sources:
            raise OptionError(
                "a source alone is looked at by nothing; give references with -r FILE"
            )
        return None
    return Texts(
        systems={},
        references={display_name(path): read_text_file(path) for path in references},
        source=(display_name(sources[0]), read_text_file(sources[0])) if sources else None,
    )


def texts_of(lists: Sequence[Sequence[NbestEntry]]) -> list[list[str]]:
    """Return the translations of each segment."""
    return [[each.text for each in group] for group in lists]


def write_nbest_scores(options: Options, form: TableFormat, *, quiet: bool) -> None:
    """Write the scores and statistics of every candidate of a list."""
    if len(options["systems"]) != 1:
        raise OptionError("--nbest takes one list at a time")
    if structure_files(options) != StructureFiles(link_format=structure_files(options).link_format):
        raise OptionError("links and trees are those of texts, not of n-best lists; leave them out")
    beside = read_beside(options["references"], options["source"], options["columns"])
    if beside is None:
        raise OptionError("give references with -r FILE")
    segments = len(next(iter(beside.references.values())))
    lists = texts_of(read_lists(options["systems"][0], segments))
    with progress_bar("scoring candidates", quiet=quiet) as progress:
        found = measure(nbest_texts(lists, beside), chosen_settings(options), progress=progress)
    table = nbest_table(found, lists)
    written = form if form in FULL_FORMATS else TableFormat.TSV
    writer = table_writer(written, sys.stdout, table.names, header={"system": ALONE})
    writer.start()
    columns = {name: table[name] for name in table.names}
    writer.rows(
        {name: each.tolist() if each.dtype == object else each for name, each in columns.items()}
    )
    writer.end()
    if not quiet:
        for note in found.notes:
            say(note)
