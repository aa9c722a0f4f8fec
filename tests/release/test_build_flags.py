"""The flags that CMakeLists.txt compiles with: optimisation in releases only, and a protected stack."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("nanobind", reason="nanobind builds the kernels")

_ROOT = Path(__file__).parents[2]


def _flags(folder: Path, *options: str) -> dict[str, list[str]]:
    """Return the flags of every source file of the extension, by its name."""
    cmake = shutil.which("cmake") or str(Path(sys.executable).with_name("cmake"))
    command = [cmake, "-S", str(_ROOT), "-B", str(folder), f"-DPython_EXECUTABLE={sys.executable}"]
    subprocess.run(
        [*command, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *options], check=True, capture_output=True
    )
    commands = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
    return {
        Path(entry["file"]).name: shlex.split(entry["command"])
        for entry in commands
        if "/kernel_speed.dir/" not in entry["command"]
    }


def _levels(flags: list[str]) -> list[str]:
    """Return what flags say about optimisation; the compiler heeds the last one."""
    return [flag for flag in flags if flag.startswith("-O")]


def test_debug_is_not_optimised(tmp_path: Path) -> None:
    for name, flags in _flags(tmp_path, "-DCMAKE_BUILD_TYPE=Debug").items():
        assert _levels(flags) == [], name


def test_sanitizers_see_every_kernel_at_their_own_level(tmp_path: Path) -> None:
    flags = _flags(tmp_path, "-DCMAKE_BUILD_TYPE=Release", "-DKILTER_SANITIZE=address,undefined")
    sanitized = {name for name in flags if "-fno-sanitize-recover=all" in flags[name]}
    assert {"kendall.cpp", "resample.cpp", "transformer.cpp"} <= sanitized
    assert {_levels(flags[name])[-1] for name in sanitized} == {"-O1"}


def test_a_release_is_optimised_and_its_stack_is_protected(tmp_path: Path) -> None:
    flags = _flags(tmp_path, "-DCMAKE_BUILD_TYPE=Release")
    assert _levels(flags["kendall.cpp"])[-1] == "-O2"
    assert _levels(flags["philox.cpp"])[-1] == "-O3"
    for name, given in flags.items():
        protection = [flag for flag in given if "stack-protector" in flag]
        assert protection == ["-fstack-protector-strong"], name


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("i686-linux-gnu", "Kilter needs a 64-bit system"),
        ("arm-linux-gnueabihf", "Kilter needs a 64-bit system"),
        ("powerpc64-linux-gnu", "Kilter needs a little-endian processor"),
    ],
)
def test_targets_that_cannot_work_are_refused_with_the_reason(
    target: str, message: str, tmp_path: Path
) -> None:
    if shutil.which("clang++") is None:
        pytest.skip("clang++ is not installed, which knows all targets")
    cmake = shutil.which("cmake") or str(Path(sys.executable).with_name("cmake"))
    chosen = {
        "CMAKE_SYSTEM_NAME": "Linux",
        "CMAKE_SYSTEM_PROCESSOR": target.partition("-")[0],
        "CMAKE_CXX_COMPILER": "clang++",
        "CMAKE_CXX_COMPILER_TARGET": target,
        # Nothing is linked: there is no library of the target.
        "CMAKE_TRY_COMPILE_TARGET_TYPE": "STATIC_LIBRARY",
    }
    done = subprocess.run(
        [cmake, "-S", str(_ROOT), "-B", str(tmp_path), *(f"-D{k}={v}" for k, v in chosen.items())],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert message in " ".join(done.stderr.split())
