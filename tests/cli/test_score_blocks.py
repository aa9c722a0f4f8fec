"""Links and trees that are given, read block by block with texts of any size."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import kilter
from tests.cli.sample import REFERENCE, VERB, written
from tests.run.scoring.streamed import cut_into

SAMPLE = Path(REFERENCE).parent
SOURCE, LOCAL = str(SAMPLE / "source.de"), str(SAMPLE / "local.en")
COUNT = 48
"""Segments of the sample."""
FEW = ["--resamples", "20"]


def interrupt(*_arguments: object, **_options: object) -> None:
    """Stand in for a step at which a run is killed."""
    raise KeyboardInterrupt


def test_given_links_are_read_in_blocks_with_the_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [
        "score",
        "-r",
        REFERENCE,
        "-r",
        VERB,
        VERB,
        REFERENCE,
        "-m",
        "kendall",
        "-m",
        "pef",
        *FEW,
    ]
    texts = {"verb": VERB, "reference": REFERENCE}
    for name, system in texts.items():
        for other, reference in (("first", REFERENCE), ("second", VERB)):
            path = tmp_path / f"{name}.{other}"
            assert kilter("align", "-r", reference, system, "-o", str(path)).code == 0
            asked += ["--links", str(path)]
    whole, blocks = tmp_path / "whole.tsv", tmp_path / "blocks.tsv"
    expected = kilter(*asked, "--segments", str(whole))
    assert expected.code == 0
    cut_into(monkeypatch, 3)
    assert kilter(*asked, "--segments", str(blocks), "--resume") == expected
    assert blocks.read_bytes() == whole.read_bytes()
    assert kilter(*asked, "--workers", "2") == expected


@pytest.mark.parametrize("suffix", ["jsonl.gz", "parquet"])
def test_links_of_a_table_are_read_as_those_of_lines(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ["score", "-r", REFERENCE, VERB, "-m", "kendall", *FEW, "--links"]
    lines, table = str(tmp_path / "a.links"), str(tmp_path / f"a.{suffix}")
    for path in (lines, table):
        assert kilter("align", "-r", REFERENCE, VERB, "-o", path).code == 0
    expected = kilter(*asked, lines)
    assert expected.code == 0
    assert kilter(*asked, table) == expected
    cut_into(monkeypatch, 3)
    assert kilter(*asked, f"{table}#links") == expected
    wrong = kilter("score", "-r", REFERENCE, VERB, *FEW, "--links", f"{table}#nix")
    assert (wrong.code, "has no column 'nix'; its columns are: links" in wrong.err) == (3, True)
    few = kilter("align", "--agreement", table, lines)
    assert few.code == 0


def linked_with_source(folder: Path) -> list[str]:
    """Return options that give the sample's source, and links of it with two systems and a reference."""
    given = ["-s", SOURCE]
    for option, text in (("hypothesis", VERB), ("hypothesis", LOCAL), ("reference", REFERENCE)):
        path = folder / f"{Path(text).stem}.{option}.tsv"  # a name that says nothing about links
        assert kilter("align", "--source", SOURCE, "--target", text, "--aligner", "hmm",
                      "-o", str(path)).code == 0  # fmt: skip
        given += [f"--links-source-{option}", str(path)]
    return given


@pytest.mark.parametrize(
    "more",
    [
        ["-m", "crossings", "-m", "anticipation", "-m", "lr", "-m", "kendall"],
        ["-m", "pef", "-m", "kendall", "--via-source", "--order-rule", "mean"],
        ["-m", "all:blockwise", "--via-source", "--order-rule", "drop", "--tokenize", "13a"],
    ],
)
def test_links_with_the_source_are_read_in_blocks_with_the_texts(
    more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ["score", "-r", REFERENCE, VERB, LOCAL, *linked_with_source(tmp_path), *more, *FEW]
    whole, blocks = tmp_path / "whole.tsv", tmp_path / "blocks.tsv"
    expected = kilter(*asked, "--segments", str(whole))
    assert expected.code == 0
    cut_into(monkeypatch, 3)
    assert kilter(*asked, "--segments", str(blocks)) == expected
    assert blocks.read_bytes() == whole.read_bytes()
    blocks.unlink()
    assert kilter(*asked, "--segments", str(blocks), "--resume", "--workers", "2") == expected
    assert blocks.read_bytes() == whole.read_bytes()


LATE = 7
"""A line of the third block of 3."""


@pytest.mark.parametrize("option", ["links", "links-source-hypothesis", "links-source-reference"])
@pytest.mark.parametrize(
    "wrong",
    [
        {LATE: "77-0"},
        {LATE: "0-77", 9: "88-0", 2: "0-x"},
        dict.fromkeys(range(30), "99-99"),
        {LATE: "0-0\r"},
        {LATE: "\ufeff0-0"},
        {LATE: "0-\0"},
        {LATE: "0p0"},
        {LATE: "0-0\n0-0"},
        {0: ""},
    ],
)
def test_wrong_links_are_told_alike_in_blocks(
    option: str, wrong: dict[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["0-0"] * COUNT
    good = written(tmp_path, "good", "0-0\n" * COUNT)
    for line, text in wrong.items():
        lines[line] = text
    bad = written(tmp_path, "bad", "\n".join(lines) + "\n" if lines[0] else "")
    asked = ["score", "-r", REFERENCE, "-s", SOURCE, VERB, LOCAL, *FEW]
    if option == "links-source-reference":
        asked += [
            f"--{option}",
            bad,
            "--links-source-hypothesis",
            good,
            "--links-source-hypothesis",
            good,
        ]
    else:
        asked += [f"--{option}", good, f"--{option}", bad]
    expected = kilter(*asked)
    assert expected.code == 3
    assert expected.err.startswith(f"kilter: {bad}:")
    cut_into(monkeypatch, 3)
    assert kilter(*asked) == expected


def test_the_first_file_of_wrong_links_is_told_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["0-0"] * COUNT
    late = written(tmp_path, "late", "\n".join([*lines[:-1], "0-77"]) + "\n")
    early = written(tmp_path, "early", "\n".join(["77-0", *lines[1:]]) + "\n")
    asked = ["score", "-r", REFERENCE, VERB, LOCAL, *FEW, "--links", late, "--links", early]
    expected = kilter(*asked)
    assert expected.err.startswith(f"kilter: {late}:{COUNT}: link 0-77")
    cut_into(monkeypatch, 3)
    assert kilter(*asked) == expected


@pytest.mark.parametrize("through", [False, True])
@pytest.mark.parametrize("metric", ["kendall", "all:blockwise"])
def test_several_links_of_a_word_are_told_alike_in_blocks(
    metric: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, through: bool
) -> None:
    lines = ["0-0"] * COUNT
    good = written(tmp_path, "good", "\n".join(lines) + "\n")
    lines[LATE] = "0-0 0-1"
    bad = written(tmp_path, "bad", "\n".join(lines) + "\n")
    asked = ["score", "-r", REFERENCE, "-s", SOURCE, VERB, "-m", metric, *FEW, "--tokenize", "13a"]
    given = ["--links-source-hypothesis", bad, "--links-source-reference", good, "--via-source"]
    asked += given if through else ["--links", bad]
    for rule in ([], ["--order-rule", "drop"]):
        cut_into(monkeypatch, 100)
        expected = kilter(*asked, *rule)
        assert (f"{bad}:{LATE + 1}" in expected.err) == (metric != "kendall" or not rule)
        cut_into(monkeypatch, 3)
        assert kilter(*asked, *rule) == expected


def test_parts_of_a_run_with_other_links_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_into(monkeypatch, 3)
    links, path = written(tmp_path, "links", "1-1\n" * COUNT), tmp_path / "s.tsv"
    asked = [
        "score",
        "-r",
        REFERENCE,
        VERB,
        "-m",
        "kendall",
        *FEW,
        "--tokenize",
        "13a",
        "--links",
        links,
    ]
    kept = [*asked, "--segments", str(path), "--resume"]
    monkeypatch.setattr("kilter.run.scoring.score.summarise", interrupt)
    assert kilter(*kept).code == 130
    other = kilter(*kept, "--link-format", "pharaoh-1")
    assert other.code == 3
    assert "holds parts of a run with another choice of links and trees" in other.err


def parsed(folder: Path, name: str, text: str, *, sent_ids: bool = True) -> tuple[str, str]:
    """Return the file of a tokenised text, and that of its trees: arcs to the word before, of several labels."""
    words = [kept.split() for kept in Path(text).read_text(encoding="utf-8").splitlines()]
    blocks = []
    for number, sentence in enumerate(words, start=1):
        start = f"# sent_id = s{number}\n" if sent_ids else ""
        for parse in range(1, 3 if number % 5 == 2 else 2):
            several = f"# parse = {parse}\n" if number % 5 == 2 else ""
            roots = {0, 2} if number % 4 == 0 else {0}
            rows = [
                f"{place + 1}\t{word}\t_\t{'XY'[len(word) % 2]}\t_\t_\t"
                f"{0 if place in roots else max(1, place - parse)}\t"
                f"{name}{len(word) % 3}\t_\t_\n"
                for place, word in enumerate(sentence)
            ]
            blocks.append(start + several + "".join(rows) + "\n")
    path = written(folder, f"{name}.conllu", "".join(blocks))
    return text, path


def tree_files(folder: Path) -> dict[str, str]:
    """Return files of trees of the sample by name."""
    texts = {"verb": VERB, "local": LOCAL, "reference": REFERENCE, "source": SOURCE}
    return {name: parsed(folder, name, text)[1] for name, text in texts.items()}


def with_trees(files: dict[str, str]) -> list[str]:
    return [
        "score", "-r", REFERENCE, VERB, LOCAL, "-s", SOURCE, "--trees", files["verb"], "--trees", files["local"],
        "--trees-reference", files["reference"], "--trees-source", files["source"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "more",
    [
        ["-m", "dted", "-m", "derp:labels=true", "-m", "derp-reference", "--format", "json"],
        [
            "-m",
            "all:blockwise",
            "-m",
            "dted:corpus=linked",
            "--aligner",
            "match",
            "--aligner",
            "ribes",
        ],
        ["-m", "bleu"],
    ],
)
def test_given_trees_are_read_in_blocks_with_the_texts(
    more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [*with_trees(tree_files(tmp_path)), *more, *FEW]
    whole, blocks = tmp_path / "whole.tsv", tmp_path / "blocks.tsv"
    expected = kilter(*asked, "--segments", str(whole))
    assert expected.code == 0
    assert "verb.conllu:" in expected.err
    assert ("the labels of its trees are not those of" in expected.err) == (more != ["-m", "bleu"])
    cut_into(monkeypatch, 3)
    assert kilter(*asked, "--segments", str(blocks)) == expected
    assert blocks.read_bytes() == whole.read_bytes()
    blocks.unlink()
    assert kilter(*asked, "--segments", str(blocks), "--resume", "--workers", "2") == expected
    assert blocks.read_bytes() == whole.read_bytes()


def test_given_trees_stand_beside_those_of_a_parser_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = parsed(tmp_path, "reference", REFERENCE)[1]
    asked = ["score", "-r", REFERENCE, VERB, "--trees-reference", reference, "-m", "dted", *FEW]
    asked += ["--parser", "model", "--format", "json"]
    expected = kilter(*asked)
    assert expected.code == 0
    assert "given(references),model" in expected.out
    assert "the tags of its trees are not those of" in expected.err
    cut_into(monkeypatch, 3)
    assert kilter(*asked) == expected


def test_a_run_with_trees_that_was_killed_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_into(monkeypatch, 3)
    files = tree_files(tmp_path)
    path = tmp_path / "s.jsonl"
    asked = [*with_trees(files), "-m", "dted", *FEW]
    kept = [*asked, "--segments", str(path), "--resume"]
    expected = kilter(*asked)
    with monkeypatch.context() as patched:
        patched.setattr("kilter.run.scoring.score.summarise", interrupt)
        assert kilter(*kept).code == 130
    content = Path(files["source"]).read_text(encoding="utf-8")
    written(tmp_path, "source.conllu", content.replace("source0", "source9"))
    assert "holds parts of a run with another input" in kilter(*kept).err
    written(tmp_path, "source.conllu", content)
    again = kilter(*kept, "-q")
    assert again.out == expected.out
    assert kilter(*asked).err == expected.err


def test_trees_come_from_standard_input_in_blocks_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = parsed(tmp_path, "verb", VERB, sent_ids=False)[1]
    content = Path(tree).read_bytes().replace(b"verb", b"dep")
    asked = ["score", "-r", VERB, VERB, "-m", "dted", *FEW, "--trees-reference", tree]
    expected = kilter(*asked, "--trees", "-", stdin=content)
    assert expected.code == 0
    assert "standard input:" in expected.err
    cut_into(monkeypatch, 3)
    assert kilter(*asked, "--trees", "-", stdin=content) == expected


def changed(text: str, old: str, new: str) -> str:
    """Return a text with the last occurrence of a part changed."""
    before, found, after = text.rpartition(old)
    assert found
    return before + new + after


WRONG: dict[str, Callable[[str], str]] = {
    "a head": lambda text: changed(text, "\t0\t", "\t99\t"),
    "a column": lambda text: changed(text, "\t_\t_\n", "\t_\n"),
    "a carriage return": lambda text: changed(text, "\t_\t_\n", "\t_\t_\r\n"),
    "an empty line": lambda text: changed(text, "\n# sent_id", "\n\n# sent_id"),
    "the number of a parse": lambda text: changed(text, "# parse = 2", "# parse = 3"),
    "the words of a parse": lambda text: changed(text, "# parse = 2\n1\t", "# parse = 2\n1\tx"),
    "a word": lambda text: changed(text, "# sent_id = s48\n1\t", "# sent_id = s48\n1\tx"),
    "one word less": lambda text: text[: text.rstrip().rindex("\n")] + "\n\n",
    "one tree less": lambda text: text[: text.rindex("# sent_id")],
    "one tree more": lambda text: text + text[text.rindex("# sent_id") :],
    "the end": lambda text: text + "# sent_id = 9",
    "everything": lambda _text: "",
}


@pytest.mark.parametrize("which", ["local", "reference", "source"])
@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_trees_are_told_alike_in_blocks(
    wrong: str, which: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = tree_files(tmp_path)
    text = WRONG[wrong](Path(files[which]).read_text(encoding="utf-8"))
    written(tmp_path, Path(files[which]).name, text)
    asked = [*with_trees(files), "-m", "dted", *FEW]
    expected = kilter(*asked)
    assert expected.code == 3
    assert expected.err.startswith(f"kilter: {files[which]}:")
    cut_into(monkeypatch, 3)
    assert kilter(*asked) == expected
    assert kilter(*asked, "--workers", "2") == expected


def test_a_tokeniser_is_advised_where_it_makes_the_words_of_all_trees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = written(tmp_path, "raw", "a b\n" * 6 + "c, d\n" + "e f\n" * 3)
    tokenised = written(tmp_path, "tokenised", "a b\n" * 6 + "c , d\n" + "e f\n" * 3)
    tree = parsed(tmp_path, "t", tokenised)[1]
    asked = [
        "score",
        "-r",
        raw,
        raw,
        "-m",
        "dted",
        *FEW,
        "--trees",
        tree,
        "--trees-reference",
        tree,
    ]
    expected = kilter(*asked)
    assert "the tokeniser 13a makes the words of these trees: --tokenize 13a" in expected.err
    cut_into(monkeypatch, 2)
    assert kilter(*asked) == expected
    content = Path(tree).read_text(encoding="utf-8")
    written(tmp_path, "t.conllu", changed(content, "2\tf", "2\tg"))
    other = kilter(*asked)
    assert f"{tree}:" in other.err
    assert "line 7 of" in other.err
    assert "13a" not in other.err
    cut_into(monkeypatch, 100)
    assert kilter(*asked) == other


def test_faults_of_trees_come_before_those_of_links_and_after_those_of_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = tree_files(tmp_path)
    links = written(tmp_path, "links", "0-99\n" * COUNT)
    content = Path(files["source"]).read_text(encoding="utf-8")
    asked = [*with_trees(files), "-m", "dted", *FEW, "--links", links, "--links", links]
    shorter = [written(tmp_path, "short", "a\n" * 9) if each == LOCAL else each for each in asked]
    for text in (content, changed(content, "# sent_id = s48\n1\t", "# sent_id = s48\n1\tx"),
                 changed(content, "\t0\t", "\t99\t")):  # fmt: skip
        written(tmp_path, "source.conllu", text)
        for given in (asked, shorter):
            cut_into(monkeypatch, 100)
            expected = kilter(*given)
            assert expected.code == 3
            cut_into(monkeypatch, 3)
            assert kilter(*given) == expected


def test_several_links_that_an_aligner_makes_are_told_alike_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["a\n"] * COUNT
    one, other = (written(tmp_path, name, "".join(lines)) for name in ("one", "other"))
    model = tmp_path / "model"
    trained = f"ibm1:model={model},symmetrize=union"
    assert kilter("align", "--source", one, "--target", other, "--aligner", trained).code == 0
    lines[LATE] = "a a\n"
    late = written(tmp_path, "late", "".join(lines))
    asked = ["score", "-r", other, late, "-m", "kendall", "--aligner", trained, *FEW]
    expected = kilter(*asked)
    assert (expected.code, f"segment {LATE + 1}: " in expected.err) == (2, True)
    cut_into(monkeypatch, 3)
    assert kilter(*asked) == expected
