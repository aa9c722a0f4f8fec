"""`kilter meta sensitivity`."""

import json
from pathlib import Path

import pytest

from kilter.cli.main import run
from tests.cli.command import kilter
from tests.cli.sample import written
from tests.docs.pages import ROOT

Captured = pytest.CaptureFixture[str]
PERTURBED = str(ROOT / "examples" / "perturbed.tsv")
LABELLED = str(ROOT / "examples" / "labelled.tsv")
DEMETR = ROOT.parent / "shared" / "data" / "demetr"
BARE = ["kendall:penalty=false", "ulam:penalty=false", "pef:penalty=false"]


def found(capsys: Captured, *arguments: str) -> dict[str, object]:
    asked = ["meta", "sensitivity", *arguments, "-q", "--resamples", "50", "--format", "json"]
    assert run(asked) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    document: dict[str, object] = json.loads(captured.out)
    return document


def test_order_metrics_notice_swaps_and_lexical_ones_do_not(capsys: Captured) -> None:
    document = found(capsys, PERTURBED, "-l", "en", "--lexical", "word")
    assert document["schema"] == "kilter.sensitivity/1"
    assert document["kinds"] == {
        "swap": {"items": 48, "lexical": False},
        "word": {"items": 48, "lexical": True},
    }
    metrics = document["metrics"]
    assert isinstance(metrics, dict)
    for name in BARE:
        kinds = metrics[name]["kinds"]
        assert kinds["swap"]["drop"]["value"] > 0
        assert kinds["swap"]["noticed"]["value"] > kinds["word"]["noticed"]["value"]
    for name in ("f1", "coverage"):
        kinds = metrics[name]["kinds"]
        assert kinds["swap"]["drop"]["value"] < kinds["word"]["drop"]["value"]
    for metric in metrics.values():
        for kind in metric["kinds"].values():
            assert kind["items"] == kind["lower"] + kind["equal"] + kind["higher"]


@pytest.mark.skipif(not DEMETR.is_dir(), reason=f"{DEMETR} is not there")
def test_on_demetr_order_metrics_notice_order_and_ignore_antonyms(capsys: Captured) -> None:
    names = ["minor_id14_word_swap", "critical_id20_shuffled", "critical_id7_antonym"]
    paths = [str(DEMETR / f"{name}.json.gz") for name in names]
    document = found(capsys, *paths, "-l", "en")
    metrics = document["metrics"]
    assert isinstance(metrics, dict)
    for name in BARE:
        swap, shuffled, antonym = (metrics[name]["kinds"][kind]["drop"] for kind in names)
        assert shuffled["low"] > 0.1
        assert swap["low"] > 0
        assert abs(antonym["value"]) < swap["value"]


def test_unchanged_pairs_are_left_out_and_counted(tmp_path: Path) -> None:
    rows = ["reference\toriginal\tperturbed", "a b c\ta b c\tb a c", "a b\ta b\ta b"]
    path = written(tmp_path, "p.tsv", "\n".join(rows) + "\n")
    ran = kilter("meta", "sensitivity", path, "-m", "kendall")
    assert ran.code == 0
    assert "1 pair left out: the perturbed text is the original" in ran.err
    assert "1 perturbed; 1 unchanged pair left out" in ran.out


@pytest.mark.parametrize("asked", [[], ["--tag", "order"]])
def test_labels_are_separated_better_than_by_length(asked: list[str], capsys: Captured) -> None:
    document = found(capsys, LABELLED, "--labels", *asked, "-m", "fuzzy:penalty=false")
    metrics = document["metrics"]
    assert isinstance(metrics, dict)
    assert list(metrics) == ["length", "fuzzy:penalty=false"]
    order, length = metrics["fuzzy:penalty=false"], metrics["length"]
    assert order["auc"]["value"] > 0.8 > length["auc"]["value"]
    assert order["matched_auc"]["value"] > 0.8
    assert order["matched_auc"]["pairs"] < order["auc"]["pairs"]
    assert order["auc"]["low"] <= order["auc"]["value"] <= order["auc"]["high"]


@pytest.mark.parametrize("form", ["text", "md", "latex", "tsv", "csv", "jsonl"])
@pytest.mark.parametrize("asked", [[PERTURBED], [LABELLED, "--labels"]])
def test_every_format_is_written(asked: list[str], form: str, capsys: Captured) -> None:
    arguments = ["meta", "sensitivity", *asked, "-m", "pef", "--resamples", "9", "--format", form]
    assert run(arguments) == 0
    assert "pef" in capsys.readouterr().out


def test_json_and_tables_hold_the_same_pairs(tmp_path: Path, capsys: Captured) -> None:
    lines = Path(PERTURBED).read_text(encoding="utf-8").splitlines()
    header = lines[0].split("\t")
    objects = [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:]]
    path = written(tmp_path, "p.json", json.dumps(objects))
    asked = ["-m", "kendall"]
    assert found(capsys, path, *asked) == found(capsys, PERTURBED, *asked)


BAD = [
    ("p.json", "{", 3, ":1: is not JSON"),
    ("p.json", "{}", 3, ": is not a list of objects"),
    ("p.json", "[1]", 3, ": object 1: is not an object"),
    ("p.json", '[{"kind": "a"}]', 3, ": object 1: has none of reference, eng_sent, ref"),
    ("p.json", '[{"kind": 1}]', 3, ": object 1: kind is 1; it must be a text"),
    ("p.json", "[]", 3, ": holds no pair"),
    ("p.tsv", "a\tb\n1\t2\n", 3, ":1: is not a table of changed translations"),
    ("p.en", "the cat and the dog\n", 3, ":1: is not a table of changed translations"),
    ("p.tsv", "reference\tb\n1\t2\n3\n", 3, ":1: has no column 'original'"),
    ("p.tsv", "reference\toriginal\tperturbed\na\ta\ta\n", 2, "no text differs from its original"),
]


@pytest.mark.parametrize(("name", "text", "code", "message"), BAD, ids=[row[3] for row in BAD])
def test_bad_pairs_are_refused(
    name: str, text: str, code: int, message: str, tmp_path: Path
) -> None:
    ran = kilter("meta", "sensitivity", written(tmp_path, name, text), "-m", "f1")
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err


LABELS = "reference\toutput\tlabel\na b\ta b\t{}\na b\tb a\t{}\n"
BAD_LABELS = [
    (LABELS.format(0, 0), ": 0 of 2 outputs are labelled as wrong; there must be both kinds"),
    (LABELS.format(0, 2), ":3: label is 2; it is 1 for an error of order, else 0"),
    ("the cat and the dog\na dog\n", ":1: is not a table of labelled outputs"),
    (LABELS.format(0, "x"), ":3: label is 'x'; it must be a whole number from 0"),
]


@pytest.mark.parametrize(("text", "message"), BAD_LABELS, ids=[row[1] for row in BAD_LABELS])
def test_bad_labels_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, "l.tsv", text)
    ran = kilter("meta", "sensitivity", "--labels", path, "-m", "f1")
    assert (ran.code, ran.out) == (3, "")
    assert f"{path}{message}" in ran.err


def test_a_file_given_twice_is_refused() -> None:
    ran = kilter("meta", "sensitivity", PERTURBED, PERTURBED, "-m", "f1")
    assert (ran.code, ran.out) == (3, "")
    assert f"{PERTURBED}: is given twice" in ran.err


def test_lengths_that_never_match_are_told(tmp_path: Path) -> None:
    path = written(tmp_path, "l.tsv", LABELS.format(0, 1).replace("b a", "b a c d e f"))
    ran = kilter("meta", "sensitivity", "--labels", path, "-m", "f1")
    assert ran.code == 0
    assert "no wrong output is as long as a right one, up to 1 word" in ran.err


def test_several_tags_and_patterns_mark_an_error(tmp_path: Path, capsys: Captured) -> None:
    tags = ["order:near", "order:far", "word", "order:near;word", "style", "O", ""]
    rows = [f"a b c d\ta c b d\t0\t{tag}" for tag in tags]
    path = written(
        tmp_path, "tags.tsv", "\n".join(["reference\toutput\tlabel\ttags", *rows]) + "\n"
    )
    for asked, wrong in (
        (["order:near"], 2),
        (["order:near", "order:far"], 3),
        (["order:*"], 3),
        (["o*"], 3),
        (["order:[nf]*", "word"], 4),
        (["?"], 1),
    ):
        given = [part for tag in asked for part in ("--tag", tag)]
        document = found(capsys, path, "--labels", *given, "-m", "kendall")
        assert document["wrong"] == wrong, asked


def test_few_outputs_of_a_kind_are_told(tmp_path: Path) -> None:
    for wrong, right, said in ((9, 30, "9 wrong outputs"), (30, 1, "1 right output")):
        rows = ["a b c\tb a c\t1"] * wrong + ["a b c\ta b c\t0"] * right
        path = written(tmp_path, "l.tsv", "\n".join(["reference\toutput\tlabel", *rows]) + "\n")
        ran = kilter("meta", "sensitivity", "--labels", path, "-m", "kendall")
        verb = "is" if right == 1 else "are"
        assert ran.err == f"kilter: {said} {verb} few: areas are rough below 10\n"
    rows = ["a b c\tb a c\t1"] * 10 + ["a b c\ta b c\t0"] * 10
    path = written(tmp_path, "l.tsv", "\n".join(["reference\toutput\tlabel", *rows]) + "\n")
    assert kilter("meta", "sensitivity", "--labels", path, "-m", "kendall").err == ""


def test_an_unknown_tag_is_told_from_those_there_are() -> None:
    ran = kilter("meta", "sensitivity", "--labels", LABELLED, "--tag", "moon", "-m", "f1")
    assert (ran.code, ran.out) == (3, "")
    assert "no output has the tag 'moon'; there are: " in ran.err


USAGE = [
    (
        [PERTURBED, "--lexical", "moon"],
        "there is no kind 'moon' to be lexical; there are: swap, word",
    ),
    ([PERTURBED, "--tag", "order"], "--tag goes with --labels"),
    ([PERTURBED, "--window", "3"], "--window goes with --labels"),
    ([LABELLED, "--labels", "--lexical", "word"], "--lexical goes with files of changes"),
    ([LABELLED, LABELLED, "--labels"], "--labels takes one file"),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE, ids=[row[1] for row in USAGE])
def test_wrong_use_is_exit_code_two(arguments: list[str], message: str) -> None:
    ran = kilter("meta", "sensitivity", *arguments, "-m", "f1")
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_options_of_meta_before_the_command_are_refused() -> None:
    found = kilter("meta", "--resamples", "5", "sensitivity", "nothing.tsv")
    assert found.code == 2
    assert "--resamples has no effect before sensitivity; write it behind" in found.err
