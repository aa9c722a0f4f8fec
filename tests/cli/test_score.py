"""`kilter score`."""

import csv
import gzip
import json
import lzma
import re
from pathlib import Path
from typing import Any

import pytest

import kilter as package
from kilter.cli.main import run
from kilter.metrics.citation import PUBLICATIONS
from kilter.render.table.table import TableFormat
from kilter.run.scoring.measurement import MeasuredBlock, measure_block
from kilter.run.scoring.settings import DEFAULT_METRICS
from tests.cli.command import kilter
from tests.cli.sample import PATHS, REFERENCE, REFERENCE_2, VERB, written
from tests.oracles.markup import latex_rows, latex_shows, markdown_rows
from tests.run.scoring.streamed import cut_into
from tests.thorough import some

Captured = pytest.CaptureFixture[str]
FEW = ["--resamples", "20"]


def ran(capsys: Captured, *arguments: str, code: int = 0) -> str:
    """Run the command and return what it wrote to standard output, or to standard error if it failed."""
    # The files are small: quiet, so that the note about few segments is not part of every test.
    assert run(["score", *arguments, *([] if code else ["-q"])]) == code
    captured = capsys.readouterr()
    if code:
        assert captured.out == ""
        assert captured.err.count("\n") == 1
        return captured.err
    assert captured.err == ""
    return captured.out


@pytest.fixture
def small(tmp_path: Path) -> tuple[str, str, str]:
    """Return the paths of a reference and of two systems of two segments."""
    return (
        written(tmp_path, "ref.txt", "the cat sat on the mat\na b c\n"),
        written(tmp_path, "good.txt", "the cat sat on the mat\na b c\n"),
        written(tmp_path, "bad.txt.gz", gzip.compress(b"the mat sat on the cat\nc b a\n")),
    )


def test_json_is_the_document_of_the_api(small: tuple[str, str, str], capsys: Captured) -> None:
    reference, good, bad = small
    out = ran(capsys, "-r", reference, "-m", "kendall", "-m", "bleu", good, bad, "--format", "json")
    texts = ["the cat sat on the mat", "a b c"]
    expected = package.score(
        {"good": texts, "bad": ["the mat sat on the cat", "c b a"]},
        texts,
        metrics=["kendall", "bleu"],
    )
    assert json.loads(out) == expected.to_dict()


def test_jsonl_and_tsv_are_one_row_a_score(small: tuple[str, str, str], capsys: Captured) -> None:
    reference, good, bad = small
    asked = ["-r", reference, "-m", "kendall", "-m", "f1", good, bad, *FEW]
    rows = [json.loads(line) for line in ran(capsys, *asked, "--format", "jsonl").splitlines()]
    assert [(row["system"], row["metric"]) for row in rows] == [
        ("good", "kendall"),
        ("good", "f1"),
        ("bad", "kendall"),
        ("bad", "f1"),
    ]
    assert rows[2]["score"] == pytest.approx((3 / 15 + 0) / 2)
    assert rows[2]["segments"] == 2
    assert rows[2]["signature"].startswith("kendall|")
    header, *lines = ran(capsys, *asked, "--format", "tsv").splitlines()
    names = header.split("\t")
    assert names == [
        *("system", "metric", "score", "low", "high", "segments", "signature"),
        *("order", "coverage"),
    ]
    assert [row["order"] for row in rows] == [1.0, None, rows[2]["score"], None]
    assert [row["coverage"] for row in rows] == [1.0, None, 1.0, None]
    table = [dict(zip(names, line.split("\t"), strict=True)) for line in lines]
    for row, cells in zip(rows, table, strict=True):
        shown = {name: "" if value is None else str(value) for name, value in row.items()}
        assert shown == cells


def cells_of(text: str, form: str) -> list[list[str]]:
    """Return the cells of the table of people, read back from its format."""
    if form == "md":
        return markdown_rows(text)
    if form == "latex":
        return latex_rows(text)
    tables = text.rpartition("\n\n")[0]
    return [re.split(r" {2,}", line.strip()) for line in tables.splitlines() if line]


@pytest.mark.parametrize("form", ["text", "md", "latex"])
def test_tables_for_people_are_one_row_a_system(
    form: str, small: tuple[str, str, str], capsys: Captured
) -> None:
    reference, good, bad = small
    asked = ["-r", reference, "-m", "kendall", "-m", "f1", good, bad, "--format", form]
    assert (
        cells_of(ran(capsys, *asked), form) == cells_of(ran(capsys, *asked, "--details"), form)[:3]
    )
    out = ran(capsys, *asked, "--details")
    header, first, second, *parts = cells_of(out, form)
    assert header == ["system", "kendall", "f1"]
    assert first == ["good", "1.0000 ±0.0000", "1.0000 ±0.0000"]
    assert second[0] == "bad"
    assert second[1].startswith("0.1000 ±0.1")
    assert second[2:] == ["1.0000 ±0.0000"]
    assert parts == [
        ["system", "kendall order", "kendall coverage"],
        ["good", "1.0000", "1.0000"],
        ["bad", "0.1000", "1.0000"],
    ]


@pytest.mark.parametrize("form", ["text", "md", "latex"])
def test_tables_for_people_end_in_what_reproduces_them(
    form: str, small: tuple[str, str, str], capsys: Captured
) -> None:
    asked = ["-r", small[0], *small[1:], "-m", "kendall", "-m", "bleu", "--seed", "3"]
    signatures = [
        json.loads(line)["signature"]
        for line in ran(capsys, *asked, "--format", "jsonl").splitlines()[:2]
    ]
    out = ran(capsys, *asked, "--details", "--format", form)
    # The notes begin behind the last line of the table.
    notes = out.rpartition("\n\n")[2].splitlines()
    if form == "md":
        notes = [line.removeprefix("- ").strip("`") for line in notes]
    elif form == "latex":
        notes = [latex_shows(line.removesuffix("}").removesuffix("\\par")) for line in notes[1:]]
    assert notes == [
        "2 segments; ± half-width of the 95% bootstrap interval, seed 3",
        "2 segments are few: intervals and tests are rough below 30",
        "order (of segments with links) and coverage: means of what makes a score in each segment",
        *signatures,
    ]


def test_the_system_stands_flush_left(small: tuple[str, str, str], capsys: Captured) -> None:
    asked = ["-r", small[0], *small[1:], "-m", "f1", "--format"]
    assert ran(capsys, *asked, "md").splitlines()[1] == "| :--- | ---: |"
    assert "\\begin{tabular}{lr}\n" in ran(capsys, *asked, "latex")


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "tsv", "md", "latex"])
def test_one_segment_has_no_interval(form: str, tmp_path: Path, capsys: Captured) -> None:
    paths = [written(tmp_path, name, text) for name, text in (("r", "a b c\n"), ("s", "a c b\n"))]
    out = ran(capsys, "-r", *paths, "-m", "kendall", "--format", form)
    if form in ("text", "md", "latex"):
        assert "±" not in out
        assert "pm" not in out
        assert "0.6667" in out
        assert "1 segment; higher is better\n" in out.replace("\\par", "")
        assert "one segment is no evidence" in out
    elif form == "json":
        (system,) = json.loads(out)["systems"]
        assert system["scores"]["kendall"]["low"] is system["scores"]["kendall"]["high"] is None
    elif form == "jsonl":
        assert (json.loads(out)["low"], json.loads(out)["high"]) == (None, None)
    else:
        assert out.splitlines()[1].split("\t")[3:5] == ["", ""]


@pytest.mark.parametrize("command", ["score", "compare"])
def test_how_rough_results_are_is_said_once(
    command: str, small: tuple[str, str, str], capsys: Captured
) -> None:
    asked = [command, "-r", *small, "-m", "f1", "--resamples", "200", "--format"]
    few = "2 segments are few: intervals and tests are rough below 30"
    for form in ("json", "jsonl", "tsv"):
        assert run([*asked, form]) == 0
        captured = capsys.readouterr()
        assert captured.err == f"kilter: {few}\n"
        assert "few" not in captured.out
    for form in ("text", "md", "latex"):
        assert run([*asked, form]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        assert captured.out.count(few) == 1


def test_text_is_the_default_and_ends_in_signatures(
    small: tuple[str, str, str], capsys: Captured
) -> None:
    reference, good, _ = small
    asked = ["-r", reference, good, *FEW, "--seed", "3"]
    out = ran(capsys, *asked, "--verbose")
    assert out == ran(capsys, *asked, "--verbose", "--format", "text")
    *_, note = out.rpartition("2 segments; ")
    lines = note.splitlines()
    assert lines[0].endswith("seed 3")
    signatures = [line for line in lines if "|" in line]
    assert lines[-len(signatures) :] == signatures
    assert [line.split("|")[0] for line in signatures] == list(DEFAULT_METRICS)


def test_wide_tables_are_continued_below(capsys: Captured) -> None:
    out = ran(capsys, "-r", REFERENCE, "-m", "all", VERB, *FEW)
    assert max(map(len, out.split("segments;")[0].splitlines())) <= 100
    assert out.count("\nsystem") >= 2


@pytest.fixture
def segments(tmp_path: Path, capsys: Captured) -> list[dict[str, Any]]:
    """Return the rows of the segments file of two systems in JSON lines."""
    path = tmp_path / "rows.jsonl"
    ran(capsys, "-r", REFERENCE, "-m", "pef", "-m", "f1", *PATHS[:2], *FEW, "--segments", str(path))
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_segments_are_rows_ordered_by_metric_system_segment(segments: list[dict[str, Any]]) -> None:
    assert [(row["metric"], row["system"], row["segment"]) for row in segments] == [
        (metric, system, number)
        for metric in ("pef", "f1")
        for system in ("local.en", "verb.en")
        for number in range(1, 49)
    ]
    assert list(segments[0]) == ["system", "segment", "metric", "score"]


@pytest.mark.parametrize("name", ["s.tsv", "s.tsv.gz", "s.csv", "s.jsonl.gz", "s.parquet"])
def test_segments_are_the_same_in_every_format(
    name: str, segments: list[dict[str, Any]], tmp_path: Path, capsys: Captured
) -> None:
    path = tmp_path / name
    asked = ["-r", REFERENCE, "-m", "pef", "-m", "f1", *PATHS[:2], *FEW]
    plain = ran(capsys, *asked)
    assert ran(capsys, *asked, "--segments", str(path)) == plain
    if name.endswith("parquet"):
        import pyarrow.parquet as pq

        assert pq.read_table(path).to_pylist() == segments
        return
    data = path.read_bytes()
    lines = (gzip.decompress(data) if name.endswith("gz") else data).decode().splitlines()
    if ".jsonl" in name:
        assert [json.loads(line) for line in lines] == segments
    else:
        header, *rows = csv.reader(lines, delimiter="," if name == "s.csv" else "\t")
        assert header == list(segments[0])
        assert rows == [[str(value) for value in row.values()] for row in segments]
    assert {each.name for each in tmp_path.iterdir()} == {"rows.jsonl", name}


@pytest.mark.parametrize("name", ["s.txt", "s", "s.parquet.gz", "s.tsv.zip"])
def test_a_segments_file_of_unknown_suffix_is_refused(
    name: str, tmp_path: Path, capsys: Captured
) -> None:
    error = ran(capsys, "-r", REFERENCE, VERB, *FEW, "--segments", str(tmp_path / name), code=2)
    assert f"--segments {tmp_path / name}: the name must end in .tsv, .csv or .jsonl" in error
    assert list(tmp_path.iterdir()) == []


def test_parquet_without_its_package_is_refused_before_anything_is_read(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    path = tmp_path / "s.parquet"
    error = ran(capsys, "-r", "nowhere", "nothing", "--segments", str(path), code=4)
    assert error == (
        f"kilter: --segments {path} needs an optional package; "
        "install it with: pip install 'kilter[arrow]'\n"
    )
    assert not path.exists()


def test_a_segments_file_that_cannot_be_written_is_data_error(
    tmp_path: Path, capsys: Captured
) -> None:
    nowhere = str(tmp_path / "no" / "s.tsv")
    error = ran(capsys, "-r", REFERENCE, VERB, *FEW, "--segments", nowhere, code=3)
    assert (
        error
        == f"kilter: {nowhere}: cannot be written: its folder does not exist; make it, or name another one\n"
    )
    taken = tmp_path / "folder.tsv"
    taken.mkdir()
    error = ran(capsys, "-r", REFERENCE, VERB, *FEW, "--segments", str(taken), code=3)
    assert error.startswith(f"kilter: {taken}: cannot be written: ")
    assert [each.name for each in tmp_path.iterdir()] == ["folder.tsv"]


def test_an_old_segments_file_stays_when_writing_fails(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.parquet"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kilter.render.table.segment_file.stream_row_groups", fail)
    error = ran(capsys, "-r", REFERENCE, VERB, *FEW, "--segments", str(path), code=3)
    assert "No space left on device" in error
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("form", some([str(form) for form in TableFormat], quick=["json"]))
def test_files_standard_input_and_threads_give_the_same_bytes(form: str, tmp_path: Path) -> None:
    data = Path(VERB).read_bytes()
    asked = ["score", "-r", REFERENCE, "-m", "all", "--format", form, *FEW, "--name", "mine"]
    from_file = kilter(*asked, VERB)
    assert (from_file.code, from_file.err) == (0, "")
    assert kilter(*asked, "-", "-j", "2", stdin=data) == from_file
    packed = written(tmp_path, "other name.txt.gz", gzip.compress(data))
    assert kilter(*asked, packed) == from_file
    assert from_file.out.count("mine") > 0


def test_segments_of_files_and_standard_input_are_the_same_bytes(tmp_path: Path) -> None:
    asked = ["score", "-r", REFERENCE, "-m", "pef", *FEW, "--name", "mine", "--segments"]
    one, two = tmp_path / "one.tsv", tmp_path / "two.tsv"
    kilter(*asked, str(one), VERB)
    kilter(*asked, str(two), "-", stdin=Path(VERB).read_bytes())
    assert one.read_bytes() == two.read_bytes()


def test_a_reference_or_source_may_come_from_standard_input() -> None:
    asked = ["score", VERB, "-m", "pef", "--format", "json", *FEW]
    text = Path(REFERENCE).read_bytes()
    for others, option in (([], "-r"), (["-r", REFERENCE], "-s")):
        from_file = kilter(*asked, *others, option, REFERENCE)
        assert from_file.code == 0
        assert kilter(*asked, *others, option, "-", stdin=text) == from_file
    both = kilter("score", "-", "-r", "-")
    assert (both.code, both.out) == (2, "")
    assert "only one input can come from standard input" in both.err


def test_segments_never_replace_an_input(tmp_path: Path, capsys: Captured) -> None:
    system = tmp_path / "system.tsv"
    system.write_text("a b c\n", encoding="utf-8")
    reference = tmp_path / "reference.tsv"
    reference.write_text("a b c\n", encoding="utf-8")
    for target in (system, reference):
        code = run(["score", "-r", str(reference), str(system), "--segments", str(target)])
        assert code == 2
        assert "would replace an input" in capsys.readouterr().err
    assert system.read_text(encoding="utf-8") == reference.read_text(encoding="utf-8") == "a b c\n"


def test_several_references_take_the_best(small: tuple[str, str, str], capsys: Captured) -> None:
    reference, good, bad = small
    out = ran(capsys, "-r", reference, "-r", bad, good, bad, "-m", "kendall", "--format", "json")
    document = json.loads(out)
    assert [each["scores"]["kendall"]["score"] for each in document["systems"]] == [1.0, 1.0]
    assert "nrefs:2|refs:best" in document["metrics"]["kendall"]["signature"]
    assert ran(capsys, "-r", REFERENCE, "-r", REFERENCE_2, VERB, *FEW)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be opened: No such file or directory"),
        (b"", ":1: the file is empty"),
        (b"a\x00\nb\n", ":1: holds a NUL byte"),
        (b"a\nb\xff\n", ":2: byte 0xff in column 2 is not UTF-8"),
        (b"a\r\nb\r\n", ":1: ends in a carriage return"),
        (b"a\n\xef\xbb\xbfb\n", ":2: starts with a byte-order mark"),
        (b"a\n", "has 1 line, but"),
        (b"a\nb\nc\n", "has 3 lines, but"),
        ("我今天去学校上课\n他喜欢吃苹果派\n".encode(), "is written without blanks"),
        ("我今天去学校上课\n他喜欢吃苹果派\n".encode(), ": --tokenize zh\n"),
        ("ฉันไปโรงเรียนทุกวัน\nเขาชอบกินแอปเปิล\n".encode(), ": --tokenize char\n"),
    ],
)
def test_bad_data_is_exit_code_three_with_the_file(
    content: bytes | None,
    message: str,
    small: tuple[str, str, str],
    tmp_path: Path,
    capsys: Captured,
) -> None:
    path = str(tmp_path / "system.txt")
    if content is not None:
        Path(path).write_bytes(content)
    error = ran(capsys, "-r", small[0], path, code=3)
    assert message in error
    assert error.startswith(f"kilter: {path}:")


def test_another_line_count_names_both_files() -> None:
    found = kilter("score", "-r", REFERENCE, "-", stdin=b"one\ntwo\n")
    assert (found.code, found.out) == (3, "")
    assert found.err.startswith(f"kilter: standard input: has 2 lines, but {REFERENCE} has 48;")
    assert "line 3 of standard input is missing" in found.err


def test_a_directory_is_refused(tmp_path: Path, capsys: Captured) -> None:
    error = ran(capsys, "-r", REFERENCE, str(tmp_path), code=3)
    assert error == f"kilter: {tmp_path}: is a directory; name a file in it\n"


def test_empty_lines_can_stop_the_run(tmp_path: Path, capsys: Captured) -> None:
    reference = written(tmp_path, "r", "a\nb\n")
    system = written(tmp_path, "s", "a\n\n")
    assert ran(capsys, "-r", reference, system, "-m", "f1", *FEW)
    error = ran(capsys, "-r", reference, system, "-m", "f1", "--empty", "stop", code=3)
    assert error.startswith(f"kilter: {system}:2: the line is empty")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument"),
        (["x"], "Missing option"),
        (["-r", REFERENCE, VERB, "-m", "kendal"], "did you mean kendall"),
        (["-r", REFERENCE, VERB, "-m", "crossings"], "crossings needs source-links"),
        (["-r", REFERENCE, VERB, "--tokenize", "x"], "there is no tokeniser 'x'"),
        (["-r", REFERENCE, VERB, "--aligner", "x"], "there is no aligner 'x'"),
        (["-r", REFERENCE, VERB, "-j", "0"], "-j"),
        (["-r", REFERENCE, VERB, "-a", "x", "-a", "x"], "2 files of links for 1 system and 1 ref"),
        (
            ["-r", REFERENCE, VERB, "-a", "x", "--aligner", "match"],
            "the aligner match would have nothing to do",
        ),
        (
            ["-r", REFERENCE, VERB, "-a", "x", "--via-source"],
            "so that none are made through the",
        ),
        (
            ["-r", REFERENCE, VERB, "-a", "-", "-s", "-"],
            "only one input can come from standard input",
        ),
        (["-r", REFERENCE, VERB, "--links-source-hypothesis", "x"], "needs the source text"),
    ],
)
def test_wrong_usage_is_exit_code_two(arguments: list[str], message: str, capsys: Captured) -> None:
    assert message in ran(capsys, *arguments, code=2)


@pytest.mark.parametrize(
    ("language", "module", "extra"), [("ja", "MeCab", "ja"), ("ko", "mecab_ko", "ko")]
)
def test_a_missing_tokeniser_is_exit_code_four_with_the_install_command(
    language: str, module: str, extra: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, module, None)
    error = ran(capsys, "-r", REFERENCE, VERB, "-l", language, code=4)
    assert error.endswith(f"install it with: pip install 'kilter[{extra}]'\n")


def test_given_links_are_used(
    small: tuple[str, str, str], tmp_path: Path, capsys: Captured
) -> None:
    reference, good, _ = small
    links = written(tmp_path, "links", "0-0 1-5 2-2 3-3 4-4 5-1\n2-0 1-1 0-2\n")
    asked = ["-r", reference, good, "-m", "kendall", "--format", "json", *FEW]
    document = json.loads(ran(capsys, *asked, "-a", links))
    assert document["systems"][0]["scores"]["kendall"]["score"] == pytest.approx(8 / 15 / 2)
    assert "aligner:given|tok:13a" in document["metrics"]["kendall"]["signature"]
    naacl = written(tmp_path, "naacl", "1 1 1\n2 1 3\n2 3 1\n")
    assert ran(capsys, *asked, "-a", naacl, "--link-format", "naacl")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0-0\n", "has 1 line for 2 segments"),
        (
            "0-0\n9-0\n",
            "links:2: link 9-0 points past the 3 words of the hypothesis, counted from 0; ",
        ),
        (
            "0-0\n0-3\n",
            "links:2: link 0-3 points past the 3 words of the reference, counted from 0; ",
        ),
        ("0-0\nx\n", "links:2: "),
        (
            "\n0-0 0-1\n",
            "links:2: word 0 of the hypothesis is linked with words 0 and 1 of the ref",
        ),
        ("0-0 1-0\n\n", "links:1: word 0 of the reference is linked with words 0 and 1 of the hyp"),
    ],
)
def test_bad_links_are_exit_code_three(
    text: str, message: str, small: tuple[str, str, str], tmp_path: Path, capsys: Captured
) -> None:
    links = written(tmp_path, "links", text)
    error = ran(capsys, "-r", small[0], small[1], "-m", "kendall", "-a", links, code=3)
    assert message in error


def test_a_rule_makes_an_order_of_several_links(
    small: tuple[str, str, str], tmp_path: Path, capsys: Captured
) -> None:
    links = written(tmp_path, "links", "0-0 0-1\n0-0 0-2 1-1\n")
    asked = ["-r", small[0], small[1], "-m", "kendall:penalty=false", "-a", links]
    assert "--order-rule mean" in ran(capsys, *asked, code=3)
    for rule, score in (("drop", 1.0), ("mean", 1.0), ("mean:null=next", 1.0), ("talbot", 1.0)):
        out = ran(capsys, *asked, "--order-rule", rule, "--format", "json", *FEW)
        document = json.loads(out)
        (entry,) = document["metrics"].values()
        assert f"|rule:{rule.partition(':')[0]}(null:" in entry["signature"]
        assert document["systems"][0]["scores"]["kendall:penalty=false"]["score"] == score
    assert "rule is 'x'; it can be birch," in ran(capsys, *asked, "--order-rule", "x", code=2)


@pytest.mark.parametrize("aligner", ["hmm", "ibm1"])
def test_statistical_aligners_need_a_rule_and_say_which(aligner: str, capsys: Captured) -> None:
    asked = ["-r", REFERENCE, VERB, "--aligner", aligner, "-m", "kendall", *FEW]
    error = ran(capsys, *asked, code=2)
    assert error.startswith(f"kilter: aligner {aligner} on {VERB} and {REFERENCE}, segment ")
    assert f"; the aligner {aligner}:symmetrize=intersection gives no more, or choose" in error
    assert error.endswith(" with --order-rule mean\n")
    assert f"|aligner:{aligner}(" in ran(capsys, *asked, "--order-rule", "mean", "--details")
    assert ran(capsys, *asked[:4], f"{aligner}:symmetrize=intersection", *asked[5:])


def test_what_all_leaves_out_is_told_unless_quiet(
    small: tuple[str, str, str], tmp_path: Path, capsys: Captured
) -> None:
    links = written(tmp_path, "links", "0-0 0-1\n\n")
    asked = [
        "score",
        "-r",
        small[0],
        small[1],
        "-m",
        "all",
        "-a",
        links,
        "--order-rule",
        "drop",
        *FEW,
    ]
    assert run(asked) == 0
    err = capsys.readouterr().err
    told = [line for line in err.splitlines() if "order is missing" not in line]
    assert [line.split(" is left out")[0] for line in told] == [
        "kilter: meteor",
        "kilter: meteor-chunk",
    ]
    assert f": {links}:1: word 0 of the hypothesis is linked" in err
    assert run([*asked, "-q"]) == 0
    assert capsys.readouterr().err == ""


def test_source_links_make_source_metrics_possible(
    small: tuple[str, str, str], tmp_path: Path, capsys: Captured
) -> None:
    source = written(tmp_path, "src", "u v w x y z\nx y z\n")
    straight = written(tmp_path, "straight", "0-0 1-1 2-2\n0-0 1-1\n")
    out = ran(
        capsys, "-r", small[0], "-s", source, small[1], "-m", "crossings", "-m", "anticipation",
        "--links-source-hypothesis", straight, "--format", "jsonl", *FEW,
    )  # fmt: skip
    assert [json.loads(line)["score"] for line in out.splitlines()] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("hypothesis", "0-0\n2-0\n", "2: link 2-0 points past the 2 words of the source"),
        ("hypothesis", "0-0\n0-3\n", "2: link 0-3 points past the 3 words of the hypothesis"),
        ("reference", "9-0\n0-0\n", "1: link 9-0 points past the 6 words of the source"),
        ("reference", "0-0\n0-3\n", "2: link 0-3 points past the 3 words of the reference"),
        ("reference", "0-0\n", " has 1 line for 2 segments"),
    ],
)
def test_source_links_that_do_not_fit_are_named_with_file_and_line(
    option: str,
    text: str,
    message: str,
    small: tuple[str, str, str],
    tmp_path: Path,
    capsys: Captured,
) -> None:
    source = written(tmp_path, "src", "u v w x y z\nx y\n")
    links = {each: written(tmp_path, each, "0-0\n\n") for each in ("hypothesis", "reference")}
    links[option] = written(tmp_path, "wrong", text)
    given = [part for each, path in links.items() for part in (f"--links-source-{each}", path)]
    error = ran(capsys, "-r", small[0], "-s", source, small[1], "-m", "crossings", *given, code=3)
    assert error.startswith(f"kilter: {links[option]}:{message}")


def test_links_of_other_widths_are_refused(
    small: tuple[str, str, str], tmp_path: Path, capsys: Captured
) -> None:
    links = written(tmp_path, "lists", "0,1,2,3,4,5\n0,1\n")
    asked = ["-r", small[0], small[1], "-a", links, "--link-format", "target-lists"]
    error = ran(capsys, *asked, code=3)
    assert f"{links}:2: the file gives the reference 2 words, but it has 3" in error


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--cite", "--format", "json"], "--format has no effect with --cite"),
        (["--link-format", "giza"], "--link-format has no effect without files of links"),
    ],
)
def test_an_option_that_nothing_looks_at_is_refused(
    options: list[str], fault: str, small: tuple[str, str, str], capsys: Captured
) -> None:
    assert fault in ran(capsys, "-r", small[0], small[1], *options, code=2)


def test_cite_writes_each_publication_once(small: tuple[str, str, str], capsys: Captured) -> None:
    out = ran(capsys, "-r", small[0], small[1], "-m", "pef", "-m", "pet", "-m", "bleu", "--cite")
    for key in ("stanojevic-simaan-2014", "papineni-2002", "post-2018"):
        assert out.count(PUBLICATIONS[key]) == 1
    assert "segments" not in out


def test_systems_are_named_by_file_unless_names_clash(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "y").mkdir()
    reference = written(tmp_path, "r", "a b\n")
    first, second = (written(tmp_path / each, "out.txt", "a b\n") for each in "xy")
    asked = ["-r", reference, "-m", "f1", "--format", "jsonl", *FEW]
    other = written(tmp_path / "y", "other.txt.xz", lzma.compress(b"a b\n"))
    for paths, names in (
        ([first], ["out"]),
        ([first, other], ["out", "other"]),
        ([first, second], [first, second]),
    ):
        lines = ran(capsys, *asked, *paths).splitlines()
        assert [json.loads(line)["system"] for line in lines] == names
    assert "is given twice" in ran(capsys, *asked, first, first, code=3)
    lines = ran(capsys, *asked, "--name", "one", "--name", "two", first, first).splitlines()
    assert [json.loads(line)["system"] for line in lines] == ["one", "two"]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a"], "give 2 different names with --name"),
        (["a", "a"], "give 2 different names with --name"),
        (["a", "b", "c"], "give 2 different names with --name"),
        (["a", ""], "a name given with --name is empty"),
    ],
)
def test_names_are_one_per_system(
    names: list[str], message: str, small: tuple[str, str, str], capsys: Captured
) -> None:
    asked = [part for name in names for part in ("--name", name)]
    assert message in ran(capsys, "-r", *small, *asked, code=2)


def test_the_search_bound_is_told_unless_quiet(tmp_path: Path, capsys: Captured) -> None:
    words = " ".join(["a", "b"] * 60)
    reference = written(tmp_path, "r", " ".join(sorted(words.split())) + "\n")
    system = written(tmp_path, "s", words + "\n")
    asked = ["score", "-r", reference, system, "-m", "kendall", *FEW]
    assert run(asked) == 0
    noted = capsys.readouterr()
    assert run([*asked, "-q"]) == 0
    quiet = capsys.readouterr()
    assert quiet.err == ""
    assert quiet.out == noted.out
    assert noted.err.startswith("kilter: s: the aligner hit its search bound in 1 segment")
    assert noted.err.count("\n") == 1


def test_parts_that_are_added_up_are_said_to_be(
    small: tuple[str, str, str], capsys: Captured
) -> None:
    reference, good, _ = small
    out = ran(capsys, "-r", reference, good, *FEW, "-m", "kilter", "--details")
    assert "characters, order and words: mean parts of kilter; order multiplies the others\n" in out
    assert "coverage" not in out
    earlier = ran(capsys, "-r", reference, good, *FEW, "-m", "kilter:weights=2", "--details")
    assert (
        "characters, words and order: what each adds to the score by kilter:weights=2\n" in earlier
    )
    both = ran(capsys, "-r", reference, good, *FEW, "-m", "kilter", "-m", "kendall", "--details")
    assert "mean parts of kilter; order multiplies the others\n" in both
    assert "order (of segments with links) and coverage: means" in both


def test_segments_come_with_margins_of_metrics_that_tell_them(
    small: tuple[str, str, str], tmp_path: Path, capsys: Captured
) -> None:
    reference, good, _ = small
    path = tmp_path / "out.tsv"
    asked = ["-r", reference, good, *FEW, "-m", "kilter", "-m", "chrf"]
    ran(capsys, *asked, "--segments", str(path), "--agreement-margins")
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    lines = Path(reference).read_text(encoding="utf-8").splitlines()
    margins = package.score(lines, lines, metrics=["kilter"]).margin_arrays["kilter", "system"]
    assert [float(row["margin"]) for row in rows if row["metric"] == "kilter"] == margins.tolist()
    assert {row["margin"] for row in rows if row["metric"] == "chrf"} == {""}
    assert "--agreement-margins goes with --segments" in ran(
        capsys, *asked, "--agreement-margins", code=2
    )


ASKED = ["-m", "all", "-m", "chrf", *FEW, "-q"]
FORMATS = ["tsv", "csv.gz", "jsonl", "parquet"]


@pytest.mark.parametrize("form", some([str(form) for form in TableFormat], quick=["text", "json"]))
def test_texts_in_blocks_give_the_same_bytes(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["score", "-r", REFERENCE, "-r", REFERENCE_2, *PATHS[:2], *ASKED, "--format", form]
    whole = kilter(*asked)
    cut_into(monkeypatch, 3)
    assert kilter(*asked) == whole
    assert whole.code == 0


@pytest.mark.parametrize("suffix", some(FORMATS, quick=["jsonl"]))
def test_segments_of_texts_in_blocks_are_the_same_bytes(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.render.table.segment_file._BLOCK", 5)
    more = ["--agreement-margins", "--statistics"]
    asked = ["score", "-r", REFERENCE, *PATHS[:2], *ASKED, "-m", "kilter:encoder=none", *more]
    whole, blocks = tmp_path / f"whole.{suffix}", tmp_path / f"blocks.{suffix}"
    assert kilter(*asked, "--segments", str(whole)).code == 0
    cut_into(monkeypatch, 3)
    assert kilter(*asked, "--segments", str(blocks)).code == 0
    assert blocks.read_bytes() == whole.read_bytes()


def test_a_killed_run_goes_on_with_its_segments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_into(monkeypatch, 3)
    plain, path = tmp_path / "plain.jsonl", tmp_path / "s.jsonl"
    asked = ["score", "-r", REFERENCE, VERB, "-m", "kendall", "-m", "bleu", *FEW]
    expected = kilter(*asked, "--segments", str(plain), "-q")

    measured = []

    def killed(*arguments: object) -> MeasuredBlock:
        measured.append(arguments)
        if len(measured) == 3:
            raise KeyboardInterrupt
        return measure_block(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("kilter.run.scoring.measurement.measure_block", killed)
    assert kilter(*asked, "--segments", str(path), "--resume").code == 130
    assert len([*(tmp_path / "s.jsonl.parts").glob("part-*")]) == 2
    assert not path.exists()
    other = kilter(*asked, "-m", "f1", "--segments", str(path), "--resume")
    assert other.code == 3
    assert (
        "holds parts of a run with another choice of options; go on with the command" in other.err
    )
    again = kilter(*asked, "--segments", str(path), "--resume")
    assert again.out == expected.out
    assert "went on after 2 parts of an earlier run" in again.err
    assert path.read_bytes() == plain.read_bytes()
    assert {each.name for each in tmp_path.iterdir()} == {"plain.jsonl", "s.jsonl"}


def test_workers_and_pipes_make_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_into(monkeypatch, 3)
    asked = ["score", "-r", REFERENCE, "-m", "kendall", *FEW, "--name", "verb"]
    expected = kilter(*asked, VERB)
    assert kilter(*asked, VERB, "--workers", "2") == expected
    assert kilter(*asked, "-", stdin=Path(VERB).read_bytes()) == expected
    rows = [json.dumps({"mt": line}) for line in Path(VERB).read_text().splitlines()]
    table = written(tmp_path, "t.jsonl.gz", gzip.compress("\n".join(rows).encode()))
    assert kilter(*asked, table, "--column", "hypothesis=mt") == expected


def test_what_needs_whole_texts_is_refused_by_name_where_blocks_are_asked_for(
    tmp_path: Path, capsys: Captured
) -> None:
    asked = ["-r", REFERENCE, VERB, "-m", "nist"]
    for more in (
        ["--workers", "2"],
        ["--engine", "ray"],
        ["--resume", "--segments", str(tmp_path / "s.tsv")],
    ):
        error = ran(capsys, *asked, *more, code=2)
        assert error.endswith(
            "nist weighs words by all references, so that texts are measured as a whole; leave --resume, "
            "--engine and --workers out\n"
        )
    assert "--resume goes with --segments FILE" in ran(capsys, *asked, "--resume", code=2)
    stream = ran(capsys, *asked, "--resume", "--segments", "/dev/stdout", code=2)
    assert "--resume needs a file to go on with" in stream
    nbest = ran(capsys, "-r", REFERENCE, VERB, "--nbest", "--workers", "2", code=2)
    assert "leave --resume, --engine and --workers out" in nbest


@pytest.mark.parametrize(
    "chosen",
    [
        ["-m", "kendall", "--aligner", "match:stages=exact+synonym,synonyms={}"],
        ["-m", "kilter:weights={}"],
    ],
)
def test_a_file_that_an_option_names_is_not_replaced(chosen: list[str], tmp_path: Path) -> None:
    named = tmp_path / "named.tsv"
    named.write_text("small\tlittle\n", encoding="utf-8")
    asked = [each.format(named) for each in chosen]
    done = kilter("score", "-r", REFERENCE, VERB, *asked, "--segments", str(named))
    assert (done.code, f"--segments {named} would replace an input" in done.err) == (2, True)
    assert named.read_text(encoding="utf-8") == "small\tlittle\n"


def test_turkish_words_count_as_one_in_any_case_and_signatures_say_so(
    tmp_path: Path, capsys: Captured
) -> None:
    reference = written(tmp_path, "ref.txt", "Irmak kuru değil\nBugün İzmir güzel\n")
    system = written(tmp_path, "sys.txt", "kuru değil ırmak\nİzmir bugün güzel\n")
    asked = ["-r", reference, system, *FEW, "--format", "json"]
    metrics = ["-m", "kendall", "-m", "coverage", "-m", "bleu", "-m", "ribes", "-m", "f1"]

    def scored(*more: str) -> tuple[dict[str, float], dict[str, str]]:
        shown = json.loads(ran(capsys, *asked, *metrics, *more))
        found = shown["systems"][0]["scores"]
        return (
            {name: found[name]["score"] for name in found},
            {name: each["signature"] for name, each in shown["metrics"].items()},
        )

    turkish, signed = scored("-l", "tr")
    assert turkish["coverage"] == 1.0
    assert {name for name, each in signed.items() if "|case:turkish|" in each} == {
        "kendall",
        "coverage",
    }
    english, plain = scored("-l", "en")
    assert english["coverage"] < 1.0
    assert not any("case:turkish" in each for each in plain.values())
    # These have definitions of others.
    assert (english["bleu"], english["ribes"]) == (turkish["bleu"], turkish["ribes"])
    lower, signed = scored("-l", "az", "--lowercase")
    assert lower["coverage"] == 1.0
    assert all("|case:lower-turkish|" in each for each in signed.values())
    assert lower["f1"] > scored("-l", "en", "--lowercase")[0]["f1"]


def test_a_group_leaves_out_what_needs_the_whole_corpus_where_blocks_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["score", "-r", REFERENCE, VERB, "-m", "published", "--format", "json", *FEW]
    segments = str(tmp_path / "segments.tsv")
    assert run([*asked, "--segments", segments]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert run([*asked, "--segments", segments, "--resume"]) == 0
    out, err = capsys.readouterr()
    assert "nist is left out: it needs the whole corpus at once" in err
    assert set(whole["metrics"]) - set(json.loads(out)["metrics"]) == {"nist"}
