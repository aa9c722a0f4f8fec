"""Batches of links as lines of text, in every link format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.core.links import LinkBatch
from kilter.core.settings import checked, chosen
from kilter.io.link_format import LinkFormat
from kilter.io.link_parser import written_trace

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from kilter.core.links import Link

Texts = tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]]

_MARKED = frozenset(
    {LinkFormat.SURE_POSSIBLE, LinkFormat.SURE_POSSIBLE_1, LinkFormat.TALP, LinkFormat.NAACL}
)

_GRADED = frozenset({LinkFormat.NAACL, LinkFormat.METEOR})


@checked
def write_links(
    links: LinkBatch,
    *,
    form: LinkFormat | str = LinkFormat.PHARAOH,
    possible: LinkBatch | None = None,
    texts: Texts | None = None,
    certainty: bool = False,
    first: int = 1,
) -> Iterator[str]:
    """Yield the lines of a file of links, without line ends.

    `possible` links need a format that marks them. `texts` are the words of the first and of the second
    sentences, which `meteor`, `giza`, `fast-align` and `moses-trace` write out and `target-lists` counts. With `certainty`,
    `naacl` and `meteor` write how certain each link is, which the aligner that made them has to have said.
    Formats that number segments begin with `first`.

    >>> from kilter.core.links import LinkBatch
    >>> batch = LinkBatch.of([[(0, 1), (1, 0)], []])
    >>> list(write_links(batch)), list(write_links(batch, form="naacl"))
    (['0-1 1-0', ''], ['1 1 2 S', '1 2 1 S'])
    """
    form = chosen(LinkFormat, form, "form")
    if possible is not None and form not in _MARKED:
        raise OptionError(
            f"{form} has no sign for possible links; take {', '.join(sorted(_MARKED))}"
        )
    if certainty and form not in _GRADED:
        raise OptionError(
            f"{form} has no place for the certainty of links; take {', '.join(sorted(_GRADED))}"
        )
    if certainty and (links.certainty is None or possible is not None):
        raise OptionError(
            "nobody said how certain these links are; those of the aligners match, hmm and ibm1 can be written so"
        )
    if form is LinkFormat.NAACL:
        return _naacl_lines(links, possible, links.certainty if certainty else None, first)
    if form is LinkFormat.METEOR and texts is not None:
        return _meteor_lines(links, texts, links.certainty if certainty else None, first)
    if form is LinkFormat.GIZA and texts is not None:
        return _giza_lines(links, texts, first)
    if form in _WITH_WORDS:
        if texts is None:
            raise OptionError(f"{form} cannot be written without the words of the sentences")
        return _WITH_WORDS[form](links, texts)
    return _segment_lines(links, possible, _moses if form is LinkFormat.MOSES else _signed(form))


def _marked(links: LinkBatch, possible: LinkBatch | None, segment: int) -> list[tuple[Link, str]]:
    marked = [(link, "S") for link in links.segment(segment)]
    if possible is not None:
        marked += [(link, "P") for link in possible.segment(segment)]
    return sorted(marked)


def _segment_lines(
    links: LinkBatch, possible: LinkBatch | None, written: Callable[[Link, str], str]
) -> Iterator[str]:
    for segment in range(len(links)):
        marked = _marked(links, possible, segment)
        yield " ".join([written(link, mark) for link, mark in marked])


def _signed(form: LinkFormat) -> Callable[[Link, str], str]:
    base = form.base
    return lambda link, mark: f"{link[0] + base}{'-p'[mark == 'P']}{link[1] + base}"


def _moses(link: Link, _mark: str) -> str:
    return f"{link[0]}={link[1]}"


def _naacl_lines(
    links: LinkBatch,
    possible: LinkBatch | None,
    certainty: NDArray[np.float64] | None,
    begin: int,
) -> Iterator[str]:
    for segment in range(len(links)):
        number = segment + begin
        if certainty is not None:
            sure = certainty[links.offsets[segment] : links.offsets[segment + 1]].tolist()
            for (first, second), value in zip(links.segment(segment), sure, strict=True):
                yield f"{number} {first + 1} {second + 1} S {value:.4f}"
            continue
        for (first, second), mark in _marked(links, possible, segment):
            yield f"{number} {first + 1} {second + 1} {mark}"


def _target_lists(links: LinkBatch, texts: Texts) -> Iterator[str]:
    for segment, words in enumerate(texts[1]):
        sources: list[list[str]] = [[] for _ in words]
        for source, target in links.segment(segment):
            sources[target].append(str(source))
        yield ",".join("_".join(listed) for listed in sources)


def _meteor_lines(
    links: LinkBatch,
    texts: Texts,
    certainty: NDArray[np.float64] | None = None,
    number: int = 1,
) -> Iterator[str]:
    for segment, (first, second) in enumerate(zip(*texts, strict=True)):
        yield f"Alignment\t{segment + number}"
        yield " ".join(first)
        yield " ".join(second)
        yield "Line2Start:Length\tLine1Start:Length\tModule\t\tScore"
        pairs = links.segment(segment)
        begin = links.offsets[segment]
        values = ["1.0"] * len(pairs)
        if certainty is not None:
            values = [f"{value:.4f}" for value in certainty[begin : begin + len(pairs)].tolist()]
        rows = sorted(zip(pairs, values, strict=True), key=lambda row: row[0][1])
        for (one, other), value in rows:
            yield f"{other}:1\t\t\t{one}:1\t\t\t0\t\t{value}"
        yield ""


def _giza_lines(links: LinkBatch, texts: Texts, number: int = 1) -> Iterator[str]:
    """Yield blocks of GIZA++; links have no probability, so that all alignments score 1."""
    for segment, (first, second) in enumerate(zip(*texts, strict=True)):
        lists: list[list[str]] = [[] for _ in first]
        linked = set()
        for source, target in sorted(links.segment(segment)):
            lists[source].append(str(target + 1))
            linked.add(target)
        alone = [str(target + 1) for target in range(len(second)) if target not in linked]
        yield (
            f"# Sentence pair ({segment + number}) source length {len(first)} target length {len(second)} "
            "alignment score : 1"
        )
        yield " ".join(second)
        words = zip(["NULL", *first], [alone, *lists], strict=True)
        yield " ".join([f"{word} ({{ {' '.join([*listed, '})'])}" for word, listed in words])


def _fast_align_lines(links: LinkBatch, texts: Texts) -> Iterator[str]:
    pairs = _segment_lines(links, None, _signed(LinkFormat.PHARAOH))
    for first, second, written in zip(*texts, pairs, strict=True):
        yield f"{' '.join(first)} ||| {' '.join(second)} ||| {written}"


def _trace_lines(links: LinkBatch, texts: Texts) -> Iterator[str]:
    for segment, (first, second) in enumerate(zip(*texts, strict=True)):
        yield written_trace(first, second, links.segment(segment))


_WITH_WORDS: dict[LinkFormat, Callable[[LinkBatch, Texts], Iterator[str]]] = {
    LinkFormat.METEOR: _meteor_lines,
    LinkFormat.TARGET_LISTS: _target_lists,
    LinkFormat.GIZA: _giza_lines,
    LinkFormat.FAST_ALIGN: _fast_align_lines,
    LinkFormat.MOSES_TRACE: _trace_lines,
}
