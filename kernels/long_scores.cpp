#include "long_scores.hpp"

#include <algorithm>

#include "watch.hpp"

namespace kilter {
namespace {

// The first of the rising tails that is not below the value. Without branches: on shuffled input every
// one of them would be mispredicted.
std::int32_t* first_not_below(std::int32_t* tails, std::size_t count, std::int32_t value) {
    while (count > 1) {
        const std::size_t half = count / 2;
        tails += tails[half - 1] < value ? half : 0;
        count -= half;
    }
    return tails + (*tails < value);
}

}  // namespace

FlatCounts LongScorer::count_flat(const std::int32_t* values, std::int32_t n) {
    FlatCounts counts;
    counts.inversions = inversions_.count(values, n);
    tails_.clear();
    unsigned __int128 squares = 0;  // reaches n^3 / 3
    std::int32_t previous = -2;
    for (std::int32_t i = 0; i < n; ++i) {
        const std::int32_t value = values[i];
        if ((i & 0x3ffff) == 0x3ffff) {
            check_stop();
        }
        if (tails_.empty() || tails_.back() < value) {
            tails_.push_back(value);
        } else {
            *first_not_below(tails_.data(), tails_.size(), value) = value;
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

TreeScores LongScorer::score_trees(const std::int32_t* values, std::int32_t n) {
    // A right-branching tree is the left-branching one of the permutation turned by 180 degrees,
    // which leaves every other score alone.
    if (right_branching_) {
        turned_.resize(n);
        for (std::int32_t i = 0; i < n; ++i) {
            turned_[i] = n - 1 - values[n - 1 - i];
        }
        values = turned_.data();
    }
    shift_reduce_.run(values, n, sink_);
    return sink_.scores;
}

void LongScorer::score(const std::int32_t* values, std::int32_t n, double* scores,
                       std::int32_t* counts) {
    const FlatCounts flat = count_flat(values, n);
    write_flat_scores(flat, n, scores);
    score_trees(values, n);
    counts[kNodes] = sink_.nodes;
    counts[kMaxOperator] = sink_.max_operator;
    counts[kChunks] = static_cast<std::int32_t>(flat.chunks);
    counts[kPrimal] = sink_.nodes == 1;
    write_size_scores(n, sink_.nodes, sink_.max_operator, scores);
    scores[kPetCount] =
        n <= 2 ? 1.0 : share_of_trees(sink_.trees, tree_counts_[n]);
    scores[kPef] = sink_.scores.pef;
    scores[kPet] = sink_.scores.pet;
}

}  // namespace kilter
