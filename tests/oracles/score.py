"""The overall score and word order by itself, as sections 6.10 and 6.11 define them, with plain loops."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise
from math import sqrt

Link = tuple[int, int]


def grams(text: Sequence[object], order: int) -> Counter[tuple[object, ...]]:
    """Return how often each n-gram occurs."""
    return Counter(tuple(text[k : k + order]) for k in range(len(text) - order + 1))


def common_grams(one: Sequence[object], other: Sequence[object], order: int) -> int:
    """Return how many n-grams two texts have in common."""
    return (grams(one, order) & grams(other, order)).total()


def likeness(one: str, other: str) -> float:
    """Return how like two words are by their 2-grams and 3-grams, with a mark before and behind them."""
    marked = [["<", *word.lower(), ">"] for word in (one, other)]
    found = [grams(word, 2) + grams(word, 3) for word in marked]
    return (found[0] & found[1]).total() / sqrt(found[0].total() * found[1].total())


def characters(hypothesis: str, reference: str) -> float:
    """Return chrF with beta 3 of two lines."""
    one, other = ("".join(line.split()) for line in (hypothesis, reference))
    precisions, recalls = [], []
    for order in range(1, 7):
        if len(one) >= order and len(other) >= order:
            common = common_grams(one, other, order)
            precisions.append(common / (len(one) - order + 1))
            recalls.append(common / (len(other) - order + 1))
    if not precisions or not sum(precisions):
        return 0.0
    precision, recall = (sum(each) / len(each) for each in (precisions, recalls))
    return 10 * precision * recall / (9 * precision + recall)


def words(hypothesis: Sequence[str], reference: Sequence[str]) -> float:
    """Return how well the words of the reference are met, by their characters."""
    met = total = 0.0
    for word in reference:
        if any(letter.isalnum() for letter in word):
            best = max((likeness(word, other) for other in hypothesis), default=0.0)
            met += sqrt(len(word)) * best
            total += sqrt(len(word))
    if total:
        return met / total
    named = any(letter.isalnum() for word in hypothesis for letter in word)
    return float(bool(hypothesis) and not named)


def order(ranks: Sequence[int]) -> float:
    """Return the order of words by their places in the reference: 1.7 x neighbours, 0.3 x pairs out of order."""
    if len(ranks) < 2:
        return float(len(ranks))
    where = {rank: place for place, rank in enumerate(ranks)}
    parted = sum(where[rank] > where[rank + 1] for rank in range(len(ranks) - 1))
    crossed = sum(one > two for one, two in combinations(ranks, 2))
    pairs = len(ranks) * (len(ranks) - 1) / 2
    return max(0.0, 1 - 1.7 * parted / (len(ranks) - 1) - 0.3 * crossed / pairs)


def segment_order(
    links: Sequence[Link], hypothesis: Sequence[str], reference: Sequence[str]
) -> float | None:
    """Return the order of a segment with one-to-one links; None where too little is linked."""

    def named(word: str) -> bool:
        return any(letter.isalnum() for letter in word)

    own = [
        (one, two) for one, two in sorted(links) if named(hypothesis[one]) and named(reference[two])
    ]
    length = sum(map(named, reference))
    if len(own) < 4 or len(own) < length / 4:
        return None
    places = sorted(two for _, two in own)
    return order([places.index(two) for _, two in own])


def left(links: Sequence[Link], hypothesis: Sequence[str], reference: Sequence[str]) -> float:
    """Return what disorder leaves of the overall score of a segment."""
    known = segment_order(links, hypothesis, reference)
    if known is None:
        return 1.0
    named = [any(letter.isalnum() for letter in word) for word in reference]
    linked = sum(
        named[two] and any(letter.isalnum() for letter in hypothesis[one]) for one, two in links
    )
    return 1 - float((min(linked / sum(named), 1) * (1 - known)) ** 4)


def order_two(links: Sequence[Link], length: int) -> float:
    """Return the order of version 2, of one-to-one links to a reference of this length; 0 without any."""
    if not links:
        return 0.0
    places = [second for _, second in sorted(links)]
    ranks = [sorted(places).index(place) for place in places]
    if len(ranks) == 1:
        return 1.0
    pairs = list(combinations(ranks, 2))
    far = sum(one > two for one, two in pairs) / len(pairs)
    joints = list(pairwise(ranks))
    near = sum(two != one + 1 for one, two in joints) / len(joints)
    disorder = 0.1 * far + 0.9 * near * float((20 / length) ** 0.4)
    return max(0.0, 1 - float(min(max(len(links) / length, 0.35), 1) ** 0.75) * disorder)


def soft_order_two(concordant: float, discordant: float, linked: float, length: int) -> float:
    """Return the order that masses of soft links to a reference of this length tell."""
    if not linked > 0:
        return 0.0
    far = discordant / (concordant + discordant) if concordant + discordant else 0.0
    return max(0.0, 1 - max(far - 0.00005, 0) / 0.5 * float((length / 20) ** 0.2))
