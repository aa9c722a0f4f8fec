"""`kilter variation`."""

import json
from pathlib import Path

import pytest

import kilter as package
from kilter.io.link_format import LinkFormat
from tests.cli.command import kilter
from tests.cli.sample import written
from tests.run.test_variation import FEW, LINKS, SOURCE, TEXTS, translations


def lines(*rows: str) -> str:
    return "".join(f"{row}\n" for row in rows)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, rows in TEXTS.items():
        written(tmp_path, name, lines(*rows))
        linked = (" ".join(f"{s}-{t}" for s, t in links) for links in LINKS[name])
        written(tmp_path, f"{name}.links", lines(*linked))
    given = ["-s", written(tmp_path, "source", lines(*SOURCE)), "--resamples", "40"]
    for name in TEXTS:
        given += ["-a", str(tmp_path / f"{name}.links"), str(tmp_path / name)]
    return given


def test_the_command_prints_what_python_returns(files: list[str], tmp_path: Path) -> None:
    figure, words = str(tmp_path / "all.svg"), str(tmp_path / "words.tsv")
    done = kilter("variation", *files, "--format", "json", "--figure", figure, "--words", words)
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == package.variation(translations(), resampling=FEW).to_dict()
    assert "Translations of one source" in Path(figure).read_text(encoding="utf-8")
    again = json.loads(kilter("variation", words, "--resamples", "40", "--format", "json").out)
    assert again["measures"] == json.loads(done.out)["measures"]
    assert "is given twice" in kilter("variation", words, words).err
    other = written(tmp_path, "other.tsv", Path(words).read_text(encoding="utf-8"))
    twice = kilter("variation", words, other)
    assert (twice.code, "two tables hold the session" in twice.err) == (2, True)
    text = kilter("variation", written(tmp_path, "plain", "the cat the dog\n"))
    assert "table of source tokens of TPR-DB" in text.err


@pytest.mark.parametrize("form", [form for form in LinkFormat if not form.blocks])
def test_links_of_other_formats_are_read(form: LinkFormat, tmp_path: Path) -> None:
    texts = [line.split() for line in SOURCE], [line.split() for line in TEXTS["usual"]]
    batch = package.LinkBatch.of(LINKS["usual"])
    text = written(tmp_path, "text", lines(*TEXTS["usual"]))
    asked = ("variation", text, "-s", written(tmp_path, "source", lines(*SOURCE)))
    outputs = []
    for each in (form, LinkFormat.PHARAOH):
        rows = package.write_links(batch, form=each, texts=texts)
        links = written(tmp_path, str(each), lines(*rows))
        outputs.append(kilter(*asked, "-a", links, "--link-format", each))
    assert outputs[0].code == 0
    assert outputs[0].out == outputs[1].out


def test_trees_of_both_sides_give_sacr(files: list[str], tmp_path: Path) -> None:
    def tree(line: str) -> list[str]:
        words = line.split()
        return [
            *(
                f"{k}\t{word}\t_\tX\t_\t_\t{0 if k == 1 else 1}\t{'root' if k == 1 else 'dep'}\t_\t_"
                for k, word in enumerate(words, 1)
            ),
            "",
        ]

    def trees(name: str, rows: list[str]) -> str:
        return written(tmp_path, name, lines(*(each for row in rows for each in tree(row))))

    asked = ["variation", *files, "--format", "json", "--trees", trees("s.conllu", SOURCE)]
    sides = [
        part
        for name, rows in TEXTS.items()
        for part in ("--trees-target", trees(f"{name}.conllu", rows))
    ]
    plain, done = kilter(*asked), kilter(*asked, *sides)
    assert json.loads(plain.out)["systems"]["usual"]["sacr"]["value"] is None
    assert json.loads(done.out)["systems"]["usual"]["sacr"]["value"] == 1.0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["a", "-s", "b"], "give 1 file of links with -a, one per translation"),
        (
            [
                "a",
                "-s",
                "b",
                "-a",
                "c",
                "--trees",
                "d",
                "--trees-target",
                "e",
                "--trees-target",
                "f",
            ],
            "one per translation",
        ),
        (["a", "--trees", "d", "--trees-target", "e"], "--trees-target needs texts and links"),
    ],
)
def test_what_does_not_go_together_is_refused(
    arguments: list[str], told: str, tmp_path: Path
) -> None:
    paths = {name: written(tmp_path, name, "x\n") for name in "abcdef"}
    done = kilter("variation", *(paths.get(each, each) for each in arguments))
    assert done.code == 2
    assert told in " ".join(done.err.split())
