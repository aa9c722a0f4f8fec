"""Files of systems have the names of the systems."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError, OptionError
from kilter.io.link_format import LinkFormat
from kilter.run.meta.evaluation_inputs import EvaluationInputs, JudgmentPolicy
from kilter.run.meta.matched_texts import match_texts, structure_files, system_files
from kilter.run.scoring.links import LinkPath
from kilter.run.scoring.structure_files import StructureFiles


def test_hidden_files_of_a_folder_are_passed_over(tmp_path: Path) -> None:
    for name in (".hidden", "b.txt", "a.txt"):
        (tmp_path / name).touch()
    assert system_files([str(tmp_path)]) == {
        "a": str(tmp_path / "a.txt"),
        "b": str(tmp_path / "b.txt"),
    }


def test_two_systems_of_one_name_are_refused(tmp_path: Path) -> None:
    for name in ("one/a.txt", "two/a.txt"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    with pytest.raises(InputError, match=r"two/a\.txt: is called a as .*one/a\.txt is; rename one"):
        system_files([str(tmp_path / "one"), str(tmp_path / "two")])


def test_a_folder_of_links_or_trees_holds_a_file_of_every_system(tmp_path: Path) -> None:
    for name in ("b.links", "a.x.gz", "other"):
        (tmp_path / name).touch()
    given = StructureFiles(links=(str(tmp_path),), trees=("t",), source_reference=(str(tmp_path),))
    found = structure_files(given, ["a", "b"])
    assert found.links == (str(tmp_path / "a.x.gz"), str(tmp_path / "b.links"))
    assert (found.trees, found.source_reference) == (("t",), (str(tmp_path),))
    with pytest.raises(InputError, match="holds no file of the system c; name one c"):
        structure_files(given, ["a", "c"])
    (tmp_path / "a").touch()
    with pytest.raises(InputError, match="holds 2 files of the system a"):
        structure_files(given, ["a"])


def test_links_and_trees_go_with_the_judged_systems(tmp_path: Path) -> None:
    for name, text in {"r": "x y", "a": "x y", "b": "y x", "c": "x y z"}.items():
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
        (tmp_path / f"{name}.links").write_text("0-0\n", encoding="utf-8")
    (tmp_path / "j.tsv").write_text("seg\tbetter\tworse\n1\tc\ta\n", encoding="utf-8")
    names = ("a", "b", "c")
    inputs = EvaluationInputs(
        judgments=str(tmp_path / "j.tsv"),
        references=(str(tmp_path / "r"),),
        systems=tuple(str(tmp_path / name) for name in names),
        links=tuple(str(tmp_path / f"{name}.links") for name in names),
    )
    texts = match_texts(inputs, JudgmentPolicy()).texts
    assert [*texts.systems] == ["a", "c"]
    assert texts.links.hypothesis_reference == tuple(
        (LinkPath(str(tmp_path / f"{name}.links"), LinkFormat.PHARAOH),) for name in "ac"
    )


def test_a_policy_keeps_pairs_on_which_people_agree(tmp_path: Path) -> None:
    for name, text in {"r": "x y", "a": "x y", "b": "y x", "c": "x x"}.items():
        (tmp_path / name).write_text(f"{text}\n{text}\n", encoding="utf-8")
    rows = ["1\ta\tb", "1\ta\tb", "1\tb\ta", "2\ta\tc", "2\ta\tc", "2\tb\tc"]
    (tmp_path / "j.tsv").write_text("\n".join(["seg\tbetter\tworse", *rows]), encoding="utf-8")
    inputs = EvaluationInputs(
        judgments=str(tmp_path / "j.tsv"),
        references=(str(tmp_path / "r"),),
        systems=tuple(str(tmp_path / name) for name in "abc"),
    )
    kept = {
        least: match_texts(
            inputs, JudgmentPolicy(min_agreement=least)
        ).judgments.pairs.line.tolist()
        for least in (0.0, 0.6, 1.0)
    }
    assert kept == {0.0: [2, 3, 4, 5, 6, 7], 0.6: [2, 3, 4, 5, 6], 1.0: [5, 6]}
    with pytest.raises(OptionError, match=r"min_agreement is 1\.5; it is a share from 0 to 1"):
        JudgmentPolicy(min_agreement=1.5)
