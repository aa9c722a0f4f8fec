"""Names cut to a width."""

from hypothesis import given
from hypothesis import strategies as st

from kilter.core.markup import text_width
from kilter.render.table.page import short_names

NAMES = st.lists(st.text(st.sampled_from("abc-漢…1"), min_size=1, max_size=30), unique=True)


@given(names=NAMES, width=st.integers(10, 30))
def test_cut_names_fit_and_stay_different(names: list[str], width: int) -> None:
    short = short_names(names, width=width)
    assert len({*short}) == len(names)
    for name, cut in zip(names, short, strict=True):
        assert text_width(cut) <= width
        assert (cut == name) == (text_width(name) <= width)


def test_beginning_and_end_stay() -> None:
    assert short_names(["newstest2019-online-B"], width=9) == ["newst…e-B"]


def test_the_beginning_ends_before_the_first_character_that_does_not_fit() -> None:
    assert short_names(["ab漢cdefghij"], width=7) == ["ab…hij"]


def test_a_name_that_stands_twice_is_cut_alike() -> None:
    one, other = "perceptron(model:0123456789abcdef)", "perceptron(model:0123456789fedcef)"
    found = short_names([one, one, other, one], width=16)
    assert found[0] == found[1] == found[3]
    assert found[2] != found[0]
