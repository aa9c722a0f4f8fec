"""Annotations in the database: versions, times, and nothing overwritten unseen."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from kilter.study.annotation.annotation import Annotation
from kilter.study.annotation.drawn_link import DrawnLink
from kilter.study.annotation.store.annotation_store import AnnotationStore
from kilter.study.annotation.store.annotation_table import OtherVersionError
from tests.study.annotation.projects import created

FIRST = Annotation(
    account="A",
    sentence=1,
    version=0,
    translation="x 'y\" 私",
    links=(
        DrawnLink(0, 0),
        DrawnLink(1, 1, sure=False),
        DrawnLink(2, 0, proposed=True, certainty=0.25),
    ),
    comment="why?",
    bookmark=True,
    seconds=2.5,
    findings=3,
)


@pytest.fixture
def store(tmp_path: Path, database: Callable[[], str | None]) -> Iterator[AnnotationStore]:
    with created(tmp_path, database=database()) as running:
        yield running.store


def test_an_annotation_is_found_as_it_was_saved(store: AnnotationStore) -> None:
    saved = store.annotations.save(FIRST)
    assert saved == replace(FIRST, version=1, saved_at=saved.saved_at)
    assert store.annotations.find("A", 1) == saved
    assert store.annotations.find("B", 1) is None
    assert store.annotations.of_account("A") == {1: saved}
    assert store.annotations.done("A") == set()
    assert store.annotations.of_sentence(1) == {"A": saved}
    assert store.annotations.all() == [saved]
    assert store.counts() == {"people": 3, "annotations_begun": 1, "annotations_done": 0}


def test_an_older_version_is_refused_and_changes_nothing(store: AnnotationStore) -> None:
    store.annotations.save(FIRST)
    newer = store.annotations.save(replace(FIRST, version=1, done=True, seconds=1.0))
    assert (newer.version, newer.seconds, newer.done) == (2, 3.5, True)
    assert (store.annotations.done("A"), store.annotations.done("B")) == ({1}, set())
    for version in (0, 1, 3):
        with pytest.raises(OtherVersionError) as error:
            store.annotations.save(replace(FIRST, version=version, translation="lost"))
        assert error.value.stored == newer
    assert store.annotations.find("A", 1) == newer


def test_of_several_who_save_at_once_one_does(store: AnnotationStore) -> None:
    def save(text: str) -> bool:
        try:
            store.annotations.save(replace(FIRST, translation=text))
        except OtherVersionError:
            return False
        return True

    with ThreadPoolExecutor(6) as threads:
        done = list(threads.map(save, "abcdef"))
    assert done.count(True) == 1
    stored = store.annotations.find("A", 1)
    assert stored is not None
    assert stored.translation == "abcdef"[done.index(True)]


def test_what_is_entered_is_a_new_version_of_what_is_there_and_all_or_nothing(
    store: AnnotationStore,
) -> None:
    store.annotations.save(FIRST)
    second = replace(FIRST, sentence=2, seconds=0.0)
    store.annotations.enter([replace(FIRST, translation="new", seconds=0.0), second])
    assert [(each.version, each.translation) for each in store.annotations.all()] == [
        (2, "new"),
        (1, FIRST.translation),
    ]
    with pytest.raises(AttributeError):
        store.annotations.enter([replace(FIRST, translation="lost"), None])  # type: ignore[list-item]
    stored = store.annotations.find("A", 1)
    assert stored is not None
    assert stored.translation == "new"
