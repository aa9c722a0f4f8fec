"""Tau over judged pairs."""

import numpy as np
from hypothesis import given

from kilter.run.meta.pair_count import TieRule, count_pairs, pair_kinds, preferences, tau
from tests.oracles import meta as oracle
from tests.run.meta.samples import RANKED_PAIRS, ranked
from tests.tolerance import close


@given(pairs=RANKED_PAIRS)
def test_tau_by_every_tie_rule_is_that_of_the_oracle(pairs: list[oracle.Pair]) -> None:
    judgments, scores = ranked(pairs)
    kinds = pair_kinds(preferences(scores, judgments), judgments.outcome)
    counts = count_pairs(kinds, np.zeros(len(pairs), dtype=np.int64), 1)[0]
    for rule in TieRule:
        assert float(tau(counts, rule=rule)) == close(oracle.tau(pairs, rule), nan_ok=True)


def test_ties_of_people_never_count() -> None:
    counts = np.array([3.0, 1.0, 0.0, 7.0, 5.0, 2.0])
    assert [float(tau(counts, rule=rule)) for rule in TieRule] == [0.5, 0.5, 0.5]
