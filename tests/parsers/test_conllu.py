"""A CoNLL-U file as a parser."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError, OptionError
from kilter.parsers.registry import parser
from tests.parsers.sentences import parsed, tree_lines

TREES = """# sent_id = a
# parse = 1
1\tdogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_
2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_

# sent_id = a
# parse = 2
1\tdogs\tdog\tNOUN\tNNS\t_\t0\troot\t_\t_
2\tbark\tbark\tNOUN\tNN\t_\t1\tobj\t_\t_

# sent_id = b
# text =

"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Return the name of a parser that reads a file of two segments, the first with two parses."""
    path = tmp_path / "trees.conllu"
    path.write_text(TREES, encoding="utf-8")
    return f"conllu:file={path}"


def test_the_first_parse_of_each_segment_is_taken(file: str) -> None:
    found = parsed(file, "dogs bark", "")
    assert tree_lines(found) == ["dogs NOUN bark nsubj", "bark VERB - root"]
    assert tree_lines(found, 1) == []
    names = found.trees.vocabulary.words
    assert [names[tag] for tag in found.language_tags.tolist()] == ["NNS", "VBP"]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["dogs bark"], "has 2 sentences, but the text has 1 segment"),
        (["dogs bark", "x"], "sentence b"),
        (["dogs run", ""], "word 2 of the tree is 'bark', but that of line 1 of the text is 'run'"),
    ],
)
def test_another_text_is_refused(file: str, texts: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        parsed(file, *texts)


def test_the_file_must_be_named() -> None:
    with pytest.raises(OptionError, match="conllu:file="):
        parsed("conllu", "dogs bark")


def test_the_signature_names_the_file_by_its_bytes(tmp_path: Path) -> None:
    file = tmp_path / "a.conllu"
    file.write_bytes(b"one")
    first = parser(f"conllu:file={file}").signature()
    assert first == "conllu(version:7692c3ad)"  # printf one | sha256sum
    file.write_bytes(b"two")
    assert parser(f"conllu:file={file}").signature() != first
    assert parser("conllu").signature() == "conllu(version:none)"
