"""Drawings hold any text, and styles tell series apart without colour."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from kilter.render.chart.drawing import Drawing, style, widest
from tests.render.picture import Box, overlaps, parsed, texts


@given(st.text(st.characters(codec="utf-8"), min_size=1))
def test_any_text_makes_well_formed_xml(text: str) -> None:
    drawing = Drawing()
    drawing.text((10, 20), text)
    root = parsed(drawing.document(100, 40, title=text, description=text))
    assert root.find("{*}title") is not None


def test_texts_that_look_like_names_of_patterns_stay_as_they_are() -> None:
    drawing = Drawing()
    drawing.hatched_box((0, 0), (9, 9), colour="#0072b2", hatch="dots")
    drawing.text((10, 20), "k00000000-dots \\x00")
    drawn = drawing.document(100, 40, title="t", description="d")
    assert texts(drawn) == ["k00000000-dots \\x00"]
    assert "\x00" not in drawn


def test_the_first_series_differ_in_colour_marker_and_hatching() -> None:
    for first, second in combinations(map(style, range(5)), 2):
        assert first.colour != second.colour
        assert first.marker != second.marker
        assert first.hatch != second.hatch
        assert first.dash != second.dash


def test_two_hundred_series_have_their_own_looks() -> None:
    assert len({style(number) for number in range(210)}) == 210


def test_coordinates_have_two_places_and_no_minus_zero() -> None:
    drawing = Drawing()
    drawing.line((-0.001, 1 / 3), (100, 2e-9))
    assert 'x1="0" y1="0.33" x2="100" y2="0"' in drawing.document(9, 9, title="t", description="d")


def test_the_check_of_layouts_sees_texts_that_touch() -> None:
    drawing = Drawing()
    drawing.text((10, 20), "one")
    drawing.text((30, 24), "two")
    drawing.text((10, 60), "three")
    found = overlaps(drawing.document(100, 80, title="t", description="d"))
    assert found == [("one", "two")]
    assert Box("a", 0, 0, 2, 2).touches(Box("b", 1, 1, 3, 3))
    assert not Box("a", 0, 0, 2, 2).touches(Box("b", 2, 0, 3, 3))


def test_no_text_takes_no_room_and_the_widest_no_more_than_it_may() -> None:
    assert widest([], most=50.0) == 0.0
    assert 0.0 < widest(["a", ""], most=50.0) < widest(["a", "aa"], most=50.0) < 50.0
    assert widest(["a" * 100], most=50.0) == 50.0
