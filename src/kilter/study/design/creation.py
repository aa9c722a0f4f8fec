"""Studies made ready: questionnaires drawn, a secret and the researcher's password set."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.errors import InputError, Setting
from kilter.io.json_text import parse_json
from kilter.io.output import make_folder, new_folder, write_file, written
from kilter.io.stream import exists, is_file
from kilter.io.toml_table import inside
from kilter.preordering.perturbations.word_dependency_tree import TagColumn
from kilter.study.design.item import ITEM_FILE, read_design, write_design
from kilter.study.design.pool import Pool, PoolCorpus, read_corpus
from kilter.study.design.pool_count import pool_statistics
from kilter.study.design.rank_score import ranked
from kilter.study.design.sampling import Design, Sampler
from kilter.study.design.study import STUDY_FILE, Study
from kilter.study.design.study_file import StudyFileError, mixed_languages, read_study
from kilter.study.instrument.data_file import DATA
from kilter.study.password import new_password, password_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from kilter.results.study import PoolStatistics

KEY_FILE = "keys.json"
POOL_FILE = "pool.json"
FIRST_ACCOUNT = "researcher"
"""What the account is called that a study is created with."""


@dataclass(frozen=True, slots=True)
class Keys:
    """What must stay secret: links are derived from `secret`; `accounts` are hashes of passwords by name."""

    secret: bytes
    accounts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class DrawnStudy:
    """A study with its questionnaires, and the pool that they were drawn from in numbers."""

    study: Study
    design: Design
    pool: PoolStatistics


@dataclass(frozen=True, slots=True)
class NewStudy:
    """A study with its questionnaires; the password is known only now."""

    drawn: DrawnStudy
    password: str

    @property
    def study(self) -> Study:
        """What the study's file says."""
        return self.drawn.study

    @property
    def design(self) -> Design:
        """The questionnaires."""
        return self.drawn.design


class SmallerStudyError(InputError):
    """The texts cannot fill the composition; `drawn.design.unmet` holds all that questionnaires lack."""

    def __init__(self, drawn: DrawnStudy) -> None:
        study, design = drawn.study, drawn.design
        wishes = counted(len(design.unmet), "wish", plural="wishes")
        super().__init__(
            f"the texts cannot fill the composition: {wishes} could not be satisfied, the first: "
            f"{design.unmet[0]}; give more sentences, ask for fewer items, or go on with smaller "
            "questionnaires",
            where=str(study.folder / STUDY_FILE),
            advice=Setting("allow_smaller", value=True),
        )
        self.drawn = drawn


def write_example(folder: Path) -> None:
    """Copy the example study into a new folder."""
    with new_folder(folder) as temporary:
        for path in sorted((DATA / "example").rglob("*")):
            copy = temporary / path.relative_to(DATA / "example")
            if path.is_dir():
                make_folder(copy)
            else:
                write_file(copy, path.read_bytes())


def draw_study(
    folder: Path,
    *,
    permutations: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> DrawnStudy:
    """Return the study in a folder with its questionnaires and what is known of its pool; write nothing.

    Everything that is wrong with the study's file, its texts, trees and rankings is one `StudyFileError`.
    With `permutations`, all that the pool has are made and counted.
    """
    problems, study = list[InputError](), None
    try:
        study = read_study(folder)
        files = study.corpora
        problems += mixed_languages(study)
    except StudyFileError as error:
        problems += error.problems
        files = error.corpora
    read = list[PoolCorpus]()
    for each in files:
        try:
            read.append(read_corpus(each, tags=TagColumn.UPOS if study is None else study.tags))
        except InputError as problem:
            problems.append(problem)
    corpora = ranked(read)
    problems += corpora.problems
    if study is None or problems:
        raise StudyFileError(list({str(problem): problem for problem in problems}.values()))
    pool = Pool.of(study, corpora.corpora)
    pool.notes += [*study.question_notes(), *corpora.notes]
    design = Sampler(study, pool).design()
    counted_pool = pool_statistics(
        pool, corpora.corpora, permutations=permutations, progress=progress
    )
    return DrawnStudy(study, design, counted_pool)


def create(
    folder: Path,
    *,
    password: str | None = None,
    allow_smaller: bool = False,
    permutations: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> NewStudy:
    """Draw the questionnaires of the study in a folder and write them beside it.

    What was created once is not drawn again: people may have answered already. Questionnaires that lack
    something of the composition are an `InputError` with all that they lack, unless `allow_smaller`.
    """
    if exists(folder / ITEM_FILE) or exists(folder / KEY_FILE):
        raise InputError(
            "holds a study that was created already; copy study.toml and the texts into a new folder",
            where=str(folder),
        )
    drawn = draw_study(folder, permutations=permutations, progress=progress)
    design = drawn.design
    if design.unmet and not allow_smaller:
        raise SmallerStudyError(drawn)
    chosen = chosen_password(password)
    keys = {"secret": secrets.token_hex(32), "accounts": {FIRST_ACCOUNT: password_hash(chosen)}}
    with written(folder / KEY_FILE, private=True) as stream:
        stream.write(json.dumps(keys).encode() + b"\n")
        stream.flush()
        # Without the other files there would be a study that can neither be used nor created.
        text = json.dumps(drawn.pool.to_dict(), ensure_ascii=False, indent=1)
        write_file(folder / POOL_FILE, text + "\n")
        write_design(folder, design.items, design.questionnaires)
    return NewStudy(drawn, chosen)


def differs_from_created(drawn: DrawnStudy) -> bool:
    """Return whether the folder of a study holds other questionnaires than those drawn from it now."""
    folder, design = drawn.study.folder, drawn.design
    if not exists(folder / ITEM_FILE):
        return False
    now = {item.id: item for item in design.items}, tuple(design.questionnaires)
    return read_design(folder) != now


def chosen_password(password: str | None) -> str:
    """Return a new password if none is given; refuse short ones."""
    chosen = new_password() if password is None else password
    if len(chosen) < 12:
        raise InputError("the password must have at least 12 characters")
    return chosen


def read_keys(folder: Path) -> Keys:
    """Return the secrets of a created study."""
    path = inside(folder, KEY_FILE, where=str(folder))
    if not is_file(folder / STUDY_FILE):
        raise InputError(f"holds no {STUDY_FILE}; name the folder of a study", where=str(folder))
    try:
        entries = parse_json(path.read_bytes())
        # A study that was created before there were accounts has one password.
        accounts = entries.get("accounts") or {FIRST_ACCOUNT: entries["password"]}
        named = {str(name): str(stored) for name, stored in accounts.items()}
        return Keys(bytes.fromhex(entries["secret"]), named)
    except FileNotFoundError:
        if exists(folder / ITEM_FILE):
            raise InputError(
                "is missing, though the study was created; restore it from a backup: links and passwords "
                "depend on it",
                where=str(path),
            ) from None
        raise InputError(
            f"the study was not created yet; run 'kilter survey create {folder}'", where=str(folder)
        ) from None
    except KeyError as error:
        raise InputError(
            f"is damaged: it has no {error.args[0]}; restore it from a backup", where=str(path)
        ) from None
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise InputError(
            f"is damaged: {error}; restore it from a backup", where=str(path)
        ) from error
