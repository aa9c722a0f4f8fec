"""Exit codes, streams, help."""

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

import kilter as package
from kilter.cli.main import run
from kilter.core.errors import KilterError
from tests.cli.command import KILTER, installed, kilter
from tests.cli.sample import PATHS, REFERENCE, VERB, written
from tests.thorough import some


def test_the_version_is_the_packages() -> None:
    found = installed("--version")
    assert (found.code, found.out, found.err) == (0, f"kilter {package.__version__}\n", "")


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_lists_the_commands(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([flag]) == 0
    out = capsys.readouterr().out
    assert "permutation" in out
    assert "metrics" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["scor"], "there is no command 'scor'; did you mean score? ('kilter --help'"),
        (["SCORE", "x"], "there is no command 'SCORE'; did you mean score? ('kilter --help'"),
        (["zzzz"], "there is no command 'zzzz' ('kilter --help'"),
        (
            ["preorder", "evalute", "--quiet"],
            "there is no command 'evalute'; did you mean evaluate? ('kilter preorder --help'",
        ),
        (
            ["meta", "sensitivty"],
            "there is no command 'sensitivty'; did you mean sensitivity? ('kilter meta --help'",
        ),
    ],
)
def test_a_command_that_does_not_exist_is_told_with_the_one_that_was_meant(
    arguments: list[str], told: str
) -> None:
    done = kilter(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"kilter: {told} lists the commands)\n"


def test_an_option_before_any_command_is_told_as_an_option() -> None:
    done = kilter("--scor")
    assert done.code == 2
    assert "lists the options" in done.err


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["preorder", "apply", "-r", "r4", "-r", "r3", "x.conllu"], "--rules"),
        (["preorder", "explain", "--segment", "1", "--segment=2", "x.conllu"], "--segment"),
        (["parse", "x", "--parser", "model", "--parser", "perceptron"], "--parser"),
        (["permutation", "x", "--beta", "0.5", "--beta", "0.6"], "--beta"),
        (["meta", "--seed", "1", "--seed", "2"], "--seed"),
        (["meta", "sensitivity", "x", "--seed", "1", "--seed", "2"], "--seed"),
    ],
)
def test_an_option_with_one_value_is_not_given_two(
    arguments: list[str], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"kilter: {option} is given twice; it takes one value (" in captured.err


def test_flags_and_options_with_several_values_may_be_repeated(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["score", "-r", REFERENCE, VERB, "-m", "pef", "-m", "kendall", "-q", "-q"]
    assert run(arguments) == 0
    assert "kendall" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["permutation", "metrics"])
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "--help"]) == 0
    assert f"Usage: kilter {command}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["nothing"],
        ["--nothing"],
        ["permutation", "--nothing"],
        ["permutation", "--format", "xml"],
        ["permutation", "--beta", "x"],
        ["permutation", "--beta", "2"],
        ["permutation", "--gamma", "nan"],
        ["permutation", "-j", "0"],
        ["permutation", "-m", "bleu"],
        ["permutation", "-m", "pef:delta=1"],
        ["permutation", "a", "b"],
        ["permutation", "--tree", "--forest"],
        ["permutation", "--pairs", "-m", "bleu"],
        ["permutation", "--draw", "png"],
        ["permutation", "--draw", "svg", "--on-error", "mark"],
        ["metrics", "nothing"],
    ],
)
def test_wrong_usage_is_exit_code_two_without_output(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err
    assert "Traceback" not in captured.err


def test_data_errors_are_one_line_and_exit_code_three(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["permutation", "/nowhere/at all"]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "kilter: /nowhere/at all: cannot be opened: No such file or directory\n"


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("kilter.cli.metrics.metric_names", fail)
    with pytest.raises(ZeroDivisionError):
        run(["metrics"])


def test_errors_of_our_own_have_an_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class MissingError(KilterError):
        exit_code = 4

    def fail(*_: object, **__: object) -> None:
        raise MissingError("two\nlines")

    monkeypatch.setattr("kilter.cli.metrics.metric_names", fail)
    assert run(["metrics"]) == 4
    assert capsys.readouterr().err == "kilter: two lines\n"


def test_an_interrupt_is_exit_code_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kilter.cli.metrics.metric_names", interrupt)
    assert run(["metrics"]) == 130


def heard(arguments: list[str], lines: int) -> tuple[int, bytes]:
    """Return exit code and standard error of a command whose reader leaves after some lines."""
    with subprocess.Popen(
        [KILTER, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert all(process.stdout.readline() for _ in range(lines))
        process.stdout.close()
        return process.wait(), process.stderr.read()


@pytest.mark.parametrize("lines", some([0, 1], quick=[1]))
@pytest.mark.parametrize(
    "arguments",
    [
        *some(
            [
                ["metrics"],
                ["--help"],
                ["score", "-r", REFERENCE, *PATHS],
                ["align", "-r", REFERENCE, VERB],
                ["metrics", "--cite"],
                ["compare", "-r", REFERENCE, *PATHS],
                ["compare", "-r", REFERENCE, *PATHS, "--format", "jsonl"],
            ],
            quick=[["score", "-r", REFERENCE, *PATHS]],
        ),
    ],
)
def test_a_closed_pipe_is_silent(arguments: list[str], lines: int) -> None:
    assert heard(arguments, lines) == (0, b"")


# Beyond its first line a demonstration fits into a pipe: whether the reader was gone before the last one is chance.
@pytest.mark.parametrize("more", some([[], ["--compare"]], quick=[[]]))
def test_a_demonstration_without_a_reader_is_silent(more: list[str]) -> None:
    assert heard(["demo", *more, "--report", "/dev/null"], 0) == (0, b"")


def test_a_pipe_that_closes_while_links_are_written_is_silent(tmp_path: Path) -> None:
    text = written(tmp_path, "text", "a b c d e f g h i j\n" * 20_000)  # more than a pipe holds
    assert heard(["align", "-r", text, text], 1) == (0, b"")


@pytest.mark.parametrize("lines", some([0, 1], quick=[0]))
def test_the_verdict_of_validate_does_not_depend_on_its_reader(lines: int) -> None:
    problems = [f"nowhere/{number}{'x' * 1000}" for number in range(100)]
    assert heard(["validate", *problems], lines) == (3, b"")


def test_it_can_be_run_from_python() -> None:
    code = "import sys; from kilter.cli.main import main; sys.argv = ['kilter', 'metrics']; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.startswith(b"kendall ")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["score", "-r", "", "x"], "'-r' / '--reference'"),
        (["score", "-r", "x", ""], "'SYSTEMS...'"),
        (["score", "-r", "x", "x", "--segments", ""], "'--segments'"),
        (["compare", "-r", "x", "x", "y", "-a", ""], "'-a' / '--links'"),
        (["compare", "-s", "", "-r", "x", "x", "y"], "'-s' / '--source'"),
        (["align", "--source", "", "--target", "x"], "'--source'"),
        (["validate", "", "x"], "'[SYSTEMS]...'"),
        (["permutation", ""], "'[FILE]'"),
    ],
)
def test_an_empty_file_name_is_named_with_its_option(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"Invalid value for {named}: the file name is empty" in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("listener", some(["2>&-", "2>/dev/full"], quick=["2>&-"]))
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        *some(
            [
                (["permutation", "--on-error", "skip", "-m", "kendall"], 0),
                (["validate", "nowhere"], 3),
                (["score", "--nothing"], 2),
                (["score", "-r", REFERENCE, VERB, "-m", "kendall", "--format", "tsv"], 0),
                (["align", "-r", REFERENCE, VERB], 0),
                (["validate", "-r", REFERENCE, VERB], 0),
                (["score", "-r", "nowhere", VERB], 3),
                ([], 2),
            ],
            quick=[
                (["permutation", "--on-error", "skip", "-m", "kendall"], 0),
                (["validate", "nowhere"], 3),
            ],
            rows=True,
        ),
    ],
)
def test_results_and_exit_codes_need_no_listener(
    arguments: list[str], code: int, listener: str
) -> None:
    stdin = b"1 1\n2 1\n"
    heard = kilter(*arguments, stdin=stdin)
    command = ["sh", "-c", f'exec "$@" {listener}', "sh", KILTER, *arguments]
    unheard = subprocess.run(command, input=stdin, stdout=subprocess.PIPE, check=False)
    assert heard.code == unheard.returncode == code
    assert heard.out == unheard.stdout.decode()


class _Full(io.StringIO):
    """A standard output on a full disk."""

    def write(self, _: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_told_even_where_there_is_no_null_device(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(path: str, *_: object) -> int:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)

    monkeypatch.setattr(sys, "stdout", _Full())
    monkeypatch.setattr(os, "open", refuse)
    assert run(["metrics"]) == 3
    assert sys.stdout is None  # nothing is tried again when the interpreter ends
    monkeypatch.undo()
    told = "kilter: standard output cannot be written: No space left on device\n"
    assert capsys.readouterr().err == told


def test_what_kilter_puts_right_is_said_once_in_one_line(tmp_path: Path) -> None:
    marked, plain = tmp_path / "marked.txt", tmp_path / "plain.txt"
    marked.write_bytes(b"\xef\xbb\xbfa b c\n")
    plain.write_bytes(b"a b c\n")
    arguments = ["score", "-r", str(plain), str(marked), "-m", "kendall", "--format", "tsv"]
    loud = kilter(*arguments)
    note = f"kilter: {marked}: the byte-order mark at its start was dropped; UTF-8 needs none\n"
    assert loud.err.count(note) == 1
    assert loud.out.splitlines()[1].split("\t")[2] == "1.0"
    quiet = kilter(*arguments, "-q")
    assert (quiet.out, quiet.err) == (loud.out, "")
