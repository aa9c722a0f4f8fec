"""`kilter align`."""

from pathlib import Path

import pytest

from kilter.cli.main import run
from kilter.io.links import read_links
from kilter.io.stream import ByteSource
from kilter.run.demo import SAMPLE
from tests.cli.command import kilter
from tests.cli.sample import REFERENCE, VERB, written

Captured = pytest.CaptureFixture[str]
TOKENISED = [
    "--source",
    str(SAMPLE / "source.tok.de"),
    "--target",
    str(SAMPLE / "reference.tok.en"),
]


def ran(capsys: Captured, *arguments: str) -> str:
    assert run(["align", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


@pytest.fixture
def pair(tmp_path: Path) -> list[str]:
    """Return the arguments that align a system of three segments with its reference."""
    system = written(tmp_path, "s", "the mat sat on the cat\n\nb a\n")
    reference = written(tmp_path, "r", "the cat sat on the mat\nx\na b\n")
    return [system, "-r", reference]


def test_a_system_is_matched_with_its_reference(pair: list[str], capsys: Captured) -> None:
    assert ran(capsys, *pair) == "0-4 1-5 2-2 3-3 4-0 5-1\n\n0-1 1-0\n"


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("pharaoh", "0-4 1-5 2-2 3-3 4-0 5-1\n\n0-1 1-0\n"),
        ("pharaoh-1", "1-5 2-6 3-3 4-4 5-1 6-2\n\n1-2 2-1\n"),
        ("talp", "1-5 2-6 3-3 4-4 5-1 6-2\n\n1-2 2-1\n"),
        ("moses", "0=4 1=5 2=2 3=3 4=0 5=1\n\n0=1 1=0\n"),
        ("target-lists", "4,5,2,3,0,1\n\n1,0\n"),
    ],
)
def test_links_are_written_in_every_form(
    form: str, expected: str, pair: list[str], capsys: Captured
) -> None:
    assert ran(capsys, *pair, "--format", form) == expected


@pytest.mark.parametrize(
    "form",
    ["pharaoh", "pharaoh-1", "sure-possible", "talp", "naacl", "moses", "target-lists", "meteor"],
)
def test_written_links_are_read_back(form: str, tmp_path: Path, capsys: Captured) -> None:
    expected = ran(capsys, VERB, "-r", REFERENCE)
    path = written(tmp_path, "links", ran(capsys, VERB, "-r", REFERENCE, "--format", form))
    found = read_links(ByteSource(path), form=form, segments=48).sure
    lines = [" ".join(f"{i}-{j}" for i, j in found.segment(s)) for s in range(len(found))]
    assert lines == expected.splitlines()


def test_a_source_is_aligned_with_its_target_by_hmm(capsys: Captured) -> None:
    lines = ran(capsys, *TOKENISED).splitlines()
    assert lines == ran(capsys, *TOKENISED, "--aligner", "hmm", "-j", "2").splitlines()
    gold = (SAMPLE / "gold.source-reference.links").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(gold) == 48
    found, expected = (
        {(number, link) for number, line in enumerate(each) for link in line.split()}
        for each in (lines, gold)
    )
    assert len(found & expected) / len(found) > 0.4
    assert lines != ran(capsys, *TOKENISED, "--aligner", "ibm1").splitlines()


def test_given_links_score_as_those_of_the_aligner(tmp_path: Path, capsys: Captured) -> None:
    path = written(tmp_path, "links", ran(capsys, VERB, "-r", REFERENCE))
    asked = ["score", "-r", REFERENCE, VERB, "-m", "pef", "-m", "kendall", "--format", "tsv"]
    found = []
    for extra in (["-a", path], []):
        assert run([*asked, *extra]) == 0
        lines = capsys.readouterr().out.splitlines()
        found.append([line.split("\t")[:5] for line in lines])
    assert found[0] == found[1]


def test_case_and_tokeniser_can_be_chosen(tmp_path: Path, capsys: Captured) -> None:
    pair = [written(tmp_path, "s", "The cat.\n"), "-r", written(tmp_path, "r", "the cat .\n")]
    strict = ["--aligner", "match:case=keep"]
    assert ran(capsys, *pair, *strict, "--tokenize", "13a") == "1-1 2-2\n"
    assert ran(capsys, *pair, *strict, "--tokenize", "13a", "--lowercase") == "0-0 1-1 2-2\n"


def test_the_language_chooses_the_stemmer(tmp_path: Path, capsys: Captured) -> None:
    pair = [written(tmp_path, "s", "Häuser\n"), "-r", written(tmp_path, "r", "Hauses\n")]
    assert ran(capsys, *pair, "-l", "de") == "0-0\n"
    assert ran(capsys, *pair, "-l", "en", "--aligner", "match") == "\n"


def test_english_is_aligned_with_the_model_as_score_does(tmp_path: Path, capsys: Captured) -> None:
    pair = [written(tmp_path, "s", "a large car\n"), "-r", written(tmp_path, "r", "a big car\n")]
    assert ran(capsys, *pair) == "0-0 2-2\n"
    assert ran(capsys, *pair, "-l", "en") == "0-0 1-1 2-2\n"


def test_one_text_may_come_from_standard_input(pair: list[str]) -> None:
    data = Path(pair[0]).read_bytes()
    assert kilter("align", "-", *pair[1:], stdin=data) == kilter("align", *pair)
    both = kilter("align", "-", "-r", "-")
    assert (both.code, both.out) == (2, "")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["x"],
        ["-r", "x"],
        ["--source", "x"],
        ["x", "-r", "x", "--source", "x", "--target", "x"],
        [VERB, "-r", REFERENCE, "--aligner", "none"],
        [VERB, "-r", REFERENCE, "--format", "xml"],
        [VERB, "-r", REFERENCE, "--tokenize", "x"],
    ],
)
def test_wrong_usage_is_exit_code_two(arguments: list[str], capsys: Captured) -> None:
    assert run(["align", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("kilter: ")


def test_texts_of_different_lengths_are_exit_code_three(tmp_path: Path) -> None:
    short = written(tmp_path, "short", "a\n")
    found = kilter("align", short, "-r", REFERENCE)
    assert (found.code, found.out) == (3, "")
    assert f"{short}: has 1 line, but {REFERENCE} has 48" in found.err
    missing = kilter("align", "nowhere", "-r", REFERENCE)
    assert (missing.code, missing.out) == (3, "")


def test_an_unspaced_script_as_one_word_stops_with_advice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "text.zh"
    path.write_text("我今天去学校上课\n他喜欢吃苹果派吗\n", encoding="utf-8")
    assert run(["align", "-r", str(path), str(path)]) == 3
    assert "written without blanks" in capsys.readouterr().err


@pytest.mark.parametrize("extra", [["--source", VERB], ["--target", VERB]])
def test_a_text_that_would_not_be_aligned_is_wrong_usage(
    extra: list[str], pair: list[str], capsys: Captured
) -> None:
    assert run(["align", *pair, *extra]) == 2
    assert "give either SYSTEM with -r FILE, or --source with --target" in capsys.readouterr().err
    assert run(["align", *TOKENISED, *pair[:1]]) == 2


def test_links_are_written_with_their_certainty(tmp_path: Path, capsys: Captured) -> None:
    system = written(tmp_path, "s", "cats colours here\n")
    reference = written(tmp_path, "r", "here colors cat\n")
    asked = [system, "-r", reference, "--aligner", "match:stages=exact+stem+similar"]
    assert ran(capsys, *asked, "--format", "naacl", "--probabilities") == (
        "1 1 3 S 0.7000\n1 2 2 S 0.6615\n1 3 1 S 1.0000\n"
    )
    assert run(["align", *asked, "--probabilities"]) == 2
    assert "pharaoh has no place for the certainty" in capsys.readouterr().err


@pytest.mark.parametrize(
    "option",
    [
        ["--format", "naacl"],
        ["--aligner", "hmm"],
        ["--probabilities"],
        ["--cache", "x"],
        ["-l", "de"],
    ],
)
def test_an_option_of_aligners_says_nothing_about_agreement(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: list[str]
) -> None:
    (tmp_path / "links").write_text("0-0\n", encoding="utf-8")
    links = str(tmp_path / "links")
    assert run(["align", "--agreement", links, links]) == 0
    assert run(["align", "--agreement", links, links, *option]) == 2
    assert "leave out --" in capsys.readouterr().err


@pytest.mark.parametrize(
    "option", [["--possible"], ["--intervals"], ["--table", "json"], ["--link-format", "giza"]]
)
def test_an_option_of_agreement_says_nothing_about_aligners(
    capsys: pytest.CaptureFixture[str], option: list[str]
) -> None:
    assert run(["align", "--source", "x", "--target", "y", *option]) == 2
    assert "goes with --agreement" in capsys.readouterr().err


def test_any_number_of_workers_writes_the_same_links(pair: list[str], capsys: Captured) -> None:
    assert ran(capsys, *pair, "--workers", "2") == ran(capsys, *pair)


def test_a_file_that_an_option_names_is_not_replaced(tmp_path: Path) -> None:
    named = tmp_path / "synonyms.txt"
    named.write_text("small\tlittle\n", encoding="utf-8")
    aligner = f"match:stages=exact+synonym,synonyms={named}"
    done = kilter("align", "-r", REFERENCE, VERB, "--aligner", aligner, "-o", str(named))
    assert (done.code, f"--output {named} would replace an input" in done.err) == (2, True)
    assert named.read_text(encoding="utf-8") == "small\tlittle\n"


@pytest.mark.parametrize("stages", ["exact", "exact+stem", "similar"])
@pytest.mark.parametrize("language", ["tr", "az-Latn"])
def test_turkish_words_match_in_any_case(
    tmp_path: Path, capsys: Captured, language: str, stages: str
) -> None:
    system = written(tmp_path, "s", "Irmaktan döndüm\nBugün İzmirde\n")
    reference = written(tmp_path, "r", "Döndüm ırmaktan\nİZMİRDE bugün\n")
    texts = [system, "-r", reference, "--aligner", f"match:stages={stages}"]
    assert ran(capsys, *texts, "-l", language) == "0-1 1-0\n0-1 1-0\n"
    assert ran(capsys, *texts, "-l", language, "--lowercase") == "0-1 1-0\n0-1 1-0\n"
    if stages == "exact":
        assert ran(capsys, *texts) == "1-0\n0-1 1-0\n"
        assert ran(capsys, *texts, "-l", "en") == "1-0\n0-1 1-0\n"
