"""`kilter meta`."""

import csv
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from kilter.cli.main import run
from kilter.run.engine.local import ThreadEngine
from tests.cli.command import kilter
from tests.cli.judged_sample import RANKINGS, SYSTEMS, TEXTS
from tests.cli.sample import PATHS, REFERENCE, written

Captured = pytest.CaptureFixture[str]
ASKED = ["meta", *TEXTS, "--resamples", "50", "-q"]
METRICS = ["-m", "pef", "-m", "bleu"]


def ran(capsys: Captured, *arguments: str) -> str:
    assert run([*ASKED, *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def refused(*arguments: str) -> tuple[int, str]:
    found = kilter("meta", *arguments)
    assert found.out == ""
    assert all(line.startswith("kilter: ") for line in found.err.splitlines())  # a problem a line
    return found.code, found.err


def test_json_is_that_of_the_contract(capsys: Captured) -> None:
    document = json.loads(ran(capsys, *METRICS, "--format", "json"))
    assert document["schema"] == "kilter.meta/1"
    assert list(document["metrics"]) == ["pef", "coverage", "bleu"]
    pef = document["metrics"]["pef"]
    assert pef["control"] == "coverage"
    assert {"value", "low", "high", "concordant", "discordant", "ties"} <= set(pef["segment_tau"])
    assert {"value", "low", "high"} <= set(pef["consistency"])
    assert {"value", "low", "high", "systems"} <= set(pef["system_spearman"])
    assert set(pef["system_pearson"]) == set(pef["system_spearman"])
    tau = pef["segment_tau"]
    agree, differ = tau["concordant"], tau["discordant"]
    assert tau["value"] == pytest.approx((agree - differ) / (agree + differ))
    assert tau["low"] <= tau["value"] <= tau["high"]
    assert pef["system_spearman"]["systems"] == document["systems"] == 4
    counts = document["judgments"]
    decided = agree + differ + tau["ties"]
    assert counts["pairs"] == decided + counts["ties"]
    compared = [(row["measure"], row["first"], row["second"]) for row in document["comparisons"]]
    assert ("segment_tau", "pef", "coverage") in compared


def test_every_measure_can_be_asked_for(capsys: Captured) -> None:
    from kilter.results.meta_result import AgreementMeasure

    asked = [part for measure in AgreementMeasure for part in ("--measure", str(measure))]
    document = json.loads(ran(capsys, "-m", "f1", *asked, "--format", "json"))
    found = document["metrics"]["f1"]
    assert set(map(str, AgreementMeasure)) <= set(found)
    assert all(-1 <= found[measure]["value"] <= 100 for measure in AgreementMeasure)


@pytest.mark.parametrize("form", ["text", "md", "latex"])
def test_tables_show_metrics_beside_their_controls(form: str, capsys: Captured) -> None:
    lines = ran(capsys, *METRICS, "--format", form).splitlines()
    rows = [line for line in lines if "0." in line and ("pef" in line or "coverage" in line)]
    rows = [row for row in rows if "agrees best" not in row]
    assert "control coverage" in rows[1]
    assert ("\\pm" if form == "latex" else "±") in rows[0]


def test_tsv_csv_and_jsonl_hold_the_same_rows(capsys: Captured) -> None:
    tsv, comma, lines = (
        ran(capsys, *METRICS, "--format", form) for form in ("tsv", "csv", "jsonl")
    )
    rows = [json.loads(line) for line in lines.splitlines()]
    assert len(rows) == 3 * 4
    for text, delimiter in ((tsv, "\t"), (comma, ",")):
        table = list(csv.DictReader(io.StringIO(text), delimiter=delimiter))
        assert [row["metric"] for row in table] == [row["metric"] for row in rows]
        assert [float(row["value"]) for row in table] == [row["value"] for row in rows]


def test_the_number_of_threads_changes_no_byte(capsys: Captured) -> None:
    one, two = (ran(capsys, *METRICS, "--format", "json", "-j", jobs) for jobs in "12")
    assert one == two


def test_without_controls_only_what_was_asked_for_is_shown(capsys: Captured) -> None:
    document = json.loads(ran(capsys, *METRICS, "--no-controls", "--format", "json"))
    assert list(document["metrics"]) == ["pef", "bleu"]


def test_scores_from_a_file_agree_as_the_metric_that_made_them(
    tmp_path: Path, capsys: Captured
) -> None:
    scores = str(tmp_path / "mine.tsv")
    assert run(["score", "-r", REFERENCE, *PATHS, "-m", "kendall", "--segments", scores]) == 0
    capsys.readouterr()
    direct = json.loads(ran(capsys, "-m", "kendall", "--format", "json"))
    judged = ["meta", "--judgments", RANKINGS, "--resamples", "50", "-q", "--format", "json"]
    assert run([*judged, "--scores", scores]) == 0
    from_file = json.loads(capsys.readouterr().out)
    for measure in ("segment_tau", "consistency", "system_spearman"):
        found, expected = (doc["metrics"]["kendall"][measure] for doc in (from_file, direct))
        assert found["value"] == pytest.approx(expected["value"])
        assert found["low"] == pytest.approx(expected["low"])


def test_a_plain_score_file_is_called_as_asked(tmp_path: Path, capsys: Captured) -> None:
    names = [Path(path).name for path in PATHS]
    rows = [f"{name} {k} {k % 7 + j}" for j, name in enumerate(names) for k in range(1, 49)]
    path = written(tmp_path, "s.txt", "\n".join(rows) + "\n")
    judged = ["meta", "--judgments", RANKINGS, "-q", "--resamples", "9", "--format", "json"]
    assert run([*judged, "--scores", f"mine={path}"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["metrics"]["mine"]["system_pearson"]["value"] < -0.5


def test_metrics_are_tested_against_one_another_on_one_language_pair(capsys: Captured) -> None:
    asked = [*METRICS, "-m", "f1", "--no-controls", "--measure", "segment_tau"]
    document = json.loads(ran(capsys, *asked, "--format", "json"))
    found = {(row["first"], row["second"]): row for row in document["comparisons"]}
    lines = ran(capsys, *asked).splitlines()
    (start,) = [k for k, line in enumerate(lines) if line == "segment_tau: row minus column"]
    columns = lines[start + 1].split()
    assert columns == ["pef", "bleu", "f1"]
    rows = {line.split()[0]: line.split()[1:] for line in lines[start + 2 : start + 5]}
    assert rows["pef"][0] == "."
    below = found["pef", "f1"]
    difference, p = rows["f1"][:2]
    assert difference == f"{below['difference']:+.4f}"
    assert p == f"{below['p']:.4f}"[1:] + ("*" if below["significant"] else "")
    assert rows["pef"][3] == f"{-below['difference']:+.4f}"


def test_a_baseline_stands_against_every_metric_by_every_measure(capsys: Captured) -> None:
    measures = ["--measure", "segment_tau", "--measure", "system_pearson"]
    asked = [*METRICS, "-m", "f1", *measures, "--baseline", "bleu"]
    document = json.loads(ran(capsys, *asked, "--format", "json"))
    text = ran(capsys, *asked)
    assert "row minus column" not in text
    for measure in ("segment_tau", "system_pearson"):
        (row,) = [
            row
            for row in document["comparisons"]
            if row["measure"] == measure and (row["first"], row["second"]) == ("bleu", "f1")
        ]
        cells = rf"f1 +bleu +\{row['difference']:+.4f} .* {row['p']:.4f} +(yes|no)"
        assert re.search(rf"^metric +baseline +{measure}", text, re.MULTILINE)
        assert re.search(rf"^{cells}$", text, re.MULTILINE), cells


def test_a_p_value_of_nothing_is_written_as_below_the_least(capsys: Captured) -> None:
    asked = [*METRICS, "--baseline", "bleu", "--measure", "system_pearson", "--test", "t-test"]
    document = json.loads(ran(capsys, *asked, "--format", "json"))
    assert min(row["p"] for row in document["comparisons"]) < 1e-5
    text = ran(capsys, *asked)
    assert "< 0.0001" in text
    assert "0.0000" not in text.split("metric  baseline")[1].split("significant")[0]


def evaluation(folder: Path, *, extra: str = "") -> str:
    listed = ", ".join(f'"{path}"' for path in PATHS)
    text = 'metrics = ["kendall", "bleu", "f1"]\nmeasures = ["segment_tau"]\n'
    for name in ("first", "second"):
        text += (
            f'[pairs.{name}]\njudgments = "{RANKINGS}"\nreference = "{REFERENCE}"\n'
            f"systems = [{listed}]\n{extra}"
        )
    return written(folder, "evaluation.toml", text)


def test_an_evaluation_has_tables_over_language_pairs(tmp_path: Path, capsys: Captured) -> None:
    asked = [
        "meta",
        "--evaluation",
        evaluation(tmp_path),
        "--resamples",
        "50",
        "-q",
        "--baseline",
        "bleu",
    ]
    assert run([*asked, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document["pairs"]) == ["first", "second"]
    first, second = document["pairs"].values()
    assert first == second
    value = first["metrics"]["kendall"]["segment_tau"]["value"]
    assert document["averages"]["segment_tau"]["kendall"]["score"] == pytest.approx(value)
    cell = document["new_baseline_draw"]["segment_tau"]["kendall"]["bleu"]
    assert sum(map(int, cell.split("/"))) == 2
    picture = tmp_path / "scaled.svg"
    assert run([*asked, "--plot", str(picture)]) == 0
    out = capsys.readouterr().out
    assert "average rank" in out
    assert "segment_tau N/B/D" in out
    assert len(ET.fromstring(picture.read_text()).findall(".//{*}polyline")) == 3  # noqa: S314 - ours


def test_controls_stand_beside_metrics_and_take_no_rank(tmp_path: Path, capsys: Captured) -> None:
    asked = [
        "meta",
        "--evaluation",
        evaluation(tmp_path, extra='published = "wmt13-de-en"\n'),
        "-q",
    ]
    asked += ["--resamples", "50", "--baseline", "bleu", "-m", "full", "-m", "bleu"]
    assert run([*asked, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document["averages"]["segment_tau"]) == {"full", "bleu"}
    assert document["averages"]["segment_tau"]["full"]["rank"] == 1.0
    assert set(document["new_baseline_draw"]["segment_tau"]) == {"full"}
    assert run([*asked, "--format", "md", "--details"]) == 0
    lines = capsys.readouterr().out.splitlines()
    heading = next(line for line in lines if line.startswith("|"))
    assert heading.count("| printed |") == 2
    (row,) = (line for line in lines if "control full:order=coverage" in line)
    assert row.endswith("| - | - |")
    assert lines[lines.index(heading) + 2].count("| 0.2370 |") == 2
    assert [line.split(" | ")[1] for line in lines if line.startswith("| first ")] == ["control"]
    assert any("bleu|order:4|" in line for line in lines)


def test_ratings_are_shown_above_their_correlations(capsys: Captured) -> None:
    ratings = str(Path(RANKINGS).with_name("ratings.tsv"))
    asked = ["meta", "--ratings", ratings, *TEXTS[2:], *METRICS, "--resamples", "50", "-q"]
    assert run([*asked, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert run(["compare", "--scores", ratings, "--resamples", "50", "--format", "json"]) == 0
    assert document["ratings"] == json.loads(capsys.readouterr().out)
    measured = {"pearson", "spearman", "system_pearson", "system_spearman"}
    assert measured == {*document["metrics"]["pef"]} - {"signature", "control"}
    assert run(asked) == 0
    text = capsys.readouterr().out
    answer, first, second, third = text.split("\n\n")[:4]
    assert answer.startswith("pef agrees best with people: pearson 0.7862")
    assert first.startswith("ratings: means with 95% intervals, 50 resamples\nsystem ")
    for system in document["ratings"]["systems"]:
        score = system["scores"]["ratings"]
        cell = f"{score['score']:.4f} [{score['low']:.4f}, {score['high']:.4f}]"
        assert re.search(rf"^{re.escape(system['name'])} +{re.escape(cell)}$", first, re.MULTILINE)
    assert second.startswith("ratings: row against column\n")
    assert sorted(third.split()[1:5]) == sorted(measured)
    assert " ".join(text.split()).count("0: neither;") == 1


def test_ratings_stand_in_an_evaluation_file(tmp_path: Path, capsys: Captured) -> None:
    ratings = Path(RANKINGS).with_name("ratings.tsv")
    listed = ", ".join(f'"{path}"' for path in PATHS)
    pair = f'ratings = "{ratings}"\nreference = "{REFERENCE}"\nsystems = [{listed}]\n'
    text = f'metrics = ["f1"]\nmeasures = ["pearson"]\n[pairs.one]\n{pair}[pairs.two]\n{pair}'
    path = written(tmp_path, "evaluation.toml", text)
    assert run(["meta", "--evaluation", path, "--resamples", "50", "-q"]) == 0
    out = capsys.readouterr().out
    assert "one: ratings: means with 95% intervals" in out
    assert "two: ratings: row against column" in out
    both = written(tmp_path, "both.toml", f'[pairs.one]\njudgments = "x"\n{pair}')
    code, err = refused("--evaluation", both)
    assert (code, "judgments and ratings are given; keep one of them" in err) == (3, True)


FILE_OPTIONS = [
    ["--ratings", REFERENCE],
    ["-r", REFERENCE],
    ["--systems", REFERENCE],
    ["--source", REFERENCE],
    ["--lowercase"],
    ["--tokenize", "none"],
    ["--aligner", "match"],
    ["-l", "en"],
    ["--pair", "de-en"],
    ["--threshold", "0"],
    ["--judgment-name", "mqm"],
    ["--judgment-format", "auto"],
    ["--question", "order"],
    ["--scores", "x"],
    ["--lower-is-better", "x"],
    ["--published", "wmt13-de-en"],
]


@pytest.mark.parametrize("option", FILE_OPTIONS, ids=[option[0] for option in FILE_OPTIONS])
def test_an_evaluation_file_and_its_options_exclude_one_another(
    option: list[str], tmp_path: Path, capsys: Captured
) -> None:
    assert run(["meta", "--evaluation", evaluation(tmp_path), *option]) == 2
    said = {"-r": "--reference", "-l": "--language"}.get(option[0], option[0])
    assert f"the evaluation file says what {said} is for; leave it out" in capsys.readouterr().err


def made(folder: Path, name: str, *rows: str, header: str = "") -> str:
    """Return a file of rows whose fields stand between tabs."""
    lines = [row.replace(" ", "\t") for row in (*((header,) if header else ()), *rows)]
    return written(folder, name, "\n".join(lines) + "\n")


def of_file(capsys: Captured, *arguments: str) -> tuple[dict[str, dict[str, object]], str]:
    """Return the metrics of a document, and what was said."""
    assert run(["meta", *arguments, "--resamples", "100", "--format", "json"]) == 0
    captured = capsys.readouterr()
    metrics: dict[str, dict[str, object]] = json.loads(captured.out)["metrics"]
    return metrics, captured.err


def test_less_is_better_of_metrics_that_say_so(tmp_path: Path, capsys: Captured) -> None:
    scores = str(tmp_path / "t.tsv")
    asked = ["score", "-r", REFERENCE, *PATHS, "-m", "wer", "-m", "f1", "--segments", scores, "-q"]
    assert run(asked) == 0
    capsys.readouterr()
    direct = json.loads(ran(capsys, "-m", "wer", "--format", "json"))["metrics"]["wer"]
    found, _ = of_file(capsys, "--judgments", RANKINGS, "--scores", scores)
    for measure in ("segment_tau", "consistency"):
        assert found["mean(wer)"][measure]["value"] == pytest.approx(direct[measure]["value"])  # type: ignore[index]
    assert found["mean(wer)"]["signature"] == "mean(wer)|external|better:lower"
    turned, _ = of_file(
        capsys, "--judgments", RANKINGS, "--scores", scores, "--lower-is-better", "f1"
    )
    values = [metrics["f1"]["segment_tau"]["value"] for metrics in (found, turned)]  # type: ignore[index]
    assert values[0] == pytest.approx(-values[1])


PAIRS = ["1 A B", "1 A C", "2 B A", "2 B C", "3 B A", "4 A C", "4 B C", "3 C A"]


def test_missing_scores_are_counted_wherever_a_result_is_read(
    tmp_path: Path, capsys: Captured
) -> None:
    pairs = made(tmp_path, "ok.tsv", *PAIRS, header="seg better worse")
    part = made(tmp_path, "part.txt", "A 1 0.5", "B 1 0.2", "C 4 0.1", "D 1 0.5", "B 2 nan")
    asked = ["--judgments", pairs, "--scores", f"x={part}"]
    _, said = of_file(capsys, *asked)
    assert "x: 7 of 8 pairs left out: a score is missing" in said
    assert "x: systems lack scores of different segments, 3 to 3 of 4 judged ones" in said
    assert "1 system left out: without judgment" in said
    for form in ("text", "md", "latex"):
        assert run(["meta", *asked, "-q", "--format", form]) == 0
        out = capsys.readouterr().out
        assert "x: 7 pairs without a score left out" in out
        assert "3 systems (1 more without judgment) x 4 segments; judgments: 8 pairs" in out
    assert run(["meta", *asked, "-q", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["measure"]: row["unscored"] for row in rows}["segment_tau"] == "7"


def test_a_system_with_scores_that_nobody_judged_is_counted(
    tmp_path: Path, capsys: Captured
) -> None:
    names = [*(Path(path).name for path in PATHS), "other"]
    rows = [f"{name} {k} {k % 7 + j}" for j, name in enumerate(names) for k in range(1, 49)]
    path = made(tmp_path, "s.txt", *rows)
    assert run([*ASKED[:-1], "-m", "f1", "--scores", path]) == 0
    assert f"{path}: scores of 1 system left out: nobody judged it" in capsys.readouterr().err


def test_a_score_beyond_all_reason_is_refused_or_told(tmp_path: Path, capsys: Captured) -> None:
    pairs = made(tmp_path, "ok.tsv", *PAIRS, header="seg better worse")
    rows = [f"{name} {k} 0.{k}{j}" for j, name in enumerate("ABC") for k in range(1, 5)]
    path = made(tmp_path, "big.txt", *rows[:-1], "C 4 1e300")
    code, err = refused("--judgments", pairs, "--scores", path)
    assert code == 3
    assert f"{path}:12: score is '1e300'; it must lie between -1e+60 and 1e+60" in err
    path = made(tmp_path, "big.txt", *rows[:-1], "C 4 1e30")
    metrics, said = of_file(capsys, "--judgments", pairs, "--scores", path)
    assert "Warning" not in said
    assert "big: differences up to 3.6e+18 are ties, because one score is as large as 1e+30" in said
    assert isinstance(metrics["big"]["system_pearson"]["value"], float)  # type: ignore[index]
    scores = made(tmp_path, "da.tsv", "A 1 1e308", header="system seg score")
    code, err = refused("--judgments", scores, "--scores", path)
    assert (code, f"{scores}:2: score is '1e308'" in err) == (3, True)


def test_few_judged_segments_are_no_evidence_however_long_the_texts(
    tmp_path: Path, capsys: Captured
) -> None:
    path = made(tmp_path, "one.tsv", "1 verb.en local.en", header="seg better worse")
    metrics, said = of_file(capsys, "--judgments", path, *TEXTS[2:], "-m", "full")
    tau = metrics["full"]["segment_tau"]
    assert isinstance(tau, dict)
    assert (abs(tau["value"]), tau["low"], tau["high"]) == (1.0, None, None)
    assert "one judged segment is no evidence" in said


def test_resamples_without_a_value_are_counted(tmp_path: Path, capsys: Captured) -> None:
    rows = [f"{k} verb.en local.en" for k in (1, 2)]
    path = made(tmp_path, "two.tsv", *rows, header="seg better worse")
    _, said = of_file(capsys, "--judgments", path, *TEXTS[2:], "-m", "full")
    assert "segment_tau is undefined in up to " in said
    assert "of 100 resamples; they are left out of its intervals" in said
    assert "2 judged segments are few" in said


def test_few_resamples_are_told() -> None:
    found = kilter("meta", *TEXTS, "-m", "f1", "--resamples", "1")
    assert "one resample gives no interval: it takes 2 or more, and intervals" in found.err
    assert "±" not in found.out.split("\n\n")[0]
    some = kilter("meta", *TEXTS, "-m", "f1", "--resamples", "2")
    assert "2 resamples are few: intervals and tests are rough below 100" in some.err


def test_what_is_compared_over_segments_says_so(capsys: Captured) -> None:
    document = json.loads(ran(capsys, *METRICS, "--resample", "systems", "--format", "json"))
    drawn = {row["measure"]: row["resample"] for row in document["comparisons"]}
    assert drawn["segment_tau"] == drawn["consistency"] == "segments"
    assert drawn["system_spearman"] == "systems"
    out = " ".join(ran(capsys, *METRICS, "--resample", "systems").split())
    assert "over systems (differences between metrics on pairs: over segments)" in out


def test_cells_have_the_same_decimals_on_both_sides(tmp_path: Path, capsys: Captured) -> None:
    rows = [f"{k} {'verb.en local.en' if k % 9 else 'local.en verb.en'}" for k in range(1, 49)]
    path = made(tmp_path, "pairs.tsv", *rows, header="seg better worse")
    assert run(["meta", "--judgments", path, *TEXTS[2:], "-m", "f1", "-q"]) == 0
    (row,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("f1  "))
    assert re.search(r" \d+\.\d\d ±\d+\.\d\d ", row)


def test_nothing_printed_is_said() -> None:
    found = kilter("meta", *TEXTS, "-m", "f1", "--published", "lr-de-en", "--resamples", "100")
    assert "none of this is printed about lr-de-en; printed are consistency of bleu" in found.err


def test_one_of_a_thing_is_written_in_the_singular(tmp_path: Path, capsys: Captured) -> None:
    path = made(tmp_path, "one.tsv", "1 verb.en local.en", header="seg better worse")
    assert run(["meta", "--judgments", path, *TEXTS[2:], "-m", "f1", "-q"]) == 0
    assert "judgments: 1 pair;" in " ".join(capsys.readouterr().out.split())


def test_an_empty_table_lacks_what_a_table_holds(tmp_path: Path) -> None:
    empty = written(tmp_path, "empty.tsv", "")
    for arguments, held in (
        (["--judgments", empty, *TEXTS[2:]], "a header and rows"),
        (["--judgments", RANKINGS, "--scores", empty], "one score a line"),
    ):
        code, err = refused(*arguments)
        assert code == 3
        assert f"{empty}:1: the file is empty; it must hold {held}" in err


def test_a_plot_has_a_row_per_metric(tmp_path: Path, capsys: Captured) -> None:
    picture = tmp_path / "tau.svg"
    ran(capsys, *METRICS, "--plot", str(picture))
    assert len(ET.fromstring(picture.read_text()).findall(".//{*}circle")) == 3  # noqa: S314 - ours


def test_the_published_test_comes_with_its_warning() -> None:
    found = kilter(
        "meta", *TEXTS, "-m", "f1", "-m", "bleu", "--test", "t-test", "--resamples", "20"
    )
    assert found.code == 0
    assert "the t-test takes resamples for observations" in found.err


def test_what_is_left_out_is_said() -> None:
    fewer = [part for path in PATHS[:3] for part in ("--systems", path)]
    found = kilter(
        "meta", "--judgments", RANKINGS, "-r", REFERENCE, *fewer, "-m", "f1", "--unscored", "skip",
        "--resamples", "20",
    )  # fmt: skip
    assert found.code == 0
    assert "judgments left out because a system has no output" in found.err


def test_data_that_people_all_tied_is_undefined_and_says_so(tmp_path: Path) -> None:
    rows = [f"{k}\tlocal.en\tverb.en\t1" for k in range(1, 9)]
    path = written(tmp_path, "ties.tsv", "\n".join(["seg\tbetter\tworse\ttie", *rows]) + "\n")
    found = kilter(
        "meta", "--judgments", path, "-r", REFERENCE, *SYSTEMS, "-m", "f1", "--format", "json"
    )
    assert found.code == 0
    assert json.loads(found.out)["metrics"]["f1"]["segment_tau"]["value"] is None
    assert "segment_tau is undefined for f1" in found.err
    assert "NaN" not in found.out


def test_a_system_without_output_is_refused() -> None:
    code, err = refused("--judgments", RANKINGS, "-r", REFERENCE, *SYSTEMS[:4], "-m", "f1")
    assert code == 3
    assert f"{RANKINGS}:2: judges 'phrase.en', 'lexical.en', of which there is no output" in err
    assert "leave the judgments out with --unscored skip" in err


def test_an_output_that_nobody_judged_is_counted(capsys: Captured) -> None:
    extra = ["--systems", str(Path(REFERENCE).with_name("reference2.en"))]
    document = json.loads(ran(capsys, "-m", "f1", *extra, "--format", "json"))
    assert document["judgments"]["systems_without_judgment"] == 1
    assert document["systems"] == 4


BAD_ROWS = [
    (
        "seg\tbetter\tworse\n49\tlocal.en\tverb.en\n",
        ":2: judges segment 49, but there are 48 segments",
    ),
    ("seg\tbetter\tworse\nx\tlocal.en\tverb.en\n", ":2: seg is 'x'; it must be a whole number"),
    ("system\tsegment\tscore\nlocal.en\t1\tgood\n", ":2: score is 'good', which is not a number"),
    ("first line\n", ":1: is not a table of judgments"),
]


@pytest.mark.parametrize(("text", "message"), BAD_ROWS, ids=[message for _, message in BAD_ROWS])
def test_bad_judgments_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, "bad.tsv", text)
    code, err = refused("--judgments", path, "-r", REFERENCE, *SYSTEMS, "-m", "f1")
    assert code == 3
    assert f"{path}{message}" in err


def test_scores_given_twice_are_refused(tmp_path: Path) -> None:
    names = [Path(path).name for path in PATHS]
    rows = [f"{name} {k} 1" for name in names for k in range(1, 49)]
    path = written(tmp_path, "s.txt", "\n".join([*rows, rows[0]]) + "\n")
    code, err = refused("--judgments", RANKINGS, "--scores", path)
    assert code == 3
    assert f"{path}:193: scores segment 1 of local.en a second time" in err


def test_scores_of_too_few_systems_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "s.txt", "local.en 1 0.5\n")
    code, err = refused(*TEXTS, "-m", "f1", "--scores", path)
    assert code == 3
    assert f"{path}: has no score of 'verb.en', 'phrase.en', 'lexical.en'" in err


USAGE = [
    ([], "name the human judgments with --judgments FILE"),
    (["--judgments", RANKINGS], "metrics over text need a reference and systems"),
    ([*TEXTS, "-m", "nothing"], "there is no metric 'nothing'"),
    ([*TEXTS, "-m", "f1", "--published", "moon"], "nothing is printed about 'moon'"),
    ([*TEXTS, "-m", "f1", "--baseline", "bleu"], "the baseline 'bleu' is none of the metrics: f1"),
    ([*TEXTS, "-m", "f1", "--plot", "tau.gif"], "pictures are written as .svg, .png or .pdf"),
    (
        [*TEXTS, "--evaluation", "x.toml"],
        "the evaluation file says what --judgments is for; leave it out",
    ),
    (["--judgments", RANKINGS, "--scores", "a.x", "--scores", "b/a.y"], "are called 'a'"),
    (
        [*TEXTS, "-m", "f1", "--tau", "wmt12", "--measure", "pearson"],
        "no measure asked for (pearson) looks at them; leave it out, or add --measure segment_tau",
    ),
    (
        [*TEXTS, "-m", "f1", "--human-ties", "count", "--measure", "segment_tau"],
        "--human-ties is about win ratios of systems, and no measure asked for (segment_tau) looks",
    ),
    (
        [*TEXTS, "-m", "f1", "--threshold", "1", "--measure", "pearson"],
        "--threshold makes ties of human scores in pairs, and no measure asked for (pearson) looks",
    ),
    (
        [*TEXTS, "-m", "f1", "--threshold", "5"],
        f"the threshold 5 makes ties of human scores, but {RANKINGS} says of pairs which are ties",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE, ids=[message for _, message in USAGE])
def test_wrong_use_is_exit_code_two(arguments: list[str], message: str) -> None:
    code, err = refused(*arguments)
    assert (code, message in err) == (2, True), err


BAD_FILES = [
    ("[pairs.a]\n", "[pairs.a]: names no judgments"),
    ("", "the file is empty; it needs a table [pairs.NAME] for each language pair"),
    ("metrics = 3\n[pairs.a]\njudgments = 'x'\n", "metrics is 3; it must be a text, or a list"),
    ("metrics = []\n[pairs.a]\njudgments = 'x'\n", "metrics is []; it must be a text, or a list"),
    ("trees = 3\n[pairs.a]\njudgments = 'x'\n", "trees is unknown; there are metrics, measures"),
    ("rule = 3\n[pairs.a]\njudgments = 'x'\n", "rule is 3; it must be a text"),
    ("metric = 'f1'\n[pairs.a]\njudgments = 'x'\n", "metric is unknown; did you mean metrics?"),
    ("[pairs.a]\njudgments = 'x'\nsystem = 1\n", "[pairs.a]: system is unknown; did you mean s"),
    ("[pairs.a]\njudgments = 1\n", "[pairs.a]: judgments is 1; it must be a text"),
    ("[pairs.a]\njudgments = ' '\n", "[pairs.a]: judgments is empty; write something"),
    ("[pairs.a]\njudgments = 'x'\nsystems = [1]\n", "systems is [1]; it must be a text, or a list"),
    ("[pairs.a]\njudgments = 'x'\naligner = 3\n", "[pairs.a]: aligner is 3; it must be a text"),
    ("[pairs.a]\njudgments = 'x'\nthreshold = 'y'\n", "threshold is 'y'; it must be a number"),
    ("[pairs.a]\njudgments = 'x'\nthreshold = true\n", "threshold is True; it must be a number"),
    ("[pairs.a]\njudgments = 'x'\nthreshold = -1\n", "threshold is -1; it must be at least 0"),
    (
        "[pairs.a]\njudgments = 'x'\nlowercase = 'yes'\n",
        "lowercase is 'yes'; it must be true or false",
    ),
    (
        "[pairs.a]\njudgments = 'x'\njudgment_format = 'pdf'\n",
        "[pairs.a]: judgment_format is 'pdf'; it can be auto, ",
    ),
    (
        "[pairs.a]\njudgments = 'x'\nreference = 'y'\nreferences = ['z']\n",
        "[pairs.a]: reference and references are given; keep one of them",
    ),
    ("[pairs.a]\njudgments = 'x'\nscores = 'y'\n", "write scores = {METRIC = FILE, ...}"),
    ("[pairs.a]\njudgments = 'x'\nscores = {f1 = 2}\n", "[pairs.a]: [scores]: f1 is 2; it must be"),
    (
        "measures = ['tau']\n[pairs.a]\njudgments = 'x'\n",
        "measures is 'tau'; it can be segment_tau, consistency",
    ),
    (
        "[pairs.a]\njudgments = 'x'\nquestion = 3\n",
        "[pairs.a]: question is 3; it must be a text",
    ),
    ("metrics = 'f1'\n", "has no table [pairs.NAME]"),
    ("pairs = 1\n", "pairs is 1; it must be a table"),
    ("pairs.a = 1\n", "pairs.a is 1; write a table [pairs.a]"),
    ("[pairs\n", "is no TOML: "),
]


@pytest.mark.parametrize(("text", "message"), BAD_FILES, ids=[m for _, m in BAD_FILES])
def test_a_bad_evaluation_file_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, "evaluation.toml", text)
    code, err = refused("--evaluation", path)
    assert code == 3
    assert err.startswith(f"kilter: {path}")
    assert message in err


SCORED = [
    "--scores",
    "m.txt",
    "--judgments",
    "scores.tsv",
    "--measure",
    "system_pearson",
    "--measure",
    "accuracy",
]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--repeated=first", "pairs are to count the first time only, but "),
        ("--min-agreement=1", "pairs are to be those on which people agree, but "),
        (
            "--human-ties=count",
            "human ties are to count in win ratios, but ",
        ),
    ],
)
def test_what_is_said_of_pairs_is_refused_where_people_gave_scores(
    option: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{name}\t{k}\t{k * place % 7}" for place, name in enumerate("ABC", 2) for k in range(1, 9)
    ]
    written(tmp_path, "m.txt", "\n".join(rows) + "\n")
    written(tmp_path, "scores.tsv", "\n".join(["system\tsegment\tscore", *rows]) + "\n")
    written(tmp_path, "pairs.tsv", "seg\tbetter\tworse\n1\tA\tB\n1\tA\tB\n2\tB\tC\n3\tC\tA\n")
    code, err = refused(*SCORED, option)
    assert (code, f"{message}scores.tsv holds scores" in err) == (2, True), err
    tables = [
        f'[pairs.{name}]\njudgments = "{name}.tsv"\nscores = {{m = "m.txt"}}\n'
        for name in ("scores", "pairs")
    ]
    evaluation = ["--evaluation", written(tmp_path, "both.toml", "".join(tables)), option]
    assert kilter("meta", *evaluation, "--resamples", "20").code == 0
    evaluation[1] = written(tmp_path, "one.toml", tables[0])
    code, err = refused(*evaluation)
    assert (code, message in err) == (2, True), err
    alike = tables[0].replace("pairs.scores", "pairs.again")
    evaluation[1] = written(tmp_path, "two.toml", tables[0] + alike)
    code, err = refused(*evaluation)
    assert (code, message in err) == (2, True), err


def test_a_rule_for_ties_is_named_where_a_measure_has_one(capsys: Captured) -> None:
    assert "; ties wmt13" in ran(capsys, "-m", "f1")
    assert "; ties" not in ran(capsys, "-m", "f1", "--measure", "pearson")


def test_workers_score_systems_and_change_no_byte(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[int] = []

    def threads(workers: int) -> ThreadEngine:  # as many processes would take a second to start
        used.append(workers)
        return ThreadEngine(workers)

    monkeypatch.setattr("kilter.run.engine.local.ProcessEngine", threads)
    asked = [*METRICS, "-m", "kilter", "--format", "json"]
    assert ran(capsys, *asked, "--workers", "3") == ran(capsys, *asked)
    assert used == [3]


@pytest.mark.parametrize("option", ["--judgments", "--ratings", "--evaluation", "--scores"])
def test_a_plot_replaces_no_input(option: str, tmp_path: Path) -> None:
    given = tmp_path / "given.svg"
    given.write_text("nobody reads this\n", encoding="utf-8")
    done = kilter("meta", option, str(given), "--plot", str(given))
    assert (done.code, "would replace an input" in done.err) == (2, True)
    assert given.read_text(encoding="utf-8") == "nobody reads this\n"


def test_a_plot_replaces_no_system_and_nothing_that_an_evaluation_names(tmp_path: Path) -> None:
    for name in ("pairs.svg", "sys.svg"):
        (tmp_path / name).write_text("nobody reads this\n", encoding="utf-8")
    said = tmp_path / "evaluation.toml"
    said.write_text(
        '[pairs.one]\njudgments = "pairs.svg"\nreference = "absent"\nsystems = "."\n',
        encoding="utf-8",
    )
    for asked in (
        ["--evaluation", str(said), "--plot", str(tmp_path / "pairs.svg")],
        ["--evaluation", str(said), "--plot", str(tmp_path / "sys.svg")],
        ["--judgments", "j", "--systems", str(tmp_path), "--plot", str(tmp_path / "sys.svg")],
    ):
        done = kilter("meta", *asked)
        assert (done.code, f"--plot {asked[-1]} would replace an input" in done.err) == (2, True), (
            asked
        )
        assert Path(asked[-1]).read_text(encoding="utf-8") == "nobody reads this\n"
