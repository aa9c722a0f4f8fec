#!/usr/bin/env bash
# Compiles the kernels with g++ and clang without a warning, and with g++ for another processor and for Windows, runs
# tests/portable.cpp with each, and compares the bits that they print. As root it installs Debian's clang, cross
# compilers and emulators where they are missing; without them it says what was left out.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A packages=([clang++]=clang [aarch64-linux-gnu-g++]=g++-aarch64-linux-gnu [qemu-aarch64]=qemu-user \
    [x86_64-w64-mingw32-g++-posix]=g++-mingw-w64-x86-64-posix [/usr/lib/wine/wine64]=wine64)
missing=()
for tool in "${!packages[@]}"; do
    command -v "$tool" >/dev/null || missing+=("${packages[$tool]}")
done
if ((${#missing[@]})) && ((EUID == 0)) && command -v apt-get >/dev/null; then
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        "${missing[@]}"; } >/dev/null 2>&1 || true
fi

folder=build/portable
mkdir -p "$folder"
sources=(kernels/*.cpp tests/portable.cpp)
# What CMakeLists.txt compiles with -O3.
wide=" $(sed -n '/set_source_files_properties/,/PROPERTIES/p' CMakeLists.txt | tr '(\n' '  ') "
common=(-std=c++20 -Ikernels -Itests -ffp-contract=off -Wall -Wextra -Wconversion -Werror -pthread)

build() { # name, compiler, optimisation, further options
    local name=$1 compiler=$2 level=$3 objects=() source object
    shift 3
    mkdir -p "$folder/$name"
    for source in "${sources[@]}"; do
        [[ "$source" == kernels/bindings.cpp ]] && continue
        object="$folder/$name/$(basename "$source").o"
        if [[ "$object" -nt "$source" && -z "$(find kernels tests/made_up.hpp -name '*.hpp' -newer "$object" -print -quit)" ]]; then
            continue
        fi
        local own=$level
        [[ "$level" == -O2 && "$wide" == *" $source "* ]] && own=-O3
        echo "$compiler ${common[*]} $own $* -c $source -o $object"
    done | xargs -r -P "$(nproc)" -I{} bash -c '{}'
    for source in "${sources[@]}"; do
        [[ "$source" == kernels/bindings.cpp ]] || objects+=("$folder/$name/$(basename "$source").o")
    done
    "$compiler" -pthread "${objects[@]}" -o "$folder/$name/driver" "$@"
}

check_bindings() { # those that know Python are read, not run
    local python=.venv/bin/python headers
    if ! headers=$("$python" -c 'import nanobind, sysconfig
print("-isystem", nanobind.include_dir(), "-isystem", sysconfig.get_path("include"))' 2>/dev/null); then
        echo 'portable: left out the bindings, which need nanobind (make types installs it)'
        return
    fi
    for source in kernels/bindings.cpp kernels/bindings/*.cpp; do
        echo "clang++ ${common[*]} $headers -fsyntax-only $source"
    done | xargs -r -P "$(nproc)" -I{} bash -c '{}'
}

same() { # name, lines that may differ, command
    local name=$1 but=$2
    shift 2
    "$@" >"$folder/$name.txt"
    diff <(sed "${but:+/$but/d}" "$folder/g++.txt") <(sed "${but:+/$but/d}" "$folder/$name.txt") || { echo "portable: $name gives other bits than g++" >&2; exit 1; }
    echo "portable: $name gives the bits of g++${but:+, but for lines with $but}"
}

build g++ "${CXX:-g++}" -O2
"$folder/g++/driver" >"$folder/g++.txt"

if command -v clang++ >/dev/null; then
    build clang clang++ -O2
    check_bindings
    same clang "" "$folder/clang/driver"
    if [[ "$(uname -m)" == x86_64 && "$(nm "$folder/clang/driver")" != *.resolver* ]]; then
        echo 'portable: clang chose no instructions at run time' >&2
        exit 1
    fi
else
    echo 'portable: left out clang, which is not installed (apt-get install clang)'
fi

if command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64 >/dev/null; then
    build aarch64 aarch64-linux-gnu-g++ -O2 -static
    same aarch64 "" qemu-aarch64 "$folder/aarch64/driver"
else
    echo 'portable: left out aarch64 (apt-get install g++-aarch64-linux-gnu qemu-user)'
fi

wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
if command -v x86_64-w64-mingw32-g++-posix >/dev/null; then
    build mingw x86_64-w64-mingw32-g++-posix -O2 -static
    if command -v "$wine" >/dev/null; then
        # Logarithms of NIST's information are those of the system's library, which may round otherwise.
        # Wine keeps links to the whole file system, which no tool that reads this folder should follow.
        prefix=$(mktemp -d)
        same mingw '^information' bash -c 'WINEDEBUG=-all WINEPREFIX="$1" "$2" "$3" 2>/dev/null | tr -d "\r"' - \
            "$prefix" "$wine" "$folder/mingw/driver.exe"
        rm -rf "$prefix"
    else
        echo 'portable: linked for Windows, but not run (apt-get install wine64)'
    fi
else
    echo 'portable: left out Windows (apt-get install g++-mingw-w64-x86-64-posix wine64)'
fi
