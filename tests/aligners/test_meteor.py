"""METEOR's matcher as a process: a stand-in for Java shows what is asked and read, the real one agrees."""

import importlib.util
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

import kilter
from kilter.aligners.registry import aligner
from kilter.core.errors import InputError, MissingToolError, OptionError
from kilter.io.link_format import LinkFormat
from kilter.io.links import read_links
from kilter.io.stream import ByteSource

STAND_IN = """#!/bin/sh
echo "$@" > {told}
while [ "$1" != -l ]; do case "$1" in *test) test="$1";; *reference) reference="$1";; esac; shift; done
echo "Alignment 1"; cat "$test"; cat "$reference"
echo "Line2Start:Length	Line1Start:Length	Module		Score"
printf '1:1\\t\\t\\t0:1\\t\\t\\t0\\t\\t1.0\\n\\n'
cp "$test" "$reference" {told}.texts
"""


@pytest.fixture
def jar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a jar, with a stand-in for Java in the path that writes down how it was called."""
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    (tmp_path / "told.texts").mkdir()
    java.write_text(STAND_IN.format(told=tmp_path / "told"), encoding="utf-8")
    java.chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{java.parent}:/usr/bin:/bin")
    path = tmp_path / "meteor.jar"
    path.write_bytes(b"jar")
    return str(path)


def test_links_are_read_as_hypothesis_and_reference(jar: str, tmp_path: Path) -> None:
    links = kilter.align(["Katzen schlafen"], ["nun Katzen"], aligner=f"meteor:jar={jar}")
    assert links.segment(0) == [(0, 1)]
    told = (tmp_path / "told").read_text(encoding="utf-8")
    assert f"-cp {jar} Matcher " in told
    assert told.endswith("-l en -m exact stem synonym -t maxcov\n")
    assert (tmp_path / "told.texts" / "test").read_text(encoding="utf-8") == "katzen schlafen\n"
    kilter.align(["Katzen schlafen"], ["nun Katzen"], aligner=f"meteor:jar={jar},type=maxacc")
    assert (tmp_path / "told").read_text(encoding="utf-8").endswith(" -t maxacc\n")


def test_a_language_is_called_as_meteor_calls_it_and_has_no_synonyms(
    jar: str, tmp_path: Path
) -> None:
    made = aligner(f"meteor:jar={jar},lowercase=false", language="cs")
    kilter.align(["A"], ["a B"], aligner=made)
    told = (tmp_path / "told").read_text(encoding="utf-8")
    assert "-l cz -m exact -t maxcov" in told  # METEOR has no stemmer for Czech
    assert (tmp_path / "told.texts" / "reference").read_text(encoding="utf-8") == "a B\n"


def test_other_languages_have_stems(jar: str, tmp_path: Path) -> None:
    kilter.align(["a"], ["a b"], aligner=aligner(f"meteor:jar={jar}", language="sv"))
    assert "-l se -m exact stem -t" in (tmp_path / "told").read_text(encoding="utf-8")


def test_the_real_matcher_knows_czech() -> None:
    made = aligner(f"meteor:jar={real_jar()}", language="cs")
    assert kilter.align(["kočka spí"], ["spí kočka"], aligner=made).segment(0) == [(0, 1), (1, 0)]


def test_the_signature_names_the_jar_by_its_bytes(jar: str) -> None:
    signature = aligner(f"meteor:jar={jar}").signature()
    assert jar not in signature
    Path(jar).write_bytes(b"another")
    assert aligner(f"meteor:jar={jar}").signature() != signature


def test_the_identity_is_all_that_decides_the_links_of_a_pair(
    jar: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def identity(options: str = "") -> str | None:
        return aligner(f"meteor:jar={jar}{options}").identity()

    known = {identity(), identity(",lowercase=false"), identity(",modules=exact+paraphrase")}
    known.add(identity(",type=maxacc"))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "paraphrase-en.gz").write_bytes(b"phrases")
    assert identity() in known  # no module reads phrases
    known.add(identity(",modules=exact+paraphrase"))
    Path(jar).write_bytes(b"another")
    known.add(identity())
    assert len(known) == 6
    assert None not in known
    monkeypatch.setenv("PATH", "/nowhere")
    assert identity() is None
    assert aligner("meteor:jar=none.jar").identity() is None


def test_links_are_kept_for_the_next_run(jar: str, tmp_path: Path) -> None:
    def links() -> list[tuple[int, int]]:
        made = kilter.align(
            ["Katzen schlafen"],
            ["nun Katzen"],
            aligner=f"meteor:jar={jar}",
            cache=str(tmp_path / "kept"),
        )
        return made.segment(0)

    assert links() == [(0, 1)]
    (tmp_path / "told").unlink()
    assert links() == [(0, 1)]
    assert not (tmp_path / "told").exists()


def test_without_phrases_a_word_has_one_link() -> None:
    assert aligner("meteor:modules=paraphrase").one_to_one() == aligner("meteor:modules=exact")
    made = aligner("meteor:modules=exact+paraphrase+stem").one_to_one()
    assert made == aligner("meteor:modules=exact+stem")


@pytest.mark.parametrize("modules", ["", "exact+exact", "stems"])
def test_modules_are_those_of_meteor(modules: str) -> None:
    with pytest.raises(OptionError, match="join some of exact, stem, synonym, paraphrase by"):
        kilter.aligner(f"meteor:modules={modules}")


def test_what_is_missing_is_named(jar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match="meteor needs its jar: meteor:jar=FILE"):
        kilter.align(["a"], ["a"], aligner="meteor")
    with pytest.raises(InputError, match=r"none\.jar: there is no such file"):
        kilter.align(["a"], ["a"], aligner="meteor:jar=none.jar")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(MissingToolError, match="apt install default-jre-headless"):
        kilter.align(["a"], ["a"], aligner=f"meteor:jar={jar}")


def test_what_meteor_says_when_it_stops_is_told(jar: str, tmp_path: Path) -> None:
    (tmp_path / "bin" / "java").write_text("#!/bin/sh\necho no such language\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"meteor\.jar: METEOR stopped: no such language"):
        kilter.align(["a"], ["a"], aligner=f"meteor:jar={jar}")


def real_jar() -> str:
    """Return the jar that the package pycocoevalcap carries, or skip."""
    found = importlib.util.find_spec("pycocoevalcap")
    if found is None or shutil.which("java") is None:
        pytest.skip("needs Java, and pip install --no-deps pycocoevalcap")
    (place,) = found.submodule_search_locations or [""]
    return str(Path(place) / "meteor" / "meteor-1.5.jar")


def test_the_real_matcher_links_words_stems_and_synonyms() -> None:
    links = kilter.align(
        ["the mat sat on the cat .", "He walked home quickly", "nothing here", "large dogs"],
        ["the cat sat on the mat .", "rapidly he walks home", "", "big dogs"],
        aligner=f"meteor:jar={real_jar()}",
    )
    assert [links.segment(place) for place in range(4)] == [
        [(0, 4), (1, 5), (2, 2), (3, 3), (4, 0), (5, 1), (6, 6)],
        [(0, 1), (1, 2), (2, 3), (3, 0)],
        [],
        [(0, 0), (1, 1)],
    ]


def test_maxcov_is_what_meteor_scores_by_and_maxacc_is_another_choice(tmp_path: Path) -> None:
    jar = real_jar()
    texts = {
        "test": ["the big cat", "he has had his tea , and she has had hers", "a cat , a dog"],
        "reference": ["the large the cats", "she had had tea , he had his", "the dogs and a cat"],
    }
    for name, lines in texts.items():
        content = "".join(f"{line}\n" for line in lines)
        (tmp_path / name).write_text(content, encoding="utf-8")
    command = ["java", "-jar", jar, "test", "reference", "-l", "en", "-m", "exact stem synonym"]
    command += ["-w", "1 0.6 0.8", "-writeAlignments", "-f", "scored"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    scored = read_links(ByteSource(str(tmp_path / "scored-align.out")), form=LinkFormat.METEOR).sure
    made = {
        kind: kilter.align(*texts.values(), aligner=f"meteor:jar={jar},type={kind}")
        for kind in ("maxcov", "maxacc")
    }
    assert made["maxcov"].links.tolist() == scored.links.tolist()
    assert made["maxcov"].segment(0) == [(0, 0), (1, 1)]
    assert made["maxacc"].segment(0) == [(0, 0), (1, 1), (2, 3)]
