"""Links and translations of files become somebody's, all of them or none."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError, KilterError
from kilter.study.annotation.annotation import Annotation
from kilter.study.annotation.drawn_link import DrawnLink
from kilter.study.annotation.intake import read_annotations
from kilter.study.annotation.project import ADJUDICATED
from tests.study.annotation.projects import project, sentence

KNOWN = {
    1: Annotation(
        account="A", sentence=1, version=4, translation="x y", links=(DrawnLink(1, 1),), comment="c"
    )
}


def file(tmp_path: Path, text: str, name: str = "file") -> str:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return str(tmp_path / name)


def test_links_go_with_the_translations_that_are_there(tmp_path: Path) -> None:
    links = file(tmp_path, "0-0 1p4\n\n1-2\n")
    found = read_annotations(
        project(), "A", {}, links=links, translations=None, link_format="sure-possible", done=True
    )
    assert [(each.sentence, each.links, each.done) for each in found] == [
        (1, (DrawnLink(0, 0), DrawnLink(1, 4, sure=False)), True),
        (3, (DrawnLink(1, 2),), True),
    ]
    assert found[0].translation == sentence(1).translation
    assert found[0].findings > 0


def test_translations_carry_what_links_are_there(tmp_path: Path) -> None:
    texts = file(tmp_path, "new x y\n\n\n")
    (found,) = read_annotations(project(), "A", KNOWN, links=None, translations=texts, replace=True)
    assert (found.translation, found.links, found.comment) == ("new x y", (DrawnLink(1, 2),), "c")
    (fresh,) = read_annotations(project(), ADJUDICATED, {}, links=None, translations=texts)
    assert all(link.proposed for link in fresh.links)


def test_what_is_there_already_is_replaced_only_if_that_is_said(tmp_path: Path) -> None:
    links = file(tmp_path, "0-0\n\n\n")
    with pytest.raises(InputError, match="--replace"):
        read_annotations(project(), "A", KNOWN, links=links, translations=None)
    (found,) = read_annotations(project(), "A", KNOWN, links=links, translations=None, replace=True)
    assert (found.translation, found.links) == ("x y", (DrawnLink(0, 0),))


@pytest.mark.parametrize(
    ("links", "texts", "reason"),
    [
        (None, None, "nothing to import"),
        ("0-0\n", None, "1 line for 3 segments"),
        ("0-9\n\n\n", None, "0-9"),
        (None, "x\n", "1 line for 3 sentences"),
        (None, "x\nx\nx\n", "sentence 2 is not one of A's"),
        ("0-0\n0-0\n\n", None, "sentence 2 is not one of A's"),
        (None, "x " * 501 + "\n\n\n", "500 words"),
    ],
)
def test_everything_else_is_refused(
    tmp_path: Path, links: str | None, texts: str | None, reason: str
) -> None:
    own = (sentence(1), sentence(2, annotators=("B",)), sentence(3))
    with pytest.raises(KilterError, match=reason):
        read_annotations(
            project(sentences=own),
            "A",
            {},
            links=None if links is None else file(tmp_path, links, "links"),
            translations=None if texts is None else file(tmp_path, texts, "texts"),
            link_format="pharaoh",
        )


def test_a_fixed_translation_an_unknown_name_and_open_proposals_are_refused(tmp_path: Path) -> None:
    texts = file(tmp_path, "私 x\n\n\n")
    with pytest.raises(InputError, match="cannot be changed"):
        read_annotations(project(fixed_translation=True), "A", {}, links=None, translations=texts)
    with pytest.raises(KilterError, match="no annotator 'C'"):
        read_annotations(project(), "C", {}, links=None, translations=texts)
    with pytest.raises(InputError, match="nobody has accepted"):
        read_annotations(project(), "A", {}, links=None, translations=texts, done=True)
