// What the kernels report about one permutation.
#pragma once

#include <cmath>
#include <cstdint>

namespace kilter {

enum Column : int {
    kKendall,
    kKendallSqrt,
    kSpearman,
    kHamming,
    kUlam,
    kFuzzy,
    kPetSize,
    kPetCount,
    kMaxOp,
    kPef,
    kPet,
    kColumns
};

enum CountColumn : int { kNodes, kMaxOperator, kChunks, kPrimal, kCountColumns };

struct ScoreOptions {
    double beta = 0.6;
    double gamma = 0.0;
    bool right_branching = false;
    double empty = 0.0;  // every score of the permutation of length 0
};

// Integers that the flat scores are made of.
struct FlatCounts {
    std::int64_t inversions = 0;
    double squares = 0.0;  // sum of (value - position)^2
    std::int64_t fixed = 0;
    std::int64_t rising = 0;  // longest increasing subsequence
    std::int64_t chunks = 0;
};

// n >= 1. Every score is one division of exact integers (up to 2^53), so that equal ranks give
// equal bits and the identity gives exactly 1.
inline void write_flat_scores(const FlatCounts& counts, std::int64_t n, double* scores) {
    if (n == 1) {
        scores[kKendall] = scores[kKendallSqrt] = scores[kSpearman] = 1.0;
        scores[kHamming] = scores[kUlam] = scores[kFuzzy] = 1.0;
        return;
    }
    const auto length = static_cast<double>(n);
    const auto pairs = static_cast<double>(n * (n - 1) / 2);
    const double cube = length * (length * length - 1.0);
    const auto inversions = static_cast<double>(counts.inversions);
    scores[kKendall] = (pairs - inversions) / pairs;
    scores[kKendallSqrt] = 1.0 - std::sqrt(inversions / pairs);
    scores[kSpearman] = (cube - 3.0 * counts.squares) / cube;
    scores[kHamming] = static_cast<double>(counts.fixed) / length;
    scores[kUlam] = static_cast<double>(counts.rising - 1) / (length - 1.0);
    scores[kFuzzy] = static_cast<double>(n - counts.chunks) / (length - 1.0);
}

// n >= 1; max_operator as reported, 0 for a single word.
inline void write_size_scores(std::int64_t n, std::int64_t nodes, std::int64_t max_operator,
                              double* scores) {
    if (n <= 2) {
        scores[kPetSize] = scores[kMaxOp] = 1.0;
        return;
    }
    const auto room = static_cast<double>(n - 2);
    scores[kPetSize] = static_cast<double>(nodes - 1) / room;
    scores[kMaxOp] = static_cast<double>(n - max_operator) / room;
}

}  // namespace kilter
