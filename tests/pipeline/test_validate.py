"""Every problem of the inputs, found at once."""

from pathlib import Path

from kilter.pipeline.demo import SAMPLE
from kilter.pipeline.validate import find_problems


def written(folder: Path, name: str, data: bytes) -> str:
    path = folder / name
    path.write_bytes(data)
    return str(path)


def test_the_sample_has_no_problem() -> None:
    report = find_problems(
        systems=[str(SAMPLE / "verb.en")],
        references=[str(SAMPLE / "reference.en"), str(SAMPLE / "reference2.en")],
        source=str(SAMPLE / "source.de"),
    )
    assert (report.problems, report.files, report.segments, report.empty) == ([], 4, 48, 0)


def test_problems_are_listed_file_by_file(tmp_path: Path) -> None:
    reference = written(tmp_path, "r", b"a b\nc\n")
    bad = written(tmp_path, "bad", b"a\r\n\xff\n")
    long = written(tmp_path, "long", b"a\nb\nc\n")
    report = find_problems(systems=[bad, long, "nowhere"], references=[reference])
    assert [problem.split(": ")[0] for problem in report.problems] == [
        f"{bad}:1",
        f"{bad}:2",
        "nowhere",
        long,
    ]
    assert report.files == 4


def test_links_are_checked_against_their_own_pair(tmp_path: Path) -> None:
    first, second = written(tmp_path, "r1", b"a b c\n"), written(tmp_path, "r2", b"a\n")
    system = written(tmp_path, "s", b"a b\n")
    links = written(tmp_path, "l", b"0-2\n")
    report = find_problems(systems=[system], references=[first, second], links=[links, links])
    (problem,) = report.problems
    assert problem.startswith(
        f"{links}:1: link 0-2 points past the 1 word of the reference, counted from 0; "
    )


def test_given_links_count_words_as_they_stand(tmp_path: Path) -> None:
    text = written(tmp_path, "t", b"a, b.\n")
    other = written(tmp_path, "u", b"a, b.\n")
    links = written(tmp_path, "l", b"0-0 3-3\n")
    assert len(find_problems(systems=[text], references=[other], links=[links]).problems) == 1
    split = find_problems(systems=[text], references=[other], links=[links], tokenize="13a")
    assert split.problems == []


def test_the_same_file_twice_is_read_once(tmp_path: Path) -> None:
    text = written(tmp_path, "t", b"a\n\n")
    report = find_problems(systems=[text, text], references=[text])
    assert (report.files, report.segments, report.empty) == (1, 2, 1)
