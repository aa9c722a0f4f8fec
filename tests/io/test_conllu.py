"""Trees in CoNLL-U: what is read, what is written again, and what is refused."""

import gzip
import io
import lzma
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.corpus import Vocabulary
from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError
from kilter.io import conllu
from kilter.io.conllu import Treebank, checked_trees, read_conllu, read_trees, write_conllu
from kilter.io.stream import ByteSource
from tests.io.conllu_files import SENTENCE, word, written
from tests.strategies import dependency_trees
from tests.thorough import some

DATA = Path(os.environ.get("KILTER_DATA", Path(__file__).parents[3] / "shared" / "data"))


def test_words_heads_labels_and_tags_are_read(tmp_path: Path) -> None:
    bank = read_conllu(written(tmp_path, SENTENCE))
    tree = bank.trees.tree(0)
    assert tree == DependencyTree(
        ["Do", "n't", "water", "the", "roses", "."],
        [2, 2, -1, 4, 2, 2],
        labels=["aux", "advmod", "root", "det", "obj", "punct"],
        tags=["AUX", "PART", "VERB", "DET", "NOUN", "PUNCT"],
    )
    assert bank.comments == (("# sent_id = garden-1", "# text = Don't water the roses."),)
    assert [place for place, _ in bank.extra[0]] == [0, 3]
    assert bank.trees.where(0).endswith("trees.conllu:1 (sentence garden-1)")


@pytest.mark.parametrize("ending", ["\n\n", "\n", ""])
def test_a_file_is_written_as_it_was_read(ending: str, tmp_path: Path) -> None:
    text = (SENTENCE + word(1, 0, "one two", "nsubj:pass")).rstrip("\n") + ending
    bank = read_conllu(written(tmp_path, text))
    assert "".join(write_conllu(bank)) == text
    assert bank.trees.vocabulary.words[bank.trees.labels[-1]] == "nsubj:pass"


@pytest.mark.parametrize(("suffix", "squeeze"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_compressed_files_are_read(suffix: str, squeeze: object, tmp_path: Path) -> None:
    path = tmp_path / f"trees.conllu{suffix}"
    path.write_bytes(squeeze(SENTENCE.encode()))  # type: ignore[operator]
    assert len(read_trees(ByteSource(str(path)))) == 1


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(SENTENCE.encode()))
    monkeypatch.setattr("sys.stdin", stream)
    assert len(read_trees(ByteSource("-"))) == 1


def test_a_segment_without_words_is_a_block_of_comments(tmp_path: Path) -> None:
    text = f"# text =\n\n{word(1, 0)}\n# sent_id = 3\n\n"
    bank = read_conllu(written(tmp_path, text))
    assert bank.trees.lengths.tolist() == [0, 1, 0]
    assert "".join(write_conllu(bank)) == text


def test_trees_without_comments_get_their_numbers_and_their_text() -> None:
    first, other = DependencyTree(["a", "b"], [-1, 0]), DependencyTree(["a", "b"], [1, -1])
    text = "".join(
        write_conllu(Treebank.of(DependencyTreeColumn.of([first, [first, other], first])))
    )
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        *("# sent_id = 1", "# text = a b"),
        *("# sent_id = 2", "# parse = 1", "# text = a b"),
        *("# sent_id = 2", "# parse = 2", "# text = a b"),
        *("# sent_id = 3", "# text = a b"),
    ]


def test_parses_of_one_sentence_are_numbered_and_share_its_name(tmp_path: Path) -> None:
    first = f"# sent_id = a\n# parse = 1\n{word(1, 2)}{word(2, 0)}\n"
    second = f"# sent_id = a\n# parse = 2\n{word(1, 0)}{word(2, 1)}\n"
    column = read_trees(written(tmp_path, f"{first}{second}{SENTENCE}"))
    assert column.parses.tolist() == [0, 2, 3]
    assert [tree.heads for tree in column.segment(0)] == [(1, -1), (-1, 0)]
    assert column.lengths.tolist() == [2, 6]


@given(st.lists(st.lists(dependency_trees(3, 3), min_size=1, max_size=3), max_size=3))
def test_trees_survive_writing_and_reading(segments: list[list[DependencyTree]]) -> None:
    same = [[_with_words(tree, parses[0].words) for tree in parses] for parses in segments]
    column = DependencyTreeColumn.of([*same, DependencyTree([], [])])
    text = "".join(write_conllu(Treebank.of(column)))
    again = read_trees(_Bytes(text.encode()))
    assert [again.segment(s) for s in range(len(again))] == [*same, [DependencyTree([], [])]]


def _with_words(tree: DependencyTree, words: tuple[str, ...]) -> DependencyTree:
    return DependencyTree(words, tree.heads, labels=tree.labels, tags=tree.tags)


class _Bytes(ByteSource):
    def __init__(self, data: bytes) -> None:
        super().__init__("bytes")
        self.data = data

    def raw_chunks(self, *, again: bool = False) -> Iterator[bytes]:
        assert not again
        yield self.data


@pytest.mark.parametrize("word_form", ["a\tb", "a\nb", ""])
def test_what_conllu_cannot_hold_is_not_written(word_form: str) -> None:
    column = DependencyTreeColumn.of([DependencyTree([word_form], [-1])])
    with pytest.raises(InputError, match="cannot be written as CoNLL-U"):
        list(write_conllu(Treebank.of(column, [[]])))
    fine = DependencyTreeColumn.of([DependencyTree(["a"], [-1])])
    with pytest.raises(InputError, match="must be one line that starts with #"):
        list(write_conllu(Treebank.of(fine, [["note"]])))
    with pytest.raises(InputError, match="comments for 0 trees, but 1 trees"):
        list(write_conllu(Treebank.of(fine, [])))


def test_trees_are_checked_against_the_words_of_the_text(tmp_path: Path) -> None:
    source = written(tmp_path, SENTENCE + word(1, 0))
    sentences = read_trees(source).sentences()
    vocabulary = Vocabulary()

    def found(*lines: list[str]) -> list[str]:
        words = vocabulary.column(lines)
        _, faults = checked_trees(source, words=words, vocabulary=vocabulary, text="a.txt")
        return [str(fault) for fault in faults]

    assert found(*sentences) == []
    (fault,) = found(sentences[0][1:], sentences[1])
    assert ":1 (sentence garden-1): the tree has 6 words, but line 1 of a.txt has 5" in fault
    (fault,) = found(["other", *sentences[0][1:]], sentences[1])
    assert "word 1 of the tree is 'Do', but that of line 1 of a.txt is 'other'" in fault
    (fault,) = found(sentences[0])
    assert "has trees for 2 segments, but a.txt has 1 line" in fault


def test_a_missing_file_is_a_problem_like_any_other(tmp_path: Path) -> None:
    _, (found,) = checked_trees(ByteSource(str(tmp_path / "none.conllu")))
    assert "cannot be opened" in str(found)


@pytest.mark.parametrize(
    "name",
    some(
        [
            "ud-english-ewt/dev.conllu.gz",
            "ud-english-ewt/test.conllu.gz",
            "ud-english-ewt/train.conllu.gz",
            "pud-aligned/en-fr/en.conllu.gz",
            "pud-aligned/en-fr/target.conllu.gz",
            "pud-aligned/en-jp/en.conllu.gz",
            "pud-aligned/en-jp/target.conllu.gz",
        ],
        quick=["pud-aligned/en-fr/target.conllu.gz", "pud-aligned/en-jp/target.conllu.gz"],
    ),
)
def test_real_treebanks_are_written_as_they_were_read(name: str) -> None:
    path = DATA / name
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    bank = read_conllu(ByteSource(str(path)))
    assert "".join(write_conllu(bank)).encode() == gzip.decompress(path.read_bytes())


# Sentences in CoNLL-U: what is not a tree is refused with its line.


def refusal(folder: Path, text: str) -> str:
    source = written(folder, text)
    with pytest.raises(InputError) as raised:
        read_conllu(source)
    listed = [str(error) for error in checked_trees(source)[1]]
    assert listed[0] == str(raised.value)
    with pytest.raises(InputError):
        read_trees(source)
    return str(raised.value).removeprefix(source.name)


def test_empty_nodes_after_one_word_are_counted(tmp_path: Path) -> None:
    nodes = "".join(f"1.{count}{word(1, '_')[1:]}" for count in (1, 2, 3))
    text = word(1, 0) + nodes + word(2, 1) + "\n"
    assert "".join(write_conllu(read_conllu(written(tmp_path, text)))) == text


def test_further_roots_are_attached_and_counted(tmp_path: Path) -> None:
    column = read_trees(written(tmp_path, word(1, 0) + word(2, 0)))
    assert column.joined == (0,)
    assert column.tree(0).labels == ("dep", "dep")
    assert column.heads.tolist() == [-1, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (word(1, 2) + word(2, 1), ":1: words 1 -> 2 -> 1 hang from one another in a cycle"),
        (word(1, 1), ":1: words 1 -> 1 hang from one another in a cycle"),
        (word(1, 0) + word(2, 7), ":2: the head of word 2 is 7, but the sentence has 2 words"),
        (word(1, "_"), ":1: word 1 has no head; column HEAD holds a number, 0 for the root"),
        (word(1, "x"), ":1: the head of word 1 is 'x', which is not a number"),
        (word(1, "01"), ":1: the head of word 1 is '01', which is not a number"),
        (word(1, "9" * 5000), ":1: the head of word 1 is 9999"),
        (word(2, 0), ":1: the id is 2, but 1 is expected; words are numbered 1, 2, 3"),
        (word(1, 0) + word(1, 0), ":2: the id is 1, but 2 is expected"),
        ("x" + word(1, 0), ":1: the id is 'x1'; it must be a word (3), a multiword token (3-4)"),
        ("1 w _ X _ _ 0 dep _ _\n", ":1: has 1 column; CoNLL-U has 10, separated by tabs"),
        (word(1, 0)[:-3] + "\n", ":1: has 9 columns"),
        (word(1, 0, ""), ":1: column FORM is empty; write _ where there is nothing"),
        (word(1, 0) + "# late\n", ":2: a comment stands below words"),
        ("# sent_id = s\n" + word(1, 3), ":2 (sentence s): the head of word 1 is 3"),
        ("\n" + word(1, 0), ":1: an empty line ends a sentence, but there is none before it"),
        (word(1, 0) + "\n\n" + word(1, 0), ":3: an empty line ends a sentence"),
        ("# note\n\n" + word(1, 0), ":1: comments without words"),
        (
            word(1, 0) + "\n# sent_id = 2\n# text",
            ":3 (sentence 2): the file ends before the first word of a sentence",
        ),
        (word(1, 0) + "\n0.1\ta" + "\t_" * 8, ":3: the file ends before the first word"),
        (
            word(1, 0) + "\n# text = a\n",
            ":3: the file ends before the first word of a sentence, it may have been cut off",
        ),
        ("2-3" + word(1, 0)[1:] + word(1, 0), ":1: the multiword token 2-3 must stand before"),
        ("1-2" + word(1, 0)[1:] + word(1, 0), ":1: the multiword token 1-2 must stand before"),
        ("1.1" + word(1, 0)[1:] + word(1, 0), ":1: the empty node 1.1 must be numbered 0.1"),
        (
            word(1, 0) + 2 * ("1.1" + word(1, "_")[1:]),
            ":3: the empty node 1.1 must be numbered 1.2",
        ),
        ("# parse = 2\n" + word(1, 0), ":1: parse 2 follows no other parse; number the parses"),
        ("# parse = best\n" + word(1, 0), ":1: parse is 'best'; number the parses"),
        (word(1, 0) + "\n\ufeff" + word(1, 0), ":3: starts with a byte-order mark"),
        (word(1, 0).replace("\n", "\r\n"), ":1: ends in a carriage return"),
        ("", ": the file is empty; it must hold trees in CoNLL-U"),
    ],
)
def test_what_is_no_tree_is_refused_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    assert refusal(tmp_path, text).startswith(message)


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (f"# sent_id = b\n# parse = 2\n{word(1, 0)}", "parse 2 has another sent_id than parse 1"),
        (f"# sent_id = a\n# parse = 3\n{word(1, 0)}", "parse 3 follows parse 1; number"),
        (f"# sent_id = a\n# parse = 2\n{word(1, 0)}\n" * 2, "parse 2 follows parse 2; number"),
        (f"# sent_id = a\n# parse = 2\n{word(1, 0, 'x')}", "the words are not those of parse 1"),
    ],
)
def test_parses_that_do_not_belong_together_are_refused(
    second: str, message: str, tmp_path: Path
) -> None:
    text = f"# sent_id = a\n# parse = 1\n{word(1, 0)}\n{second}"
    assert message in refusal(tmp_path, text)


def test_every_wrong_sentence_is_listed_once_in_the_order_of_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = [word(1, 2), SENTENCE.strip() + "\n", word(1, 1), word(2, 2), word(1, "_")]
    source = written(tmp_path, "\n".join(blocks))
    listed = [str(error) for error in checked_trees(source)[1]]
    assert [int(entry.split(":")[1]) for entry in listed] == [1, 14, 16, 18]
    monkeypatch.setattr(conllu, "_PIECE", 1)
    assert [str(error) for error in checked_trees(source)[1]] == listed
