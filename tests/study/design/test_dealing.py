"""Questionnaires are dealt out so that nobody has more than so many items."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError
from kilter.study.design.creation import draw_study
from kilter.study.design.dealing import dealt
from kilter.study.design.item import Item, Questionnaire
from kilter.study.design.study_file import read_study
from tests.study.generated import write_study
from tests.study.instruments import instrument_study


def items_of(shared: int, families: list[int]) -> dict[str, Item]:
    """Return shared translations, and translations with so many permutations each."""
    made = [
        Item(id=f"s{k}", kind="translation", system="x", pair="de-en", line=1, hypothesis="", reference="", shared=True)
        for k in range(shared)
    ]  # fmt: skip
    for k, size in enumerate(families):
        base = Item(
            id=f"t{k}",
            kind="translation",
            system="x",
            pair="de-en",
            line=1,
            hypothesis="",
            reference="",
        )
        made.append(base)
        made += [
            Item(id=f"t{k} order {d}", kind="permutation", system="x", pair="de-en", line=1,
                 hypothesis="", reference="", base=base.id)
            for d in range(1, size)
        ]  # fmt: skip
    return {item.id: item for item in made}


@given(
    shared=st.integers(0, 3),
    families=st.lists(st.integers(1, 3), min_size=1, max_size=20),
    room=st.integers(3, 8),
)
def test_nobody_gets_more_and_everything_is_dealt_once_beside_its_base(
    shared: int, families: list[int], room: int
) -> None:
    items = items_of(shared, families)
    whole = Questionnaire(7, tuple(reversed(items)))
    found = dealt([whole], items, most=shared + room)
    assert found.too_large == []
    assert [entry.number for entry in found.questionnaires] == [
        *range(1, len(found.questionnaires) + 1)
    ]
    seen = Counter(name for entry in found.questionnaires for name in entry.items)
    assert {*seen} == {*items}
    for entry in found.questionnaires:
        assert shared < len(entry.items) <= shared + room
        assert list(entry.items) == [name for name in whole.items if name in entry.items]
        for name in entry.items:
            assert seen[name] == (len(found.questionnaires) if items[name].shared else 1)
            assert items[name].base in (None, *entry.items)


def test_portions_are_as_few_and_as_equal_as_they_can_be() -> None:
    items = items_of(0, [1] * 500)
    found = dealt([Questionnaire(1, tuple(items))], items, most=15)
    sizes = Counter(len(entry.items) for entry in found.questionnaires)
    assert len(found.questionnaires) == 34  # 3% of 500 sentences each, as in [FRS]
    assert {*sizes} == {14, 15}


def test_a_sentence_with_too_many_items_is_told_of() -> None:
    items = items_of(2, [3, 1])
    found = dealt([Questionnaire(1, tuple(items))], items, most=4)
    assert found.too_large == [
        "questionnaire 1: t0 has 3 items, but there is room for 2 for one rater"
    ]
    assert [entry.items for entry in found.questionnaires] == [("s0", "s1", "t1")]


def test_a_study_limits_what_one_rater_sees(tmp_path: Path) -> None:
    folder = instrument_study(
        tmp_path, "together", items=10, extra="items_per_rater = 6\n",
        rest='[[composition]]\nitems = 2\nkind = "identical"\nshared = true\n',
    )  # fmt: skip
    assert read_study(folder).size == 6
    drawn = draw_study(folder)
    assert drawn.design.unmet == ()
    assert [len(entry.items) for entry in drawn.design.questionnaires] == [6, 5, 5] * 2
    both = write_study(
        tmp_path / "both", lines=90, systems=4, questionnaires=1, options="items_per_rater = 26"
    )
    published = draw_study(both).design
    assert published.unmet == ()
    items = {item.id: item for item in published.items}
    assert len(published.questionnaires) >= 5  # 20 shared ones, and at most 6 of the 30 others
    for entry in published.questionnaires:
        assert 20 < len(entry.items) <= 26
        assert {items[name].base for name in entry.items} <= {None, *entry.items}


def test_shared_items_leave_room_for_others(tmp_path: Path) -> None:
    folder = write_study(tmp_path, options="items_per_rater = 20")
    with pytest.raises(InputError, match="items_per_rater is 20, but 20 items are shared by all"):
        read_study(folder)
