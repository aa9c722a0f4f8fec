"""`order:references=lattice`: two words are out of order only if no reference has them so. Specification 6.10"""

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.core.errors import OptionError
from kilter.metrics.order import References
from kilter.metrics.registry import metric
from tests.thorough import examples

LATTICE = "order:references=lattice"
Words = list[str]


def naive(hypothesis: Words, references: list[Words]) -> float:
    """Return the best score over bases, by plain loops; words are different."""
    found = []
    for base in references:
        words = [word for word in hypothesis if word in base]
        crossed = parted = 0
        for one, other in combinations(words, 2):
            both = [each for each in references if one in each and other in each]
            wrong = all(each.index(one) > each.index(other) for each in both)
            crossed += wrong
            linked = [word for word in base if word in words]
            parted += wrong and linked.index(one) - linked.index(other) == 1
        count = len(words)
        cost = 1.7 * parted / (count - 1) + 0.3 * crossed / (count * (count - 1) / 2)
        found.append(max(0.0, 1 - cost))
    return max(found)


def scores(hypothesis: Words, references: list[Words]) -> dict[str, float | None]:
    texts = [[" ".join(each) for each in references]]
    result = kilter.score([" ".join(hypothesis)], texts, metrics=["order", LATTICE])
    return {name: result.system[name].score for name in ("order", LATTICE)}


WORDS = ["ant", "bear", "cat", "dog", "elk", "fox"]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Words, list[Words]]:
    """Return an order of some words, and orders of those and others, in which enough are linked."""
    orders = st.permutations(WORDS)
    hypothesis = draw(orders)
    references = [
        order[: draw(st.integers(5, 6))] for order in draw(st.lists(orders, min_size=1, max_size=3))
    ]
    return list(hypothesis), [list(each) for each in references]


@examples(40)
@given(cases())
def test_the_lattice_is_that_of_plain_loops_and_never_below_the_best(
    case: tuple[Words, list[Words]],
) -> None:
    hypothesis, references = case
    found = scores(hypothesis, references)
    best, lattice = found["order"], found[LATTICE]
    assert best is not None
    assert lattice is not None
    assert lattice == pytest.approx(naive(hypothesis, references))
    assert lattice >= best - 1e-12
    if len({tuple(each) for each in references}) == 1:
        assert lattice == best
    turned = scores(hypothesis, references[::-1])[LATTICE]
    assert turned == pytest.approx(lattice)
    assert scores(references[0], references)[LATTICE] == 1.0


@examples(25)
@given(st.lists(st.permutations(WORDS[:5]), min_size=2, max_size=3))
def test_orders_that_the_references_allow_are_counted(references: list[Words]) -> None:
    def is_allowed(order: tuple[str, ...]) -> bool:
        return all(
            any(each.index(one) < each.index(other) for each in references)
            for one, other in combinations(order, 2)
        )

    allowed = [order for order in permutations(WORDS[:5]) if is_allowed(order)]
    texts = [" ".join(each) for each in references]
    hypothesis = " ".join(references[0])
    explained = kilter.explain(hypothesis, texts[0], metrics=LATTICE)
    assert explained.to_dict()["metrics"][LATTICE]["score"] == 1.0
    several = kilter.explain_segments([hypothesis], [texts], segments=[1], metrics=LATTICE)[
        0
    ].to_dict()
    steps = {each["name"]: each["value"] for each in several["metrics"][LATTICE]["working"]}
    assert steps["orders"] == len(allowed)
    assert steps["score"] == 1.0
    ones = [each for each in allowed if scores(list(each), references)[LATTICE] == 1.0]
    assert ones == allowed


def test_only_a_reference_that_links_both_words_can_say_something() -> None:
    base = ["ant", "bear", "cat", "dog", "elk"]
    # With three linked words of twelve it has no evidence of its own, but an opinion.
    without = ["dog", "ant", "elk", *"fghijklmn"]
    found = scores(["bear", "ant", "cat", "dog", "elk"], [base, without])
    # ant and bear stand together in one reference alone.
    assert found[LATTICE] == pytest.approx(1 - 1.7 / 4 - 0.3 / 10)
    moved = scores(["dog", "ant", "bear", "cat", "elk"], [base, without])
    # dog before ant as in the other; before bear and cat as in none that has both.
    assert moved[LATTICE] == pytest.approx(1 - 1.7 / 4 - 0.3 * 2 / 10)


def test_the_signature_says_so_and_what_does_not_go_together_is_refused() -> None:
    made = metric(LATTICE)
    assert "|references:lattice|" in made.signature()
    assert "|references:best|" in metric("order").signature()
    assert getattr(made, "references") is References.LATTICE  # noqa: B009 - of an order
    with pytest.raises(OptionError, match="version 2 has no lattice of references"):
        metric("order:references=lattice,weights=2")
    with pytest.raises(OptionError, match="takes one-to-one links, not the rule birch"):
        kilter.score(["a b c d"], [["a b c d", "b a c d"]], metrics=LATTICE, rule="birch")
