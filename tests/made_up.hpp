// Made-up input for programs that run kernels: the same on every machine.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "dependency_tree.hpp"
#include "ngram.hpp"

namespace kilter::made_up {

using Ints = std::vector<std::int32_t>;
using Longs = std::vector<std::int64_t>;
using Floats = std::vector<double>;

class Rng {
public:
    std::int32_t below(std::int64_t limit) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::int32_t>((state_ >> 33) % static_cast<std::uint64_t>(limit));
    }
    double share() { return static_cast<double>(below(1 << 20)) / (1 << 20); }

private:
    std::uint64_t state_ = 1;
};

struct Rows {
    Ints values;
    Longs offsets{0};

    Batch batch() const { return {values.data(), offsets.data(), segments()}; }
    TreeRows trees() const { return {values.data(), offsets.data(), segments()}; }
    std::int64_t segments() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
    std::size_t size() const { return offsets.size() - 1; }
    void end() { offsets.push_back(static_cast<std::int64_t>(values.size())); }
};

// Permutations of all lengths to 70 and some long ones, some of them near the identity.
inline Rows permutations(Rng& rng) {
    Rows column;
    for (int k = 0; k < 240; ++k) {
        const std::int32_t n = k < 220 ? k % 71 : 100 + 90 * (k - 220);
        const std::size_t begin = column.values.size();
        for (std::int32_t i = 0; i < n; ++i) {
            column.values.push_back(i);
        }
        const std::int32_t swaps = k % 3 == 0 ? n / 8 : n;
        for (std::int32_t s = 0; s < swaps; ++s) {
            std::swap(column.values[begin + static_cast<std::size_t>(rng.below(n))],
                      column.values[begin + static_cast<std::size_t>(rng.below(n))]);
        }
        column.end();
    }
    return column;
}

inline Rows words(Rng& rng, std::int32_t vocabulary, int segments) {
    Rows column;
    for (int s = 0; s < segments; ++s) {
        for (std::int32_t n = 1 + rng.below(20); n > 0; --n) {
            column.values.push_back(rng.below(vocabulary));
        }
        column.end();
    }
    return column;
}

// A tree of each segment's length: every word but the first hangs from an earlier one.
inline Rows trees(Rng& rng, const Rows& lengths) {
    Rows column;
    for (std::int64_t s = 0; s < lengths.segments(); ++s) {
        column.values.push_back(-1);
        for (std::int32_t word = 1; word < lengths.batch().length(s); ++word) {
            column.values.push_back(rng.below(word));
        }
        column.end();
    }
    return column;
}

}  // namespace kilter::made_up
