"""Agreement of two files of links."""

from __future__ import annotations

import warnings
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.corpus import TokenColumn
from kilter.core.counted import counted
from kilter.core.errors import InputError, KilterWarning, OptionError
from kilter.core.estimate import Estimate
from kilter.core.link_rule import LinkRule, reorder
from kilter.core.reordering import OrderMatch
from kilter.io.link_format import LinkFormat, detect_link_format
from kilter.io.links import LinkFile, read_links
from kilter.io.stream import ByteSource, display_name
from kilter.io.text_file import read_text_file, source_of_lines
from kilter.io.tokenizer import DEFAULT_TOKENIZER, check_spaced, tokenizer
from kilter.metrics.frs import Frs
from kilter.results.links import MEASURES, LinkComparison
from kilter.run.scoring.links import LinkReach, blank_counts
from kilter.stats.resampling import bootstrap_sums, column_sums
from kilter.stats.significance import LEAST_SEGMENTS, percentile_intervals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.core.links import LinkBatch
    from kilter.stats.resampling import Resampling

# [ON] Och & Ney 2003, A systematic comparison of various statistical alignment models.


_LINKS, _SURE, _SURE_FOUND, _OTHERS, _COMMON, _CELLS, _FRS, _ORDERS = range(8)
_REASONS = {
    "precision": "the first has no link",
    "recall": "the second has no sure link",
    "f1": "precision or recall is undefined",
    "aer": "there is neither a link nor a sure link",
    "kappa": "chance alone would agree on every pair of words",
    "frs": "there is no sentence with a link that makes an order",
}
_ENDLESS = 2**31 - 1
_NONE_ALIKE = "there is no sentence whose words are the same on both sides"
_NO_TEXT = {
    "kappa": "the pairs of words are counted in both texts; give source and target",
    "frs": "an order is one of source words; give the source",
}


class GradedLinks(NamedTuple):
    """Sure links of many sentences, and all links, those that are only possible among them."""

    sure: LinkBatch
    every: LinkBatch


class TextLengths(NamedTuple):
    """The number of words of each sentence; None where no text is known."""

    source: NDArray[np.int64] | None
    target: NDArray[np.int64] | None


def compare_links(
    names: tuple[str, str],
    first: GradedLinks,
    second: GradedLinks,
    *,
    lengths: TextLengths,
    same: NDArray[np.bool_] | None = None,
    possible: bool = False,
    resampling: Resampling | None = None,
) -> LinkComparison:
    """Return how well the links of the first agree with those of the second.

    Precision is the share of the first's links that the second has at least as possible ones, recall the
    share of the second's sure links that the first has; AER = 1 - (|A and S| + |A and P|) / (|A| + |S|).
    Kappa is Cohen's over all pairs of a source and a target word: linked by each of them, or not. FRS is
    that of the order which the first's links imply against the second's, word by place, averaged over
    sentences; sure links make orders, with `possible` all. A sentence in which only one of them has such links
    counts 0, one without any does not count.

    `same` says in which sentences both have the same target words: links are compared in these alone. With
    `resampling`, every measure has an interval over resampled sentences, if there are two or more.
    """
    rows = _rows(first, second, lengths, same, possible=possible)
    sums = column_sums(rows) if len(rows) else np.zeros(_ORDERS + 1)
    observed = _measures(sums)
    compared = len(rows) if same is None else int(np.count_nonzero(same))
    missing = _missing(lengths) if compared else dict.fromkeys(MEASURES[:-1], _NONE_ALIKE)
    ends: dict[str, tuple[float, float]] = {}
    if resampling is not None and len(rows) >= LEAST_SEGMENTS:
        drawn = bootstrap_sums(rows[np.newaxis], resampling)
        spread = percentile_intervals(_measures(drawn.resampled()[0]), level=resampling.level)
        ends = dict(zip(MEASURES, map(tuple, spread.tolist()), strict=True))

    def measure(place: int, name: str) -> Estimate:
        value = float(observed[place])
        reason = (missing.get(name) or _REASONS[name]) if isnan(value) else ""
        low, high = ends.get(name, (None, None))
        return Estimate(value, low=low, high=high, reason=reason)

    return LinkComparison(
        first=names[0],
        second=names[1],
        sentences=len(rows),
        compared=compared,
        links=int(sums[_LINKS]),
        sure=int(sums[_SURE]),
        common=int(sums[_COMMON]),
        **{name: measure(place, name) for place, name in enumerate(MEASURES)},
    )


def _missing(lengths: TextLengths) -> dict[str, str]:
    found = {}
    if lengths.source is None:
        found["frs"] = _NO_TEXT["frs"]
    if lengths.source is None or lengths.target is None:
        found["kappa"] = _NO_TEXT["kappa"]
    return found


def _rows(
    first: GradedLinks,
    second: GradedLinks,
    lengths: TextLengths,
    same: NDArray[np.bool_] | None,
    *,
    possible: bool,
) -> NDArray[np.float64]:
    """Return what adds up over sentences, a row for each."""
    rows = np.zeros((len(first.every), _ORDERS + 1))
    rows[:, _LINKS], rows[:, _OTHERS] = first.every.counts, second.every.counts
    rows[:, _SURE] = second.sure.counts
    rows[:, _SURE_FOUND] = _common_counts(first.every, second.sure)
    rows[:, _COMMON] = _common_counts(first.every, second.every)
    if lengths.source is not None and lengths.target is not None:
        rows[:, _CELLS] = lengths.source * lengths.target
    if same is not None:
        rows[~same] = 0.0
    if lengths.source is not None:
        one, other = ((side.every if possible else side.sure) for side in (first, second))
        has_one, has_other = (np.asarray(side.counts) > 0 for side in (one, other))
        scores = _order_scores(one, other, lengths.source)
        # Links that only one of them has are disagreement; without any, there is no order to agree on.
        rows[:, _FRS] = np.where(has_one & has_other, scores, 0.0)
        rows[:, _ORDERS] = has_one | has_other
    return rows


def _common_counts(links: LinkBatch, others: LinkBatch) -> NDArray[np.int64]:
    """Return for each segment how many links are also among the others."""
    rows = np.concatenate([links.links, others.links])
    owner = np.concatenate([links.segments(), others.segments()])
    order = np.lexsort((rows[:, 1], rows[:, 0], owner))  # equal links of a segment stand together
    same = (np.diff(owner[order]) == 0) & (np.diff(rows[order], axis=0) == 0).all(axis=1)
    return np.bincount(owner[order[:-1][same]], minlength=len(links)).astype(np.int64)


def _order_scores(
    first: LinkBatch, second: LinkBatch, lengths: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the fuzzy reordering score of each sentence, source words matched by their places."""
    ours, theirs = (reorder(each, lengths, rule=LinkRule.TALBOT) for each in (first, second))
    match = OrderMatch.of(
        TokenColumn(ours.order, ours.offsets),
        TokenColumn(theirs.order, theirs.offsets),
        theirs.group,
    )
    return Frs().match_scores(match)


def _measures(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return all measures of sums, one row each; NaN where there is nothing to divide by."""
    links, sure, others, common = (sums[..., k] for k in (_LINKS, _SURE, _OTHERS, _COMMON))
    sure_found, cells = sums[..., _SURE_FOUND], sums[..., _CELLS]
    precision, recall = _share(common, links), _share(sure_found, sure)
    total = precision + recall
    f1 = np.where(total == 0, 0.0, _share(2 * precision * recall, total))
    aer = 1 - _share(sure_found + common, links + sure)
    agree = cells - links - others + 2 * common
    chance = links * others + (cells - links) * (cells - others)
    kappa = _share(cells * agree - chance, cells * cells - chance)
    return np.stack(
        [precision, recall, f1, aer, kappa, _share(sums[..., _FRS], sums[..., _ORDERS])]
    )


def _share(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = np.full(np.shape(part), np.nan)
    np.divide(part, whole, out=shares, where=np.asarray(whole) > 0)
    return shares


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
    texts = [
        None if path is None else _word_counts(path, tokenize, lowercase=lowercase)
        for path in (source, target)
    ]
    sources, targets = (None if text is None else text.words for text in texts)
    if sources is not None and targets is not None and len(sources) != len(targets):
        raise InputError(
            f"has {counted(len(targets), 'line')}, but {display_name(str(source))} has {len(sources)}; both "
            "need one line per segment",
            where=display_name(str(target)),
        )
    one, other = (_read(path, link_format, sources, targets) for path in (first, second))
    if tokenize != "none":
        for file in (one, other):
            _check_words(file.all(), texts, tokenize)
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


class _WordCounts(NamedTuple):
    """How many words each line has, by a tokeniser and between blanks."""

    words: NDArray[np.int64]
    blanks: NDArray[np.int64]


def _word_counts(path: str, tokenize: str, *, lowercase: bool) -> _WordCounts:
    lines = read_text_file(path)
    check_spaced(lines, where=display_name(path), name=tokenize)
    split = tokenizer(tokenize)
    words = [len(split(line.lower() if lowercase else line)) for line in lines]
    return _WordCounts(np.array(words, np.int64), blank_counts(lines))


def _check_words(links: LinkBatch, texts: Sequence[_WordCounts | None], tokenize: str) -> None:
    """Raise an `InputError` if links seem to count the words between blanks of the texts that are known."""
    # A text that nobody knows is never split further, nor passed.
    unknown = _WordCounts(np.zeros(len(links), np.int64), np.full(len(links), _ENDLESS, np.int64))
    words, blanks = zip(*(unknown if text is None else text for text in texts), strict=True)
    LinkReach.of(links, words, blanks).check(tokenize)


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
    unknown = np.full(len(known), _ENDLESS, np.int64)
    file.all().check(*((known, unknown) if sources is not None else (unknown, known)))
    return file
