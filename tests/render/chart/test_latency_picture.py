"""The picture of one sentence in time."""

import pytest

import kilter
from kilter.core.errors import OptionError
from kilter.render.chart.latency_picture import latency_picture
from tests.run.test_latency import FEW, LINKS, text


def words(*, delays: bool = True) -> object:
    links = kilter.LinkBatch.of(LINKS)
    return kilter.latency(text(delays=delays), links=links, resampling=FEW).words["system"]


def test_a_picture_says_what_is_forced_avoidable_and_anticipated() -> None:
    picture = latency_picture(words(), 0, unit="words", title="first")  # type: ignore[arg-type]
    assert (
        "Lag of each word in words. saw: anticipated 2; the: forced 2; house: forced 1" in picture
    )
    for name in ("first", "gesehen", "house", "avoidable", "time in words"):
        assert f">{name}</text>" in picture
    other = latency_picture(words(), 1, unit="words")  # type: ignore[arg-type]
    assert "the: avoidable 1; has: avoidable 1" in other
    assert "Segment 2" in other


def test_without_delays_words_stand_where_they_can_be_said() -> None:
    picture = latency_picture(words(delays=False), 0, unit="words")  # type: ignore[arg-type]
    assert ">can be said</text>" in picture
    assert ">avoidable</text>" not in picture


def test_a_picture_needs_links_and_a_segment_that_there_is() -> None:
    with pytest.raises(OptionError, match="segment is 4; there are 3"):
        latency_picture(words(), 3, unit="words")  # type: ignore[arg-type]
    plain = kilter.latency(text(), resampling=FEW).words["system"]
    with pytest.raises(OptionError, match="a picture needs the source and links"):
        latency_picture(plain, 0, unit="words")
