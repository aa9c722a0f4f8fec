"""`kilter latency`."""

import json
from pathlib import Path

import pytest

import kilter as package
from kilter.io.link_format import LinkFormat
from tests.cli.command import kilter
from tests.cli.sample import written
from tests.run.test_latency import DELAYS, LINKS, SOURCE, TEXT

FILES = {
    "source": SOURCE,
    "text": TEXT,
    "links": [" ".join(f"{s}-{t}" for s, t in links) for links in LINKS],
    "delays": [" ".join(map(str, each)) for each in DELAYS],
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    return {
        name: written(tmp_path, name, "".join(f"{line}\n" for line in lines))
        for name, lines in FILES.items()
    }


def test_the_command_prints_what_python_returns(files: dict[str, str], tmp_path: Path) -> None:
    figure, words = str(tmp_path / "one.svg"), str(tmp_path / "words.tsv")
    asked = [
        *("latency", files["text"], "-s", files["source"], "-a", files["links"]),
        *("--delays", files["delays"], "--format", "json", "--resamples", "40"),
    ]
    done = kilter(*asked)
    page = str(tmp_path / "page.html")
    whole = kilter(*asked, "--figure", figure, "--words", words, "--report", page)
    text = package.DelayedText.of(TEXT, SOURCE, delays=DELAYS, name="text")
    found = package.latency(
        text,
        links=package.LinkBatch.of(LINKS),
        resampling=package.Resampling(resamples=40),
    )
    assert json.loads(done.out) == found.to_dict()
    assert (whole.code, whole.out) == (0, done.out)
    assert "text, segment 1" in Path(figure).read_text(encoding="utf-8")
    assert "text, segment 1: forced" in Path(page).read_text(encoding="utf-8")
    assert len(Path(words).read_text(encoding="utf-8").splitlines()) == 1 + 10


def test_workers_change_nothing(files: dict[str, str]) -> None:
    asked = ("latency", files["text"], "-s", files["source"], "-a", files["links"])
    assert kilter(*asked, "--workers", "2").out == kilter(*asked).out


def test_a_reference_is_measured_beside_systems(files: dict[str, str]) -> None:
    done = kilter(
        *("latency", files["text"], "-s", files["source"], "-a", files["links"]),
        *("-r", files["text"], "--links-reference", files["links"], "--format", "json"),
    )
    found = json.loads(done.out)
    least = [each["measures"]["least lag"]["value"] for each in found["systems"].values()]
    assert list(found["systems"]) == ["text", "reference"]
    assert least[0] == least[1] > 0


@pytest.mark.parametrize("form", [form for form in LinkFormat if not form.blocks])
def test_links_of_other_formats_are_read(
    form: LinkFormat, files: dict[str, str], tmp_path: Path
) -> None:
    batch = package.LinkBatch.of(LINKS)
    texts = [line.split() for line in SOURCE], [line.split() for line in TEXT]
    lines = package.write_links(batch, form=form, texts=texts)
    links = written(tmp_path, "other", "".join(f"{line}\n" for line in lines))
    done = kilter(
        "latency", files["text"], "-s", files["source"], "-a", links, "--link-format", form
    )
    plain = kilter("latency", files["text"], "-s", files["source"], "-a", files["links"])
    assert (done.code, done.out) == (0, plain.out)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["{text}"], "is a text; give its source, -s FILE"),
        (["{text}", "-s", "{source}", "-a", "{links}", "-a", "{links}"], "give 1 file of links with -a"),
        (["{text}", "-s", "{source}", "--figure", "x.svg"], "--figure needs links"),
        (["{text}", "-s", "{source}", "--times", "{delays}"], "--times needs links"),
        (["{text}", "-r", "{text}", "--links-reference", "{links}"], "needs the source, -s"),
        (
            ["{text}", "-s", "{source}", "--delays", "{delays}", "--delays", "{links}"],
            "more files of --delays than texts",
        ),
        (
            ["{text}", "-s", "{source}", "-r", "{text}", "--links-reference", "{links}", "--figure", "x.svg"],
            "--figure draws links of the first system",
        ),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused(
    arguments: list[str], told: str, files: dict[str, str]
) -> None:
    done = kilter("latency", *(each.format(**files) for each in arguments))
    assert done.code == 2
    assert told in " ".join(done.err.split())


def test_a_page_replaces_no_file_that_is_read(files: dict[str, str]) -> None:
    done = kilter("latency", files["text"], "-s", files["source"], "--report", files["text"])
    assert done.code == 2
    assert "--report" in done.err
    assert Path(files["text"]).read_text(encoding="utf-8").splitlines() == TEXT


def test_files_that_do_not_fit_are_told_with_their_line(
    files: dict[str, str], tmp_path: Path
) -> None:
    short = written(tmp_path, "short", "1 2\n")
    done = kilter("latency", files["text"], "-s", files["source"], "--delays", short)
    assert done.code == 3
    assert "has 1 line, but" in done.err
    wrong = written(tmp_path, "wrong", "1 2 3 4 5\n1 2\n1\n")
    done = kilter("latency", files["text"], "-s", files["source"], "--delays", wrong)
    assert (done.code, "wrong:2: has 2 delays for the 4 words of" in done.err) == (3, True)
    log = written(tmp_path, "reference", '{"prediction": "a", "delays": [1], "source_length": 2}\n')
    done = kilter("latency", log, "-a", files["links"])
    assert "does not hold its source; give it, -s FILE, with links" in done.err


def test_standard_input_is_a_log_or_with_a_source_a_text(files: dict[str, str]) -> None:
    row = '{"prediction": "a b", "delays": [1, 2], "source_length": 2}\n'
    log = kilter("latency", "-", "--format", "json", stdin=row.encode())
    assert json.loads(log.out)["systems"]["stdin"]["measures"]["AL"]["value"] == 1.0
    text = Path(files["text"]).read_bytes()
    read = kilter("latency", "-", "-s", files["source"], "-a", files["links"], stdin=text)
    assert (read.code, "least lag" in read.out) == (0, True)
    assert kilter("latency", files["text"], files["text"], "-s", files["source"]).code == 3
