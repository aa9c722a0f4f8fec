"""Scores of permutations, in every format."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from kilter import Permutation
from kilter.cli.main import run
from tests.cli.permutation.orders import KEYS, MIXED, Captured, rows_of, text_of
from tests.golden import cases
from tests.oracles import permutation as oracle
from tests.tolerance import close

VECTORS = [tuple(case["pi"]) for case in cases("permutations_1_to_5")]


def test_jsonl_holds_every_score_of_the_vectors(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text(text_of(VECTORS), encoding="utf-8")
    assert run(["permutation", str(path), "--format", "jsonl"]) == 0
    rows = rows_of(capsys.readouterr().out)
    assert all(list(row) == KEYS for row in rows)
    names = {"kendall-sqrt": "kendall_sqrt", "pet-size": "PET_size", "pet-count": "PETs_count",
             "max-op": "MAX_op", "pef": "pef_06_0", "pet": "pet_left_06_0",
             "max-operator": "max_op"}  # fmt: skip
    for row, case in zip(rows, cases("permutations_1_to_5"), strict=True):
        assert row["permutation"] == case["pi"]
        assert row["n"] == len(case["pi"])
        assert row["trees"] == str(case["pets"])
        assert row["primal"] is case["primal"]
        for name in [*KEYS[2:15], "chunks"]:
            assert row[name] == close(case[names.get(name, name)], absolute=1e-15), (name, row)


def test_the_text_table_is_for_people(orders: Path, capsys: Captured) -> None:
    assert run(["permutation", str(orders)]) == 0
    captured = capsys.readouterr()
    table, legend = captured.out.split("\n\n")
    header, *rows = [line.split() for line in table.splitlines()]
    assert header[:3] == ["line", "n", "kendall"]
    assert legend.startswith("higher is better, 1 for 1 2 3 ...; pet-size, pet-count, max-op: ")
    assert [row[:2] for row in rows] == [["1", "3"], ["2", "6"], ["3", "3"]]
    assert rows[1][header.index("pef")] == "0.4000"
    assert captured.err == ""


def test_every_format_holds_the_same_scores(orders: Path, capsys: Captured) -> None:
    out: dict[str, str] = {}
    for form in ("json", "jsonl", "tsv", "md", "latex", "text"):
        assert run(["permutation", str(orders), "--format", form]) == 0
        out[form] = capsys.readouterr().out
    document, rows = json.loads(out["json"]), rows_of(out["jsonl"])
    assert document["schema"] == "kilter.permutation/1"
    assert document["rows"] == rows
    assert document["metrics"]["pef"]["signature"].startswith("pef|beta:0.6|gamma:0.0|")
    table = list(csv.DictReader(out["tsv"].splitlines(), delimiter="\t"))
    assert [float(row["pef"]) for row in table] == [row["pef"] for row in rows]
    assert [row["permutation"] for row in table] == ["1 2 3", "2 4 5 6 1 3", "3 2 1"]
    assert [row["primal"] for row in table] == ["false"] * 3
    assert out["md"].count("\n") == 5
    assert out["md"].splitlines()[3].split(" | ")[-2] == "0.4000"
    assert out["latex"].startswith("\\begin{tabular}")
    assert "0.4000" in out["text"]


def test_options_reach_the_scores(orders: Path, capsys: Captured) -> None:
    arguments = ["--beta", "0.3", "--gamma", "0.5", "--branching", "right", "--format", "json"]
    assert run(["permutation", str(orders), *arguments]) == 0
    document = json.loads(capsys.readouterr().out)
    options: dict[str, Any] = {"beta": 0.3, "gamma": 0.5}
    assert document["metrics"]["pet"]["signature"].startswith(
        "pet|beta:0.3|gamma:0.5|branching:right"
    )
    for row in document["rows"]:
        assert row["pef"] == close(oracle.pef(row["permutation"], **options))
        assert row["pet"] == close(oracle.pet(row["permutation"], **options, branching="right"))


def test_metrics_may_be_chosen_with_their_options(orders: Path, capsys: Captured) -> None:
    chosen = ["-m", "pef:variant=beer", "-m", "kendall", "-m", "fuzzy:joints=all", "-m", "kendall"]
    assert run(["permutation", str(orders), *chosen, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    row = document["rows"][1]
    assert list(row) == ["permutation", "n", "pef:variant=beer", "kendall", "fuzzy:joints=all"]
    assert row["pef:variant=beer"] == close(oracle.pef_beer(row["permutation"]))
    assert row["fuzzy:joints=all"] == close(oracle.fuzzy(row["permutation"], joints="all"))
    assert document["metrics"]["kendall"]["signature"].startswith("kendall|root:no|")


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "tsv", "md", "latex"])
def test_marked_lines_keep_every_format_whole(tmp_path: Path, capsys: Captured, form: str) -> None:
    path = tmp_path / "mixed.txt"
    path.write_text(MIXED, encoding="utf-8")
    assert run(["permutation", str(path), "--on-error", "mark", "--format", form]) == 0
    out = capsys.readouterr().out
    assert "'x' in column 1" in out
    expected = {"text": 9, "json": 7, "jsonl": 5, "tsv": 6, "md": 7, "latex": 11}
    assert out.count("\n") == expected[form]


def test_pairs_are_compared(tmp_path: Path, capsys: Captured) -> None:
    rows = cases("permutation_pairs")
    path = tmp_path / "pairs.txt"
    path.write_text("".join(f"{row['pi']} ||| {row['sigma']}\n" for row in rows), encoding="utf-8")
    assert run(["permutation", str(path), "--pairs", "--format", "jsonl"]) == 0
    found = rows_of(capsys.readouterr().out)
    assert [row["kendall"] for row in found] == close([row["kendall"] for row in rows])
    assert [row["hamming"] for row in found] == close([row["hamming"] for row in rows])
    assert all(list(row) == ["n", "kendall", "hamming", "spearman", "footrule"] for row in found)


def test_any_metric_of_permutations_compares_pairs(tmp_path: Path, capsys: Captured) -> None:
    rows = cases("permutation_pairs")
    path = tmp_path / "pairs.txt"
    path.write_text("".join(f"{row['pi']} ||| {row['sigma']}\n" for row in rows), encoding="utf-8")
    asked = ["permutation", str(path), "--pairs", "-m", "kendall", "-m", "hamming", "-m", "pef"]
    assert run([*asked, "--format", "jsonl"]) == 0
    found = rows_of(capsys.readouterr().out)
    assert [row["kendall"] for row in found] == close([row["kendall"] for row in rows])
    assert [row["hamming"] for row in found] == close([row["hamming"] for row in rows])
    for row, case in zip(found, rows, strict=True):
        first, second = case["pi"], case["sigma"]
        listed = sorted(range(len(first)), key=lambda word: first[word])
        relative = Permutation.from_one_based([second[word] for word in listed])
        assert row["pef"] == relative.pef()


def test_a_bad_pair_is_named(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text("1 2 ||| 2 1\n1 2\n", encoding="utf-8")
    assert run(["permutation", str(path), "--pairs"]) == 3
    assert f"{path}:2: only one permutation" in capsys.readouterr().err


@pytest.mark.parametrize("specification", ["kendall", "pef:penalty=true"])
def test_the_signature_says_that_permutations_know_no_brevity_penalty(
    specification: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "orders"
    path.write_text("2 1 3\n", encoding="utf-8")
    assert run(["permutation", str(path), "-m", specification, "--format", "json"]) == 0
    (described,) = json.loads(capsys.readouterr().out)["metrics"].values()
    assert "|penalty:no|" in described["signature"]


def test_complexities_are_added_on_request(tmp_path: Path, capsys: Captured) -> None:
    orders = [(), (1,), (2, 4, 1, 3), (2, 4, 5, 6, 1, 3), (1, 2, 3, 4, 5)]
    path = tmp_path / "orders"
    path.write_text("".join(f"[{' '.join(map(str, pi))}]\n" for pi in orders), encoding="utf-8")
    assert run(["permutation", str(path), "--complexity", "--format", "jsonl"]) == 0
    rows = rows_of(capsys.readouterr().out)
    assert [row["arity"] for row in rows] == [0, 1, 4, 4, 2]
    assert [row["average-operator"] for row in rows] == close([0, 0, 4, 8 / 3, 2])
    expected = [len(oracle.weak_factorizations(pi)) if pi else 1 for pi in orders]
    assert [int(row["factorizations"]) for row in rows] == expected
    assert run(["permutation", str(path), "--complexity"]) == 0
    assert "arity average-operator factorizations" in capsys.readouterr().out
    assert run(["permutation", str(path), "--format", "jsonl"]) == 0
    assert "arity" not in rows_of(capsys.readouterr().out)[0]
