"""`kilter reorder` in Python: sentences in the order of their translation, made, scored, measured and checked.

>>> import kilter
>>> links = kilter.LinkBatch.of([[(1, 0), (2, 2), (3, 1)]])
>>> made = kilter.reorder.make(["She reads a book"], links)
>>> kilter.reorder.lines(made)
['She reads book a']
>>> result = kilter.reorder.score(made, ["reads She book a"])
>>> round(result.system["frs"].score, 4)
0.3333
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from kilter.aligners.lint import lint as lint_words
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError
from kilter.core.link_rule import LinkRule, NullWords, Ties
from kilter.core.link_rule import reorder as reorder_links
from kilter.core.links import LinkBatch
from kilter.core.reordering import PrintedOrder
from kilter.core.settings import checked, taken, takes
from kilter.io.reordering import (
    ReorderingForm,
    printed_order,
    read_reorderings,
    write_reorderings,
)
from kilter.metrics.tied_order import Matching
from kilter.results.links import Check, LintReport, Severity
from kilter.results.order_profile import OrderProfile
from kilter.results.reordering_statistics import ReorderingStatistics
from kilter.results.score_result import ScoreResult
from kilter.run.reordering.make import linked_words, split_words
from kilter.run.reordering.profile import order_profile
from kilter.run.reordering.score import score_reorderings
from kilter.run.reordering.statistics import AHEAD, DEFAULT_RULE, link_statistics
from kilter.run.scoring.corpus import system_name
from kilter.run.scoring.links import LinkPath
from kilter.stats.resampling import Resampling

__all__ = ["lines", "lint", "make", "profile", "read", "score", "statistics"]


@checked
def make(
    source: object,
    links: LinkBatch | LinkPath | str,
    *,
    target: object = None,
    possible: bool = False,
    rule: LinkRule | str = LinkRule.TALBOT,
    null: NullWords | str | None = None,
    ties: Ties | str | None = None,
    jobs: int = 1,
) -> PrintedOrder:
    """Return the words of each source sentence in the order of their translation.

    `source` is a list of strings, or of the words of each; `links` join it with its translation, and are
    given, or a file of them. With `target`, the translation, every link is checked to point into it.
    """
    words, found = linked_words(source, links, target=target, possible=possible)
    lengths = [len(each) for each in words]
    return PrintedOrder.of(
        "reorderings",
        reorder_links(found, lengths, rule=rule, null=null, ties=ties, jobs=jobs),
        words,
    )


@checked
@takes(Matching)
def score(
    reference: object,
    systems: object,
    *,
    source: object = None,
    resampling: Resampling | None = None,
    jobs: int = 1,
    settings: Matching | None = None,
    **keywords: object,
) -> ScoreResult:
    """Return the scores of reordered sentences against reference reorderings.

    Both are what `make` and `read` return, the name of a file, or a list of strings, in which tied words
    of a reference stand in double braces. Several systems are a mapping from their names. `source` is
    needed where files give positions only.
    """
    options = taken(Matching, settings, keywords)
    named = systems if isinstance(systems, Mapping) else {"system": systems}
    return score_reorderings(
        printed_order(reference, where="reference"),
        {
            system_name(name, where="systems"): printed_order(each, where=name)
            for name, each in named.items()
        },
        metrics=options.metrics(),
        sources=None if source is None else split_words(source, where="source"),
        resampling=resampling,
        jobs=jobs,
    )


@checked
def statistics(
    source: object,
    links: LinkBatch | LinkPath | str,
    *,
    target: object = None,
    possible: bool = False,
    rule: str = DEFAULT_RULE,
    ahead: int = AHEAD,
    jobs: int = 1,
) -> ReorderingStatistics:
    """Return how far source words move on the way to their translation, over all sentences.

    Texts and links are as in `make`; `rule` may say where words without link go (`birch:null=next`). Links
    whose source word lies `ahead` or more words ahead count as anticipated.

    >>> import kilter
    >>> links = kilter.LinkBatch.of([[(0, 0), (1, 2), (2, 1)], [(0, 0)]])
    >>> found = statistics(["She reads books", "Yes"], links)
    >>> found.counts.monotone, round(found.means["kendall"].value, 4)
    (1, 0.8333)
    """
    words, found = linked_words(source, links, target=target, possible=possible)
    others = None if target is None else split_words(target, where="target")
    source_lengths, target_lengths = (
        None if each is None else np.array([len(line) for line in each], dtype=np.int64)
        for each in (words, others)
    )
    assert source_lengths is not None  # noqa: S101 - a source is always given
    return link_statistics(found, source_lengths, target_lengths, rule=rule, ahead=ahead, jobs=jobs)


@checked
def profile(
    treebanks: Mapping[str, DependencyTreeColumn],
    *,
    links: LinkBatch | None = None,
    resampling: Resampling | None = None,
) -> OrderProfile:
    """Return dependency length, head direction, order entropy and crossings of treebanks; `links` join the first two."""
    return order_profile(treebanks, links=links, resampling=resampling)


@checked
def lint(
    source: object,
    target: object,
    links: LinkBatch | LinkPath | str,
    *,
    possible: bool = False,
    language: str | None = "en",
    target_language: str | None = None,
    allowed: Iterable[str] = (),
    severities: Mapping[Check, Severity] | None = None,
) -> LintReport:
    """Return what is wrong with sentences and links that references are to be made from.

    `target_language` says which particles belong with their content word; `allowed` are more words that
    need no link; `severities` say how much a check matters.
    """
    words, found = linked_words(source, links, target=target, possible=possible)
    return lint_words(
        words,
        split_words(target, where="target"),
        found,
        language=language,
        target_language=target_language,
        allowed=allowed,
        severities=severities,
    )


@checked
def read(path: str, *, form: ReorderingForm | str | None = None) -> PrintedOrder:
    """Return the reordered sentences of a file; without `form` its name says how it is written."""
    return read_reorderings(path, form=form)


@checked
def lines(order: PrintedOrder, *, form: ReorderingForm | str = ReorderingForm.TEXT) -> list[str]:
    """Return reordered sentences as the command writes them, a line each."""
    if order.sources is None or order.order is None:
        raise InputError(
            "gives words or positions only; both are known of what is made from links or trees, or read "
            "from .jsonl",
            where=order.name,
        )
    return list(write_reorderings(order.sources, order, form=form, where=order.where))
