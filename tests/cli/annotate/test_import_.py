"""`kilter annotate import`."""

from pathlib import Path

from kilter.study.annotation.store.annotation_store import open_project
from tests.cli.annotate.annotated import annotated
from tests.cli.command import kilter


def test_a_format_can_be_named(tmp_path: Path) -> None:
    project = annotated(tmp_path)
    (tmp_path / "links").write_text("\n1-1 2p2\n\n", encoding="utf-8")  # from 0 or from 1
    given = [
        "annotate",
        "import",
        str(project),
        "--annotator",
        "A",
        "--links",
        str(tmp_path / "links"),
    ]
    doubtful = kilter(*given)
    assert (doubtful.code, "cannot be told" in doubtful.err) == (3, True)
    done = kilter(*given, "--link-format", "sure-possible-1")
    assert (done.code, done.err) == (0, "imported 1 sentence of A, begun\n")
    running = open_project(project)
    found = running.store.annotations.find("A", 2)
    running.store.close()
    assert found is not None
    assert [(link.pair, link.sure) for link in found.links] == [((0, 0), True), ((1, 1), False)]


def test_an_export_is_imported_as_it_was(tmp_path: Path) -> None:
    project = annotated(tmp_path)
    links = tmp_path / "links"
    links.write_text("0-0 1p1\n\n\n", encoding="utf-8")
    given = ["--links", str(links), "--link-format", "sure-possible", "--done", "--replace"]
    assert kilter("annotate", "import", str(project), "--annotator", "A", *given).code == 0
    out = tmp_path / "out"
    assert kilter("annotate", "export", str(project), "--annotator", "A", "-o", str(out)).code == 0
    assert (out / "links.txt").read_text(encoding="utf-8") == "0-0 1p1\n\n\n"
    files = ["--links", str(out / "links.txt"), "--translations", str(out / "translation.txt")]
    again = kilter(
        "annotate", "import", str(project), "--annotator", "B", *files, "--done", "--replace"
    )
    assert (again.code, again.err) == (0, "imported 1 sentence of B, done\n")
    running = open_project(project)
    one, other = (running.store.annotations.find(name, 1) for name in "AB")
    running.store.close()
    assert one is not None
    assert other is not None
    assert (one.links, one.translation) == (other.links, other.translation)


def test_nothing_is_imported_without_whose_it_is_or_over_what_is_there(tmp_path: Path) -> None:
    project = annotated(tmp_path)
    (tmp_path / "links").write_text("0-0\n0-0\n\n", encoding="utf-8")
    given = ["annotate", "import", str(project), "--links", str(tmp_path / "links")]
    assert kilter(*given).code == 2
    assert kilter(*given, "--annotator", "A", "--adjudicated").code == 2
    there = kilter(*given, "--annotator", "A", "--link-format", "pharaoh")
    assert (there.code, "A has begun sentence 1 already" in there.err) == (3, True)
    running = open_project(project)
    assert running.store.annotations.find("A", 2) is None
    running.store.close()
