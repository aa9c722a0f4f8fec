"""Links that an aligner wrote in both directions, named together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kilter.core.errors import OptionError
from kilter.core.symmetrization import Symmetrization
from kilter.io.file_status import exists
from kilter.io.stream import ByteSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_BETWEEN = "::"
DEFAULT_SYMMETRIZATION = Symmetrization.GROW_DIAG_FINAL_AND


class LinkDirections(NamedTuple):
    """The files of two directions, and the rule that makes one set of links of them."""

    forward: ByteSource | None
    """None where the reverse direction is all there is."""
    reverse: ByteSource
    rule: Symmetrization


def link_directions(source: ByteSource) -> LinkDirections | None:
    """Return what `FORWARD::REVERSE`, or `FORWARD::REVERSE::RULE`, names; None for a file alone.

    `::REVERSE` is the reverse direction alone. A file whose own name is written so is that file.

    >>> link_directions(ByteSource("st.A3.final::ts.A3.final::union")).rule
    <Symmetrization.UNION: 'union'>
    >>> link_directions(ByteSource("st.A3.final")) is None
    True
    """
    forward, *rest = source.path.split(_BETWEEN)
    if not rest or exists(source.path):
        return None
    reverse, *rule = rest
    known = list(Symmetrization)
    if not reverse or len(rule) > 1 or (rule and rule[0] not in known):
        raise OptionError(
            f"{source.name} does not name two directions; write FORWARD::REVERSE or FORWARD::REVERSE::RULE "
            f"with one of {', '.join(known)}"
        )
    return LinkDirections(
        ByteSource(forward) if forward else None,
        ByteSource(reverse),
        Symmetrization(rule[0]) if rule else DEFAULT_SYMMETRIZATION,
    )


def links_below(folder: Path, path: str) -> str:
    """Return an argument that names links, its files those of a folder.

    >>> from pathlib import Path
    >>> links_below(Path("made"), "st::ts::union")
    'made/st::made/ts::union'
    """
    whole = str(folder / path)
    both = link_directions(ByteSource(path))
    if both is None or link_directions(ByteSource(whole)) is None:
        return whole
    files = ["" if each is None else str(folder / each.path) for each in both[:2]]
    return _BETWEEN.join([*files, *path.split(_BETWEEN)[2:]])


def link_files(paths: Sequence[str]) -> list[str]:
    """Return the files behind arguments that name links, two where one names both directions.

    >>> link_files(["a.links", "st::ts::union"])
    ['a.links', 'st', 'ts']
    """
    found = []
    for path in paths:
        both = link_directions(ByteSource(path))
        if both is None:
            found.append(path)
        else:
            found += [each.path for each in both[:2] if each is not None]
    return found
