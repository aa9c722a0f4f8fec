"""Data that tables are computed from."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.run.published.data_set import check_data, data_set
from kilter.run.scoring.settings import Settings


def made(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / "wmt13-de-en" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    return folder


def test_files_are_found_with_and_without_compression(tmp_path: Path) -> None:
    data = data_set("wmt13-de-en")
    made(tmp_path, "pairs.tsv.gz", "ref.en", "sys/a.txt")
    assert data.missing(tmp_path) == ["src.de"]
    made(tmp_path, "src.de.gz")
    assert data.missing(tmp_path) == []
    inputs = data.inputs(tmp_path, "de-en", Settings())
    folder = tmp_path / "wmt13-de-en"
    assert inputs.judgments == str(folder / "pairs.tsv.gz")
    assert inputs.references == (str(folder / "ref.en"),)
    assert (inputs.source, inputs.systems) == (str(folder / "src.de.gz"), (str(folder / "sys"),))
    assert inputs.pair is None


def test_language_pairs_of_one_file_are_told_apart(tmp_path: Path) -> None:
    data = data_set("wmt12-into-english")
    assert {name: entry["pair"] for name, entry in data.pairs.items()} == {
        "de-en": "German-English",
        "es-en": "Spanish-English",
        "fr-en": "French-English",
        "cz-en": "Czech-English",
    }
    with pytest.raises(InputError, match=r"rankings\.csv: is not there"):
        data.inputs(tmp_path, "de-en", Settings())


def test_every_missing_file_is_named_once_with_its_origin(tmp_path: Path) -> None:
    about = data_set("wmt13-de-en").about
    made(tmp_path, "ref.en")
    with pytest.raises(InputError) as caught:
        check_data("pc-2", [about], tmp_path)
    message = str(caught.value)
    assert message.startswith(f"{tmp_path}: pc-2 needs files that are not there")
    assert all(message.count(f"wmt13-de-en/{name}") == 1 for name in ("pairs.tsv", "src.de", "sys"))
    assert "ref.en" not in message
    assert about.source in message


def test_without_a_folder_all_files_are_named() -> None:
    about = data_set("pud-aligned").about
    with pytest.raises(InputError, match="name the folder that holds") as caught:
        check_data("frs-rules", [about], None)
    assert all(f"pud-aligned/{name}" in str(caught.value) for name in about.files)
    check_data("th-5.1", [], None)
