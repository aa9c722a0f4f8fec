"""Studies made ready: questionnaires drawn, a secret and the researcher's password set."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.counted import counted
from kilter.errors import InputError, Setting
from kilter.formats.file_status import exists, is_file
from kilter.formats.output import make_folder, new_folder, write_file, written
from kilter.survey.design.item import ITEM_FILE, write_design
from kilter.survey.design.pool import Pool, read_corpus
from kilter.survey.design.sampling import Design, Sampler
from kilter.survey.design.study import STUDY_FILE, Study, read_study
from kilter.survey.instrument.data_file import DATA
from kilter.survey.password import new_password, password_hash

if TYPE_CHECKING:
    from pathlib import Path

KEY_FILE = "keys.json"


@dataclass(frozen=True, slots=True)
class Keys:
    """What must stay secret: links are derived from `secret`; the password is stored as a hash."""

    secret: bytes
    password: str


@dataclass(frozen=True, slots=True)
class NewStudy:
    """A study with its questionnaires; the password is known only now."""

    study: Study
    design: Design
    password: str


class SmallerStudyError(InputError):
    """The texts cannot fill the composition; `design.unmet` holds all that questionnaires lack."""

    def __init__(self, study: Study, design: Design) -> None:
        wishes = counted(len(design.unmet), "wish", plural="wishes")
        super().__init__(
            f"the texts cannot fill the composition: {wishes} could not be satisfied, the first: "
            f"{design.unmet[0]}; give more sentences, ask for fewer items, or go on with smaller "
            "questionnaires",
            where=str(study.folder / STUDY_FILE),
            advice=Setting("allow_smaller", value=True),
        )
        self.study, self.design = study, design


def write_example(folder: Path) -> None:
    """Copy the example study into a new folder."""
    with new_folder(folder) as temporary:
        for path in sorted((DATA / "example").rglob("*")):
            copy = temporary / path.relative_to(DATA / "example")
            if path.is_dir():
                make_folder(copy)
            else:
                write_file(copy, path.read_bytes())


def create(folder: Path, *, password: str | None = None, allow_smaller: bool = False) -> NewStudy:
    """Draw the questionnaires of the study in a folder and write them beside it.

    What was created once is not drawn again: people may have answered already. Questionnaires that lack
    something of the composition are an `InputError` with all that they lack, unless `allow_smaller`.
    """
    if exists(folder / ITEM_FILE) or exists(folder / KEY_FILE):
        raise InputError(
            "holds a study that was created already; copy study.toml and the texts into a new folder",
            where=str(folder),
        )
    study = read_study(folder)
    corpora = [read_corpus(files) for files in study.corpora]
    design = Sampler(study, Pool.of(study, corpora)).design()
    if design.unmet and not allow_smaller:
        raise SmallerStudyError(study, design)
    chosen = _chosen(password)
    keys = {"secret": secrets.token_hex(32), "password": password_hash(chosen)}
    with written(folder / KEY_FILE, private=True) as stream:
        stream.write(json.dumps(keys).encode() + b"\n")
        stream.flush()
        # Without the other files there would be a study that can neither be used nor created.
        write_design(folder, design.items, design.questionnaires)
    return NewStudy(study, design, chosen)


def _chosen(password: str | None) -> str:
    """Return a new password if none is given; refuse short ones."""
    chosen = new_password() if password is None else password
    if len(chosen) < 12:
        raise InputError("the password must have at least 12 characters")
    return chosen


def change_password(folder: Path, password: str | None = None) -> str:
    """Give a created study another password, by default a new one, and return it; links stay the same."""
    kept = read_keys(folder)
    chosen = _chosen(password)
    keys = {"secret": kept.secret.hex(), "password": password_hash(chosen)}
    write_file(folder / KEY_FILE, json.dumps(keys) + "\n", private=True)
    return chosen


def read_keys(folder: Path) -> Keys:
    """Return the secrets of a created study."""
    path = folder / KEY_FILE
    if not is_file(folder / STUDY_FILE):
        raise InputError(f"holds no {STUDY_FILE}; name the folder of a study", where=str(folder))
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return Keys(bytes.fromhex(entries["secret"]), str(entries["password"]))
    except FileNotFoundError:
        raise InputError(
            f"the study was not created yet; run 'kilter survey create {folder}'", where=str(folder)
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"is damaged: {error}", where=str(path)) from error
