"""The lexical part of an interpolated metric."""

import pytest

from kilter.errors import OptionError
from kilter.metrics.chrf import Chrf
from kilter.metrics.lexical_part import lexical_metric


def test_options_of_a_part_are_joined_by_plus() -> None:
    assert lexical_metric("chrf:words=2+beta=1", of="lr") == Chrf(words=2, beta=1)


def test_a_part_that_does_not_fit_is_refused_with_those_that_do() -> None:
    with pytest.raises(
        OptionError, match=r"full: lexical is 'ter'; .* more is better: bleu, chrf, f1"
    ):
        lexical_metric("ter", of="full")
    with pytest.raises(OptionError, match="there is no metric 'up'"):
        lexical_metric("up", of="lr")
