"""Studies to simulate."""

from pathlib import Path

from kilter.study.design.item import Item, Questionnaire, read_design
from kilter.study.design.study import Study
from kilter.study.design.study_file import read_study

Created = tuple[Study, dict[str, Item], tuple[Questionnaire, ...]]


def created(folder: Path) -> Created:
    items, questionnaires = read_design(folder)
    return read_study(folder), items, questionnaires
