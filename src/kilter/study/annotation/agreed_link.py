"""The links that several annotators have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.study.annotation.drawn_link import DrawnLink

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def agreed_links(drawn: Sequence[Collection[DrawnLink]]) -> tuple[DrawnLink, ...]:
    """Return the links that all of them drew, sure where all say so, in the order of words.

    >>> one, other = [DrawnLink(0, 0), DrawnLink(1, 1)], [DrawnLink(0, 0, sure=False)]
    >>> agreed_links([one, other])
    (DrawnLink(source=0, target=0, sure=False, proposed=False, certainty=None),)
    """
    if not drawn:
        return ()
    by_pair = [{link.pair: link for link in links} for links in drawn]
    common = sorted(set.intersection(*({*links} for links in by_pair)))
    return tuple(DrawnLink(*pair, all(links[pair].sure for links in by_pair)) for pair in common)
