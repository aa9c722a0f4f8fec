#include "long_scores.hpp"

#include <algorithm>

namespace kilter {

FlatCounts LongScorer::count_flat(const std::int32_t* values, std::int32_t n) {
    FlatCounts counts;
    counts.inversions = inversions_.count(values, n);
    tails_.clear();
    unsigned __int128 squares = 0;  // reaches n^3 / 3
    std::int32_t previous = -2;
    for (std::int32_t i = 0; i < n; ++i) {
        const std::int32_t value = values[i];
        if (tails_.empty() || tails_.back() < value) {
            tails_.push_back(value);
        } else {
            *std::lower_bound(tails_.begin(), tails_.end(), value) = value;
        }
        const std::int64_t shift = value - i;
        squares += static_cast<std::uint64_t>(shift * shift);
        counts.fixed += shift == 0;
        counts.chunks += value != previous + 1;
        previous = value;
    }
    counts.squares = static_cast<double>(squares);
    counts.rising = static_cast<std::int64_t>(tails_.size());
    return counts;
}

void LongScorer::score(const std::int32_t* values, std::int32_t n, double* scores,
                       std::int32_t* counts) {
    const FlatCounts flat = count_flat(values, n);
    write_flat_scores(flat, n, scores);
    builder_.build(values, n, tree_);
    std::int32_t nodes = 0;
    std::int32_t max_operator = n > 1 ? 2 : 0;
    ScaledNumber trees;
    for (std::size_t node = 0; node < tree_.kind.size(); ++node) {
        const std::int32_t children = tree_.children[node];
        if (tree_.kind[node] == kPrime) {
            ++nodes;
            max_operator = std::max(max_operator, children);
        } else if (tree_.kind[node] != kLeaf) {
            nodes += children - 1;
            trees.multiply(tree_counts_[static_cast<std::size_t>(children)]);
        }
    }
    counts[kNodes] = nodes;
    counts[kMaxOperator] = max_operator;
    counts[kChunks] = static_cast<std::int32_t>(flat.chunks);
    counts[kPrimal] = nodes == 1;
    write_size_scores(n, nodes, max_operator, scores);
    scores[kPetCount] =
        n <= 2 ? 1.0 : share_of_trees(trees, tree_counts_[static_cast<std::size_t>(n)]);
    const TreeScores tree_scores = tree_scorer_.score(tree_);
    scores[kPef] = tree_scores.pef;
    scores[kPet] = tree_scores.pet;
}

}  // namespace kilter
