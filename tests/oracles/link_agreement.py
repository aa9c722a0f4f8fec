"""Agreement of links by plain loops: every pair of words of every sentence, exact fractions."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, product

from tests.oracles.links import talbot
from tests.oracles.reordering import best_joints

Pairs = set[tuple[int, int]]


@dataclass(frozen=True)
class LinkedSentence:
    """The numbers of words, and the sure and the only possible links of two annotators."""

    lengths: tuple[int, int]
    sure: tuple[Pairs, Pairs]
    possible: tuple[Pairs, Pairs]
    same: bool = True
    """Whether both have the same target words."""

    def every(self, who: int) -> Pairs:
        return self.sure[who] | self.possible[who]


def share(part: Fraction | int, whole: Fraction | int) -> Fraction | None:
    return Fraction(part) / whole if whole else None


def measures(sentences: list[LinkedSentence], *, possible: bool) -> dict[str, Fraction | None]:
    """Return all measures of the first annotator against the second; None for what is undefined."""
    alike = [each for each in sentences if each.same]
    ours = theirs_sure = found_sure = found = 0
    table = {(one, other): 0 for one in (False, True) for other in (False, True)}
    for each in alike:
        for pair in product(range(each.lengths[0]), range(each.lengths[1])):
            mine, right = pair in each.every(0), pair in each.every(1)
            table[mine, right] += 1
            ours += mine
            theirs_sure += pair in each.sure[1]
            found_sure += mine and pair in each.sure[1]
            found += mine and right
    precision, recall = share(found, ours), share(found_sure, theirs_sure)
    f1 = None
    if precision is not None and recall is not None:
        total = precision + recall
        f1 = 2 * precision * recall / total if total else Fraction(0)
    errors = share(found_sure + found, ours + theirs_sure)
    scores = []
    for each in sentences:
        drawn = [each.every(who) if possible else each.sure[who] for who in (0, 1)]
        if all(drawn):
            scores.append(order_score(each, possible=possible))
        elif any(drawn):
            scores.append(Fraction(0))
    return {
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "aer": None if errors is None else 1 - errors,
        "kappa": cohen(table),
        "frs": share(sum(scores, Fraction(0)), len(scores)),
    }


def cohen(table: dict[tuple[bool, bool], int]) -> Fraction | None:
    """Return Cohen's kappa of a table of two by two: (observed - expected) / (1 - expected)."""
    total = sum(table.values())
    if not total:
        return None
    observed = Fraction(table[True, True] + table[False, False], total)
    expected = sum(
        Fraction(table[label, True] + table[label, False], total)
        * Fraction(table[True, label] + table[False, label], total)
        for label in (False, True)
    )
    return None if expected == 1 else (observed - expected) / (1 - expected)


def order_score(sentence: LinkedSentence, *, possible: bool) -> Fraction:
    """Return the share of neighbours of the first's order that are neighbours in the second's."""
    size = sentence.lengths[0]
    if size < 2:
        return Fraction(1)
    chosen = sentence.every if possible else sentence.sure.__getitem__
    system, reference = (talbot(size, sorted(chosen(who))) for who in (0, 1))
    return Fraction(best_joints(list(chain.from_iterable(system)), reference), size - 1)
