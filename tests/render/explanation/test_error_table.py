"""Order errors as a table."""

from dataclasses import replace

import pytest

import kilter
from kilter.core.dependency_tree import DependencyTree
from kilter.metrics.dted import dted_table
from kilter.render.explanation.error_table import (
    HEADINGS,
    MOST_ERRORS,
    MOST_STEPS,
    belongs_text,
    below_text,
    edit_cells,
    edit_table_picture,
    error_cells,
    error_headings,
    error_numbers,
    errors_left,
    loss_text,
    size_text,
    steps_left,
    table_sums,
)
from kilter.render.explanation.page import explanation_page
from kilter.render.explanation.terminal import TerminalPage
from kilter.results.explanation import RepairStep, SegmentErrors
from tests.golden.test_tree_examples import CELLIST_LINKS
from tests.render.explanation.look import check
from tests.render.explanation.worked import CELLIST_TREE, MS_TREE
from tests.render.picture import parsed, texts


def errors(hypothesis: str, reference: str) -> SegmentErrors:
    found = kilter.explain(hypothesis, reference, metrics=["kendall", "ulam"], every=True).errors
    assert found is not None
    return found


def test_an_error_has_a_cell_for_each_heading_and_a_cost_in_each_metric() -> None:
    found = errors("a c b d", "a b c d")
    assert error_headings(found) == [
        "error", "words", "belongs", "costs kendall", "costs ulam", "share (kendall)",
        "certainty",
    ]  # fmt: skip
    (error,) = found.errors
    cells = error_cells(error, ["a", "c", "b", "d"])
    assert cells[:2] == ["swap", "c b"]
    assert cells[3:] == ["0.166667", "0.333333", "100%", "1.00"]
    assert error_numbers(found) == {3, 4, 5, 6}


@pytest.mark.parametrize(
    ("hypothesis", "belongs"),
    [
        ("b c d e a", '"a" before "b", 4 linked words earlier'),
        ("e a b c d", '"e" at the end, 4 linked words later'),
    ],
)
def test_where_words_belong_is_said_in_words(hypothesis: str, belongs: str) -> None:
    (error,) = errors(hypothesis, "a b c d e").errors
    assert belongs_text(error, hypothesis.split()) == belongs


def test_a_word_that_is_misplaced_itself_is_said_to_move_too() -> None:
    found = kilter.explain("x y z w e f g h", "e f g h w x y z", metrics="kendall")
    assert found.errors is not None
    told = [belongs_text(error, found.hypothesis, found.moved) for error in found.errors.errors]
    assert told == [
        '"w" before "x" (also moved), 4 linked words later',
        '"x y z" at the end, 5 linked words later',
    ]


def test_it_says_whether_fewer_moves_could_do() -> None:
    found = errors("b a", "a b")
    assert size_text(found) == "1 move restores the order (the minimum)"
    several = replace(found, errors=found.errors * 3, moves=3, lower=2)
    assert size_text(several) == "3 moves restore the order; at least 2 are needed"


def test_without_errors_there_are_no_costs() -> None:
    assert error_headings(errors("a b", "a b")) == [
        "error", "words", "belongs", "share (kendall)", "certainty",
    ]  # fmt: skip


def test_a_complex_error_says_how_far_its_words_go_and_that_moves_are_joined() -> None:
    found = errors("e d c b a", "a b c d e")
    (error,) = found.errors
    cells = error_cells(error, ["e", "d", "c", "b", "a"])
    assert cells[:2] == ["complex", "e d c b"]
    assert cells[2] == "in another order, up to 4 linked words away"
    told = "3 moves restore the order (the minimum); those that share words are one error"
    assert size_text(found) == told


def test_words_that_stand_apart_are_not_quoted_as_a_phrase() -> None:
    (error,) = errors("w q x a b c d", "a b c d w x").errors
    words = ["w", "q", "x", "a", "b", "c", "d"]
    assert belongs_text(error, words) == '"w … x" at the end, 4 linked words later'


def test_the_steps_that_are_not_shown_are_counted() -> None:
    assert steps_left([RepairStep((0,))] * (MOST_STEPS + 1)) == ""
    assert steps_left([RepairStep((0,))] * (MOST_STEPS + 4)) == "and 3 steps more"


@pytest.mark.parametrize(
    ("hypothesis", "told"),
    [
        (
            "a b",
            "kendall loses 0.864665 by 4 of 6 words of the reference, which have no counterpart",
        ),
        (
            "b a c d e",
            "kendall loses 0.263142: 0.0818731 by order, 0.181269 by 1 of 6 words of the reference, which has no counterpart",
        ),
        ("a b c d f e", "kendall loses 0.0666667 by order"),
        ("a b c d e f", ""),
        ("x", "6 of 6 words of the reference have no counterpart"),
    ],
)
def test_what_is_lost_is_told_apart(hypothesis: str, told: str) -> None:
    assert loss_text(kilter.explain(hypothesis, "a b c d e f", metrics="kendall")) == told


def test_what_equal_words_that_are_linked_crosswise_lose_is_told_apart() -> None:
    found = kilter.explain("the mat sat on the cat", "the cat sat on the mat", metrics="kendall")
    told = "kendall loses 0.8: 0.466667 by order, 0.333333 by equal words that are linked crosswise"
    assert loss_text(found) == told


def test_a_metric_that_does_not_mind_missing_words_loses_nothing_by_them() -> None:
    found = kilter.explain("a b", "a b c", metrics="kendall:penalty=false")
    assert loss_text(found) == "1 of 3 words of the reference has no counterpart"


def test_a_cost_below_zero_is_explained() -> None:
    assert below_text(errors("b a", "a b")) == ""
    # "e" goes over "n o p", which are misplaced, and over "c d", which are not.
    found = errors("a b e n o p c d f g h i j k l m q", "a b c d e f g h i j k l m n o p q")
    costs = [error.cost["kendall"] for error in found.errors]
    assert min(costs) < 0
    assert below_text(found).startswith("a cost below 0: the score would fall")


def test_errors_that_are_not_shown_at_once_are_counted() -> None:
    found = errors("b a", "a b")
    assert errors_left(replace(found, errors=found.errors * MOST_ERRORS)) == ""
    assert (
        errors_left(replace(found, errors=found.errors * (MOST_ERRORS + 1))) == "and 1 error more"
    )


def test_words_written_to_the_left_turn_nothing_around_them() -> None:
    """Between quotes the two words would else be one run, and change places with the English around them."""
    hypothesis, reference = "على الحصير جلس القط", "القط جلس على الحصير"
    found = kilter.explain(hypothesis, reference, metrics="kendall")
    assert found.errors is not None
    told = [belongs_text(error, found.hypothesis) for error in found.errors.errors]
    on, _, sat, cat = (f'"\u2068{word}\u2069"' for word in hypothesis.split())
    assert told == [
        f"{sat} before {on}, 2 linked words earlier",
        f"{cat} before {sat}, 3 linked words earlier",
    ]
    for shown in (explanation_page([found]), TerminalPage(width=80).text(found)):
        assert "\u2068جلس\u2069" in shown
        assert "\\u2068" not in shown


def test_what_turns_the_direction_in_a_word_itself_is_still_spelled_out() -> None:
    found = kilter.explain("b\u202e a", "a b\u202e", metrics="kendall")
    assert found.errors is not None
    (error,) = found.errors.errors
    assert "\u202e" not in belongs_text(error, found.hypothesis)


# Tables of edits have a row for each and the sums of their costs. [TH] table 4.1


def test_the_table_has_every_cell_in_its_row() -> None:
    table = dted_table(CELLIST_TREE, MS_TREE, links=CELLIST_LINKS)
    picture = edit_table_picture(table)
    check(picture)
    cells = texts(picture)
    rows = [tuple(cells[at : at + 7]) for at in range(0, 7 * 12, 7)]
    assert rows == [HEADINGS, *map(edit_cells, table.rows)]
    assert cells[84:] == ["distance", "7"]


@pytest.mark.parametrize(
    ("variant", "sums"),
    [
        ("b", [("distance", "10")]),
        ("c", [("distance", "7")]),
        ("co", [("dist_a: linked words", "2"), ("dist_na: other words", "5")]),
    ],
)
def test_costs_are_added_up_as_the_variant_does(variant: str, sums: list[tuple[str, str]]) -> None:
    table = dted_table(CELLIST_TREE, MS_TREE, links=CELLIST_LINKS, variant=variant)
    assert table_sums(table) == sums
    assert sum(int(edit_cells(row)[-1]) for row in table.rows) == sum(int(v) for _, v in sums)


def test_edits_that_cost_are_bold() -> None:
    table = dted_table(CELLIST_TREE, MS_TREE, links=CELLIST_LINKS)
    bold = [
        text.text
        for text in parsed(edit_table_picture(table)).findall(".//{*}text")
        if text.get("font-weight")
    ]
    assert bold.count("1") == 7
    assert "match" not in bold


def test_no_edit_is_a_table_without_rows() -> None:
    none = DependencyTree([], [])
    picture = edit_table_picture(dted_table(none, none, links=[]))
    check(picture)
    assert texts(picture) == [*HEADINGS, "distance", "0"]
