"""Links are named as their origin writes them."""

from kilter.core.links import LinkOrigin


def test_places_are_named_by_origin_and_segment() -> None:
    assert LinkOrigin("aligner hmm").where(0) == "aligner hmm, segment 1"
    assert LinkOrigin().where(4) == "segment 5"


def test_links_are_shown_from_where_their_origin_counts() -> None:
    assert LinkOrigin(base=1).outside((4, 0), (4, 9)) == (
        "link 5-1 points past the 4 words of the first sentence, counted from 1; links and texts "
        "must belong together, split into the same words"
    )
    named = LinkOrigin(sides=("source", "target")).outside((0, 1), (1, 1))
    assert named.startswith("link 0-1 points past the 1 word of the target, counted from 0;")
    assert LinkOrigin(base=1).outside((-1, 2), (4, 9)) == (
        "link 0-3 has a negative position; positions count from 1"
    )
