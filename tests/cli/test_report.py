"""`kilter report`."""

import json
import os
import re
import signal
import subprocess
import time
from http.client import HTTPConnection
from pathlib import Path

from kilter.run.demo import SYSTEMS
from kilter.run.explanation.report import TITLE
from tests.cli.command import KILTER, kilter
from tests.cli.sample import PATHS, REFERENCE, VERB, written

FEW = ["-m", "kendall", "--resamples", "20", "-q"]
_PATIENCE = 60.0


def data(path: Path) -> dict[str, object]:
    (found,) = re.findall(r'id="report-data">(.*?)</script>', path.read_text(encoding="utf-8"))
    read: dict[str, object] = json.loads(found)
    return read


def test_a_report_is_one_file_about_all_systems(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    done = kilter("report", "-r", REFERENCE, *PATHS, "-o", str(out), *FEW)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert data(out)["systems"] == [f"{name}.en" for name in SYSTEMS]
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_the_pair_that_is_looked_at_first_can_be_named(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    asked = ["report", "-r", REFERENCE, *PATHS, "-o", str(out), *FEW]
    for pair, expected in (([], [0, 1]), (["--pair", "phrase.en", "verb.en"], [2, 1])):
        assert kilter(*asked, *pair).code == 0
        assert data(out)["pair"] == expected
    done = kilter(*asked, "--pair", "phrase.en", "nobody")
    assert (done.code, "there is no system 'nobody'" in done.err) == (2, True)


def test_a_report_can_go_to_standard_output(tmp_path: Path) -> None:
    done = kilter("report", "-r", REFERENCE, VERB, "-o", "-", *FEW)
    assert (done.code, done.err) == (0, "")
    page = tmp_path / "report.html"
    page.write_text(done.out, encoding="utf-8")
    assert data(page)["systems"] == ["verb.en"]
    assert not Path("-").exists()


def test_scores_of_other_programs_are_columns_like_ours(tmp_path: Path) -> None:
    rows = [
        f"{name}.en\t{segment}\tedits\t{(segment * place) % 7}\n"
        for place, name in enumerate((*SYSTEMS, "other"), start=1)
        for segment in range(1, 49)
    ]
    given = tmp_path / "edits.tsv"
    given.write_text("system\tsegment\tmetric\tscore\n" + "".join(rows), encoding="utf-8")
    out = tmp_path / "report.html"
    asked = ["report", "-r", REFERENCE, *PATHS, "-o", str(out), *FEW, "--scores", str(given)]
    for more, higher in (([], True), (["--lower-is-better", "edits"], False)):
        done = kilter(*asked, *more)
        assert (done.code, done.err) == (0, "")
        metrics = data(out)["metrics"]
        assert metrics == [
            {"name": "kendall", "higher": True, "range": [0.0, 1.0]},
            {"name": "edits", "higher": higher, "range": [None, None]},
        ]
        page = out.read_text(encoding="utf-8")
        mean = sum(segment % 7 for segment in range(1, 49)) / 48
        assert f">{mean:.4f}" in page
        assert "Segment scores of edits are those of other programs" in page
    wrong = (
        (["--lower-is-better", "bleu"], 2, "there are no scores of 'bleu'"),
        (["--scores", str(given)], 3, "has scores of edits"),
        (["-m", "bleu", "--scores", REFERENCE], 3, REFERENCE),
    )
    for more, code, said in wrong:
        done = kilter(*asked, *more)
        assert (done.code, said in done.err) == (code, True), done.err
    done = kilter("report", "-r", REFERENCE, VERB, "-o", str(out), "--lower-is-better", "edits")
    assert (done.code, "goes with --scores" in done.err) == (2, True)


def test_a_report_without_a_reference_takes_the_source_and_its_links(tmp_path: Path) -> None:
    folder = Path(REFERENCE).parent
    source, system = (str(folder / name) for name in ("source.tok.de", "reference.tok.en"))
    links = ["--links-source-hypothesis", str(folder / "gold.source-reference.links")]
    out = tmp_path / "report.html"
    asked = ["report", system, "--tokenize", "none", "-o", str(out), "--resamples", "20", "-q"]
    done = kilter(*asked, "-s", source, *links)
    assert (done.code, done.err) == (0, "")
    assert data(out)["against"] == "source"
    for more in ([], ["-s", source], links):
        done = kilter(*asked, *more)
        assert (done.code, "reference" in done.err) == (2, True), done.err


def test_help_says_what_a_report_is_called() -> None:
    assert f"[default: {TITLE}]" in " ".join(kilter("report", "--help").out.split())
    page = kilter("report", "-r", REFERENCE, VERB, "-o", "-", *FEW).out
    assert f"<title>{TITLE}" in page
    named = kilter("report", "-r", REFERENCE, VERB, "-o", "-", "--title", "Tuesday", *FEW).out
    assert "<title>Tuesday" in named


def test_a_report_must_go_somewhere() -> None:
    done = kilter("report", "-r", REFERENCE, VERB)
    assert (done.code, "-o FILE" in done.err) == (2, True)


def test_an_input_is_never_replaced(tmp_path: Path) -> None:
    path = written(tmp_path, "system.en", Path(VERB).read_bytes())
    done = kilter("report", "-r", REFERENCE, path, "-o", path)
    assert (done.code, "would replace an input" in done.err) == (2, True)
    assert Path(path).read_bytes() == Path(VERB).read_bytes()


def test_figures_alone_can_be_written(tmp_path: Path) -> None:
    done = kilter("report", "-r", REFERENCE, *PATHS, "--figures", str(tmp_path / "f"), *FEW)
    assert done.code == 0
    assert {"systems-kendall.svg", "systems-kendall.pdf", "ranks.svg"} <= {
        path.name for path in (tmp_path / "f").iterdir()
    }


def test_where_figures_cannot_go_is_an_error_before_anything_is_computed(tmp_path: Path) -> None:
    taken = written(tmp_path, "figures", "a file")
    out = tmp_path / "report.html"
    asked = ["report", "-r", REFERENCE, VERB, *FEW, "-o", str(out), "--figures", taken]
    done = kilter(*asked)
    assert (done.code, "cannot be written" in done.err) == (3, True)
    assert not out.exists()


def test_how_figures_are_written_goes_with_figures(tmp_path: Path) -> None:
    done = kilter("report", "-r", REFERENCE, VERB, "-o", str(tmp_path / "r.html"), "--no-pdf")
    assert (done.code, "--no-pdf goes with --figures" in done.err) == (2, True)


def test_a_port_goes_with_serving(tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    done = kilter("report", "-r", REFERENCE, VERB, "-o", str(page), "--port", "8000")
    assert (done.code, "--port goes with --serve" in done.err) == (2, True)
    assert not page.exists()


def test_notes_are_said_unless_quiet(tmp_path: Path) -> None:
    line = written(tmp_path, "one.en", "a b c\n")
    asked = ["report", "-r", line, line, "-o", str(tmp_path / "report.html"), "-m", "kendall"]
    assert "one segment is no evidence" in kilter(*asked).err
    assert kilter(*asked, "-q").err == ""


def test_serving_takes_files_and_writes_none(tmp_path: Path) -> None:
    asked = ["report", "-r", REFERENCE, "--serve"]
    done = kilter(*asked, VERB, "-o", str(tmp_path / "report.html"))
    assert (done.code, "--serve shows the page" in done.err) == (2, True)
    done = kilter(*asked, "-", stdin=Path(VERB).read_bytes())
    assert (done.code, "standard input is not a file" in done.err) == (2, True)
    assert [*tmp_path.iterdir()] == []


def got(port: int, path: str) -> str:
    connection = HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)
    connection.request("GET", path)
    text = connection.getresponse().read().decode()
    connection.close()
    return text


def test_a_served_page_follows_its_files(tmp_path: Path) -> None:
    system = written(tmp_path, "system.en", Path(VERB).read_bytes())
    asked = [KILTER, "report", "-r", REFERENCE, system, "--serve", "--port", "0", *FEW[:-1]]
    process = subprocess.Popen(asked, stderr=subprocess.PIPE, text=True, env={**os.environ})
    try:
        assert process.stderr is not None
        said = process.stderr.readline()
        (port,) = re.findall(r"^report: http://127\.0\.0\.1:(\d+)/ ", said)
        assert got(int(port), "/").startswith("<!DOCTYPE html>")
        before = json.loads(got(int(port), "/version"))
        lines = Path(VERB).read_text(encoding="utf-8").splitlines()
        Path(system).write_text("\n".join(["Kilterword", *lines[1:]]) + "\n", encoding="utf-8")
        end = time.monotonic() + _PATIENCE
        while json.loads(got(int(port), "/version")) == before:
            assert time.monotonic() < end, "the page was not made again"
            time.sleep(0.1)
        assert "Kilterword" in got(int(port), "/")
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        assert process.wait(_PATIENCE) == 130
        assert "Traceback" not in rest
    finally:
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()
