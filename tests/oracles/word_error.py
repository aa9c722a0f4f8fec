"""Rates of wrong words and NIST by their definitions, slow and plain: specification 6.7."""

import math
from collections import Counter
from collections.abc import Sequence

from tests.oracles.lexical import Words, ngrams


def edits(hypothesis: Words, reference: Words) -> int:
    """Return the fewest insertions, deletions and substitutions, from the whole table."""
    table = [[0] * (len(reference) + 1) for _ in range(len(hypothesis) + 1)]
    for h in range(len(hypothesis) + 1):
        for r in range(len(reference) + 1):
            if h == 0 or r == 0:
                table[h][r] = h + r
                continue
            same = hypothesis[h - 1] == reference[r - 1]
            table[h][r] = min(
                table[h - 1][r - 1] + (not same), table[h - 1][r] + 1, table[h][r - 1] + 1
            )
    return table[-1][-1]


def bag_errors(hypothesis: Words, reference: Words) -> int:
    """Return the longer length less the words that both bags have."""
    common = (Counter(hypothesis) & Counter(reference)).total()
    return max(len(hypothesis), len(reference)) - common


def jump_edits(hypothesis: Words, reference: Words) -> int:
    """Return the fewest edits and long jumps, from the whole table.

    Column r holds the costs of all places of the hypothesis after r words of the reference. A place is
    reached by a match or a substitution, by an insertion, or by a jump from any place of the column, which
    costs 1 as a deletion does.
    """
    places = range(len(hypothesis) + 1)
    column = [0 if place == 0 else 1 for place in places]
    for word in reference:
        reached = [column[place] + 1 for place in places]
        for place in places[1:]:
            other = column[place - 1] + (hypothesis[place - 1] != word)
            reached[place] = min(reached[place], other)
        jump = min(reached) + 1
        column = [min(cost, jump) for cost in reached]
    return column[-1]


def rate(errors: int, words: int) -> float:
    """Return errors per reference word; without one 1 if there is an error, else 0."""
    return errors / words if words else float(errors > 0)


def information(references: Sequence[Words], order: int) -> dict[tuple[str, ...], float]:
    """Return the bits of every n-gram of all these references."""
    counts: Counter[tuple[str, ...]] = Counter()
    for words in references:
        for n in range(1, order + 1):
            counts += ngrams(words, n)
    counts[()] = sum(len(words) for words in references)
    return {ngram: math.log2(counts[ngram[:-1]] / counts[ngram]) for ngram in counts if ngram}


def nist(
    hypotheses: Sequence[Words],
    references: Sequence[Sequence[Words]],
    *,
    order: int = 5,
    segments: Sequence[int] | None = None,
) -> float:
    """Return NIST of a corpus, or of some of its segments; `references[s]` are those of segment s."""
    bits = information([words for others in references for words in others], order)
    chosen = range(len(hypotheses)) if segments is None else segments
    score = 0.0
    for n in range(1, order + 1):
        told, total = 0.0, 0
        for s in chosen:
            found, allowed = ngrams(hypotheses[s], n), Counter[tuple[str, ...]]()
            for reference in references[s]:
                allowed |= ngrams(reference, n)
            told += sum(bits[ngram] * count for ngram, count in (found & allowed).items())
            total += found.total()
        score += told / total if total else 0.0
    length = sum(len(hypotheses[s]) for s in chosen)
    mean = sum(sum(map(len, references[s])) / len(references[s]) for s in chosen)
    if length >= mean:
        return score
    if length == 0:
        return 0.0
    return score * math.exp(-math.log(2) / math.log(1.5) ** 2 * math.log(length / mean) ** 2)
