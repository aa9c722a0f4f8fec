"""Compressed files: every kind is read and written wherever a name can say so."""

import bz2
import gzip
import lzma
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from kilter.core.errors import InputError, MissingToolError
from kilter.io.compression import SUFFIXES, begins_compressed, compression, format_suffix
from kilter.io.output import check_output, written_text
from kilter.io.stream import ByteSource
from kilter.io.text_file import read_text_file
from tests.cli.command import kilter as run

DATA = "größer\nzwei\n" * 1000
ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"

PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
    ".zst": lambda data: import_module(ZSTD).compress(data),
}


@pytest.fixture(params=SUFFIXES)
def suffix(request: pytest.FixtureRequest) -> str:
    if request.param == ".zst":
        pytest.importorskip(ZSTD, reason="needs kilter[zstd]")
    return str(request.param)


def test_what_is_written_is_read_again_and_depends_on_the_text_alone(
    suffix: str, tmp_path: Path
) -> None:
    paths = [tmp_path / f"{name}.txt{suffix}" for name in ("one", "two")]
    for path in paths:
        with written_text(path) as out:
            out.write(DATA)
    one, two = (path.read_bytes() for path in paths)
    assert one == two
    assert begins_compressed(one)
    assert len(one) < len(DATA)
    assert b"".join(ByteSource(paths[0]).chunks()) == DATA.encode()


def test_joined_files_and_empty_ones_are_read_and_damaged_ones_refused(
    suffix: str, tmp_path: Path
) -> None:
    pack = PACK[suffix]
    path = tmp_path / f"text{suffix.upper()}"
    path.write_bytes(pack(b"one\n") + pack(b"") + pack(b"two\n"))
    assert read_text_file(path) == ("one", "two")
    whole = pack(DATA.encode())
    for damaged in (whole[:-3], whole[: len(whole) // 2], b"plain text\n"):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="is damaged or not compressed as its name says"):
            read_text_file(path)
    path.with_suffix("").write_bytes(whole)
    with pytest.raises(InputError, match=r"begins as a compressed file does; .* \.bz2 or \.zst"):
        read_text_file(path.with_suffix(""))
    orders = run("permutation", str(path.with_suffix("")))
    assert (orders.code, orders.out) == (3, "")
    assert f"{path.with_suffix('')}:1: begins as a compressed file does" in orders.err


def test_every_kind_of_file_says_what_it_holds_before_how_it_is_compressed(
    suffix: str, tmp_path: Path
) -> None:
    (tmp_path / f"a.txt{suffix}").write_bytes(PACK[suffix](b"a b c\n"))
    (tmp_path / f"t.tsv{suffix}").write_bytes(PACK[suffix](b"id\tmt\n1\tc b a\n"))
    segments = tmp_path / f"s.csv{suffix}"
    asked = ["-r", f"{tmp_path}/t.tsv{suffix}#mt", f"{tmp_path}/a.txt{suffix}", "-m", "kendall"]
    plain = run("score", *asked, "--resamples", "1", "--segments", str(segments))
    assert plain.code == 0
    rows = b"".join(ByteSource(segments).chunks()).splitlines()
    assert rows == [b"system,segment,metric,score", b"a,1,kendall,0.0"]
    orders = tmp_path / f"o.jsonl{suffix}"
    orders.write_bytes(PACK[suffix](b"[2, 1]\n"))
    assert run("permutation", str(orders), "--format", "tsv").code == 0


def test_a_missing_package_is_told_before_anything_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, module, None)
    path = tmp_path / "a.txt.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd")
    wanted = r"a\.txt\.zst needs an optional package; install it with: pip install 'kilter\[zstd\]'"
    with pytest.raises(MissingToolError, match=wanted):
        read_text_file(path)
    with pytest.raises(MissingToolError, match=wanted):
        check_output(tmp_path / "other" / "a.txt.zst")


def test_names_say_how_a_file_is_compressed() -> None:
    assert [compression(f"a{suffix.upper()}") for suffix in SUFFIXES] == [*SUFFIXES]
    assert compression("a.gzip") is None
    assert format_suffix("folder.v2/name.gz") == ""
    assert not begins_compressed(b"BZh1 is a word")
