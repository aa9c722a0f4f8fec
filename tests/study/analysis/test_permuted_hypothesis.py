"""The hypotheses on permutations. [TH] 7.1.1"""

from dataclasses import replace

import numpy as np

from kilter.stats.undefined import Undefined
from kilter.study.analysis.judgment_study import SentenceGroup
from kilter.study.analysis.permuted_hypothesis import permuted_hypotheses
from tests.study.analysis.studies import permutation, scores, study, translation

LEVELS = [1, 2, 3, 4, 5, 2, 4, 3] * 2
SENTENCES = [
    *(translation(f"t{k}") for k in range(16)),
    *(permutation(f"o{k}", "order", 1 + k % 3) for k in range(16)),
    *(permutation(f"s{k}", "swap", 2) for k in range(16)),
]
# On translations b is wrong and its flattened variant right; on permutations by order it is the other way round.
RIGHT, WRONG = np.array(LEVELS, dtype=float), -np.array(LEVELS, dtype=float)
MADE = study(
    [(person, at, LEVELS[at % 16], LEVELS[at % 16]) for person in range(2) for at in range(48)],
    SENTENCES,
    tools=[
        scores("dted", [*WRONG, *RIGHT, *WRONG], variant="variant=b"),
        scores("dted", [*RIGHT, *WRONG, *RIGHT], variant="variant=b,flat=true"),
        scores("degree", [np.nan] * 16 + [0.5, 0.2, 0.1, 0.4] * 8),
    ],
)


def test_hypotheses_are_tested_on_all_permutations_and_on_each_type() -> None:
    found = {
        kind: {each.id: each for each in results}
        for kind, results in permuted_hypotheses(MADE).items()
    }
    assert [*map(str, found)] == ["permutation", "order", "swap", "phrase", "choice"]
    assert found[SentenceGroup.ORDER]["STRUC"].supported is True
    assert found[SentenceGroup.ORDER]["STRUC"].numbers == {"b": 2.0}
    assert found[SentenceGroup.SWAP]["STRUC"].supported is False
    assert found[SentenceGroup.SWAP]["STRUC"].numbers == {"b": -2.0}
    assert found[SentenceGroup.PERMUTATION]["STRUC"].supported is False
    assert isinstance(found[SentenceGroup.PHRASE]["STRUC"].supported, Undefined)


def test_permutations_of_the_pilot_have_hypotheses_of_their_own_where_they_occur() -> None:
    """Type `both`, whose words are replaced and moved, was left out without a word."""
    pilot = [
        replace(sentence, type="both") if sentence.type == "swap" else sentence
        for sentence in SENTENCES
    ]
    found = permuted_hypotheses(replace(MADE, sentences=tuple(pilot)))
    assert [*map(str, found)] == ["permutation", "order", "swap", "phrase", "choice", "both"]
    by_id = {each.id: each for each in found[SentenceGroup.BOTH]}
    assert by_id["STRUC"].numbers == {"b": -2.0}


def test_the_degree_score_is_a_baseline_of_permutations() -> None:
    found = {each.id: each for each in permuted_hypotheses(MADE)[SentenceGroup.ORDER]}
    assert found["EVAL"].supported is True
    assert found["EVAL"].variants == ("b",)
