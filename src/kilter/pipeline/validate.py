"""Checks inputs against one another and lists every problem."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kilter.errors import InputError
from kilter.formats.link_format import LinkFormat
from kilter.formats.links import link_problems
from kilter.formats.stream import ByteSource, display_name
from kilter.formats.text import problems, split_lines
from kilter.formats.tokenizer import check_spaced, default_tokenizer, tokenizer
from kilter.structures.counted import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(slots=True)
class Report:
    """What was found: problems as the command tells them, `file:line: what`, and counts."""

    problems: list[str] = field(default_factory=list)
    files: int = 0
    segments: int = 0
    empty: int = 0


def find_problems(
    *,
    systems: Sequence[str] = (),
    references: Sequence[str] = (),
    source: str | None = None,
    links: Sequence[str] = (),
    link_format: str = "pharaoh",
    tokenize: str | None = None,
    language: str | None = None,
) -> Report:
    """Return everything that would stop these inputs from being scored."""
    report = Report()
    name = tokenize or ("none" if links else default_tokenizer(language))
    split = tokenizer(name)
    lengths: dict[str, NDArray[np.int64]] = {}
    for path in dict.fromkeys([*references, *([source] if source else []), *systems]):
        report.files += 1
        lines = _read(path, report)
        if lines is None:
            continue
        words = [split(line) for line in lines]
        lengths[path] = np.array([len(entry) for entry in words], dtype=np.int64)
        try:
            check_spaced(lines, lengths[path], where=display_name(path), name=name)
        except InputError as error:
            report.problems.append(error.for_command())
        report.empty += sum(not line.strip() for line in lines)
    _check_counts(lengths, report)
    _check_links(systems, references, links, link_format, lengths, report)
    return report


def _read(path: str, report: Report) -> tuple[str, ...] | None:
    try:
        source = ByteSource(path)
        data = b"".join(source.chunks())
    except InputError as error:
        report.problems.append(str(error))
        return None
    found = [f"{source.name}:{problem.line}: {problem.reason}" for problem in problems(data)]
    report.problems.extend(found)
    return None if found else split_lines(data)


def _check_counts(lengths: dict[str, NDArray[np.int64]], report: Report) -> None:
    if not lengths:
        return
    first, expected = next((path, len(column)) for path, column in lengths.items())
    report.segments = expected
    for path, column in lengths.items():
        if len(column) != expected:
            report.problems.append(
                f"{display_name(path)}: has {counted(len(column), 'line')}, but {display_name(first)} has "
                f"{expected}; every text must have the same segments"
            )


def _check_links(
    systems: Sequence[str],
    references: Sequence[str],
    links: Sequence[str],
    form: str,
    lengths: dict[str, NDArray[np.int64]],
    report: Report,
) -> None:
    pairs = [(system, reference) for system in systems for reference in references]
    if links and len(links) != len(pairs):
        report.problems.append(
            f"{counted(len(links), 'file')} of links for {counted(len(systems), 'system')} and "
            f"{counted(len(references), 'reference')}; give {len(pairs)}"
        )
        return
    for path, (system, reference) in zip(links, pairs, strict=False):
        report.files += 1
        both = lengths.get(system), lengths.get(reference)
        known = both[0] is not None and both[1] is not None and len(both[0]) == len(both[1])
        checked = (both[0], both[1]) if known else None
        # Where a text could not be read, the links are still checked by themselves.
        segments = None if known else report.segments or None
        if LinkFormat(form) is LinkFormat.NAACL and not known and segments is None:
            continue  # the format does not say how many segments there are, and no text does
        report.problems.extend(
            str(error)
            for error in link_problems(
                ByteSource(path),
                form=LinkFormat(form),
                segments=segments,
                lengths=checked,  # type: ignore[arg-type]
                sides=("hypothesis", "reference"),
            )
        )
