"""`kilter survey print`."""

from pathlib import Path

import pytest
from pypdf import PdfReader

from kilter.cli.main import run
from tests.study.instruments import created
from tests.study.paper.printed import Captured, printed
from tests.study.running import example


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return example(tmp_path_factory.mktemp("booklet") / "study")


def test_wrong_wishes_are_refused(study: Path, tmp_path: Path, capsys: Captured) -> None:
    arguments = ["survey", "print", str(study), "-o", str(tmp_path)]
    assert run([*arguments, "--questionnaire", "9"]) == 2
    assert "there is no questionnaire 9; there are 4" in capsys.readouterr().err
    assert run([*arguments, "--language", "fr"]) == 2
    assert "the study has en, de" in capsys.readouterr().err
    assert run([*arguments, "--font", str(study / "study.toml")]) == 3
    assert "is no font that can be printed" in capsys.readouterr().err
    assert run([*arguments, "--questionnaire", "1"]) == 0
    assert "for 1 participant: print each questionnaire once, everything else once\n" in (
        capsys.readouterr().err
    )
    assert run([*arguments, "--questionnaire", "1", "-q", "--language", "de"]) == 3
    assert "exists; name another folder" in capsys.readouterr().err
    assert run([*arguments, "--copies", "0-2"]) == 2
    assert (
        "--copies is '0-2'; write a number from 1 to 2147483647, or a range such as 1-20"
        in capsys.readouterr().err
    )


def test_an_instrument_that_is_not_for_paper_is_refused_and_others_are_printed(
    tmp_path: Path, capsys: Captured
) -> None:
    together = created(tmp_path / "together", "together", systems=2)
    assert run(["survey", "print", str(together), "-o", str(tmp_path / "out")]) == 3
    told = capsys.readouterr().err
    assert "shows several translations of an item together, which is not for paper" in told
    assert not (tmp_path / "out").exists()
    typed = tmp_path / "typed.csv"
    typed.write_text("participant,questionnaire,position,rating\na,1,1,3\n", encoding="utf-8")
    assert run(["survey", "import", str(together), str(typed)]) == 3
    assert "which is not for paper; use the web survey" in capsys.readouterr().out
    for instrument in ("direct-assessment", "pairwise"):
        folder = created(tmp_path / instrument, instrument, systems=2)
        assert (
            run(["survey", "print", str(folder), "-q", "-o", str(tmp_path / f"{instrument}-out")])
            == 0
        )


def test_copies_differ_in_their_code_only_and_can_be_added_later(
    study: Path, tmp_path: Path
) -> None:
    _, form = printed(study, tmp_path, "--copies", "1-2")
    before = {path.name: path.read_bytes() for path in (tmp_path / "booklets").iterdir()}
    _, again = printed(study, tmp_path, "--copies", "3")
    assert again == form
    assert sorted(before) == [
        "consent.form.json",
        "consent.pdf",
        "debriefing.pdf",
        "information.pdf",
        "questionnaire-2-1.pdf",
        "questionnaire-2-2.pdf",
        "questionnaire-2.form.json",
    ]
    for name, data in before.items():
        assert (tmp_path / "booklets" / name).read_bytes() == data
    for copy in (1, 2, 3):
        pages = PdfReader(tmp_path / "booklets" / f"questionnaire-2-{copy}.pdf").pages
        assert f"example-2-{copy}-4-{form['id']}" in pages[3].extract_text()
