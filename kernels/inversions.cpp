#include "inversions.hpp"

#include <algorithm>
#include <bit>

#include "multiversion.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

// One bit per value, and a Fenwick tree over machine words of 64 bits: a query touches one popcount and log2(n / 64)
// counters.
KILTER_MULTIVERSION
std::int64_t count_with_bits(const std::int32_t* values, std::int64_t first, std::int64_t last,
                             std::uint64_t* seen, Fenwick<std::int32_t>& counts) {
    std::int64_t inversions = 0;
    for (std::int64_t i = first; i < last; ++i) {
        const std::int64_t value = values[i];
        const std::int64_t word = value >> 6;
        const int bit = static_cast<int>(value & 63);
        inversions += i - counts.prefix(word) - std::popcount(seen[word] & ((std::uint64_t{1} << bit) - 1));
        seen[word] |= std::uint64_t{1} << bit;
        counts.add(word, 1);
    }
    return inversions;
}

}  // namespace

std::int64_t InversionCounter::count(const std::int32_t* values, std::int64_t n) {
    const std::int64_t words = (n + 63) / 64;
    seen_.assign(words, 0);
    counts_.reset(words);
    constexpr std::int64_t kTogether = 1 << 18;
    std::int64_t inversions = 0;
    for (std::int64_t first = 0; first < n; first += kTogether) {
        if (first > 0) {
            check_stop();
        }
        inversions += count_with_bits(values, first, std::min(first + kTogether, n), seen_.data(), counts_);
    }
    return inversions;
}

}  // namespace kilter
