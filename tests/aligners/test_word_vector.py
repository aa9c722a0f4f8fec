"""Words of like meaning: the stage `embedding` of the matcher."""

import kilter
from kilter.aligners.offered_pair import LEAST_CERTAINTY
from kilter.aligners.registry import default_aligner

WITH = "match:stages=exact+stem+embedding"
HYPOTHESIS = "he purchased an automobile , on the street"
REFERENCE = "yesterday he bought a car on the road ."


def test_words_of_like_meaning_are_linked_where_equal_ones_left_them_free() -> None:
    plain, more = (
        kilter.align([HYPOTHESIS], [REFERENCE], aligner=name) for name in ("match", WITH)
    )
    assert set(plain.segment(0)) < set(more.segment(0))
    assert {(1, 2), (3, 4), (7, 7)} <= set(more.segment(0))  # purchased, automobile and street


def test_marks_are_never_paired_and_links_say_how_certain_they_are() -> None:
    found = kilter.align(["well !", HYPOTHESIS], ["good ?", REFERENCE], aligner=WITH)
    assert (1, 1) not in found.segment(0)
    assert found.certainty is not None
    equal = {(0, 1), (5, 5), (6, 6)}
    begin = found.offsets[1]
    for link, certainty in zip(found.segment(1), found.certainty[begin:].tolist(), strict=True):
        assert (certainty == 1.0) if link in equal else (LEAST_CERTAINTY <= certainty <= 0.8)


def test_links_and_certainty_come_from_the_cache_as_they_were_made(tmp_path: object) -> None:
    lines = [HYPOTHESIS, "a b"], [REFERENCE, "b a"]
    first, again = (
        kilter.explain_segments(
            *lines, segments=1, metrics="order", aligner=WITH, cache=str(tmp_path)
        )
        for _ in range(2)
    )
    assert first[0].links == again[0].links
    assert first[0].certainty == again[0].certainty is not None


def test_english_texts_are_linked_with_the_model_where_order_is_computed() -> None:
    assert default_aligner("en-GB") == WITH
    lines = [HYPOTHESIS], [REFERENCE]
    for metric, stages in (("order", "exact+stem+embedding"), ("kendall", "exact+stem,")):
        signature = kilter.score(*lines, metrics=metric, language="en").signatures[metric]
        assert f"stages:{stages}" in signature
    named = kilter.score(*lines, metrics="order", language="en", aligner="match:stages=exact")
    assert "stages:exact," in named.signatures["order"]
