"""Permutations as JSON lines."""

import gzip
import json
import lzma
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from kilter.core.errors import InputError
from kilter.io import stream
from kilter.io.permutation import PermutationBlock, is_json_lines, read_permutation_json
from kilter.io.stream import ByteSource

ROWS = [[2, 1, 3], [1, 2, 3], [], [3, 1, 2]]
EXAMPLE = 'write {"permutation": [2, 1, 3]} or [2, 1, 3]'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "orders.jsonl"


def read(path: Path, field: str | None = None, **options: Any) -> list[PermutationBlock]:
    return list(read_permutation_json(ByteSource(str(path)), field, **options))


def listed(blocks: list[PermutationBlock]) -> list[list[int]]:
    return [block.batch[place].tolist() for block in blocks for place in range(len(block.batch))]


def written(path: Path, *lines: object) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def test_json_lines_are_known_by_their_name() -> None:
    names = ("a.jsonl", "a.JSONL", "a.jsonl.gz", "a.jsonl.xz")
    assert [is_json_lines(name) for name in names] == [True] * 4
    assert not any(map(is_json_lines, ("jsonl", "a.json", "a.jsonl.txt", "-")))


def test_lists_and_objects_with_lists_are_read(path: Path) -> None:
    expected = [[1, 0, 2], [0, 1, 2], [], [2, 0, 1]]
    for lines in (ROWS, [{"id": 1, "order": row} for row in ROWS]):
        (block,) = read(written(path, *lines))
        assert listed([block]) == expected
        assert (block.lines.tolist(), block.bad) == ([1, 2, 3, 4], [])
    zero = [[value - 1 for value in row] for row in ROWS]
    assert listed(read(written(path, *zero), zero_based=True)) == expected
    assert listed(read(written(path, [1], {"a": [2, 1]}))) == [[0], [1, 0]]


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_the_last_line_may_lack_its_end(path: Path, end: str) -> None:
    path.write_bytes(f' {{"a" : [2 ,1]}} \r\n[1]{end}'.encode())
    assert listed(read(path)) == [[1, 0], [0]]


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_compressed_lines_are_the_same(path: Path, suffix: str, pack: Any) -> None:
    packed = path.with_name(path.name + suffix)
    packed.write_bytes(pack(written(path, *ROWS).read_bytes()))
    assert listed(read(packed)) == listed(read(path))
    path.write_bytes(packed.read_bytes())
    with pytest.raises(InputError, match=r"orders\.jsonl:1: begins as a compressed file does"):
        read(path)


def test_a_pipe_is_read_twice_if_that_is_said_before(path: Path) -> None:
    os.mkfifo(path)
    data = b"[2, 1]\n"
    threading.Thread(target=path.write_bytes, args=(data,), daemon=True).start()
    source = ByteSource(str(path))
    first = list(read_permutation_json(source, again=True))
    assert listed(first) == listed(list(read_permutation_json(source))) == [[1, 0]]


def test_lines_come_some_at_a_time_and_keep_their_numbers(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "CHUNK", 40)
    rows: list[Any] = [[2, 1]] * 5 + [[1, 1]] + [[1]] * 5 + [None, []]
    blocks = read(written(path, *({"order": row} for row in rows)))
    assert max(block.rows for block in blocks) < 4
    lines = [line for block in blocks for line in block.lines.tolist()]
    assert lines == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 13]
    assert [bad.line for block in blocks for bad in block.bad] == [6, 12]
    assert listed(blocks) == [[1, 0]] * 5 + [[0]] * 5 + [[]]


BAD = {
    "": "the line is empty; write a permutation such as [2, 1, 3], or [] for one of no words",
    " \t": "the line is empty; write",
    "2 1 3": f"is not JSON: Extra data in column 3; {EXAMPLE}",
    '{"order": [2, 1}': f"is not JSON: Expecting ',' delimiter in column 16; {EXAMPLE}",
    '{"order": [1], "order": [1]}': "the key 'order' stands twice in one object; keep one",
    '{"other": [1], "id": 1}': "has no field 'order'; its fields are: other, id",
    '{"\\ud800\\n\\nb": [1]}': "has no field 'order'; its fields are: \\ud800 b",
    '["\\ud800\\n"]': '"\\ud800\\n" at position 1 is not a whole number',
    "{}": "has no field 'order'; it has none",
    "5": f"5 is neither an object nor a list; {EXAMPLE}",
    "null": "null is neither an object nor a list; write",
    '{"order": null}': "null in the field 'order' is not a list; permutations are lists of whole numbers",
    '{"order": "2 1"}': "\"2 1\" in the field 'order' is not a list; permutations",
    '{"order": {"a": 1}}': "an object in the field 'order' is not a list; permutations",
    '{"order": true}': "true in the field 'order' is not a list",
    "[1.0]": "1.0 at position 1 is not a whole number; permutations are lists of whole numbers",
    "[1, 2.5]": "2.5 at position 2 is not a whole number",
    "[1, 1e400]": "Infinity at position 2 is not a whole number",
    "[NaN]": "NaN at position 1 is not a whole number",
    "[true]": "true at position 1 is not a whole number",
    '["1"]': '"1" at position 1 is not a whole number',
    "[[2, 1]]": "a list at position 1 is not a whole number",
    "[" * 900 + "]" * 900: "a list at position 1 is not a whole number",
    f'["{"9" * 300}"]': f'"{"9" * 36}... at position 1 is not a whole number',
    "[1, null]": "the number at position 2 is null; a permutation has none missing",
    "[1, 1]": "1 at position 2 stands already at position 1; a permutation of 2 uses",
    "[0, 1]": "0 at position 1 is out of range; a permutation of 2 uses each of 1 to 2 once (--zero",
    "[-1]": "-1 at position 1 is out of range",
    f"[1, {2**40}]": f"{2**40} at position 2 is out of range",
    f"[{2**63}]": "the number at position 1 is too large for any permutation",
    f"[-{'9' * 4000}]": "the number at position 1 is too large for any permutation",
    f"[{'9' * 5000}]": "is not JSON: a number with more digits than can be read in column 1; write",
    "[" * 50_000: "is not JSON: more brackets inside one another than can be read",
}  # fmt: skip


def test_every_bad_line_says_what_is_wrong(path: Path) -> None:
    lines = ['{"order": [2, 1]}', *BAD, "[1]"]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (block,) = read(path)
    assert listed([block]) == [[1, 0], [0]]
    assert block.lines.tolist() == [1, len(lines)]
    assert [bad.line for bad in block.bad] == [*range(2, len(lines))]
    for bad, reason in zip(block.bad, BAD.values(), strict=True):
        assert bad.reason.startswith(reason)
        assert len(bad.reason) < 200


@pytest.mark.parametrize("line", [*BAD])
def test_each_of_them_is_bad_by_itself(line: str, path: Path) -> None:
    path.write_text(f'{{"order": [1]}}\n{line}\n', encoding="utf-8")
    (block,) = read(path)
    assert [bad.line for bad in block.bad] == [2]
    assert block.bad[0].reason.startswith(BAD[line])


def test_a_line_that_is_no_utf_8_is_bad(path: Path) -> None:
    path.write_bytes(b'[1]\n{"id": "\xff", "order": [1]}\n')
    (block,) = read(path)
    assert block.bad[0].line == 2
    assert block.bad[0].reason.startswith("byte 0xff in column 9 is not UTF-8; convert the file")


def test_the_field_is_the_one_that_is_named_or_cannot_be_another(path: Path) -> None:
    written(path, {"id": 7, "order": [1, 2]}, {"order": [2, 1], "tags": [3]})
    assert listed(read(path)) == listed(read(path, "order")) == listed(read(path, "Order"))
    written(path, {"tags": [5], "permutation": [2, 1]})
    assert listed(read(path)) == [[1, 0]]
    # Lines that were marked as bad have no permutation.
    written(path, {"line": 1, "permutation": None, "error": "bad"}, {"permutation": [1]})
    (block,) = read(path)
    assert (listed([block]), [bad.line for bad in block.bad]) == ([[0]], [1])


def test_a_list_has_no_field_of_any_name(path: Path) -> None:
    (block,) = read(written(path, [1], {"a": [1]}), "a")
    assert block.bad[0].reason == "is a list, without a field 'a'; leave --column out"
    assert listed([block]) == [[0]]


@pytest.mark.parametrize(
    ("first", "named", "fault"),
    [
        ({"a": [1], "b": [1]}, None, r"1: has the fields of lists a, b; choose one \(--column\)"),
        ({"a": 1}, None, "1: has no field of lists; permutations are lists of whole numbers"),
        ({}, None, "1: has no field of lists"),
        ({"a": [1]}, "b", "1: has no field 'b'; its fields are: a"),
        ({"aB": [1], "Ab": [1]}, "ab", "1: has several fields 'ab'; its fields are: aB, Ab"),
    ],
)
def test_a_first_object_that_leaves_no_choice_is_refused(
    first: dict[str, Any], named: str | None, fault: str, path: Path
) -> None:
    with pytest.raises(InputError, match=rf"orders\.jsonl:{fault}"):
        read(written(path, first), named)


def test_an_empty_file_is_refused(path: Path) -> None:
    path.write_bytes(b"")
    with pytest.raises(InputError, match=r"orders\.jsonl: holds nothing; write .* in each line"):
        read(path)
