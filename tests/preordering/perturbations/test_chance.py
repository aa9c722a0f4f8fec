"""Numbers drawn by chance."""

from collections import Counter

from kilter.preordering.perturbations.word import Chance


def test_chance_draws_evenly_also_beyond_what_a_float_can_say() -> None:
    chance = Chance("large")
    drawn = [chance.below(3 * (1 << 80)) >> 80 for _ in range(3000)]
    assert all(900 < drawn.count(part) < 1100 for part in range(3))
    assert sorted(chance.shuffled(range(50))) == list(range(50))
    assert Chance(1, "23").below(1 << 40) != Chance("1", 23).below(1 << 40)


def test_every_order_of_a_few_things_is_equally_likely() -> None:
    chance = Chance(1, "orders")
    found = Counter(tuple(chance.shuffled("abc")) for _ in range(6000))
    assert len(found) == 6  # the order that was given among them
    # 1,000 each on average; chi-squared with 5 degrees of freedom is below 20.5 in 99.9% of cases.
    assert sum((count - 1000) ** 2 / 1000 for count in found.values()) < 20.5
    firsts = Counter(chance.sample("abcd", 2)[0] for _ in range(4000))
    assert sum((count - 1000) ** 2 / 1000 for count in firsts.values()) < 16.3
