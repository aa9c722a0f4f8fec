"""The picture of how far words move."""

import kilter
from kilter.render.chart.reordering_picture import reordering_picture


def test_the_picture_says_its_numbers_to_who_does_not_see_it() -> None:
    links = kilter.LinkBatch.of([[(0, 0), (1, 3), (2, 1), (3, 2)], [(0, 0)], []])
    found = kilter.reorder.statistics(["She reads a book", "Yes", "Oh"], links)
    picture = reordering_picture(found)
    assert "Monotone and unaligned: monotone pairs 50.00%" in picture
    assert "Mean of kendall by words of the source: 1-5 0.8333 [" in picture
    assert "Steps forward by distance: 0 33.33%; 1 33.33%; 2 0.00%" in picture
    assert "Steps backward by distance: 0 0.00%; 1 33.33%" in picture


def test_without_any_link_it_says_why_there_is_no_mean() -> None:
    found = kilter.reorder.statistics(["a b"], kilter.LinkBatch.of([[]]))
    assert "undefined: no pair has a link" in reordering_picture(found)
