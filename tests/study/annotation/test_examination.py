"""The reordering and the findings beside the editor are those of `kilter reorder`."""

import kilter
from kilter.study.annotation.drawn_link import DrawnLink
from kilter.study.annotation.examination import examine
from tests.study.annotation.projects import project, sentence

WORDS, TARGET = sentence().words, ["私", "は", "本", "を", "読む"]
LINKS = [DrawnLink(0, 0), DrawnLink(0, 1), DrawnLink(2, 2), DrawnLink(2, 3), DrawnLink(1, 4)]


def test_the_order_is_that_of_reorder_make() -> None:
    found = examine(project(), WORDS, TARGET, LINKS)
    made = kilter.reorder.make([" ".join(WORDS)], kilter.LinkBatch.of([[x.pair for x in LINKS]]))
    assert [" ".join(found.words)] == kilter.reorder.lines(made) == ["I books read"]
    assert found.order == (0, 2, 1)
    assert found.remarks == ()
    assert found.reordering()["unlinked"] == []


def test_words_with_the_same_first_target_word_are_tied_and_others_unlinked() -> None:
    found = examine(project(), WORDS, ["x"], [DrawnLink(0, 0), DrawnLink(2, 0)])
    assert found.tied == ((0, 1, 2),)
    assert found.unlinked == (1,)


def test_every_kind_of_finding_names_its_words() -> None:
    torn = [DrawnLink(1, 0), DrawnLink(1, 2), DrawnLink(2, 1)]
    found = examine(project(), WORDS, ["本", "を", "x", "y"], torn)
    assert [(each.kind, each.source, each.target) for each in found.remarks] == [
        ("unaligned", (0,), ()),
        ("pronoun", (0,), ()),
        ("torn", (1,), (0, 2)),
        ("unaligned", (), (3,)),
        ("particle", (), (1,)),
    ]
    assert found.remarks[2].message == "read: its words 本, x do not stand together"


def test_possible_links_count_if_the_project_says_so() -> None:
    possible = [*LINKS[1:], DrawnLink(0, 0, sure=False)]
    strict = examine(project(), WORDS, TARGET, possible)
    assert [each.target for each in strict.remarks] == [(0,)]
    assert strict.remarks[0].message.endswith("possible links do not count here")
    assert examine(project(possible=True), WORDS, TARGET, possible).remarks == ()


def test_a_language_without_word_lists_and_a_region_are_no_error() -> None:
    found = examine(project(source_language="fi", target_language="ja-JP"), WORDS, TARGET, [])
    assert {each.kind for each in found.remarks} == {"unaligned"}
