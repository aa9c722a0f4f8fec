"""Explanations for a terminal."""

from dataclasses import replace

import pytest

import kilter
from kilter.core.markup import text_width
from kilter.render.explanation.terminal import TerminalPage


def shown(*sentences: str, width: int = 80, colour: bool = False, **options: object) -> str:
    found = kilter.explain(*sentences, **options)  # type: ignore[arg-type]
    return TerminalPage(width=width, colour=colour).work(found)


def test_words_of_a_long_sentence_stay_on_the_page_with_their_places() -> None:
    words = [f"w{number}" for number in range(40)]
    text = shown(" ".join(words), " ".join(reversed(words)), width=60, metrics="kendall")
    before = text.partition("\n\n")[0].splitlines()
    assert max(map(text_width, before)) <= 60
    places = [
        line.removeprefix("position").split() for line in before if line.startswith("position")
    ]
    assert [int(each) for line in places for each in line] == [*range(40, 0, -1)]


def test_a_word_that_is_wider_than_the_page_is_not_cut() -> None:
    assert "x" * 90 in shown("x" * 90 + " a", "a " + "x" * 90, width=60, metrics="kendall")


def test_control_characters_of_words_cannot_reach_the_terminal() -> None:
    text = shown("a\x1b[2J b", "b a\x1b[2J", tokenize="none", metrics="kendall")
    assert "\x1b" not in text


def test_colours_leave_the_columns_as_they_are() -> None:
    plain, coloured = (
        shown("a b x", "b a", metrics="kendall", colour=colour) for colour in (False, True)
    )
    assert plain != coloured
    assert plain == "".join(
        part.partition("m")[2] if number else part
        for number, part in enumerate(coloured.split("\x1b["))
    )


def test_a_metric_that_does_not_tell_says_so() -> None:
    found = kilter.explain("a b", "b a", metrics="kendall")
    silent = replace(found.metrics["kendall"], working=None)
    text = TerminalPage(width=80).work(replace(found, metrics={"kendall": silent}))
    assert "kendall = 0\n  this metric does not tell how its scores come about" in text


def test_a_formula_that_is_too_long_goes_on_below_its_beginning() -> None:
    text = shown("a b c", "a b c", width=70, metrics="kendall")
    lines = text.splitlines()
    (start,) = (number for number, line in enumerate(lines) if "brevity penalty" in line)
    assert "exp" not in lines[start]
    assert lines[start + 1].strip().startswith("else exp(1 - length")
    assert lines[start].index("1 if") == len(lines[start + 1]) - len(lines[start + 1].lstrip())


def test_a_score_against_another_reference_names_it() -> None:
    found = kilter.explain("a b c d", ["d c b a", "a b x y"], metrics=["kendall", "aligned"])
    text = TerminalPage(width=80).work(found)
    assert "aligned = 1, against references 1" in text
    assert "kendall = 0.367879\n" in text


@pytest.mark.parametrize("width", [60, 80])
def test_errors_and_steps_stay_on_the_page(width: int) -> None:
    words = [f"word{number}" for number in range(24)]
    mixed = [*words[4:20], "word23", *words[:4], *words[20:23]]
    text = shown(" ".join(mixed), " ".join(words), width=width, metrics="kendall")
    before = text.partition("permutation")[0]
    assert max(map(text_width, before.splitlines())) <= width
    assert " ".join(before.partition("  0  ")[2].partition("  1  ")[0].split()) == " ".join(mixed)
    assert " ".join(f"[{word}]" for word in words[:4]) in " ".join(before.split())


def test_the_first_errors_are_shown_and_the_others_counted() -> None:
    pairs = [f"{letter}{number}" for number in range(25) for letter in "ba"]
    text = shown(" ".join(pairs), " ".join(sorted(pairs, key=lambda w: (int(w[1:]), w))))
    assert text.count("\n  swap") == 20
    assert "\n  and 5 errors more\n" in text


def test_what_is_out_of_order_is_marked_and_put_right_step_by_step() -> None:
    lines = shown("e a b x c d", "a b c d e", metrics="kendall", every=True).splitlines()
    assert lines[:3] == [
        "hypothesis  e  a  b  x  c  d",
        "position    5  1  2  -  3  4",
        "            ^        ·",
    ]
    assert "·: word without a link; position: rank in the reference, of linked words" in lines
    at = lines.index("restored step by step")
    assert lines[at + 1 : at + 3] == ["  0  e a b c d", "  1  a b c d [e]"]
    assert "added, without a counterpart: x" in lines


def test_marks_are_told_only_where_they_stand() -> None:
    assert "·" not in shown("a b", "b a", metrics="kendall")
    assert "·: word without a link\n" in shown("x", "y", metrics="bleu")


def test_words_of_another_choice_face_one_another() -> None:
    text = shown("a x c", "a y c", metrics="kendall")
    assert "nothing is out of order" in text
    assert "probably another choice of words: x\nin the place of: y\n" in text
