// The permutation forest score as BEER 1.1 computes it: the mean over all trees, children weighted by
// the number of words they cover, rescaled by the score of the reversal.
#pragma once

#include <cstdint>

#include "permutation_tree.hpp"
#include "work_vector.hpp"

namespace kilter {

class BeerScorer {
public:
    explicit BeerScorer(double beta);
    double score(const PermutationTree& tree);

private:
    // Mean of (1 - beta)^depth over all binary trees, for the leaf with this many leaves beside it.
    double mean_decay(std::int64_t left, std::int64_t right);
    double compute_mean_decay(std::int64_t left, std::int64_t right);
    double reversal(std::int64_t n);
    double tree_count(std::int64_t leaves_but_one);
    void forest_counts(std::int64_t leaves, PlainVector<double>& counts);

    double keep_;
    std::int64_t deepest_;
    PlainVector<double> scaled_catalan_, cached_, values_, left_counts_, right_counts_, row_;
};

}  // namespace kilter
