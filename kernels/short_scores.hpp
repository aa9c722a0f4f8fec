// All scores of a permutation of at most 64 elements in one fused pass: machine words as sets.
#pragma once

#include <array>
#include <cstdint>

#include "catalan.hpp"
#include "score_row.hpp"

namespace kilter {

inline constexpr std::int64_t kShortLength = 64;

// What depends on the options only.
struct ShortTables {
    explicit ShortTables(const ScoreOptions& options);

    double beta, keep, gamma;
    bool right_branching;
    std::array<double, 65> tree_counts;
    std::array<std::uint64_t, 65> exact_tree_counts;  // wraps above the exact widths
    std::array<double, 65> half_keep;                 // keep / (2 x)
    std::array<double, 65> leaf_weight, leaf_sum;     // a flank of x leaves: W and S
    std::array<double, 65> power;                     // keep^x
};

// Scores many permutations; none may be longer than kShortLength. Values lie between 0 and 63. Returns false,
// and ends there, if a segment is no permutation; in right-branching trees all of them must be.
[[nodiscard]] bool score_short_block(const std::int32_t* values, const std::int64_t* offsets, std::int64_t first,
                       std::int64_t last, const ShortTables& tables, double empty, double* scores,
                       std::int32_t* counts, std::uint64_t* trees);

// PEFscore and PETscore alone, two a row, for callers that need nothing else.
[[nodiscard]] bool score_short_trees(const std::int32_t* values, const std::int64_t* offsets, std::int64_t first,
                       std::int64_t last, const ShortTables& tables, double empty, double* scores);

}  // namespace kilter
