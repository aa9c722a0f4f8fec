"""`kilter reorder score`."""

import json
from pathlib import Path
from typing import Any

import pytest

from kilter.cli.main import run
from tests.cli.sample import written
from tests.tolerance import close

Captured = pytest.CaptureFixture[str]
REFERENCE = "Dog Trainers Make The 10 Biggest Mistakes about Learn .\na {{ b c }}\n"
SYSTEM = "The 10 about Learn Biggest Mistakes Dog Trainers Make .\na c b\n"


def scored(capsys: Captured, *arguments: str) -> str:
    assert run(["reorder", "score", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def scores(capsys: Captured, *arguments: str) -> dict[str, Any]:
    document = json.loads(scored(capsys, *arguments, "--format", "json"))
    assert document["schema"] == "kilter.score/1"
    return {name: found["score"] for name, found in document["systems"][0]["scores"].items()}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return [written(tmp_path, "references", REFERENCE), written(tmp_path, "system", SYSTEM)]


def test_mean_and_pooled_scores(files: list[str], capsys: Captured) -> None:
    found = scores(capsys, *files)
    assert found["frs"] == close((5 / 9 + 1) / 2)
    assert found["frs:average=pooled"] == close((5 + 2) / (9 + 2))
    assert found["complete"] == 0.5
    assert found["kendall"] == close((23 / 45 + 1) / 2)
    assert found["kendall:average=pooled"] == close((23 + 3) / (45 + 3))


def test_people_are_promised_only_the_details_that_there_are(
    files: list[str], capsys: Captured
) -> None:
    assert scored(capsys, *files).endswith("v:0.1.0 (--details: full signatures)\n")
    assert "kendall|match:form|average:pooled|v:0.1.0\n" in scored(capsys, *files, "--details")


@pytest.mark.parametrize("form", ["text", "jsonl", "tsv", "md", "latex"])
def test_every_format_carries_the_scores(form: str, files: list[str], capsys: Captured) -> None:
    shown = scored(capsys, *files, "--format", form)
    assert ("0.7778" in shown) or ("0.777777" in shown)
    assert "frs" in shown


def test_segments_are_written_to_a_file(files: list[str], tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "segments.tsv"
    scored(capsys, *files, "--segments", str(path))
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    assert rows[0] == ["system", "segment", "metric", "score"]
    assert ["system", "2", "complete", "1.0"] in rows


def test_positions_match_by_identity_or_by_the_words_of_the_source(
    tmp_path: Path, capsys: Captured
) -> None:
    line = {"words": ["the", "dog", "saw", "the", "cat"], "groups": [[3], [4], [0], [1], [2]]}
    reference = written(tmp_path, "r.jsonl", json.dumps(line) + "\n")
    system = written(tmp_path, "s.positions", "0 1 2 3 4\n")
    assert scores(capsys, reference, system)["frs"] == 0.25
    found = scores(capsys, reference, system, "--match", "identity")
    assert found["frs:match=identity"] == 0.75
    text = written(tmp_path, "r.txt", "the cat the dog saw\n")
    source = written(tmp_path, "source", "the dog saw the cat\n")
    assert scores(capsys, text, system, "-s", source)["frs"] == 0.25
    renamed = written(tmp_path, "s", "0 1 2 3 4\n")
    forms = ["--system-format", "positions", "--reference-format", "text"]
    assert scores(capsys, text, renamed, "-s", source, *forms)["frs"] == 0.25


def test_an_empty_sentence_has_nothing_out_of_order(tmp_path: Path, capsys: Captured) -> None:
    paths = [written(tmp_path, "r", "\na b\n"), written(tmp_path, "s", "\nb a\n")]
    segments = tmp_path / "segments.tsv"
    scored(capsys, *paths, "--segments", str(segments))
    rows = [line.split("\t") for line in segments.read_text(encoding="utf-8").splitlines()[1:]]
    assert {row[3] for row in rows if row[1] == "1"} == {"1.0"}
    assert {row[3] for row in rows if row[1] == "2"} == {"0.0"}


def test_options_of_the_score_are_taken(tmp_path: Path, capsys: Captured) -> None:
    reference = written(tmp_path, "r", "a {{ b c }} d\n")
    system = written(tmp_path, "s", "a b d c\n")
    assert scores(capsys, reference, system)["frs"] == close(1 / 3)
    assert scores(capsys, reference, system, "--ties", "local")["frs:ties=local"] == close(2 / 3)
    assert scores(capsys, reference, system, "--joints", "all")["frs:joints=all"] == close(2 / 5)


@pytest.mark.parametrize(
    ("reference", "system", "options", "reason"),
    [
        ("a b\n", "a b\nc\n", [], "system: has 2 lines, but"),
        ("a b\n", "a c\n", [], "system:1: 'c' is not among the words of"),
        ("a b b\n", "a b\n", [], "system:1: 'b' stands once here, but 2 times in"),
        ("a b c\n", "a b c c\n", [], "system:1: 'c' stands 2 times here, but once in"),
        ("a b c\n", "a c\n", [], "system:1: 'b', a word of"),
        ("a {{ b\n", "a b\n", [], "reference:1: {{ is never closed"),
        ("a b\n", "b }} a\n", [], "system:1: }} at word 2 closes nothing"),
        ("a b\n", "{{ a b }}\n", [], "system:1: holds tied words"),
        ("a b\n", "a b\n", ["--match", "identity"], "system: gives words, but match=identity"),
        (
            "a b\n",
            "0 1\n",
            ["--system-format", "positions"],
            "system: gives positions, but nothing says",
        ),
        ("", "a b\n", [], "reference:1: the file is empty"),
    ],
)
def test_what_does_not_fit_is_one_line_and_writes_nothing(
    reference: str,
    system: str,
    options: list[str],
    reason: str,
    tmp_path: Path,
    capsys: Captured,
) -> None:
    paths = [written(tmp_path, "reference", reference), written(tmp_path, "system", system)]
    segments = tmp_path / "segments.tsv"
    assert run(["reorder", "score", *paths, *options, "--segments", str(segments)]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert reason in captured.err
    assert captured.err.count("\n") == 1
    assert not segments.exists()


def test_by_identity_both_sides_must_have_the_same_source(tmp_path: Path, capsys: Captured) -> None:
    paths = [
        written(
            tmp_path, f"{name}.jsonl", json.dumps({"words": words, "groups": [[0], [1]]}) + "\n"
        )
        for name, words in (("r", ["a", "b"]), ("s", ["c", "d"]))
    ]
    assert run(["reorder", "score", *paths, "--match", "identity"]) == 3
    assert f"s.jsonl:1: the source words are not those of {paths[0]}:1;" in capsys.readouterr().err
    source = written(tmp_path, "source", "a c\n")
    options = ["--match", "identity", "-s", source]
    assert run(["reorder", "score", paths[0], paths[0], *options]) == 3
    assert "r.jsonl:1: the source words are not those of line 1" in capsys.readouterr().err
    longer = written(tmp_path, "source", "a b\nc\n")
    assert run(["reorder", "score", paths[0], paths[0], "--match", "identity", "-s", longer]) == 3
    assert "r.jsonl: has 1 line, but the source has 2" in capsys.readouterr().err


def test_a_system_that_is_given_twice_is_refused(files: list[str], capsys: Captured) -> None:
    assert run(["reorder", "score", *files, files[1]]) == 3
    assert capsys.readouterr().err == f"kilter: {files[1]}: is given twice\n"


def test_braces_without_blanks_are_recognised(tmp_path: Path, capsys: Captured) -> None:
    paths = [written(tmp_path, name, text) for name, text in (("r", "a b\n"), ("s", "{{a b}}\n"))]
    assert run(["reorder", "score", *paths]) == 3
    assert "; braces of tied groups stand between blanks;" in capsys.readouterr().err


def test_positions_on_both_sides_are_advised_to_match_by_identity(
    tmp_path: Path, capsys: Captured
) -> None:
    paths = [written(tmp_path, f"{name}.positions", "0 1\n") for name in "rs"]
    assert run(["reorder", "score", *paths]) == 3
    err = capsys.readouterr().err
    assert err.endswith(
        "give the source text, or match words by their places with --match identity\n"
    )
    assert run(["reorder", "score", *paths, "--match", "identity"]) == 0


def test_a_position_outside_the_source_is_named(tmp_path: Path, capsys: Captured) -> None:
    reference = written(tmp_path, "r.jsonl", '{"words": ["a"], "groups": [[0]]}\n')
    system = written(tmp_path, "s.positions", "4\n")
    assert run(["reorder", "score", reference, system]) == 3
    assert "s.positions:1: position 4 lies outside the 1 word" in capsys.readouterr().err
    assert run(["reorder", "score", reference, system, "--match", "identity"]) == 3
    assert "position 4 is not among the words" in capsys.readouterr().err
