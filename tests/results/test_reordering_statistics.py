"""Shares of what is counted."""

from kilter.results.reordering_statistics import OrderCounts

NONE = dict.fromkeys(OrderCounts.__dataclass_fields__, 0)


def test_a_share_of_nothing_and_of_words_that_nobody_counted_is_none() -> None:
    assert set(OrderCounts(**NONE).shares().values()) == {None}
    counted = OrderCounts(**{**NONE, "source_words": 8, "linked_source_words": 6, "links": 4})
    assert counted.shares()["unaligned source words"] == 0.25
    unknown = OrderCounts(
        **{**NONE, "links": 4, "links_ahead": 1},
    )
    assert unknown.shares()["links ahead"] == 0.25
