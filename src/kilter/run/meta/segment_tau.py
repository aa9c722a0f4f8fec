"""Kendall's tau over judged pairs of each segment, by the tie rules of the years. [PEF] section 5

M. Macháček and O. Bojar, Results of the WMT14 Metrics Shared Task (2014).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.choice import Choice
from kilter.run.meta.pair_count import PairKind, ratio

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class TieRule(Choice):
    """What a pair counts that people decided and the metric ties.

    `wmt12`: as discordant. `wmt13`, as in [PEF]: not at all. `wmt14`: in the denominator only.
    """

    WMT12 = "wmt12"
    WMT13 = "wmt13"
    WMT14 = "wmt14"


def tau(counts: Floats, *, rule: TieRule = TieRule.WMT13) -> Floats:
    """Return (concordant - discordant) / (concordant + discordant) by a tie rule; NaN without a pair.

    Human ties never count. The last axis of `counts` holds kinds of pairs.

    >>> import numpy as np
    >>> counts = np.array([6.0, 2.0, 2.0, 0.0, 0.0, 0.0])
    >>> [float(tau(counts, rule=rule)) for rule in TieRule]
    [0.2, 0.5, 0.4]
    """
    agree, differ = counts[..., PairKind.CONCORDANT], counts[..., PairKind.DISCORDANT]
    tied = counts[..., PairKind.METRIC_TIE]
    if rule is TieRule.WMT12:
        return ratio(agree - differ - tied, agree + differ + tied)
    if rule is TieRule.WMT14:
        return ratio(agree - differ, agree + differ + tied)
    return ratio(agree - differ, agree + differ)
