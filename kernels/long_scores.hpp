// All scores of a permutation of any length, through its explicit tree.
#pragma once

#include <cstdint>
#include <vector>

#include "catalan.hpp"
#include "inversions.hpp"
#include "pef.hpp"
#include "permutation_tree.hpp"
#include "score_row.hpp"

namespace kilter {

// Keeps its working space between calls; one per thread.
class LongScorer {
public:
    LongScorer(const ScoreOptions& options, const TreeCountTable& tree_counts)
        : tree_scorer_(options.beta, options.gamma, options.right_branching),
          tree_counts_(tree_counts) {}

    // n >= 1; the exact number of trees is not computed here.
    void score(const std::int32_t* values, std::int32_t n, double* scores, std::int32_t* counts);

private:
    FlatCounts count_flat(const std::int32_t* values, std::int32_t n);

    TreeScorer tree_scorer_;
    const TreeCountTable& tree_counts_;
    InversionCounter inversions_;
    TreeBuilder builder_;
    PermutationTree tree_;
    std::vector<std::int32_t> tails_;
};

}  // namespace kilter
