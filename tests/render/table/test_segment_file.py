"""Segment scores in files, and in what is no file."""

import os
import threading
from pathlib import Path

import pytest

import kilter
from kilter.core.errors import OptionError
from kilter.render.table.segment_file import check_segments_path, write_segments
from tests.cli.command import installed
from tests.cli.sample import REFERENCE, VERB

TABLE = kilter.score(["b a", "c"], ["a b", "c"], metrics=["kendall", "bleu"]).segments


def read_aside(pipe: Path) -> tuple[threading.Thread, list[bytes]]:
    """Start to read a pipe, which nobody can write to before."""
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    return reader, found


@pytest.mark.parametrize("name", ["pipe", "pipe.odd", "pipe.csv", "pipe.jsonl"])
def test_a_pipe_is_written_to_as_tsv_unless_its_name_says_otherwise(
    name: str, tmp_path: Path
) -> None:
    pipe = tmp_path / name
    os.mkfifo(pipe)
    check_segments_path(str(pipe), [], called="--segments")
    reader, found = read_aside(pipe)
    write_segments(TABLE, str(pipe))
    reader.join()
    suffix = pipe.suffix if pipe.suffix in (".csv", ".jsonl") else ".tsv"
    write_segments(TABLE, str(tmp_path / f"file{suffix}"))
    assert found == [(tmp_path / f"file{suffix}").read_bytes()]
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["/dev/null", "/dev/stdout", "/dev/fd/1"])
def test_devices_and_descriptors_need_no_suffix(name: str) -> None:
    check_segments_path(name, [], called="--segments")


@pytest.mark.parametrize("name", ["scores", "scores.txt", "scores.gz"])
def test_a_file_needs_a_suffix(name: str, tmp_path: Path) -> None:
    (tmp_path / "scores").touch()
    with pytest.raises(OptionError, match=r"^--segments: the name must end in .tsv"):
        check_segments_path(str(tmp_path / name), [], called="--segments")


def test_the_command_writes_segments_to_standard_output() -> None:
    asked = ("score", "-m", "kendall", "--resamples", "5", "-r", REFERENCE, VERB)
    plain = installed(*asked).out
    both = installed(*asked, "--segments", "/dev/stdout").out
    assert both.endswith(plain)
    rows = both.removesuffix(plain).splitlines()
    assert rows[0] == "system\tsegment\tmetric\tscore"
    assert len(rows) == 49
