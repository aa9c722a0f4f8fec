"""`kilter reorder profile`."""

import json
from pathlib import Path

import pytest

import kilter as package
from kilter.io.link_format import LinkFormat
from tests.cli.command import kilter
from tests.cli.sample import written

TREES = "1\ta\t_\tX\t_\t_\t2\tdet\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
LINKS = [[(0, 1), (1, 0)], [(0, 0)]]


@pytest.fixture
def banks(tmp_path: Path) -> list[str]:
    return [written(tmp_path, f"{name}.conllu", 2 * TREES) for name in ("one", "other")]


def test_the_command_prints_what_python_returns(banks: list[str], tmp_path: Path) -> None:
    links = written(tmp_path, "links", "0-1 1-0\n0-0\n")
    done = kilter("reorder", "profile", *banks, "-a", links, "--format", "json")
    trees = [package.read_trees(path) for path in banks]
    found = package.reorder.profile(
        dict(zip(("one.conllu", "other.conllu"), trees, strict=True)),
        links=package.LinkBatch.of(LINKS),
    )
    assert (done.code, json.loads(done.out)) == (0, found.to_dict())
    assert found.treebanks["one.conllu"].measures["crossing links"].value == 1.0


@pytest.mark.parametrize("form", [form for form in LinkFormat if not form.blocks])
def test_links_of_other_formats_are_read(
    form: LinkFormat, banks: list[str], tmp_path: Path
) -> None:
    texts = [["a", "b"], ["a", "b"]]
    rows = package.write_links(package.LinkBatch.of(LINKS), form=form, texts=(texts, texts))
    links = written(tmp_path, "other", "".join(f"{row}\n" for row in rows))
    done = kilter("reorder", "profile", *banks, "-a", links, "--link-format", form)
    plain = written(tmp_path, "links", "0-1 1-0\n0-0\n")
    assert (done.code, done.out) == (0, kilter("reorder", "profile", *banks, "-a", plain).out)


def test_one_treebank_has_no_links(banks: list[str], tmp_path: Path) -> None:
    links = written(tmp_path, "links", "0-1 1-0\n0-0\n")
    done = kilter("reorder", "profile", banks[0], "-a", links)
    assert (done.code, "links join two treebanks; give both" in done.err) == (2, True)
    assert kilter("reorder", "profile", banks[0], banks[0]).code == 3
