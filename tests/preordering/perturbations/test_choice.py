"""Words that are replaced by others."""

from hypothesis import given
from hypothesis import strategies as st

from kilter.preordering.perturbations.case import Sentence
from kilter.preordering.perturbations.word import split_sentence
from tests.preordering.perturbations.sentences import made, often_impossible, sentences


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
