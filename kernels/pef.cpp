#include "pef.hpp"

#include <algorithm>

#include "multiversion.hpp"

namespace kilter {
namespace {

// How often, on average over all binary trees, the value of a child survives the cuts on one side of
// it: S and W of the recurrence, walking outward. A cut halves the weight unless it takes off a
// single leaf; first cuts are uniform over the gaps, hence the division by the distance.
struct Flank {
    double weight = 1.0;
    double sum = 0.0;

    void step(double half_keep, std::int64_t distance, bool leaf) {
        sum += weight;
        weight = half_keep / static_cast<double>(distance) * (sum + (leaf ? weight : 0.0));
    }
};

// The same for all children of a node at once; `leaf` is 1.0 where the child is a leaf. Every step
// moves one sibling outward, so that the inner loop has no dependency.
KILTER_MULTIVERSION
void all_flanks(const double* leaf, std::int64_t count, double half_keep, double* weight,
                double* sum) {
    std::fill(weight, weight + count, 1.0);
    std::fill(sum, sum + count, 0.0);
    for (std::int64_t distance = 1; distance < count; ++distance) {
        const double factor = half_keep / static_cast<double>(distance);
        const double* sibling = leaf - distance;
        for (std::int64_t c = distance; c < count; ++c) {
            const double before = weight[c];
            const double total = sum[c] + before;
            sum[c] = total;
            weight[c] = factor * (total + sibling[c] * before);
        }
    }
}

constexpr std::int64_t kManyChildren = 64;

}  // namespace

double TreeScorer::one_by_one(const double* children, std::int64_t count, double own) const {
    const double half_keep = keep_ / 2;
    double value = 0.0;
    for (std::int64_t c = 0; c < count; ++c) {
        if (children[c] == kLeafValue) {
            continue;
        }
        Flank left;
        for (std::int64_t d = 1; d <= c; ++d) {
            left.step(half_keep, d, children[c - d] == kLeafValue);
        }
        Flank right;
        for (std::int64_t d = 1; c + d < count; ++d) {
            right.step(half_keep, d, children[c + d] == kLeafValue);
        }
        value += (children[c] - own) * (left.weight * right.weight);
    }
    return own + value;
}

double TreeScorer::all_at_once(const double* children, std::int64_t count, double own) {
    flanks_.resize(static_cast<std::size_t>(4 * count));
    double* leaf = flanks_.data();
    double* left = leaf + count;
    double* right = left + count;
    double* sum = right + count;
    for (std::int64_t c = 0; c < count; ++c) {
        leaf[c] = children[c] == kLeafValue ? 1.0 : 0.0;
    }
    all_flanks(leaf, count, keep_ / 2, left, sum);
    std::reverse(leaf, leaf + count);
    all_flanks(leaf, count, keep_ / 2, right, sum);
    double value = 0.0;
    for (std::int64_t c = 0; c < count; ++c) {
        if (children[c] != kLeafValue) {
            value += (children[c] - own) * (left[c] * right[count - 1 - c]);
        }
    }
    return own + value;
}

double TreeScorer::linear_value(const double* children, std::int64_t count, std::int64_t inner,
                                double own) {
    if (inner == 0) {
        return own;
    }
    if (count >= kManyChildren && inner > count / 8) {
        return all_at_once(children, count, own);
    }
    return one_by_one(children, count, own);
}

double TreeScorer::branching_value(const double* children, std::int64_t count, double own) const {
    const auto child = [&](std::int64_t i) {
        return children[right_branching_ ? count - 1 - i : i];
    };
    double value = child(0);
    for (std::int64_t i = 1; i < count; ++i) {
        const double next = child(i);
        if (value == kLeafValue && next == kLeafValue) {
            value = own;
        } else {
            const double mean = value == kLeafValue  ? next
                                : next == kLeafValue ? value
                                                     : 0.5 * (value + next);
            value = beta_ * own + keep_ * mean;
        }
    }
    return value;
}

double TreeScorer::prime_value(const double* children, std::int64_t count, double own) const {
    double sum = 0.0;
    std::int64_t inner = 0;
    for (std::int64_t c = 0; c < count; ++c) {
        if (children[c] != kLeafValue) {
            sum += children[c];
            ++inner;
        }
    }
    return inner == 0 ? own : beta_ * own + keep_ * (sum / static_cast<double>(inner));
}

template <class OperatorScore>
TreeScores TreeScorer::evaluate(const PermutationTree& tree, OperatorScore operator_score) {
    const auto size = static_cast<std::size_t>(tree.size());
    if (size <= 1) {
        return {};
    }
    pef_.resize(size);
    pet_.resize(size);
    for (std::size_t node = size; node-- > 0;) {  // preorder backwards: children before parents
        if (tree.kind[node] == kLeaf) {
            pef_[node] = pet_[node] = kLeafValue;
            continue;
        }
        pef_children_.clear();
        pet_children_.clear();
        std::int64_t inner = 0;
        auto child = node + 1;
        for (std::int32_t c = 0; c < tree.children[node]; ++c) {
            pef_children_.push_back(pef_[child]);
            pet_children_.push_back(pet_[child]);
            inner += tree.kind[child] != kLeaf;
            child = static_cast<std::size_t>(tree.next[child]);
        }
        const double own = operator_score(node);
        const auto count = static_cast<std::int64_t>(pef_children_.size());
        if (tree.kind[node] == kPrime) {
            pef_[node] = prime_value(pef_children_.data(), count, own);
            pet_[node] = prime_value(pet_children_.data(), count, own);
        } else {
            pef_[node] = linear_value(pef_children_.data(), count, inner, own);
            pet_[node] = branching_value(pet_children_.data(), count, own);
        }
    }
    return {pef_[0], pet_[0]};
}

TreeScores TreeScorer::score(const PermutationTree& tree) {
    return evaluate(tree, [&](std::size_t node) {
        return tree.kind[node] == kMonotone ? 1.0 : tree.kind[node] == kInverted ? gamma_ : 0.0;
    });
}

TreeScores TreeScorer::score(const PermutationTree& tree, const double* operator_scores) {
    return evaluate(tree, [&](std::size_t node) { return operator_scores[node]; });
}

}  // namespace kilter
