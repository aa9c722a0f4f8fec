#!/usr/bin/env bash
# Makes what `make fuzz` needs: an environment with Atheris and the built wheel (.venv-fuzz), and the kernels'
# targets compiled by clang with libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer (build/fuzz/kernels).
# As root it installs Debian's clang if that is missing; what cannot be made is left out, with the reason.
set -euo pipefail
cd "$(dirname "$0")/../.."

# With targets as arguments, what none of them needs is not made.
targets=" $* "
wanted() {
    [[ "$targets" == "  " || "$targets" == *" $1"* ]]
}

venv=.venv-fuzz
wheel=$(echo dist/*.whl)
if { wanted read- || wanted call-; } && [[ ! -e "$venv/made" || "$wheel" -nt "$venv/made" ]]; then
    rm -rf "$venv"
    .venv/bin/python -m venv "$venv"
    pip=("$venv/bin/python" -m pip --disable-pip-version-check install --quiet)
    "${pip[@]}" --upgrade 'pip>=25.1'
    if "${pip[@]}" --group fuzz --group test "$wheel"; then
        touch "$venv/made"
    else
        echo 'fuzz: left out readers and bindings: Atheris cannot be installed here' >&2
        rm -rf "$venv"
    fi
fi

wanted kernel- || exit 0
has_clang() { # with the runtime of its fuzzer, a package of its own that --no-install-recommends leaves out
    command -v clang++ >/dev/null && clang++ -x c++ -fsyntax-only - <<<'#include <fuzzer/FuzzedDataProvider.h>' 2>/dev/null
}
install() {
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; } \
        >/dev/null 2>&1 || true
}
if ! has_clang && ((EUID == 0)) && command -v apt-get >/dev/null; then
    command -v clang++ >/dev/null || install clang
    has_clang || install "libclang-rt-$(clang++ -dumpversion | cut -d. -f1)-dev"
fi
if ! has_clang; then
    echo 'fuzz: left out the kernels: clang or its fuzzer is not installed (apt-get install clang libclang-rt-dev)' >&2
    exit 0
fi

objects=build/fuzz/objects
mkdir -p "$objects"
# KILTER_SANITIZE: one version of each function, which the sanitizers understand.
flags=(-std=c++20 -Ikernels -Itools/fuzz/kernels -ffp-contract=off -O1 -g1 -fno-omit-frame-pointer -pthread
    -DKILTER_SANITIZE -fsanitize=address,undefined -fno-sanitize-recover=all)
newest=$(find kernels tools/fuzz/kernels -name '*.hpp' -printf '%T@ %p\n' | sort -n | tail -1 | cut -d' ' -f2)
for source in kernels/*.cpp tools/fuzz/kernels/*.cpp; do
    object="$objects/$(basename "$source").o"
    [[ "$source" == kernels/bindings.cpp || ("$object" -nt "$source" && "$object" -nt "$newest") ]] && continue
    echo "clang++ ${flags[*]} -fsanitize=fuzzer-no-link -c $source -o $object"
done | xargs -r -P "$(nproc)" -I{} bash -c '{}'
list=()
for source in kernels/*.cpp tools/fuzz/kernels/*.cpp; do
    [[ "$source" == kernels/bindings.cpp ]] || list+=("$objects/$(basename "$source").o")
done
clang++ "${flags[@]}" -fsanitize=fuzzer "${list[@]}" -o build/fuzz/kernels
