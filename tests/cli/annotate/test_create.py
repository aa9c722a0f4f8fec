"""`kilter annotate create`."""

import re
import stat
from pathlib import Path

from kilter.study.annotation.project import LINK_FILE, read_project
from kilter.study.annotation.store.annotation_store import open_project
from tests.cli.command import kilter
from tests.study.annotation.projects import texts


def test_personal_links_are_written_and_lead_to_their_people(tmp_path: Path) -> None:
    new = texts(tmp_path)
    folder = tmp_path / "project"
    done = kilter("annotate", "create", str(folder), "-s", new.source, "-t", str(new.target),
                  "--annotators", "Ada,Bo", "--public-url", "https://links.example/en/")  # fmt: skip
    assert done.code == 0
    assert done.err == (
        f"3 sentences, 0 proposed links; personal links, also in {folder / LINK_FILE}:\n"
    )
    rows = [line.split("\t") for line in done.out.splitlines()]
    assert [row[:2] for row in rows] == [
        ["Ada", "annotator"],
        ["Bo", "annotator"],
        ["adjudicator", "adjudicator"],
    ]
    assert (folder / LINK_FILE).read_text(encoding="utf-8") == done.out
    assert stat.S_IMODE((folder / LINK_FILE).stat().st_mode) == 0o600
    again = kilter("annotate", "links", str(folder), "--format", "tsv").out.splitlines()
    assert [line.split("\t")[-1] for line in again[1:]] == [row[2] for row in rows]
    running = open_project(folder)
    for name, _, link in rows:
        found = re.fullmatch(r"https://links\.example/en/a/([\w-]{32})", link)
        assert found is not None
        person = running.store.people.find(found[1])
        assert person is not None
        assert person.name == name
    running.store.close()


def test_sentences_without_any_proposal_are_counted(tmp_path: Path) -> None:
    new = texts(tmp_path, source=["a b", "c", "d"], target=["b a", "x", "y"])
    given = ["-s", new.source, "-t", str(new.target), "--links", "match"]
    done = kilter("annotate", "create", str(tmp_path / "p"), *given)
    assert done.err.startswith("3 sentences, 2 proposed links, none for 2 sentences; personal")


def test_settings_are_in_the_projects_file(tmp_path: Path) -> None:
    new = texts(tmp_path)
    done = kilter("annotate", "create", str(tmp_path / "p"), "-s", new.source, "-t", str(new.target),
                  "--title", "Two words", "--source-language", "en", "--target-language", "ja",
                  "--fixed-translation", "--possible", "--target-tokenize", "char", "-q")  # fmt: skip
    assert (done.code, done.err) == (0, "")
    project = read_project(tmp_path / "p")
    assert (project.title, project.source_language, project.target_language) == (
        "Two words",
        "en",
        "ja",
    )
    assert (project.fixed_translation, project.possible) == (True, True)
    assert (project.tokenize, project.target_tokenize) == ("none", "char")


def test_every_problem_has_a_line_and_nothing_is_written(tmp_path: Path) -> None:
    new = texts(tmp_path)
    done = kilter("annotate", "create", str(tmp_path / "p"), "-s", new.source, "-t", "/nowhere",
                  "--annotators", "a b,c", "--per-sentence", "9")  # fmt: skip
    assert done.code == 2
    assert done.out == ""
    assert [line.split(": ")[0] for line in done.err.splitlines()] == ["kilter"] * 3
    assert not (tmp_path / "p").exists()


def test_a_database_that_cannot_be_used_leaves_no_project_behind(tmp_path: Path) -> None:
    new = texts(tmp_path)
    done = kilter("annotate", "create", str(tmp_path / "p"), "-s", new.source,
                  "--database", "sqlite:////nowhere/at/all.db")  # fmt: skip
    assert done.code == 3
    assert "check --database" in done.err
    assert not (tmp_path / "p").exists()
