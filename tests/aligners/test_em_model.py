"""Certainties of statistical aligners are posteriors: those of every path, added up."""

from math import sqrt

import numpy as np
import pytest

from kilter.aligners.em_aligner import EmAligner
from kilter.aligners.em_model import EmModel, TranslationTable
from kilter.aligners.hmm import Hmm
from kilter.aligners.ibm1 import Ibm1
from kilter.core.corpus import Vocabulary
from tests.oracles.em import Expectation, Jumps, Pair, Table

FIRST = ["a b c", "b a", "c c a", "a"]
SECOND = ["x y", "y x z", "z x", "x"]


def oracle_jumps(table: TranslationTable, model: EmModel) -> Jumps:
    reach = len(table.jumps) // 2
    jumps = Jumps(reach, null=model.null, uniform=model.uniform)
    jumps.weights = {place - reach: float(each) for place, each in enumerate(table.jumps)}
    return jumps


def oracle_table(
    table: TranslationTable, sources: tuple[str, ...], targets: tuple[str, ...]
) -> Table:
    found: Table = {}
    for row, word in enumerate((None, *sources)):
        for place in range(int(table.offsets[row]), int(table.offsets[row + 1])):
            found[word, targets[table.targets[place]]] = float(table.probabilities[place])
    return found


@pytest.mark.parametrize("aligner", [Hmm(iterations=2), Ibm1()], ids=["hmm", "ibm1"])
def test_a_certainty_is_the_mean_of_the_posteriors_of_all_paths(aligner: EmAligner) -> None:
    vocabulary = Vocabulary()
    columns = [vocabulary.column([line.split() for line in side]) for side in (FIRST, SECOND)]
    model = aligner.train(columns[0], columns[1], vocabulary)
    links = aligner.align_with_certainty(columns[0], columns[1], vocabulary)
    plain = aligner.align(columns[0], columns[1], vocabulary)
    assert np.array_equal(links.links, plain.links)
    assert plain.certainty is None
    assert links.certainty is not None
    checked = 0
    for segment, (one, other) in enumerate(zip(FIRST, SECOND, strict=True)):
        ahead = posteriors(model, model.forward, (one.split(), other.split()))
        back = posteriors(model, model.reverse, (other.split(), one.split()), turned=True)
        for place, (i, j) in enumerate(links.segment(segment), int(links.offsets[segment])):
            assert links.certainty[place] == pytest.approx(sqrt(ahead[j][i] * back[i][j]))
            checked += 1
    assert checked > len(FIRST)


def posteriors(
    model: EmModel, table: TranslationTable, pair: Pair, *, turned: bool = False
) -> list[dict[int, float]]:
    words = model.first_words, model.second_words
    known = oracle_table(table, *(words[::-1] if turned else words))
    if model.kind == "hmm":
        found = Expectation(known, oracle_jumps(table, model), pair).posteriors
        return [dict(each) for each in found]
    rows = []
    for word in pair[1]:
        shares = [known.get((other, word), 1e-12) for other in (None, *pair[0])]
        rows.append({place - 1: share / sum(shares) for place, share in enumerate(shares)})
    return rows
