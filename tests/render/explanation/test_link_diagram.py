"""Links are lines between two sentences, none too many and none hidden."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError
from kilter.render.chart.drawing import Drawing
from kilter.render.explanation.link_diagram import (
    WIDEST,
    LinkedWords,
    WordMark,
    draw_key,
    draw_word,
    link_diagram,
    mark_of,
    reads_leftward,
    word_length,
)
from tests import texts as sentences
from tests.render.explanation import worked
from tests.render.explanation.look import check, element_of, ends, lines, place_of, words_of
from tests.render.explanation.worked import CELLIST_PAIR, HEBREW_PAIR, JAPANESE_PAIR, SIX
from tests.render.picture import parsed, texts
from tests.thorough import examples

PLAIN, HEAVY = "1.2", "2.5"
PAIRS = {
    "six": worked.values_and_ranks(worked.SIX, misplaced=[0]),
    "because": worked.BECAUSE_PAIR,
    "cellist": worked.CELLIST_PAIR,
    "sherlock": worked.SHERLOCK_PAIR,
    "hebrew": worked.HEBREW_PAIR,
    "japanese": worked.JAPANESE_PAIR,
    "long": worked.repeated(worked.CELLIST_PAIR, 12),
    "empty": LinkedWords([], [], []),
    "one-sided": LinkedWords(["a", "b"], [], []),
    "long word": LinkedWords(["x" * 300], ["y", "x" * 300], [(0, 1)]),
}


def is_link(line: tuple[float, float, float, float]) -> bool:
    """Return whether a line leads from one sentence to the other; underlines are level and short."""
    x1, y1, x2, y2 = line
    return abs(y2 - y1) > 40 or abs(x2 - x1) > 150


@pytest.mark.parametrize("words", PAIRS.values(), ids=PAIRS.keys())
def test_every_picture_is_legible(words: LinkedWords) -> None:
    check(link_diagram(words))


@pytest.mark.parametrize("words", PAIRS.values(), ids=PAIRS.keys())
def test_every_word_stands_there_once_and_every_link_is_a_line(words: LinkedWords) -> None:
    picture = link_diagram(words)
    both = [*words.hypothesis, *words.reference]
    assert words_of(picture, both) == Counter(both)
    drawn = {
        width: sum(is_link(ends(line)) for line in lines(picture, width=width))
        for width in (PLAIN, HEAVY)
    }
    heavy = sum(first in words.misplaced for first, _ in words.links)
    assert drawn == {PLAIN: len(words.links) - heavy, HEAVY: heavy}


@examples(30)
@given(st.data())
def test_lines_meet_the_words_that_they_link(data: st.DataObject) -> None:
    first, second = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 9))
    links = data.draw(sentences.links(first, second))
    words = LinkedWords([f"h{n}" for n in range(first)], [f"r{n}" for n in range(second)], links)
    picture = link_diagram(words)
    check(picture)
    found = {(x1, x2) for x1, _, x2, _ in map(ends, lines(picture, width=PLAIN))}
    assert found == {
        (place_of(picture, f"h{a}")[0], place_of(picture, f"r{b}")[0]) for a, b in links
    }


def test_crossing_links_cross_in_the_picture() -> None:
    picture = link_diagram(LinkedWords(["b", "a"], ["a2", "b2"], [(0, 1), (1, 0)]))
    (one, other) = map(ends, lines(picture, width=PLAIN))
    assert (one[0] - other[0]) * (one[2] - other[2]) < 0


def test_misplaced_words_are_bold_and_underlined_and_others_are_not() -> None:
    picture = link_diagram(worked.BECAUSE_PAIR)
    marked = {
        text.text for text in parsed(picture).findall(".//{*}text") if text.get("font-weight")
    }
    assert marked == {"it", "rained", "hard"}
    underlines = [line for line in map(ends, lines(picture, width=HEAVY)) if not is_link(line)]
    assert len(underlines) == 3
    assert any("misplaced: bold, underlined" in text for text in texts(picture))


def test_words_without_a_link_are_framed_in_dashes() -> None:
    frames = parsed(link_diagram(worked.CELLIST_PAIR)).findall(".//{*}polyline")
    assert len(frames) == 6
    assert {frame.get("stroke-dasharray") for frame in frames} == {"3 2"}


def test_scripts_from_right_to_left_are_drawn_so() -> None:
    picture = link_diagram(
        LinkedWords(["אחד", "שנים", "שלוש"], ["one", "two", "three"], [(0, 0), (1, 1), (2, 2)])
    )
    hebrew = [place_of(picture, word)[0] for word in ("אחד", "שנים", "שלוש")]
    english = [place_of(picture, word)[0] for word in ("one", "two", "three")]
    assert hebrew == sorted(hebrew, reverse=True)
    assert english == sorted(english)


def test_long_sentences_go_down_the_page() -> None:
    words = worked.repeated(worked.CELLIST_PAIR, 12)
    root = parsed(link_diagram(words))
    assert float(root.get("width", "")) < WIDEST < float(root.get("height", ""))
    assert len(lines(link_diagram(words))) == len(words.links) + len(words.misplaced)


def test_the_title_is_the_callers() -> None:
    picture = link_diagram(worked.CELLIST_PAIR, title="Segment 7 <&>")
    title = parsed(picture).find("{*}title")
    assert title is not None
    assert title.text == "Segment 7 <&>"
    assert element_of(picture, "cellist") is not None


# Pairs of sentences with links say what is linked, misplaced and alone, and refuse what is not there.


def test_words_of_the_cellist_are_told() -> None:
    assert CELLIST_PAIR.linked_hypothesis == {1, 3, 4, 5, 6}
    assert CELLIST_PAIR.linked_reference == {1, 2, 4, 7, 8}
    assert CELLIST_PAIR.misplaced_reference == {7}
    told = CELLIST_PAIR.description()
    assert "cellist 2 - cellist 8" in told
    assert "Misplaced: cellist 2." in told
    assert "Without a link: The 1 of the hypothesis, of 3 of the hypothesis, Ms 1" in told


def test_a_permutation_links_its_values_with_their_places() -> None:
    words = worked.values_and_ranks(SIX)
    assert (words.hypothesis, words.reference) == (tuple("245613"), tuple("123456"))
    assert all(words.hypothesis[i] == words.reference[j] for i, j in words.links)


def test_sentences_without_words_are_told_as_such() -> None:
    assert (
        LinkedWords([], [], []).description()
        == "Hypothesis: no words. Reference: no words. Links: none."
    )


@pytest.mark.parametrize(
    ("links", "misplaced", "fault"),
    [
        ([(2, 0)], [], "there is no word 2 in a hypothesis of 2 words"),
        ([(0, 1)], [], "there is no word 1 in a reference of 1 word;"),
        ([(-1, 0)], [], "there is no word -1 in a hypothesis"),
        ([], [5], "there is no word 5 in a hypothesis of 2 words"),
    ],
)
def test_places_outside_a_sentence_are_refused(
    links: list[tuple[int, int]], misplaced: list[int], fault: str
) -> None:
    with pytest.raises(InputError, match=fault):
        LinkedWords(["a", "b"], ["a"], links, misplaced=misplaced)


def test_the_direction_is_that_of_most_words() -> None:
    assert reads_leftward(HEBREW_PAIR.hypothesis)
    assert reads_leftward(["مرحبا", "2024"])
    assert not reads_leftward(JAPANESE_PAIR.hypothesis)
    assert not reads_leftward(["the", "word", "שלום"])
    assert not reads_leftward([])


# Words that are misplaced or without a link are told apart without colour.


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
