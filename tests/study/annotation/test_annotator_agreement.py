"""Agreement of annotators: who is compared, and over which sentences."""

import pytest

from kilter.study.annotation.annotation import Annotation
from kilter.study.annotation.annotator_agreement import annotator_agreement
from kilter.study.annotation.drawn_link import DrawnLink
from kilter.study.annotation.project import ADJUDICATED
from tests.oracles.link_agreement import LinkedSentence, measures
from tests.study.annotation.projects import project, sentence


def made(account: str, number: int, *links: DrawnLink, text: str = "x y", done: bool = True) -> Annotation:  # fmt: skip
    return Annotation(
        account=account, sentence=number, version=1, translation=text, links=links, done=done
    )


def test_pairs_are_compared_both_ways_and_with_what_was_adjudicated() -> None:
    annotations = [
        made("A", 1, DrawnLink(0, 0), DrawnLink(1, 1)),
        made("B", 1, DrawnLink(0, 0)),
        made(ADJUDICATED, 1, DrawnLink(1, 1, sure=False), DrawnLink(0, 0)),
    ]
    found = annotator_agreement(project(), annotations)
    pairs = [(each.first, each.second) for each in found]
    assert pairs == [("A", "B"), ("B", "A"), ("A", ADJUDICATED), ("B", ADJUDICATED)]
    expected = measures(
        [LinkedSentence((3, 2), ({(0, 0), (1, 1)}, {(0, 0)}), (set(), set()))], possible=False
    )
    values = {name: each.value for name, each in found[0].measures().items()}
    assert values == pytest.approx({name: float(each or 0) for name, each in expected.items()})
    assert found[2].aer.value == 0.0


def test_sentences_count_that_both_are_done_with_and_links_if_translations_are_alike() -> None:
    annotations = [
        made("A", 1, DrawnLink(0, 0)),
        made("B", 1, DrawnLink(0, 0), text="x  y z"),
        made("A", 2, DrawnLink(0, 0)),
        made("B", 2, DrawnLink(0, 0), text=" x y"),
        made("A", 3, DrawnLink(0, 0)),
        made("B", 3, DrawnLink(0, 0), done=False),
    ]
    (found, _) = annotator_agreement(project(), annotations)
    assert (found.sentences, found.compared, found.links) == (2, 1, 1)


def test_proposals_that_nobody_accepted_are_no_links() -> None:
    annotations = [
        made("A", 1, DrawnLink(0, 0), DrawnLink(1, 1, proposed=True)),
        made("B", 1, DrawnLink(0, 0)),
    ]
    assert annotator_agreement(project(), annotations)[0].links == 1


def test_people_without_common_sentences_are_not_compared() -> None:
    apart = (sentence(1, annotators=("A",)), sentence(2, annotators=("B",)))
    assert annotator_agreement(project(sentences=apart), [made("A", 1)]) == []
