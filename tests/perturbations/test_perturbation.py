"""Laws of perturbed sentences: property 10 of the specification, and what chance may do."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from kilter.errors import InputError, OptionError
from kilter.perturbations.case import CaseCounts
from kilter.perturbations.chance import Chance
from kilter.perturbations.draw import ImpossibleError
from kilter.perturbations.order import OrderStep, draw_order
from kilter.perturbations.perturbation import Perturbation, PerturbationType, perturb
from kilter.perturbations.phrase import PhraseStep, draw_phrase, phrases_of
from kilter.perturbations.sentence import Sentence, tagged_words
from kilter.perturbations.swap import draw_swap
from kilter.perturbations.word import Word, join_words, split_sentence
from kilter.structures.dependency.dependency_tree import DependencyTree
from tests.oracles.perturb import order_is_possible, sets_of_phrases

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


def cores(text: str) -> Counter[str]:
    return Counter(word.core.lower() for word in split_sentence(text))


# Many sentences do not allow what is asked of them; how many are drawn depends on chance alone.
often_impossible = settings(suppress_health_check=[HealthCheck.filter_too_much])


def made(sentence: Sentence, kind: str, degree: int, seed: int = 1) -> Perturbation:
    result = perturb(
        sentence, PerturbationType(kind), degree=degree, case=CaseCounts(), seed=(seed,)
    )
    assert (result.text is None) == (result.reason is not None)
    assume(result.text is not None)
    return result


@pytest.mark.parametrize("kind", ["order", "swap", "phrase"])
@often_impossible
@given(sentence=sentences(), degree=st.integers(1, 6))
def test_moving_words_keeps_all_cores(kind: str, sentence: Sentence, degree: int) -> None:
    result = made(sentence, kind, degree)
    words = sentence.words()
    assert sorted(result.permutation) == list(range(len(words)))
    assert result.text is not None
    moved = [words[place].core.lower() for place in result.permutation]
    assert [word.core.lower() for word in split_sentence(result.text)] == moved
    assert cores(result.text) == cores(sentence.text)


@often_impossible
@given(sentence=sentences(), degree=st.integers(1, 3))
def test_swap_keeps_all_punctuation_and_moves_exactly_degree_words(
    sentence: Sentence, degree: int
) -> None:
    result = made(sentence, "swap", 2 * degree)
    assert result.text is not None
    assert [(word.opening, word.closing) for word in split_sentence(result.text)] == [
        (word.opening, word.closing) for word in sentence.words()
    ]
    assert sentence.tree is not None
    moved = [at for at, place in enumerate(result.permutation) if at != place]
    assert len(moved) == 2 * degree
    tags = sentence.tree.tags
    assert all(tags[at] == tags[result.permutation[at]] for at in moved)


@often_impossible
@given(sentence=sentences(), degree=st.integers(1, 6))
def test_choice_changes_exactly_degree_cores_and_no_punctuation(
    sentence: Sentence, degree: int
) -> None:
    result = made(sentence, "choice", degree)
    assert result.text is not None
    before, after = sentence.words(), split_sentence(result.text)
    changed = [
        new.core.lower()
        for old, new in zip(before, after, strict=True)
        if old.core.lower() != new.core.lower()
    ]
    assert len(changed) == degree == len(set(changed))
    assert not {*changed} & {word.core.lower() for word in before}
    assert [(word.opening, word.closing) for word in after] == [
        (word.opening, word.closing) for word in before
    ]


@often_impossible
@given(sentence=sentences(), degree=st.integers(1, 6))
def test_choice_takes_words_of_the_other_sentence_with_the_same_tag(
    sentence: Sentence, degree: int
) -> None:
    result = made(sentence, "choice", degree)
    assert result.text is not None
    assert sentence.tree is not None
    offered = {(core.lower(), tag) for core, tag in sentence.hypothesis or ()}
    rows = zip(sentence.words(), split_sentence(result.text), sentence.tree.tags, strict=True)
    taken = [
        (new.core.lower(), tag) for old, new, tag in rows if old.core.lower() != new.core.lower()
    ]
    assert len(taken) == degree
    assert {*taken} <= offered


@often_impossible
@given(sentence=sentences(), degree=st.integers(1, 4))
def test_both_replaces_and_then_moves(sentence: Sentence, degree: int) -> None:
    result = made(sentence, "both", degree)
    assert len(result.steps) == 2 * degree
    words = sentence.words()
    for step in result.steps:
        words = step.apply(words)
    assert join_words(CaseCounts().truecase(words)) == result.text


@given(words=st.lists(WORDS, min_size=2, max_size=9), data=st.data())
def test_one_step_of_order_moves_exactly_one_word(words: list[str], data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(words) - 1))
    target = data.draw(st.integers(0, len(words) - 1).filter(lambda place: place != position))
    moved = OrderStep(position, target - position).apply(split_sentence(" ".join(words)))
    places = [word.place for word in moved]
    assert places.pop(target) == position
    assert places == sorted(places)


@given(sentence=sentences(), degree=st.integers(1, 9), seed=st.integers(0, 99))
def test_order_moves_degree_different_words_by_falling_distances(
    sentence: Sentence, degree: int, seed: int
) -> None:
    words = sentence.words()
    try:
        drawn = draw_order(words, degree, Chance(seed))
    except ImpossibleError:
        reject()
    moved, now = list[int](), words
    for step in drawn.steps:
        assert isinstance(step, OrderStep)
        moved.append(now[step.position].place)
        now = step.apply(now)
    assert now == drawn.words
    assert len({*moved}) == degree
    assert [abs(step[1]) for step in drawn.steps if isinstance(step, OrderStep)] == list(
        range(degree, 0, -1)
    )


@pytest.mark.parametrize("size", range(1, 6))
@pytest.mark.parametrize("degree", range(1, 6))
def test_order_is_impossible_exactly_where_no_sequence_of_moves_exists(
    size: int, degree: int
) -> None:
    words = split_sentence(" ".join("abcdefg"[:size]))

    def possible(seed: int) -> bool:
        try:
            draw_order(words, degree, Chance(seed))
        except ImpossibleError:
            return False
        return True

    assert any(possible(seed) for seed in range(60)) == order_is_possible(size, degree)


@given(sentence=sentences(max_size=10), degree=st.integers(1, 9), seed=st.integers(0, 99))
def test_phrases_are_drawn_from_the_sets_that_exist(
    sentence: Sentence, degree: int, seed: int
) -> None:
    assert sentence.tree is not None
    phrases, boundaries = phrases_of(sentence.tree)
    sets = sets_of_phrases(phrases, degree)
    try:
        drawn = draw_phrase(sentence.words(), sentence.tree, degree, Chance(seed))
    except ImpossibleError as error:
        blocked = "boundary" in str(error)
    else:
        _check_phrases(sentence.words(), [*drawn.steps], sets, boundaries)
        return
    assert blocked or not sets


def _check_phrases(
    words: tuple[Word, ...],
    steps: list[object],
    sets: set[frozenset[tuple[int, int]]],
    boundaries: set[int],
) -> None:
    now, chosen = words, set[tuple[int, int]]()
    for step in steps:
        assert isinstance(step, PhraseStep)
        places = [*(word.place for word in now), len(now)]
        first = places[step.start]
        assert places[step.start : step.start + step.length] == list(
            range(first, first + step.length)
        )
        assert places[step.boundary] in boundaries
        chosen.add((first, step.length))
        now = step.apply(now)
    assert frozenset(chosen) in sets
    assert [step[1] for step in steps if isinstance(step, PhraseStep)] == sorted(
        (length for _, length in chosen), reverse=True
    )


def test_every_set_of_phrases_is_equally_likely() -> None:
    tree = DependencyTree(list("abcdef"), [1, -1, 1, 2, 2, 1])
    phrases, _ = phrases_of(tree)
    words = split_sentence("a b c d e f")
    sets = sets_of_phrases(phrases, 3)
    drawn = Counter[frozenset[int]]()
    for seed in range(3000):
        steps = draw_phrase(words, tree, 3, Chance(seed)).steps
        now, moved = words, set[int]()
        for step in steps:
            assert isinstance(step, PhraseStep)
            moved |= {word.place for word in now[step.start : step.start + step.length]}
            now = step.apply(now)
        drawn[frozenset(moved)] += 1
    # {3,4,5} can only be three single words; {2,3,4} is one phrase or, as single words, none.
    assert len(sets) == len(drawn)
    assert all(abs(count - 3000 / len(sets)) < 150 for count in drawn.values())


def test_words_of_one_form_with_different_tags_do_not_swap() -> None:
    words = split_sentence("a b")
    with pytest.raises(ImpossibleError, match="0 of 1 pairs"):
        draw_swap(words, ["DET", "NOUN"], 2, Chance(1))
    with pytest.raises(ImpossibleError, match="odd"):
        draw_swap(words, ["DET", "DET"], 1, Chance(1))


def test_words_with_equal_cores_do_not_swap() -> None:
    with pytest.raises(ImpossibleError):
        draw_swap(split_sentence("go, go!"), ["VERB", "VERB"], 2, Chance(1))


@given(sentence=sentences(), seed=st.integers(0, 9), degree=st.integers(1, 5))
def test_the_same_seed_gives_the_same_result(sentence: Sentence, seed: int, degree: int) -> None:
    for kind in PerturbationType:
        first, second = (
            perturb(sentence, kind, degree=degree, case=CaseCounts(), seed=(seed,))
            for _ in range(2)
        )
        assert first == second


def test_a_sentence_that_cannot_change_is_reported_and_not_faked() -> None:
    result = perturb(
        Sentence("Go go"), PerturbationType.ORDER, degree=1, case=CaseCounts.of(["x go"]), seed=(1,)
    )
    assert (result.text, result.reason) == (None, "the sentence came out as it was")
    short = perturb(Sentence("One"), PerturbationType.ORDER, degree=1, case=CaseCounts(), seed=(1,))
    assert (short.text, short.reason) == (None, "no word can move by 1 place in 1 word")


def test_missing_knowledge_is_an_error_that_says_what_to_give() -> None:
    sentence = Sentence("a b c")
    for kind in ("swap", "phrase", "choice"):
        with pytest.raises(InputError, match="give its tree"):
            perturb(sentence, PerturbationType(kind), degree=2, case=CaseCounts(), seed=(1,))
    tree = DependencyTree(["a", "b"], [-1, 0])
    with pytest.raises(InputError, match="give one with its tree"):
        perturb(
            Sentence("a b", tree), PerturbationType.CHOICE, degree=1, case=CaseCounts(), seed=()
        )
    with pytest.raises(InputError, match="has 3 words, but its tree has 2"):
        Sentence("a b c", tree)
    with pytest.raises(InputError, match="has 3 words, but its tree has 2"):
        tagged_words("a b c", tree)
    with pytest.raises(OptionError, match="from 1"):
        perturb(sentence, PerturbationType.ORDER, degree=0, case=CaseCounts(), seed=())


def test_truecasing_leaves_letters_alone_that_have_no_single_capital() -> None:
    words = (Word("", "ßa", ""), Word("", "ǆa", ""))
    assert join_words(CaseCounts().truecase(words)) == "ßa ǆa"


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


@pytest.mark.parametrize(("size", "phrases"), [(8, 1), (9, 1), (10, 0)])
def test_a_phrase_has_nine_words_at_most(size: int, phrases: int) -> None:
    # Words 1 to `size` hang from the first of them, which hangs from word 0, as the last word does.
    words = [str(place) for place in range(size + 2)]
    tree = DependencyTree(words, [-1, 0, *[1] * (size - 1), 0])
    found, _ = phrases_of(tree)
    assert [phrase for phrase in found if phrase[1] > 1] == [(1, size)] * phrases
    drawn = draw_phrase(split_sentence(" ".join(words)), tree, min(size, 9), Chance(1))
    assert sum(step.length for step in drawn.steps if isinstance(step, PhraseStep)) == min(size, 9)


@given(sentence=sentences())
def test_phrases_are_the_contiguous_subtrees_of_nine_words_at_most(sentence: Sentence) -> None:
    assert sentence.tree is not None
    heads = sentence.tree.heads
    below = [{word} for word in range(len(heads))]
    for word in range(len(heads)):
        above = heads[word]
        while above != -1:
            below[above].add(word)
            above = heads[above]
    phrases, boundaries = phrases_of(sentence.tree)
    assert phrases == sorted(
        {
            (min(group), len(group))
            for group in below
            if group == {*range(min(group), min(group) + len(group))} and len(group) <= 9
        }
    )
    assert boundaries == {len(heads), *map(min, below)}


def test_a_subtree_with_a_gap_is_no_phrase_though_its_ends_are_boundaries() -> None:
    # Word 2 hangs from word 0 across word 1, the root.
    tree = DependencyTree(list("abc"), [1, -1, 0])
    assert phrases_of(tree) == ([(0, 3), (2, 1)], {0, 2, 3})


def test_longer_phrases_move_first_wherever_they_stand() -> None:
    # Five words in all have only `a` and `b c d e`, which stand in either order.
    for words, heads in (("abcdef", [5, 5, 1, 1, 1, -1]), ("fbcdea", [-1, 0, 1, 1, 1, 0])):
        tree = DependencyTree(list(words), heads)
        sentence = split_sentence(" ".join(words))
        (only,) = sets_of_phrases(phrases_of(tree)[0], 5)
        assert sorted(length for _, length in only) == [1, 4]
        for seed in range(20):
            steps = draw_phrase(sentence, tree, 5, Chance(seed)).steps
            assert [step.length for step in steps if isinstance(step, PhraseStep)] == [4, 1]
