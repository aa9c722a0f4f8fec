"""Link files: every format there and back, every mistake named, no crash on any bytes."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError, OptionError
from kilter.core.link_rule import Symmetrization, reorder, symmetrize
from kilter.core.links import LinkBatch
from kilter.io.conllu import read_conllu
from kilter.io.conllu_stream import ConlluStream
from kilter.io.link_format import LinkFormat, detect_link_format, link_directions
from kilter.io.links import link_problems, read_links
from kilter.io.reordering import write_reorderings
from kilter.io.stream import ByteSource
from kilter.io.text_file import ColumnSource, source_of_lines
from tests.io.link_texts import GIZA, METEOR, READ, Text, lengths, segments
from tests.thorough import tried

GOLD = Path(__file__).parents[3] / "shared" / "data" / "align-gold"


BLOCK = "Alignment\t2\na b\nc d\nLine2Start:Length\n"


UNCLEAR = [
    ("1-1 2-2\n", "without any 0 it can be pharaoh"),
    ("1-1 1p2\n", "without any 0, possible links are written alike"),
    ("3\n\n4\n", "a number alone says too little"),
    ("0-0 x\n", "'0-0 x' fits none"),
    ("hello\n", "'hello' fits none"),
]


@pytest.mark.parametrize(("text", "reason"), UNCLEAR)
def test_a_format_that_cannot_be_told_is_never_guessed(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=f"cannot be told: {reason}.*name one of pharaoh, "):
        read_links(Text(text))


def test_lines_without_links_say_the_same_in_every_format() -> None:
    assert detect_link_format(Text("\n\n")) is LinkFormat.PHARAOH
    assert segments(read_links(Text("\n\n"))) == [[], []]


def test_links_outside_their_sentences_are_all_found() -> None:
    text = "0-0 3-1\n0-0\n1-3 5-5\n"
    known = lengths((3, 2), (0, 0), (2, 3))
    found = [str(p) for p in link_problems(Text(text), form="pharaoh", lengths=known)]
    assert found == [
        f"links.txt:{line}: link {link} points past the {words} sentence, counted from 0; links and "
        "texts must belong together, split into the same words"
        for line, link, words in [
            (1, "3-1", "3 words of the first"),
            (2, "0-0", "0 words of the first"),
            (3, "1-3", "3 words of the second"),
            (3, "5-5", "2 words of the first"),
        ]
    ]
    one_based = [
        str(p) for p in link_problems(Text("1-1 4-1\n"), form="talp", lengths=lengths((3, 2)))
    ]
    assert one_based == [found[0].replace("3-1", "4-1").replace("from 0", "from 1")]


def test_compressed_links_need_their_suffix() -> None:
    data = gzip.compress(b"0-0\n")
    (problem,) = link_problems(Text(data), form="pharaoh", segments=1)
    assert str(problem).startswith("links.txt:1: begins as a compressed file does; unpack it")


def test_messages_call_the_sentences_as_asked() -> None:
    sides = "source", "reference"
    for text, form, message in [
        ("0-0\n9-0\n", "pharaoh", "txt:2: link 9-0 points past the 4 words of the source"),
        ("1 1 1\n2 1 1\n\n2 1 6\n", "naacl", "txt:4: link 1-6 points past the 5 words of the ref"),
        ("0\n1,0\n", "target-lists", "txt:2: the file gives the reference 2 words, but it has 5"),
    ]:
        with pytest.raises(InputError, match=message):
            read_links(Text(text), form=form, lengths=lengths((1, 1), (4, 5)), sides=sides)


@pytest.mark.parametrize(
    ("form", "text", "line"),
    [
        ("pharaoh", "0-0\n0-1 1-0\n", 2),
        ("pharaoh-1", "1-1\n1-2 2-1\n", 2),
        ("naacl", "1 1 1\n\n2 1 2\n2 2 1 S\n2 2 1\n", 4),
        ("meteor", f"{METEOR[: METEOR.index('Alignment', 9)]}{BLOCK}1:1 0:1\n0:1 1:1\n", 13),
    ],
)
def test_links_remember_their_file_and_line(form: str, text: str, line: int) -> None:
    links = read_links(Text(text), form=form, segments=2).sure
    assert links.origin.where(1, (1, 0)) == f"links.txt:{line}"
    assert links.origin.shown((1, 0)) == ("1-0" if form in ("pharaoh", "meteor") else "2-1")


def test_a_segment_is_placed_at_its_first_line() -> None:
    links = read_links(Text("2 1 1\n1 1 1\n1 2 2\n"), segments=3).sure
    assert [links.origin.where(segment) for segment in range(3)] == [
        "links.txt:2",
        "links.txt:1",
        "links.txt",
    ]


@pytest.mark.parametrize(
    ("text", "form", "unit"), [("0-0\n\n", "pharaoh", "lines"), (METEOR, "meteor", "blocks")]
)
def test_another_number_of_lines_is_named_with_both_counts(text: str, form: str, unit: str) -> None:
    with pytest.raises(InputError, match=f"links.txt: has 2 {unit} for 3 segments; each segment"):
        read_links(Text(text), form=form, segments=3)
    with pytest.raises(InputError, match=f"has 2 {unit} for 1 segment"):
        read_links(Text(text), form=form, lengths=lengths((3, 5)))


def test_other_sentence_lengths_in_the_file_itself_are_named() -> None:
    with pytest.raises(
        InputError, match=r"links\.txt:1: the file gives the second sentence 3 words, but it has 4"
    ):
        read_links(Text("1,0,\n"), lengths=lengths((2, 4)))
    with pytest.raises(
        InputError, match="txt:4: the file gives the first sentence 3 words, but it has 4"
    ):
        read_links(Text(METEOR), lengths=lengths((4, 5), (0, 2)))
    assert segments(read_links(Text(METEOR), lengths=lengths((3, 5), (0, 2))))[1] == []


def test_an_empty_file_and_contradicting_arguments_are_refused() -> None:
    with pytest.raises(InputError, match="holds nothing"):
        read_links(Text(""))
    assert len(read_links(Text(""), segments=0).sure) == 0
    with pytest.raises(OptionError, match="say how many segments there are"):
        read_links(Text("1 1 1\n"))
    with pytest.raises(OptionError, match="must agree"):
        read_links(Text("0-0\n"), segments=2, lengths=lengths((1, 1)))
    with pytest.raises(OptionError, match="form is 'eflomal'; it can be pharaoh, "):
        read_links(Text("0-0\n"), form="eflomal")
    assert [str(p)[:30] for p in link_problems(Text("1-1\n"))] == ["links.txt: the format of the l"]


FILES = [(form, text) for form, text, _ in READ] + [
    ("sure-possible", "0-0 1p1 2?2\n\n3-1\n"),
    ("talp", "1s1 2p2\n3-3\n"),
    ("naacl", "1 1 1 S 0.5\n2 1 2 P\n"),
]


@pytest.mark.parametrize(("form", "text"), FILES)
def test_mutated_files_are_read_or_refused(form: str, text: str) -> None:
    rng = random.Random(form)
    pieces = [
        b"\n",
        b"-",
        b"0",
        b"9" * 30,
        b"\xff",
        b"\x00",
        b" ",
        b"=",
        b",",
        b"_",
        b":",
        b"p",
        b"Alignment",
    ]
    known = lengths((3, 5), (2, 2), (4, 4))
    for _ in range(tried(400, quick=80)):
        data = bytearray(text.encode())
        for _ in range(rng.randint(1, 4)):
            at = rng.randint(0, len(data))
            data[at : at + rng.randint(0, 2)] = rng.choice(pieces)
        for chosen in (form, None):
            options: dict[str, Any] = rng.choice([{"lengths": known}, {"segments": 3}])
            options["form"] = chosen
            source = Text(bytes(data), rng.randint(1, 40))
            found = list(link_problems(source, **options))
            if found:
                with pytest.raises(InputError):
                    read_links(source, **options)
            else:
                file = read_links(source, **options)
                assert len(file.sure) == len(file.possible) == 3


@pytest.mark.filterwarnings("ignore::kilter.core.errors.KilterWarning")  # of a byte-order mark
@pytest.mark.parametrize("form", LinkFormat)
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(form: LinkFormat, data: bytes) -> None:
    assert all(isinstance(p, InputError) for p in link_problems(Text(data), form=form, segments=2))
    assert all(isinstance(p, InputError) for p in link_problems(Text(data), segments=2))


def test_the_published_reorderings_follow_from_the_published_alignments() -> None:
    words = ["How", "Can", "I", "Qualify", "For", "A", "Mortgage", "Tax", "Deduction", "?"]
    file = "6,6,7_8,4,3,3,3,3,3,0,0,0,0,0,1,1,9,9\n2,2,0,0,0,6,6,6,7_8,4,3,3,3,1,1,1,1,1,9\n"
    links = read_links(Text(file)).sure
    found = reorder(links, np.array([10, 10]), rule="talbot")
    assert list(write_reorderings([words, words], found)) == [
        "A Mortgage {{ Tax Deduction }} For I Qualify How Can ?",
        "I How A Mortgage {{ Tax Deduction }} For Qualify Can ?",
    ]


@pytest.mark.skipif(not GOLD.is_dir(), reason=f"there is no {GOLD} with gold alignments here")
def test_the_six_gold_links_outside_their_sentence_are_found() -> None:
    pairs = [
        [len(side.split()) for side in line.split("|||")]
        for line in (GOLD / "jaen.src-tgt").read_text(encoding="utf-8").splitlines()
    ]
    known = lengths(*((first, second) for first, second in pairs))
    source = ByteSource(str(GOLD / "jaen.gold"))
    found = list(link_problems(source, form="sure-possible-1", lengths=known))
    assert len(found) == 6
    assert all("points past the" in str(problem) for problem in found)
    with pytest.raises(InputError, match=r"jaen\.gold:351: link 18-25"):
        read_links(source, form="sure-possible-1", lengths=known)


def test_files_and_compressed_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "links.txt"
    path.write_text("0-0 1-1\n", encoding="utf-8")
    assert segments(read_links(ByteSource(str(path)))) == [[(0, 0), (1, 1)]]


def test_more_than_links_of_the_texts_can_be_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.io.stream.CHUNK", 1 << 10)
    path = tmp_path / "links.gz"
    path.write_bytes(gzip.compress(b"0-0 0-1\n" * 100_000)[:-1])  # at its end it is damaged
    for name in ("_LARGE", "_LONG_LINE"):
        monkeypatch.setattr(f"kilter.io.text.{name}", 1 << 12)
    with pytest.raises(InputError, match=r"links\.gz: has more than 0 MiB, far more than links"):
        read_links(str(path), form="pharaoh", segments=3)
    monkeypatch.setattr("kilter.io.text._LONGEST_LINE", 4 << 10)
    path.write_bytes(gzip.compress(b"0-0 " * 100_000)[:-1])
    with pytest.raises(InputError, match=r"links\.gz: has a line of more than 0 MiB"):
        read_links(str(path))


# Columns of tables, read as the lines of a text.


LINKS = ["0-0 1-2", "", "2-1"]


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, Path]:
    rows = [{"links": line, "text": "a b c"} for line in LINKS]
    paths = {name: tmp_path / f"t.{name}" for name in ("jsonl", "parquet")}
    paths["jsonl"].write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    pq.write_table(pa.Table.from_pylist(rows), paths["parquet"])
    return paths


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_links_of_a_table_are_those_of_lines(tables: dict[str, Path], kind: str) -> None:
    source = ColumnSource(f"{tables[kind]}#links")
    for again in (True, False):
        assert b"".join(source.chunks(again=again)).decode().splitlines() == LINKS
    file = read_links(f"{tables[kind]}#links", segments=3)
    assert [file.sure.segment(place) for place in range(3)] == [[(0, 0), (1, 2)], [], [(2, 1)]]
    with pytest.raises(InputError, match=r"is a table with the columns links, text; choose one"):
        read_links(str(tables[kind]), segments=3)
    with pytest.raises(InputError, match=r"t\.\w+: has no column 'nix'"):
        read_links(f"{tables[kind]}#nix", segments=3)
    with pytest.raises(InputError, match=r"t\.\w+:1: 'a' is not a link"):
        read_links(f"{tables[kind]}#text", form="pharaoh", segments=3)


def test_other_files_are_themselves(tmp_path: Path) -> None:
    for name in ("a.links", "links.tsv"):
        source = ByteSource(str(tmp_path / name))
        assert source_of_lines(source) is source


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_table_of_trees_is_refused_in_one_line(tables: dict[str, Path], kind: str) -> None:
    told = r"is a table, and trees are read from CoNLL-U text; `kilter parse -o FILE\.conllu` writes it"
    with pytest.raises(InputError, match=told):
        read_conllu(str(tables[kind]))
    with pytest.raises(InputError, match=told):
        _ = ConlluStream(str(tables[kind])).count


# Files of GIZA++: which word of which sentence a link joins.


def test_the_source_of_giza_is_the_first_sentence_and_null_has_no_links() -> None:
    found = read_links(Text(GIZA), form="giza", lengths=lengths((3, 4), (1, 2), (2, 0)))
    assert segments(found) == [[(0, 0), (1, 1), (1, 3), (2, 2)], [(0, 1)], []]


def test_sentences_of_other_lengths_are_those_of_the_block() -> None:
    with pytest.raises(InputError) as caught:
        read_links(Text(GIZA), form="giza", lengths=lengths((4, 3), (2, 1), (0, 2)))
    told = [str(caught.value), *caught.value.__notes__]
    assert [each.partition(";")[0] for each in told if "the file gives" in each] == [
        "links.txt:3: the file gives the first sentence 3 words, but it has 4",
        "links.txt:3: the file gives the second sentence 4 words, but it has 3",
        "links.txt:6: the file gives the first sentence 1 word, but it has 2",
        "links.txt:6: the file gives the second sentence 2 words, but it has 1",
        "links.txt:9: the file gives the first sentence 2 words, but it has 0",
        "links.txt:9: the file gives the second sentence 0 words, but it has 2",
    ]


# Two directions of an aligner, named together.


FORWARD = [[(0, 0), (1, 1), (1, 2)], [(0, 1)]]
REVERSE = [[(0, 0), (1, 1), (2, 2)], [(1, 0)]]
HEAD = "# Sentence pair ({}) source length {} target length {} alignment score : 1"


def giza(folder: Path, name: str, *blocks: tuple[int, str, str, str]) -> str:
    lines = [
        f"{HEAD.format(n, s, t)}\n{target}\n{words}\n"
        for n, (s, t), target, words in (
            (n, tuple(map(int, sizes.split("x"))), target, words)
            for n, sizes, target, words in blocks
        )
    ]
    (folder / name).write_text("".join(lines), encoding="utf-8")
    return str(folder / name)


@pytest.fixture
def both(tmp_path: Path) -> tuple[str, str]:
    """Two directions of two sentence pairs, of three and three and of two and two words."""
    forward = giza(
        tmp_path, "st",
        (1, "3x3", "a b c", "NULL ({ }) x ({ 1 }) y ({ 2 3 }) z ({ })"),
        (2, "2x2", "d e", "NULL ({ 1 }) u ({ 2 }) v ({ })"),
    )  # fmt: skip
    reverse = giza(
        tmp_path, "ts",
        (1, "3x3", "x y z", "NULL ({ }) a ({ 1 }) b ({ 2 }) c ({ 3 })"),
        (2, "2x2", "u v", "NULL ({ 1 }) d ({ 2 }) e ({ })"),
    )  # fmt: skip
    return forward, reverse


@pytest.mark.parametrize("rule", Symmetrization)
@pytest.mark.parametrize("form", ["giza", None])
def test_both_directions_of_giza_make_one_set_of_links(
    rule: Symmetrization, form: str | None, both: tuple[str, str]
) -> None:
    expected = symmetrize(LinkBatch.of(FORWARD), LinkBatch.of(REVERSE), rule=rule)
    sizes = np.array([3, 2]), np.array([3, 2])
    found = read_links("::".join([*both, rule]), form=form, lengths=sizes)
    assert segments(found) == [expected.segment(k) for k in range(2)]
    if rule is Symmetrization.GROW_DIAG_FINAL_AND:
        assert segments(read_links("::".join(both), form=form)) == segments(found)


def test_the_reverse_direction_alone_is_turned_round(both: tuple[str, str]) -> None:
    assert segments(read_links(f"::{both[1]}")) == REVERSE


def test_tools_that_write_both_directions_alike_are_not_turned(tmp_path: Path) -> None:
    (tmp_path / "st").write_text("0-0 1-1 1-2\n0-1\n", encoding="utf-8")
    (tmp_path / "ts").write_text("0-0 1-1 2-2\n1-0\n", encoding="utf-8")
    found = read_links(f"{tmp_path}/st::{tmp_path}/ts::union", form="pharaoh")
    assert segments(found) == [
        sorted({*one, *other}) for one, other in zip(FORWARD, REVERSE, strict=True)
    ]


def test_what_is_wrong_with_either_direction_is_told_with_its_file(
    both: tuple[str, str], tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.write_text("x\n", encoding="utf-8")
    found = [str(each) for each in link_problems(f"{broken}::{broken}", form="giza")]
    assert [each.startswith(f"{broken}:1: 'x' stands where") for each in found] == [True, True]
    short = giza(tmp_path, "short", (1, "3x3", "x y z", "NULL ({ }) a ({ 1 }) b ({ 2 }) c ({ 3 })"))
    with pytest.raises(
        InputError, match=f"short: has 1 segment, but {both[0]} has 2; both directions"
    ):
        read_links(f"{both[0]}::{short}")


@pytest.mark.parametrize("name", ["a::", "a::b::sideways", "a::b::union::c"])
def test_what_names_no_two_directions_is_refused(name: str) -> None:
    with pytest.raises(OptionError, match="does not name two directions; write FORWARD::REVERSE"):
        link_directions(ByteSource(name))


def test_a_file_of_such_a_name_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a::b"
    path.write_text("0-0\n", encoding="utf-8")
    assert segments(read_links(str(path))) == [[(0, 0)]]


# Files of links whose format is another than the one that was named.


@pytest.mark.parametrize(
    ("named", "text", "hint"),
    [
        (
            "pharaoh",
            "1-1 2-2\n",
            "all fit if the file counts from 1; its format is then pharaoh-1",
        ),
        ("sure-possible", "1-1 2p2\n", "counts from 1; its format is then sure-possible-1"),
        ("pharaoh", "1 1 1 S\n1 2 2 S\n", "the file looks like naacl; name that format"),
        ("pharaoh", "0,1\n", "the file looks like target-lists; name that format"),
    ],
)
def test_a_file_of_another_format_than_named_is_called_by_its_own(
    named: str, text: str, hint: str, tmp_path: Path
) -> None:
    path = tmp_path / "links"
    path.write_text(text, encoding="utf-8")
    two = np.array([2])
    first, *_ = link_problems(str(path), form=named, lengths=(two, two))
    assert str(first).startswith(f"{path}: ")
    assert hint in str(first)


@pytest.mark.parametrize("text", ["0-0 5-5\n", "0-0 x\n", "5-5 x\n", "3-3\n"])
def test_faults_that_are_no_matter_of_the_format_get_no_such_hint(
    text: str, tmp_path: Path
) -> None:
    path = tmp_path / "links"
    path.write_text(text, encoding="utf-8")
    two = np.array([2])
    told = [str(fault) for fault in link_problems(str(path), form="pharaoh", lengths=(two, two))]
    assert told
    assert not [text for text in told if "format" in text]


def test_lines_far_beyond_the_segments_are_not_read_to_their_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words in place of links have a fault each, of which a packed file of 2 MB holds 500 million."""
    monkeypatch.setattr("kilter.io.stream.CHUNK", 1 << 10)
    monkeypatch.setattr("kilter.io.links._FAR", 100)
    path = tmp_path / "links.gz"
    path.write_bytes(gzip.compress(b"a b c d e\n" * 100_000)[:-1])  # at its end it is damaged
    with pytest.raises(InputError, match=r"links\.gz: has more than \d{3} lines, far more than"):
        read_links(str(path), form="pharaoh", segments=3)
