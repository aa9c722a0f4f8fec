"""What functions of the package return is what commands print."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import kilter
from kilter.core.errors import InputError, OptionError
from tests.cli.command import kilter as command
from tests.docs.pages import ROOT
from tests.parsers.small_treebank import sentences

EXAMPLES = ROOT / "examples"


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


def file(name: str) -> str:
    return str(EXAMPLES / name)


def printed(*arguments: str) -> str:
    done = command(*arguments)
    assert done.code == 0, done.err
    return done.out


@pytest.mark.parametrize(
    "options", [{}, {"lowercase": True, "tokenize": "13a"}, {"aligner": "ribes"}]
)
def test_align_gives_the_links_that_the_command_writes(options: dict[str, str | bool]) -> None:
    flags = [
        part
        for name, value in options.items()
        for part in ([f"--{name}"] if value is True else [f"--{name}", str(value)])
    ]
    found = kilter.align(lines("verb.en"), lines("reference.en"), **options)  # type: ignore[arg-type]
    written = printed("align", "-r", file("reference.en"), file("verb.en"), *flags)
    texts = [[line.split() for line in lines(name)] for name in ("verb.en", "reference.en")]
    assert "\n".join(kilter.write_links(found, texts=(texts[0], texts[1]))) + "\n" == written


def test_links_of_align_can_be_scored() -> None:
    texts = lines("verb.en"), lines("reference.en")
    aligned = kilter.align(*texts)
    run = kilter.score(*texts, metrics="kendall")
    for links in (kilter.Links(hypothesis_reference=((aligned,),)), aligned):
        given = kilter.score(*texts, links=links, metrics="kendall")
        assert given.system["kendall"].score == run.system["kendall"].score
    with pytest.raises(InputError, match="1 batch for 2 systems; give one for each"):
        kilter.compare({"a": texts[0], "b": texts[0]}, texts[1], links=aligned)
    between_blanks = kilter.align(*texts, tokenize="none")
    made = kilter.reorder.make(texts[0], between_blanks, target=texts[1])
    assert len(made) == len(texts[0])


def test_a_file_of_links_can_be_scored(tmp_path: Path) -> None:
    texts = lines("verb.en"), lines("reference.en")
    aligned = kilter.align(*texts)
    path = tmp_path / "links"
    path.write_text("".join(f"{line}\n" for line in kilter.write_links(aligned)), encoding="utf-8")
    found = [
        kilter.score(*texts, links=links, metrics="kendall").to_dict()
        for links in (aligned, kilter.LinkPath(str(path)))
    ]
    assert found[0] == found[1]


def test_aligners_and_parsers_may_be_given_as_they_are_made() -> None:
    texts = lines("verb.en"), lines("reference.en")
    for name in ("ribes", "match:language=de"):
        found, expected = (kilter.align(*texts, aligner=a) for a in (kilter.aligner(name), name))
        assert found.links.tolist() == expected.links.tolist()
    made = kilter.parser("perceptron")
    assert list(kilter.write_conllu(kilter.parse(texts[0], parser=made))) == list(
        kilter.write_conllu(kilter.parse(texts[0], parser="perceptron"))
    )
    assert kilter.perturb(texts[0], "swap", parser=made, degrees=1) == kilter.perturb(
        texts[0], "swap", parser="perceptron", degrees=1
    )


@pytest.mark.parametrize("tokenize", ["13a", "none"])
def test_parse_gives_the_trees_that_the_command_writes(tokenize: str) -> None:
    found = kilter.parse(lines("verb.en"), parser="perceptron", tokenize=tokenize)
    written = printed("parse", file("verb.en"), "--parser", "perceptron", "--tokenize", tokenize)
    assert "".join(kilter.write_conllu(found)) == written


@pytest.mark.parametrize("types", [["order"], ["swap", "phrase"]])
def test_perturb_gives_the_rows_that_the_command_writes(types: list[str]) -> None:
    flags = [part for kind in types for part in ("-t", kind)]
    parser = None if types == ["order"] else "perceptron"
    found = kilter.perturb(
        lines("reference.en"),
        [kilter.PerturbationType(kind) for kind in types],
        degrees=range(2, 4),
        variants=2,
        seed=7,
        parser=parser,
    )
    if parser:
        flags += ["--parser", parser]
    numbers = ("-d", "2-3", "--variants", "2", "--seed", "7", "-q")
    written = printed("perturb", file("reference.en"), *flags, *numbers)
    assert [row.to_dict() for row in found] == [json.loads(line) for line in written.splitlines()]


def test_perturb_takes_words_of_hypotheses_whose_trees_a_parser_makes() -> None:
    found = kilter.perturb(
        lines("reference.en"),
        "choice",
        degrees=1,
        hypotheses=lines("lexical.en"),
        parser="perceptron",
    )
    flags = ("--hypothesis", file("lexical.en"), "--parser", "perceptron", "-q")
    written = printed("perturb", file("reference.en"), "-t", "choice", "-d", "1", *flags)
    assert [row.to_dict() for row in found] == [json.loads(line) for line in written.splitlines()]


def test_perturb_refuses_trees_without_a_text_and_a_parser_without_work() -> None:
    tree = kilter.DependencyTree(["a", "b"], [1, -1])
    with pytest.raises(OptionError, match="hypothesis_trees are those of hypotheses"):
        kilter.perturb(["a b"], hypothesis_trees=[tree])
    with pytest.raises(OptionError, match="hypotheses need trees"):
        kilter.perturb(["a b"], hypotheses=["b a"])
    with pytest.raises(OptionError, match="the parser model would have nothing to do"):
        kilter.perturb(["a b"], trees=[tree], parser="model")


def test_validate_lists_the_problems_that_the_command_lists() -> None:
    assert kilter.validate([file("local.en")], [file("reference.en")]).problems == []
    report = kilter.validate([file("local.en")], [EXAMPLES / "trees-reference.en"])  # type: ignore[list-item]
    done = command("validate", "-r", file("trees-reference.en"), file("local.en"))
    assert done.code == 3
    assert "".join(f"{problem}\n" for problem in report.problems) == done.out


def test_files_are_named_by_a_text_or_a_path() -> None:
    by_name = kilter.read_trees(file("trees.conllu"))
    assert by_name.heads.tolist() == kilter.read_trees(EXAMPLES / "trees.conllu").heads.tolist()  # type: ignore[arg-type]
    with pytest.raises(InputError, match="nowhere: cannot be opened"):
        kilter.read_links("nowhere")


def test_one_system_is_no_comparison() -> None:
    with pytest.raises(
        kilter.InputError, match="hypotheses: is one system; a comparison needs two"
    ):
        kilter.compare(["a b"], ["a b"], metrics="kendall")


def test_nothing_to_check_is_told() -> None:
    with pytest.raises(
        kilter.KilterError, match="there is nothing to check; name at least one file"
    ):
        kilter.validate()


def test_trees_are_taken_as_a_parser_returns_them() -> None:
    lines = ["Anna reads a letter .", "She sleeps ."]
    parsed = kilter.parse(lines, parser="perceptron", tokenize="none")
    given = kilter.Trees(systems=[parsed], references=[parsed.trees])
    assert kilter.score(lines, lines, metrics="dted", trees=given).system["dted"].score == 1.0


def test_explain_gives_what_the_command_writes() -> None:
    sentences = "the mat sat on a cat", "a cat sat on the mat"
    found = kilter.explain(*sentences, metrics=["pef", "bleu"]).to_dict()
    written = printed("explain", *sentences, "-m", "pef", "-m", "bleu", "--format", "json")
    assert found == json.loads(written)


def test_explain_segments_gives_what_the_command_writes() -> None:
    chosen = kilter.SegmentChoice(worst=3)
    texts = lines("verb.en"), lines("reference.en")
    found = kilter.explain_segments(*texts, segments=chosen, metrics="kendall")
    files = ("-r", file("reference.en"), file("verb.en"), "--name", "system")
    written = printed("explain", *files, "--worst", "3", "-m", "kendall", "--format", "json")
    for one, line in zip(found, written.splitlines(), strict=True):
        expected = json.loads(line)
        ours = one.to_dict()
        # A reference is called by its file, or by its argument.
        ours["reference_name"] = expected["reference_name"]
        ours["metrics"]["kendall"]["reference"] = expected["reference_name"]
        assert ours == expected


def test_order_errors_gives_what_the_command_writes() -> None:
    texts = lines("verb.en"), lines("reference.en")
    (found,) = kilter.order_errors(*texts, metrics="kendall")
    asked = (
        "explain",
        "-r",
        file("reference.en"),
        file("verb.en"),
        "-m",
        "kendall",
        "--name",
        "system",
    )
    summed = printed(*asked, "--summary", "--format", "json")
    assert found.summary.to_dict() == json.loads(summed)
    spans = [json.loads(line) for line in printed(*asked, "--format", "spans").splitlines()]
    assert [*found.spans()] == spans
    assert found.to_dict() == found.summary.to_dict() | {"spans": spans}
    assert [*found.tags()] == printed(*asked, "--format", "tags").splitlines()
    assert [*found.tags(binary=True)] == printed(*asked, "--format", "binary-tags").splitlines()


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({"passes": 2, "voters": 1, "beam": 2, "held_out": 0.25, "language": "xx"},
         ["--passes", "2", "--voters", "1", "--beam", "2", "--held-out", "0.25", "-l", "xx"]),
        ({"kind": "network", "passes": 1, "lowercase": True, "held_out": 0.0, "seed": 3},
         ["--kind", "network", "--passes", "1", "--lowercase", "--held-out", "0", "--seed", "3"]),
    ],
    ids=["perceptron", "network"],
)  # fmt: skip
def test_a_parser_learns_what_the_command_writes(
    options: dict[str, Any], flags: list[str], tmp_path: Path
) -> None:
    bank, ours, theirs = (str(tmp_path / name) for name in ("bank.conllu", "ours", "theirs"))
    Path(bank).write_text(sentences(40), encoding="utf-8")
    trained = kilter.train_parser(bank, **options)
    trained.write(ours)
    shown = json.loads(printed("train", "parser", bank, "-o", theirs, "--format", "json", *flags))
    assert Path(ours).read_bytes() == Path(theirs).read_bytes()
    assert trained.card.to_dict() == {**shown, "files": tuple(shown["files"])}
    trees = kilter.parse(["an lama gati ."], parser=f"perceptron:model={ours}", tokenize="none")
    assert len(trees.trees) == 1


def test_a_treebank_that_is_read_teaches_as_its_file(tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in ("bank.conllu", "others.conllu")]
    for path, seed in zip(paths, (5, 6), strict=True):
        Path(path).write_text(sentences(24, seed), encoding="utf-8")
    read = [kilter.read_conllu(path) for path in paths]
    by_name = kilter.train_parser(paths, development=paths[1], passes=1, voters=1).card
    given = kilter.train_parser(read, development=read[1], passes=1, voters=1).card
    assert given.files == ("treebank 1", "treebank 2")
    assert (given.sentences, given.accuracy) == (by_name.sentences, by_name.accuracy)
    with pytest.raises(OptionError, match="a network has no voters; leave it out"):
        kilter.train_parser(paths, kind="network", voters=3)
    with pytest.raises(OptionError, match="voters is 0; it must be 1 or more"):
        kilter.train_parser(paths, voters=0)
    with pytest.raises(
        OptionError, match=r"kind is .forest.; it must be one of network, perceptron"
    ):
        kilter.train_parser(paths, kind="forest")


def test_weak_factorizations_are_those_that_the_command_lists() -> None:
    permutation = kilter.Permutation.from_one_based([1, 2, 3])
    found = sorted(permutation.weak_factorizations(), key=lambda each: len(each.spans))
    assert [tuple(each) for each in found] == [((1, 2, 3),), ((1, 2), (1, 2)), ((1, 2), (1, 2))]
    assert {each.spans for each in found} == {
        frozenset({(0, 3)}),
        frozenset({(0, 2), (0, 3)}),
        frozenset({(1, 3), (0, 3)}),
    }
    assert [each.tree().node_count for each in found] == [1, 2, 2]
    assert len([*kilter.Permutation.identity(5).weak_factorizations()]) == 45
    done = command("permutation", "--trees", "weak", stdin=b"1 2 3\n")
    assert len(done.out.splitlines()) == len(found)


def test_the_package_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kilter", "--version"], capture_output=True, check=True, text=True
    )
    assert done.stdout.startswith("kilter ")
