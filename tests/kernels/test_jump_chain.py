"""The hidden Markov alignment of one pair, at its limits."""

from pathlib import Path

from tests.kernels.program import run

LONGEST = """
#include <cstdio>
#include <cstdlib>
#include <new>

#include "jump_chain.hpp"

static std::size_t wanted = 0;

void* operator new(std::size_t size) {
    if (size > (std::size_t{1} << 30)) {
        wanted = size;
        throw std::bad_alloc();
    }
    return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main() {
    const kilter::JumpModel model(5);
    try {
        kilter::JumpChain chain(model, {0.2, 0.1}, 1 << 30);
    } catch (const std::bad_alloc&) {
        std::printf("%zu", wanted);
    }
}
"""


def test_the_longest_sentence_asks_for_its_memory_and_overflows_nothing(tmp_path: Path) -> None:
    flags = ("-fsanitize=undefined", "-fno-sanitize-recover=all")
    found = run(LONGEST, tmp_path, "jump_chain.cpp", flags=flags)
    assert found == (0, str(8 * (2 * 2**30 + 1)))
