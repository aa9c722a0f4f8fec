"""How much an operator of a permutation tree is worth. [PEF] section 4"""

from kilter.options.choice import Choice


class OperatorScore(Choice):
    """The published rule, or the Kendall score of the operator.

    ORDER: 1 for <1,2>, gamma for <2,1>, 0 for every other operator.
    """

    ORDER = "order"
    KENDALL = "kendall"
