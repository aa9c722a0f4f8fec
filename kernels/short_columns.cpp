#include <algorithm>
#include <cmath>

#include "catalan.hpp"
#include "multiversion.hpp"
#include "short_group.hpp"

namespace kilter {

KILTER_WIDE_MULTIVERSION
bool narrow_values(const std::int32_t* __restrict values, std::int64_t size, std::uint8_t* __restrict bytes) {
    std::uint32_t any = 0;
    for (std::int64_t k = 0; k < size; ++k) {
        const auto value = static_cast<std::uint32_t>(values[k]);
        any |= value;
        bytes[k] = static_cast<std::uint8_t>(value);
    }
    return any < 64;
}

// One loop a column, several rows at once. Every score is one division of exact integers, so that equal ranks give
// equal bits and the identity gives exactly 1; compare write_flat_scores.
KILTER_WIDE_MULTIVERSION
void write_columns(const ShortGroup& group, double empty, const ScoreColumns& columns) {
    const std::int64_t rows = group.rows;
    // Of permutations that leave nothing to misplace, and dividers that are never 0.
    double edge[ShortGroup::kRows];
    double length[ShortGroup::kRows];
    double pairs[ShortGroup::kRows];
    for (std::int64_t s = 0; s < rows; ++s) {
        edge[s] = group.length[s] == 0 ? empty : 1.0;
        const std::int32_t n = std::max(group.length[s], 2);
        length[s] = static_cast<double>(n);
        pairs[s] = static_cast<double>(n * (n - 1) / 2);
    }
    const auto write = [&](Column which, std::int32_t least, auto score) __attribute__((always_inline)) {
        double* __restrict const out = columns.scores + which * columns.apart;
        for (std::int64_t s = 0; s < rows; ++s) {
            const double found = score(s);
            out[s] = group.length[s] >= least ? found : edge[s];
        }
    };
    write(kKendall, 2, [&](std::int64_t s) { return (pairs[s] - group.inversions[s]) / pairs[s]; });
    write(kKendallSqrt, 2, [&](std::int64_t s) { return 1.0 - std::sqrt(group.inversions[s] / pairs[s]); });
    write(kSpearman, 2, [&](std::int64_t s) {
        const double cube = length[s] * (length[s] * length[s] - 1.0);
        return (cube - 3.0 * group.squares[s]) / cube;
    });
    write(kHamming, 2, [&](std::int64_t s) { return group.fixed[s] / length[s]; });
    write(kUlam, 2, [&](std::int64_t s) { return (group.rising[s] - 1) / (length[s] - 1.0); });
    write(kFuzzy, 2, [&](std::int64_t s) { return (group.length[s] - group.chunks[s]) / (length[s] - 1.0); });
    write(kPetSize, 3, [&](std::int64_t s) { return (group.nodes[s] - 1) / (length[s] - 2.0); });
    write(kPetCount, 3, [&](std::int64_t s) { return (group.trees[s] - 1.0) / (group.most_trees[s] - 1.0); });
    write(kMaxOp, 3, [&](std::int64_t s) {
        return (group.length[s] - group.max_operator[s]) / (length[s] - 2.0);
    });
    write(kPef, 1, [&](std::int64_t s) { return group.pef[s]; });
    write(kPet, 1, [&](std::int64_t s) { return group.pet[s]; });

    const auto count = [&](CountColumn which, std::int32_t least, auto number) __attribute__((always_inline)) {
        std::int32_t* __restrict const out = columns.counts + which * columns.apart;
        for (std::int64_t s = 0; s < rows; ++s) {
            const std::int32_t found = number(s);
            out[s] = group.length[s] >= least ? found : 0;
        }
    };
    count(kNodes, 2, [&](std::int64_t s) { return group.nodes[s]; });
    count(kMaxOperator, 2, [&](std::int64_t s) { return group.max_operator[s]; });
    count(kChunks, 1, [&](std::int64_t s) { return group.chunks[s]; });
    count(kPrimal, 2, [&](std::int64_t s) { return static_cast<std::int32_t>(group.nodes[s] == 1); });
    for (std::int64_t s = 0; s < rows; ++s) {
        const bool exact = group.length[s] >= 1 && group.length[s] <= kLargestExactWidth;
        columns.trees[s] = exact ? group.exact_trees[s] : 0;
    }
}

}  // namespace kilter
