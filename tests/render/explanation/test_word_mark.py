"""Words that are misplaced or without a link are told apart without colour."""

from kilter.render.chart.drawing import Drawing
from kilter.render.explanation.link_diagram import (
    WordMark,
    draw_key,
    draw_word,
    mark_of,
    word_length,
)
from tests.render.picture import parsed, texts


def drawn(mark: WordMark) -> str:
    drawing = Drawing()
    draw_word(drawing, (50, 20), "word", mark)
    return drawing.document(100, 40, title="t", description="d")


def test_every_mark_is_another_shape() -> None:
    plain, misplaced, unlinked = (parsed(drawn(mark)) for mark in WordMark)
    assert plain.find("{*}line") is None
    assert plain.find("{*}polyline") is None
    assert misplaced.find("{*}line") is not None
    assert misplaced.find("{*}text").get("font-weight") == "bold"  # type: ignore[union-attr]
    frame = unlinked.find("{*}polyline")
    assert frame is not None
    assert frame.get("stroke-dasharray") == "3 2"


def test_the_underline_is_as_long_as_the_word_at_most() -> None:
    line = parsed(drawn(WordMark.MISPLACED)).find("{*}line")
    assert line is not None
    assert float(line.get("x2", "")) - float(line.get("x1", "")) <= word_length("word") + 0.01


def test_misplaced_comes_before_unlinked() -> None:
    assert mark_of(0, {0}, {0}) is WordMark.MISPLACED
    assert mark_of(0, {0}, ()) is WordMark.PLAIN
    assert mark_of(0, (), ()) is WordMark.UNLINKED


def test_the_key_tells_only_what_is_there() -> None:
    drawing = Drawing()
    assert draw_key(drawing, (0, 0), [WordMark.PLAIN], room=300) == 0
    assert draw_key(drawing, (0, 0), [WordMark.UNLINKED, WordMark.PLAIN], room=300) > 0
    drawn = drawing.document(300, 40, title="t", description="d")
    assert texts(drawn) == ["no link: framed in dashes"]
