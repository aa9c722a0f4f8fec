"""Studies with their answers."""

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kilter.study.store.participant import FullError
from kilter.study.store.running_study import RunningStudy, open_study
from tests.study.generated import edited
from tests.study.stored import joined


def test_a_study_that_is_not_open_has_no_places_whatever_limit_it_names(
    created: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "study"
    shutil.copytree(created, folder)
    study = edited(folder, ("open = true", "open = false"))
    running_study = open_study(study, database=None)
    assert running_study.store.state().open_limit == 0
    with pytest.raises(FullError):
        running_study.store.participants.join()
    running_study.store.close()


def test_the_status_counts_who_answers_and_who_is_doubtful(running_study: RunningStudy) -> None:
    store = running_study.store
    careful, hasty = joined(running_study), joined(running_study)
    store.answers.save(careful.id, 1, {"holistic": 4, "order": 2})
    for position in range(1, 11):
        store.answers.save(hasty.id, position, {"holistic": 3, "order": 3})
    store.pause(paused=True)
    status = running_study.status()
    assert (status.paused, status.links, status.open_limit) == (True, 4, 40)
    assert (status.participants_answering, status.participants_doubtful) == (2, 1)
    assert sum(row.answered for row in status.questionnaires) == 11
    assert not status.closed
    store.close_study(unlink=False)
    assert running_study.status().closed


def test_a_file_that_says_otherwise_than_what_was_drawn_is_noticed(
    created: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "study"
    shutil.copytree(created, folder)
    for changes, said in (
        ((), []),
        (
            (("questionnaires = 4", "questionnaires = 2"),),
            ["study.toml asks for 2 questionnaires, but 4 were drawn"],
        ),
    ):
        running_study = open_study(edited(folder, *changes), database=None)
        assert running_study.changes() == said
        running_study.store.close()


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_several_first_starts_at_once_make_one_study(
    created: Path, database: Callable[[], str | None]
) -> None:
    address = database()
    with ThreadPoolExecutor(4) as threads:
        studies = [*threads.map(lambda _: open_study(created, database=address), range(4))]
    for study in studies:
        assert len(study.store.participants.all()) == len(study.questionnaires)
        study.store.close()
