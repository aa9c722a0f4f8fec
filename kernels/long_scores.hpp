// All scores of a permutation of any length.
#pragma once

#include <cstdint>
#include <vector>

#include "catalan.hpp"
#include "inversions.hpp"
#include "pef.hpp"
#include "score_row.hpp"

namespace kilter {

// Keeps its working space between calls; one per thread.
class LongScorer {
public:
    LongScorer(const ScoreOptions& options, const TreeCountTable& tree_counts)
        : sink_(options.beta, options.gamma, tree_counts),
          right_branching_(options.right_branching),
          tree_counts_(tree_counts) {}

    // n >= 1; the exact number of trees is not computed here.
    void score(const std::int32_t* values, std::int32_t n, double* scores, std::int32_t* counts);

    // PEFscore and PETscore alone.
    TreeScores score_trees(const std::int32_t* values, std::int32_t n);

    // What the flat scores are made of.
    FlatCounts count_flat(const std::int32_t* values, std::int32_t n);

private:
    ShiftReduce shift_reduce_;
    ScoringSink sink_;
    bool right_branching_;
    const TreeCountTable& tree_counts_;
    InversionCounter inversions_;
    WorkVector<std::int32_t> tails_, turned_;
};

}  // namespace kilter
