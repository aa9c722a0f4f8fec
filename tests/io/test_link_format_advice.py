"""Files of links whose format is another than the one that was named."""

from pathlib import Path

import numpy as np
import pytest

from kilter.io.links import link_problems


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
