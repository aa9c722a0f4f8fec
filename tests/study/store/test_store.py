"""What researchers set."""

from dataclasses import replace

from kilter.study.store.running_study import RunningStudy


def test_links_and_open_places_are_added_apart(running_study: RunningStudy) -> None:
    store = running_study.store
    before = store.state()
    store.extend(links=2)
    assert store.state() == replace(before, links=before.links + 2)
    store.extend(open_places=3)
    assert store.state() == replace(
        before, links=before.links + 2, open_limit=before.open_limit + 3
    )


def test_links_are_one_per_questionnaire_and_grow_on_request(running_study: RunningStudy) -> None:
    store = running_study.store
    assert [person.questionnaire for person in store.participants.all()] == [1, 2, 3, 4]
    store.extend(links=2, open_places=3)
    assert [person.questionnaire for person in store.participants.all()] == [1, 2, 3, 4, 1, 2]
    assert store.state().open_limit == 43
    someone = store.participants.find(store.participants.link_token(6))
    assert someone is not None
    assert someone.link == 6
