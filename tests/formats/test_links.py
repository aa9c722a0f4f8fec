"""Link files: every format there and back, every mistake named, no crash on any bytes."""

import gzip
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.errors import InputError, OptionError
from kilter.formats.link_format import LinkFormat, detect_link_format
from kilter.formats.link_parser import PhraseLinks
from kilter.formats.link_writer import write_links
from kilter.formats.links import LinkFile, link_problems, read_links
from kilter.formats.reordering import write_reorderings
from kilter.formats.stream import ByteSource
from kilter.structures.link.link_batch import LinkBatch
from kilter.structures.link.link_rule import reorder
from tests.strategies import link_sets

GOLD = Path(__file__).parents[3] / "shared" / "data" / "align-gold"
Drawn = tuple[int, int, list[tuple[int, int]]]


class Text(ByteSource):
    """Bytes at hand, in chunks of any size."""

    def __init__(self, text: str | bytes, size: int = 7) -> None:
        super().__init__("links.txt")
        self.data = text.encode() if isinstance(text, str) else text
        self.size = size

    def chunks(self, *, again: bool = False) -> Iterator[bytes]:
        del again
        for start in range(0, len(self.data), self.size):
            yield self.data[start : start + self.size]


def segments(file: LinkFile) -> list[list[tuple[int, int]]]:
    return [file.sure.segment(k) for k in range(len(file.sure))]


def lengths(*pairs: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    first, second = zip(*pairs, strict=True)
    return np.array(first), np.array(second)


METEOR = """Alignment\t1\t0.5\t0.5\t0.1\t0.4
the mat sat
a cat sat on it
Line2Start:Length\tLine1Start:Length\tModule\t\tScore
1:1\t\t\t1:1\t\t\t1\t\t0.6
2:3\t\t\t2:1\t\t\t3\t\t0.6

Alignment\t2\t0\t0\t0\t0

nothing here
Line2Start:Length\tLine1Start:Length\tModule\t\tScore

"""

BLOCK = "Alignment\t2\na b\nc d\nLine2Start:Length\n"

READ = [
    ("pharaoh", "0-1 1-0 0-1\n\n2-2", [[(0, 1), (1, 0)], [], [(2, 2)]]),
    ("pharaoh", "0-0\t1-1 \n", [[(0, 0), (1, 1)]]),
    ("pharaoh-1", "1-2 2-1\n", [[(0, 1), (1, 0)]]),
    (
        "target-lists",
        "6,6,7_8,,4\n\n,,\n3\n",
        [[(4, 4), (6, 0), (6, 1), (7, 2), (8, 2)], [], [], [(3, 0)]],
    ),
    ("moses", "0-1=2 2=0-1\n\n", [[(0, 2), (1, 2), (2, 0), (2, 1)], []]),
    ("meteor", METEOR, [[(1, 1), (2, 2)], []]),
    ("meteor", "Alignment\na b\nb\nLine2Start:Length\n0:1 1:1 0 1.0\n", [[(1, 0)]]),
]


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize(("form", "text", "expected"), READ)
def test_each_format_is_read_and_detected(
    form: str, text: str, expected: list[list[tuple[int, int]]], size: int
) -> None:
    named = read_links(Text(text, size), form=form)
    assert segments(named) == expected
    assert named.possible.links.size == 0
    if form != "pharaoh-1":
        found = read_links(Text(text, size))
        assert (found.form, segments(found)) == (LinkFormat(form), expected)


@pytest.mark.parametrize("form", ["sure-possible", "sure-possible-1", "talp"])
def test_possible_links_are_kept_apart_and_sure_ones_win(form: str) -> None:
    base = int(form != "sure-possible")
    pairs = [(0, 0, "-"), (0, 1, "p"), (1, 0, "?"), (2, 2, "p"), (2, 2, "-")]
    text = " ".join(f"{first + base}{sign}{second + base}" for first, second, sign in pairs)
    found = read_links(Text(f"{text}\n\n"), form=form)
    assert segments(found) == [[(0, 0), (2, 2)], []]
    assert found.possible.segment(0) == [(0, 1), (1, 0)]
    assert found.all().segment(0) == [(0, 0), (0, 1), (1, 0), (2, 2)]


def test_naacl_knows_marks_confidences_and_segments_without_links() -> None:
    text = "0003 1 2\n1 1 1 S 0.5\n1 2 1 P\n1 2 2 0.25\n\n"
    found = read_links(Text(text), segments=4)
    assert found.form is LinkFormat.NAACL
    assert segments(found) == [[(0, 0), (1, 1)], [], [(0, 1)], []]
    assert found.possible.segment(0) == [(1, 0)]


def test_talp_knows_sure_signs_and_a_null_word_on_request() -> None:
    assert segments(read_links(Text("1s1 2-3 3p3\n"))) == [[(0, 0), (1, 2)]]
    assert segments(read_links(Text("1s1 0-3\n"), null_word=True)) == [[(0, 0)]]
    with pytest.raises(
        InputError, match="0-3 has a 0, but talp counts from 1; if 0 stands for the"
    ):
        read_links(Text("1s1 0-3\n"))
    with pytest.raises(OptionError, match="pharaoh counts from 0"):
        read_links(Text("0-0\n"), null_word=True)


def test_phrases_are_read_as_asked() -> None:
    text = "0-1=2-4\n"
    diagonal = read_links(Text(text), phrases=PhraseLinks.DIAGONAL)
    assert segments(diagonal) == [[(0, 2), (1, 3)]]
    assert len(read_links(Text(text)).sure.links) == 6
    every = read_links(Text(METEOR), phrases="all")
    assert segments(every)[0] == [(1, 1), (2, 2), (2, 3), (2, 4)]


UNCLEAR = [
    ("1-1 2-2\n", "without any 0 it can be pharaoh"),
    ("0-0 1p1\n", "possible links are written alike"),
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


WRONG = [
    (
        "pharaoh",
        "0-0\n1-x 2\n",
        ["links.txt:2: '1-x' is no link; write", "links.txt:2: '2' is no link"],
    ),
    (
        "pharaoh",
        "-1-0 1--2\n",
        [":1: link '-1-0' has a negative", ":1: link '1--2' has a negative"],
    ),
    (
        "pharaoh",
        "0-99999999999\n",
        ["links.txt:1: link '0-99999999999' has a position that is too large"],
    ),
    (
        "pharaoh",
        "\n0p1 1s1\n",
        [":2: link 0p1 has the sign 'p'; name the format sure-", ":2: link 1s1 has the sign 's'"],
    ),
    (
        "pharaoh-1",
        "\n1-0\n",
        ["links.txt:2: link 1-0 has a 0, but pharaoh-1 counts from 1; name the format pharaoh if"],
    ),
    (
        "sure-possible-1",
        "0p1\n",
        ["1: link 0-1 has a 0, but sure-possible-1 counts from 1; name the format sure-possible"],
    ),
    (
        "target-lists",
        "1,x,-2\n",
        [":1: 'x' for target word 1 is no", ":1: '-2' for target word 2 is no"],
    ),
    (
        "naacl",
        "1 1\n1 1 1 X\n9 1 1\n0 1 1\n1 0 1\n",
        [
            ":1: '1 1' is no link",
            ":2: '1 1 1 X' is no link",
            ":3: there is no segment 9; there are 2",
            ":4: there is no segment 0",
            ":5: link 0-1 has a 0, but naacl",
        ],
    ),
    (
        "moses",
        "0-=1 2-1=0 0-999=1 1-2\n",
        [
            "'0-=1' is no pair",
            "'2-1=0' a phrase ends before",
            "'0-999=1' a phrase has more than 255",
            "'1-2' is no pair",
        ],
    ),
    (
        "meteor",
        "0:1 0:1 0 1.0\nAlignment 2\na\nb\nc\n0:2 0:1 0 1.0\nx\nAlignment 2\n",
        [
            ":1: '0:1 0:1 0 1.0' is no match",
            ":2: block '2' stands where block 1",
            ":5: 'c' stands where 'Line2Start",
            ":6: match '0:2' '0:1' points outside the block's sentences of 1",
            ":7: 'x' is no match",
            ":8: the file ends inside a block",
        ],
    ),
]


@pytest.mark.parametrize(("form", "text", "reasons"), WRONG)
def test_every_mistake_is_named_with_its_line(form: str, text: str, reasons: list[str]) -> None:
    count = {"naacl": 2}.get(form)
    found = [str(p) for p in link_problems(Text(text), form=form, segments=count)]
    assert len(found) == len(reasons)
    assert all(reason in problem for reason, problem in zip(reasons, found, strict=True))
    with pytest.raises(InputError) as caught:
        read_links(Text(text), form=form, segments=count)
    assert str(caught.value) == found[0]


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


MARK, WINDOWS = "starts with a byte-order mark", "ends in a carriage return"


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("form", ["pharaoh", None])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\ufeff0-0\n1-1\n", [(1, MARK)]),
        ("0-0\n\ufeff1-1\n", [(2, MARK)]),
        ("0-0\n1-1\r\n2-2\r\n", [(2, WINDOWS)]),
        ("0-0\n1-1\r", [(2, WINDOWS)]),
        ("\ufeff0-0\r\n0-9\r\n", [(1, MARK), (1, WINDOWS), (2, "link 0-9 points past")]),
    ],
)
def test_links_are_text_without_marks_and_windows_line_ends(
    text: str, expected: list[tuple[int, str]], form: str | None, size: int
) -> None:
    three = lengths(*[(3, 3)] * len(text.splitlines()))
    found = [str(p) for p in link_problems(Text(text, size), form=form, lengths=three)]
    assert len(found) == len(expected)
    for problem, (line, message) in zip(found, expected, strict=True):
        assert problem.startswith(f"links.txt:{line}: {message}")
    with pytest.raises(InputError, match=expected[0][1]):
        read_links(Text(text, size), form=form)


@pytest.mark.parametrize("form", ["meteor", "naacl", "target-lists", "moses"])
def test_windows_line_ends_hide_no_other_problem(form: str) -> None:
    text = {
        "meteor": METEOR.replace("2:3", "x"),
        "naacl": "1 1 1\n1 x 1\n",
        "target-lists": "0\nx\n",
        "moses": "0=0\nx\n",
    }[form]
    clean, windows = (
        [str(p) for p in link_problems(Text(each), form=form, segments=2)]
        for each in (text, text.replace("\n", "\r\n"))
    )
    assert len(clean) == 1
    assert windows == [windows[0], *clean]
    assert windows[0].startswith("links.txt:1: ends in a carriage return")


def test_compressed_links_need_their_suffix() -> None:
    data = gzip.compress(b"0-0\n")
    (problem,) = link_problems(Text(data), form="pharaoh", segments=1)
    assert str(problem).startswith("links.txt:1: is compressed, but its name does not end in .gz")


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
    with pytest.raises(OptionError, match="form is 'giza'; it can be pharaoh, "):
        read_links(Text("0-0\n"), form="giza")
    assert [str(p)[:30] for p in link_problems(Text("1-1\n"))] == ["links.txt: the format of the l"]


@pytest.mark.parametrize("form", LinkFormat)
@given(st.lists(link_sets(), min_size=1, max_size=4), st.data())
def test_what_is_written_is_read_again(
    form: LinkFormat, drawn: list[Drawn], data: st.DataObject
) -> None:
    if form is LinkFormat.METEOR:  # its links are one-to-one
        drawn = [(n, m, [(k, k) for k in range(min(n, m))]) for n, m, _ in drawn]
    links = LinkBatch.of([each for _, _, each in drawn])
    possible = None
    if form in (
        LinkFormat.SURE_POSSIBLE,
        LinkFormat.SURE_POSSIBLE_1,
        LinkFormat.TALP,
        LinkFormat.NAACL,
    ):
        marked = [[(data.draw(st.booleans()), link) for link in each] for _, _, each in drawn]
        links = LinkBatch.of([[link for sure, link in each if sure] for each in marked])
        possible = LinkBatch.of([[link for sure, link in each if not sure] for each in marked])
    texts = [["w"] * n for n, _, _ in drawn], [["w"] * m for _, m, _ in drawn]
    written = write_links(links, form=form, possible=possible, texts=texts)
    text = "".join(f"{line}\n" for line in written)
    known = lengths(*((n, m) for n, m, _ in drawn))
    again = read_links(Text(text), form=form, lengths=known)
    assert segments(again) == [links.segment(k) for k in range(len(links))]
    if possible is not None:
        assert [again.possible.segment(k) for k in range(len(links))] == [
            possible.segment(k) for k in range(len(links))
        ]


def test_a_writer_refuses_what_its_format_cannot_say() -> None:
    links = LinkBatch.of([[(0, 0)]])
    with pytest.raises(OptionError, match="pharaoh has no sign for possible links"):
        write_links(links, possible=links)
    for form in ("meteor", "target-lists"):
        with pytest.raises(OptionError, match=f"{form} cannot be written without the words"):
            write_links(links, form=form)
    assert list(write_links(links, form="moses")) == ["0=0"]


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
    for _ in range(400):
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
