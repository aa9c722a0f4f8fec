"""Files that options name: a run that goes on notices when they change."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kilter.aligners.registry import aligner
from kilter.core.registry import Configured
from kilter.metrics.registry import metric
from kilter.parsers.registry import parser
from kilter.run.engine.run import PartFolder
from kilter.run.tool_file import NAMED_FILES, tool_files
from tests.cli.command import kilter
from tests.metrics.test_weight_file import document, written

MAKERS: dict[str, Callable[[str], object]] = {
    "aligner": aligner,
    "parser": parser,
    "metric": metric,
}


def tool(kind: str, specification: str) -> Configured:
    """Return an aligner, a parser or a metric."""
    made = MAKERS[kind](specification)
    assert isinstance(made, Configured)
    return made


@pytest.mark.parametrize(
    ("kind", "specification", "option"),
    [
        ("aligner", "match:stages=exact+synonym,synonyms={}", "synonyms"),
        ("aligner", "ibm1:model={}", "model"),
        ("aligner", "meteor:jar={}", "jar"),
        ("parser", "udpipe:file={}", "file"),
    ],
)
def test_the_bytes_of_a_file_tell_it_from_another_of_its_name(
    tmp_path: Path, kind: str, specification: str, option: str
) -> None:
    path = tmp_path / "file"
    made = tool(kind, specification.format(path))
    absent = tool_files([made])
    found = []
    for text in ("one", "two", "one"):
        path.write_text(text, encoding="utf-8")
        (named,) = tool_files([made]).values()
        found.append(named[f"{made.specification()} {option}"])
    assert absent == {}
    assert found[0] == found[2] != found[1]


def test_weights_of_a_metric_are_told_apart(tmp_path: Path) -> None:
    path = Path(written(tmp_path, document()))
    made = tool("metric", f"kilter:weights={path}")
    before = tool_files([made])
    written(tmp_path, document(fitted_on="others"))
    assert before != tool_files([made])
    assert before[NAMED_FILES].keys() == {f"{made.specification()} weights"}


def test_every_file_of_a_folder_counts_with_its_name(tmp_path: Path) -> None:
    made = tool("parser", f"stanza:folder={tmp_path}")
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "a").write_text("1", encoding="utf-8")
    before = tool_files([made])
    (tmp_path / "en" / "a").rename(tmp_path / "en" / "b")
    assert before != tool_files([made])
    (tmp_path / "en" / "b").rename(tmp_path / "en" / "a")
    assert before == tool_files([made])


def test_what_needs_no_file_names_none() -> None:
    assert tool_files([tool("aligner", "match"), tool("metric", "bleu")]) == {}


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return two texts; parts of runs stay when these are done, as if they had been killed at the end."""
    monkeypatch.setattr(PartFolder, "remove", lambda _: None)
    monkeypatch.chdir(tmp_path)
    for name, line in (("reference", "a big house"), ("system", "a large house")):
        (tmp_path / name).write_text(f"{line}\n" * 5, encoding="utf-8")
    (tmp_path / "synonyms").write_text("big large\n", encoding="utf-8")
    return ["-r", "reference", "system"]


SYNONYMS = "match:stages=exact+synonym,synonyms=synonyms"


@pytest.mark.parametrize(
    "command",
    [
        ["align", "--aligner", SYNONYMS, "-o", "out"],
        ["score", "--aligner", SYNONYMS, "-m", "kendall", "-q", "--segments", "out.tsv"],
    ],
)
def test_a_run_goes_on_with_the_same_file_alone(texts: list[str], command: list[str]) -> None:
    asked = [*command, *texts, "--resume"]
    assert kilter(*asked).code == 0
    assert kilter(*asked).code == 0
    Path("synonyms").write_text("big huge\n", encoding="utf-8")
    refused = kilter(*asked)
    assert refused.code == 3
    assert f"holds parts of a run with another {NAMED_FILES}; go on with" in refused.err


def test_a_model_that_the_run_itself_wrote_is_its_own(texts: list[str]) -> None:
    asked = ["align", "--aligner", "ibm1:model=model", "-o", "out", *texts, "--resume"]
    assert kilter(*asked).code == 0
    assert Path("model").exists()
    assert kilter(*asked).code == 0
    Path("model").unlink()
    Path("system").rename("other")
    Path("reference").rename("system")
    Path("other").rename("reference")
    assert kilter("align", "--aligner", "ibm1:model=model", *texts).code == 0
    Path("reference").rename("other")
    Path("system").rename("reference")
    Path("other").rename("system")
    refused = kilter(*asked)
    assert refused.code == 3
    assert NAMED_FILES in refused.err
