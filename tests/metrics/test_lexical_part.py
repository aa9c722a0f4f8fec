"""The lexical part of an interpolated metric."""

import pytest

from kilter.core.errors import InputError, OptionError
from kilter.metrics.chrf import Chrf
from kilter.metrics.lr import lexical_part
from tests.texts import evaluation


def test_options_of_a_part_are_joined_by_plus() -> None:
    assert lexical_part("chrf:words=2+beta=1", of="lr").metric == Chrf(words=2, beta=1)


@pytest.mark.parametrize("name", ["kendall", "sen", "full", "lr", "dted", "tau", "frs"])
def test_a_metric_of_order_is_refused_with_those_that_fit(name: str) -> None:
    with pytest.raises(
        OptionError,
        match=rf"full: lexical is '{name}'; .* 1 - rate\): bleu, chrf, ter, wer, per, .*ribes$",
    ):
        lexical_part(name, of="full")
    with pytest.raises(OptionError, match="there is no metric 'up'"):
        lexical_part("up", of="lr")


def test_a_score_without_an_upper_end_is_refused_with_what_to_do() -> None:
    with pytest.raises(
        OptionError, match=r"nist has no greatest score: compute it beside lr:alpha=1"
    ):
        lexical_part("nist", of="lr")


def test_a_rate_of_errors_is_taken_from_one_and_never_below_zero() -> None:
    whole = evaluation([["a", "b"], ["x", "y", "z"]], [["a", "c"], ["q"]])
    part = lexical_part("wer", of="lr")
    found = part.measure(whole)
    assert found.scores.tolist() == [0.5, 0.0]  # rates 1 / 2 and 3 / 1
    # A corpus is clipped once: 4 errors in 3 words, not the mean of its segments.
    assert part.corpus_score(found.statistics.sum(axis=0)) == 0.0
    assert part.corpus_score(found.statistics[:1].sum(axis=0)) == 0.5
    steps = part.steps(whole, 0)
    assert steps is not None
    assert (steps[-1].value, steps[-1].formula) == (0.5, "max(0, 1 - wer_score)")


def test_a_part_that_takes_one_link_a_word_says_so_whatever_the_rule() -> None:
    whole = evaluation([["a", "b"]], [["a", "b"]], links=[[[(0, 0), (0, 1)]]], rule="mean")
    with pytest.raises(
        InputError, match="the lexical part meteor takes one link a word under every"
    ):
        lexical_part("meteor", of="lr").measure(whole)
