"""`kilter explain`: forms, choices of segments, and what is refused."""

import json
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from kilter.cli.main import run
from kilter.core.dependency_tree import DependencyTree
from kilter.run.scoring.settings import DEFAULT_METRICS
from tests.cli.command import kilter
from tests.cli.sample import PATHS, REFERENCE, REFERENCE_2, VERB, written
from tests.golden.test_tree_examples import (
    BECOMES,
    BECOMING,
    CELLIST,
    CELLIST_LINKS,
    MS,
    SHERLOCK_LINKS,
)

MAT = ("the mat sat on a cat", "a cat sat on the mat")


def explained(*arguments: str) -> dict[str, Any]:
    done = kilter("explain", *arguments, "--format", "json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def tree_file(folder: Path, name: str, tree: DependencyTree) -> str:
    rows = [
        f"{place}\t{word}\t_\t_\t_\t_\t{head + 1}\t{label}\t_\t_\n"
        for place, (word, head, label) in enumerate(
            zip(tree.words, tree.heads, tree.labels, strict=True), start=1
        )
    ]
    return written(folder, f"{name}.conllu", "".join(rows) + "\n")


def pair_of_trees(
    folder: Path, hypothesis: DependencyTree, reference: DependencyTree, links: Any
) -> list[str]:
    """Return arguments that give two sentences with their trees and links."""
    first, second = (
        tree_file(folder, name, tree)
        for name, tree in (("hypothesis", hypothesis), ("reference", reference))
    )
    pharaoh = written(folder, "links", " ".join(f"{a}-{b}" for a, b in links) + "\n")
    sentences = [" ".join(hypothesis.words), " ".join(reference.words)]
    return [*sentences, "--trees", first, "--trees-reference", second, "-a", pharaoh]


def test_two_sentences_are_explained_by_themselves() -> None:
    found = explained(*MAT, "-m", "kendall")
    assert found["schema"] == "kilter.explain/1"
    assert found["hypothesis"] == MAT[0].split()
    assert found["permutation"] == [5, 6, 3, 4, 1, 2]
    assert {"system", "segment"}.isdisjoint(found)
    assert found["metrics"]["kendall"]["score"] == 0.2


@pytest.mark.parametrize(
    ("order", "metric", "score"),
    [
        ("bdefac", "kendall", 8 / 15),
        ("bdefac", "spearman", 16 / 35),
        ("bdefac", "hamming", 0),
        ("bdefac", "ulam", 3 / 5),
        ("bdefac", "fuzzy", 2 / 5),
        ("bdefac", "pet-size", 1 / 2),
        ("bdefac", "pet-count", 1 / 41),
        ("bdefac", "max-op", 1 / 2),
        ("bdefac", "pef", 2 / 5),
        ("bdefac", "pet", 2 / 5),
        ("efghdabc", "kendall", 9 / 28),
        ("efghdabc", "fuzzy", 5 / 7),
        ("efghdabc", "pef", 7 / 25),
    ],
)
def test_the_worked_permutations_have_their_printed_scores(
    order: str, metric: str, score: float
) -> None:
    found = explained(" ".join(order), " ".join(sorted(order)), "-m", metric)["metrics"][metric]
    assert found["score"] == pytest.approx(score)
    assert found["working"][-1]["value"] == found["score"]


def test_the_edits_of_the_cellist_are_those_of_the_thesis(tmp_path: Path) -> None:
    asked = pair_of_trees(tmp_path, CELLIST, MS, CELLIST_LINKS)
    found = explained(*asked, "-m", "dted", "-m", "dted:variant=cl")["metrics"]
    edits = [
        (row["edit"], row["hypothesis"], row["reference"], row["cost"])
        for row in found["dted"]["edits"]
    ]
    # [TH] table 4.1: The/Ms at cost 1, four linked pairs at none, the rest deleted or inserted.
    assert sorted(edits, key=str) == sorted(
        [
            ("rename", 0, 0, 1),
            ("delete", 1, None, 1),
            ("delete", 2, None, 1),
            ("match", 3, 1, 0),
            ("match", 4, 2, 0),
            ("match", 5, 4, 0),
            ("match", 6, 8, 0),
            *(("insert", None, word, 1) for word in (3, 5, 6, 7)),
        ],
        key=str,
    )
    steps = {step["name"]: step["value"] for step in found["dted:variant=cl"]["working"]}
    assert (steps["dist_a"], steps["dist_na"], steps["prop"]) == (2, 5, 0.625)
    assert steps["log"] == pytest.approx(0.2371, abs=5e-5)
    assert steps["score"] == pytest.approx(0.6498, abs=5e-5)
    text = kilter("explain", *asked, "-m", "dted").out
    assert "rename  The" in text
    assert "distance 7" in text


def test_all_fifteen_paths_of_sherlock_are_those_of_the_thesis(tmp_path: Path) -> None:
    asked = pair_of_trees(tmp_path, BECOMES, BECOMING, SHERLOCK_LINKS)
    found = explained(*asked, "-m", "derp")["metrics"]["derp"]
    words = BECOMING.words
    costs = {
        frozenset(words[place] for place in path["reference"]): (path["L"], path["L_max"])
        for path in found["paths"]
    }
    # [TH] table 5.1, with its misprint M23 put right.
    table = {
        "becoming is": (0, 0), "becoming Sherlock": (3, 3), "becoming detective": (2, 2),
        "becoming a": (3, 4), "becoming the": (2, 3), "is Sherlock": (4, 4), "is detective": (3, 3),
        "is a": (4, 5), "is the": (3, 4), "Sherlock detective": (4, 4), "Sherlock a": (0, 2),
        "Sherlock the": (4, 5), "detective a": (4, 5), "detective the": (0, 2), "a the": (4, 6),
    }  # fmt: skip
    assert costs == {frozenset(pair.split()): numbers for pair, numbers in table.items()}
    assert found["score"] == pytest.approx(4 / 9)
    text = kilter("explain", *asked, "-m", "derp").out
    assert text.count("  yes\n") == 5
    assert text.count("  no\n") == 10
    assert "there is no order of the words" in text  # becomes has two partners


def test_segments_of_files_are_a_line_each() -> None:
    done = kilter(
        "explain", "-r", REFERENCE, *PATHS[:2], "--segment", "2", "--segment", "1", "-m", "kendall",
        "--format", "json",
    )  # fmt: skip
    found = [json.loads(line) for line in done.out.splitlines()]
    assert [(each["system"], each["segment"]) for each in found] == [
        ("local.en", 2), ("verb.en", 2), ("local.en", 1), ("verb.en", 1),
    ]  # fmt: skip


def test_the_worst_segments_are_those_with_the_lowest_scores_of_score(tmp_path: Path) -> None:
    path = str(tmp_path / "scores.tsv")
    assert kilter("score", "-r", REFERENCE, VERB, "-m", "pef", "--segments", path, "-q").code == 0
    rows = [line.split("\t") for line in Path(path).read_text(encoding="utf-8").splitlines()[1:]]
    lowest = sorted(rows, key=lambda row: (float(row[3]), int(row[1])))[:4]
    done = kilter("explain", "-r", REFERENCE, VERB, "--worst", "4", "-m", "pef", "--format", "json")
    found = [json.loads(line) for line in done.out.splitlines()]
    assert [(str(each["segment"]), each["metrics"]["pef"]["score"]) for each in found] == [
        (row[1], float(row[3])) for row in lowest
    ]


def test_the_metric_that_chooses_the_worst_where_none_is_named_is_the_one_that_help_names() -> None:
    told = " ".join(kilter("explain", "--help").out.split())
    assert f"worst by the first metric (default: {DEFAULT_METRICS[0]})" in told
    arguments = ["explain", "-r", REFERENCE, VERB, "--worst", "3", "--format", "json"]
    unnamed, named = (
        [json.loads(line)["segment"] for line in kilter(*arguments, *more).out.splitlines()]
        for more in ([], ["-m", DEFAULT_METRICS[0]])
    )
    assert len(unnamed) == 3
    assert unnamed == named


def test_of_error_rates_the_highest_are_the_worst() -> None:
    done = kilter("explain", "-r", REFERENCE, VERB, "--worst", "2", "-m", "wer", "--format", "json")
    worst = [json.loads(line)["metrics"]["wer"]["score"] for line in done.out.splitlines()]
    everything = kilter(
        "explain", "-r", REFERENCE, VERB, "--worst", "48", "-m", "wer", "--format", "json"
    )
    scores = [json.loads(line)["metrics"]["wer"]["score"] for line in everything.out.splitlines()]
    assert worst == sorted(scores, reverse=True)[:2]


def test_the_reference_that_counts_is_named() -> None:
    done = kilter(
        "explain", "-r", REFERENCE, "-r", REFERENCE_2, VERB, "--segment", "1", "-m", "kendall",
        "-m", "bleu", "--format", "json",
    )  # fmt: skip
    found = json.loads(done.out)
    assert found["reference_name"] == found["metrics"]["kendall"]["reference"]
    assert found["metrics"]["bleu"]["reference"] is None  # it counts matches with all of them


def test_words_without_a_link_stand_apart() -> None:
    found = explained("a b x c", "c a b y", "-m", "kendall")
    assert found["unlinked"] == {"hypothesis": [2], "reference": [3]}
    lines = kilter("explain", "a b x c", "c a b y", "-m", "kendall", "--all").out.splitlines()
    assert lines[:3] == [
        "hypothesis  a  b  x  c",
        "position    2  3  -  1",
        "                  ·  ^",
    ]


def test_columns_are_right_for_wide_and_combining_characters() -> None:
    found = kilter(
        "explain",
        "猫 e\u0301te\u0301 x",
        "e\u0301te\u0301 猫 x",
        "--tokenize",
        "none",
        "-m",
        "kendall",
    )
    assert found.out.splitlines()[:2] == [
        "hypothesis  猫  e\u0301te\u0301  x",
        "position    2   1    3",
    ]


def test_all_permutation_trees_are_shown_on_request() -> None:
    asked = ("explain", "c b a", "a b c", "-m", "kendall", "--permutation-trees")
    assert "tree 2" in kilter(*asked, "all").out
    assert "tree 3" not in kilter(*asked, "all").out
    assert "tree 3" in kilter(*asked, "weak").out


@pytest.mark.parametrize(
    ("arguments", "code", "fault"),
    [
        (["one sentence"], 2, "give a hypothesis and a reference, each in quotes, or files with -r"),
        (["a", "b", "c"], 2, "3 arguments and no reference"),
        (["", "a b"], 3, "hypothesis: has no words; give a sentence of one word or more"),
        (["a b", " "], 3, "reference: has no words"),
        ([VERB, REFERENCE], 2, "are files, and would be read as sentences; name the reference"),
        (["a b", "b a", "--picture", "paths"], 2, "--picture goes with --format svg"),
        (["a b", "b a", "--max-trees", "3"], 2, "--max-trees goes with --permutation-trees all or weak"),
        (["a b", "b a", "--count", "3"], 2, "--count goes with --largest-difference"),
        (["a b", "b a", "--permutation-trees", "all", "--format", "json"], 2, "--format text"),
        (["a b", "b a", "--segment", "1"], 2, "segments are chosen of files"),
        (["a b", "b a", "--name", "x"], 2, "--name goes with files"),
        (["a b", "b a", "--aligner", "match", "--aligner", "ribes"], 2, "2 aligners are chosen"),
        (["a b", "b a", "-m", "derp", "-m", "nothing"], 2, "nothing"),
        (["-r", REFERENCE, VERB], 2, "there are 48 segments; choose some by their numbers"),
        (["-r", REFERENCE, VERB, "--segment", "49"], 3, "there is no segment 49; the texts have 48"),
        (["-r", REFERENCE, VERB, "--segment", "0"], 2, "0"),
        (["-r", REFERENCE, VERB, "--worst", "9" * 20], 2, "write a number from 1 to 2147483647"),
        (["-r", REFERENCE, VERB, "--segment", "1", "--worst", "2"], 2, "choose one way"),
        (["-r", REFERENCE, VERB, "--worst-order", "1", "--worst", "2"], 2, "choose one way"),
        (
            ["-r", REFERENCE, *PATHS[:2], "--largest-difference", "local.en", "x"],
            2,
            "there is no system 'x'; the systems are: local.en, verb.en",
        ),
        (
            ["-r", REFERENCE, *PATHS[:2], "--largest-difference", "verb.en", "verb.en"],
            2,
            "verb.en is named twice",
        ),
        (
            ["-r", REFERENCE, VERB, "--worst", "2", "--format", "svg"],
            2,
            "2 segments are chosen, and an SVG picture holds one",
        ),
        (["a b", "b a", "--format", "svg", "--picture", "edits"], 3, "needs the metric dted"),
        (["a b", "b a", "--summary"], 2, "spans and tags are of files; name the reference with -r"),
        (["a b", "b a", "--format", "spans"], 2, "are of files; name the reference with -r"),
        (["-r", REFERENCE, VERB, "--summary", "--worst", "2"], 2, "--worst goes with explanations"),
        (["-r", REFERENCE, VERB, "--format", "tags", "--segment", "2"], 2, "--segment goes with"),
        (["-r", REFERENCE, VERB, "--format", "spans", "--count", "2"], 2, "--count goes with"),
        (["-r", REFERENCE, VERB, "--summary", "--format", "spans"], 2, "--format text or json"),
        (["-r", REFERENCE, *PATHS[:2], "--format", "tags"], 2, "there are 2 systems, and lines of"),
    ],
)  # fmt: skip
def test_what_cannot_be_explained_is_one_line_with_a_remedy(
    arguments: list[str], code: int, fault: str
) -> None:
    done = kilter("explain", *arguments)
    assert (done.code, done.out) == (code, "")
    assert fault in done.err
    assert done.err.count("\n") == 1


def test_spans_are_an_object_a_line_for_each_segment_of_each_system() -> None:
    texts = ["-r", REFERENCE, VERB, PATHS[0]]
    done = kilter("explain", *texts, "-m", "kendall", "--format", "spans")
    assert (done.code, done.err) == (0, "")
    found = [json.loads(line) for line in done.out.splitlines()]
    assert [(entry["system"], entry["segment"]) for entry in found] == [
        (name, number) for name in ("verb.en", "local.en") for number in range(1, 49)
    ]
    words = [
        entry["hypothesis"][span["start_i"] : span["end_i"]]
        for entry in found[:3]
        for span in entry["error_spans"]
    ]
    assert words[-2:] == ["call", "go"]
    assert {span["category"] for entry in found[48:] for span in entry["error_spans"]} == {
        "order/swap"
    }


def test_tags_are_a_line_for_each_segment() -> None:
    for form, misplaced in (("tags", "ORDER-WORD"), ("binary-tags", "BAD")):
        lines = kilter("explain", "-r", REFERENCE, VERB, "--format", form).out.splitlines()
        tags = ["OK"] * 13
        tags[5] = tags[11] = misplaced
        assert len(lines) == 48
        assert lines[2] == " ".join(tags)


def test_errors_of_all_segments_are_summed_up(tmp_path: Path) -> None:
    asked = ["explain", "-r", REFERENCE, VERB, PATHS[0], "-m", "kendall", "--summary"]
    documents = [json.loads(line) for line in kilter(*asked, "--format", "json").out.splitlines()]
    assert [document["system"] for document in documents] == ["verb.en", "local.en"]
    (swaps,) = documents[1]["groups"]["kind"]
    assert (swaps["name"], swaps["errors"]) == ("swap", documents[1]["errors"])
    target = tmp_path / "summary"
    assert kilter(*asked, "--count", "2", "-o", str(target)).out == ""
    text = target.read_text(encoding="utf-8")
    assert "verb.en: " in text
    first = documents[0]["groups"]["word"][0]
    row = next(line.split() for line in text.splitlines() if line.startswith(first["name"] + " "))
    assert row[:3] == [first["name"], str(first["errors"]), f"{first['loss']:.4f}"]
    assert f"and {len(documents[0]['groups']['word']) - 2} more" in text


def test_that_losses_are_of_a_metric_that_nobody_named_is_said_once() -> None:
    asked = ["explain", "-r", REFERENCE, VERB, PATHS[0], "--summary", "-m"]
    told = "costs and losses of order errors are those of order: bleu tells none"
    assert kilter(*asked, "bleu").err.count(told) == 1
    assert "costs and losses" not in kilter(*asked, "order").err
    assert kilter(*asked, "bleu", "--quiet").err == ""


def test_a_summary_with_trees_has_their_labels() -> None:
    asked = ["explain", "-r", REFERENCE, VERB, "--parser", "perceptron", "--summary"]
    document = json.loads(kilter(*asked, "--format", "json").out)
    assert {"tag", "relation", "construction"} < set(document["groups"])


def test_a_sentence_may_be_longer_than_any_name_of_a_file() -> None:
    words = " ".join(f"w{number}" for number in range(2000))
    assert kilter("explain", words, words, "-m", "complete", "--format", "json").code == 0


def test_a_sentence_without_links_says_what_may_help() -> None:
    done = kilter("explain", "a b", "x y", "-m", "kendall")
    assert done.code == 0
    assert "no word of the hypothesis is linked with the reference; another aligner" in " ".join(
        done.out.split()
    )


class Terminal(TextIOWrapper):
    def isatty(self) -> bool:
        return True


def coloured(monkeypatch: pytest.MonkeyPatch, *flags: str) -> bool:
    out = Terminal(BytesIO(), encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", out)
    assert run(["explain", "a b x", "b a", "-m", "kendall", "-q", *flags]) == 0
    out.seek(0)
    return "\x1b[" in out.read()


def test_a_terminal_shows_colours_unless_somebody_wants_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    assert coloured(monkeypatch)
    assert not coloured(monkeypatch, "--no-color")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not coloured(monkeypatch)


def test_a_file_has_no_colours_whoever_looks_at_the_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    path = tmp_path / "text"
    assert not coloured(monkeypatch, "-o", str(path))
    assert "\x1b[" not in path.read_text(encoding="utf-8")


def test_a_page_is_written_into_a_file(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    done = kilter("explain", *MAT, "--format", "html", "-o", str(path))
    assert (done.code, done.out) == (0, "")
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert kilter("explain", "-r", REFERENCE, VERB, "--segment", "1", "-o", VERB).code == 2


def test_the_worst_segments_are_chosen_by_the_scores_of_another_metric(tmp_path: Path) -> None:
    rows = [(n, abs(n - 20.0)) for n in range(1, 49) if n != 7]
    tsv, lines = tmp_path / "comet.tsv", tmp_path / "comet.jsonl"
    tsv.write_text("".join(f"a\t{n}\t{x}\n" for n, x in rows), encoding="utf-8")
    records = [{"system": "a", "segment": n, "score": x} for n, x in rows]
    lines.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    asked = ["explain", "-r", REFERENCE, VERB, "--worst", "2", "--format", "json"]

    def chosen(*more: str) -> list[int]:
        done = kilter(*asked, *more)
        assert done.code == 0, done.err
        assert "comet has no score of 1 segment" in done.err
        return [json.loads(line)["segment"] for line in done.out.splitlines()]

    for path in (tsv, lines):
        assert chosen("--scores", str(path)) == [20, 19]
        assert chosen("--scores", f"comet={path}", "--lower-is-better", "comet") == [48, 47]
    refused = kilter("explain", "-r", REFERENCE, VERB, "--segment", "1", "--scores", str(tsv))
    assert (refused.code, "--worst or --largest-difference" in refused.err) == (2, True)


def test_numbered_words_are_plain_text_for_a_chat() -> None:
    done = kilter("explain", "a cat I see", "I see a cat", "--format", "numbered")
    assert done.out == "a₃ cat₄ I₁ see₂\nI₁ see₂ a₃ cat₄\n"
    files = kilter("explain", "-r", REFERENCE, VERB, "--segment", "1", "--format", "numbered", "-q")
    assert len(files.out.splitlines()) == 3
    assert ", segment 1" in files.out.splitlines()[0]
