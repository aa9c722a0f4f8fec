"""`kilter preorder evaluate`."""

import json
import subprocess
import time
from pathlib import Path
from typing import IO

import pytest

from kilter.cli.main import run
from tests.cli.command import KILTER
from tests.cli.sample import written
from tests.conllu_text import CATS, DOGS, conllu

Captured = pytest.CaptureFixture[str]
REFERENCE = "Cats {{ night at }} small mice chase .\nDogs sleep .\n"
WORSE = tuple(
    (form, tag, 4 if form == "night" else head, "nmod" if form == "night" else label)
    for form, tag, head, label in CATS
)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Return the arguments that evaluate two parses by two rule sets."""
    return [
        *("-R", written(tmp_path, "references.txt", REFERENCE)),
        *("-r", "r1", "-r", "r4"),
        written(tmp_path, "good.conllu", conllu(CATS, DOGS)),
        written(tmp_path, "bad.conllu", conllu(WORSE, DOGS)),
    ]


def evaluated(capsys: Captured, *arguments: str) -> str:
    assert run(["preorder", "evaluate", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_every_parser_and_rule_set_has_a_row_and_every_pair_a_mark(
    files: list[str], capsys: Captured
) -> None:
    answer, _, *lines = evaluated(capsys, *files).splitlines()
    assert answer.startswith("P1R1 is best in frs")
    lines = lines[next(k for k, line in enumerate(lines) if line.startswith("system")) :]
    assert lines[0].split() == ["system", "parser", "rules", "frs", "kendall"]
    assert lines[1].startswith("P1R1    good    r1")
    assert lines[4].startswith("P2R2    bad     r4")
    place = lines.index("frs: row against column")
    assert lines[place + 1].split() == ["P1R1", "P1R2", "P2R1"]
    assert [len(line.split()) for line in lines[place + 2 : place + 5]] == [2, 3, 4]
    assert lines[place + 3].split()[:2] == ["P2R1", "?"]  # Two sentences decide nothing.


def test_gold_trees_add_the_accuracy_of_parsers(files: list[str], capsys: Captured) -> None:
    shown = json.loads(evaluated(capsys, *files, "--gold", files[-2], "--format", "json"))
    assert shown["schema"] == "kilter.preorder/1"
    assert [system["uas"] for system in shown["systems"]] == [1.0, 1.0, 0.9, 0.9]
    assert {pair["metric"] for pair in shown["comparisons"]} == {"frs", "kendall"}
    assert len(shown["comparisons"]) == 12
    assert "0.9000" in evaluated(capsys, *files, "--gold", files[-2])


def parsed(capsys: Captured, *arguments: str) -> list[tuple[str, str, float]]:
    shown = json.loads(evaluated(capsys, *arguments, "--format", "json"))
    return [
        (system["parser"], system["rules"], system["scores"]["frs"]["score"])
        for system in shown["systems"]
    ]


def test_a_parser_run_on_the_spot_scores_as_its_file(
    files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    source = written(tmp_path, "text.en", "Cats chase small mice at night .\nDogs sleep .\n")
    trees = str(tmp_path / "own.conllu")
    chosen = ["--parser", "perceptron"]
    assert run(["parse", source, "--tokenize", "none", *chosen, "-o", trees]) == 0
    options = files[:6]
    from_file = parsed(capsys, *options, trees)
    found = parsed(capsys, *options, *chosen, "--source", source)
    assert {name for name, _, _ in found} == {"perceptron(version:1.0.0)"}
    assert [row[1:] for row in found] == [row[1:] for row in from_file]
    # Without --source the words are those of the trees at hand.
    beside = parsed(capsys, *files, *chosen)
    assert [name for name, _, _ in beside[:4]] == ["good", "good", "bad", "bad"]
    assert beside[4:] == found
    assert parsed(capsys, *options, *chosen, "--gold", trees) == found
    # References as jsonl say what they reorder.
    lines = [
        json.dumps({"words": words, "groups": [[place] for place in range(len(words))]})
        for words in map(str.split, Path(source).read_text().splitlines())
    ]
    options[1] = written(tmp_path, "references.jsonl", "\n".join(lines) + "\n")
    alone = [row[1:] for row in parsed(capsys, *options, *chosen)]
    assert alone == [row[1:] for row in parsed(capsys, *options, trees)]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "give TREES, or a parser to run with --parser"),
        (
            ["--parser", "model"],
            "needs a text to parse; give it with --source FILE, or references as .jsonl",
        ),
        (["--parser", "nonsense", "-s", "a"], "there is no parser 'nonsense'"),
        (["--parser", "perceptron", "--parser", "perceptron"], "is given twice"),
        (["--source", "a", "b.conllu"], "--source is what --parser parses"),
    ],
)
def test_parsers_that_cannot_run(
    arguments: list[str], expected: str, files: list[str], capsys: Captured
) -> None:
    assert run(["preorder", "evaluate", *files[:6], *arguments]) == 2
    assert expected in capsys.readouterr().err


def test_a_parsed_text_with_other_words_is_an_error(
    files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    source = written(tmp_path, "text.en", "Cats chase old mice at night .\nDogs sleep .\n")
    options = [*files[:6], "--parser", "perceptron", "--source", source]
    assert run(["preorder", "evaluate", *options]) == 3
    assert capsys.readouterr().err == (
        f"kilter: {files[1]}:1: 'small' is not among the words of perceptron(version:1.0.0):1; references "
        "and trees must hold the same words\n"
    )


@pytest.mark.parametrize("form", ["jsonl", "tsv", "md", "latex"])
def test_every_format(form: str, files: list[str], capsys: Captured) -> None:
    shown = evaluated(capsys, *files, "--format", form)
    if form == "jsonl":
        rows = [json.loads(line) for line in shown.splitlines()]
        assert [row["name"] for row in rows] == ["P1R1", "P1R2", "P2R1", "P2R2"]
        assert rows[0]["frs_low"] <= rows[0]["frs"] <= rows[0]["frs_high"]
    else:
        assert "P2R2" in shown


def test_scores_of_sentences_are_written_to_a_file(
    files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    path = tmp_path / "segments.tsv"
    evaluated(capsys, *files, "--segments", str(path))
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    assert rows[0] == ["system", "segment", "metric", "score"]
    assert len(rows) == 1 + 2 * 4 * 2
    assert ["P1R1", "2", "frs", "1.0"] in rows


def test_a_single_system_has_no_table_of_marks(files: list[str], capsys: Captured) -> None:
    shown = evaluated(capsys, *files[:2], "-r", "r1", files[-1])
    assert "row against column" not in shown


@pytest.mark.parametrize(
    ("replaced", "text", "code", "reason"),
    [
        ("references.txt", REFERENCE + "x\n", 3, "good.conllu: has trees for 2 sentences, but"),
        (
            "references.txt",
            REFERENCE.replace("mice", "rats"),
            3,
            "'rats' is not among the words of",
        ),
        ("references.txt", REFERENCE.replace("}}", ""), 3, "references.txt:1: {{ is never closed"),
        ("bad.conllu", conllu(DOGS), 3, "bad.conllu: has trees for 1 sentence, but"),
        ("bad.conllu", conllu(CATS, DOGS).replace("2\tnsubj", "1\tnsubj"), 3, "in a cycle"),
    ],
)
def test_what_does_not_fit_is_one_line_and_writes_nothing(
    replaced: str,
    text: str,
    code: int,
    reason: str,
    files: list[str],
    tmp_path: Path,
    capsys: Captured,
) -> None:
    written(tmp_path, replaced, text)
    segments = tmp_path / "segments.tsv"
    assert run(["preorder", "evaluate", *files, "--segments", str(segments)]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert reason in captured.err
    assert captured.err.count("\n") == 1
    assert not segments.exists()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "mine.toml: the file is empty"),
        (
            '[[rule]]\nhead = "VERB"\norder = ["nsbj", "OTHER", "HEAD"]\n',
            "mine.toml:3: rule 1 (VERB): field order: there is no label 'nsbj'; did you mean nsubj?",
        ),
    ],
)
@pytest.mark.parametrize("command", ["evaluate", "analyse", "select"])
def test_rules_that_cannot_be_read_are_one_line_and_write_nothing(
    command: str, text: str, reason: str, files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    rules = written(tmp_path, "mine.toml", text)
    assert run(["preorder", command, *files[:2], "-r", rules, files[-1]]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert reason in captured.err
    assert captured.err.count("\n") == 1


def test_rule_sets_of_one_name_are_refused(files: list[str], capsys: Captured) -> None:
    assert run(["preorder", "evaluate", *files, "-r", "r1"]) == 3
    assert "two rule sets are called 'r1'; give each of them once" in capsys.readouterr().err


def test_a_rule_set_that_never_fires_is_told(
    files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    untagged = tuple((form, "_", head, label) for form, _, head, label in CATS)
    trees = written(tmp_path, "untagged.conllu", conllu(untagged))
    reference = written(tmp_path, "one.txt", REFERENCE.splitlines()[0])
    arguments = ["evaluate", "-R", reference, "-r", "r1", "-r", "r5", "-r", "r3", trees]
    told = (
        f"kilter: {trees}: no rule of r5 fires, all words stay in place; heads have no tags, column UPOS "
        "is empty, and the rules are for VERB NOUN ADP\n"
    )
    assert run(["preorder", *arguments]) == 0
    assert capsys.readouterr().err == told
    assert run(["preorder", *arguments, "-q"]) == 0
    assert capsys.readouterr().err == ""
    for command in (["apply"], ["analyse", "-R", reference], ["select", "-R", reference]):
        assert run(["preorder", *command, "-r", "r5", trees]) == 0
        assert told in capsys.readouterr().err
    rules = written(tmp_path, "x.toml", '[[rule]]\nhead = "X"\norder = ["OTHER", "HEAD"]\n')
    assert run(["preorder", "apply", "-r", rules, files[-1]]) == 0
    assert "heads have the tags NOUN VERB, and the rules are for X" in capsys.readouterr().err


def test_further_parses_are_left_out_with_a_note(tmp_path: Path, capsys: Captured) -> None:
    ranked = conllu(DOGS, DOGS).replace("sent_id = 2\n", "sent_id = 1\n# parse = 2\n")
    path = written(tmp_path, "nbest.conllu", ranked)
    reference = written(tmp_path, "one.txt", "Dogs sleep .\n")
    told = "nbest.conllu: the first parse of each sentence counts; 1 further one left out\n"
    arguments = ["evaluate", "-R", reference, "-r", "r1"]
    assert run(["preorder", *arguments, path]) == 0
    assert capsys.readouterr().err.endswith(told)
    plain = written(tmp_path, "plain.conllu", conllu(DOGS))
    assert run(["preorder", *arguments, plain, "--gold", path]) == 0
    assert capsys.readouterr().err.endswith(told)
    assert run(["preorder", "apply", "-r", "r1", path]) == 0
    assert capsys.readouterr().err.endswith(told)


def test_parses_that_are_numbered_otherwise_are_recognised(
    files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    ranked = conllu(DOGS, DOGS, CATS).replace("sent_id = 2\n", "sent_id = 1\n# rank = 2\n")
    path = written(tmp_path, "ranked.conllu", ranked)
    assert run(["preorder", "select", *files[:2], "-r", "r1", path]) == 3
    hint = "; parses of one sentence are numbered by comments, '# parse = 1', '# parse = 2', ..."
    assert capsys.readouterr().err.rstrip("\n").endswith(hint)
    assert (
        run(["preorder", "evaluate", *files[:4], written(tmp_path, "c", conllu(*[CATS, DOGS] * 2))])
        == 3
    )
    assert "# parse" not in capsys.readouterr().err


def test_one_sentence_has_no_intervals_and_claims_none(tmp_path: Path, capsys: Captured) -> None:
    reference = written(tmp_path, "one.txt", "Dogs sleep .\n")
    trees = written(tmp_path, "one.conllu", conllu(DOGS))
    shown = evaluated(capsys, "-R", reference, "-r", "r1", trees)
    assert "1 sentence.\n" in shown
    assert "bootstrap" not in shown


def test_parsers_are_called_as_their_files(
    files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "more").mkdir()
    other = written(tmp_path / "more", "good.conllu", conllu(CATS, DOGS))
    shown = json.loads(evaluated(capsys, *files[:4], files[-2], other, "--format", "json"))
    assert [system["parser"] for system in shown["systems"]] == [files[-2], other]
    assert run(["preorder", "evaluate", *files, files[-1]]) == 3
    assert "bad.conllu: is given twice" in capsys.readouterr().err


def test_watching_writes_no_parquet_which_holds_one_result(
    files: list[str], capsys: Captured
) -> None:
    asked = ["preorder", "evaluate", *files, "-r", "mine.toml", "--watch", "--format", "parquet"]
    assert run(asked) == 2
    assert "a Parquet file holds one result" in capsys.readouterr().err


def test_watching_needs_a_file(files: list[str], capsys: Captured) -> None:
    assert run(["preorder", "evaluate", *files, "--watch"]) == 2
    assert "--watch needs a rule file" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_watching_shows_what_an_edit_did(form: str, files: list[str], tmp_path: Path) -> None:
    rules = tmp_path / "mine.toml"
    rules.write_text('method = "none"\n', encoding="utf-8")
    arguments = ["preorder", "evaluate", *files[:2], "-r", str(rules), files[-1], "--watch"]
    arguments += ["--format", form]
    with subprocess.Popen(
        [KILTER, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        assert running.stdout is not None
        try:
            _read_until(running.stdout, "kendall|" if form == "text" else '"P1R1"')
            _edit(rules, "method = 3\n")
            assert "method is 3; it must be a text" in _read_until(running.stdout, "method is")
            _edit(rules, 'method = "reverse"\n')
            shown = _read_until(running.stdout, "kendall  P1R1")
        finally:
            running.terminate()
    assert "mine.toml has changed" in shown
    assert "change since the last run" in shown
    change = next(line for line in shown.splitlines() if line.startswith("frs      P1R1"))
    assert change.split()[4].startswith("-")
    assert change.endswith("2 (2 1)")


def _edit(path: Path, text: str) -> None:
    time.sleep(0.02)  # so that the file gets another time stamp
    path.write_text(text, encoding="utf-8")


def _read_until(stream: IO[str], end: str) -> str:
    shown = ""
    for line in stream:
        shown += line
        if line.startswith(end) or end in line:
            return shown
    raise AssertionError(shown)


def test_segments_never_go_over_a_file_that_is_read(
    files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    gold = written(tmp_path, "gold.conllu", conllu(CATS, DOGS))
    read = [files[1], *files[-2:], gold]
    before = [Path(path).read_bytes() for path in read]
    for path in read:
        tables = tmp_path / f"{Path(path).name}.tsv"
        tables.symlink_to(path)
        assert run(["preorder", "evaluate", *files, "--gold", gold, "--segments", str(tables)]) == 2
        assert f"--segments {tables}" in capsys.readouterr().err
    assert [Path(path).read_bytes() for path in read] == before


def test_lower_cased_trees_score_as_those_of_the_text(
    files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    lowered = [[(row[0].lower(), *row[1:]) for row in words] for words in (WORSE, DOGS)]
    lower = written(tmp_path, "lower.conllu", conllu(*map(tuple, lowered)))
    asked = ["preorder", "evaluate", *files[:2], "-r", "r4", "--format", "tsv"]
    assert run([*asked, files[-1]]) == 0
    expected = capsys.readouterr().out.splitlines()[1].split("\t")[3:]
    assert run([*asked, lower]) == 3
    capsys.readouterr()
    assert run([*asked, lower, "--lowercase-trees"]) == 2
    assert "give --source FILE, --gold FILE, or references as .jsonl" in capsys.readouterr().err
    text = written(tmp_path, "text.en", "Cats chase small mice at night .\nDogs sleep .\n")
    for given in (["-s", text], ["--gold", files[-1]]):
        assert run([*asked, lower, "--lowercase-trees", *given]) == 0
        assert capsys.readouterr().out.splitlines()[1].split("\t")[3:][:4] == expected[:4]


def test_trees_in_the_place_of_references_are_told_as_such(
    tmp_path: Path, capsys: Captured
) -> None:
    trees = written(tmp_path, "trees.conllu", conllu(CATS, DOGS))
    assert run(["preorder", "evaluate", "-r", "r1", "-R", trees, trees]) == 3
    told = (
        "holds dependency trees in CoNLL-U where there should be reordered sentences, one a line, "
    )
    assert capsys.readouterr().err == (
        f"kilter: {trees}: {told}such as the reference reorderings that -R names\n"
    )


LEMMAS = '[[rule]]\nhead = "VERB"\nwhen = { lemma = "chase" }\norder = ["OTHER", "HEAD"]\n'


@pytest.mark.parametrize("command", ["evaluate", "analyse", "apply"])
def test_rules_that_look_at_lemmas_are_refused_before_a_parser_runs(
    files: list[str],
    tmp_path: Path,
    command: str,
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def parse(*_: object, **__: object) -> None:
        pytest.fail("a sentence was parsed")

    monkeypatch.setattr("kilter.cli.parses.parse_sentences", parse)
    rules = written(tmp_path, "lemmas.toml", LEMMAS)
    source = written(tmp_path, "text.en", "Cats chase small mice at night .\nDogs sleep .\n")
    texts = [source] if command == "apply" else [*files[:2], "-s", source]
    assert run(["preorder", command, "-r", rules, *texts, "--parser", "perceptron"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "lemmas looks at lemmas, and no parser gives any" in line
    assert "kilter preorder search" in line


def test_rules_may_look_at_the_lemmas_of_a_file(
    files: list[str], tmp_path: Path, capsys: Captured
) -> None:
    rows = conllu(CATS, DOGS).replace("chase\t_", "chase\tchase")
    trees = written(tmp_path, "lemmas.conllu", rows)
    rules = written(tmp_path, "lemmas.toml", LEMMAS)
    assert run(["preorder", "evaluate", *files[:2], "-r", rules, trees]) == 0
    assert "P1R1" in capsys.readouterr().out
