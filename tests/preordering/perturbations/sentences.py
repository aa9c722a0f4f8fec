"""Sentences to change, and how they are changed in tests."""

from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.preordering.perturbations.case import CaseCounts, Sentence
from kilter.preordering.perturbations.perturbation import Perturbation, PerturbationType, perturb

TAGS = ("NOUN", "VERB", "DET")


CORES = st.text("abcdeXYZ", min_size=1, max_size=3)


WORDS = st.builds(
    lambda opening, core, closing: opening + core + closing,
    st.sampled_from(["", "(", '"']),
    CORES,
    st.sampled_from(["", ".", ",", '",', ")"]),
)


@st.composite
def sentences(draw: st.DrawFn, max_size: int = 14) -> Sentence:
    words = draw(st.lists(WORDS, min_size=1, max_size=max_size))
    others = draw(st.lists(st.tuples(CORES, st.sampled_from(TAGS)), max_size=12))
    return Sentence(" ".join(words), draw(trees(words)), others)


@st.composite
def trees(draw: st.DrawFn, words: list[str]) -> DependencyTree:
    order = draw(st.permutations(range(len(words))))
    heads = [-1] * len(words)
    for place, word in enumerate(order[1:], start=1):
        heads[word] = order[draw(st.integers(0, place - 1))]
    tags = draw(st.lists(st.sampled_from(TAGS), min_size=len(words), max_size=len(words)))
    return DependencyTree(words, heads, tags=tags)


# Many sentences do not allow what is asked of them; how many are drawn depends on chance alone.
often_impossible = settings(suppress_health_check=[HealthCheck.filter_too_much])


def made(sentence: Sentence, kind: str, degree: int, seed: int = 1) -> Perturbation:
    result = perturb(
        sentence, PerturbationType(kind), degree=degree, case=CaseCounts(), seed=(seed,)
    )
    assert (result.text is None) == (result.reason is not None)
    assume(result.text is not None)
    return result
