"""Where the command begins."""

import os
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]


def started(*arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    places = [*([str(path)] if path else []), *filter(None, sys.path)]
    return subprocess.run(
        [sys.executable, "-c", "from kilter.cli.start import main; main()", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_interrupt_while_libraries_are_loaded_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    done = started("--version", path=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_signal_while_libraries_are_loaded_is_quiet(tmp_path: Path) -> None:
    sent = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
    # In the making of a class an interrupt becomes another error, in a finalizer it is only told.
    made = "class Base:\n def __init_subclass__(cls) -> None:\n  "
    for code in (sent, f"class C:\n def __del__(self):\n  {sent.splitlines()[0]}\n  {sent.splitlines()[1]}\nC()\n",
                 made + "\n  ".join(sent.splitlines()) + "\nclass D(Base): pass\n"):  # fmt: skip
        (tmp_path / "click.py").write_text(code, encoding="utf-8")
        done = started("--version", path=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_nothing_is_loaded_before_an_interrupt_is_heeded() -> None:
    code = "import sys; known = {*sys.modules}; import kilter.cli.start; print(*{*sys.modules} - known)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {*done.stdout.split()} == {"kilter", "kilter.cli", "kilter.cli.start", "gc"} - {
        *sys.builtin_module_names
    } | {"gc"}


def test_what_is_loaded_is_the_command() -> None:
    done = started("--version")
    assert (done.returncode, done.stdout.split()[:1], done.stderr) == (0, ["kilter"], "")
    assert started("no-such-command").returncode == 2


def test_work_loads_only_what_it_needs(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("the cat sat on the mat\n", encoding="utf-8")
    code = (
        f"import sys; sys.argv = ['kilter', 'score', {str(text)!r}, '-r', {str(text)!r}]\n"
        "from kilter.cli.start import main\n"
        "try: main()\n"
        "except SystemExit as end: print(end.code, *sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ended, *loaded = done.stdout.splitlines()[-1].split()
    assert ended == "0"
    assert "numpy._core" in loaded
    unused = {"concurrent.futures", "http", "multiprocessing", "numpy.ma", "numpy.random"}
    packages = {"pandas", "pyarrow", "rich", "sacrebleu"}
    assert {*loaded} & (unused | packages) == set()


def test_the_installed_script_starts_here() -> None:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    module, _, name = document["project"]["scripts"]["kilter"].partition(":")
    assert module == "kilter.cli.start"
    assert callable(getattr(import_module(module), name))


def test_help_loads_no_numpy_reads_no_metadata_and_starts_no_threads() -> None:
    code = (
        "import os, sys; sys.argv = ['kilter', 'score', '--help']\n"
        "from kilter.cli.start import main\n"
        "try: main()\n"
        "except SystemExit: print(*{'numpy._core', 'importlib.metadata'} & {*sys.modules}, "
        "os.environ['OPENBLAS_NUM_THREADS'])\n"
    )
    clean = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    for given, threads in ((clean, "1"), ({**clean, "OPENBLAS_NUM_THREADS": "3"}, "3")):
        done = subprocess.run(
            [sys.executable, "-c", code], env=given, capture_output=True, text=True, check=True
        )
        assert done.stdout.splitlines()[-1] == threads
