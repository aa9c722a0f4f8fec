"""Windows cover every word once and fit the network."""

from hypothesis import given
from hypothesis import strategies as st

from kilter.parsers.encoder.encoder import windows


@given(st.lists(st.tuples(st.integers(1, 8), st.sampled_from(["a", "."]))), st.integers(8, 40))
def test_windows_follow_one_another_and_none_is_too_large(
    given_words: list[tuple[int, str]], most: int
) -> None:
    sizes, words = [size for size, _ in given_words], [word for _, word in given_words]
    spans = windows(sizes, words, most=most)
    assert [k for start, stop in spans for k in range(start, stop)] == list(range(len(words)))
    assert all(0 < sum(sizes[start:stop]) <= most for start, stop in spans)


def test_a_window_ends_after_a_sentence_where_it_can() -> None:
    words = ["a"] * 6 + ["."] + ["a"] * 6
    assert windows([1] * 13, words, most=10) == [(0, 7), (7, 13)]
    assert windows([1] * 13, ["a"] * 13, most=10) == [(0, 10), (10, 13)]
