"""Files of links and trees beside texts."""

from pathlib import Path

import pytest

from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError, OptionError
from kilter.core.links import LinkBatch
from kilter.io.link_format import LinkFormat
from kilter.run.engine.engine import Batch
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.links import LinkPath
from kilter.run.scoring.run import Run
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.structure_files import StructureFiles
from kilter.run.scoring.text_streams import TextBlock, TextForm

TEXTS = Texts(
    systems={"a": ["x y"], "b": ["y x"]},
    references={"r": ["x y"], "s": ["x y"]},
    source=("source", ["u v"]),
)
ONE = Texts(systems={"a": ["x y"]}, references={"r": ["x y"]})
TREE = "1\tx\tx\tX\t_\t_\t0\troot\t_\t_\n2\ty\ty\tX\t_\t_\t1\tdep\t_\t_\n\n"


def test_links_of_the_first_system_with_every_reference_come_first() -> None:
    files = StructureFiles(links=("1", "2", "3", "4"), link_format=LinkFormat.NAACL)
    links = files.beside(TEXTS).links
    first, second, third, fourth = (LinkPath(name, LinkFormat.NAACL) for name in "1234")
    assert links.hypothesis_reference == ((first, second), (third, fourth))


def test_source_links_are_those_of_systems_and_of_references() -> None:
    files = StructureFiles(
        source_hypothesis=("a", "b"), source_reference=("r", "s"), through_source=True
    )
    links = files.beside(TEXTS).links
    assert links.source_hypothesis == (LinkPath("a", "pharaoh"), LinkPath("b", "pharaoh"))
    assert links.source_reference == (LinkPath("r", "pharaoh"), LinkPath("s", "pharaoh"))
    assert links.through_source


@pytest.mark.parametrize(
    ("files", "texts", "message"),
    [
        ({"links": ("1",)}, TEXTS, "1 file of links for 2 systems and 2 references; give 4"),
        ({"source_hypothesis": ("1",)}, TEXTS, "--links-source-hypothesis is given 1 time; give it 2 times"),
        ({"source_reference": ("1",)}, ONE, "--links-source-reference needs the source text"),
        ({"trees": ("1",)}, TEXTS, "--trees is given 1 time; give it 2 times, once for each system"),
        ({"trees_reference": ("1",)}, TEXTS, "give it 2 times, once for each reference"),
        ({"trees_source": "1"}, ONE, "--trees-source needs the source text"),
    ],
)  # fmt: skip
def test_there_is_a_file_for_every_text(
    files: dict[str, object], texts: Texts, message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        StructureFiles(**files).beside(texts)  # type: ignore[arg-type]


def test_trees_are_read_for_systems_references_and_source(tmp_path: Path) -> None:
    path = tmp_path / "t.conllu"
    path.write_text(TREE, encoding="utf-8")
    files = StructureFiles(trees=(str(path),) * 2, trees_source=str(path))
    trees = files.beside(TEXTS).trees
    assert [len(column) for column in trees.systems] == [1, 1]
    assert trees.references == ()
    assert len(trees.source) == 1


def test_values_of_other_kinds_are_refused() -> None:
    with pytest.raises(OptionError, match="link_format"):
        StructureFiles(link_format="nothing")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({"links": ("a.r", "a.s", "in/a.t", "b.t")}, "in/a.t stands where the links of b belong"),
        (
            {"source_hypothesis": ("b", "a")},
            "b stands where the links of a belong, but is called as b",
        ),
        ({"trees": ("b.conllu", "a.conllu")}, "b.conllu stands where the trees of a belong"),
    ],
)
def test_a_file_that_is_called_as_another_system_is_refused(
    files: dict[str, object], fault: str
) -> None:
    with pytest.raises(OptionError, match=fault):
        StructureFiles(**files).beside(TEXTS)  # type: ignore[arg-type]


def test_names_that_begin_alike_are_told_apart() -> None:
    texts = Texts(systems={"a": ["x"], "a.b": ["x"]}, references={"r": ["x"]})
    assert StructureFiles(links=("a.links", "a.b.links")).beside(texts).links.any()
    assert StructureFiles(links=("one", "a.b")).beside(texts).links.any()


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"links": ("a", "b.gz", "a.tsv", "a#b"), "source_hypothesis": ("-",)}, None),
        ({"source_reference": ("a",), "link_format": LinkFormat.TALP}, None),
        ({"link_format": LinkFormat.GIZA}, None),
        (
            {"source_reference": ("a",), "link_format": LinkFormat.GIZA},
            "links are given as giza, which has no line for each segment",
        ),
        ({"links": ("a", "b::c")}, "links are given in two directions"),
        ({"trees": ("a",), "trees_source": "b"}, None),
    ],
)
def test_files_that_are_read_as_a_whole_are_told(files: dict[str, object], why: str | None) -> None:
    assert StructureFiles(**files).whole_because() == why  # type: ignore[arg-type]


FILES = StructureFiles(
    links=("a.r", "a.s", "b.r", "b.s"),
    source_hypothesis=("u.a", "u.b"),
    source_reference=("u.r", "u.s"),
    through_source=True,
    trees=("a", "b"),
    trees_reference=("r",),
    trees_source="u",
)


def test_links_come_back_in_the_order_of_their_files() -> None:
    assert FILES.link_paths == ("a.r", "a.s", "b.r", "b.s", "u.a", "u.b", "u.r", "u.s")
    batches = [LinkBatch.of([[(0, place)]]) for place in range(8)]
    links = FILES.links_of(batches, 2)
    assert links.hypothesis_reference == (tuple(batches[:2]), tuple(batches[2:4]))
    assert links.source_hypothesis == tuple(batches[4:6])
    assert links.source_reference == tuple(batches[6:])
    assert links.through_source
    assert not StructureFiles().links_of([], 2).any()


def test_trees_come_back_in_the_order_of_their_files() -> None:
    assert FILES.tree_paths == ("a", "b", "r", "u")
    columns = [DependencyTreeColumn.of([]) for _ in range(4)]
    trees = FILES.trees_of(columns)
    assert trees.systems == tuple(columns[:2])
    assert trees.references == (columns[2],)
    assert trees.source is columns[3]
    assert not StructureFiles().trees_of([])


def test_links_and_trees_of_blocks_are_told_with_the_lines_of_their_files() -> None:
    files = StructureFiles(links=("l",), trees=("t",))
    form = TextForm(systems=("a",), references=("r",), source=None, files={}, structures=files)
    block = TextBlock(columns=(("x y",), ("x",), ("0-0 1-1",), (TREE,)), tree_lines=(11,))
    texts = form.texts(Batch(data=block, first=8, rows=1))
    assert texts.trees.systems[0].where(0) == "t:11"
    assert texts.before == 7
    with pytest.raises(InputError, match="l:8: link 1-1 points past the 1 word of the reference"):
        Run.of(texts, Settings(metrics="kendall", tokenize="none"), part=True)


@pytest.mark.parametrize(
    ("lines", "form", "told"),
    [
        (["1-1 2-2"] * 5, None, True),
        (["1-1 2-2"] * 5 + [""] * 3, None, True),
        (["1-1 2-2"] * 4, None, False),  # of so few it may be chance
        (["1-1 2-2"] * 5 + ["0-1"], None, False),
        (["1-1 2-2"] * 5, "pharaoh", False),
        (["1-1 2-2"] * 5, "pharaoh-1", False),
        (["1-1 x"] * 5, None, False),  # reading refuses it
    ],
)
def test_links_that_may_count_from_one_are_noted_if_no_format_is_named(
    lines: list[str], form: str | None, tmp_path: Path, *, told: bool
) -> None:
    path = tmp_path / "a.links"
    path.write_text("".join(f"{line}\n" for line in lines))
    files = StructureFiles(links=(str(path),), link_format=form)  # type: ignore[arg-type]
    note = (
        f"{path}: no link of 5 segments has a 0; name --link-format pharaoh-1 if it counts from 1, "
        "or pharaoh if from 0"
    )
    assert files.link_notes() == [note] * told
