"""A created study with its answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.results.study import StudyStatus
from kilter.study.design.creation import Keys, read_keys
from kilter.study.design.item import read_design
from kilter.study.design.study import STUDY_FILE
from kilter.study.design.study_file import read_study
from kilter.study.store.action import ActionKind, ActionWay
from kilter.study.store.collected_data import CollectedData
from kilter.study.store.database import CONNECTIONS, open_database
from kilter.study.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kilter.study.design.item import Item, Questionnaire
    from kilter.study.design.study import Study


@dataclass(frozen=True, slots=True)
class RunningStudy:
    """A created study and its answers."""

    study: Study
    items: Mapping[str, Item]
    questionnaires: Sequence[Questionnaire]
    store: Store
    keys: Keys

    def collected(self) -> CollectedData:
        """Return the data as it is now."""
        return CollectedData.of(self.study, self.items, self.questionnaires, self.store)

    def changes(self) -> list[str]:
        """Return what the study's file says otherwise than when questionnaires were drawn."""
        said, drawn = self.study, len(self.questionnaires)
        found = []
        if said.questionnaires != drawn:
            asked = counted(said.questionnaires, "questionnaire")
            found.append(f"{STUDY_FILE} asks for {asked}, but {drawn} were drawn")
        named = {corpus.system for corpus in said.corpora}
        shown = {part.system for item in self.items.values() for _, part in item.slots()}
        if gone := sorted(shown - named):
            found.append(
                f"{STUDY_FILE} has no system {', '.join(gone)} any more, whose sentences were drawn"
            )
        if new := sorted(named - shown):
            found.append(
                f"{STUDY_FILE} has the system {', '.join(new)}, of which nothing was drawn"
            )
        return found

    def note(self, command: str, detail: str = "") -> None:
        """Write down what a command has done."""
        self.store.actions.add(ActionKind(command), way=ActionWay.COMMAND, detail=detail)

    def status(self) -> StudyStatus:
        """Return how far the study is now."""
        answers = self.collected()
        state = self.store.state()
        return StudyStatus(
            paused=state.paused,
            closed=state.closed_at is not None,
            links=state.links,
            open_limit=state.open_limit,
            questionnaires=tuple(answers.progress()),
            agreement=answers.agreement(),
            participants_answering=len(answers.active()),
            participants_doubtful=sum(each.is_doubtful for each in answers.quality()),
            groups=tuple(answers.groups()),
        )


def open_study(
    folder: Path, *, database: str | None, connections: int = CONNECTIONS
) -> RunningStudy:
    """Return a created study with its database ready."""
    keys = read_keys(folder)
    study = read_study(folder)
    items, questionnaires = read_design(folder)
    opened = open_database(database, folder, connections=connections)
    store = Store(opened, questionnaires, secret=keys.secret)
    limit = study.recruitment.limit if study.recruitment.open else 0
    store.prepare(questionnaires, open_limit=limit)
    return RunningStudy(study, items, questionnaires, store, keys)
