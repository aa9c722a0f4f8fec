"""The card of a learned parser as people read it."""

from dataclasses import replace

from kilter.render.table.table import TableFormat
from kilter.results.parser_card import HeldOutAccuracy, ParserCard
from tests.render.cases import case
from tests.render.written import shown

CARD = ParserCard(
    language="fr",
    kilter="0",
    settings={"passes": 8},
    files=("a",),
    sentences=90,
    words=1234,
    tags=17,
    labels=1,
    held_out=0.1,
    tried_on=None,
    accuracy=HeldOutAccuracy(10, 140, uas=0.876, las=0.8, upos=0.95, xpos=0.912),
)


def page(card: ParserCard) -> str:
    return shown(card, TableFormat.TEXT)


@case("ParserCard")
def test_shares_stand_below_their_names() -> None:
    names, learned, tried = (line.split() for line in page(CARD).splitlines()[:3])
    assert names == ["part", "sentences", "words", "UAS", "LAS", "UPOS", "XPOS"]
    assert learned == ["learned", "from", "90", "1234", "-", "-", "-", "-"]
    assert tried == ["tried", "on", "10", "140", "87.6", "80.0", "95.0", "91.2"]
    assert "17 pairs of tags and 1 label" in page(CARD)


def test_without_held_out_trees_nothing_is_claimed() -> None:
    found = page(replace(CARD, accuracy=None))
    assert "tried on" not in found
    assert "its accuracy is unknown" in found


def test_rows_hold_the_shares_they_name() -> None:
    assert CARD.data().records() == [
        {
            "sentences": 10,
            "words": 140,
            "uas": 0.876,
            "las": 0.8,
            "upos": 0.95,
            "xpos": 0.912,
            "seen": 0,
        }
    ]
    assert not replace(CARD, accuracy=None).data().rows
