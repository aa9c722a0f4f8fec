"""Items that show several systems together; pairs and controls are in test_sampling.py."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.study.design.creation import create, draw_study
from kilter.study.design.item import judged_items, read_design
from kilter.study.design.study_file import read_study
from tests.study.generated import edited
from tests.study.instruments import instrument_study


def test_an_item_holds_every_system_s_translation_of_one_sentence(tmp_path: Path) -> None:
    folder = instrument_study(tmp_path, "together", items=12)
    items = create(folder).design.items
    texts = {
        path.stem: path.read_text(encoding="utf-8").splitlines() for path in folder.glob("*.en")
    }
    assert {item.kind for item in items} == {"together"}
    orders = set()
    for item in items:
        assert sorted(part.system for part in item.parts) == [f"sys{k}" for k in range(5)]
        assert item.system == ",".join(part.system for part in item.parts)
        orders.add(item.system)
        for part in item.parts:
            assert part.hypothesis == texts[part.system][item.line - 1]
            assert part.reference == item.reference == texts["reference"][item.line - 1]
            assert part.id == f"made_{part.system}.de-en #{item.line}"
            assert (part.kind, part.line) == ("translation", item.line)
    assert len(orders) > 12  # of 24: the order is another one each time
    judged = [part.id for part in judged_items(items)]
    assert len({*judged}) == len(judged) == 5 * len(items)
    read, _ = read_design(folder)
    assert tuple(read.values()) == items


def test_a_small_pool_chooses_sentences_and_not_translations(tmp_path: Path) -> None:
    folder = instrument_study(tmp_path, "together", items=6)
    edited(folder, ("sentences = 450", "sentences = 4"))
    drawn = draw_study(folder)
    assert drawn.design.unmet == ()
    assert {len(item.parts) for item in drawn.design.items} == {5}
    judged = [part.id for part in judged_items(drawn.design.items)]
    assert len({*judged}) == len(judged)


def test_fewer_systems_are_drawn_by_chance(tmp_path: Path) -> None:
    folder = instrument_study(tmp_path, "together", items=10)
    edited(folder, ('kind = "together"\n', 'kind = "together"\nsystems = 3\n'))
    items = draw_study(folder).design.items
    assert {len(item.parts) for item in items} == {3}
    assert {part.system for item in items for part in item.parts} == {f"sys{k}" for k in range(5)}
    judged = [part.id for part in judged_items(items)]
    assert len({*judged}) == len(judged)


def test_more_systems_than_there_are_cannot_be_met(tmp_path: Path) -> None:
    folder = instrument_study(tmp_path, "together", systems=2)
    edited(folder, ('kind = "together"\n', 'kind = "together"\nsystems = 3\n'))
    assert "3 of 3 own items together are missing" in draw_study(folder).design.unmet[0]


def test_parts_of_shared_items_are_shared(tmp_path: Path) -> None:
    folder = instrument_study(tmp_path, "together", rest="shared = true\n")
    items = draw_study(folder).design.items
    assert len(items) == 3
    assert all(part.shared for item in items for part in (item, *item.parts))


@pytest.mark.parametrize(
    ("old", "new"),
    [('instrument = "together"', 'instrument = "word-order"'), ('kind = "together"', 'kind = "translation"')],
)  # fmt: skip
def test_the_instrument_and_its_items_belong_together(old: str, new: str, tmp_path: Path) -> None:
    folder = edited(instrument_study(tmp_path, "together"), (old, new))
    with pytest.raises(InputError, match='items of kind "together" and an instrument that shows'):
        read_study(folder)
