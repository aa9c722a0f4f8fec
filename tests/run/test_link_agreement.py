"""Two files of links compared, with and without the texts that they join."""

from functools import partial
from pathlib import Path

import pytest

from kilter.core.errors import InputError, KilterWarning, OptionError
from kilter.run.link_agreement import link_agreement
from tests.oracles.link_agreement import LinkedSentence, measures

SENTENCES = [
    LinkedSentence((3, 2), ({(0, 1), (1, 0)}, {(0, 0), (1, 0)}), (set(), {(2, 1)})),
    LinkedSentence((2, 2), (set(), {(1, 1)}), (set(), set())),
]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    held = {
        "first": "0-1 1-0\n\n",
        "second": "0-0 1-0 2p1\n1-1\n",
        "source": "a b c\nd e\n",
        "target": "x y\nz w\n",
        "short": "0-0\n",
        "far": "0-1 5-0\n\n",
    }
    for name, text in held.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return {name: str(tmp_path / name) for name in held}


# The second segment has links in one file only, of which one test is about.
pytestmark = pytest.mark.filterwarnings("ignore::kilter.core.errors.KilterWarning")


def test_segments_with_links_in_one_file_only_are_told(files: dict[str, str]) -> None:
    with pytest.warns(KilterWarning, match="1 segment with links in one file only"):
        link_agreement(files["first"], files["second"], link_format="sure-possible")


def test_links_of_words_between_blanks_are_no_links_of_tokens(tmp_path: Path) -> None:
    held = {
        "source": "b, a.\n" * 3,
        "target": "y, x.\n" * 3,
        "blanks": "0-1 1-0\n" * 3,
        "tokens": "0-2 2-0\n" * 3,
    }
    for name, text in held.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    source, target, blanks, tokens = (str(tmp_path / name) for name in held)
    for one, other in ((source, None), (None, target), (source, target)):
        texts = partial(link_agreement, source=one, target=other)
        assert texts(tokens, tokens).f1.value == 1.0
        assert texts(blanks, blanks, tokenize="none").f1.value == 1.0
        for pair in ((blanks, tokens), (tokens, blanks)):
            with pytest.raises(InputError, match="blanks: the tokeniser 13a finds more words than"):
                texts(*pair)


def test_segments_without_any_link_are_no_order(files: dict[str, str]) -> None:
    with pytest.warns(
        KilterWarning, match="1 segment with no sure link in either file: no part of FRS"
    ):
        found = link_agreement(
            files["first"], files["first"], source=files["source"], target=files["target"]
        )
    assert found.frs.value == 1.0
    Path(files["short"]).write_text("\n\n", encoding="utf-8")
    one = link_agreement(
        files["first"], files["short"], source=files["source"], target=files["target"]
    )
    assert one.frs.value == 0.0
    none = link_agreement(files["short"], files["short"], source=files["source"])
    assert none.frs.value is None
    assert none.frs.reason


@pytest.mark.parametrize("possible", [False, True])
def test_files_agree_as_their_links_do(files: dict[str, str], possible: bool) -> None:  # noqa: FBT001
    found = link_agreement(
        files["first"],
        files["second"],
        source=files["source"],
        target=files["target"],
        link_format="sure-possible",
        possible=possible,
    )
    expected = measures(SENTENCES, possible=possible)
    values = {name: each.value for name, each in found.measures().items()}
    assert values == pytest.approx({name: float(each or 0) for name, each in expected.items()})


def test_without_a_text_what_needs_it_is_undefined(files: dict[str, str]) -> None:
    names = files["first"], files["second"]
    bare = link_agreement(*names, link_format="sure-possible")
    assert bare.kappa.value is None
    assert bare.kappa.reason
    assert bare.frs.value is None
    assert bare.frs.reason
    half = link_agreement(*names, source=files["source"], link_format="sure-possible")
    assert half.kappa.value is None
    assert half.kappa.reason
    assert half.frs.value == pytest.approx(float(measures(SENTENCES, possible=False)["frs"] or 0))
    lists = Path(files["first"]).with_name("lists")
    lists.write_text("1,0\n,\n", encoding="utf-8")
    assert link_agreement(str(lists), names[0], source=files["source"]).f1.value == 1.0
    other = link_agreement(*names, target=files["target"], link_format="sure-possible")
    assert (other.frs.value, other.kappa.value) == (None, None)


@pytest.mark.parametrize(
    ("names", "texts", "reason"),
    [
        (("first", "short"), {}, "1 segment"),
        (("far", "second"), {"source": "source"}, "5-0 points past the 3 words of the source"),
        (("first", "second"), {"source": "source", "target": "short"}, "has 1 line"),
        (("first", "second"), {"source": "short"}, "2 lines for 1 segment"),
    ],
)
def test_files_that_do_not_fit_are_refused(
    files: dict[str, str], names: tuple[str, str], texts: dict[str, str], reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        link_agreement(
            *(files[name] for name in names),
            **{side: files[name] for side, name in texts.items()},  # type: ignore[arg-type]
            link_format="sure-possible",
        )


def test_a_format_without_empty_segments_needs_a_text(
    files: dict[str, str], tmp_path: Path
) -> None:
    naacl = tmp_path / "naacl"
    naacl.write_text("1 1 2 S\n2 2 2 P\n", encoding="utf-8")
    for form in ("naacl", None):
        with pytest.raises(OptionError, match="give the source or the target"):
            link_agreement(str(naacl), str(naacl), link_format=form)
    found = link_agreement(str(naacl), str(naacl), source=files["source"], link_format="naacl")
    assert (found.links, found.sure) == (2, 1)
