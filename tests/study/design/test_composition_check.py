"""What questionnaires lack is found from their items alone."""

from dataclasses import replace

import pytest

from kilter.study.design.composition_check import unmet
from kilter.study.design.item import Item, Questionnaire
from kilter.study.design.study import CompositionRow, ItemKind

ROWS = (
    CompositionRow(items=2, kind=ItemKind.TRANSLATION, shared=True),
    CompositionRow(items=2, kind=ItemKind.PERMUTATION, type="order", same_base=True, shared=True),
    CompositionRow(items=1, kind=ItemKind.PERMUTATION, type="random", shared=True),
    CompositionRow(items=1, kind=ItemKind.TRANSLATION),
    CompositionRow(items=1, kind=ItemKind.PERMUTATION, type="swap"),
    CompositionRow(items=1, kind=ItemKind.IDENTICAL),
)


def item(name: str, kind: str, *, type: str | None = None, base: str | None = None) -> Item:  # noqa: A002
    return Item(
        id=name, kind=kind, system="s", pair="de-en", line=1, hypothesis="h", reference="r",
        type=type, base=base, shared=name.isupper(),
    )  # fmt: skip


ITEMS = (
    item("A", "translation"),
    item("B", "translation"),
    item("A1", "permutation", type="order", base="A"),
    item("A2", "permutation", type="order", base="A"),
    item("B1", "permutation", type="phrase", base="B"),
    item("c", "translation"),
    item("b2", "permutation", type="swap", base="B"),
    item("d", "identical", base="e"),
)


def lacking(items: tuple[Item, ...], shown: tuple[str, ...] | None = None) -> list[str]:
    names = tuple(each.id for each in items) if shown is None else shown
    return unmet(ROWS, {each.id: each for each in items}, [Questionnaire(1, names)])


def without(name: str) -> tuple[Item, ...]:
    return tuple(each for each in ITEMS if each.id != name)


def changed(name: str, **change: str) -> tuple[Item, ...]:
    return tuple(replace(each, **change) if each.id == name else each for each in ITEMS)  # type: ignore[arg-type]


def test_a_full_questionnaire_lacks_nothing() -> None:
    assert lacking(ITEMS) == []


@pytest.mark.parametrize(
    ("items", "fault"),
    [
        (without("c"), "1 of 1 own items translation are missing"),
        (without("d"), "1 of 1 own items identical are missing"),
        (without("A2"), "2 of 2 shared items permutation order of one base beside its translation"),
        (without("B1"), "1 of 1 shared items permutation random are missing"),
        (changed("b2", type="order"), "1 of 1 own items permutation swap are missing"),
        (changed("b2", type="order"), "1 own items belong to no row"),
        (changed("A2", base="B"), "2 of 2 shared items permutation order of one base"),
        (changed("b2", base="e"), "b2 is shown without the translation of its sentence"),
        (changed("B1", base="c"), "B1 is shown without the translation of its sentence"),
        (changed("b2", base="A"), "A has 3 permutations, more than 2"),
    ],
)
def test_what_is_missing_or_breaks_a_rule_is_named(items: tuple[Item, ...], fault: str) -> None:
    assert any(lack.startswith(f"questionnaire 1: {fault}") for lack in lacking(items))


def test_an_item_that_is_shown_twice_is_named() -> None:
    names = tuple(each.id for each in ITEMS)
    assert "questionnaire 1: c is shown 2 times" in lacking(ITEMS, (*names, "c"))


def test_a_study_without_translations_asks_for_none() -> None:
    rows = (CompositionRow(items=1, kind=ItemKind.PERMUTATION, type="order"),)
    shown = item("x", "permutation", type="order", base="y")
    assert unmet(rows, {"x": shown}, [Questionnaire(1, ("x",))]) == []


def test_items_of_another_pair_do_not_fill_a_row() -> None:
    rows = (
        CompositionRow(items=1, kind=ItemKind.TRANSLATION),
        CompositionRow(items=1, kind=ItemKind.TRANSLATION, pair="en-de"),
    )
    items = {name: item(name, "translation") for name in "ab"}
    one = Questionnaire(1, ("a", "b"))
    assert unmet(rows, items, [one]) == [
        "questionnaire 1: 1 of 1 own items translation en-de are missing",
        "questionnaire 1: 1 own items belong to no row",
    ]
    items["b"] = replace(items["b"], pair="en-de")
    assert unmet(rows, items, [one]) == []
