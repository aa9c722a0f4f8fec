"""What links make of a sentence: the reference reordering, and what the linter finds. [FRS]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.aligners.lint import LINT_WORDS, lint
from kilter.core.language import base_language
from kilter.core.link_rule import LinkRule, reorder
from kilter.core.links import LinkBatch
from kilter.results.links import Check

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from kilter.results.document import Document
    from kilter.results.links import Finding
    from kilter.study.annotation.drawn_link import DrawnLink
    from kilter.study.annotation.project import Project

_KINDS = {
    Check.SOURCE: "unaligned",
    Check.TARGET: "unaligned",
    Check.SCATTERED: "torn",
    Check.PRONOUN: "pronoun",
    Check.PARTICLE: "particle",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A finding of the linter, with the words of both sides that it is about."""

    kind: str
    source: tuple[int, ...]
    target: tuple[int, ...]
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """The source words in the order of the translation, and everything that the linter finds.

    `order` holds source positions; `tied` the groups of two or more whose order is open; `unlinked` source
    words without a link that counts.
    """

    order: tuple[int, ...]
    words: tuple[str, ...]
    tied: tuple[tuple[int, ...], ...]
    unlinked: tuple[int, ...]
    remarks: tuple[Remark, ...]

    def reordering(self) -> Document:
        """Return the reordering as pages have it."""
        return {
            "order": list(self.order),
            "words": list(self.words),
            "tied": [list(group) for group in self.tied],
            "unlinked": list(self.unlinked),
        }


def counted_pairs(links: Collection[DrawnLink], *, possible: bool) -> list[tuple[int, int]]:
    """Return the pairs of words that reorderings and findings count."""
    return [link.pair for link in links if possible or link.sure]


def examine(
    project: Project, words: Sequence[str], target: Sequence[str], links: Collection[DrawnLink]
) -> Examination:
    """Return what links between these words amount to, under the project's settings."""
    batch = LinkBatch.of([counted_pairs(links, possible=project.possible)])
    groups = reorder(batch, [len(words)], rule=LinkRule.TALBOT).groups(0)
    order = tuple(place for group in groups for place in group)
    linked = {first for first, _ in batch.segment(0)}
    report = lint(
        [list(words)],
        [list(target)],
        batch,
        language=_known(project.source_language),
        target_language=_known(project.target_language),
    )
    weak = {link.pair for link in links} - {*batch.segment(0)}
    return Examination(
        order=order,
        words=tuple(words[place] for place in order),
        tied=tuple(tuple(group) for group in groups if len(group) > 1),
        unlinked=tuple(place for place in range(len(words)) if place not in linked),
        remarks=tuple(
            _remark(finding, batch.segment(0), weak, target) for finding in report.findings
        ),
    )


def _known(language: str) -> str | None:
    """Return the language if there are word lists for it; without, the linter looks at links alone."""
    base = base_language(language)
    return base if base in LINT_WORDS else None


def _remark(
    finding: Finding,
    links: Sequence[tuple[int, int]],
    weak: Collection[tuple[int, int]],
    target: Sequence[str],
) -> Remark:
    """Return a finding as people read it: words instead of positions."""
    place, side = finding.position, int(finding.check in (Check.TARGET, Check.PARTICLE))
    reason, others = finding.reason, list[int]()
    if finding.check is Check.SCATTERED:
        others = [second for first, second in links if first == place]
        reason = f"its words {', '.join(target[other] for other in others)} do not stand together"
    if finding.check in (Check.SOURCE, Check.TARGET) and any(pair[side] == place for pair in weak):
        reason += "; possible links do not count here"
    return Remark(
        kind=_KINDS[finding.check],
        source=() if side else (place,),
        target=(place,) if side else tuple(others),
        message=f"{finding.word}: {reason}",
    )
