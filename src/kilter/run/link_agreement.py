"""Agreement of two files of links."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, KilterWarning, OptionError
from kilter.io.column_source import source_of_lines
from kilter.io.link_format import LinkFormat, detect_link_format
from kilter.io.links import LinkFile, read_links
from kilter.io.stream import ByteSource, display_name
from kilter.io.text_file import read_text_file
from kilter.io.tokenizer import DEFAULT_TOKENIZER, check_spaced, tokenizer
from kilter.run.link_comparison import GradedLinks, TextLengths, compare_links

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.results.link_comparison import LinkComparison
    from kilter.stats.resampling import Resampling


def link_agreement(  # noqa: PLR0913 - every option of the command
    first: str,
    second: str,
    *,
    source: str | None = None,
    target: str | None = None,
    tokenize: str = DEFAULT_TOKENIZER,
    lowercase: bool = False,
    link_format: str | None = None,
    possible: bool = False,
    resampling: Resampling | None = None,
) -> LinkComparison:
    """Return how well the links of one file agree with those of another, which are taken as right.

    The texts are those that the links join. Without the source, nobody knows the orders that links imply,
    and without both, how many pairs of words have no link: FRS and kappa are undefined then.
    """
    sources, targets = (
        None if path is None else _lengths(path, tokenize, lowercase=lowercase)
        for path in (source, target)
    )
    if sources is not None and targets is not None and len(sources) != len(targets):
        raise InputError(
            f"has {counted(len(targets), 'line')}, but {display_name(str(source))} has {len(sources)}; both "
            "need one line per segment",
            where=display_name(str(target)),
        )
    one, other = (_read(path, link_format, sources, targets) for path in (first, second))
    if len(one.sure) != len(other.sure):
        raise InputError(
            f"has links of {counted(len(other.sure), 'segment')}, but {display_name(first)} of {len(one.sure)}; "
            "both need the same number",
            where=display_name(second),
        )
    lonely = int(np.count_nonzero((one.all().counts == 0) != (other.all().counts == 0)))
    if lonely:
        warnings.warn(
            f"{counted(lonely, 'segment')} with links in one file only: what the other lacks counts as disagreement",
            KilterWarning,
            stacklevel=2,
        )
    if sources is not None:
        _warn_orderless(one, other, possible=possible)
    return compare_links(
        (display_name(first), display_name(second)),
        GradedLinks(one.sure, one.all()),
        GradedLinks(other.sure, other.all()),
        lengths=TextLengths(sources, targets),
        possible=possible,
        resampling=resampling,
    )


def _warn_orderless(one: LinkFile, other: LinkFile, *, possible: bool) -> None:
    """Warn of segments whose links make no order on one side, or on both."""
    ours, theirs = ((each.all() if possible else each.sure).counts > 0 for each in (one, other))
    kind = "link" if possible else "sure link"
    for count, said in (
        (int(np.count_nonzero(ours != theirs)), f"a {kind} in one file only: 0 in FRS"),
        (int(np.count_nonzero(~(ours | theirs))), f"no {kind} in either file: no part of FRS"),
    ):
        if count:
            warnings.warn(f"{counted(count, 'segment')} with {said}", KilterWarning, stacklevel=3)


def _lengths(path: str, tokenize: str, *, lowercase: bool) -> NDArray[np.int64]:
    lines = read_text_file(path)
    check_spaced(lines, where=display_name(path), name=tokenize)
    split = tokenizer(tokenize)
    return np.array([len(split(line.lower() if lowercase else line)) for line in lines], np.int64)


def _read(
    path: str,
    form: str | None,
    sources: NDArray[np.int64] | None,
    targets: NDArray[np.int64] | None,
) -> LinkFile:
    sides = ("source", "target")
    known = sources if sources is not None else targets
    if sources is not None and targets is not None:
        return read_links(ByteSource(path), form=form, lengths=(sources, targets), sides=sides)
    if known is None:
        source = source_of_lines(ByteSource(path))
        found = detect_link_format(source) if form is None else form
        if found == LinkFormat.NAACL:
            raise OptionError(
                "the naacl format leaves out segments without links; give the source or the target, which "
                "say how many there are"
            )
        return read_links(source, form=found, sides=sides)
    file = read_links(ByteSource(path), form=form, segments=len(known), sides=sides)
    # Nobody knows how long the other side is: no link points past it.
    unknown = np.full(len(known), np.iinfo(np.int32).max, np.int64)
    file.all().check(*((known, unknown) if sources is not None else (unknown, known)))
    return file
