#include "beer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kilter {
namespace {

constexpr std::int64_t kCachedSide = 64;

// Depths beyond this weigh less than 2^-64 of the whole.
std::int64_t depth_that_matters(double keep) {
    if (keep <= 0.0) {
        return 1;
    }
    if (keep >= 1.0) {
        return std::numeric_limits<std::int64_t>::max();
    }
    return 64 + static_cast<std::int64_t>(64.0 / -std::log(keep));
}

}  // namespace

BeerScorer::BeerScorer(double beta)
    : keep_(1.0 - beta),
      deepest_(depth_that_matters(1.0 - beta)),
      scaled_catalan_{1.0},
      cached_(static_cast<std::size_t>(kCachedSide * kCachedSide), -1.0) {}

// Catalan(m) / 4^m
double BeerScorer::tree_count(std::int64_t m) {
    for (auto k = static_cast<std::int64_t>(scaled_catalan_.size()); k <= m; ++k) {
        scaled_catalan_.push_back(scaled_catalan_.back() * (2.0 * static_cast<double>(k) - 1.0) /
                                  (2.0 * (static_cast<double>(k) + 1.0)));
    }
    return scaled_catalan_[m];
}

// counts[a] = 2^a / 4^leaves times the number of ordered forests of a binary trees with so many
// leaves in all, a / (2 leaves - a) * binomial(2 leaves - a, leaves).
void BeerScorer::forest_counts(std::int64_t leaves, PlainVector<double>& counts) {
    const std::int64_t last = std::min(leaves, deepest_);
    counts.assign(last + 1, 0.0);
    if (leaves == 0) {
        counts[0] = 1.0;
        return;
    }
    counts[1] = tree_count(leaves - 1) / 2.0;
    for (std::int64_t a = 1; a < last; ++a) {
        const auto trees = static_cast<double>(a);
        const auto words = static_cast<double>(leaves);
        counts[a + 1] = counts[a] * 2.0 *
                                                  (trees + 1.0) * (words - trees) /
                                                  (trees * (2.0 * words - trees - 1.0));
    }
}

// A leaf at depth a + b hangs below a subtrees to its left and b to its right, in any interleaving.
double BeerScorer::compute_mean_decay(std::int64_t left, std::int64_t right) {
    forest_counts(left, left_counts_);
    forest_counts(right, right_counts_);
    row_.assign(right_counts_.size(), 0.0);
    double sum = 0.0;
    for (std::size_t a = 0; a < left_counts_.size(); ++a) {
        // row_[b] = binomial(a + b, a) * (keep / 2)^(a + b), by Pascal's rule
        double inner = 0.0;
        for (std::size_t b = 0; b < row_.size(); ++b) {
            const double before = b == 0 ? 0.0 : row_[b - 1];
            row_[b] = a == 0 && b == 0 ? 1.0 : keep_ / 2.0 * (row_[b] + before);
            inner += row_[b] * right_counts_[b];
        }
        sum += inner * left_counts_[a];
    }
    return sum / tree_count(left + right);
}

double BeerScorer::mean_decay(std::int64_t left, std::int64_t right) {
    if (left >= kCachedSide || right >= kCachedSide) {
        return compute_mean_decay(left, right);
    }
    double& cached = cached_[left * kCachedSide + right];
    if (cached < 0.0) {
        cached = compute_mean_decay(left, right);
    }
    return cached;
}

double BeerScorer::reversal(std::int64_t n) {
    forest_counts(n - 1, left_counts_);
    double sum = 0.0;
    double power = 1.0;
    for (const double count : left_counts_) {
        sum += power * count;
        power *= keep_;
    }
    return sum / tree_count(n - 1) / static_cast<double>(n);
}

double BeerScorer::score(const PermutationTree& tree) {
    const auto size = static_cast<std::size_t>(tree.size());
    if (size <= 1) {
        return 1.0;
    }
    values_.assign(size, 1.0);
    for (std::size_t node = size; node-- > 0;) {
        if (tree.kind[node] == kLeaf) {
            continue;
        }
        const auto span = static_cast<double>(tree.end[node] - tree.start[node]);
        const double own = tree.kind[node] == kMonotone ? 1.0 : 0.0;
        double value = 0.0;
        auto child = node + 1;
        for (std::int32_t c = 0; c < tree.children[node]; ++c) {
            const double share =
                static_cast<double>(tree.end[child] - tree.start[child]) / span;
            const double gain = values_[child] - own;
            if (gain != 0.0) {
                const double decay = tree.kind[node] == kPrime
                                         ? keep_
                                         : mean_decay(c, tree.children[node] - 1 - c);
                value += share * gain * decay;
            }
            child = static_cast<std::size_t>(tree.next[child]);
        }
        values_[node] = own + value;
    }
    // The reversal is 0 by definition, not only up to rounding.
    if (tree.kind[0] == kInverted && tree.children[0] == tree.end[0]) {
        return 0.0;
    }
    const double worst = reversal(tree.end[0]);
    return std::clamp((values_[0] - worst) / (1.0 - worst), 0.0, 1.0);
}

}  // namespace kilter
