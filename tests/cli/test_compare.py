"""`kilter compare`."""

import json
from itertools import combinations
from pathlib import Path

import pytest

from kilter import Resampling, compare
from kilter.cli.main import run
from kilter.run.scoring import compare as scoring
from tests.cli.command import kilter
from tests.cli.sample import PATHS, REFERENCE, VERB, written
from tests.docs.pages import ROOT

Captured = pytest.CaptureFixture[str]
ASKED = ["compare", "-r", REFERENCE, "-m", "pef", "-m", "bleu", "--resamples", "700"]
FORMATS = ("text", "json", "jsonl", "tsv", "md", "latex")


def ran(capsys: Captured, *arguments: str) -> str:
    assert run([*ASKED, *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_json_holds_every_pair_with_the_first_system_as_baseline(capsys: Captured) -> None:
    document = json.loads(ran(capsys, *PATHS, "--format", "json"))
    names = ["local.en", "verb.en", "phrase.en", "lexical.en"]
    assert document["schema"] == "kilter.compare/1"
    assert [system["name"] for system in document["systems"]] == names
    assert document["baseline"] == "local.en"
    assert document["segments"] == 48
    assert list(document["metrics"]) == ["pef", "bleu"]
    pairs = [(row["metric"], row["first"], row["second"]) for row in document["comparisons"]]
    assert pairs == [(m, a, b) for m in ("pef", "bleu") for a, b in combinations(names, 2)]


def test_jsonl_and_tsv_hold_the_same_rows(capsys: Captured) -> None:
    rows = [json.loads(line) for line in ran(capsys, *PATHS, "--format", "jsonl").splitlines()]
    header, *lines = ran(capsys, *PATHS, "--format", "tsv").splitlines()
    assert len(rows) == len(lines) == 12
    names = header.split("\t")
    for row, line in zip(rows, lines, strict=True):
        cells = dict(zip(names, line.split("\t"), strict=True))
        assert [cells["first"], cells["second"]] == [row["first"], row["second"]]
        assert float(cells["difference"]) == row["difference"]


@pytest.mark.parametrize("form", ["text", "md", "latex"])
def test_tables_for_people_name_systems_metrics_and_tests(form: str, capsys: Captured) -> None:
    out = ran(capsys, *PATHS, "--format", form)
    for part in ("verb.en", "phrase.en", "pef", "bleu", "paired bootstrap", "700 resamples"):
        assert part in out
    if form == "text":
        assert out == ran(capsys, *PATHS)
    if form == "latex":
        assert out.count(r"\begin{tabular}") == out.count(r"\end{tabular}") > 1


@pytest.mark.parametrize("form", FORMATS)
def test_the_number_of_threads_changes_no_byte(form: str, capsys: Captured) -> None:
    one, two = (ran(capsys, *PATHS[:2], "--format", form, "-j", jobs) for jobs in "12")
    assert one == two


def test_only_the_tests_asked_for_are_made(capsys: Captured) -> None:
    out = ran(capsys, *PATHS[:2], "--test", "randomisation", "--format", "json")
    assert json.loads(out)["tests"] == ["randomisation"]


def test_a_system_does_not_differ_from_its_copy(tmp_path: Path, capsys: Captured) -> None:
    copy = written(tmp_path, "copy.txt", Path(VERB).read_bytes())
    rows = ran(capsys, VERB, copy, "--format", "jsonl").splitlines()
    assert [json.loads(row)["difference"] for row in rows] == [0.0, 0.0]


def test_scores_are_those_of_score(capsys: Captured) -> None:
    document = json.loads(ran(capsys, *PATHS[:2], "--format", "json"))
    assert run(["score", *ASKED[1:], *PATHS[:2], "--format", "json"]) == 0
    scores = json.loads(capsys.readouterr().out)["systems"]
    for found, expected in zip(document["systems"], scores, strict=True):
        for name in ("pef", "bleu"):
            found["scores"][name].pop("undefined_resamples")
        # What scores are made of is for comparisons a matter of differences.
        assert set(expected["scores"]["pef"].pop("parts")) == {"order", "coverage"}
        assert not expected["scores"]["pef"].pop("parts_add_up")
        assert found == expected


def test_parts_of_differences_add_up_to_the_last_bit_of_the_document(capsys: Captured) -> None:
    document = json.loads(ran(capsys, *PATHS, "--format", "json"))
    for row in document["comparisons"]:
        assert ("parts" in row) == (row["metric"] == "pef")
        if "parts" in row:
            assert list(row["parts"]) == ["order", "coverage"]
            assert sum(part["difference"] for part in row["parts"].values()) == row["difference"]
            assert all(part["p"].keys() == row["p"].keys() for part in row["parts"].values())


def test_one_system_alone_cannot_be_compared() -> None:
    found = kilter("compare", "-r", REFERENCE, VERB)
    assert (found.code, found.out) == (2, "")
    assert "compare needs two systems or more" in found.err


def test_one_segment_proves_nothing(tmp_path: Path, capsys: Captured) -> None:
    paths = [written(tmp_path, n, t) for n, t in (("r", "a b\n"), ("s", "b a\n"), ("t", "a b\n"))]
    asked = ["compare", "-r", *paths, "-m", "kendall", "-m", "bleu", "-q", "--format"]
    assert run([*asked, "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    for row in document["comparisons"]:
        assert set(row["p"].values()) == set(row["holm"].values()) == {None}
        assert [row[key] for key in ("low", "high", "share", "mark")] == [None] * 4
        assert row["difference"] is not None
    assert document["comparisons"][0]["difference"] == 1.0
    assert run([*asked, "text"]) == 0
    short = capsys.readouterr().out
    assert "**" not in short
    assert "One segment is no evidence: " in short
    assert run([*asked, "text", "--details"]) == 0
    table, _, legend = capsys.readouterr().out.partition("1 segment; nothing is resampled.\n")
    assert "**" not in table
    assert "<0.001" not in table
    assert legend.startswith("One segment is no evidence: ")


def test_bad_data_is_exit_code_three(tmp_path: Path) -> None:
    found = kilter("compare", "-r", REFERENCE, VERB, written(tmp_path, "x", "a\n"))
    assert (found.code, found.out) == (3, "")
    assert found.err.startswith(f"kilter: {tmp_path / 'x'}: has 1 line, but {REFERENCE} has 48")


@pytest.mark.parametrize("option", ["-r", "-s"])
def test_a_reference_or_source_from_standard_input_changes_no_byte(option: str) -> None:
    other = ["-s", REFERENCE] if option == "-r" else ["-r", REFERENCE]
    asked = ["compare", *other, *PATHS[:2], "-m", "pef", "--resamples", "20", "--format", "json"]
    from_file = kilter(*asked, option, REFERENCE)
    assert from_file.code == 0
    assert kilter(*asked, option, "-", stdin=Path(REFERENCE).read_bytes()) == from_file


def test_a_system_from_standard_input_is_called_as_its_file_by_name() -> None:
    asked = ["compare", "-r", REFERENCE, "-m", "pef", "--resamples", "20", "--format", "json"]
    data = Path(PATHS[1]).read_bytes()
    from_file = kilter(*asked, *PATHS[:2])
    assert from_file.code == 0
    plain = kilter(*asked, PATHS[0], "-", stdin=data)
    assert [system["name"] for system in json.loads(plain.out)["systems"]] == ["local.en", "stdin"]
    names = ["--name", "local.en", "--name", "verb.en"]
    assert kilter(*asked, *names, PATHS[0], "-", stdin=data) == from_file


RATINGS = str(ROOT / "examples" / "ratings.tsv")


def test_ratings_are_compared_as_texts_are(capsys: Captured) -> None:
    asked = ["compare", "--scores", RATINGS, "--resamples", "700"]
    assert run([*asked, "--format", "json"]) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert (document["schema"], document["baseline"]) == ("kilter.compare/1", "local.en")
    assert document["metrics"]["ratings"]["signature"] == "ratings|external|raters:5"
    assert document["metrics"]["ratings"]["range"] == [None, None]
    assert len(document["comparisons"]) == 6
    assert captured.err == "kilter: ratings: 5 raters; a translation has the mean of 3 ratings\n"
    assert run([*asked, "--marks", "share", "-q"]) == 0
    captured = capsys.readouterr()
    assert "in at least 95% / 90% of paired" in captured.out
    assert captured.err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--scores", RATINGS, "-m", "pef"], "--scores holds all that is compared; leave --metric"),
        (["--scores", RATINGS, "-r", REFERENCE], "that is compared; leave --reference out"),
        (["--scores", RATINGS, *PATHS], "--scores holds all that is compared; leave SYSTEMS out"),
        (
            ["-r", REFERENCE, *PATHS, "--lower-is-better", "x"],
            "--lower-is-better goes with --scores",
        ),
        (PATHS, "name the reference with -r, or scores with --scores"),
        ([], "name the reference with -r, or scores with --scores"),
    ],
)
def test_texts_or_scores_are_compared_and_not_both(arguments: list[str], message: str) -> None:
    found = kilter("compare", *arguments)
    assert (found.code, found.out) == (2, "")
    assert message in found.err


def test_a_baseline_is_named_as_in_python(capsys: Captured) -> None:
    document = json.loads(ran(capsys, *PATHS, "--baseline", "phrase.en", "--format", "json"))
    assert document["baseline"] == "phrase.en"
    assert [each["first"] for each in document["comparisons"][:3]] == ["phrase.en"] * 3
    texts = {Path(path).name: Path(path).read_text("utf-8").splitlines() for path in PATHS}
    lines = Path(REFERENCE).read_text("utf-8").splitlines()
    found = compare(
        texts,
        lines,
        baseline="phrase.en",
        metrics=("pef", "bleu"),
        resampling=Resampling(resamples=700),
    )
    assert found.to_dict() == document


def test_a_baseline_that_is_none_of_the_systems_is_refused_before_anything_is_scored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scoring, "measure", lambda *_, **__: pytest.fail("was measured"))
    told = kilter("compare", "-r", REFERENCE, *PATHS, "--baseline", "other")
    assert told.code == 2
    assert told.err == (
        "kilter: the baseline is 'other'; it can be local.en, verb.en, phrase.en, lexical.en\n"
    )


def test_scores_have_a_baseline(tmp_path: Path) -> None:
    rows = [f"{system} {k} {k * 7 % 5 + (system == 'b')}" for system in "ab" for k in range(1, 41)]
    (tmp_path / "scores.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    told = kilter("compare", "--scores", str(tmp_path / "scores.tsv"), "--baseline", "b")
    assert told.code == 0
    assert told.out.startswith("a is worse than b in scores: ")


def _dashes(text: str, metric: str) -> tuple[bool, bool]:
    """Return whether the permutation test and d_z of a metric are dashes."""
    lines = text[text.index(f"{metric}: against") :].splitlines()
    *_, permuted, effect, _ = lines[2].split()
    return permuted == "-", effect == "-"


def test_what_has_no_permutation_test_or_no_effect_size_is_said_below(tmp_path: Path) -> None:
    ratings = tmp_path / "ratings.tsv"
    ratings.write_text(
        "system\tsegment\tscore\na\t1\t3\na\t2\t4\na\t3\t5\nb\t1\t3\nb\t2\t\nb\t3\t1\n",
        encoding="utf-8",
    )
    scores = kilter("compare", "--scores", str(ratings), "--details").out
    texts = kilter(*ASKED, "-m", "order", *PATHS[:2], "--details").out
    assert _dashes(texts, "pef") == (False, False)
    assert _dashes(texts, "order") == (False, True)
    assert _dashes(texts, "bleu") == (True, True)
    assert _dashes(scores, "ratings") == (True, True)
    for text in (" ".join(texts.split()), " ".join(scores.split())):
        assert (
            "d_z: mean difference of segments over its standard deviation, + better; - where "
            in text
        )
        assert "- where a score is not a mean over all segments." in text
        assert (
            "permutation test: - where a score is not a mean over segments, or given scores are missing."
            in text
        )


def test_saved_runs_are_compared_as_their_texts_are(tmp_path: Path) -> None:
    paths = [str(tmp_path / f"{k}.kilter.json.gz") for k in range(2)]
    for path, text in zip(paths, PATHS[:2], strict=True):
        assert kilter("score", "-r", REFERENCE, "-m", "pef", text, "--save", path).code == 0
    asked = ["-r", REFERENCE, "-m", "pef", *PATHS[:2]]
    for form in ("text", "json", "tsv"):
        assert kilter("compare", *paths, "--format", form) == kilter(
            "compare", *asked, "--format", form
        )
    assert kilter("compare", *paths, "--name", "x", "--name", "y").code == 0
    page = tmp_path / "report.html"
    assert kilter("report", *paths, "-o", str(page), "-q").code == 0
    assert kilter("report", *asked, "-o", str(tmp_path / "other.html"), "-q").code == 0
    assert page.read_bytes() == (tmp_path / "other.html").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", "{}", "{}", "-m", "bleu"], "leave --metric out"),
        (["compare", "{}", "{}", "-r", REFERENCE], "leave --reference out"),
        (["compare", "{}", VERB], "is a text beside saved results"),
        (["score", "-r", REFERENCE, "{}"], "is a saved result and no text"),
        (["check", "-r", REFERENCE, "{}", "--min", "order=0"], "is a saved result and no text"),
        (["compare", "{}"], "compare needs two systems"),
        (["report", "{}", "-o", "x.html", "--tokenize", "none"], "leave --tokenize out"),
        (["report", "-o", "x.html"], "name the texts of systems, or saved results"),
        (["report", VERB, "-o", "x.html"], "name the reference with -r"),
        (
            ["score", "-r", REFERENCE, VERB, "--save", "x.json"],
            "a file that ends with .kilter.json",
        ),
    ],
)
def test_what_goes_with_saved_runs_is_said(
    arguments: list[str], message: str, tmp_path: Path
) -> None:
    path = str(tmp_path / "run.kilter.json")
    assert kilter("score", "-r", REFERENCE, "-m", "pef", VERB, "--save", path).code == 0
    done = kilter(*[path if part == "{}" else part for part in arguments])
    assert done.code == 2
    assert message in done.err


def test_a_saved_result_of_another_kind_is_no_run(tmp_path: Path) -> None:
    path = tmp_path / "run.kilter.json"
    compare({"a": ["x"], "b": ["y"]}, ["x"], metrics="bleu").save(path)
    done = kilter("compare", str(path), str(path))
    assert (done.code, "twice" in done.err) == (3, True)
    done = kilter("report", str(path), "-o", "-")
    assert (done.code, "holds no scores but a Comparison" in done.err) == (3, True)
