"""How many judgments a comparison of means needs. Section 13.6"""

from __future__ import annotations

from math import ceil
from statistics import NormalDist

from kilter.core.argument import checked
from kilter.core.errors import OptionError


@checked
def sample_size(
    *,
    deviation: float,
    difference: float,
    level: float = 0.05,
    power: float = 0.8,
    comparisons: int = 1,
) -> int:
    """Return n = 2 (z_(1 - a / 2k) + z_(1 - b))^2 s^2 / d^2 per group, rounded up.

    Two groups are compared, two-tailed, at the level a shared by k comparisons, and a true difference d
    between means of standard deviation s is to be found with the power 1 - b.

    >>> sample_size(deviation=1.0, difference=0.5)
    63
    """
    for name, share in (("level", level), ("power", power)):
        if not 0.0 < share < 1.0:
            raise OptionError(f"{name} is {share}; it must lie between 0 and 1, without these")
    if not deviation > 0.0 or difference == 0.0 or comparisons < 1:
        raise OptionError(
            f"deviation is {deviation}, difference {difference} and comparisons {comparisons}; the first "
            "must be above 0, the second not 0, the third at least 1"
        )
    normal = NormalDist()
    quantiles = normal.inv_cdf(1.0 - level / (2 * comparisons)) + normal.inv_cdf(power)
    return ceil(2.0 * (quantiles * deviation / difference) ** 2)
